// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: a hash table in the shared memory of a block, which gives each mixed code a slot.
/// What stands in the slot is the matter of others: a count or a state.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/astray_codes.cuh>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// How often codes come that a table does not have yet.
enum class new_codes { seldom, often };

/// Open addressing by rows of four slots, which are looked at together. A slot with code 0 is free;
/// the code 0 itself has a slot behind all others, and one more makes a whole number of 8-byte
/// units. Of codes of 8 bytes the first two of all rows lie together and the last two, so that
/// lanes that look at the first two of any rows meet at as few banks as may be.
template <class Code>
class code_slots {
public:
  /// In shared memory from `memory` on, which is aligned to 16 bytes.
  __device__ code_slots(void* memory, unsigned slots_log2)
      : slots_(1u << slots_log2), codes_(cuda::shared_address(memory)) {}

  __device__ std::uint32_t slots() const { return slots_; }
  /// Those that what stands in them needs room for.
  __device__ std::uint32_t all_slots() const { return slots_ + 2; }
  /// The address behind the codes, aligned to 8 bytes.
  __device__ std::uint32_t end() const {
    return codes_ + all_slots() * static_cast<std::uint32_t>(sizeof(Code));
  }
  /// The code of a slot, 0 where it is free.
  __device__ Code code_at(std::uint32_t slot) const {
    return slot < slots_ ? *shared_pointer<Code>(address_of(slot)) : Code{0};
  }

  /// All threads of the block must call it, and wait for each other before codes are entered.
  __device__ void clear() const {
    std::uint32_t const units = all_slots() * static_cast<std::uint32_t>(sizeof(Code)) / 8;
    for (std::uint32_t i = threadIdx.x; i < units; i += blockDim.x) {
      shared_pointer<uint2>(codes_)[i] = make_uint2(0, 0);
    }
  }

  /// Finds the slots of those codes of a lane whose bits in `left` are set that stand in their
  /// first row, as most do, or find room there: `take(slot, x, is_found)`, all lanes together, says
  /// whether x has been taken. Returns the bits of the others. All lanes of the warp must call it.
  template <new_codes New, unsigned Count, class Value, class Take>
  __device__ std::uint32_t enter_first(
      Code const (&mixed)[Count], Value const (&x)[Count], std::uint32_t left, Take take) const {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint32_t const first = first_slot(mixed[i]);
      bool const is_wanted = is_plain(mixed[i]) && (left & 1u << i) != 0;
      Code row[row_size];
      std::uint32_t place = look_up(first, mixed[i], is_wanted, row);
      if constexpr (New == new_codes::often) {
        bool const is_missing = is_wanted && place == none;
        if (__any_sync(~0u, is_missing)) {
          if (is_missing) {
            place = claim_free(first, row, mixed[i]);
          }
          __syncwarp();
        }
      }
      bool const is_found = is_wanted && place != none;
      bool const is_taken = take(first + place, x[i], is_found);
      left = is_taken ? left & ~(1u << i) : left;
    }
    return left;
  }
  /// Finds the slots of the codes of a lane whose bits in `left` are set: `take(slot, x, is_found)`
  /// for most, all lanes together, and `take_late(slot, x)` for the others, or where there is none
  /// `spill(mixed, x)`. Those are counted in `astray`. All lanes of the warp must call it: those
  /// that are done wait for the others, else each would go its own way from here on.
  template <new_codes New, unsigned Count, class Value, class Take, class TakeLate, class Spill>
  __device__ void enter(
      Code const (&mixed)[Count], Value const (&x)[Count], std::uint32_t left, Take take,
      TakeLate take_late, Spill spill, astray_codes const& astray) const {
    left = enter_first<New>(mixed, x, left, take);
    Code current = lowest_of(mixed, left);
    std::uint32_t row = first_slot(current);
    unsigned looks = 0;
    while (__any_sync(~0u, left != 0)) {
      if (left != 0) {
        std::uint32_t const place = current == 0 ? slots_ - row : claim_in_row(row, current);
        bool const has_place = place != none;
        if (has_place) {
          take_late(row + place, lowest_of(x, left));
        } else {
          ++looks;
          if (looks == most_looks) {
            spill(current, lowest_of(x, left));
            astray.add_one();
          }
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

  /// The slot of a code that all lanes of a warp have, in the row where it belongs; slots() where
  /// there is none.
  __device__ std::uint32_t slot_of_warp(Code mixed) const {
    std::uint32_t slot = slots_;
    if (threadIdx.x % 32 == 0 && mixed != 0) {
      std::uint32_t const first = first_slot(mixed);
      std::uint32_t const place = claim_in_row(first, mixed);
      slot = place == none ? slots_ : first + place;
    }
    return __shfl_sync(~0u, slot, 0);
  }

  /// Calls `write(place, slot)`, which returns the code, for the slots that are used, with the
  /// places of rows side by side; or gives up. Returns whether there is room for more rows. All
  /// threads must call it, after having waited for each other. `of_warps`: shared memory, 33 words.
  template <class Rows, class IsUsed, class Write>
  __device__ bool deliver(
      Rows const& rows, std::uint32_t of_warps, astray_codes const& astray, IsUsed is_used,
      Write write) const {
    unsigned const warp = threadIdx.x / 32;
    unsigned const lane = threadIdx.x % 32;
    unsigned const warps = blockDim.x / 32;
    std::uint32_t const rounds =
        (slots_ / 32 + 1 + warps - 1) / warps;  // the slot of 0 is one more
    std::uint32_t const first = warp * rounds * 32 + lane;
    auto const has_row = [&](std::uint32_t slot) { return slot <= slots_ && is_used(slot); };
    std::uint32_t mine = 0;
    for (std::uint32_t r = 0; r < rounds; ++r) {
      mine += has_row(first + r * 32) ? 1 : 0;
    }
    std::uint32_t const before =
        exclusive_sum_over_block(mine, shared_pointer<std::uint32_t>(of_warps));
    __syncthreads();
    auto* const place = shared_pointer<unsigned long long>(of_warps);
    if (threadIdx.x == blockDim.x - 1) {
      *place = astray.are_too_many() ? rows.give_up()
               : before + mine == 0  ? 0
                                     : rows.take(before + mine);
    }
    __syncthreads();
    bool const has_room = rows.has_room_at(*place);
    std::uint64_t at = *place + __shfl_sync(~0u, before, 0);
    code_bits bits = {};
    for (std::uint32_t r = 0; r < rounds; ++r) {
      std::uint32_t const slot = first + r * 32;
      bool const is_row = has_row(slot);
      unsigned const used = __ballot_sync(~0u, is_row);
      if (is_row) {
        bits.add(write(at + __popc(used & ((1u << lane) - 1)), slot));
      }
      at += __popc(used);
    }
    cuda::tell_of_warp(rows, bits);
    return has_room;
  }

private:
  /// Of the codes of a table that is seven eighths full, for one in a thousand there is no room so
  /// near.
  static constexpr unsigned most_looks = 32;
  static constexpr std::uint32_t row_size = 4;
  static constexpr std::uint32_t none = ~0u;

  /// Not 0, nor, of 8 bytes, below 2^32, which takes half as long to say: what is not plain finds
  /// its slot late.
  __device__ static bool is_plain(Code mixed) {
    return mixed >> (8 * sizeof(Code) - 32) != 0;
  }
  /// Of the row where a code belongs.
  __device__ std::uint32_t first_slot(Code mixed) const {
    return static_cast<std::uint32_t>(mixed) & (slots_ - row_size);
  }
  __device__ std::uint32_t address_of(std::uint32_t slot) const {
    if constexpr (sizeof(Code) == 8) {
      std::uint32_t const pair = slot / row_size + (slot % row_size / 2) * (slots_ / row_size);
      return codes_ + pair * 16 + slot % 2 * 8;
    }
    return codes_ + slot * static_cast<std::uint32_t>(sizeof(Code));
  }
  /// Loads the row that begins with a slot, as far as it takes to find a code there; the rest is 0.
  /// Returns where it stands, or none.
  __device__ std::uint32_t look_up(
      std::uint32_t first, Code code, bool is_wanted, Code (&row)[row_size]) const {
    if constexpr (sizeof(Code) == 8) {
      std::uint32_t const pairs = codes_ + first * (16 / row_size);
      Code pair[2];
      cuda::load_codes(pairs, pair);
      row[0] = pair[0];
      row[1] = pair[1];
      std::uint32_t place = row[1] == code ? 1 : none;
      place = row[0] == code ? 0 : place;
      // Places fill up from the first on.
      bool const looks_on = is_wanted && place == none && is_plain(row[1]);
      pair[0] = 0;
      pair[1] = 0;
      cuda::load_codes_if(looks_on, pairs + slots_ / row_size * 16, pair);
      row[2] = pair[0];
      row[3] = pair[1];
      place = looks_on && row[3] == code ? 3 : place;
      return looks_on && row[2] == code ? 2 : place;
    } else {
      cuda::load_codes(codes_ + first * 4, row);
      return place_of(code, row);
    }
  }
  /// Where a code stands in what was loaded of a row, or none.
  __device__ static std::uint32_t place_of(Code code, Code const (&row)[row_size]) {
    std::uint32_t place = none;
#pragma unroll
    for (unsigned i = row_size; i-- > 0;) {  // no branches: lanes would go apart at each
      place = row[i] == code ? i : place;
    }
    return place;
  }
  /// The first place that was free, if it is still, or has become the code's; else none.
  __device__ std::uint32_t claim_free(
      std::uint32_t first, Code const (&row)[row_size], Code code) const {
    std::uint32_t const free = place_of(0, row);
    if (free == none) {
      return none;
    }
    Code const before = cuda::name_shared(address_of(first + free), code);
    return before == 0 || before == code ? free : none;
  }
  /// Where a code stands in a row, or none; one that is not there takes the first free place.
  __device__ std::uint32_t claim_in_row(std::uint32_t row, Code code) const {
    Code found[row_size];
    look_up(row, code, true, found);
    for (std::uint32_t place = 0; place < row_size; ++place) {
      if (found[place] == 0) {
        found[place] = cuda::name_shared(address_of(row + place), code);
        found[place] = found[place] == 0 ? code : found[place];
      }
      if (found[place] == code) {
        return place;
      }
    }
    return none;
  }
  /// That of the lowest bit that is set.
  template <unsigned Count, class T>
  __device__ static T lowest_of(T const (&of)[Count], std::uint32_t left) {
    T lowest = of[Count - 1];
#pragma unroll
    for (unsigned i = Count - 1; i-- > 0;) {
      lowest = (left >> i & 1) != 0 ? of[i] : lowest;
    }
    return lowest;
  }

  std::uint32_t slots_;
  std::uint32_t codes_;  // the address of an array in shared memory
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
