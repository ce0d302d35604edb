// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The body of the cases "sums of one type in another"; the units beside it choose the types.

#include "../support/folds.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/functional.h>

#include <tuple>
#include <type_traits>

namespace test {

using integers = std::tuple<
    bool, char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
    std::int64_t, std::uint64_t>;

// Any bits, and numbers that stay exact in a float however many are added.
template <class V>
samples<V> values_of(std::size_t n) {
  random rng(n + sizeof(V));
  return samples<V>(n, [&](std::size_t) {
    if constexpr (is_float<V>)
      return static_cast<double>(rng() % 64) / 4 - 8;
    else if constexpr (std::is_same_v<V, bool>)
      return rng() % 3 == 0;
    else
      return rng();
  });
}

// Integer sums modulo 2^64 first; real numbers in double, where these are exact.
template <class A, class Wide, class V>
std::vector<A> sums_of(samples<int> const& keys, samples<V> const& values, bin bins) {
  const auto wide = fold(keys, values, bins, Wide(0), [](Wide sum, V x) {
    return static_cast<Wide>(sum + static_cast<Wide>(x));
  });
  std::vector<A> narrow;
  for (Wide sum : wide)
    narrow.push_back(static_cast<A>(sum));
  return narrow;
}

template <class System, class V, class A>
void check_sums() {
  using wide = std::conditional_t<is_float<V> || is_float<A>, double, std::uint64_t>;
  for (bin bins : {1, 3, 300, 9001}) {
    const auto keys = keys_for(5003, bins);
    auto values = values_of<V>(keys.size());
    if (is_float<A> && !is_float<V>)
      values = samples<V>(keys.size(), [](std::size_t i) { return i % 100; });
    check_fold<System>(
        keys, values, sums_of<A, wide>(keys, values, bins),
        [&](auto first, auto last, auto with, auto out, auto o) {
          return thrust_hist::histogram_by_key(System::policy(), first, last, with, out, bins, o);
        });
  }
}

template <class System, class A, class... V>
void check_sums_of(std::tuple<V...>) {
  (check_sums<System, V, A>(), ...);
}

}  // namespace test
