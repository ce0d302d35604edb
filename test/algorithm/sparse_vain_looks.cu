// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Looks at keys that end early: what is known first, and calls that look no further, or do.

#include "../support/sparse.h"
#include "sparse_reals.h"
#include <thrust_hist/system/cuda/key_facts.cuh>

#include <thrust/functional.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sparse_vain_looks_setup {

using System = test::main_system;
using test::samples;
namespace detail = thrust_hist::detail;
using namespace thrust_hist::detail::cuda;

// What a loop over the same keys sees. `encode(key, code)`: whether that counts.
template <class Code, class Key, class Encode>
key_sample sample_by_loop(samples<Key> const& keys, Encode encode) {
  key_sample seen = {};
  std::unordered_map<Code, std::uint32_t> found;
  Code first = 0;
  encode(keys[0], first);
  for (std::uint32_t i = 0; i < key_sample::size; ++i) {
    if (i == key_sample::size / 2)
      seen.distinct_in_half = static_cast<std::uint32_t>(found.size());
    const auto place =
        static_cast<test::uint128>(detail::mix_code(std::uint64_t{i} + 1)) * keys.size() >> 64;
    Code code = 0;
    const bool has_code = encode(keys[static_cast<std::size_t>(place)], code);
    seen.differing |= code ^ first;
    if (!has_code)
      continue;
    ++found[code];
    if (i < range_sample::size) {
      seen.ends.not_lowest = std::max(seen.ends.not_lowest, ~static_cast<unsigned long long>(code));
      seen.ends.highest = std::max<unsigned long long>(seen.ends.highest, code);
    }
  }
  for (auto const& one : found) {
    ++seen.distinct;
    seen.once += one.second == 1 ? 1 : 0;
    seen.twice += one.second == 2 ? 1 : 0;
    seen.most = std::max(seen.most, one.second);
  }
  return seen;
}
// How many codes of 4 bytes that are drawn together differ in low bits alone, at least and at most:
// which one comes first is not said.
template <class Code, class Key, class Encode>
std::pair<std::uint32_t, std::uint32_t> near_by(samples<Key> const& keys, Encode encode) {
  std::pair<std::uint32_t, std::uint32_t> all = {0, 0};
  for (std::uint32_t i = 0; sizeof(Code) == 4 && i < key_sample::size; i += key_sample::together) {
    std::map<Code, std::map<Code, std::uint32_t>> groups;
    for (std::uint32_t j = i; j < i + key_sample::together; ++j) {
      const auto place =
          static_cast<test::uint128>(detail::mix_code(std::uint64_t{j} + 1)) * keys.size() >> 64;
      Code code = 0;
      if (encode(keys[static_cast<std::size_t>(place)], code) && code != 0)
        ++groups[code >> key_sample::low_bits_of_near][code];
    }
    for (auto const& group : groups) {
      std::uint32_t codes = 0;
      std::uint32_t fewest = key_sample::together;
      for (auto const& one : group.second) {
        codes += one.second;
        fewest = std::min(fewest, one.second);
      }
      all.first += static_cast<std::uint32_t>(group.second.size()) - 1;
      all.second += codes - fewest;
    }
  }
  return all;
}
void check_same(key_sample const& seen, key_sample const& expected) {
  BOOST_TEST(seen.distinct == expected.distinct);
  BOOST_TEST(seen.once == expected.once);
  BOOST_TEST(seen.twice == expected.twice);
  BOOST_TEST(seen.distinct_in_half == expected.distinct_in_half);
  BOOST_TEST(seen.most == expected.most);
  BOOST_TEST(seen.differing == expected.differing);
  BOOST_TEST(seen.ends.not_lowest == expected.ends.not_lowest);
  BOOST_TEST(seen.ends.highest == expected.ends.highest);
}

// What is known first, whether that is enough or not, and what a whole look says of it.
template <class Key>
void check_look(samples<Key> const& keys) {
  const auto kind = widen(detail::keys_by<Key>(detail::no_key_operators{}));
  using code = typename decltype(kind)::code;
  using encoder = wide_code<std::remove_const_t<decltype(kind)>, code>;
  const encoder encode = {kind};
  auto policy = System::policy();
  using policy_type = decltype(policy);
  call_memory<policy_type> memory(policy);
  auto there = test::buffer_of<System>(keys);
  Key const* const begin = there.data();
  const key_sampler<policy_type, Key const*, encoder, code> sampler(
      memory, begin, keys.size(), encode);
  held_array<code, policy_type> hot(memory);
  hot.take(2 * hot_sample::half);
  const auto has_code = [](Key key, code& found) {
    found = static_cast<code>(std::remove_const_t<decltype(kind)>::template encode<Key>(key));
    if constexpr (std::is_floating_point_v<Key>)
      return !std::isnan(key);
    else
      return true;
  };
  const key_sample expected = sample_by_loop<code>(keys, has_code);
  const auto [least_near, most_near] = near_by<code>(keys, has_code);
  const part_sample part(keys.size());
  part_sample const* const wanted = part.comes_along() ? &part : nullptr;
  const auto whole =
      sampler.draw(hot.data(), asked_of_range::all, wanted, nothing_looked_at, nobody_is_content);
  check_same(whole.drawn, expected);
  for (bool is_enough : {false, true}) {
    key_sample first = {};
    const auto found = sampler.draw(
        hot.data(), asked_of_range::all, wanted, nothing_looked_at, [&](auto const& seen) {
          first = seen;
          return is_enough;
        });
    check_same(first, expected);
    check_same(found.drawn, expected);
    BOOST_TEST((first.near_by >= least_near && first.near_by <= most_near));
    BOOST_TEST(found.drawn.near_by == first.near_by);
    auto const& rest = is_enough ? seen_keys{} : whole;
    BOOST_TEST(found.drawn.ranges.codes == rest.drawn.ranges.codes);
    BOOST_TEST(found.drawn.ranges.heaviest == rest.drawn.ranges.heaviest);
    hot_sample const& listed = found.drawn.hot;
    BOOST_TEST(listed.at_begin == rest.drawn.hot.at_begin);
    BOOST_TEST(listed.at_end == rest.drawn.hot.at_end);
    // Of more, some are listed.
    if (listed.at_begin <= hot_sample::half && listed.at_end <= hot_sample::half)
      BOOST_TEST(listed.all == rest.drawn.hot.all);
    BOOST_TEST(found.of_part.distinct == rest.of_part.distinct);
    BOOST_TEST(found.of_part.side_by_side == rest.of_part.side_by_side);
  }
  const key_sample alone = sampler.draw(0);
  BOOST_TEST(alone.distinct == expected.distinct);
  BOOST_TEST(alone.once == expected.once);
}

std::uint32_t spread(std::uint64_t i) {
  return detail::mix_code(static_cast<std::uint32_t>(i));
}
float real(std::uint64_t i) {
  const std::uint32_t bits = spread(i);
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;  // some are no numbers
}

// So many that buckets do not take them with values of 8 bytes.
constexpr std::size_t wide = (std::size_t{19} << 18) + 5;

constexpr std::size_t n_of_many = (std::size_t{1} << 23) + 5;  // and of which some ask for bits

struct either_long {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    return a ^ b;
  }
};

template <class Value, class Key>
void check_call(samples<Key> const& keys) {
  const samples<Value> values(
      keys.size(), [](std::size_t i) { return static_cast<Value>(i % 1000); });
  const auto expected = [&] {
    if constexpr (std::is_floating_point_v<Key>)
      return test::reduce_reals<Value>(keys, values);
    else
      return test::reduce_sorted<Value>(keys, values, test::by_less{}, test::by_plus{});
  }();
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  Key const* const first = keys_there.data();
  test::sparse_output<System, Key, Value> out(keys.size());
  const auto ends = thrust_hist::sparse_histogram_by_key(
      System::policy(), first, first + keys.size(), values_there.data(), out.keys(), out.values(),
      thrust::plus<Value>{});
  out.check_ends(ends, expected.keys.size());
  out.check_equals(expected);
}

// What is known of keys once somebody has looked who asks whether that is in vain.
template <class Key, class Check>
void with_facts(samples<Key> const& keys, Check check) {
  const auto kind = widen(detail::keys_by<Key>(detail::no_key_operators{}));
  auto policy = System::policy();
  call_memory<decltype(policy)> memory(policy);
  auto there = test::buffer_of<System>(keys);
  Key const* const begin = there.data();
  key_facts<decltype(policy), Key const*, std::remove_const_t<decltype(kind)>> facts(
      memory, begin, keys.size(), kind);
  check(facts);
}

}  // namespace sparse_vain_looks_setup

BOOST_AUTO_TEST_SUITE(sparse_vain_looks, THRUST_HIST_TEST_LARGE)
using namespace sparse_vain_looks_setup;

BOOST_AUTO_TEST_CASE(kernels_see_what_a_loop_does) {
  for (std::size_t n :
       {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20, (std::size_t{1} << 21) + 77})
    BOOST_TEST_CONTEXT(n << " keys") {
      check_look(samples<std::uint32_t>(n, spread));
      check_look(samples<std::uint32_t>(n, [](std::size_t i) { return spread(i % 70000); }));
      check_look(
          samples<std::uint32_t>(n, [](std::size_t i) { return spread(i / 9 << 8) + i % 9; }));
      check_look(samples<std::uint32_t>(n, [](std::size_t) { return 0; }));
      check_look(samples<std::uint32_t>(n, [](std::size_t) { return ~0U; }));
      check_look(samples<std::int32_t>(n, [](std::size_t i) { return static_cast<int>(i) - 500; }));
      check_look(samples<float>(n, real));
      check_look(
          samples<std::uint64_t>(n, [](std::size_t i) { return detail::mix_code(i % 5000); }));
      check_look(
          samples<float>(n, [](std::size_t) { return std::numeric_limits<float>::quiet_NaN(); }));
    }
}

BOOST_AUTO_TEST_CASE(where_the_rest_is_in_vain_it_is_as_if_nobody_had_looked) {
  const auto check = [](std::uint64_t distinct, bool is_vain) {
    constexpr std::size_t n = n_of_many;
    with_facts(
        samples<std::uint32_t>(n, [=](std::size_t i) { return spread(i % distinct); }),
        [&](auto& facts) {
          const std::uint64_t guess = facts.guess(
              n, asked_of_range::all, nothing_looked_at, vain_look{true, n / 16, n}, false);
          BOOST_TEST((guess == n) == is_vain);
          BOOST_TEST(facts.looks() == !is_vain);
          BOOST_TEST((facts.seen().distinct == 0) == is_vain);
        });
  };
  check(n_of_many, true);
  check(n_of_many / 10, true);
  check(n_of_many / 100, false);
  check(1, false);
}
// Whether the rest is in vain or not.
BOOST_AUTO_TEST_CASE(short_groups_are_seen_at_once) {
  const auto check = [](auto key, bool are_short) {
    with_facts(samples<std::uint32_t>(wide, key), [&](auto& facts) {
      BOOST_TEST(!facts.have_short_groups());
      for (std::uint64_t most : {wide / 16, wide}) {
        facts.guess(
            wide, asked_of_range::nothing, nothing_looked_at, vain_look{true, most, most}, false);
        BOOST_TEST(facts.have_short_groups() == are_short);
      }
    });
  };
  check(spread, true);
  check([](std::size_t i) { return spread(i % (wide / 100)); }, true);
  check([](std::size_t i) { return spread(i % 1000); }, false);  // too long ones
  check([](std::size_t i) { return (spread(i / 100) & ~0xffU) + i % 100; }, false);
  check([](std::size_t i) { return i % 16384 == 0 ? 7U : spread(i); }, true);
  check([](std::size_t i) { return i % 1024 == 0 ? 7U : spread(i); }, false);
}
BOOST_AUTO_TEST_CASE(whether_keys_come_in_order_is_seen_where_somebody_asks) {
  constexpr std::size_t few = std::size_t{1} << 20;  // nobody else reads a part
  const auto come_in_order = [](samples<std::uint32_t> const& keys, bool asks) {
    bool found = false;
    with_facts(keys, [&](auto& facts) {
      static_cast<void>(
          facts.guess(1000, asked_of_range::nothing, nothing_looked_at, vain_look{}, asks));
      found = facts.come_in_order();
      BOOST_TEST(!facts.are_in_order());  // that would be of a guess by a part
    });
    return found;
  };
  const samples<std::uint32_t> sorted(few, [](std::size_t i) { return spread(i / 1000); });
  const samples<std::uint32_t> others(
      few, [](std::size_t i) { return spread(detail::mix_code(i) % 1000); });
  BOOST_TEST(come_in_order(sorted, true));
  BOOST_TEST(!come_in_order(sorted, false));
  BOOST_TEST(!come_in_order(others, true));
}
// They differ above their lowest 64 bits, below, or in both.
BOOST_AUTO_TEST_CASE(a_part_of_keys_of_16_bytes) {
  constexpr std::size_t n = (std::size_t{1} << 21) + 12345;
  constexpr double distinct = 50000;
  for (int shift : {0, 64, 96})
    BOOST_TEST_CONTEXT("from bit " << shift) {
      const samples<test::uint128> keys(n, [=](std::size_t i) {
        return test::uint128{spread(detail::mix_code(i) % 50000)} << shift;
      });
      with_facts(keys, [&](auto& facts) {
        facts.have_seen();
        const auto guess = static_cast<double>(facts.guess_seen(n));
        BOOST_TEST((guess > 0.75 * distinct && guess < 1.25 * distinct), guess);
      });
    }
}

BOOST_AUTO_TEST_CASE(keys_nearly_all_of_which_are_distinct) {
  check_call<double>(samples<std::uint32_t>(n_of_many, spread));
  check_call<double>(samples<std::uint32_t>(wide, spread));
  check_call<std::int64_t>(
      samples<std::uint32_t>(wide, [](std::size_t i) { return spread(i / 4); }));
  check_call<double>(samples<float>(wide, real));
  // Many that are no numbers, and one that comes often: long groups, but in order.
  constexpr std::size_t n = (std::size_t{1} << 22) + 77;
  const auto real_of = [](std::size_t i) {
    return i % 300 == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : std::ldexp(static_cast<double>(detail::mix_code(i)), -30);
  };
  check_call<double>(samples<double>(n, real_of));
  check_call<double>(samples<std::uint64_t>(
      n, [](std::size_t i) { return i % 100 == 0 ? 1234567 : detail::mix_code(i); }));
  // Where no sample sees that many share high bits, or a few do: some thousands, so that all are
  // sorted once more, or some hundreds.
  for (std::uint32_t crowd : {5000, 700})
    check_call<double>(samples<std::uint32_t>(wide, [=](std::size_t i) {
      const bool is_there = i % 900 == 1 && i / 900 < crowd;
      return is_there ? 0x12345600U + static_cast<std::uint32_t>(i / 900 % 200) : spread(i);
    }));
}
BOOST_AUTO_TEST_CASE(keys_that_are_looked_at_to_the_end) {
  check_call<double>(samples<std::uint32_t>(
      wide, [](std::size_t i) { return spread(detail::mix_code(i) % 3000); }));
  check_call<std::int64_t>(samples<std::uint32_t>(
      wide, [](std::size_t i) { return static_cast<std::uint32_t>(i * 7919 % (wide / 6)); }));
  check_call<double>(samples<float>(
      wide, [](std::size_t i) { return static_cast<float>(detail::mix_code(i) % 3000); }));
  check_call<double>(samples<float>(wide, [](std::size_t i) {
    return i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i % 9);
  }));
}

// By an operator that hash tables have no slots for: row by row, or sorted where keys come in
// order.
BOOST_AUTO_TEST_CASE(few_keys_whose_values_have_no_slots) {
  constexpr std::size_t n = (std::size_t{1} << 24) + 7;
  constexpr std::uint64_t distinct = 900;
  const auto check = [](auto which) {
    const samples<std::uint32_t> keys(n, [=](std::size_t i) { return spread(which(i)); });
    const samples<std::uint64_t> values(n, [](std::size_t i) { return detail::mix_code(i); });
    std::vector<std::uint64_t> folded(distinct);
    for (std::size_t i = 0; i < n; ++i)
      folded[which(i)] ^= values[i];
    std::map<std::uint32_t, std::uint64_t> sorted;
    for (std::uint64_t i = 0; i < distinct; ++i)
      sorted[spread(i)] = folded[i];
    test::rows<std::uint32_t, std::uint64_t> expected;
    for (auto const& [key, value] : sorted) {
      expected.keys.push_back(key);
      expected.values.push_back(value);
    }
    auto keys_there = test::buffer_of<System>(keys);
    auto values_there = test::buffer_of<System>(values);
    std::uint32_t const* const first = keys_there.data();
    test::sparse_output<System, std::uint32_t, std::uint64_t> out(n);
    const auto ends = thrust_hist::sparse_histogram_by_key(
        System::policy(), first, first + n, values_there.data(), out.keys(), out.values(),
        either_long{});
    out.check_ends(ends, expected.keys.size());
    out.check_equals(expected);
  };
  check([](std::size_t i) { return detail::mix_code(i) % distinct; });
  check([](std::size_t i) { return i * distinct / n; });
}

BOOST_AUTO_TEST_SUITE_END()
