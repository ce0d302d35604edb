// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys whose number of bins is discovered, on the host systems: they are read once if there is room
// for as many bins as they need, and else once more.

#include "../support/allocators.h"
#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/discovered.h"
#include "../support/threads.h"
#include <thrust_hist/histogram.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(host_discovered, THRUST_HIST_TEST_SMALL)

namespace {

using test::bins_of;
using test::keys_below;
using test::threads;
using thrust_hist::options;
using thrust_hist::route;

template <class System, class Key>
void check(std::vector<Key> const& keys) {
  const auto bins = bins_of(keys);
  std::vector<unsigned> container(3, 77U);
  thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), container);
  const bool is_right = container == test::convert<unsigned>(bins);
  BOOST_TEST(is_right);
  std::vector<float> array(bins.size() + 2, 7.F);
  const auto end =
      thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), array.begin() + 1);
  BOOST_TEST(static_cast<std::size_t>(end - array.begin()) == bins.size() + 1);
  auto expected = test::convert<float>(bins);
  expected.insert(expected.begin(), 7.F);
  expected.push_back(7.F);
  const bool is_right_in_place = array == expected;
  BOOST_TEST(is_right_in_place);
}

// A key that counts how often one is read.
std::atomic<std::size_t> reads{0};
struct read_key {
  unsigned const* keys;
  unsigned operator()(std::size_t i) const {
    ++reads;
    return keys[i];
  }
};

// How often keys are read for each key, but for those that are looked at beforehand: one in 64.
template <class System>
std::size_t passes(std::vector<unsigned> const& keys, options const& o = {}) {
  const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::size_t>(0), read_key{keys.data()});
  std::vector<unsigned> out;
  reads = 0;
  thrust_hist::histogram(
      System::policy(), first, first + static_cast<std::ptrdiff_t>(keys.size()), out, o);
  const bool is_right = out == test::convert<unsigned>(bins_of(keys));
  BOOST_TEST(is_right);
  BOOST_TEST(reads % keys.size() <= keys.size() / 64);
  return reads / keys.size();
}

// What keys[place] is read for when n keys are looked at.
bool is_looked_at(std::uint64_t n, std::size_t place) {
  const auto key = [&](std::size_t i) { return i == place ? 1U : 0U; };
  const auto first =
      thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0), key);
  return thrust_hist::detail::host::one_past_some(first, n, n / 64) == 2;
}

}  // namespace

using key_types = std::tuple<
    std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
    std::int64_t, std::uint64_t>;

BOOST_AUTO_TEST_CASE_TEMPLATE(keys_of_any_type_are_counted, Key, key_types) {
  const threads set(2);
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<Key>::max());
  for (std::size_t n : {1, 4095, 4096, 5000, 70001})
    for (std::uint64_t bound : {1, 2, 100, 128, 256, 4097, 20000, 65536, 300000})
      for (bool negative : {false, true})
        if (bound - 1 <= largest && (!negative || std::is_signed_v<Key>))
          BOOST_TEST_CONTEXT(n << " keys below " << bound << (negative ? ", or negative" : "")) {
            check<test::seq>(keys_below<Key>(n, bound, negative));
            check<test::main_system>(keys_below<Key>(n, bound, negative));
          }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_large_key_that_nobody_looked_at_is_found, System, test::host_systems) {
  const threads set(2);
  const std::size_t n = 70001;
  std::size_t hidden = 0, looks = 0;
  for (std::size_t place = 0; place < n; ++place)
    looks += is_looked_at(n, place) ? 1 : 0;
  BOOST_TEST(looks == n / 64);
  for (std::size_t place : {std::size_t{0}, std::size_t{1}, n / 2 + 1, n - 1}) {
    hidden += is_looked_at(n, place) ? 0 : 1;
    for (std::uint64_t large : {50, 1000, 65535})
      BOOST_TEST_CONTEXT("key " << large << " at " << place) {
        auto keys = keys_below<std::uint16_t>(n, 50);
        keys[place] = static_cast<std::uint16_t>(large);
        check<System>(keys);
      }
  }
  BOOST_TEST(hidden > 1U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keys_are_read_once_if_they_can_be, System, test::host_systems) {
  const threads set(2);
  const std::size_t n = 70001;
  BOOST_TEST(passes<System>(keys_below<unsigned>(n, 300)) == 1U);
  BOOST_TEST(passes<System>(keys_below<unsigned>(n, n / 5)) == 1U);
  BOOST_TEST(passes<System>(keys_below<unsigned>(4096, 300)) == 1U);
  BOOST_TEST(passes<System>(keys_below<unsigned>(4095, 300)) == 2U);
  BOOST_TEST(passes<System>(keys_below<unsigned>(n, n)) == 2U);
  std::uint64_t dropped = 77;
  BOOST_TEST(passes<System>(keys_below<unsigned>(n, 300), options{}.dropped(&dropped)) == 2U);
  BOOST_TEST(dropped == 0U);
  BOOST_TEST(passes<System>(keys_below<unsigned>(n, 300), options{}.force(route::serial)) == 2U);
  BOOST_TEST(
      passes<System>(keys_below<unsigned>(n, 300), options{}.max_temporary_bytes(1 << 20)) == 2U);
  std::size_t hidden = 0;
  while (is_looked_at(n, hidden))
    ++hidden;
  auto keys = keys_below<unsigned>(n, 300);
  keys[hidden] = 500;
  BOOST_TEST(passes<System>(keys) == 1U);
  keys[hidden] = 5000;
  BOOST_TEST(passes<System>(keys) == 3U);
}

// Of many keys some are counted first: if one of these has no room, the others are not counted in
// vain.
BOOST_AUTO_TEST_CASE_TEMPLATE(heavy_tails_are_noticed_early, System, test::host_systems) {
  const threads set(2);
  const std::size_t n = 200'000;
  std::size_t hidden = 0;
  while (is_looked_at(n, hidden))
    ++hidden;
  auto keys = keys_below<unsigned>(n, 300);
  keys[hidden] = 5000;
  check<System>(keys);
  const auto first = thrust::make_transform_iterator(
      thrust::counting_iterator<std::size_t>(0), read_key{keys.data()});
  std::vector<unsigned> out;
  reads = 0;
  thrust_hist::histogram(System::policy(), first, first + n, out);
  BOOST_TEST(reads <= 2 * n + 2 * (n / 16) + n / 64);
  BOOST_TEST(out.size() == 5001U);
  check<System>(keys_below<unsigned>(n, 300));
  check<System>(keys_below<int>(n, 300, true));
  check<System>(std::vector<int>(n, -1));
}

enum class color : std::uint16_t { red, green, blue };

template <class Key>
struct key_of {
  Key operator()(std::size_t i) const { return static_cast<Key>(i % 3); }
};

template <class System, class Key>
void check_other_keys() {
  for (std::size_t n : {3, 4098, 16383, 16386, 39999, 200001}) {
    const std::vector<unsigned> expected(3, static_cast<unsigned>(n / 3));
    const auto first =
        thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0), key_of<Key>{});
    const std::vector<Key> keys(first, first + static_cast<std::ptrdiff_t>(n));
    std::vector<unsigned> out, of_iterator;
    thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), out);
    BOOST_TEST(out == expected, boost::test_tools::per_element());
    thrust_hist::histogram(
        System::policy(), first, first + static_cast<std::ptrdiff_t>(n), of_iterator);
    BOOST_TEST(of_iterator == expected, boost::test_tools::per_element());
    const test::vector_of<System, Key> proxies(keys.begin(), keys.end());
    thrust_hist::histogram(System::policy(), proxies.begin(), proxies.end(), out);
    BOOST_TEST(out == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bytes_characters_and_enums_are_keys, System, test::host_systems) {
  const threads set(2);
  check_other_keys<System, std::byte>();
  check_other_keys<System, char>();
  check_other_keys<System, color>();
  const std::vector<bool> bits(5000, true);
  std::vector<unsigned> out;
  thrust_hist::histogram(System::policy(), bits.begin(), bits.end(), out);
  BOOST_TEST((out == std::vector<unsigned>{0, 5000}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keys_that_need_all_numbers_are_refused, System, test::host_systems) {
  for (std::size_t n : {1000, 70001}) {
    std::vector<std::uint64_t> keys(n, 3);
    std::vector<unsigned> out(2, 7U);
    for (std::uint64_t largest : {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX / 2}) {
      keys[n / 2] = largest;
      BOOST_CHECK_THROW(
          thrust_hist::histogram(
              System::policy(), keys.begin(), keys.end(), out, options{}.max_bins(1000)),
          std::length_error);
      BOOST_TEST(out == std::vector<unsigned>(2, 7U), boost::test_tools::per_element());
    }
  }
}

struct throws_at {
  std::size_t place;
  unsigned operator()(std::size_t i) const {
    return i == place ? throw std::domain_error("a key of a test") : static_cast<unsigned>(i % 9);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(a_key_that_throws_leaves_everything, System, test::host_systems) {
  const threads set(2);
  for (std::size_t n : {70001, 200001})
    for (std::size_t place : {n / 40 + 1, n - 1}) {
      if (is_looked_at(n, place))
        continue;
      const auto first = thrust::make_transform_iterator(
          thrust::counting_iterator<std::size_t>(0), throws_at{place});
      test::ledger book;
      test::counting_allocator<System> allocator(book);
      std::vector<unsigned> out(3, 7U);
      BOOST_CHECK_THROW(
          thrust_hist::histogram(
              System::policy_with(allocator), first, first + static_cast<std::ptrdiff_t>(n), out),
          std::domain_error);
      BOOST_TEST(out == std::vector<unsigned>(3, 7U), boost::test_tools::per_element());
      BOOST_TEST(book.outstanding() == 0U);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    too_many_bins_leave_the_output_as_it_was, System, test::host_systems) {
  const threads set(2);
  for (unsigned largest : {90U, 5000U}) {
    auto keys = keys_below<unsigned>(70001, 90);
    keys[3] = largest;
    const options few = options{}.max_bins(largest);
    std::vector<unsigned> container(5, 7U), array(largest + 1, 7U);
    BOOST_CHECK_THROW(
        thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), container, few),
        std::length_error);
    BOOST_TEST(container == std::vector<unsigned>(5, 7U), boost::test_tools::per_element());
    BOOST_CHECK_THROW(
        thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), array.begin(), few),
        std::length_error);
    const bool is_untouched = array == std::vector<unsigned>(largest + 1, 7U);
    BOOST_TEST(is_untouched);
    thrust_hist::histogram(
        System::policy(), keys.begin(), keys.end(), container, options{}.max_bins(largest + 1));
    BOOST_TEST(container.size() == largest + 1);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(counts_are_added_and_converted, System, test::host_systems) {
  const threads set(2);
  const auto keys = keys_below<int>(70001, 40, true);
  auto bins = bins_of(keys);
  std::vector<std::uint8_t> wrapped;
  thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), wrapped);
  BOOST_TEST(wrapped == test::convert<std::uint8_t>(bins), boost::test_tools::per_element());
  for (auto& count : bins)
    count += 7;
  bins.resize(45, 7);
  std::vector<std::int64_t> more(45, 7);
  thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), more, options{}.accumulate());
  BOOST_TEST(more == test::convert<std::int64_t>(bins), boost::test_tools::per_element());
  const auto nowhere = thrust::make_discard_iterator();
  BOOST_TEST(
      (thrust_hist::histogram(System::policy(), keys.begin(), keys.end(), nowhere) - nowhere) ==
      40);
  BOOST_CHECK_THROW(
      thrust_hist::histogram(
          System::policy(), keys.begin(), keys.end(), nowhere, options{}.accumulate()),
      std::invalid_argument);
  thrust_hist::plan plan;
  BOOST_CHECK_THROW(
      thrust_hist::histogram(
          System::policy(), keys.begin(), keys.end(), nowhere,
          options{}.accumulate().explain(&plan)),
      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_is_the_policys_and_goes_back, System, test::host_systems) {
  const threads set(2);
  const auto keys = keys_below<unsigned>(70001, 300);
  thrust_hist::plan plan;
  std::vector<unsigned> out(3, 7U);
  const auto call = [&](test::ledger& book, options const& o) {
    test::counting_allocator<System> allocator(book);
    thrust_hist::histogram(System::policy_with(allocator), keys.begin(), keys.end(), out, o);
  };
  test::ledger of_plan, book;
  call(of_plan, options{}.explain(&plan));
  BOOST_TEST(out == std::vector<unsigned>(3, 7U), boost::test_tools::per_element());
  BOOST_TEST(plan.scratch_bytes >= 300 * sizeof(unsigned));
  call(book, {});
  BOOST_TEST(out.size() == 300U);
  BOOST_TEST(book.peak() == plan.scratch_bytes);
  BOOST_TEST(book.outstanding() == 0U);
  for (std::size_t healthy = 0; healthy < book.allocations(); ++healthy) {
    out.assign(3, 7U);
    test::ledger refusing(static_cast<int>(healthy));
    BOOST_CHECK_THROW(call(refusing, {}), test::allocation_refused);
    BOOST_TEST(out == std::vector<unsigned>(3, 7U), boost::test_tools::per_element());
    BOOST_TEST(refusing.outstanding() == 0U);
  }
}

// The memory of both ways, one after the other.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_plan_knows_that_there_is_no_room, System, test::host_systems) {
  const threads set(1);
  auto keys = keys_below<unsigned>(70001, 300);
  std::size_t hidden = 0;
  while (is_looked_at(keys.size(), hidden))
    ++hidden;
  keys[hidden] = 60000;
  const auto peak_beside_plan = [&](auto out) {
    thrust_hist::plan plan;
    thrust_hist::histogram(
        System::policy(), keys.begin(), keys.end(), out, options{}.explain(&plan));
    test::ledger book;
    test::counting_allocator<System> allocator(book);
    thrust_hist::histogram(System::policy_with(allocator), keys.begin(), keys.end(), out);
    BOOST_TEST(book.outstanding() == 0U);
    BOOST_TEST(book.peak() >= plan.scratch_bytes);
    BOOST_TEST(book.peak() <= plan.scratch_bytes + 4096);  // those of Thrust's reductions
    return plan.scratch_bytes;
  };
  BOOST_TEST(peak_beside_plan(std::vector<unsigned>()) > 300 * sizeof(unsigned));
  BOOST_TEST(peak_beside_plan(std::vector<float>()) > 60000 * sizeof(unsigned));
}

// Room for three times 30 000 bins, 4 bytes for each, and narrow counters beside it, of 2 bytes.
BOOST_AUTO_TEST_CASE(many_keys_are_counted_in_narrow_counters_first) {
  const auto scratch = [](std::size_t n) {
    const auto keys = keys_below<unsigned>(n, 30000);
    thrust_hist::plan plan;
    std::vector<unsigned> out;
    thrust_hist::histogram(thrust::seq, keys.begin(), keys.end(), out, options{}.explain(&plan));
    return plan.scratch_bytes;
  };
  BOOST_TEST(scratch(1 << 21) > (4 + 2) * 3 * 29000U);
  BOOST_TEST(scratch(1 << 20) < (4 + 1) * 3 * 30100U);
}

BOOST_AUTO_TEST_SUITE_END()
