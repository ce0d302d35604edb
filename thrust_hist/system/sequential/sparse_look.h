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
  /// Remembers about as many keys as are looked at.
  key_look(sparse_call<Keys, Fold> const& call, std::uint64_t looks) noexcept
      : call_(call), mask_((std::min)(2 * looks, std::uint64_t{slots}) - 1) {
    std::fill_n(seen_, mask_ + 1, 0);
  }

  /// Looks at inputs anywhere. Returns how many have a key that has been seen before.
  std::uint64_t met_among(std::uint64_t begin, std::uint64_t end) {
    std::uint64_t met = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      typename sparse_call<Keys, Fold>::input x;
      call_.read(detail::mix_code(i) % call_.n, 1, &x);
      std::uint64_t const hash = call_.keys.hash(x.code);
      auto const tag = static_cast<std::uint16_t>(hash >> 48 | 1);
      std::uint16_t& seen = seen_[hash & mask_];
      met += seen == tag ? 1 : 0;
      seen = tag;
      first_ = i == 0 ? hash : first_;
      differing_ |= hash ^ first_;
    }
    return met;
  }
  bool is_one_key() const noexcept { return differing_ == 0; }

  static constexpr std::uint64_t most = 8192;

private:
  static constexpr std::uint32_t slots = 2 * most;

  sparse_call<Keys, Fold> const& call_;
  std::uint64_t mask_;
  std::uint64_t first_ = 0;
  std::uint64_t differing_ = 0;
  std::uint16_t seen_[slots];  // some bits of the hash of the last key that came there
};

/// Whether sorting the inputs in so many parts takes less time than hashing them: where a near
/// table, which holds about as many keys as are looked at, would not know a sixth of those that
/// come later, and where all seem to be one key.
template <class Keys, class Fold>
bool are_sorted_sooner(sparse_call<Keys, Fold> const& call, std::uint32_t parts) {
  using look = key_look<Keys, Fold>;
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
    if (2 * seen == looks || few || many) {
      return met < seen - seen / 6 || (some.is_one_key() && parts == 1);
    }
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
