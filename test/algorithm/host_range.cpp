// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Range bins on the host systems, found by a table of cells where samples are many: in every rule
// that they may be part of, under a cap on memory, and if something is thrown.

#include "../support/allocators.h"
#include "../support/checks.h"
#include "../support/rule_checks.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_by_key.h>
#include <thrust_hist/histogram_range.h>

#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(host_range, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::grid;
using thrust_hist::histogram;
using thrust_hist::histogram_range;
using thrust_hist::identity_bins;
using thrust_hist::options;
using thrust_hist::range_bins;
using thrust_hist::upper_edge;
using thrust_hist::with_flow;

const std::vector<float> edges{-3, -1, -1, -0.25F, 0, 0.5F, 0.75F, 2, 10};

// Below, at, between and above the edges, and no number now and then.
const test::samples<float> reals(20011, [](std::size_t i) {
  return i % 500 == 0 ? static_cast<double>(test::not_a_number<float>())
                      : static_cast<double>(i % 137) / 8 - 5;
});

// How often edge() was called.
std::atomic<std::size_t> reads{0};
struct edge {
  double operator()(int i) const {
    ++reads;
    if (i < 0)
      throw std::out_of_range("no edge is below 0");
    return i * i;
  }
};
auto edge_at(int i) {
  return thrust::make_transform_iterator(thrust::counting_iterator<int>(i), edge{});
}

template <class System>
std::size_t reads_with(std::size_t samples) {
  std::vector<double> x(samples, 1234.5);
  for (std::size_t i = 0; i < samples; i += 2)
    x[i] = 1234.75;
  std::vector<unsigned> out(100);
  reads = 0;
  histogram_range(System::policy(), x.begin(), x.end(), out.begin(), edge_at(0), edge_at(101));
  BOOST_TEST(out[35] == samples);
  return reads;
}

template <class System>
std::size_t scratch(std::size_t samples, options const& o = {}) {
  thrust_hist::plan plan;
  unsigned* const none = nullptr;
  histogram_range(
      System::policy(), reals.begin(), reals.begin() + static_cast<std::ptrdiff_t>(samples), none,
      edges.begin(), edges.end(), options{o}.explain(&plan));
  return plan.scratch_bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_are_not_read_for_each_sample, System, test::host_systems) {
  const std::size_t some = reads_with<System>(1000);
  BOOST_TEST(reads_with<System>(100000) == some);
  BOOST_TEST(some <= 20 * 101U);
  BOOST_TEST(reads_with<System>(90) > 90 * 6U);  // which are searched
}

BOOST_AUTO_TEST_CASE_TEMPLATE(with_flow_and_the_last_edge, System, test::host_systems) {
  for (auto ends : {upper_edge::exclusive, upper_edge::inclusive}) {
    const auto inner = test::range_reference(edges, ends == upper_edge::inclusive);
    const auto expected = test::count(reals, 10, [&](float x) {
      const test::bin at = inner(x);
      return at == test::below ? 0 : at == test::above ? 9 : at == test::neither ? at : at + 1;
    });
    std::vector<unsigned> out(10);
    histogram(
        System::policy(), reals.begin(), reals.end(), out.begin(),
        with_flow(range_bins(edges.begin(), edges.end(), ends)));
    BOOST_TEST(out == test::convert<unsigned>(expected), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(on_axes_of_a_grid, System, test::host_systems) {
  const std::vector<int> others{-2, 0, 3, 4};
  const test::samples<int> x(reals.size(), [](std::size_t i) { return i * 7 % 3; });
  const test::samples<int> z(
      reals.size(), [](std::size_t i) { return static_cast<int>(i * 11 % 13) - 5; });
  const auto by_real = test::range_reference(edges);
  const auto by_other = test::range_reference(others);
  std::vector<unsigned> expected(3 * 8 * 5);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const test::bin middle = by_real(reals[i]);
    const test::bin at = by_other(z[i]);
    const test::bin last = at == test::below ? 0 : at == test::above ? 4 : at + 1;
    if (middle >= 0 && middle < 8)
      ++expected[static_cast<std::size_t>((x[i] * 8 + middle) * 5 + last)];
  }
  std::vector<unsigned> out(expected.size());
  const auto first =
      thrust::make_zip_iterator(thrust::make_tuple(x.begin(), reals.begin(), z.begin()));
  histogram(
      System::policy(), first, first + static_cast<std::ptrdiff_t>(reals.size()), out.begin(),
      grid(
          identity_bins(3), range_bins(edges.begin(), edges.end()),
          with_flow(range_bins(others.begin(), others.end()))));
  BOOST_TEST(out == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_the_place_of_keys, System, test::host_systems) {
  const test::samples<int> weights(reals.size(), [](std::size_t i) { return i % 100; });
  const auto find = test::range_reference(edges);
  std::vector<int> expected(8);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const test::bin at = find(reals[i]);
    if (at >= 0 && at < 8)
      expected[static_cast<std::size_t>(at)] += weights[i];
  }
  std::vector<int> out(8);
  thrust_hist::histogram_by_key(
      System::policy(), reals.begin(), reals.end(), weights.begin(), out.begin(),
      range_bins(edges.begin(), edges.end()));
  BOOST_TEST(out == expected, boost::test_tools::per_element());
}

// The table is told of, fits the cap that is told, and is left out under a smaller one.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_cap_on_memory, System, test::host_systems) {
  const auto expected = test::convert<unsigned>(test::count(reals, test::range_reference(edges)));
  const std::size_t told = scratch<System>(reals.size());
  BOOST_TEST(told > 4 * 1024U);
  BOOST_TEST(scratch<System>(reals.size(), options{}.max_temporary_bytes(told)) == told);
  BOOST_TEST(scratch<System>(reals.size(), options{}.max_temporary_bytes(told - 1)) < told);
  BOOST_TEST(scratch<System>(100) < 4 * 1024U);
  for (std::size_t cap : {told, told - 1, std::size_t{4096}}) {
    std::vector<unsigned> out(8);
    histogram_range(
        System::policy(), reals.begin(), reals.end(), out.begin(), edges.begin(), edges.end(),
        options{}.max_temporary_bytes(cap));
    BOOST_TEST(out == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_edge_that_throws_changes_nothing, System, test::host_systems) {
  const std::vector<double> x(1000, 1234.5);
  std::vector<unsigned> out(100, 7U);
  BOOST_CHECK_THROW(
      histogram(
          System::policy(), x.begin(), x.end(), out.begin(), range_bins(edge_at(-1), edge_at(100))),
      std::out_of_range);
  BOOST_TEST(out == std::vector<unsigned>(100, 7U));
}

// What samples throw arrives, whatever it is, and nothing is counted twice.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_sample_may_throw_a_memory_limit_error, System, test::host_systems) {
  static std::atomic<int> calls{0};
  calls = 0;
  const auto throwing =
      thrust::make_transform_iterator(thrust::counting_iterator<int>(0), [](int i) -> float {
        if (i == 5000 && ++calls == 1)
          throw thrust_hist::memory_limit_error(1, 2);
        return static_cast<float>(i % 10);
      });
  for (std::size_t cap : {SIZE_MAX, std::size_t{1} << 20}) {
    calls = 0;
    std::vector<unsigned> out(8, 7U);
    BOOST_CHECK_THROW(
        histogram_range(
            System::policy(), throwing, throwing + 10000, out.begin(), edges.begin(), edges.end(),
            options{}.accumulate().max_temporary_bytes(cap)),
        thrust_hist::memory_limit_error);
    BOOST_TEST(calls == 1);
    BOOST_TEST(out == std::vector<unsigned>(8, 7U));
  }
}

// Many edges have a table only if samples are four times as many.
BOOST_AUTO_TEST_CASE(tables_keep_to_the_memory_of_samples) {
  const auto table = [](std::size_t bins, std::size_t samples) {
    const std::vector<double> x(samples);
    std::vector<float> many(bins + 1);
    for (std::size_t i = 0; i <= bins; ++i)
      many[i] = static_cast<float>(i);
    unsigned* const none = nullptr;
    thrust_hist::plan plan;
    histogram_range(
        thrust::seq, x.begin(), x.end(), none, many.begin(), many.end(), options{}.explain(&plan));
    return plan.scratch_bytes > 20 * bins;
  };
  BOOST_TEST(table(1 << 14, (1 << 14) + 1));
  BOOST_TEST(!table(1 << 14, 1 << 14));
  BOOST_TEST(!table(1 << 16, 4 << 16));
  BOOST_TEST(table(1 << 16, (4 << 16) + 4));
}

BOOST_AUTO_TEST_CASE(memory_that_is_refused_changes_nothing) {
  for (int healthy : {0, 1}) {
    test::ledger book(healthy);
    test::counting_allocator<test::seq> allocator(book);
    std::vector<unsigned> out(8, 7U);
    try {
      histogram_range(
          thrust::seq(allocator), reals.begin(), reals.end(), out.begin(), edges.begin(),
          edges.end());
      BOOST_TEST(healthy == 1);
    } catch (test::allocation_refused const&) {
      BOOST_TEST(out == std::vector<unsigned>(8, 7U));
    }
    BOOST_TEST(book.outstanding() == 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
