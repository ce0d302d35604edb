// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Other ways to fold values by key: a sort and a reduction of what then lies together, by CUB and
/// by Thrust, and atomics in global memory.

#include "measure.cuh"
#include "peers.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>

#include <cstdint>
#include <type_traits>

namespace perf {

/// A sort only moves values: one instantiation for all of a size.
template <class V>
using sorted_as = std::conditional_t<
    sizeof(V) == 4, std::uint32_t, std::conditional_t<sizeof(V) == 8, std::uint64_t, V>>;

/// Pairs sorted by key, then reduced: each key that occurs, and what its values make.
template <class V>
class sort_and_reduce {
public:
  sort_and_reduce(std::uint64_t n, std::uint64_t most_bins)
      : n_(n), keys_(n * 4), values_(n * sizeof(V)), unique_(most_bins * 4),
        folded_(most_bins * sizeof(V)) {}

  /// CUB's radix sort, of the bits in use only.
  template <class Op>
  void by_radix(
      scratch const& temp, std::uint32_t const* keys, V const* values, std::uint64_t bins,
      Op op) const {
    int bits = 1;
    while (bins > std::uint64_t{1} << bits) {
      ++bits;
    }
    std::size_t bytes = temp.bytes;
    require(
        cub::DeviceRadixSort::SortPairs(
            temp.memory.as<void>(), bytes, keys, keys_.as<std::uint32_t>(),
            reinterpret_cast<sorted_as<V> const*>(values), values_.as<sorted_as<V>>(),
            static_cast<std::int64_t>(n_), 0, bits),
        "SortPairs");
    bytes = temp.bytes;
    require(
        cub::DeviceReduce::ReduceByKey(
            temp.memory.as<void>(), bytes, keys_.as<std::uint32_t>(), unique_.as<std::uint32_t>(),
            values_.as<V>(), folded_.as<V>(), number_.as<int>(), op, static_cast<int>(n_)),
        "ReduceByKey");
  }

  /// Thrust's, in place: copy_input() comes before, and is not timed.
  template <class Policy, class Op>
  void by_thrust(Policy const& policy, Op op) const {
    auto* const keys = keys_.as<std::uint32_t>();
    thrust::sort_by_key(policy, keys, keys + n_, values_.as<sorted_as<V>>());
    thrust::reduce_by_key(
        policy, keys, keys + n_, values_.as<V>(), unique_.as<std::uint32_t>(), folded_.as<V>(),
        thrust::equal_to<std::uint32_t>{}, op);
  }
  void copy_input(std::uint32_t const* keys, V const* values) const {
    auto const copy = [](auto* to, auto const* from, std::uint64_t bytes) {
      require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
    };
    copy(keys_.as<std::uint32_t>(), keys, n_ * 4);
    copy(values_.as<V>(), values, n_ * sizeof(V));
  }

  /// What by_radix() made, as a table.
  void write(V* out, std::uint64_t bins, V identity) const {
    int number = 0;
    require(
        cudaMemcpy(&number, number_.as<int>(), sizeof number, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    thrust::fill(thrust::device, out, out + bins, identity);
    thrust::scatter(
        thrust::device, folded_.as<V>(), folded_.as<V>() + number, unique_.as<std::uint32_t>(),
        out);
  }

  /// Room for n values, until the next sort.
  V* spare() const { return values_.as<V>(); }

private:
  std::uint64_t n_;
  buffer keys_, values_, unique_, folded_, number_{sizeof(int)};
};

/// Folds a number into a place of memory that many threads fold into.
template <class V, class Op>
__device__ void fold_at(V* place, V x, Op) {
  using word = std::conditional_t<
      std::is_floating_point_v<V>, V,
      std::conditional_t<
          sizeof(V) == 8, unsigned long long,
          std::conditional_t<std::is_signed_v<V>, int, unsigned>>>;
  auto* const p = reinterpret_cast<word*>(place);
  if constexpr (std::is_same_v<Op, thrust::plus<V>>) {
    atomicAdd(p, static_cast<word>(x));
  } else {
    static_assert(std::is_unsigned_v<V>, "minima and maxima are of unsigned integers here");
    if constexpr (std::is_same_v<Op, thrust::minimum<V>>) {
      atomicMin(p, static_cast<word>(x));
    } else {
      atomicMax(p, static_cast<word>(x));
    }
  }
}

template <class V, class Op>
__global__ void fold_global(
    std::uint32_t const* keys, V const* values, std::uint64_t n, V* out, Op op) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    perf::fold_at(out + keys[i], values[i], op);
  }
}

/// The textbook's kernel, output and all.
template <class V, class Op>
void global_atomics(
    std::uint32_t const* keys, V const* values, std::uint64_t n, V* out, std::uint64_t bins, Op op,
    V identity) {
  thrust::fill(thrust::cuda::par_nosync, out, out + bins, identity);
  fold_global<<<multiprocessors() * 8, 256>>>(keys, values, n, out, op);
}

}  // namespace perf
