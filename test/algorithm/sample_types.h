// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The body of the cases "every integer type as a sample"; the units beside it choose the types,
// since each of them costs a CUDA unit seconds.

#include "../support/checks.h"
#include <thrust_hist/histogram.h>

#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

namespace test {

enum class signed_enum : std::int16_t { minus_two = -2, none = 0, many = 300 };
enum unsigned_enum : std::uint64_t { nothing = 0, something = 1 };

template <class Sample>
struct integer_under {
  using type = Sample;
};
template <>
struct integer_under<signed_enum> {
  using type = std::int16_t;
};
template <>
struct integer_under<unsigned_enum> {
  using type = std::uint64_t;
};
template <>
struct integer_under<char> {
  using type = unsigned char;
};
template <>
struct integer_under<std::byte> {
  using type = unsigned char;
};

// Mostly keys; every fifth is any pattern of bits, and the ends of the type and the keys that look
// like small ones once they are truncated come in as well.
template <class Sample>
samples<Sample> hostile_samples(std::size_t n, std::uint64_t bins) {
  using limits = std::numeric_limits<typename integer_under<Sample>::type>;
  const std::uint64_t ends[] = {
      static_cast<std::uint64_t>(limits::min()),
      static_cast<std::uint64_t>(limits::max()),
      ~std::uint64_t{0},
      (std::uint64_t{1} << 32) + 3,
      (std::uint64_t{1} << 63) + 5,
      (std::uint64_t{1} << 16) + 1,
      bins,
      bins - 1,
      0x80};
  random rng(n + bins);
  const keys k = generate(distribution::zipf, n, bins);
  return samples<Sample>(n, [&](std::size_t i) {
    return i % 97 == 3 ? ends[rng() % 9] : i % 5 == 0 ? rng() : k[i];
  });
}

template <class System, class Sample>
void check_sample_type() {
  using thrust_hist::route;
  for (bin bins : {1, 2, 5, 100, 129, 300, 6007}) {
    const auto s = hostile_samples<Sample>(20011, static_cast<std::uint64_t>(bins));
    const auto expected = count(s, identity_reference(bins));
    check_counts<System, std::uint32_t>(s, expected, [&](auto first, auto last, auto out) {
      return thrust_hist::histogram(System::policy(), first, last, out, bins);
    });
    // Aligned to the element only, at every offset within 16 bytes and with every length of tail.
    for (std::size_t offset = 0; offset < 16 / sizeof(Sample); ++offset) {
      const std::size_t n = 1000 + 3 * offset;
      const samples<Sample> part(n, [&](std::size_t i) { return s[i + offset]; });
      check_counts<System, std::uint32_t>(
          s, count(part, identity_reference(bins)), [&](auto first, auto, auto out) {
            return thrust_hist::histogram(
                System::policy(), first + offset, first + offset + n, out, bins);
          });
    }
  }
}

template <class System, class Sample>
void check_discovery() {
  using integer = typename integer_under<Sample>::type;
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<integer>::max());
  for (std::uint64_t bins :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{100}, std::uint64_t{70000}}) {
    const std::uint64_t distinct = std::min(bins, largest);
    samples<Sample> s(5000, [&](std::size_t i) {
      if (i == 17)
        return distinct - 1;  // the largest, once
      if (i % 3 == 0 && std::is_signed_v<integer>)
        return ~static_cast<std::uint64_t>(i % 100);  // negative
      return static_cast<std::uint64_t>(i) % distinct;
    });
    const auto expected = count(s, identity_reference(static_cast<bin>(distinct)));
    check_counts<System, std::uint32_t>(s, expected, [&](auto first, auto last, auto out) {
      return thrust_hist::histogram(System::policy(), first, last, out);
    });
  }
}

template <class System, class... Samples>
void check_sample_types(std::tuple<Samples...> const&) {
  const auto check = [](auto sample) {
    using type = decltype(sample);
    BOOST_TEST_CONTEXT("samples of type " << boost::core::demangle(typeid(type).name())) {
      check_sample_type<System, type>();
      check_discovery<System, type>();
    }
  };
  (check(Samples{}), ...);
}

}  // namespace test
