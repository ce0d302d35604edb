// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a look at a part of all keys tells that a sample cannot. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/key_sample.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Some 32 keys that lie side by side of each 256. A sample in which most keys occur once cannot
/// tell half a million of them from as many that come again and millions that do not; in a part the
/// first are seen often. Of all codes there those are counted of which some mixed bits are 0, so
/// that a small table holds them.
class part_sample {
public:
  static constexpr unsigned group = 256;
  static constexpr unsigned of_group = 32;
  static constexpr std::uint32_t most_counted = 1u << 13;  ///< unless hashes are uneven
  static constexpr std::uint32_t slots = 2 * most_counted;
  static_assert(slots <= key_sample::slots);

  explicit part_sample(std::uint64_t n) noexcept : n_(n) {}

  std::uint64_t groups() const noexcept { return n_ / group; }
  /// The first of the keys of a group that are read: in some order, so that what keys repeat does
  /// not meet it.
  THRUST_HIST_HOST_DEVICE static std::uint64_t first_of(std::uint64_t g) noexcept {
    static_assert(group / of_group == 1 << 3);
    std::uint32_t const stretch = static_cast<std::uint32_t>(g) * 0x9e3779b9u >> 29;
    return g * group + stretch * of_group;
  }
  /// One code in 2^this is counted.
  unsigned kept_log2() const noexcept {
    unsigned log2 = 0;
    while (looked_at() >> log2 > most_counted) {
      ++log2;
    }
    return log2;
  }
  /// Of which eight warps read a group each, some at a time.
  unsigned blocks(unsigned multiprocessors) const noexcept {
    return static_cast<unsigned>(
        (std::min<std::uint64_t>)(groups() / 32 + 1, std::uint64_t{multiprocessors} * 4));
  }
  /// Whether it takes next to nothing beside a sample: the host waits for both at once.
  bool comes_along() const noexcept { return n_ >= least && n_ <= std::uint64_t{1} << 25; }
  /// Whether it is worth while, where up to `most` distinct keys are hashed: there may be more than
  /// a sample tells.
  bool may_tell_more(key_sample const& seen, std::uint64_t most) const noexcept {
    return n_ >= least && seen.once >= key_sample::size / 64 &&
           seen.guess_even(n_) <= static_cast<double>(most);
  }
  /// A guess at the distinct keys among all. Keys that come in order do so in a part, too, where
  /// they seem to be less.
  std::uint64_t guess(key_sample const& of_part, key_sample const& seen) const noexcept {
    double const times_more = static_cast<double>(n_) / static_cast<double>(looked_at()) - 1;
    double const counted = of_part.distinct + more_keys(of_part.once, of_part.twice, times_more);
    double const all = std::ldexp(counted, static_cast<int>(kept_log2()));
    double const other =
        are_in_order(of_part) ? static_cast<double>(seen.guess(n_)) : seen.surely_even(n_);
    return static_cast<std::uint64_t>((std::min)((std::max)(all, other), static_cast<double>(n_)));
  }

  /// Whether more keys than one in 64 equal one near by, beyond what chance makes of that. That is
  /// near the number of those that equal one far away, of which near the end of an input there are
  /// less.
  bool are_in_order(key_sample const& of_part) const noexcept {
    auto const all = static_cast<double>(looked_at());
    double const far = of_part.far_apart;
    return of_part.side_by_side > far + (std::min)(far, all - far) / 4 + all / 64;
  }

private:
  static constexpr std::uint64_t least = std::uint64_t{1} << 21;

  std::uint64_t looked_at() const noexcept { return groups() * of_group; }

  std::uint64_t n_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
