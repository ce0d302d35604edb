// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Many samples and many bins on the host systems: counters of 16 and of 8 bits, and a list of those
// that ran over.

#include "../support/allocators.h"
#include "../support/checks.h"
#include "../support/threads.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(host_narrow, THRUST_HIST_TEST_SMALL)

namespace {

using test::bin;
using test::threads;
using thrust_hist::options;
using thrust_hist::route;

constexpr std::size_t many = (1 << 18) + 77;
constexpr bin bins_of_16_bits = 16'387;  // up to 131 072
constexpr bin bins_of_8_bits = 131'073;  // and more

using keys = test::samples<std::uint32_t>;

std::vector<std::uint64_t> count(keys const& s, bin bins) {
  return test::count(s, bins, [](std::uint32_t x) { return static_cast<bin>(x); });
}

// Counts, then adds the same once more and asks how many had no bin.
template <class System, class Counter>
void check(keys const& s, bin bins, options const& how = options{}) {
  auto expected = count(s, bins);
  test::output<System, Counter> out(expected.size());
  const auto call = [&](options const& o) {
    thrust_hist::histogram(System::policy(), s.begin(), s.end(), out.data(), bins, o);
  };
  thrust_hist::plan p;
  call(options{how}.explain(&p));
  // No table has 32 bits for each bin.
  BOOST_TEST(p.scratch_bytes >= static_cast<std::size_t>(bins) * p.blocks);
  BOOST_TEST(p.scratch_bytes < (static_cast<std::size_t>(bins) * 2 + 4096) * p.blocks + s.size());
  call(how);
  out.check_equals(test::convert<Counter>(expected));
  std::uint64_t dropped = 12345;
  call(options{how}.accumulate().dropped(&dropped));
  BOOST_TEST(dropped == s.size() - test::total(expected));
  for (auto& n : expected)
    n *= 2;
  out.check_equals(test::convert<Counter>(expected));
}

// 64-bit outputs, which are never the table themselves.
template <class System>
void check_both_widths(test::distribution d, std::size_t n, std::uint64_t seed) {
  for (bin bins : {bins_of_16_bits, bins_of_8_bits}) {
    const auto distinct = static_cast<std::uint64_t>(bins + bins / 50);  // some have no bin
    BOOST_TEST_CONTEXT(n << " samples, " << bins << " bins, " << test::name_of(d))
    check<System, std::uint64_t>(keys(test::generate(d, n, distinct, seed)), bins);
  }
}

struct throws_late {
  std::uint32_t operator()(std::uint32_t i) const {
    if (i == many - 1)
      throw std::domain_error("the last one");
    return i % 1000;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_distribution_is_counted, System, test::host_systems) {
  const threads set(3);
  for (auto d : test::all_distributions)
    check_both_widths<System>(d, many, 7000);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_integer_is_written, System, test::host_systems) {
  const threads set(2);
  const keys s(test::generate(test::distribution::zipf, many, 16'500));
  check<System, int>(s, bins_of_16_bits);
  check<System, unsigned>(s, bins_of_16_bits);
  check<System, long long>(s, bins_of_16_bits);
  check<System, unsigned long>(s, bins_of_16_bits);
  check<System, char32_t>(s, bins_of_16_bits);
}

// A group of 16 equal samples is counted at once; counters run over within a group and between
// groups, and all samples of the list's length are in one bin.
BOOST_AUTO_TEST_CASE_TEMPLATE(counters_run_over_exactly, System, test::host_systems) {
  const threads set(2);
  for (std::size_t n :
       {std::size_t{1} << 18, (std::size_t{1} << 18) + 1, (std::size_t{1} << 19) - 1})
    for (bin bins : {bins_of_16_bits, bins_of_8_bits})
      BOOST_TEST_CONTEXT(n << " samples, " << bins << " bins") {
        const auto last = static_cast<std::uint32_t>(bins - 1);
        check<System, std::int64_t>(keys(n, [&](std::size_t) { return last; }), bins);
        check<System, std::int64_t>(
            keys(n, [&](std::size_t i) { return i % 2 == 0 ? last : 0U; }), bins);
        check<System, std::int64_t>(
            keys(n, [&](std::size_t i) { return i % 17 == 0 ? 5U : last; }), bins);
        check<System, std::int64_t>(
            keys(n, [&](std::size_t i) { return static_cast<std::uint32_t>(i / 255 % 7); }), bins);
        check<System, std::int64_t>(
            keys(n, [&](std::size_t i) { return static_cast<std::uint32_t>(i / 256 % 7); }), bins);
      }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bins_up_to_a_limit_have_16_bits, System, test::host_systems) {
  const threads set(1);
  for (bin bins : {16'385, 131'072, 131'073}) {
    const keys s(
        test::generate(test::distribution::uniform, many, static_cast<std::uint64_t>(bins)));
    check<System, std::uint64_t>(s, bins);
    thrust_hist::plan p;
    std::uint64_t* const out = nullptr;
    thrust_hist::histogram(System::policy(), s.begin(), s.end(), out, bins, options{}.explain(&p));
    if (p.blocks == 1) {
      const std::size_t table = static_cast<std::size_t>(bins) * (bins <= 131'072 ? 2 : 1);
      BOOST_TEST(p.scratch_bytes >= table);
      BOOST_TEST(p.scratch_bytes < table + 6000);
    }
  }
}

// Where one thread could count in the output, it does so up to 4 Mi bins; but for many samples,
// where these have up to 128 Ki bins, or 512 Ki and more.
BOOST_AUTO_TEST_CASE(one_thread_prefers_an_output_that_can_be_the_table) {
  const auto scratch = [](std::uint32_t n, std::uint64_t bins) {
    const thrust::counting_iterator<std::uint32_t> fancy(0);
    std::uint32_t const* const array = nullptr;
    unsigned* const out = nullptr;
    thrust_hist::plan p, of_array;
    thrust_hist::histogram(thrust::seq, fancy, fancy + n, out, bins, options{}.explain(&p));
    BOOST_TEST((p.taken == route::serial));
    thrust_hist::histogram(thrust::seq, array, array + n, out, bins, options{}.explain(&of_array));
    BOOST_TEST(p.scratch_bytes > 0U);
    return of_array.scratch_bytes;
  };
  BOOST_TEST(scratch(1U << 31, 1 << 14) == 0U);
  BOOST_TEST(scratch((1 << 18) + 16, (1 << 14) + 1) > 0U);
  BOOST_TEST(scratch((1 << 18) + 15, (1 << 14) + 1) == 0U);
  BOOST_TEST(scratch(1 << 21, 1 << 17) > 0U);
  BOOST_TEST(scratch((1 << 21) - 1, 1 << 17) == 0U);
  BOOST_TEST(scratch(1U << 31, (1 << 17) + 1) == 0U);
  BOOST_TEST(scratch(1U << 31, (1 << 19) - 1) == 0U);
  BOOST_TEST(scratch(1U << 22, 1 << 19) > 0U);
  BOOST_TEST(scratch((1U << 22) - 1, 1 << 19) == 0U);
  BOOST_TEST(scratch(1U << 21, 1 << 22) > 0U);
  BOOST_TEST(scratch((1U << 21) - 1, 1 << 22) == 0U);
  BOOST_TEST(scratch(1U << 31, (1 << 24) - 1) > 0U);
  BOOST_TEST(scratch(1U << 31, (1 << 26) + 1) == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(millions_of_bins_are_counted, System, test::host_systems) {
  const threads set(2);
  const bin bins = 1 << 22;
  const keys s(test::generate(test::distribution::uniform, std::size_t{bins} / 2 + 1, bins + 999));
  check<System, unsigned>(s, bins);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(samples_come_from_any_iterator, System, test::host_systems) {
  const threads set(2);
  const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::uint32_t>(0),
      [](std::uint32_t i) { return i * 7919 % 16500; });
  std::vector<std::uint64_t> expected(16'387);
  for (std::uint32_t i = 0; i < many; ++i)
    if (i * 7919 % 16500 < 16'387)
      ++expected[i * 7919 % 16500];
  test::output<System, std::uint64_t> out(16'387);
  thrust_hist::histogram(System::policy(), first, first + many, out.data(), 16'387);
  out.check_equals(expected);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(even_and_range_bins_are_counted_too, System, test::host_systems) {
  const threads set(2);
  const test::samples<float> s(
      many, [](std::size_t i) { return static_cast<float>(i * 7919 % 24000) - 500.F; });
  const auto expected =
      test::count(s, 20000, [](float x) { return static_cast<bin>(x < 0 ? -1 : x); });
  test::output<System, std::int64_t> even(20000), range(20000);
  thrust_hist::histogram_even(
      System::policy(), s.begin(), s.end(), even.data(), 20000, 0.F, 20000.F);
  even.check_equals(test::convert<std::int64_t>(expected));
  std::vector<float> edges;
  for (int i = 0; i <= 20000; ++i)
    edges.push_back(static_cast<float>(i));
  thrust_hist::histogram_range(
      System::policy(), s.begin(), s.end(), range.data(), edges.begin(), edges.end());
  range.check_equals(test::convert<std::int64_t>(expected));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_sample_that_throws_leaves_the_output_as_it_was, System, test::host_systems) {
  const threads set(2);
  const auto first =
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), throws_late{});
  test::ledger book;
  test::counting_allocator<System> allocator(book);
  test::output<System, std::uint64_t> out(16'387);
  BOOST_CHECK_THROW(
      thrust_hist::histogram(
          System::policy_with(allocator), first, first + many, out.data(), 16'387),
      std::domain_error);
  out.check_untouched();
  BOOST_TEST(book.outstanding() == 0U);
}

// Fewer workers, and where not even one has room, tables that need no memory or an error.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_cap_on_memory_is_obeyed, System, test::host_systems) {
  const threads set(3);
  const keys s(test::generate(test::distribution::zipf, many, 140'000));
  const auto expected = count(s, bins_of_8_bits);
  const auto plan_within = [&](auto* out, std::size_t cap, auto bins) {
    thrust_hist::plan p;
    thrust_hist::histogram(
        System::policy(), s.begin(), s.end(), out, bins,
        options{}.max_temporary_bytes(cap).explain(&p));
    return p;
  };
  // A rule that might throw does not count in the output.
  const auto rule = thrust_hist::make_bins(bins_of_8_bits, [](auto key) { return key; });
  std::uint64_t* const wide = nullptr;
  const auto all = plan_within(wide, SIZE_MAX, bins_of_8_bits);
  for (std::size_t less : {0, 1}) {
    if (less > 0 && all.blocks == 1)
      continue;
    const std::size_t cap = all.scratch_bytes - less;
    const auto p = plan_within(wide, cap, bins_of_8_bits);
    BOOST_TEST(p.scratch_bytes <= cap);
    BOOST_TEST(p.blocks == all.blocks - less);
    test::ledger book;
    test::counting_allocator<System> allocator(book);
    test::output<System, std::uint64_t> out(expected.size());
    thrust_hist::histogram(
        System::policy_with(allocator), s.begin(), s.end(), out.data(), bins_of_8_bits,
        options{}.max_temporary_bytes(cap));
    out.check_equals(expected);
    BOOST_TEST(book.peak() == p.scratch_bytes);
    BOOST_TEST(book.outstanding() == 0U);
  }
  try {
    plan_within(wide, 0, rule);
    BOOST_ERROR("there is no memory");
  } catch (thrust_hist::memory_limit_error const& refusal) {
    BOOST_TEST(plan_within(wide, refusal.smallest(), rule).scratch_bytes <= refusal.smallest());
    BOOST_CHECK_THROW(
        plan_within(wide, refusal.smallest() - 1, rule), thrust_hist::memory_limit_error);
  }
  unsigned* const narrow = nullptr;
  BOOST_TEST(plan_within(narrow, 0, bins_of_8_bits).scratch_bytes == 0U);
  BOOST_TEST(plan_within(wide, 0, bins_of_8_bits).scratch_bytes == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
