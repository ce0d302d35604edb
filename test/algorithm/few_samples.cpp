// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Few samples for many bins, which the host systems count and fold in the output itself: all types
// of counters, equal samples that make narrow ones wrap, what was there before, what has no bin,
// and rules that throw half-way.

#include "../support/checks.h"
#include <thrust_hist/thrust_hist.h>

#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(few_samples, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;

using counters = std::tuple<
    char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, char32_t, std::int32_t,
    std::uint32_t, std::int64_t, std::uint64_t, float, double>;

constexpr test::bin bins = 6007;

// One in seven has no bin; of the others half are equal, which wraps a byte.
template <class Sample>
test::samples<Sample> samples_for(std::size_t n) {
  return test::samples<Sample>(n, [](std::size_t i) {
    return i % 7 == 3 ? bins + static_cast<test::bin>(i) : i % 2 == 0 ? 9 : i * 7919 % bins;
  });
}
template <class Sample>
std::vector<std::uint64_t> counts_of(test::samples<Sample> const& s, std::size_t step = 1) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < s.size(); i += step)
    if (static_cast<test::bin>(s[i]) < bins)
      ++counts[static_cast<std::size_t>(s[i])];
  return counts;
}
std::uint64_t lost(std::size_t n, std::vector<std::uint64_t> const& counts) {
  std::uint64_t rest = n;
  for (std::uint64_t count : counts)
    rest -= count;
  return rest;
}

// Into junk, and added to what is there; with and without a look at what was dropped.
template <class System, class Counter, class Call>
void check_call(std::vector<std::uint64_t> const& expected, std::size_t n, Call const& call) {
  for (thrust_hist::route forced : System::every_route())
    for (bool told : {false, true})
      BOOST_TEST_CONTEXT("route " << forced << ", " << n << " samples") {
        std::uint64_t dropped = 77;
        options o = options{}.force(forced);
        o = told ? options{o}.dropped(&dropped) : o;
        test::output<System, Counter> out(expected.size());
        try {
          call(out.data(), o);
        } catch (std::invalid_argument const&) {
          // Folds on one thread have no buckets.
          BOOST_TEST(
              (test::may_be_refused(forced, expected.size()) ||
               forced == thrust_hist::route::partitioned));
          continue;
        }
        out.check_equals(test::convert<Counter>(expected));
        BOOST_TEST(dropped == (told ? lost(n, expected) : 77));
        dropped = 77;
        call(out.data(), options{o}.accumulate());
        auto twice = expected;
        for (auto& count : twice)
          count *= 2;
        out.check_equals(test::convert<Counter>(twice));
        BOOST_TEST(dropped == (told ? lost(n, expected) : 77));
      }
}

template <class System, class Counter, class Sample = std::uint32_t>
void check_counter() {
  for (std::size_t n : {0, 1, 17, 1100, 3002, 3003, 24027, 24028, 40000}) {
    const auto s = samples_for<Sample>(n);
    Sample const* const first = s.data();
    check_call<System, Counter>(counts_of(s), n, [&](Counter* out, options const& o) {
      thrust_hist::histogram(System::policy(), first, first + n, out, bins, o);
    });
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_counter_counts, Counter, counters) {
  check_counter<test::main_system, Counter>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(on_every_system, System, test::systems) {
  check_counter<System, std::uint8_t>();
  check_counter<System, std::int64_t>();
  check_counter<System, float, std::uint64_t>();
  check_counter<System, double, std::uint16_t>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(samples_of_a_byte, System, test::systems) {
  for (std::size_t n : {5, 1023, 1024, 2900}) {
    const test::samples<std::uint8_t> s(n, [](std::size_t i) { return i % 3 == 0 ? 7 : i % 251; });
    const auto call = [&](auto* out, options const& o) {
      thrust_hist::histogram(System::policy(), s.data(), s.data() + n, out, bins, o);
    };
    check_call<System, std::uint8_t>(counts_of(s), n, call);
    check_call<System, std::uint32_t>(counts_of(s), n, call);
    check_call<System, float>(counts_of(s), n, call);
  }
}

// Ones that are added to a large float do not arrive, their sum does.
BOOST_AUTO_TEST_CASE_TEMPLATE(what_a_float_holds_gets_the_whole_count, System, test::systems) {
  const std::vector<int> keys(1000, 5);
  std::vector<float> out(bins, 0x1p25F);
  thrust_hist::histogram(
      System::policy(), keys.data(), keys.data() + 1000, out.data(), bins, options{}.accumulate());
  BOOST_TEST(out[5] == 0x1p25F + 1000);
  BOOST_TEST(out[6] == 0x1p25F);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(samples_that_are_strided, System, test::systems) {
  for (std::size_t n : {1, 500, 2990}) {
    const auto s = samples_for<int>(3 * n);
    const auto first = thrust_hist::strided(s.data(), 3);
    const auto call = [&](auto* out, options const& o) {
      thrust_hist::histogram(
          System::policy(), first, first + static_cast<std::ptrdiff_t>(n), out, bins, o);
    };
    check_call<System, std::uint32_t>(counts_of(s, 3), n, call);
    check_call<System, std::int16_t>(counts_of(s, 3), n, call);
    const auto padded = thrust_hist::pitched(s.data(), 1, n, 3 * sizeof(int));
    check_call<System, double>(counts_of(s, 3), n, [&](double* out, options const& o) {
      thrust_hist::histogram(
          System::policy(), padded, padded + static_cast<std::ptrdiff_t>(n), out, bins, o);
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rules_of_mine_in_flows_and_grids, System, test::systems) {
  const std::size_t n = 900;
  const auto s = samples_for<std::uint32_t>(n);
  const auto silent = thrust_hist::make_bins(bins, [](std::uint32_t x) noexcept { return x; });
  const auto plain = thrust_hist::make_bins(bins, [](std::uint32_t x) { return x; });
  const auto call = [&](auto rule) {
    return [&s, rule](auto* out, options const& o) {
      thrust_hist::histogram(System::policy(), s.data(), s.data() + s.size(), out, rule, o);
    };
  };
  check_call<System, std::uint32_t>(counts_of(s), n, call(silent));
  check_call<System, std::uint32_t>(counts_of(s), n, call(plain));
  std::vector<std::uint64_t> in_flow(counts_of(s));
  in_flow.insert(in_flow.begin(), 0);
  in_flow.push_back(lost(n, counts_of(s)));
  check_call<System, std::uint64_t>(in_flow, n, call(thrust_hist::with_flow(silent)));
  check_call<System, std::uint64_t>(in_flow, n, call(thrust_hist::with_flow(plain)));

  using pair = std::tuple<std::uint32_t, int>;
  std::vector<pair> pairs(n);
  std::vector<std::uint64_t> in_grid(3 * static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < n; ++i) {
    pairs[i] = {s[i], static_cast<int>(i % 4)};
    if (s[i] < bins && i % 4 < 3)
      ++in_grid[s[i] * 3 + i % 4];
  }
  const auto in_pairs = [&](auto rule) {
    return [&pairs, rule](auto* out, options const& o) {
      thrust_hist::histogram(
          System::policy(), pairs.data(), pairs.data() + pairs.size(), out,
          thrust_hist::grid(rule, thrust_hist::identity_bins(3)), o);
    };
  };
  check_call<System, std::uint16_t>(in_grid, n, in_pairs(silent));
  check_call<System, float>(in_grid, n, in_pairs(plain));
}

// A rule, also within a flow, that throws leaves the output as it was.
struct rule_or_throw {
  int operator()(int x) const {
    if (x == 700)
      throw std::domain_error("rule");
    return x;
  }
};
BOOST_AUTO_TEST_CASE_TEMPLATE(a_rule_that_throws_half_way, System, test::systems) {
  const test::samples<int> s(1000, [](std::size_t i) { return i; });
  const auto check = [&](auto rule) {
    std::vector<std::uint32_t> out(static_cast<std::size_t>(rule.size()), 7);
    BOOST_CHECK_THROW(
        thrust_hist::histogram(System::policy(), s.data(), s.data() + s.size(), out.data(), rule),
        std::domain_error);
    BOOST_TEST(out == std::vector<std::uint32_t>(out.size(), 7), boost::test_tools::per_element());
  };
  const auto rule = thrust_hist::make_bins(bins, rule_or_throw{});
  check(rule);
  check(thrust_hist::with_flow(rule));
}

// A sample that cannot be copied, and a coordinate that cannot be read, half-way: the rule itself
// throws nothing.
struct copied_or_throws {
  int x;
  explicit copied_or_throws(int x) : x(x) {}
  copied_or_throws(copied_or_throws const& other) : x(other.x) {
    if (throws && x == 700)
      throw std::domain_error("copy");
  }
  static inline bool throws = false;
};
struct x_of {
  int operator()(copied_or_throws const& s) const noexcept { return s.x; }
};
struct read_or_throws {
  int x;
};
template <std::size_t>
int get(read_or_throws const& s) {
  if (s.x == 700)
    throw std::domain_error("coordinate");
  return s.x;
}
template <class System, class Samples, class Rule>
void check_untouched(Samples const& s, Rule const& rule) {
  std::vector<std::uint32_t> out(static_cast<std::size_t>(rule.size()), 7);
  BOOST_CHECK_THROW(
      thrust_hist::histogram(System::policy(), s.data(), s.data() + s.size(), out.data(), rule),
      std::domain_error);
  BOOST_TEST(out == std::vector<std::uint32_t>(out.size(), 7), boost::test_tools::per_element());
}
BOOST_AUTO_TEST_CASE_TEMPLATE(samples_that_throw_half_way, System, test::systems) {
  std::vector<copied_or_throws> copied;
  std::vector<read_or_throws> read;
  for (int i = 0; i < 1000; ++i) {
    copied.emplace_back(i);
    read.push_back({i});
  }
  copied_or_throws::throws = true;
  check_untouched<System>(copied, thrust_hist::make_bins(bins, x_of{}));
  std::vector<std::uint32_t> out(bins, 7);
  std::vector<std::uint32_t> const ones(copied.size(), 1);
  BOOST_CHECK_THROW(
      thrust_hist::histogram_by_key(
          System::policy(), copied.data(), copied.data() + copied.size(), ones.data(), out.data(),
          thrust_hist::make_bins(bins, x_of{})),
      std::domain_error);
  BOOST_TEST(out == std::vector<std::uint32_t>(bins, 7), boost::test_tools::per_element());
  copied_or_throws::throws = false;
  const thrust_hist::grid line(thrust_hist::identity_bins(bins), thrust_hist::identity_bins(2));
  check_untouched<System>(read, line);
  check_untouched<System>(read, thrust_hist::with_flow(line));
}

// So many additions of one no number is too small for.
static_assert(thrust_hist::detail::sequential::is_exact_counter<float>(1 << 24));
static_assert(!thrust_hist::detail::sequential::is_exact_counter<float>((1 << 24) + 1));
static_assert(thrust_hist::detail::sequential::is_exact_counter<double>(std::uint64_t{1} << 53));
static_assert(
    !thrust_hist::detail::sequential::is_exact_counter<double>((std::uint64_t{1} << 53) + 1));

// Pairs that are emitted, by a function that may throw or not.
BOOST_AUTO_TEST_CASE_TEMPLATE(pairs_that_are_emitted, System, test::systems) {
  const std::size_t n = 800;
  const auto s = samples_for<std::uint32_t>(n);
  const auto call = [&](auto emit) {
    return [&s, emit](auto* out, options const& o) {
      thrust_hist::transform_histogram(
          System::policy(), s.data(), s.data() + s.size(), out, bins, emit, o);
    };
  };
  const auto plain = [](std::uint32_t x, auto&& sink) { sink(x); };
  const auto silent = [](std::uint32_t x, auto&& sink) noexcept { sink(x); };
  check_call<System, std::uint32_t>(counts_of(s), n, call(plain));
  check_call<System, std::uint32_t>(counts_of(s), n, call(silent));
  check_call<System, double>(counts_of(s), n, call(silent));
}

BOOST_AUTO_TEST_SUITE_END()
