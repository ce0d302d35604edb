// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where one thread counts: in the output itself if nothing forbids it, else in a table; and calls
// so small and constant that a compiler may look through all of them.

#include "../support/allocators.h"
#include "../support/checks.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <utility>

BOOST_AUTO_TEST_SUITE(one_thread, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using single_threaded = std::tuple<test::seq, test::cpp>;

const test::samples<unsigned> keys(test::generate(test::distribution::zipf, 30011, 6100));

// The bytes of scratch of a call, by its plan and by what it took; its bins are checked too.
template <class System, class Counter, class Iterator, class Bins>
std::size_t scratch_of(
    Iterator first, Bins const& bins, std::vector<std::uint64_t> const& expected,
    options how = options{}) {
  test::ledger book;
  test::counting_allocator<System> allocator(book);
  const auto policy = System::policy_with(allocator);
  const auto last = first + static_cast<std::ptrdiff_t>(keys.size());
  test::output<System, Counter> out(expected.size());
  thrust_hist::plan plan;
  thrust_hist::histogram(policy, first, last, out.data(), bins, options{how}.explain(&plan));
  BOOST_TEST(book.allocations() == 0U);
  out.check_untouched();
  thrust_hist::histogram(policy, first, last, out.data(), bins, how);
  out.check_equals(test::convert<Counter>(expected));
  BOOST_TEST(book.peak() == plan.scratch_bytes);
  BOOST_TEST(book.outstanding() == 0U);
  return plan.scratch_bytes;
}

struct may_throw {
  int operator()(unsigned key) const { return static_cast<int>(key); }
};

// N keys into B bins, both known to the compiler.
template <class Counter, int N, int B>
void check_constant_call() {
  const int in[3] = {0, B - 1, 0};
  Counter out[B + 1];
  std::fill_n(out, B + 1, Counter{77});
  const auto end = thrust_hist::histogram(thrust::seq, in, in + N, out, B);
  BOOST_TEST((end == out + B));
  Counter expected[B + 1] = {};
  for (int i = 0; i < N; ++i)
    ++expected[in[i]];
  expected[B] = 77;
  for (int bin = 0; bin <= B; ++bin)
    BOOST_TEST(
        out[bin] == expected[bin], N << " keys, bin " << bin << " of " << B << ": " << out[bin]);
}

template <class Counter, int B>
void check_constant_sizes() {
  check_constant_call<Counter, 1, B>();
  check_constant_call<Counter, 2, B>();
  check_constant_call<Counter, 3, B>();
}

template <class Counter>
void check_constant_bins() {
  check_constant_sizes<Counter, 1>();
  check_constant_sizes<Counter, 2>();
  check_constant_sizes<Counter, 4>();
  check_constant_sizes<Counter, 100>();
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(counts_in_an_output_that_can_be_the_table, System, single_threaded) {
  const auto counts = test::count(keys, test::identity_reference(6007));
  const auto scratch = [&](auto counter, options const& how) {
    return scratch_of<System, decltype(counter)>(keys.data(), 6007, counts, how);
  };
  BOOST_TEST(scratch(int{}, options{}) == 0U);
  BOOST_TEST(scratch(unsigned{}, options{}) == 0U);
  BOOST_TEST(scratch(std::int16_t{}, options{}) == 0U);
  BOOST_TEST(scratch(std::uint8_t{}, options{}) == 0U);
  BOOST_TEST(scratch(int{}, options{}.max_temporary_bytes(0)) == 0U);
  BOOST_TEST(scratch(int{}, options{}.force(thrust_hist::route::serial)) == 0U);
  const thrust_hist::identity_bins rule(6007);
  BOOST_TEST((scratch_of<System, int>(keys.data(), rule, counts)) == 0U);
}

// Up to four samples for each bin; of real numbers, half of one.
BOOST_AUTO_TEST_CASE_TEMPLATE(counts_few_samples_in_any_output, System, single_threaded) {
  const auto scratch = [&](auto counter, int bins, options const& how = {}) {
    return scratch_of<System, decltype(counter)>(
        keys.data(), bins, test::count(keys, test::identity_reference(bins)), how);
  };
  const int four = static_cast<int>(keys.size() / 4), half = static_cast<int>(keys.size() * 2);
  std::uint64_t dropped = 0;
  const auto told = options{}.dropped(&dropped);
  for (int more : {0, 4}) {
    BOOST_TEST((scratch(std::int64_t{}, four + more) == 0U) == (more > 0));
    BOOST_TEST((scratch(int{}, four + more, told) == 0U) == (more > 0));
    BOOST_TEST((scratch(float{}, half + more) == 0U) == (more > 0));
    BOOST_TEST((scratch(double{}, half + more, told) == 0U) == (more > 0));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(counts_in_a_table_where_the_output_cannot, System, single_threaded) {
  const auto counts = test::count(keys, test::identity_reference(6007));
  unsigned const* const first = keys.data();
  std::uint64_t dropped = 0;
  BOOST_TEST(
      (scratch_of<System, int>(first, 6007, counts, options{}.dropped(&dropped))) >= 6007U * 4);
  BOOST_TEST(dropped == keys.size() - test::total(counts));
  BOOST_TEST((scratch_of<System, double>(first, 6007, counts)) >= 6007U * 4);
  BOOST_TEST((scratch_of<System, float>(first, 6007, counts)) >= 6007U * 4);
  BOOST_TEST((scratch_of<System, std::int64_t>(first, 6007, counts)) >= 6007U * 4);
  // Not to be read as unsigned integers.
  BOOST_TEST((scratch_of<System, wchar_t>(first, 6007, counts)) >= 6007U * 4);
  BOOST_TEST((scratch_of<System, char32_t>(first, 6007, counts)) >= 6007U * 4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    counts_in_a_table_where_something_may_throw_half_way, System, single_threaded) {
  const auto counts = test::count(keys, test::identity_reference(6007));
  const auto same = thrust::make_transform_iterator(keys.data(), [](unsigned key) { return key; });
  BOOST_TEST((scratch_of<System, int>(same, 6007, counts)) >= 6007U * 4);
  const auto rule = thrust_hist::make_bins(6007, may_throw{});
  BOOST_TEST((scratch_of<System, int>(keys.data(), rule, counts)) >= 6007U * 4);
}

// Four of them up to 1 024 bins, two up to 4 096, if there are 8 samples for each bin.
BOOST_AUTO_TEST_CASE_TEMPLATE(few_bins_have_counters_that_take_turns, System, single_threaded) {
  const auto scratch = [](int bins) {
    const auto counts = test::count(keys, test::identity_reference(bins));
    return scratch_of<System, int>(keys.data(), bins, counts);
  };
  for (int bins : {1, 1023, 1024})
    BOOST_TEST(scratch(bins) >= bins * 16U);
  for (int bins : {1025, 3751}) {  // of 30 011 samples
    BOOST_TEST(scratch(bins) >= bins * 8U);
    BOOST_TEST(scratch(bins) < bins * 8U + 256);
  }
  BOOST_TEST(scratch(3752) == 0U);
}

BOOST_AUTO_TEST_CASE(no_more_than_4_096_bins_have_counters_that_take_turns) {
  using thrust_hist::detail::sequential::worker_tables;
  BOOST_TEST(worker_tables(4096, 1 << 20).ways() == 2U);
  BOOST_TEST(worker_tables(4097, 1 << 20).ways() == 1U);
  BOOST_TEST(worker_tables(1024, 8191).ways() == 1U);
  BOOST_TEST(worker_tables(1024, 8192).ways() == 4U);
}

// Counters of 16 bits are added up after every 262 076 bytes.
BOOST_AUTO_TEST_CASE_TEMPLATE(equal_bytes_overflow_no_counter, System, single_threaded) {
  for (std::size_t n : {65537, 262075, 262076, 262077, 262091, 262124, 262140, 600001}) {
    const std::vector<unsigned char> bytes(n, 7);
    test::output<System, std::uint32_t> out(8);
    thrust_hist::histogram(System::policy(), bytes.data(), bytes.data() + n, out.data(), 8);
    out.check_equals({0, 0, 0, 0, 0, 0, 0, static_cast<std::uint32_t>(n)});
  }
}

BOOST_AUTO_TEST_CASE(constant_calls_begin_with_zero_counts) {
  check_constant_bins<int>();
  check_constant_bins<double>();
  check_constant_bins<std::uint64_t>();
}

BOOST_AUTO_TEST_SUITE_END()
