// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: a hash table in the shared memory of a block that counts
/// the codes of a slice and keeps their order. The hash of a code is its next bits, so rows stand
/// in the order of their codes.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/wide_rows.cuh>
#include <thrust_hist/system/cuda/wide_buckets.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

class wide_table : public wide_rows {
public:
  using code = std::uint64_t;
  using description = wide_slices;
  static constexpr unsigned threads = 1024;  ///< of a block
  static constexpr unsigned blocks = 1;      ///< of a multiprocessor at least
  using wide_rows::wide_rows;

  /// Counts the codes for which `for_all(use)` calls use(codes). Returns how many belong to the
  /// slice; some have found no room if the table tells of less. All threads must call it.
  /// `crowded`: a word of shared memory.
  template <class ForAll>
  __device__ std::uint32_t fill(ForAll for_all, std::uint32_t*, std::uint32_t& crowded) {
    std::uint32_t const units = slices_.all_rows() * wide_slices::slots_of_row / 2;
    for (std::uint32_t i = threadIdx.x; i < units; i += blockDim.x) {
      shared_pointer<uint4>(rows_)[i] = make_uint4(0, 0, 0, 0);
    }
    crowd_.clear();
    if (threadIdx.x == 0) {
      crowded = 0;
    }
    __syncthreads();
    std::uint32_t counted = 0;
    for_all([&](auto const& codes) { counted += count(codes, &crowded); });
    crowd_size_ = crowded;
    if (crowd_size_ != 0) {
      crowd_.sort();
    }
    return counted;
  }
  __device__ static bool has_room() { return true; }
  /// Whether what was lost may find room in half a slice, of which so many rows were counted. Where
  /// a table is not full, some codes crowd in few rows, or one is too frequent.
  __device__ bool gains_by_halving(std::uint32_t rows) const { return rows > 3 * slices_.rows(); }

private:
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::uint32_t most_tries =
      (wide_slices::most_apart + 1) * (wide_slices::slots_of_row + 1);

  /// Where a code was looked for in a row.
  struct place_in_row {
    std::uint32_t found = none;  // the address of its slot
    std::uint32_t free = none;   // and of the first that is free

    __device__ bool is_open() const { return (found & free) == none; }
  };

  __device__ bool is_in_slice(std::uint64_t code) const {
    return static_cast<std::uint32_t>(code >> 32) >> job_shift_ == job_;
  }
  __device__ std::uint32_t row_of(std::uint64_t code) const {
    return static_cast<std::uint32_t>(code >> (64 - known_)) & (slices_.rows() - 1);
  }
  /// Whether a slot belongs to the code with such a name.
  __device__ bool is_named(std::uint64_t slot, std::uint64_t name) const {
    std::uint32_t const low_differs =
        (static_cast<std::uint32_t>(slot) ^ static_cast<std::uint32_t>(name)) & ~count_mask_;
    return (low_differs |
            (static_cast<std::uint32_t>(slot >> 32) ^ static_cast<std::uint32_t>(name >> 32))) == 0;
  }
  __device__ void look_at(
      std::uint64_t const (&pair)[2], std::uint32_t address, std::uint64_t name,
      place_in_row& place) const {
    place.found = is_named(pair[1], name) ? address + 8 : place.found;
    place.found = is_named(pair[0], name) ? address : place.found;
    // Low words of slots that are taken are not 0, unless a count was too large for its bits.
    place.free = static_cast<std::uint32_t>(pair[1]) == 0 ? address + 8 : place.free;
    place.free = static_cast<std::uint32_t>(pair[0]) == 0 ? address : place.free;
  }
  /// All lanes of the warp must call it, of which some want it.
  __device__ place_in_row look_up(bool wants, std::uint32_t address, std::uint64_t name) const {
    place_in_row place;
    std::uint64_t pair[2];
    cuda::load_codes(address, pair);
    look_at(pair, address, name, place);
#pragma unroll
    for (unsigned i = 1; i < wide_slices::slots_of_row / 2; ++i) {
      bool const looks_on = wants && place.is_open();
      if (__any_sync(~0u, looks_on)) {
        address += step_;
        pair[0] = pair[1] = 1;  // neither free nor of any code
        cuda::load_codes_if(looks_on, address, pair);
        look_at(pair, address, name, place);
      }
    }
    return place;
  }
  /// Counts a code in a slot that was free, if it still is, or has become its own.
  __device__ bool claim(std::uint32_t free, std::uint64_t name) const {
    std::uint64_t const before = cuda::name_shared(free, name + 1);
    bool const is_own = is_named(before, name);
    if (before != 0 && is_own) {
      cuda::increase_shared(free, 1);
    }
    return before == 0 || is_own;
  }

  /// Counts a code in its row, if it is wanted. Returns whether nothing is left to do. All lanes of
  /// the warp must call it.
  __device__ bool try_count(std::uint64_t code, bool is_wanted) const {
    std::uint64_t const name = name_of(code, 0);
    place_in_row const place = look_up(is_wanted, address_of(row_of(code)), name);
    bool const is_found = place.found != none;
    cuda::increase_shared_if(is_wanted && is_found, place.found, 1);
    bool is_done = !is_wanted || is_found;
    if (__any_sync(~0u, !is_done)) {
      if (!is_done) {
        is_done = place.free != none && claim(place.free, name);
      }
      __syncwarp();
    }
    return is_done;
  }
  /// Counts those codes that belong to the slice. Returns how many do. All lanes of the warp must
  /// call it.
  template <unsigned Count>
  __device__ std::uint32_t count(
      std::uint64_t const (&codes)[Count], std::uint32_t* crowded) const {
    std::uint32_t counted = 0;
    std::uint32_t left = 0;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      bool const is_wanted = is_in_slice(codes[i]);
      counted += is_wanted ? 1 : 0;
      left |= try_count(codes[i], is_wanted) ? 0 : 1u << i;
    }
    count_late(codes, left, crowded);
    return counted;
  }
  /// Those that were not found in their row, and found no room there: one row at a time, all lanes
  /// together.
  template <unsigned Count>
  __device__ void count_late(
      std::uint64_t const (&codes)[Count], std::uint32_t left, std::uint32_t* crowded) const {
    std::uint32_t apart = 0;
    std::uint32_t tries = 0;
    while (__any_sync(~0u, left != 0)) {
      std::uint64_t code = codes[Count - 1];
#pragma unroll
      for (unsigned i = Count - 1; i-- > 0;) {
        code = (left >> i & 1) != 0 ? codes[i] : code;
      }
      std::uint64_t const name = name_of(code, apart);
      place_in_row const place = look_up(left != 0, address_of(row_of(code) + apart), name);
      bool is_done = place.found != none;
      cuda::increase_shared_if(left != 0 && is_done, place.found, 1);
      if (left != 0 && !is_done) {
        if (place.free != none) {
          is_done = claim(place.free, name);
        } else {
          ++apart;
          is_done = apart > wide_slices::most_apart;
          if (is_done) {
            crowd_.add(word_of(code), crowded);  // else it is not counted
          }
        }
      }
      __syncwarp();
      // Each slot is lost to another code once; more often only if it looks free, and is not. Then
      // all is lost.
      is_done = is_done || ++tries > most_tries;
      left &= is_done ? left - 1 : left;
      apart = is_done ? 0 : apart;
      tries = is_done ? 0 : tries;
    }
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
