// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Values whose sums are hard to have exactly, and what is asked of these sums on CUDA.

#include "fold_cases.h"

#include <cmath>
#include <limits>
#include <tuple>

namespace test {

enum class spread {
  uniform,         // [0, 1)
  normal,          // some twenty binades, both signs
  all_exponents,   // any finite bits
  subnormal,       // all
  cancelling,      // each number comes back with the other sign
  specials,        // some infinities and NaN among normal ones
  misleading,      // a tenth, none of which a look at some values finds, is far away
  below_and_above  // of the same bin, neighbours on both sides of a window
};
inline constexpr spread all_spreads[] = {
    spread::uniform,    spread::normal,   spread::all_exponents, spread::subnormal,
    spread::cancelling, spread::specials, spread::misleading,    spread::below_and_above};

using exact_types = std::tuple<float, double>;

template <class T>
T any_bits(std::uint64_t i) {
  for (;; ++i) {
    const T x = from_bits<T>(scrambled(i));
    if (!anatomy<T>(x).is_special())
      return x;
  }
}

template <class T>
T hard_value(spread s, std::size_t i, std::size_t n) {
  const std::uint64_t bits = scrambled(i);
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
  const double sign = (bits & 1) != 0 ? -1 : 1;
  constexpr int largest = std::numeric_limits<T>::max_exponent;
  switch (s) {
  case spread::uniform:
    return static_cast<T>(static_cast<float>(unit));
  case spread::normal:
    return static_cast<T>(sign * std::sqrt(-2 * std::log(unit + 0x1p-60)));
  case spread::all_exponents:
    return any_bits<T>(i);
  case spread::subnormal:
    return from_bits<T>(
        (scrambled(i + 5) & ((std::uint64_t{1} << anatomy<T>::fraction) - 1)) |
        (bits & 1) << (8 * sizeof(T) - 1));
  case spread::cancelling:
    return i < n / 2 ? any_bits<T>(i) : i < n / 2 * 2 ? -any_bits<T>(n / 2 * 2 - 1 - i) : T(0);
  case spread::specials:
    return bits % 997 == 0   ? std::numeric_limits<T>::quiet_NaN()
           : bits % 997 == 1 ? std::numeric_limits<T>::infinity()
           : bits % 997 == 2 ? -std::numeric_limits<T>::infinity()
                             : static_cast<T>(sign * unit);
  case spread::misleading:
    // Of 1 200 007 values every 147th four of neighbours is looked at, and 147 is a multiple of 7.
    return i > n / 3 && i / 4 % 7 == 3
               ? static_cast<T>(
                     std::ldexp(sign * unit, (bits >> 3) % 2 == 0 ? largest - 4 : 30 - largest))
               : static_cast<T>(sign * unit);
  case spread::below_and_above:
    return static_cast<T>(std::ldexp(sign * (1 + unit), static_cast<int>(bits >> 5 & 15) - 8));
  }
  return T(0);
}

template <class T>
samples<T> hard_values(spread s, std::size_t n) {
  return samples<T>(n, [&](std::size_t i) { return hard_value<T>(s, i, n); });
}

inline samples<std::uint32_t> keys_of_spread(spread s, std::size_t n, std::int64_t bins) {
  constexpr distribution some[] = {
      distribution::uniform, distribution::constant, distribution::zipf, distribution::runs};
  return keys_of(some[static_cast<std::size_t>(s) % 4], n, static_cast<std::uint64_t>(bins));
}

template <class T>
void check_exact(spread s, std::size_t n, std::int64_t bins) {
  BOOST_TEST_CONTEXT("spread " << static_cast<int>(s) << ", n = " << n << ", " << bins << " bins")
  check_fold<T>(
      keys_of_spread(s, n, bins), hard_values<T>(s, n), bins, thrust_hist::options{}.exact());
}

template <class T>
void check_exact_by_default(spread s, std::size_t n, std::int64_t bins) {
  BOOST_TEST_CONTEXT("spread " << static_cast<int>(s) << ", n = " << n << ", " << bins << " bins") {
    const auto keys = keys_of_spread(s, n, bins);
    const auto values = hard_values<T>(s, n);
    auto k = buffer_of<cuda>(keys);
    auto v = buffer_of<cuda>(values);
    std::uint32_t const* const first = k.data();
    T const* const weights = v.data();
    output<cuda, T> out(static_cast<std::size_t>(bins));
    thrust_hist::plan plan;
    const auto call = [&](thrust_hist::options const& o) {
      thrust_hist::histogram_by_key(cuda::policy(), first, first + n, weights, out.data(), bins, o);
    };
    call(thrust_hist::options{}.explain(&plan));
    out.check_untouched();
    if (!plan.exact)
      return;
    call({});
    out.check_equals(
        fold_on_one_thread<T>(n, keys.data(), values.data(), bins, thrust_hist::options{}.exact())
            .plain);
  }
}

// Every part adds to the limbs that the parts before it left.
template <class T>
void check_parts(spread s, std::size_t n, std::int64_t bins, std::size_t parts) {
  using sum = thrust_hist::exact_sum<T>;
  const auto keys = keys_of_spread(s, n, bins);
  const auto values = hard_values<T>(s, n);
  auto k = buffer_of<cuda>(keys);
  auto v = buffer_of<cuda>(values);
  std::uint32_t const* const first = k.data();
  T const* const weights = v.data();
  output<cuda, sum> out(std::vector<sum>(static_cast<std::size_t>(bins)));
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t begin = n * i / parts, end = n * (i + 1) / parts;
    thrust_hist::histogram_by_key(
        thrust::cuda::par_nosync, first + begin, first + end, weights + begin, out.data(), bins,
        thrust_hist::options{}.accumulate());
  }
  std::vector<sum> whole(static_cast<std::size_t>(bins));
  thrust_hist::histogram_by_key(
      thrust::seq, keys.begin(), keys.end(), values.begin(), whole.begin(), bins);
  BOOST_TEST_CONTEXT(parts << " parts") out.check_equals(whole);
}

}  // namespace test
