// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Routes hashed and partitioned, first kernel: the codes of a tile of keys, sorted by bucket in shared memory, go
/// to scratch memory. They are mixed, or count from the lowest one.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/hot_codes.cuh>
#include <thrust_hist/system/cuda/kernels/placed_codes.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/tile_pairs.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Scratch memory of a batch: codes and what lies beside each, a value or nothing.
template <class Code, class Beside>
struct code_memory : bucket_memory {
  Beside* values;

  code_memory(code_buckets const& b, void* memory) noexcept
      : bucket_memory(b.layout, memory, b.code_memory()),
        values(reinterpret_cast<Beside*>(
            reinterpret_cast<unsigned char*>(this->rests) + b.value_offset())) {}
  THRUST_HIST_HOST_DEVICE Code* codes() const { return reinterpret_cast<Code*>(this->rests); }
};

/// The codes of a thread in a tile.
template <class Code, unsigned Size = code_buckets::bytes_of_thread / sizeof(Code)>
struct tile_of_codes {
  static constexpr unsigned size = Size;
  Code codes[size];
  std::uint32_t present;  ///< a bit for each

  /// Takes key i in, if it has a code.
  template <class Encode, class Key>
  __device__ bool take(unsigned i, Encode const& encode, Key const& key) {
    Code code;
    if (!encode(key, code)) {
      return false;
    }
    codes[i] = code;
    present |= 1u << i;
    return true;
  }
  __device__ bool has(unsigned i) const { return (present & (1u << i)) != 0; }
};

/// Where in a tile the codes of a thread go: numbers of 16 bits.
template <unsigned Size>
struct tile_places {
  std::uint32_t pairs[Size / 2];

  __device__ std::uint32_t operator[](unsigned i) const {
    return i % 2 == 0 ? pairs[i / 2] & 0xffff : pairs[i / 2] >> 16;
  }
  /// In the order of i.
  __device__ void set(unsigned i, std::uint32_t x) {
    pairs[i / 2] = i % 2 == 0 ? x & 0xffff : pairs[i / 2] | x << 16;
  }
  __device__ void add(unsigned i, std::uint32_t x) {
    pairs[i / 2] += i % 2 == 0 ? x & 0xffff : x << 16;
  }
};

/// By the highest 32 bits: those times `factor`, without the lowest 32 bits of the product. The number of buckets
/// deals out all numbers evenly; 2^k makes neighbours of 2^(32 - k) codes.
template <class Code>
__device__ inline std::uint32_t bucket_of(Code code, std::uint32_t factor) {
  return __umulhi(static_cast<std::uint32_t>(code >> (8 * sizeof(Code) - 32)), factor);
}

/// What lies behind the codes of a bucket in the segment of a tile: a code of another bucket.
template <class Code>
__device__ inline Code padding_of(std::uint32_t bucket) {
  return bucket == 0 ? static_cast<Code>(~Code{0}) : Code{0};
}

template <class Code>
struct code_sorter : tile_sorter {
  std::uint32_t factor;  // that makes buckets of codes
  Code* codes;           // of the tile

  __device__ code_sorter(
      bucket_layout const& layout, std::uint32_t factor, bucket_memory const& memory,
      uint4* const shared)
      : tile_sorter(layout, memory, shared), factor(factor),
        codes(reinterpret_cast<Code*>(this->rests)) {}

  /// The address of a word of the lane that nobody reads while codes are counted, and given places.
  __device__ std::uint32_t unread() const {
    return cuda::kept(cuda::shared_address(of_warps) + threadIdx.x % 32 * 4);
  }
  /// Before the codes of a tile are counted.
  __device__ void clear_cursors() const {
    for (std::uint32_t b = threadIdx.x; b <= layout.buckets; b += blockDim.x) {
      cursors[b] = make_uint4(0, 0, 0, 0);
    }
  }
  template <class Tile>
  __device__ void count(Tile const& tile) const {
    for_cursors(tile, [](unsigned, std::uint32_t cursor) { increment_shared(cursor); });
  }
  /// Finds out where each code of the tile goes. All threads must call it.
  template <class Tile>
  __device__ void lay_out(Tile const& tile) const {
    std::uint32_t const fresh = threadIdx.x == 0 ? take_place() : 0;
    __syncthreads();
    count(tile);
    lay_out_segments_from(fresh);
  }
  /// Finds out where each code of the tile goes, and keeps it. All threads must call it. What a cursor was when a code
  /// was counted is how many are before it.
  template <class Tile>
  __device__ void lay_out(Tile const& tile, tile_places<Tile::size>& places) const {
    std::uint32_t const fresh = threadIdx.x == 0 ? take_place() : 0;
    __syncthreads();
    for_cursors(tile, [&](unsigned i, std::uint32_t cursor) {
      places.set(i, cuda::add_shared(cursor, 1));
    });
    lay_out_segments_from(fresh);
    for_cursors(
        tile, [&](unsigned i, std::uint32_t cursor) { places.add(i, cuda::load_shared(cursor)); });
  }
  /// Calls `put(i, at)` for each code that there is: its place in the tile.
  template <class Tile, class Put>
  __device__ void for_places(Tile const& tile, Put put) const {
    for_cursors(tile, [&](unsigned i, std::uint32_t cursor) {
      std::uint32_t const at = cuda::add_shared(cursor, 1);
      if (tile.has(i)) {
        put(i, at);
      }
    });
  }
  /// Writes what lies in the place of the codes, elements of so many bytes, to its place in an array.
  __device__ void write(void* array, std::uint32_t stride, std::uint32_t bytes) const {
    std::uint32_t const count = units() * bucket_layout::rests_of_unit * bytes / 16;
    auto* const to = reinterpret_cast<uint4*>(
        static_cast<unsigned char*>(array) + std::uint64_t{place()} * stride * bytes);
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      to[i] = reinterpret_cast<uint4 const*>(codes)[i];
    }
  }
  __device__ void clear_totals() const {
    for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
      totals[b] = 0;
    }
  }
  /// After the last tile.
  __device__ void add_totals() const {
    for (std::uint32_t b = threadIdx.x; b < layout.buckets; b += blockDim.x) {
      if (totals[b] != 0) {
        atomicAdd(memory.totals + b, totals[b]);
      }
    }
  }

private:
  /// When codes are counted, and the first thread has a place for the tile.
  __device__ void lay_out_segments_from(std::uint32_t fresh) const {
    if (threadIdx.x == 0) {
      place() = fresh;
    }
    __syncthreads();
    lay_out_segments([this](std::uint32_t bucket, std::uint32_t i) {
      codes[i] = cuda::padding_of<Code>(bucket);
    });
    __syncthreads();
  }
  /// Calls `use(i, cursor)` with the address of the lane's cursor of the bucket of each code, or where there is none
  /// with that of a word of the lane that nobody reads: a branch around an addition costs more. Addresses are found
  /// anew each time: registers have no room for them.
  template <class Tile, class Use>
  __device__ void for_cursors(Tile const& tile, Use use) const {
    std::uint32_t const again = cuda::kept(factor);
    std::uint32_t const first =
        cuda::kept(cuda::shared_address(cursors) + threadIdx.x % cursors_of_bucket * 4);
    std::uint32_t const unread = this->unread();
#pragma unroll
    for (unsigned i = 0; i < Tile::size; ++i) {
      std::uint32_t const cursor = first + cuda::bucket_of(tile.codes[i], again) * 16;
      use(i, tile.has(i) ? cursor : unread);
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

/// Sorts the codes of tiles [first_tile, first_tile + tiles) of the keys into buckets, without those that are hot.
/// `hot_offset`: where in shared memory the table for these lies, in units of 16 bytes.
template <class Samples, class Encode, class Code, class Hot>
__launch_bounds__(1024, 1) __global__ void partition_codes(
    Samples const samples, Encode const encode, bucket_layout const layout,
    std::uint32_t const factor, std::uint32_t const stride,
    code_memory<Code, no_value> const memory, std::uint64_t const first_tile,
    std::uint32_t const tiles, sparse_findings* const findings, Hot const hot,
    std::uint32_t const hot_offset) {
  extern __shared__ uint4 shared[];
  code_sorter<Code> const sorter(layout, factor, memory, shared);
  typename table_of_hot<Hot>::type const hot_ones(hot, shared + hot_offset);
  std::uint32_t alone = 0;
  sorter.clear_totals();
  hot_ones.begin();
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    sorter.clear_cursors();
    tile_of_codes<Code> tile = {};
    samples.template for_tile<tile.size>(first_tile + t, [&](unsigned i, auto const& key) {
      alone += tile.take(i, encode, key) ? 0 : 1;
    });
    if (threadIdx.x + 1 == blockDim.x && t + gridDim.x < tiles) {
      samples.template fetch_tile<tile.size>(first_tile + t + gridDim.x);
    }
    hot_ones.take_from(tile, sorter.unread());
    sorter.lay_out(tile);
    sorter.for_places(
        tile, [&](unsigned i, std::uint32_t at) { sorter.codes[at] = tile.codes[i]; });
    __syncthreads();
    sorter.write(memory.codes(), stride, sizeof(Code));
    __syncthreads();
  }
  sorter.add_totals();
  hot_ones.deliver();
  cuda::add_alone(findings, alone);
}

/// The same of pairs, which begin with pair `first` of all: codes first, then in their place the values.
template <class Keys, class Encode, class Carried, class Code>
__launch_bounds__(1024, 1) __global__ void partition_code_values(
    Keys const keys, Encode const encode, Carried const carried, bucket_layout const layout,
    std::uint32_t const factor, std::uint32_t const stride,
    code_memory<Code, typename Carried::value> const memory, std::uint64_t const first,
    std::uint32_t const tiles, sparse_findings* const findings) {
  using value = typename Carried::value;
  constexpr unsigned size = code_buckets::codes_with_values;
  extern __shared__ uint4 shared[];
  code_sorter<Code> const sorter(layout, factor, memory, shared);
  auto* const values = reinterpret_cast<value*>(sorter.codes);
  std::uint32_t alone = 0;
  sorter.clear_totals();
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    tile_of_batch const where = {first, t, tiles};
    sorter.clear_cursors();
    tile_of_codes<Code, size> tile = {};
    keys.template for_tile<0, size>(
        where, [&](unsigned i, auto const& key) { alone += tile.take(i, encode, key) ? 0 : 1; });
    tile_places<size> places;
    sorter.lay_out(tile, places);
#pragma unroll
    for (unsigned i = 0; i < size; ++i) {
      if (tile.has(i)) {
        sorter.codes[places[i]] = tile.codes[i];
      }
    }
    __syncthreads();
    sorter.write(memory.codes(), stride, sizeof(Code));
    value x[size] = {};
    carried.load(where, x);  // registers have no room for them before
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < size; ++i) {
      if (tile.has(i)) {
        values[places[i]] = x[i];
      }
    }
    __syncthreads();
    sorter.write(memory.values, stride, sizeof(value));
    __syncthreads();
  }
  sorter.add_totals();
  cuda::add_alone(findings, alone);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
