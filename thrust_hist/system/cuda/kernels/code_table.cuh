// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: a hash table in the shared memory of a block that counts mixed codes. A code that finds
/// no slot becomes a row at once, so nothing is ever lost.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

__device__ inline std::uint32_t load_word(std::uint32_t address) {
  std::uint32_t word;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}
/// Four codes side by side.
__device__ inline void load_slots(std::uint32_t address, std::uint32_t (&codes)[4]) {
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(codes[0]), "=r"(codes[1]), "=r"(codes[2]), "=r"(codes[3])
               : "r"(address)
               : "memory");
}
__device__ inline void load_slots(std::uint32_t address, std::uint64_t (&codes)[4]) {
  asm volatile("ld.volatile.shared.v2.u64 {%0, %1}, [%2];"
               : "=l"(codes[0]), "=l"(codes[1])
               : "r"(address)
               : "memory");
  asm volatile("ld.volatile.shared.v2.u64 {%0, %1}, [%2 + 16];"
               : "=l"(codes[2]), "=l"(codes[3])
               : "r"(address)
               : "memory");
}
/// Puts a code where 0 stands. Returns what stood there.
__device__ inline std::uint32_t claim_slot(std::uint32_t address, std::uint32_t code) {
  std::uint32_t before;
  asm volatile("atom.shared.cas.b32 %0, [%1], 0, %2;"
               : "=r"(before)
               : "r"(address), "r"(code)
               : "memory");
  return before;
}
__device__ inline std::uint64_t claim_slot(std::uint32_t address, std::uint64_t code) {
  std::uint64_t before;
  asm volatile("atom.shared.cas.b64 %0, [%1], 0, %2;"
               : "=l"(before)
               : "r"(address), "l"(code)
               : "memory");
  return before;
}

/// Open addressing by rows of four slots, which are looked at together. A slot with code 0 is free; the code 0
/// itself has a counter behind all others.
template <class Code>
class code_table {
public:
  /// In shared memory from `memory` on, which is aligned to 16 bytes.
  __device__ code_table(void* memory, unsigned slots_log2) : slots_(1u << slots_log2) {
    codes_ = shared_address(memory);
    counts_ = codes_ + (slots_ + 2) * sizeof(Code);
    of_warps_ = counts_ + (slots_ + 2) * sizeof(std::uint32_t);
  }

  /// All threads of the block must call it, and wait for each other before codes are added.
  __device__ void clear() const {
    std::uint32_t const units = (counts_ + (slots_ + 2) * 4 - codes_) / 8;
    for (std::uint32_t i = threadIdx.x; i < units; i += blockDim.x) {
      shared_pointer<uint2>(codes_)[i] = make_uint2(0, 0);
    }
  }

  /// Counts the codes of a lane whose bits in `left` are set. All lanes of the warp must call it: those that
  /// are done wait for the others, else each would go its own way from here on.
  template <unsigned Count>
  __device__ void add(
      Code const (&mixed)[Count], std::uint32_t left, code_rows<Code> const& rows) const {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {  // most codes stand in their first row
      std::uint32_t const first = first_slot(mixed[i]);
      std::uint32_t const place = place_in_row(first, mixed[i]);
      if (place != none && mixed[i] != 0 && (left >> i & 1) != 0) {
        count(first + place);
        left &= ~(1u << i);
      }
    }
    Code current = lowest_of(mixed, left);
    std::uint32_t row = first_slot(current);
    unsigned looks = 0;
    while (__any_sync(~0u, left != 0)) {
      if (left != 0) {
        std::uint32_t const place = current == 0 ? slots_ - row : claim_in_row(row, current);
        bool const has_place = place != none;
        if (has_place) {
          count(row + place);
        } else if (++looks == most_looks) {
          rows.append(detail::unmix_code(current), 1);
        }
        row = (row + row_size) & (slots_ - 1);
        if (has_place || looks == most_looks) {
          left &= left - 1;
          current = lowest_of(mixed, left);
          row = first_slot(current);
          looks = 0;
        }
      }
    }
  }

  /// Writes a row for each code that was counted. All threads must call it, after having waited for each
  /// other.
  __device__ void deliver(code_rows<Code> const& rows) const {
    unsigned const warp = threadIdx.x / 32;
    unsigned const lane = threadIdx.x % 32;
    unsigned const warps = blockDim.x / 32;
    std::uint32_t const rounds =
        (slots_ / 32 + 1 + warps - 1) / warps;  // the slot of 0 is one more
    std::uint32_t const first = warp * rounds * 32 + lane;
    std::uint32_t mine = 0;
    for (std::uint32_t r = 0; r < rounds; ++r) {
      mine += count_at(first + r * 32) != 0 ? 1 : 0;
    }
    auto* const of_warps = shared_pointer<std::uint32_t>(of_warps_);
    std::uint32_t const before = exclusive_sum_over_block(mine, of_warps);
    __syncthreads();
    auto* const place = shared_pointer<unsigned long long>(of_warps_);
    if (threadIdx.x == blockDim.x - 1) {
      *place = before + mine == 0 ? 0 : rows.take(before + mine);
    }
    __syncthreads();
    std::uint64_t at = *place + __shfl_sync(~0u, before, 0);
    for (std::uint32_t r = 0; r < rounds; ++r) {
      std::uint32_t const slot = first + r * 32;
      std::uint32_t const n = count_at(slot);
      unsigned const used = __ballot_sync(~0u, n != 0);
      if (n != 0) {
        rows.write(
            at + __popc(used & ((1u << lane) - 1)),
            detail::unmix_code(slot < slots_ ? code_at(slot) : Code{0}), n);
      }
      at += __popc(used);
    }
  }

private:
  static constexpr unsigned most_looks = 16;
  static constexpr std::uint32_t row_size = 4;
  static constexpr std::uint32_t none = ~0u;

  /// Of the row where a code belongs.
  __device__ std::uint32_t first_slot(Code mixed) const {
    return static_cast<std::uint32_t>(mixed) & (slots_ - row_size);
  }
  __device__ std::uint32_t address_of(std::uint32_t slot) const {
    return codes_ + slot * static_cast<std::uint32_t>(sizeof(Code));
  }
  /// Where a code stands in a row, or none.
  __device__ std::uint32_t place_in_row(std::uint32_t row, Code code) const {
    Code found[row_size];
    cuda::load_slots(address_of(row), found);
    return found[0] == code   ? 0
           : found[1] == code ? 1
           : found[2] == code ? 2
           : found[3] == code ? 3
                              : none;
  }
  /// The same; a code that is not there takes the first free place. Places fill up from the first on.
  __device__ std::uint32_t claim_in_row(std::uint32_t row, Code code) const {
    Code found[row_size];
    cuda::load_slots(address_of(row), found);
    for (std::uint32_t place = 0; place < row_size; ++place) {
      if (found[place] == 0) {
        found[place] = cuda::claim_slot(address_of(row + place), code);
        found[place] = found[place] == 0 ? code : found[place];
      }
      if (found[place] == code) {
        return place;
      }
    }
    return none;
  }
  /// The code of the lowest bit that is set.
  template <unsigned Count>
  __device__ static Code lowest_of(Code const (&mixed)[Count], std::uint32_t left) {
    Code lowest = mixed[Count - 1];
#pragma unroll
    for (unsigned i = Count - 1; i-- > 0;) {
      lowest = (left >> i & 1) != 0 ? mixed[i] : lowest;
    }
    return lowest;
  }
  __device__ Code code_at(std::uint32_t slot) const {
    return *shared_pointer<Code>(address_of(slot));
  }
  __device__ std::uint32_t count_at(std::uint32_t slot) const {
    return slot <= slots_ ? cuda::load_word(counts_ + slot * 4) : 0;
  }
  __device__ void count(std::uint32_t slot) const {
    increase_shared(counts_ + slot * 4, 1);
  }

  std::uint32_t slots_;
  std::uint32_t codes_;  // the address of an array in shared memory, as the others
  std::uint32_t counts_;
  std::uint32_t of_warps_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
