// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// Even bins over integers: exact for every range of every width, levels of any types.

#include "../support/boost_test.h"
#include "../support/reference.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/detail/candidate.h>

#include <cstdint>
#include <limits>
#include <random>
#include <tuple>

BOOST_AUTO_TEST_SUITE(even_bins_of_integers)

namespace {

using thrust_hist::even_bins;
using thrust_hist::upper_edge;
using integers = std::tuple<
    std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
    std::int64_t, std::uint64_t>;

constexpr thrust_hist::bin_index bin_counts[] = {1,   2,   3,    5,          7,
                                                 255, 256, 6007, 1000000007, 1LL << 40};

template <class T>
constexpr T lowest = std::numeric_limits<T>::min();
template <class T>
constexpr T largest = std::numeric_limits<T>::max();

// A bin is right where the edges on its two sides are: lower + ceil(i * range / n) are the edges.
class judge {
public:
  judge(test::int128 lower, test::int128 upper, test::bin bins)
      : lower_(lower), range_(static_cast<test::uint128>(upper - lower)),
        bins_(static_cast<test::uint128>(bins)) {}

  bool agrees(test::int128 x, test::bin found) const {
    if (x < lower_)
      return found == test::below;
    if (x >= lower_ + static_cast<test::int128>(range_))
      return found == test::above;
    return found >= 0 && static_cast<test::uint128>(found) < bins_ && edge(found) <= x &&
           x < edge(found + 1);
  }
  test::int128 edge(test::bin i) const {
    const auto at = static_cast<test::uint128>(i);
    const test::uint128 whole = at * (range_ / bins_);
    return lower_ + static_cast<test::int128>(whole + (at * (range_ % bins_) + bins_ - 1) / bins_);
  }

private:
  test::int128 lower_;
  test::uint128 range_, bins_;
};

template <class Sample, class Lower, class Upper>
void check_around_edges(Lower lower, Upper upper, test::bin bins, int edges = 400) {
  const even_bins rule(bins, lower, upper);
  const auto bound = rule.template for_samples<Sample, thrust_hist::bin_index>();
  const bool is_narrow = bins <= INT32_MAX;  // as on CUDA, where most routes number bins so
  const auto narrow =
      even_bins(is_narrow ? bins : 1, lower, upper).template for_samples<Sample, std::int32_t>();
  const judge expected(lower, upper, bins);
  const auto check = [&](test::int128 x) {
    if (x < lowest<Sample> || x > largest<Sample>)
      return;
    const test::bin found = rule(static_cast<Sample>(x));
    const auto quick = thrust_hist::detail::candidate<std::uint64_t>(bound, static_cast<Sample>(x));
    const bool in_bin = found >= 0 && found < bins;
    BOOST_REQUIRE_MESSAGE(
        in_bin ? quick == static_cast<std::uint64_t>(found)
               : quick >= static_cast<std::uint64_t>(bins),
        "candidate " << quick << " for bin " << found);
    if (is_narrow) {
      const auto short_one =
          thrust_hist::detail::candidate<std::uint32_t>(narrow, static_cast<Sample>(x));
      BOOST_REQUIRE_MESSAGE(
          in_bin ? short_one == static_cast<std::uint32_t>(found)
                 : short_one >= static_cast<std::uint32_t>(bins),
          "32-bit candidate " << short_one << " for bin " << found << " of " << bins);
    }
    BOOST_REQUIRE_MESSAGE(
        expected.agrees(x, found), "bin " << found << " for " << static_cast<long long>(x) << " in "
                                          << bins << " bins over [" << +lower << ", " << +upper
                                          << ")");
  };
  std::mt19937_64 rng(static_cast<std::uint64_t>(bins));
  for (int i = 0; i < edges; ++i) {
    const auto some = static_cast<test::bin>(rng() % static_cast<std::uint64_t>(bins));
    for (test::bin at : {some, test::bin{i} % bins, bins - 1 - i % bins, bins})
      for (int offset : {-1, 0, 1})
        check(expected.edge(at) + offset);
    check(static_cast<Sample>(rng()));
  }
  for (Sample x : {lowest<Sample>, largest<Sample>, Sample{0}})
    check(x);
}

template <class T>
void check_ranges() {
  std::mt19937_64 rng(sizeof(T));
  for (int i = 0; i < 300; ++i) {
    T a = static_cast<T>(rng()), b = static_cast<T>(rng());
    if (i % 3 == 0)
      b = static_cast<T>(static_cast<std::uint64_t>(a) + 1 + rng() % 100);
    if (a == b)
      continue;
    const auto bins = static_cast<test::bin>(1 + rng() % (i % 2 == 0 ? 300 : 1ULL << 33));
    check_around_edges<T>(std::min(a, b), std::max(a, b), bins, 100);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(ranges_of_every_size_and_place_are_exact, T, integers) {
  check_ranges<T>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_full_range_of_the_type_is_exact, T, integers) {
  for (auto bins : bin_counts)
    check_around_edges<T>(lowest<T>, largest<T>, bins);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(levels_of_other_types_count_at_their_value, T, integers) {
  for (test::bin bins : {1, 3, 256, 1000}) {
    check_around_edges<T>(-1, 256U, bins);
    check_around_edges<T>(std::int8_t{-128}, std::uint64_t{200}, bins);
    check_around_edges<T>(lowest<std::int64_t>, largest<std::uint64_t>, bins);
    check_around_edges<T>(std::int64_t{-5}, std::uint64_t{1} << 63, bins);
    check_around_edges<T>(std::uint64_t{1} << 63, largest<std::uint64_t>, bins);
    check_around_edges<T>(0U, std::int64_t{1} << 32, bins);
    check_around_edges<T>(true, std::uint8_t{17}, bins);
    // The widths at which the arithmetic changes: 16, 32 and 64 bits, for ranges and distances.
    for (std::int64_t width : {std::int64_t{1} << 16, std::int64_t{1} << 32})
      for (std::int64_t more : {-1, 0, 1})
        for (std::int64_t lower : {std::int64_t{0}, std::int64_t{-100}, -width / 2})
          check_around_edges<T>(lower, lower + width + more, bins);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_integer_level_and_a_real_one_give_the_real_edges, T, integers) {
  const double inner[] = {0.5, 3.25, 100.7, 1e5, 0x1p31, 0x1p53 + 2, 0x1p62 + 1024};
  for (double upper : inner)
    for (test::bin bins : {1, 2, 3, 7, 100, 257}) {
      const even_bins rule(bins, 0, upper), around(bins, -upper, std::int64_t{2});
      const auto expected = test::even_reference<T>(bins, 0, upper);
      const auto expected_around = test::even_reference<T>(bins, -upper, 2);
      std::mt19937_64 rng(7);
      for (int i = 0; i < 300; ++i) {
        T x = static_cast<T>(rng() >> (rng() % 64));
        if (i < 3)
          x = static_cast<T>(i - 1);
        if (i % 2 == 0 && upper < static_cast<double>(largest<T>))
          x = static_cast<T>(upper * (static_cast<double>(i) / 150) / 2);
        BOOST_REQUIRE(rule(x) == expected(x));
        BOOST_REQUIRE(around(x) == expected_around(x));
      }
    }
}

BOOST_AUTO_TEST_CASE(big_integers_are_compared_with_real_edges_exactly) {
  // As doubles 2^53 and 2^53 + 1 are the same number.
  const std::int64_t big = std::int64_t{1} << 53;
  const even_bins rule(2, 0.0, static_cast<double>(big));
  BOOST_TEST(rule(big - 1) == 1);
  BOOST_TEST(rule(big) == test::above);
  BOOST_TEST(rule(big + 1) == test::above);
  BOOST_TEST(even_bins(1, 0, 0x1p63)(INT64_MAX) == 0);
  BOOST_TEST(even_bins(1, 0, 0x1p64)(UINT64_MAX) == 0);
  BOOST_TEST(even_bins(1, -0x1p63, 0)(INT64_MIN) == 0);
  BOOST_TEST(even_bins(4, 0, 1e300)(UINT64_MAX) == 0);
  BOOST_TEST(even_bins(1, 0x1p64, 1e300)(UINT64_MAX) == test::below);
}

/// x + d, wrapping around.
template <class T>
T moved(T x, int d) {
  using wide = std::make_unsigned_t<std::common_type_t<T, int>>;
  return static_cast<T>(static_cast<wide>(x) + static_cast<wide>(d));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(inclusive_adds_the_upper_level_to_the_last_bin, T, integers) {
  for (test::bin bins : {1, 2, 3, 100, 6007})
    for (T lower : {lowest<T>, T{0}, T{3}})
      for (T upper : {T{5}, T{100}, largest<T>}) {
        const even_bins rule(bins, lower, upper, upper_edge::inclusive);
        const auto expected = test::even_reference<T>(bins, lower, upper, true);
        for (int d = -2; d <= 2; ++d)
          for (T x : {moved(lower, d), moved(upper, d)})
            BOOST_REQUIRE(rule(x) == expected(x));
      }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(inclusive_allows_a_range_of_one_number, T, integers) {
  for (T only : {lowest<T>, T{0}, T{7}, largest<T>}) {
    const even_bins rule(5, only, only, upper_edge::inclusive);
    BOOST_TEST(rule(only) == 4);
    if (only != largest<T>)
      BOOST_TEST(rule(static_cast<T>(only + 1)) == test::above);
    if (only != lowest<T>)
      BOOST_TEST(rule(static_cast<T>(only - 1)) == test::below);
  }
}

BOOST_AUTO_TEST_CASE(char_counts_as_unsigned_char_and_enums_and_bytes_as_what_is_under_them) {
  enum class colour : std::int8_t { red = -3, green = 0 };
  const even_bins rule(4, -4, 260);
  BOOST_TEST(rule('\xff') == rule(255));
  BOOST_TEST(rule(static_cast<signed char>(-1)) == rule(-1));
  BOOST_TEST(rule(std::byte{200}) == rule(200));
  BOOST_TEST(rule(colour::red) == rule(-3));
  BOOST_TEST(rule(true) == rule(1));
}

BOOST_AUTO_TEST_SUITE_END()
