// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: frequent codes, as a sample of the keys has them, are counted where they are met
/// first, in a small table in shared memory, and do not travel to buckets.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/key_sample.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// In global memory.
template <class Code>
struct hot_codes {
  Code const* codes;
  std::uint32_t* counts;  ///< of each, all 0 at first
  std::uint32_t at_begin;
  std::uint32_t size;

  __device__ std::uint32_t place(std::uint32_t i) const { return hot_sample::place(i, at_begin); }
};

/// No code is frequent.
struct none_hot {};

/// A slot for each, by the low bits of mixed codes; where several have one, all but the first are
/// as others are.
template <class Code>
class hot_slots {
public:
  static constexpr std::uint32_t count = hot_sample::slots;

  /// In shared memory from `memory` on, which is aligned to 16 bytes.
  __device__ hot_slots(hot_codes<Code> const& hot, void* memory)
      : hot_(hot), codes_(cuda::shared_address(memory)) {}

  /// The address behind the codes, aligned to 16 bytes.
  __device__ std::uint32_t end() const {
    return codes_ + count * static_cast<std::uint32_t>(sizeof(Code));
  }
  /// All threads of the block must call it, which waits for them. `clear(slot)` does so with what
  /// is in a slot.
  template <class Clear>
  __device__ void begin(Clear clear) const {
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      shared_pointer<Code>(codes_)[i] = i ^ 1;  // belongs to another slot
      clear(i);
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < hot_.size; i += blockDim.x) {
      Code const mixed = detail::mix_code(hot_.codes[hot_.place(i)]);
      take(of(mixed), mixed);
    }
    __syncthreads();
  }
  __device__ static std::uint32_t of(Code mixed) {
    return static_cast<std::uint32_t>(mixed) % count;
  }
  __device__ Code code_in(std::uint32_t slot) const {
    if constexpr (sizeof(Code) == 8) {
      uint2 const words = cuda::load_two_shared(codes_ + slot * 8);
      return words.x + (Code{words.y} << 32);
    } else {
      return cuda::load_shared(codes_ + slot * 4);
    }
  }
  /// Calls `use(place, slot)` for codes that have a slot, with where they stand in the list.
  template <class Use>
  __device__ void for_each(Use use) const {
    for (std::uint32_t i = threadIdx.x; i < hot_.size; i += blockDim.x) {
      Code const mixed = detail::mix_code(hot_.codes[hot_.place(i)]);
      if (code_in(of(mixed)) == mixed) {
        use(hot_.place(i), of(mixed));
      }
    }
  }

private:
  /// For who comes first.
  __device__ void take(std::uint32_t slot, Code mixed) const {
    using word = std::conditional_t<sizeof(Code) == 8, unsigned long long, unsigned>;
    atomicCAS(shared_pointer<word>(codes_) + slot, word{slot ^ 1}, static_cast<word>(mixed));
  }

  hot_codes<Code> const& hot_;
  std::uint32_t codes_;  // the address of an array
};

/// Counts frequent codes.
template <class Code>
class hot_table {
public:
  /// In shared memory from `memory` on, which is aligned to 16 bytes.
  __device__ hot_table(hot_codes<Code> const& hot, void* memory)
      : counted_(hot.counts), slots_(hot, memory), counts_(slots_.end()) {}

  /// All threads of the block must call it, which waits for them.
  __device__ void begin() const {
    slots_.begin([this](std::uint32_t slot) { cuda::store_shared(counts_ + slot * 4, 0); });
  }
  /// Counts those codes of a tile that are frequent, and takes them away. `unread`: the address of
  /// a word for others.
  template <class Tile>
  __device__ void take_from(Tile& tile, std::uint32_t unread) const {
#pragma unroll
    for (unsigned i = 0; i < Tile::size; ++i) {
      std::uint32_t const slot = slots_.of(tile.codes[i]);
      bool const is_hot = slots_.code_in(slot) == tile.codes[i] && tile.has(i);
      cuda::increase_shared(is_hot ? counts_ + slot * 4 : unread, 1);
      tile.present &= is_hot ? ~(1u << i) : ~0u;
    }
  }
  /// All threads must call it after the last tile, having waited for each other.
  __device__ void deliver() const {
    slots_.for_each([this](std::uint32_t place, std::uint32_t slot) {
      std::uint32_t const count = cuda::load_shared(counts_ + slot * 4);
      if (count != 0) {
        atomicAdd(counted_ + place, count);
      }
    });
  }

private:
  std::uint32_t* counted_;
  hot_slots<Code> slots_;
  std::uint32_t counts_;  // the address of an array
};

/// What takes frequent codes from a tile, or none.
template <class Hot>
struct table_of_hot;
template <class Code>
struct table_of_hot<hot_codes<Code>> {
  using type = hot_table<Code>;
};
template <>
struct table_of_hot<none_hot> {
  struct type {
    __device__ type(none_hot const&, void*) {}
    __device__ void begin() const {}
    template <class Tile>
    __device__ void take_from(Tile&, std::uint32_t) const {}
    __device__ void deliver() const {}
  };
};

/// Writes a row for each that was counted, and sets its count to 0. One thread for each.
template <class Code>
__global__ void append_hot(hot_codes<Code> const hot, code_rows<Code> const rows) {
  cuda::take_turn();
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t const place = i < hot.size ? hot.place(i) : 0;
  std::uint32_t const count = i < hot.size ? hot.counts[place] : 0;
  if (count != 0) {
    hot.counts[place] = 0;
    cuda::append_row(rows, hot.codes[place], count);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
