// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys of which most are distinct, put in order bucket by bucket: all types of keys, wherever they
// lie, in buckets that are equally wide or begin at drawn keys, and where it turns out that a
// bucket has no room for its keys.

#include "../support/containers.h"
#include "../support/neighbours.h"
#include "../support/pretended_gpu.h"
#include "../support/sparse.h"
#include "sparse_ranges.h"
#include <thrust_hist/sparse_histogram.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace sparse_ordered_setup {

using System = test::main_system;
using test::mixed;
using test::ranges_of;
using thrust_hist::route;
namespace on_cuda = thrust_hist::detail::cuda;

// Whether keys are put in order, whatever a sample says.
template <class Key>
bool are_ordered(
    test::samples<Key> const& keys, test::rows<Key, int> const& expected, bool is_uneven = false) {
  ranges_of<Key> ranges(keys);
  auto plan = ranges.forced(keys.size());
  plan.is_ordered = true;
  plan.is_uneven = plan.is_chosen = plan.whole_range = is_uneven;
  plan.rounds = is_uneven ? 1 : 0;
  const bool are_written = ranges.are_written(plan, expected);
  BOOST_TEST(ranges.are_counted(plan) == are_written);
  return are_written;
}
template <class Key>
void check(test::samples<Key> const& keys) {
  BOOST_TEST(are_ordered(keys, test::count_sorted<int>(keys)), keys.size() << " keys");
}
template <class Key>
void check_uneven(test::samples<Key> const& keys) {
  BOOST_TEST(are_ordered(keys, test::count_sorted<int>(keys), true), keys.size() << " keys");
}
// The same in two rounds, each of which has the rows of the lower or the upper half: with rows at
// once, since a round is counted before there are any of the next one.
template <class Key>
bool are_ordered_in_rounds(test::samples<Key> const& keys) {
  ranges_of<Key> ranges(keys);
  auto plan = ranges.forced(keys.size());
  plan.is_ordered = plan.is_uneven = plan.is_chosen = plan.whole_range = true;
  plan.rounds = 2;
  return ranges.are_written(plan, test::count_sorted<int>(keys));
}

// Keys by a random number and another one: dense at the low end; half of them in a narrow part; in
// clusters of so many.
template <class Key>
Key square(std::uint64_t a, std::uint64_t) {
  return static_cast<Key>(
      static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * a >> 64) >>
      (64 - 8 * sizeof(Key)));
}
template <class Key>
Key half_in_a_part(std::uint64_t a, std::uint64_t b) {
  const auto wide = static_cast<Key>(a >> (64 - 8 * sizeof(Key)));
  return b % 2 == 0 ? wide : static_cast<Key>(Key{1} << (8 * sizeof(Key) - 2)) + wide / 128;
}
template <class Key, unsigned Clusters>
Key clustered(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t centre = mixed(b % Clusters) >> (64 - 8 * sizeof(Key));
  return static_cast<Key>(centre + (a >> (sizeof(Key) == 4 ? 49 : 30)));
}
template <class Key>
test::samples<Key> uneven(std::size_t n, Key (*key)(std::uint64_t, std::uint64_t)) {
  return test::samples<Key>(n, [=](std::size_t i) { return key(mixed(mixed(i)), mixed(i) + 9); });
}

// n keys of so many different ones all over 2^bits, from `first` on.
template <class Key>
test::samples<Key> spread(std::size_t n, Key first, unsigned bits, std::uint64_t distinct) {
  return test::samples<Key>(n, [=](std::size_t i) {
    const std::uint64_t random = mixed(mixed(i % distinct) ^ 77);
    return static_cast<Key>(first + static_cast<Key>(random >> (64 - bits)));
  });
}

// Of less than 2, either sign, with codes that are all as probable.
template <class Real>
Real real_of_an_even_code(std::size_t i) {
  using word = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  constexpr unsigned bits = 8 * sizeof(word);
  return thrust_hist::detail::bit_cast<Real>(
      static_cast<word>(mixed(mixed(i)) >> (64 - bits) & ~(std::uint64_t{1} << (bits - 2))));
}

template <class Real>
Real cube(std::size_t i) {
  const auto x = static_cast<Real>(static_cast<std::int64_t>(mixed(mixed(i)))) / Real(1e18);
  return x * x * x;
}
// Keys that are no numbers have rows of their own, behind all others; both zeros have one.
template <class Real, class At>
void check_reals(std::size_t n, At at, bool is_uneven) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Real zero = 0;
  for (std::size_t with_nan : {10, 99999, 1 << 20}) {
    const test::samples<Real> keys(n, [=](std::size_t i) {
      return i % with_nan == 1 ? nan : i % 500 == 7 ? (i % 1000 == 7 ? zero : -zero) : at(i);
    });
    std::vector<Real> numbers;
    for (Real x : keys)
      if (x == x)
        numbers.push_back(x == 0 ? zero : x);
    auto expected = test::count_sorted<int>(test::samples<Real>(numbers));
    expected.keys.resize(expected.keys.size() + keys.size() - numbers.size(), nan);
    expected.values.resize(expected.keys.size(), 1);
    BOOST_TEST(are_ordered(keys, expected, is_uneven), with_nan);
  }
}

template <class Key>
void check_rows(test::samples<Key> const& keys) {
  const auto expected = test::count_sorted<int>(keys);
  test::sparse_output<System, Key, int> out(keys.size());
  const auto there = test::buffer_of<System>(keys);
  Key const* const first = there.data();
  out.check_ends(
      thrust_hist::sparse_histogram(
          System::policy(), first, first + keys.size(), out.keys(), out.values()),
      expected.keys.size());
  out.check_equals(expected);
  // And where rows are counted first.
  test::vector_of<System, Key> unique;
  test::vector_of<System, int> counts;
  thrust_hist::sparse_histogram(System::policy(), first, first + keys.size(), unique, counts);
  BOOST_TEST((test::contents(unique) == expected.keys));
  BOOST_TEST((test::contents(counts) == expected.values));
}

// By a call of its own.
template <class Key>
void check_call(test::samples<Key> const& keys, bool is_counted = true, bool is_uneven = false) {
  ranges_of<Key> ranges(keys);
  ranges.look();
  BOOST_TEST((ranges.plan().taken == route::partitioned));
  BOOST_TEST(ranges.plan().is_ordered);
  BOOST_TEST(ranges.plan().is_uneven == is_uneven);
  BOOST_TEST(ranges.are_counted(ranges.plan()) == is_counted);
  check_rows(keys);
}

}  // namespace sparse_ordered_setup

BOOST_AUTO_TEST_SUITE(sparse_ordered, THRUST_HIST_TEST_SMALL)
using namespace sparse_ordered_setup;

BOOST_AUTO_TEST_CASE(keys_of_any_type_wherever_they_lie) {
  for (std::size_t n : {40000, 70001, 131071})
    for (std::uint64_t distinct : {n, n / 2, n / 9}) {
      check(spread<unsigned>(n, 0, 32, distinct));
      check(spread<int>(n, (std::numeric_limits<int>::min)(), 32, distinct));
      check(spread<int>(n, -1000, 24, distinct));
      check(spread<unsigned>(n, 1U << 31, 18, distinct));
      check(spread<std::uint64_t>(n, 0, 64, distinct));
      check(spread<std::int64_t>(n, -(std::int64_t{1} << 50), 51, distinct));
      check(spread<std::uint64_t>(n, std::uint64_t{1} << 40, 33, distinct));
      check(spread<std::uint64_t>(n, std::uint64_t{1} << 40, 20, distinct));
    }
}

BOOST_AUTO_TEST_CASE(real_numbers_and_what_is_none) {
  check_reals<float>(100003, real_of_an_even_code<float>, false);
  check_reals<double>(100003, real_of_an_even_code<double>, false);
}

BOOST_AUTO_TEST_CASE(ends_of_types_and_sorted_keys) {
  const auto even = spread<std::uint64_t>(100003, 0, 64, 100003);
  std::vector<std::uint64_t> list(even.begin(), even.end());
  for (std::uint64_t end : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
    list.insert(list.end(), 3, end);
  check(test::samples<std::uint64_t>(list));
  std::sort(list.begin(), list.end());
  check(test::samples<std::uint64_t>(list));
  std::reverse(list.begin(), list.end());
  check(test::samples<std::uint64_t>(list));
}

// A group may have more keys than a thread sorts, or than the lanes of a warp are.
BOOST_AUTO_TEST_CASE(some_keys_crowd) {
  for (std::size_t crowd : {9, 32, 33, 64, 300, 700})
    for (std::uint64_t distinct : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 20}) {
      check(test::samples<unsigned>(100003, [=](std::size_t i) {
        return i % 100 == 0 && i / 100 < crowd
                   ? static_cast<unsigned>(0x80001000U + mixed(i) % distinct)
                   : static_cast<unsigned>(mixed(mixed(i)) >> 32);
      }));
      check(test::samples<std::uint64_t>(100003, [=](std::size_t i) {
        return i % 100 == 0 && i / 100 < crowd ? (std::uint64_t{77} << 50) + mixed(i) % distinct
                                               : mixed(mixed(i));
      }));
    }
}

BOOST_AUTO_TEST_CASE(a_bucket_without_room_is_noticed_and_nothing_written_beyond) {
  const test::samples<unsigned> keys(100003, [](std::size_t i) {
    return i % 5 == 0 ? static_cast<unsigned>(1000 + i) : static_cast<unsigned>(mixed(i) >> 32);
  });
  BOOST_TEST(!are_ordered(keys, test::count_sorted<int>(keys)));
}

BOOST_AUTO_TEST_CASE(gpus_with_less_shared_memory) {
  for (std::size_t kibibytes : {48, 99, 163}) {
    const test::pretended_gpu pretended(
        {20, kibibytes * 1024, (kibibytes + 1) * 1024, std::size_t{4} << 20});
    check(spread<unsigned>(100003, 0, 32, 60000));
    check(spread<std::uint64_t>(100003, 0, 64, 60000));
    check_uneven(uneven<unsigned>(200003, square));
    check_uneven(uneven<std::uint64_t>(200003, clustered<std::uint64_t, 1000>));
  }
}

BOOST_AUTO_TEST_CASE(uneven_keys_of_any_type) {
  for (std::size_t n : {100003, 262144, 400001}) {
    check_uneven(uneven<unsigned>(n, square));
    check_uneven(uneven<unsigned>(n, half_in_a_part));
    check_uneven(uneven<unsigned>(n, clustered<unsigned, 10>));
    check_uneven(uneven<unsigned>(n, clustered<unsigned, 1000>));
    check_uneven(uneven<std::uint64_t>(n, square));
    check_uneven(uneven<std::uint64_t>(n, half_in_a_part));
    check_uneven(uneven<std::uint64_t>(n, clustered<std::uint64_t, 10>));
    check_uneven(uneven<std::uint64_t>(n, clustered<std::uint64_t, 1000>));
    check_uneven(uneven<std::uint64_t>(n, clustered<std::uint64_t, 20000>));
    check_uneven(spread<int>(n, -1000, 24, n));
    check_uneven(spread<std::int64_t>(n, -(std::int64_t{1} << 50), 51, n / 3));
    check_uneven(spread<std::uint64_t>(n, 0, 16, n));  // each key several times
  }
}

BOOST_AUTO_TEST_CASE(uneven_real_numbers_and_what_is_none) {
  check_reals<float>(200003, cube<float>, true);
  check_reals<double>(200003, cube<double>, true);
}

// Sorted and reversed; and crowds of any size of a key or of neighbours, among them the lowest and
// the highest code, which one or two buckets begin with.
BOOST_AUTO_TEST_CASE(uneven_keys_in_order_and_crowds) {
  const auto keys = uneven<std::uint64_t>(200003, clustered<std::uint64_t, 1000>);
  std::vector<std::uint64_t> list(keys.begin(), keys.end());
  std::sort(list.begin(), list.end());
  check_uneven(test::samples<std::uint64_t>(list));
  std::reverse(list.begin(), list.end());
  check_uneven(test::samples<std::uint64_t>(list));
  for (std::size_t crowd : {40, 100, 200, 700, 2500})
    for (std::uint64_t distinct : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 20})
      for (std::uint64_t first :
           {std::uint64_t{0}, std::uint64_t{77} << 50, ~std::uint64_t{0} << 20,
            ~std::uint64_t{0}}) {
        const auto crowded = [=](std::size_t i, std::uint64_t other) {
          return i % 50 == 0 && i / 50 < crowd ? first + mixed(i) % distinct : other;
        };
        check_uneven(test::samples<std::uint64_t>(200003, [=](std::size_t i) {
          return crowded(i, square<std::uint64_t>(mixed(mixed(i)), 0));
        }));
        check_uneven(test::samples<unsigned>(200003, [=](std::size_t i) {
          return static_cast<unsigned>(crowded(i, mixed(mixed(i)) >> 40));
        }));
      }
}

// Places with gaps between them, of which a bucket has none, one or many, at the ends of the type
// and elsewhere, as dense as each other or not, and with a few keys between.
BOOST_AUTO_TEST_CASE(uneven_keys_with_gaps) {
  const auto check_type = [](auto zero) {
    using key = decltype(zero);
    constexpr unsigned bits = 8 * sizeof(key);
    for (std::uint64_t places : {1, 2, 3, 5, 8, 20, 32, 60, 64, 90, 150, 1000})
      for (unsigned differing : {1, 3, 10})
        for (std::size_t between : {0, 100}) {
          const auto step = static_cast<key>(static_cast<key>(~key{0}) / places);
          check_uneven(test::samples<key>(100003, [=](std::size_t i) {
            const std::uint64_t place = mixed(i) % places;
            const auto width = bits == 32 ? 4 + place % differing : 9 + 2 * (place % differing);
            const auto within = static_cast<key>(mixed(mixed(i)) >> (64 - width));
            const auto first = static_cast<key>(step * static_cast<key>(place));
            if (between != 0 && i % between == 0)
              return static_cast<key>(mixed(i + 1) >> (64 - bits));
            return place % 2 == 0 ? static_cast<key>(first + within)
                                  : static_cast<key>(first + (step - within));
          }));
        }
  };
  check_type(0U);
  check_type(std::uint64_t{0});
}

// Those that are in the sample are counted beside buckets, of which most are empty then.
BOOST_AUTO_TEST_CASE(frequent_keys_in_drawn_buckets) {
  for (std::uint64_t distinct : {1, 2, 3, 60, 1000, 20000}) {
    check_uneven(spread<unsigned>(200003, 0, 32, distinct));
    check_uneven(spread<std::uint64_t>(200003, 0, 64, distinct));
  }
  for (std::uint64_t key : {std::uint64_t{0}, std::uint64_t{12345}, ~std::uint64_t{0}})
    for (std::size_t every : {2, 3, 10, 100}) {
      check_uneven(test::samples<std::uint64_t>(200003, [=](std::size_t i) {
        return i % every == 0 ? key : square<std::uint64_t>(mixed(mixed(i)), 0);
      }));
      check_uneven(test::samples<unsigned>(200003, [=](std::size_t i) {
        return i % every != 1 ? static_cast<unsigned>(key) : square<unsigned>(mixed(mixed(i)), 0);
      }));
    }
  // The i-th one about n / i times.
  check_uneven(test::samples<std::uint64_t>(
      200003, [](std::size_t i) { return mixed(200003 / (1 + mixed(mixed(i)) % 200003)); }));
}

// A round begins with a code of the sample: one of many, the lowest or the highest of all, or one
// so frequent that there is nothing in a round, or no room for it.
BOOST_AUTO_TEST_CASE(drawn_buckets_in_rounds) {
  for (std::size_t n : {100003, 262144, 400001}) {
    BOOST_TEST(are_ordered_in_rounds(uneven<std::uint64_t>(n, square)));
    BOOST_TEST(are_ordered_in_rounds(uneven<std::uint64_t>(n, half_in_a_part)));
    BOOST_TEST(are_ordered_in_rounds(uneven<std::uint64_t>(n, clustered<std::uint64_t, 10>)));
    BOOST_TEST(are_ordered_in_rounds(uneven<std::uint64_t>(n, clustered<std::uint64_t, 20000>)));
    BOOST_TEST(are_ordered_in_rounds(spread<std::int64_t>(n, -1000, 40, n)));
    BOOST_TEST(are_ordered_in_rounds(spread<std::int64_t>(n, -(std::int64_t{1} << 50), 51, n / 3)));
    BOOST_TEST(are_ordered_in_rounds(spread<std::uint64_t>(n, 0, 16, n)));
  }
  for (std::uint64_t key : {std::uint64_t{0}, std::uint64_t{12345} << 40, ~std::uint64_t{0}})
    for (std::uint64_t other : {std::uint64_t{0}, std::uint64_t{5} << 60, ~std::uint64_t{0}})
      for (std::size_t every : {1, 2, 3, 1000, 5000}) {
        const test::samples<std::uint64_t> keys(100003, [=](std::size_t i) {
          const bool is_rare = every >= 1000 || i % 7 == 0;
          return i % every == 0 ? key : is_rare ? mixed(mixed(i)) : other + i % 5;
        });
        // Where some are frequent it may have to be noticed; what is written is right.
        const bool are_all = are_ordered_in_rounds(keys);
        BOOST_TEST((are_all || every < 1000));
      }
}

// Keys at the places that are drawn say nothing of others.
BOOST_AUTO_TEST_CASE(a_drawn_bucket_without_room_is_noticed) {
  constexpr std::size_t n = 200003;
  const test::samples<unsigned> keys(
      n, [](std::size_t i) { return static_cast<unsigned>(mixed(mixed(i)) >> 32) | 1U << 31; });
  std::vector<unsigned> list(keys.begin(), keys.end());
  for (std::uint64_t i = 0; i < 30000; ++i) {
    const auto place =
        static_cast<unsigned __int128>(thrust_hist::detail::mix_code(i + 1)) * n >> 64;
    list[static_cast<std::size_t>(place)] = static_cast<unsigned>(i);
  }
  const test::samples<unsigned> misleading(list);
  BOOST_TEST(!are_ordered(misleading, test::count_sorted<int>(misleading), true));
}

// The same in the second round, when the first one has its rows.
BOOST_AUTO_TEST_CASE(a_bucket_without_room_in_the_second_round_is_noticed) {
  constexpr std::size_t n = 200003;
  std::vector<std::uint64_t> list(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t random = mixed(mixed(i));
    list[i] = i % 2 == 0 ? random >> 1 : std::uint64_t{3} << 62 | random >> 30;
  }
  for (std::uint64_t i = 0; i < 30000; ++i) {
    const auto place =
        static_cast<unsigned __int128>(thrust_hist::detail::mix_code(i + 1)) * n >> 64;
    list[static_cast<std::size_t>(place)] = mixed(i);
  }
  BOOST_TEST(!are_ordered_in_rounds(test::samples<std::uint64_t>(list)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_ordered_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_ordered_setup;

BOOST_AUTO_TEST_CASE(it_is_chosen_for_even_keys) {
  const std::size_t few = (std::size_t{1} << 22) + 5;
  const std::size_t many = (std::size_t{1} << 23) + 5;
  for (std::uint64_t of_key : {1, 3}) {
    check_call(spread<std::uint64_t>(few, 0, 64, few / of_key));
    check_call(spread<std::int64_t>(few, -12345, 50, few / of_key));
    check_call(spread<std::uint64_t>(few, 1U << 31, 31, few / of_key));
    check_call(spread<unsigned>(many, 0, 32, many / of_key));
    check_call(spread<int>(many, -(1 << 29), 30, many / of_key));
  }
  check_call(test::samples<float>(many, real_of_an_even_code<float>));
  check_call(test::samples<double>(few, real_of_an_even_code<double>));
}

BOOST_AUTO_TEST_CASE(drawn_buckets_are_chosen_for_uneven_keys) {
  const std::size_t few = (std::size_t{1} << 22) + 5;
  const std::size_t many = (std::size_t{1} << 23) + 5;
  check_call(uneven<std::uint64_t>(few, square), true, true);
  check_call(uneven<std::uint64_t>(few, half_in_a_part), true, true);
  check_call(uneven<std::uint64_t>(few, clustered<std::uint64_t, 100>), true, true);
  check_call(uneven<std::uint64_t>(few, clustered<std::uint64_t, 1000>), true, true);
  check_call(uneven<unsigned>(many, square), true, true);
  check_call(uneven<unsigned>(many, half_in_a_part), true, true);
  check_call(test::samples<float>(many, cube<float>), true, true);
}

// One begins ranges of the sample, in which codes beside it are not to be lost.
BOOST_AUTO_TEST_CASE(a_frequent_key_leaves_room_for_others) {
  const auto check_key = [](auto key, std::size_t n) {
    using type = decltype(key);
    for (std::size_t every : {2, 3, 10, 30, 60})
      check_uneven(test::samples<type>(n, [=](std::size_t i) {
        return mixed(i) % every == 0 ? key : square<type>(mixed(mixed(i)), 0);
      }));
  };
  check_key(0x12345678U, (std::size_t{1} << 22) + 5);
  check_key(std::uint64_t{12345} << 45, (std::size_t{1} << 20) + 5);
  check_key(std::uint64_t{0}, (std::size_t{1} << 21) + 5);
}

// Whatever they look like: nobody looks.
BOOST_AUTO_TEST_CASE(drawn_buckets_are_taken_for_few_keys) {
  const auto check_few = [](auto const& keys) {
    using key = std::decay_t<decltype(keys[0])>;
    ranges_of<key> ranges(keys);
    BOOST_TEST((ranges.plan().taken == route::partitioned));
    BOOST_TEST(ranges.plan().is_uneven);
    BOOST_TEST(ranges.are_counted(ranges.plan()));
    check_rows(keys);
  };
  const auto check_type = [&](auto zero) {
    using key = decltype(zero);
    const std::size_t n = on_cuda::inputs_worth_drawing + 5;
    for (std::uint64_t distinct :
         {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{n / 3}, std::uint64_t{n}})
      check_few(spread<key>(n, 0, 8 * sizeof(key), distinct));
    check_few(uneven<key>(n, square));
    check_few(uneven<key>(n, clustered<key, 1000>));
    check_few(test::samples<key>(
        n, [=](std::size_t i) { return static_cast<key>(mixed(n / (1 + mixed(mixed(i)) % n))); }));
  };
  check_type(0U);
  check_type(std::uint64_t{0});
  const test::samples<double> reals(on_cuda::inputs_worth_drawing + 5, [](std::size_t i) {
    return real_of_an_even_code<double>(i);
  });
  check_few(reals);
}

// To a sample of parts they look even. Those that are near each other are seen; where that is not
// known, buckets that are equally wide have groups that are too long.
BOOST_AUTO_TEST_CASE(clusters_at_equal_distances) {
  const auto clusters = [](auto zero, std::size_t n, unsigned spread) {
    using key = decltype(zero);
    constexpr unsigned bits = 8 * sizeof(key);
    return test::samples<key>(n, [=](std::size_t i) {
      const key centre = static_cast<key>(key(mixed(i) % 1000) << (bits - 10));
      return static_cast<key>(centre + static_cast<key>(mixed(mixed(i)) >> (64 - spread)));
    });
  };
  const std::size_t many = (std::size_t{1} << 23) + 5;
  check_call(clusters(std::uint64_t{0}, (std::size_t{1} << 22) + 5, 22), true, true);
  check_call(clusters(std::uint64_t{0}, many, 34), true, true);
  const auto wide_ones = clusters(std::uint64_t{0}, many, 34);
  BOOST_TEST(!are_ordered(wide_ones, test::count_sorted<int>(wide_ones)));
  // Of 4 bytes, at equal distances or not.
  for (const auto& short_ones :
       {clusters(0U, many, 15), uneven<unsigned>(many, clustered<unsigned, 1000>)}) {
    BOOST_TEST(ranges_of<unsigned>(short_ones).look().ranges.near_others > 512U);
    check_call(short_ones, true, true);
  }
  // So many that a bucket has several.
  const auto small_ones = uneven<unsigned>(many, clustered<unsigned, 5000>);
  ranges_of<unsigned> ranges(small_ones);
  BOOST_TEST(ranges.look().ranges.has_spikes());
  BOOST_TEST((ranges.plan().taken == route::sorted));
  check_rows(small_ones);
}

BOOST_AUTO_TEST_CASE(groups_may_be_of_any_length) {
  for (std::size_t equal : {2500, 12000}) {
    const test::samples<unsigned> keys((std::size_t{1} << 23) + 5, [=](std::size_t i) {
      return i % 1000 == 0 && i / 1000 < equal ? 0x80000001U
                                               : static_cast<unsigned>(mixed(mixed(i)) >> 32);
    });
    BOOST_TEST(are_ordered(keys, test::count_sorted<int>(keys)) == (equal < 4000));
    BOOST_TEST(are_ordered(keys, test::count_sorted<int>(keys), true));
  }
}

BOOST_AUTO_TEST_CASE(some_keys_lie_outside_of_the_expected_range) {
  const std::size_t n = (std::size_t{1} << 22) + 5;
  const auto with = [=](std::uint64_t first, std::uint64_t wide, std::uint64_t outside) {
    return test::samples<std::uint64_t>(n, [=](std::size_t i) {
      const auto place = static_cast<unsigned __int128>(mixed(mixed(i))) * wide >> 64;
      return i == 123456 ? outside : first + static_cast<std::uint64_t>(place);
    });
  };
  constexpr std::uint64_t first = std::uint64_t{1} << 62, wide = std::uint64_t{1} << 61;
  check_call(with(first, wide, first + wide));  // within the margin
  check_call(with(first, wide, first + wide + wide / 8));
  check_call(with(first, wide, first - wide / 8));
  check_call(with(1000, 4080218931U, 4724464025U));  // 0.95 and 1.1 times 2^32: codes of 8 bytes
  for (std::uint64_t outside : {std::uint64_t{0}, ~std::uint64_t{0}})
    check_call(with(first, wide, outside), false);
}

BOOST_AUTO_TEST_SUITE_END()
