// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A look at some keys, whether hash tables would serve them better than a sort does.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/sequential/sparse_call.h>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

inline constexpr std::uint64_t looks_at_first = 64;

/// Keys that have been looked at.
template <class Keys, class Fold>
class key_look {
public:
  /// Remembers as many keys as are looked at.
  key_look(sparse_call<Keys, Fold> const& call, std::uint64_t looks) noexcept
      : call_(call), mask_((std::min)(2 * looks, std::uint64_t{slots}) - 1) {
    std::fill_n(seen_, mask_ + 1, 0);
  }

  /// Looks at inputs anywhere. Returns how many have a key that has been seen before.
  std::uint64_t met_among(std::uint64_t begin, std::uint64_t end) {
    std::uint64_t met = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      typename sparse_call<Keys, Fold>::input x[2];
      std::uint64_t const place = detail::mix_code(i) % call_.n;
      bool const is_last = place + 1 == call_.n;
      call_.read(place, is_last ? 1 : 2, x);
      in_runs_ += !is_last && call_.keys.equal(x[0].code, x[1].code) ? 1 : 0;
      std::uint64_t const hash = call_.keys.hash(x[0].code);
      auto const tag = static_cast<std::uint16_t>(hash >> 48 | 1);
      std::uint64_t at = hash & mask_;
      while (seen_[at] != 0 && seen_[at] != tag) {
        at = (at + 1) & mask_;
      }
      met += seen_[at] == tag ? 1 : 0;
      distinct_ += seen_[at] == tag ? 0 : 1;
      seen_[at] = tag;
      first_ = i == 0 ? hash : first_;
      differing_ |= hash ^ first_;
    }
    return met;
  }
  /// How many were followed by an equal one.
  std::uint64_t in_runs() const noexcept { return in_runs_; }
  std::uint64_t distinct() const noexcept { return distinct_; }
  bool is_one_key() const noexcept { return differing_ == 0; }

  static constexpr std::uint64_t most = 8192;

private:
  static constexpr std::uint32_t slots = 2 * most;

  sparse_call<Keys, Fold> const& call_;
  std::uint64_t mask_;
  std::uint64_t first_ = 0;
  std::uint64_t differing_ = 0;
  std::uint64_t distinct_ = 0;
  std::uint64_t in_runs_ = 0;
  std::uint16_t seen_[slots];  // some bits of the hash of a key that came there, or nearby
};

/// Whether sorting the inputs in so many parts takes less time than hashing them: where a near
/// table would not know a sixth of those that come later, and where all seem to be one key. It
/// would know all that there are if no more seem to be there than it has rows: of so many, looks at
/// twice as many inputs find less than seven eighths, and meet three quarters of the last half
/// before. Nor is there any harm where keys come in long runs, as sorted ones do: few inputs have
/// to look for their row then.
template <class Keys, class Fold>
bool are_sorted_sooner(sparse_call<Keys, Fold> const& call, std::uint32_t parts) {
  using look = key_look<Keys, Fold>;
  using row = typename sparse_call<Keys, Fold>::row;
  constexpr std::uint64_t inputs_of_a_look = 64;
  std::uint64_t looks = 128;
  while (looks < look::most && looks * inputs_of_a_look < call.n) {
    looks *= 2;
  }
  look some(call, looks);
  some.met_among(0, looks_at_first);
  for (std::uint64_t seen = looks_at_first;; seen *= 2) {
    std::uint64_t const met = some.met_among(seen, 2 * seen);
    bool const few = met > seen / 8 * 7;
    bool const many = seen >= 1024 && met < seen / 4;
    bool const in_runs = some.in_runs() >= seen / 16 * 31;
    if (2 * seen == looks || few || many || in_runs) {
      bool const has_room_for_all =
          met >= seen / 4 * 3 && some.distinct() <= rows_in_near_cache<row> / 8 * 7;
      bool const knows_most = met >= seen - seen / 6;
      return !(knows_most || has_room_for_all || in_runs) || (some.is_one_key() && parts == 1);
    }
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
