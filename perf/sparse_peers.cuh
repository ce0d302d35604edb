// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What sparse histograms replace: a sort and a reduction of equal keys, by Thrust, and by CUB with
/// a radix sort of the bits in use.

#include "measure.cuh"
#include "peers.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <cstdint>
#include <type_traits>

namespace perf {

/// No values: keys are counted.
struct no_values {};

template <class Value>
inline constexpr bool is_counted = std::is_same_v<Value, no_values>;
/// What a row holds beside its key.
template <class Value>
using row_value = std::conditional_t<is_counted<Value>, unsigned, Value>;
template <class Value>
inline constexpr std::size_t value_bytes = is_counted<Value> ? 0 : sizeof(Value);

template <class Policy, class Key, class Value>
void sort_pairs(Policy const& policy, Key* keys, Value* values, std::uint64_t n) {
  if constexpr (is_counted<Value>) {
    thrust::sort(policy, keys, keys + n);
  } else {
    thrust::sort_by_key(policy, keys, keys + n, values);
  }
}

/// Rows of keys and their counts, or what Op makes of their values, by sorting up to `most` keys or
/// pairs.
template <class Key, class Value, class Op>
class rows_by_sorting {
public:
  using folded = row_value<Value>;

  explicit rows_by_sorting(std::uint64_t most)
      : keys_(most * sizeof(Key)), values_(most * value_bytes<Value> + 1),
        unique_(most * sizeof(Key)), folded_(most * sizeof(folded)) {}

  /// By CUB's radix sort of some bits, which leaves its input as it is.
  void by_radix(
      scratch const& temp, Key const* keys, Value const* values, std::uint64_t n, int bits) {
    std::size_t bytes = temp.bytes;
    void* const memory = temp.memory.as<void>();
    auto* const sorted = keys_.as<Key>();
    auto const number = static_cast<std::int64_t>(n);
    if constexpr (is_counted<Value>) {
      require(
          cub::DeviceRadixSort::SortKeys(memory, bytes, keys, sorted, number, 0, bits), "SortKeys");
      bytes = temp.bytes;
      require(
          cub::DeviceRunLengthEncode::Encode(
              memory, bytes, sorted, unique_.as<Key>(), folded_.as<unsigned>(), number_.as<int>(),
              static_cast<int>(n)),
          "Encode");
    } else {
      auto* const moved = values_.as<Value>();
      require(
          cub::DeviceRadixSort::SortPairs(
              memory, bytes, keys, sorted, values, moved, number, 0, bits),
          "SortPairs");
      bytes = temp.bytes;
      require(
          cub::DeviceReduce::ReduceByKey(
              memory, bytes, sorted, unique_.as<Key>(), moved, folded_.as<Value>(),
              number_.as<int>(), Op{}, static_cast<int>(n)),
          "ReduceByKey");
    }
  }

  /// How many rows by_radix() made.
  std::uint64_t rows() const {
    int number = 0;
    require(
        cudaMemcpy(&number, number_.as<int>(), sizeof number, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    return static_cast<std::uint64_t>(number);
  }
  Key const* keys() const { return unique_.as<Key>(); }
  folded const* values() const { return folded_.as<folded>(); }

  /// By Thrust, in place: copy_input() comes before, and is not timed.
  template <class Policy>
  void by_thrust(Policy const& policy, std::uint64_t n) {
    auto* const keys = keys_.as<Key>();
    perf::sort_pairs(policy, keys, values_.as<Value>(), n);
    auto const reduce = [&](auto values, auto op) {
      thrust::reduce_by_key(
          policy, keys, keys + n, values, unique_.as<Key>(), folded_.as<folded>(),
          thrust::equal_to<Key>{}, op);
    };
    if constexpr (is_counted<Value>) {
      reduce(thrust::make_constant_iterator(1u), thrust::plus<unsigned>{});
    } else {
      reduce(values_.as<Value>(), Op{});
    }
  }
  void copy_input(Key const* keys, Value const* values, std::uint64_t n) {
    auto const copy = [](void* to, void const* from, std::uint64_t bytes) {
      require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
    };
    copy(keys_.as<void>(), keys, n * sizeof(Key));
    copy(values_.as<void>(), values, n * value_bytes<Value>);
  }

private:
  buffer keys_, values_, unique_, folded_, number_{sizeof(int)};
};

}  // namespace perf
