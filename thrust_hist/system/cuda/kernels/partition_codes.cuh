// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed, first kernel: the mixed codes of a tile of keys, sorted by bucket in shared memory, go to
/// scratch memory.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A key as a code that a table can hold: of 32 bits at least.
template <class Kind, class Code>
struct wide_code {
  Kind keys;

  /// Whether there is one; `code` is it then.
  template <class Key>
  __device__ bool operator()(Key const& key, Code& code) const {
    auto const c = Kind::template encode<Key>(key);
    code = static_cast<Code>(c);
    return !keys.is_alone(c);
  }
};

template <class Code>
struct code_memory : bucket_memory {
  code_memory(code_buckets const& b, void* memory) noexcept
      : bucket_memory(b.layout, memory, b.code_memory()) {}
  THRUST_HIST_HOST_DEVICE Code* codes() const { return reinterpret_cast<Code*>(this->rests); }
};

/// The mixed codes of a thread in a tile.
template <class Code>
struct tile_of_codes {
  static constexpr unsigned size = code_buckets::bytes_of_thread / sizeof(Code);
  Code mixed[size];
  std::uint32_t present;  ///< a bit for each
};

template <class Code>
__device__ inline std::uint32_t bucket_of(Code mixed, std::uint32_t buckets) {
  return __umulhi(static_cast<std::uint32_t>(mixed >> (8 * sizeof(Code) - 32)), buckets);
}

template <class Code>
struct code_sorter : tile_sorter {
  static constexpr unsigned codes_of_thread = tile_of_codes<Code>::size;
  Code* codes;  // of the tile

  __device__ code_sorter(
      bucket_layout const& layout, bucket_memory const& memory, uint4* const shared)
      : tile_sorter(layout, memory, shared), codes(reinterpret_cast<Code*>(this->rests)) {}

  /// What is no code is sorted like the rest, into a bucket behind all others.
  __device__ std::uint32_t bucket(tile_of_codes<Code> const& tile, unsigned i) const {
    bool const is_present = (tile.present & (1u << i)) != 0;
    return is_present ? cuda::bucket_of(tile.mixed[i], layout.buckets) : layout.buckets;
  }
  __device__ void count(tile_of_codes<Code> const& tile) const {
    auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(cursors)) +
                         threadIdx.x % cursors_of_bucket * 4;
#pragma unroll
    for (unsigned i = 0; i < codes_of_thread; ++i) {
      increment_shared(address + bucket(tile, i) * 16);
    }
  }
  __device__ void place_codes(tile_of_codes<Code> const& tile) const {
    auto* const my_cursors =
        reinterpret_cast<std::uint32_t*>(cursors) + threadIdx.x % cursors_of_bucket;
#pragma unroll
    for (unsigned i = 0; i < codes_of_thread; ++i) {
      std::uint32_t const at = atomicAdd(my_cursors + bucket(tile, i) * cursors_of_bucket, 1u);
      codes[at] = tile.mixed[i];
    }
  }
  __device__ void write_codes() const {
    constexpr std::uint32_t per_unit = bucket_layout::rests_of_unit * sizeof(Code) / 16;
    std::uint64_t const units_of_tile = blockDim.x * (code_buckets::bytes_of_thread / 16);
    uint4* const to = memory.rests + place() * units_of_tile;
    for (std::uint32_t i = threadIdx.x; i < units() * per_unit; i += blockDim.x) {
      to[i] = reinterpret_cast<uint4 const*>(codes)[i];
    }
  }
};

/// Adds what the threads of a block have counted.
__device__ inline void add_alone(sparse_findings* findings, std::uint32_t mine) {
  std::uint32_t const sum = inclusive_sum_over_warp(mine);
  if (sum != 0 && threadIdx.x % 32 == 31) {
    atomicAdd(&findings->alone, static_cast<unsigned long long>(sum));
  }
}

/// Sorts the codes of tiles [first_tile, first_tile + tiles) of the keys into buckets.
template <class Samples, class Encode, class Code>
__launch_bounds__(1024, 1) __global__ void partition_codes(
    Samples const samples, Encode const encode, bucket_layout const layout,
    code_memory<Code> const memory, std::uint64_t const first_tile, std::uint32_t const tiles,
    sparse_findings* const findings) {
  extern __shared__ uint4 shared[];
  code_sorter<Code> const sorter(layout, memory, shared);
  std::uint32_t alone = 0;
  for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
    sorter.totals[b] = 0;
  }
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    for (std::uint32_t b = threadIdx.x; b <= layout.buckets; b += blockDim.x) {
      sorter.cursors[b] = make_uint4(0, 0, 0, 0);
    }
    tile_of_codes<Code> tile = {};
    samples.template for_tile<tile_of_codes<Code>::size>(
        first_tile + t, [&](unsigned i, auto const& key) {
          Code code;
          if (encode(key, code)) {
            tile.mixed[i] = detail::mix_code(code);
            tile.present |= 1u << i;
          } else {
            ++alone;
          }
        });
    std::uint32_t const place = threadIdx.x == 0 ? sorter.take_place() : 0;
    __syncthreads();
    sorter.count(tile);
    if (threadIdx.x == 0) {
      sorter.place() = place;
    }
    __syncthreads();
    sorter.lay_out_segments();
    __syncthreads();
    sorter.place_codes(tile);
    __syncthreads();
    sorter.write_codes();
    __syncthreads();
  }
  for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
    if (sorter.totals[b] != 0) {
      atomicAdd(memory.totals + b, sorter.totals[b]);
    }
  }
  cuda::add_alone(findings, alone);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
