// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Looks at some keys, and at a part of them: how many are distinct where a sample alone cannot
// tell, keys at the ends of their type, and such as somebody may have chosen.

#include "../support/neighbours.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/functional.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sparse_looks_setup {

using System = test::main_system;
using test::mixed;
namespace on_cuda = thrust_hist::detail::cuda;

// What kernels see of keys.
template <class Key>
class looks_at {
public:
  explicit looks_at(test::samples<Key> const& keys)
      : there_(test::buffer_of<System>(keys)), facts_(memory_, there_.data(), keys.size(), kind),
        guess_(facts_.guess(keys.size(), on_cuda::asked_of_range::nothing)) {}

  double guess() const { return static_cast<double>(guess_); }
  double by_sample() const { return static_cast<double>(facts_.seen().guess(facts_.size())); }
  on_cuda::key_sample const& seen() const { return facts_.seen(); }
  // Whether the code of a key is listed as a frequent one.
  bool is_hot(Key const& key) const {
    const auto code = static_cast<typename kind_type::code>(kind_type::template encode<Key>(key));
    constexpr std::uint32_t half = on_cuda::hot_sample::half;
    std::vector<typename kind_type::code> hot(2 * half);
    BOOST_REQUIRE(
        cudaMemcpy(hot.data(), facts_.hot(), hot.size() * sizeof hot[0], cudaMemcpyDeviceToHost) ==
        cudaSuccess);
    auto const& h = seen().hot;
    for (std::uint32_t i = 0; i < h.size(); ++i)
      if (hot[on_cuda::hot_sample::place(i, h.at_begin)] == code)
        return true;
    return false;
  }

private:
  static inline const auto kind =
      on_cuda::widen(thrust_hist::detail::keys_by<Key>(thrust_hist::detail::no_key_operators{}));
  using kind_type = std::remove_const_t<decltype(kind)>;
  using policy_type = decltype(System::policy());

  policy_type policy_ = System::policy();
  on_cuda::call_memory<policy_type> memory_ = on_cuda::call_memory<policy_type>(policy_);
  System::buffer<Key> there_;
  on_cuda::key_facts<policy_type, Key const*, kind_type> facts_;
  std::uint64_t guess_;
};

template <class Key>
Key key_of(std::uint64_t i) {
  if constexpr (std::is_same_v<Key, float>) {
    const std::uint32_t bits = static_cast<std::uint32_t>(i * 0x9e3779b1U) >> 2;
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  } else {
    return static_cast<Key>(mixed(i));
  }
}

template <class Key>
double distinct_in(test::samples<Key> const& keys) {
  return static_cast<double>(std::unordered_set<Key>(keys.begin(), keys.end()).size());
}

template <class Key>
void check_guess(test::samples<Key> const& keys, double least = 0.75) {
  const looks_at<Key> looks(keys);
  const double truth = distinct_in(keys);
  BOOST_TEST(
      (looks.guess() > least * truth && looks.guess() < 1.25 * truth), looks.guess()
                                                                           << " of " << truth);
}

// Of `few` keys, but for one in `rest`, which is by itself.
template <class Key>
test::samples<Key> with_few(std::size_t n, std::uint64_t few, std::uint64_t rest) {
  return test::samples<Key>(n, [=](std::size_t i) {
    const std::uint64_t x = mixed(i);
    return key_of<Key>(x % rest == 0 ? few + i : mixed(x) % few);
  });
}

constexpr std::size_t n = (std::size_t{1} << 21) + 12345;

}  // namespace sparse_looks_setup

BOOST_AUTO_TEST_SUITE(sparse_looks, THRUST_HIST_TEST_LARGE)
using namespace sparse_looks_setup;

BOOST_AUTO_TEST_CASE(a_part_tells_what_a_sample_does_not) {
  const auto check_type = [](auto zero) {
    using key = decltype(zero);
    check_guess(with_few<key>(n, 5000, 4));
    check_guess(with_few<key>(n, 20000, 2));
    check_guess(with_few<key>(n, 20000, 30));
    check_guess(with_few<key>(n, 100000, n));
    check_guess(test::samples<key>(n, [](std::size_t i) { return key_of<key>(i / 10); }));
  };
  check_type(std::uint32_t{});
  check_type(std::uint64_t{});
  check_type(float{});
  check_type(std::int64_t{});
  const auto half = with_few<std::uint64_t>(n, 20000, 2);
  BOOST_TEST(looks_at<std::uint64_t>(half).by_sample() < 0.5 * distinct_in(half));
}

// Where the host waits for it by itself.
BOOST_AUTO_TEST_CASE(a_part_of_many_keys) {
  check_guess(with_few<std::uint32_t>((std::size_t{1} << 25) + 4096, 100000, 4));
}

BOOST_AUTO_TEST_CASE(keys_at_the_ends_of_their_type_are_seen) {
  const auto check_key = [](auto key, std::uint64_t every) {
    using type = decltype(key);
    const test::samples<type> keys(n, [=](std::size_t i) {
      return mixed(i) % every == 0 ? key : key_of<type>(mixed(mixed(i)) % 30000);
    });
    const looks_at<type> looks(keys);
    const double expected = 65536.0 / static_cast<double>(every);
    BOOST_TEST((looks.seen().most > 0.8 * expected && looks.seen().most < 1.2 * expected));
    BOOST_TEST(looks.is_hot(key));
    check_guess(keys);
    test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
  };
  for (std::uint64_t every : {2, 100}) {
    check_key(std::numeric_limits<std::uint32_t>::max(), every);
    check_key(std::uint32_t{0}, every);
    check_key(std::numeric_limits<std::int32_t>::max(), every);
    check_key(std::numeric_limits<std::int32_t>::min(), every);
    check_key(std::numeric_limits<std::uint64_t>::max(), every);
    check_key(std::uint64_t{0}, every);
    check_key(std::numeric_limits<std::int64_t>::max(), every);
    check_key(std::numeric_limits<float>::infinity(), every);
  }
}

// All of them are counted, and slots have no room.
BOOST_AUTO_TEST_CASE(keys_that_were_chosen) {
  const unsigned shift = 32 - on_cuda::part_sample(n).kept_log2();
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; chosen.size() < n / 8; ++i)
    if (on_cuda::filter_of(i) >> shift == 0)
      chosen.push_back(i);
  const test::samples<std::uint32_t> keys(
      n, [&](std::size_t i) { return chosen[mixed(i) % chosen.size()]; });
  const looks_at<std::uint32_t> looks(keys);
  BOOST_TEST(looks.guess() > 0.5 * static_cast<double>(chosen.size()));
  test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
  const test::samples<std::uint64_t> wide(
      n, [&](std::size_t i) { return std::uint64_t{chosen[mixed(i) % chosen.size()]}; });
  test::check_sparse_counts<System>(wide, test::count_sorted<int>(wide));
}

// Keys that come seldom share tables, which are planned for few, with these.
BOOST_AUTO_TEST_CASE(rows_are_right_where_a_sample_misleads) {
  const auto check_type = [](auto zero) {
    using key = decltype(zero);
    for (std::uint64_t rest : {2, 10}) {
      const auto keys = with_few<key>(4 * n, 100000, rest);
      test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
    }
  };
  check_type(std::uint32_t{});
  check_type(std::uint64_t{});
}

// In tables that are nearly full many codes stand far from their place. These are not too many
// because one of them comes often, all at once, as where keys are sorted.
BOOST_AUTO_TEST_CASE(frequent_keys_that_come_at_once_do_not_give_tables_up) {
  auto const& gpu = on_cuda::current_facts();
  on_cuda::sparse_problem p = {};
  p.code_bytes = 4;
  p.is_number = true;
  // For four tables a multiprocessor: of less, several would have a part of a bucket each.
  const std::uint64_t guess = std::uint64_t{gpu.multiprocessors} * 4 * (1 << 14) / 5;
  const auto plan_for = [&](std::uint64_t inputs) {
    p.inputs = p.most_keys = inputs;
    return on_cuda::plan_hashing_into(inputs, p, guess, gpu, "");
  };
  const auto few = plan_for(1 << 24);
  BOOST_REQUIRE(!few.direct);
  const std::size_t slots = std::size_t{few.buckets.slots()} * few.buckets.layout.tables();
  // Where a table is so full, no 32 rows side by side are, in whatever order codes come; two in a
  // thousand stand far.
  const std::size_t distinct = slots * 70 / 100;
  constexpr std::size_t often = 3000;
  const std::size_t times = few.buckets.slots() * 3 / 8;
  const std::size_t others = distinct / often;  // after each of them, each of these twice
  const std::size_t all = times + 2 * others;
  const test::samples<std::uint32_t> keys(often * all, [=](std::size_t i) {
    const std::size_t in = i % all;
    const std::size_t key = in < times ? i / all : often + i / all * others + (in - times) % others;
    return static_cast<std::uint32_t>(key * 0x9e3779b1U);
  });
  const auto there = test::buffer_of<System>(keys);
  auto policy = System::policy();
  const auto kind = on_cuda::widen(
      thrust_hist::detail::keys_by<std::uint32_t>(thrust_hist::detail::no_key_operators{}));
  using kind_type = std::remove_const_t<decltype(kind)>;
  using policy_type = decltype(policy);
  on_cuda::call_memory<policy_type> memory(policy);
  on_cuda::key_facts<policy_type, std::uint32_t const*, kind_type> facts(
      memory, there.data(), keys.size(), kind);
  on_cuda::hashed_counts<policy_type, std::uint32_t const*, kind_type> counts(facts);
  const auto plan = plan_for(keys.size());
  BOOST_REQUIRE(
      (plan.buckets.slots() == few.buckets.slots() &&
       plan.buckets.layout.tables() == few.buckets.layout.tables()));
  BOOST_TEST(counts.run(plan));
  BOOST_TEST(counts.rows() == often * (others + 1));
}

// The bits by which these are sorted do not tell all of them apart, and what is mended may be long.
BOOST_AUTO_TEST_CASE(frequent_keys_that_share_high_bits_with_others) {
  const test::samples<std::uint64_t> keys(2 * n, [](std::size_t i) {
    const std::uint64_t x = mixed(i);
    return x % 2 == 0 ? mixed(x >> 8 & 1023) : mixed(x >> 8 & 1023) ^ (x >> 40 & 0xff) << 8;
  });
  test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
  const test::samples<std::uint64_t> some(2 * n, [](std::size_t i) {
    const std::uint64_t x = mixed(i);
    return x % 2 == 0 ? mixed(i) : mixed(x >> 8 & 0xffff) ^ (x % 4096 == 1 ? 1 : 0);
  });
  test::check_sparse_counts<System>(some, test::count_sorted<int>(some));
}

// Of so many pairs values are looked at with keys, before it is known what is done: whether they
// fit slots or not, and in vain where keys are distinct, twice with one mailbox; under a cap later.
BOOST_AUTO_TEST_CASE(values_that_are_looked_at_with_keys) {
  constexpr std::size_t many = (std::size_t{1} << 24) + 77;
  const auto check_sums = [](std::size_t distinct, int scale, thrust_hist::options const& o) {
    // Neighbours among keys have values of another size.
    const auto number = [=](std::size_t i) {
      return static_cast<std::size_t>(distinct < many ? mixed(i) % distinct : i);
    };
    const auto key_of = [=](std::size_t i) {
      return static_cast<std::uint32_t>(number(i)) * 0x9e3779b9U;
    };
    const auto value_of = [=](std::size_t i) {
      const auto value = static_cast<float>(1 + mixed(i + many) % 7);
      return std::ldexp(value, number(i) % 2 == 0 ? scale : -scale);
    };
    const test::samples<std::uint32_t> keys(many, key_of);
    const test::samples<float> values(many, value_of);
    std::vector<std::pair<std::uint32_t, double>> sums(distinct);
    for (std::size_t i = 0; i < many; ++i) {
      auto& sum = sums[number(i)];
      sum.first = keys[i];
      sum.second += static_cast<double>(values[i]);
    }
    std::sort(sums.begin(), sums.end());
    test::rows<std::uint32_t, float> expected;
    for (auto const& sum : sums)
      if (sum.second != 0) {
        expected.keys.push_back(sum.first);
        expected.values.push_back(static_cast<float>(sum.second));
      }
    const auto there = test::buffer_of<System>(keys);
    const auto beside = test::buffer_of<System>(values);
    for (int time = 0; time < 2; ++time) {
      test::sparse_output<System, std::uint32_t, float> out(many);
      out.check_ends(
          thrust_hist::sparse_histogram_by_key(
              System::policy(), there.data(), there.data() + many, beside.data(), out.keys(),
              out.values(), thrust::plus<float>{}, o),
          expected.keys.size());
      out.check_equals(expected);
    }
  };
  check_sums(1000, 0, {});
  check_sums(1000, 40, {});
  check_sums(1000, 0, thrust_hist::options{}.max_temporary_bytes(std::size_t{1} << 30));
  check_sums(100000, 0, thrust_hist::options{}.force(thrust_hist::route::hashed));
  check_sums(100000, 40, thrust_hist::options{}.force(thrust_hist::route::hashed));
  check_sums(many, 0, {});
}

BOOST_AUTO_TEST_SUITE_END()
