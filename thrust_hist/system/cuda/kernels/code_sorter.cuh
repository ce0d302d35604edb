// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Routes hashed and partitioned, first kernels: a tile of codes in shared memory is sorted by
/// bucket.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/tile_sorter.cuh>

#include <cstdint>

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
  __device__ void replace_if(bool is_wanted, unsigned i, std::uint32_t x) {
    std::uint32_t const pair = pairs[i / 2];
    std::uint32_t const replaced = i % 2 == 0 ? (pair & 0xffff0000) | x : (pair & 0xffff) | x << 16;
    pairs[i / 2] = is_wanted ? replaced : pair;
  }
};

/// By the highest 32 bits: those times `factor`, without the lowest 32 bits of the product. The
/// number of buckets deals out all numbers evenly; 2^k makes neighbours of 2^(32 - k) codes.
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
struct code_sorter : tile_sorter<fewest_cursors> {
  std::uint32_t factor;  // that makes buckets of codes
  Code* codes;           // of the tile

  __device__ code_sorter(
      bucket_layout const& layout, std::uint32_t factor, bucket_memory const& memory,
      uint4* const shared)
      : code_sorter::tile_sorter(layout, memory, shared), factor(factor),
        codes(reinterpret_cast<Code*>(this->rests)) {}

  /// The address of a word of the lane for codes that are not there, while others are counted, and
  /// given places. What it says makes no difference.
  __device__ std::uint32_t unread() const {
    return cuda::kept(cuda::shared_address(of_warps) + threadIdx.x % 32 * 4);
  }
  /// Before the codes of a tile are counted.
  __device__ void clear_cursors() const {
    for (std::uint32_t b = threadIdx.x; b < layout.cursor_units(); b += blockDim.x) {
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
  /// Finds out where each code of the tile goes, and keeps it. All threads must call it. What a
  /// cursor was when a code was counted is how many are before it.
  template <class Tile>
  __device__ void lay_out(Tile const& tile, tile_places<Tile::size>& places) const {
    std::uint32_t const fresh = threadIdx.x == 0 ? take_place() : 0;
    if (threadIdx.x < 32) {
      // The words unread(): lest what is added there should carry from one place to the next.
      of_warps[threadIdx.x] = 0;
    }
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
  /// Writes what lies in the place of the codes, elements of so many bytes, to its place in an
  /// array.
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
  /// Calls `use(i, cursor)` with the address of the lane's cursor of the bucket of each code, or
  /// where there is none with that of a word of the lane that nobody reads: a branch around an
  /// addition costs more. Addresses are found anew each time: registers have no room for them.
  template <class Tile, class Use>
  __device__ void for_cursors(Tile const& tile, Use use) const {
    std::uint32_t const again = cuda::kept(factor);
    std::uint32_t const first = cuda::kept(cuda::shared_address(my_cursor()));
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

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
