// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The host systems count equal neighbours of an array at once: runs of every length, beginning
// anywhere.

#include "../support/checks.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/transform_iterator.h>

#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(host_runs, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using thrust_hist::route;

// Runs of up to `longest` of the same key; every 50th run has no bin.
template <class Sample>
test::samples<Sample> runs_of(std::size_t n, unsigned bins, unsigned longest) {
  std::mt19937 random(longest);
  std::vector<unsigned> keys;
  while (keys.size() < n) {
    const unsigned key = random() % 50 == 0 ? bins : random() % bins;
    keys.insert(keys.end(), random() % longest + 1, key);
  }
  return test::samples<Sample>(n, [&](std::size_t i) { return keys[i]; });
}

template <class System, class Sample>
void check_runs(test::samples<Sample> const& s, unsigned bins, options const& how = {}) {
  for (const std::size_t skipped : {0, 1, 3, 15}) {
    const test::samples<Sample> rest(
        s.size() - skipped, [&](std::size_t i) { return s[i + skipped]; });
    const auto expected =
        test::count(rest, bins, [](Sample x) { return static_cast<test::bin>(x); });
    // Within one array, so that words of 8 bytes begin anywhere.
    BOOST_TEST_CONTEXT(s.size() << " samples, " << bins << " bins, without the first " << skipped) {
      test::check_counts<System, unsigned>(s, expected, [&](auto first, auto last, auto out) {
        first += static_cast<std::ptrdiff_t>(skipped);
        if constexpr (std::is_floating_point_v<Sample>)
          return thrust_hist::histogram_even(
              System::policy(), first, last, out, bins, Sample{0}, static_cast<Sample>(bins), how);
        else
          return thrust_hist::histogram(System::policy(), first, last, out, bins, how);
      });
    }
  }
}

using sample_types = std::tuple<
    char, std::uint8_t, std::int8_t, std::int16_t, std::uint16_t, int, unsigned, float,
    std::int64_t, double>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(runs_of_all_lengths, Sample, sample_types) {
  for (const unsigned longest : {1, 2, 7, 16, 17, 33, 200}) {
    check_runs<test::seq>(runs_of<Sample>(5003, 100, longest), 100);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(runs_on_all_systems, System, test::systems) {
  for (const unsigned bins : {3U, 1000U, 3000U, 70000U}) {  // 4, 2 and 1 counters for each bin
    check_runs<System>(runs_of<unsigned>(60013, bins, 60), bins);
  }
}

#ifdef _OPENMP
BOOST_AUTO_TEST_CASE(runs_within_a_bucket) {
  test::samples<unsigned> sorted(100003, [](std::size_t i) { return i / 29 * 7; });
  check_runs<test::omp>(sorted, 20000, options{}.force(route::partitioned));
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(bytes_that_are_all_equal, System, test::systems) {
  // More than counters of 16 bits hold, even if they take turns.
  const std::size_t n = 700001;
  const test::samples<std::uint8_t> s(n, [](std::size_t) { return 77; });
  std::vector<std::uint64_t> expected(256);
  expected[77] = n;
  test::check_counts<System, unsigned>(s, expected, [&](auto first, auto last, auto out) {
    return thrust_hist::histogram(System::policy(), first, last, out, 256);
  });
}

// Words of 8 bytes that are equal while the samples in them are not. Bins have 4, 2 and 1 counters.
BOOST_AUTO_TEST_CASE_TEMPLATE(patterns_within_a_word, Sample, sample_types) {
  for (const unsigned period : {2, 4, 8})
    for (const unsigned bins : {100U, 3000U, 20000U}) {
      const test::samples<Sample> s(24019, [&](std::size_t i) { return i % period * 11; });
      check_runs<test::seq>(s, bins);
    }
}

// Equal numbers that differ in their bits, and neighbours that are NaN.
BOOST_AUTO_TEST_CASE_TEMPLATE(zeros_of_both_signs, Sample, decltype(std::tuple<float, double>{})) {
  constexpr Sample nan = std::numeric_limits<Sample>::quiet_NaN();
  const test::samples<Sample> s(3000, [&](std::size_t i) {
    const Sample zero = i % 2 == 0 ? Sample{0} : -Sample{0};
    return i < 1000 ? zero : i < 2000 ? nan : Sample{1};
  });
  std::uint64_t dropped = 0;
  test::check_counts<test::seq, unsigned>(s, {1000, 1000}, [&](auto first, auto last, auto out) {
    return thrust_hist::histogram_even(
        thrust::seq, first, last, out, 2, Sample{0}, Sample{2}, options{}.dropped(&dropped));
  });
  BOOST_TEST(dropped == 1000U);
}

// What is not in an array is looked at one by one.
BOOST_AUTO_TEST_CASE(runs_from_a_fancy_iterator) {
  const auto s = runs_of<unsigned>(5003, 100, 40);
  const auto expected = test::count(s, 100, [](unsigned x) { return static_cast<test::bin>(x); });
  std::vector<unsigned> counts(100);
  const auto first = thrust::make_transform_iterator(s.begin(), [](unsigned x) { return x; });
  thrust_hist::histogram(
      thrust::seq, first, first + static_cast<std::ptrdiff_t>(s.size()), counts.begin(), 100);
  BOOST_TEST(counts == test::convert<unsigned>(expected), boost::test_tools::per_element());
}

// What may change at any time is read sample by sample.
BOOST_AUTO_TEST_CASE(runs_of_volatile_samples) {
  const auto s = runs_of<unsigned>(5003, 100, 40);
  const auto expected = test::count(s, 100, [](unsigned x) { return static_cast<test::bin>(x); });
  std::vector<unsigned> counts(100);
  unsigned const volatile* const first = s.data();
  thrust_hist::histogram(thrust::seq, first, first + s.size(), counts.begin(), 100);
  BOOST_TEST(counts == test::convert<unsigned>(expected), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
