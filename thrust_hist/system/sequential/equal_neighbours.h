// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Whether samples that lie side by side are equal, so that they can be counted at once.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/policy.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Arrays of numbers of which so many fill two words of 8 bytes or more.
template <class Iterator, unsigned Count>
constexpr bool comparable_by_words() {
  if constexpr (is_contiguous<Iterator>) {
    using pointer = decltype(detail::raw_pointer(std::declval<Iterator>()));
    using sample = value_t<Iterator>;
    return std::is_arithmetic_v<sample> && sizeof(sample) <= 8 &&
           Count * sizeof(sample) % 16 == 0 && !std::is_volatile_v<std::remove_pointer_t<pointer>>;
  }
  return false;
}

/// Whether `Count` samples have the same bits; false for what is not in an array. Cheap where they
/// differ: the first word and the last one are compared before all others, or some more of them
/// where equal ones gain little, so that the branch is nearly always foreseen.
template <unsigned Count, bool GainsLittle, class Iterator>
bool all_equal([[maybe_unused]] Iterator first) noexcept {
  if constexpr (sequential::comparable_by_words<Iterator, Count>()) {
    using sample = value_t<Iterator>;
    constexpr std::size_t words = Count * sizeof(sample) / 8;
    auto const* const bytes = reinterpret_cast<unsigned char const*>(detail::raw_pointer(first));
    auto const word = [&](std::size_t i) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes + i * 8, 8);
      return value;
    };
    std::uint64_t const one = word(0);
    std::uint64_t differing = one ^ word(words - 1);
    if constexpr (GainsLittle) {
      differing |= (one ^ word(words / 4)) | (one ^ word(words / 2)) | (one ^ word(words * 3 / 4));
    }
    if (differing != 0) {
      return false;
    }
    // All samples of a word are equal if it stays the same when it is rotated by one of them.
    constexpr unsigned bits = sizeof(sample) * 8 % 64;
    differing = bits == 0 ? 0 : one ^ ((one << bits) | (one >> ((64 - bits) % 64)));
    for (std::size_t i = 1; i + 1 < words; ++i) {
      differing |= one ^ word(i);
    }
    return differing == 0;
  } else {
    return false;
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
