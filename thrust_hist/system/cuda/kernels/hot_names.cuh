// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which bins of global memory have places of their own in the shared memory of a block.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// How a bin may have come to be thought frequent: by chance, as one of a sample, or since it came
/// again.
enum class notice { none, sampled, repeated };

/// A table of names, found by a hash that differs from block to block: bins that are in each
/// other's way in one are not in all. A name is given once and kept. A bin may have one of two
/// neighbours, the second only if it came again: what is frequent later finds room beside what a
/// sample took. `Copies`: so many pairs of entries a bin has, one for each kind of caller.
template <std::uint32_t Copies>
class hot_names {
public:
  static constexpr std::uint32_t no_entry = 0xffffffff;

  /// `words`: shared address, a multiple of 8, of a word for each entry; entries are a multiple of
  /// 2 * `Copies`, or none. `kind`: of the caller.
  __device__ hot_names(std::uint32_t entries, std::uint32_t words, std::uint32_t kind)
      : entries_(entries), words_(words), kind_(kind % Copies),
        factor_(0x9e3779b9u * (2 * blockIdx.x + 1)) {}

  __device__ std::uint32_t entries() const { return entries_; }
  /// Entry i has no name from now on.
  __device__ void clear(std::uint32_t i) const { cuda::store_shared(words_ + i * 4, nobody); }
  /// The entry of a bin, if it has one.
  __device__ std::uint32_t find(std::uint64_t bin) const {
    if (!is_named(bin)) {
      return no_entry;
    }
    std::uint32_t const first = first_entry(bin);
    uint2 const names = cuda::load_two_shared(words_ + first * 4);
    return names.x == name(bin) ? first : names.y == name(bin) ? first + 1 : no_entry;
  }
  /// The same; a bin that was noticed gets one, if there is one that nobody has.
  __device__ std::uint32_t find(std::uint64_t bin, notice noticed) const {
    std::uint32_t entry = find(bin);
    if (entry == no_entry && noticed != notice::none && is_named(bin)) {
      entry = claim(first_entry(bin), name(bin));
      if (entry == no_entry && noticed == notice::repeated) {
        entry = claim(first_entry(bin) + 1, name(bin));
      }
    }
    return entry;
  }
  /// Who has entry i, and which bin that is. When none claims any more.
  static constexpr std::uint32_t nobody = 0;
  __device__ std::uint32_t named(std::uint32_t i) const {
    return cuda::load_shared(words_ + i * 4);
  }
  __device__ static std::uint64_t bin_of(std::uint32_t named) { return named - 1; }

private:
  __device__ bool is_named(std::uint64_t bin) const { return entries_ != 0 && bin < 0xffffffff; }
  __device__ static std::uint32_t name(std::uint64_t bin) {
    return static_cast<std::uint32_t>(bin) + 1;
  }
  __device__ std::uint32_t first_entry(std::uint64_t bin) const {
    std::uint32_t const mixed = static_cast<std::uint32_t>(bin) * factor_;
    return (__umulhi(mixed, entries_ / (2 * Copies)) * Copies + kind_) * 2;
  }
  __device__ std::uint32_t claim(std::uint32_t entry, std::uint32_t wanted) const {
    std::uint32_t const before = cuda::name_shared(words_ + entry * 4, wanted);
    return before == nobody || before == wanted ? entry : no_entry;
  }

  std::uint32_t entries_;
  std::uint32_t words_;  // bin + 1 of each entry, or 0
  std::uint32_t kind_;
  std::uint32_t factor_;
};

/// Tells a thread which of the bins that it meets may be frequent: some of them, as a sample, of
/// the first ones more than later; any that it meets twice in a row; and, since frequent ones may
/// come in turn, any that it held in mind some samples ago. `Later`: whether there are entries for
/// later ones.
template <bool Later>
class notable_bins {
public:
  /// As many of the first ones, over all threads, as there are pairs of entries, but one of each
  /// thread at least.
  __device__ explicit notable_bins(std::uint32_t entries)
      : early_(max(entries / 2 / blockDim.x, 1) * held_early + 1) {}

  __device__ notice look_at(std::uint64_t bin) {
    auto const low = static_cast<std::uint32_t>(bin);
    bool const is_early = seen_ < early_;
    bool const is_sampled = is_early || (Later && (seen_ & (sampled_later - 1)) == 0);
    bool const repeated = low == last_ || low == held_;
    last_ = low;
    bool const holds = (seen_++ & ((is_early ? held_early : held_later) - 1)) == 0;
    held_ = holds ? low : held_;
    return repeated ? notice::repeated : holds && is_sampled ? notice::sampled : notice::none;
  }

private:
  static constexpr std::uint32_t held_early = 2;  // samples for which a bin is held in mind
  static constexpr std::uint32_t held_later = 16;
  static constexpr std::uint32_t sampled_later = 64;  // one of so many, which is held as well
  std::uint32_t early_;
  std::uint32_t seen_ = threadIdx.x % held_early;  // neighbours of four begin with different ones
  std::uint32_t last_ = 0xffffffff;
  std::uint32_t held_ = 0xffffffff;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
