// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys that lie in a range, counted range by range: wherever it lies, with any number of buckets
// and slices, and where it turns out that this cannot be done.

#include "../support/allocators.h"
#include "../support/containers.h"
#include "../support/neighbours.h"
#include "../support/pretended_gpu.h"
#include "../support/sparse.h"
#include "sparse_ranges.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace sparse_ranges_setup {

using System = test::main_system;
using test::mixed;
using test::neighbours;
using test::ranges_of;
using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::detail::cuda::device_facts;
namespace on_cuda = thrust_hist::detail::cuda;

// Whether keys are not sorted after all.
template <class Key>
bool are_counted(test::samples<Key> const& keys, std::uint64_t guess) {
  ranges_of<Key> ranges(keys);
  return ranges.are_counted(ranges.forced(guess));
}
template <class Key>
bool are_counted(test::samples<Key> const& keys) {
  return are_counted(keys, keys.size());
}

template <class Key>
void check(test::samples<Key> const& keys, bool is_counted = true) {
  test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
  BOOST_TEST(are_counted(keys) == is_counted);
}

// So many different keys all over 2^32 from `first` on, each as often as any other.
template <class Key>
test::samples<Key> spread(std::size_t n, Key first, std::uint64_t distinct) {
  return test::samples<Key>(n, [=](std::size_t i) {
    return static_cast<Key>(first + static_cast<Key>(mixed(i % distinct) >> 32));
  });
}

on_cuda::device_facts small_gpu(std::size_t shared_bytes) {
  return {20, shared_bytes, shared_bytes + 1024, 4 << 20};
}

struct seventh {
  __host__ __device__ unsigned operator()(std::uint64_t i) const {
    return 1000 + static_cast<unsigned>(i * 7919 % 1000003);
  }
};

}  // namespace sparse_ranges_setup

BOOST_AUTO_TEST_SUITE(sparse_ranges, THRUST_HIST_TEST_SMALL)
using namespace sparse_ranges_setup;

BOOST_AUTO_TEST_CASE(neighbours_are_counted_wherever_they_lie) {
  for (std::size_t n : {1, 31, 5000, 70001})
    for (std::uint64_t wide : {1, 2, 2047, 2048, 2049, 60000}) {
      const bool is_counted = n / wide < 65536;
      check(neighbours<int>(n, -1000, wide), is_counted);
      check(neighbours<unsigned>(n, 0xffffffffU - 59999, wide), is_counted);
      check(neighbours<std::int64_t>(n, std::int64_t{1} << 40, wide), is_counted);
      check(neighbours<std::uint64_t>(n, ~std::uint64_t{0} - 59999, wide), is_counted);
    }
  check(neighbours<unsigned char>(3000, 7, 100));
  check(neighbours<short>(3000, -300, 600));
}

BOOST_AUTO_TEST_CASE(keys_all_over_a_type_are_marked_first) {
  for (std::size_t n : {2, 3000, 70001})
    for (std::uint64_t distinct : {2, 3001, 70001}) {
      check(spread<unsigned>(n, 0, distinct));
      check(spread<int>(n, (std::numeric_limits<int>::min)(), distinct));
      check(spread<std::uint64_t>(n, std::uint64_t{77} << 33, distinct));
    }
  // The first and the last code, and both of a cell.
  std::vector<unsigned> ends = {0,           0,           1,           0xffffffffU,
                                0xfffffffeU, 0xfffffffeU, 0x7fffffffU, 0x80000000U};
  check(test::samples<unsigned>(ends));
}

BOOST_AUTO_TEST_CASE(real_numbers_and_what_is_none) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const test::samples<float> keys(30011, [&](std::size_t i) {
    return i % 100 == 7 ? infinity : static_cast<float>(mixed(i) % 5000) * 0.25F - 300;
  });
  check(keys);
  const test::samples<float> with_nan(
      5003, [&](std::size_t i) { return i % 50 == 7 ? nan : static_cast<float>(i % 10); });
  BOOST_TEST(are_counted(with_nan));
  const test::samples<float> only_nan(100, [&](std::size_t) { return nan; });
  BOOST_TEST(are_counted(only_nan));
  check(test::samples<double>(3000, [](std::size_t i) { return static_cast<double>(i % 70); }));
}

// Further apart than 2^32: in hash tables that keep the order.
BOOST_AUTO_TEST_CASE(keys_of_8_bytes_may_lie_anywhere) {
  const std::uint64_t wide = std::uint64_t{1} << 32;
  for (std::uint64_t last : {wide - 1, wide, wide + 1, 3 * wide, wide << 17, ~std::uint64_t{5}})
    check(test::samples<std::uint64_t>(std::vector<std::uint64_t>{5, 5, 5 + last, 4, 5 + last}));
  constexpr std::uint64_t all = ~std::uint64_t{0};
  check(test::samples<std::uint64_t>(
      std::vector<std::uint64_t>{0, 0, 1, all, all - 1, all - 1, all / 2, all / 2 + 1}));
  for (std::size_t n : {2, 3000, 70001})
    for (std::uint64_t distinct : {2, 3001, 70001}) {
      const auto key = [=](std::size_t i) { return mixed(i % distinct) * 0x2545f4914f6cdd1d; };
      check(test::samples<std::uint64_t>(n, key));
      check(test::samples<std::int64_t>(
          n, [=](std::size_t i) { return static_cast<std::int64_t>(key(i)) >> 9; }));
      check(test::samples<double>(
          n, [=](std::size_t i) { return static_cast<double>(key(i)) * 0x1p-64 + 1; }));
    }
}

// A row of a table, of 2^43 codes here, has room for 6, and in those behind it for 180 more.
BOOST_AUTO_TEST_CASE(codes_that_crowd_in_a_row_stand_further_on) {
  for (std::uint64_t first : {std::uint64_t{0}, std::uint64_t{77} << 43, ~std::uint64_t{0} << 43})
    for (unsigned together : {1, 6, 7, 12, 180, 186, 187, 300, 1500, 4000}) {
      const test::samples<std::uint64_t> keys(9000, [&](std::size_t i) {
        const std::uint64_t others = mixed(i) << 43;
        return i == 0   ? 0
               : i == 1 ? ~std::uint64_t{0}
               : i < 50 ? others
                        : first + mixed(i % together) % 9999;
      });
      const auto rows = test::count_sorted<int>(keys);
      test::check_sparse_counts<System>(keys, rows);
      if (on_cuda::current_facts().shared_bytes_block == 227 * 1024 && first == 77ULL << 43)
        BOOST_TEST(are_counted(keys) == (together <= 1500), together);
    }
}

// Some of them in each of many rows, the first and the last ones too.
BOOST_AUTO_TEST_CASE(many_crowds_have_a_table_beside) {
  for (unsigned together : {1, 150, 187, 200, 250}) {
    const test::samples<std::uint64_t> keys(100000, [&](std::size_t i) {
      const std::uint64_t place = mixed(i / 3) % 9;
      const std::uint64_t row = place == 7   ? std::uint64_t{4095} << 43
                                : place == 8 ? (~std::uint64_t{0} >> 43) << 43
                                             : place * 777 << 43;
      return i % 3 == 0 ? mixed(i) : row + mixed(mixed(i) % together) % 99999;
    });
    test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
    if (on_cuda::current_facts().shared_bytes_block == 227 * 1024)
      BOOST_TEST(are_counted(keys), together);
  }
}

// Counters of 16 bits.
BOOST_AUTO_TEST_CASE(counters_of_tables_that_keep_the_order) {
  for (unsigned times : {65535U, 65536U, 262144U})
    for (std::uint64_t frequent : {std::uint64_t{0}, std::uint64_t{5} << 40}) {
      const test::samples<std::uint64_t> keys(times + 100, [&](std::size_t i) {
        return i < times ? frequent : mixed(i) | std::uint64_t{1} << 63;
      });
      test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
      if (on_cuda::current_facts().shared_bytes_block == 227 * 1024)
        BOOST_TEST(are_counted(keys) == (times < 65536), times);
    }
}

// More of them in a bucket than was guessed.
BOOST_AUTO_TEST_CASE(tables_that_are_too_full_get_half_as_many_codes) {
  for (unsigned distinct : {10000U, 30000U, 60000U}) {
    const test::samples<std::uint64_t> keys(80000, [&](std::size_t i) {
      return i == 0   ? ~std::uint64_t{0}
             : i < 99 ? 0
                      : (std::uint64_t{3} << 55) + mixed(i % distinct) % (std::uint64_t{1} << 55);
    });
    test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
    if (on_cuda::current_facts().shared_bytes_block == 227 * 1024)
      BOOST_TEST(are_counted(keys, 5) == (distinct < 60000), distinct);
  }
}

// Keys that are even among buckets, but not among rows, are seen before anything is done.
BOOST_AUTO_TEST_CASE(keys_that_crowd_are_not_taken_for_even) {
  constexpr std::size_t n = 1000000;
  const auto is_taken = [](auto make) {
    ranges_of<std::uint64_t> keys(test::samples<std::uint64_t>(n, make));
    const auto seen = keys.look();
    BOOST_TEST(seen.ranges.is_even());
    auto plan = keys.forced(n);
    plan.is_chosen = true;
    return keys.are_counted(plan);
  };
  BOOST_TEST(is_taken([](std::size_t i) { return mixed(i) * 0x2545f4914f6cdd1d; }));
  BOOST_TEST(!is_taken([](std::size_t i) { return (mixed(i / 20) << 40) + i % 20; }));
}

// 16 bits of a counter and no more, in either half of a word, with and without marks.
BOOST_AUTO_TEST_CASE(a_key_more_frequent_than_a_counter_can_tell_is_sorted) {
  for (unsigned last : {3000U, 0xffffffffU})
    for (unsigned frequent : {0U, 6U, 7U})
      for (std::size_t times : {65535, 65536, 70000}) {
        const test::samples<unsigned> keys(times + 3000, [&](std::size_t i) {
          return i < times ? frequent : i == times ? 0 : i % 2 == 0 ? last : last - 1;
        });
        check(keys, times + (frequent == 0 ? 1 : 0) < 65536);
      }
  const test::samples<unsigned> both(140000, [](std::size_t i) { return i % 2; });
  check(both, false);
}

BOOST_AUTO_TEST_CASE(less_shared_memory_makes_more_slices) {
  for (std::size_t bytes : {48, 100, 164}) {
    const test::pretended_gpu gpu(small_gpu(bytes * 1024));
    check(neighbours<int>(70001, -5000, 60000));
    check(neighbours<int>(70001, -5000, 1 << 28));
    check(spread<unsigned>(70001, 0, 50000), bytes > 48);  // or more slices than pay
    check(test::samples<std::uint64_t>(
        70001, [](std::size_t i) { return mixed(i % 50000) * 0x2545f4914f6cdd1d; }));
  }
}

// There is room for more distinct keys in half a slice. Rows before it may have been written by
// then.
BOOST_AUTO_TEST_CASE(slices_with_more_keys_than_expected_are_halved) {
  const test::pretended_gpu gpu(small_gpu(48 * 1024));
  for (int wide : {6000, 60000}) {  // in 2^19, of which 1 408 pairs have counters at first
    const test::samples<int> keys(60000, [&](std::size_t i) {
      return i < 100 ? static_cast<int>(i << 21) : (1 << 27) + static_cast<int>(i % wide * 8);
    });
    check(keys, wide == 6000);
    BOOST_TEST(are_counted(keys, 5) == (wide == 6000));
  }
}

// Many distinct keys in a slice have counters of 8 or 4 bits; where these are too small, half a
// slice has larger ones.
BOOST_AUTO_TEST_CASE(counters_are_as_small_as_they_have_to_be) {
  struct {
    unsigned distinct;
    std::size_t times;
    bool is_counted;  // where a block has 227 KB
  } const cases[] = {{60000, 15, true},     {60000, 16, true},  {60000, 300, true},
                     {60000, 70000, false}, {20000, 255, true}, {20000, 256, true},
                     {20000, 70000, false}};
  for (auto const& c : cases)
    for (unsigned frequent : {35U * 1000, 35U * 1001}) {
      const test::samples<unsigned> keys(c.distinct + c.times, [&](std::size_t i) {
        return i == 5 ? 0xffffffffU : i < c.distinct ? static_cast<unsigned>(i) * 35 : frequent;
      });
      test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
      if (on_cuda::current_facts().shared_bytes_block == 227 * 1024)
        BOOST_TEST(are_counted(keys) == c.is_counted, c.distinct << ", " << c.times);
    }
}

// Of 65 536 pairs and more, the last have ranks of 17 bits.
BOOST_AUTO_TEST_CASE(more_pairs_in_a_slice_than_half_a_word_can_tell) {
  for (unsigned more : {0U, 1U, 300U, 2000U}) {
    const test::samples<unsigned> keys(65535 + more + 3, [&](std::size_t i) {
      const auto k = static_cast<unsigned>(i);
      return i == 0      ? 0xffffffffU
             : i < 3     ? 5U
             : i < 65539 ? (7U << 21) + (k - 3) * 32
                         : (7U << 21) + (k - 65539) * 64 + 16;
    });
    test::check_sparse_counts<System>(keys, test::count_sorted<int>(keys));
    if (on_cuda::current_facts().shared_bytes_block == 227 * 1024)
      BOOST_TEST(are_counted(keys));
  }
}

// What is seen in a sample tells whether ranges pay.
BOOST_AUTO_TEST_CASE(samples_tell_how_evenly_keys_lie) {
  constexpr std::size_t n = 100000;
  const auto seen = [](auto make) {
    return ranges_of<unsigned>(test::samples<unsigned>(n, make)).look().ranges;
  };
  const auto even = seen([](std::size_t i) { return static_cast<unsigned>(mixed(i) >> 32); });
  BOOST_TEST(even.is_even());
  BOOST_TEST(even.density() < 1.1);
  BOOST_TEST(even.last > 0xff000000U);
  const auto narrow =
      seen([](std::size_t i) { return 77 + static_cast<unsigned>(mixed(i) % 3000); });
  BOOST_TEST(narrow.is_even());
  BOOST_TEST((narrow.last > 2900U && narrow.last < 3000U));
  // Three of four keys in a quarter of the range.
  const auto dense = seen([](std::size_t i) {
    const auto all = static_cast<unsigned>(mixed(i) >> 32);
    return i % 3 == 0 ? all : 0x60000000U + all / 4;
  });
  BOOST_TEST((dense.density() > 2 && dense.density() < 3.2));
  const auto hot = seen([](std::size_t i) {
    return i % 50 == 0 ? 123456789U : static_cast<unsigned>(mixed(i) >> 32);
  });
  BOOST_TEST(!hot.is_even());
  BOOST_TEST(!seen([](std::size_t) { return 5U; }).is_even());
}

// And whether the high bits of codes tell them apart.
BOOST_AUTO_TEST_CASE(samples_tell_what_high_bits_are_worth) {
  constexpr std::size_t n = 1000000;
  const auto seen = [](auto make) {
    return ranges_of<std::uint64_t>(test::samples<std::uint64_t>(n, make)).look().ranges;
  };
  const auto random = [](std::uint64_t i) { return thrust_hist::detail::mix_code(i + 1); };
  const auto even = seen([&](std::size_t i) { return random(i); });
  BOOST_TEST((even.low_bits == 24U && even.sharing == 0U));
  BOOST_TEST((even.tells_apart(24) && even.tells_apart(23) && !even.tells_apart(25)));
  // Equal ones do not count, nor do those that differ in higher bits.
  BOOST_TEST(seen([&](std::size_t i) { return random(i / 64); }).sharing == 0U);
  for (unsigned low : {8, 24}) {
    const auto crowded =
        seen([&](std::size_t i) { return random(i / 64) >> low << low | (i % 64) << (low - 6); });
    BOOST_TEST(crowded.sharing > 100U);
    BOOST_TEST(!crowded.tells_apart(24));
  }
  const auto narrow = seen([&](std::size_t i) { return random(i) >> 25; });
  BOOST_TEST((narrow.low_bits == 0U && !narrow.tells_apart(0)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_ranges_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_ranges_setup;

// A bucket whose segments are long, and more of these than there is a list for.
BOOST_AUTO_TEST_CASE(long_segments_are_shared_out) {
  check(test::samples<int>(2000003, [](std::size_t i) { return static_cast<int>(i / 100); }));
  check(neighbours<unsigned>(2600007, 1 << 20, 1 << 15));
}

BOOST_AUTO_TEST_CASE(slices_of_a_bucket_in_turn) {
  const test::samples<unsigned> keys(
      40000003, [](std::size_t i) { return static_cast<unsigned>(i) * 107; });
  check(keys);
  ranges_of<unsigned> ranges(keys);
  auto plan = ranges.forced(keys.size());
  plan.density = 4;  // so that slices are planned for more than there are
  BOOST_TEST(ranges.are_counted(plan));
  if (on_cuda::current_facts().shared_bytes_block == 227 * 1024) {
    const auto planned = on_cuda::plan_range_buckets(
        0xffffffffU, keys.size(), 4, keys.size(), on_cuda::current_facts());
    BOOST_TEST(planned.slices.of_bucket_log2() == 1U);
  }
  check(test::samples<unsigned>(9000001, [](std::size_t i) {
    return static_cast<unsigned>(mixed(i) >> 36);  // 2^28
  }));
}

BOOST_AUTO_TEST_CASE(wide_slices_of_a_bucket_in_turn) {
  const test::samples<std::uint64_t> keys(
      9000001, [](std::size_t i) { return mixed(i) * 0x2545f4914f6cdd1d; });
  check(keys);
  ranges_of<std::uint64_t> ranges(keys);
  BOOST_TEST(ranges.are_counted(ranges.forced(60000000)));  // planned for more: slices
  check(test::samples<std::uint64_t>(2000003, [](std::size_t i) { return i / 100 << 40; }));
}

// Keys are looked at, and counted range by range, wherever their range ends.
BOOST_AUTO_TEST_CASE(even_keys_are_counted_range_by_range) {
  constexpr std::size_t n = std::size_t{1} << 23;
  for (unsigned wide : {1000003U, 3000017U}) {
    ranges_of<unsigned> keys(neighbours<unsigned>(n, 5, wide));
    keys.look();
    BOOST_TEST((keys.plan().taken == route::partitioned));
    BOOST_TEST(keys.are_counted(keys.plan()));
  }
  for (std::uint64_t last : {0x80000001U, 0xb2d05e00U, 0xcd000000U, 0xffffffffU}) {
    ranges_of<unsigned> keys(test::samples<unsigned>(
        n, [=](std::size_t i) { return static_cast<unsigned>((mixed(i) >> 32) * last >> 32); }));
    const auto seen = keys.look();
    on_cuda::sparse_problem p = {};
    p.inputs = p.most_keys = n;
    p.code_bytes = 4;
    p.is_number = p.has_ranges = true;
    on_cuda::tell_sample(p, seen);
    BOOST_TEST(keys.are_counted(on_cuda::plan_ranges(p, {}, n, false, on_cuda::current_facts())));
  }
}

BOOST_AUTO_TEST_CASE(even_keys_of_8_bytes_are_counted_in_their_order) {
  constexpr std::size_t n = std::size_t{1} << 23;
  for (int shift : {0, 1, 20}) {
    const test::samples<std::uint64_t> list(
        n, [=](std::size_t i) { return 77 + (mixed(i % 3000017) * 0x2545f4914f6cdd1d >> shift); });
    ranges_of<std::uint64_t> keys(list);
    keys.look();
    BOOST_TEST((keys.plan().taken == route::partitioned));
    BOOST_TEST(keys.are_counted(keys.plan()));
    test::sparse_output<System, std::uint64_t, int> out(n);
    const auto there = test::buffer_of<System>(list);
    std::uint64_t const* const first = there.data();
    const auto expected = test::count_sorted<int>(list);
    out.check_ends(
        thrust_hist::sparse_histogram(System::policy(), first, first + n, out.keys(), out.values()),
        expected.keys.size());
    out.check_equals(expected);
  }
}

// A few keys lie where no sample expects them: at the ends of their type, or just beyond those of
// the others.
BOOST_AUTO_TEST_CASE(some_keys_lie_outside_of_the_expected_range) {
  constexpr std::size_t n = std::size_t{1} << 23;
  const auto check_with = [&](auto first, std::uint64_t wide, auto outside) {
    using key = decltype(first);
    const test::samples<key> list(n, [&](std::size_t i) {
      return i == 123456 ? outside : static_cast<key>(first + static_cast<key>(mixed(i) % wide));
    });
    ranges_of<key> keys(list);
    keys.look();
    BOOST_TEST((keys.plan().taken == route::partitioned));
    test::sparse_output<System, key, int> out(n);
    const auto there = test::buffer_of<System>(list);
    key const* const begin = there.data();
    const auto expected = test::count_sorted<int>(list);
    out.check_ends(
        thrust_hist::sparse_histogram(System::policy(), begin, begin + n, out.keys(), out.values()),
        expected.keys.size());
    out.check_equals(expected);
  };
  constexpr std::uint64_t million = 1000003;
  check_with(5000U, million, 0U);
  check_with(5000U, million, 5000U + 1500000U);
  check_with(5000U, million, 0xffffffffU);
  check_with(0xffffffffU - 1000100U, million, 0xffffffffU);
  check_with(-700000, million, (std::numeric_limits<int>::min)());
  check_with(std::uint64_t{1} << 40, million, (std::uint64_t{1} << 40) + 1400000);
  check_with(std::uint64_t{1} << 40, million, std::uint64_t{0});
  check_with(~std::uint64_t{0} - million, million, ~std::uint64_t{0});
}

// NaNs are listed before any row is written: that takes memory.
BOOST_AUTO_TEST_CASE(nothing_is_written_where_memory_does_not_suffice) {
  const test::samples<float> keys(300007, [](std::size_t i) {
    return i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN()
                      : static_cast<float>(mixed(i) % 5000) + 5000;
  });
  const auto in = test::buffer_of<System>(keys);
  float const* const first = in.data();
  const auto how = options{}.force(route::partitioned);
  bool done = false;
  for (int healthy = 0; !done && healthy < 100; ++healthy) {
    test::ledger book(healthy);
    test::counting_allocator<System> allocator(book);
    test::sparse_output<System, float, int> out(keys.size());
    try {
      thrust_hist::sparse_histogram(
          System::policy_with(allocator), first, first + keys.size(), out.keys(), out.values(),
          how);
      done = true;
    } catch (test::allocation_refused const&) {
      out.check_untouched();
    }
    BOOST_TEST(book.outstanding() == 0U);
  }
  BOOST_TEST(done);
}

// What is chosen, with and without room for all rows, where the input is no memory.
BOOST_AUTO_TEST_CASE(even_keys_are_counted_by_themselves) {
  constexpr std::size_t n = std::size_t{3} * 1000003 * 3;
  const auto keys =
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), seventh{});
  test::vector_of<System, unsigned> unique, counted;
  const auto check_rows = [&](auto const& keys_found, auto const& counts_found) {
    const auto k = test::contents(keys_found);
    const auto c = test::contents(counts_found);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 1000003; ++i)
      wrong += k[i] != 1000 + i || c[i] != 9 ? 1 : 0;
    BOOST_TEST(wrong == 0U);
  };
  thrust_hist::sparse_histogram(System::policy(), keys, keys + n, unique, counted);
  BOOST_REQUIRE(unique.size() == 1000003U);
  check_rows(unique, counted);
  test::vector_of<System, unsigned> room(n), counts(n);
  const auto ends =
      thrust_hist::sparse_histogram(System::policy(), keys, keys + n, room.begin(), counts.begin());
  BOOST_REQUIRE(ends.first - room.begin() == 1000003);
  check_rows(room, counts);
  BOOST_CHECK_THROW(
      thrust_hist::sparse_histogram(
          System::policy(), keys, keys + n, unique, counted, options{}.max_bins(1000002)),
      std::length_error);
}

// Places apart from each other are told from densities that differ, by any type that has codes of 4
// bytes.
BOOST_AUTO_TEST_CASE(samples_tell_of_spikes) {
  constexpr std::size_t n = 1000000;
  const auto unit = [](std::size_t i) {
    return std::ldexp(static_cast<double>(mixed(i) >> 11), -53);
  };
  const auto spikes = [](auto type, auto make) {
    using key = decltype(type);
    return ranges_of<key>(
               test::samples<key>(n, [&](std::size_t i) { return static_cast<key>(make(i)); }))
        .look()
        .ranges.spikes;
  };
  const auto sees_spikes = [&](auto type, auto make) {
    const auto found = spikes(type, make);
    BOOST_TEST_MESSAGE(found << " spikes");
    return found > 250;
  };
  // Of 2^31 codes: even, denser and denser, half of them in one place, and all in one.
  const auto of_all = [&](double x) { return x * 0x1p31; };
  BOOST_TEST(!sees_spikes(0U, [&](std::size_t i) { return of_all(unit(i)); }));
  BOOST_TEST(!sees_spikes(0U, [&](std::size_t i) { return of_all(std::pow(unit(i), 2)); }));
  BOOST_TEST(!sees_spikes(0U, [&](std::size_t i) { return of_all(std::pow(unit(i), 3)); }));
  BOOST_TEST(!sees_spikes(0U, [&](std::size_t i) { return of_all(std::exp2(-30 * unit(i))); }));
  for (int narrow = 0; narrow <= 20; narrow += 4)
    BOOST_TEST(!sees_spikes(0U, [&](std::size_t i) {
      return of_all(i % 2 == 0 ? unit(i) : std::ldexp(unit(i), -narrow));
    }));
  BOOST_TEST(!sees_spikes(0U, [](std::size_t i) { return i; }));
  BOOST_TEST(!sees_spikes(0U, [](std::size_t i) { return i % 100; }));
  BOOST_TEST(!sees_spikes(0.f, [&](std::size_t i) { return std::pow(2 * unit(i) - 1, 3); }));
  BOOST_TEST(!sees_spikes(0.f, [&](std::size_t i) {
    return std::sqrt(-2 * std::log(unit(i) + 1e-300)) * std::cos(6.2831853 * unit(i + n));
  }));
  BOOST_TEST(!sees_spikes(0.f, [&](std::size_t i) { return std::exp(20 * unit(i) - 10); }));
  BOOST_TEST(!sees_spikes(0ULL, [&](std::size_t i) { return mixed(i); }));
  // Hundreds and thousands of places, of one width or another, at equal distances or anywhere.
  for (unsigned places : {300, 1000, 3000})
    for (int width : {-15, -17, -24})
      BOOST_TEST_CONTEXT(places << " places, 2^" << width << " wide") {
        const auto even = [&](std::size_t i) {
          return static_cast<double>(mixed(i + 1) % places) / places + std::ldexp(unit(i), width);
        };
        BOOST_TEST(sees_spikes(0U, [&](std::size_t i) { return of_all(even(i)); }));
        BOOST_TEST(sees_spikes(0ULL, [&](std::size_t i) { return even(i) * 0x1p60; }));
        BOOST_TEST(sees_spikes(0U, [&](std::size_t i) {
          return of_all(unit(n + mixed(i + 1) % places) + std::ldexp(unit(i), width));
        }));
      }
}

// As many as the host counts in the same codes: at the ends of words and of the range, and where
// codes come again.
BOOST_AUTO_TEST_CASE(spikes_are_counted_one_by_one) {
  constexpr std::uint64_t n = 100000;
  const auto check_spikes = [](auto make) {
    const test::samples<unsigned> keys(n, make);
    std::vector<unsigned> drawn;  // as kernels draw
    for (std::uint64_t i = 0; i < on_cuda::range_sample::size; ++i)
      drawn.push_back(make(static_cast<std::size_t>(
          static_cast<unsigned __int128>(thrust_hist::detail::mix_code(i + 1)) * n >> 64)));
    const auto ends = std::minmax_element(drawn.begin(), drawn.end());
    const unsigned lowest = *ends.first;
    unsigned low_bits = 0;
    while ((*ends.second - lowest) >> low_bits >> on_cuda::range_sample::cell_bits != 0)
      ++low_bits;
    drawn.resize(on_cuda::range_sample::tagged);
    std::map<unsigned, std::set<unsigned>> cells;
    for (unsigned code : drawn)
      cells[(code - lowest) >> low_bits].insert(code);
    std::uint32_t expected = 0;
    for (auto const& cell : cells) {
      bool is_alone = cell.second.size() > 1;
      for (unsigned apart : {2U, 3U})
        is_alone = is_alone && cells.count(cell.first + apart) == 0 &&
                   cells.count(cell.first - apart) == 0;
      expected += is_alone ? 1 : 0;
    }
    const auto seen = ranges_of<unsigned>(keys).look().ranges;
    BOOST_TEST(seen.spikes == expected);
    BOOST_TEST(seen.cells == cells.size());
    return expected;
  };
  BOOST_TEST(check_spikes([](std::size_t i) { return static_cast<unsigned>(mixed(i)); }) > 50);
  // Pairs of cells, next to each other and not, in the same word and in two; and one at either end.
  for (unsigned apart = 1; apart <= 5; ++apart)
    BOOST_TEST_CONTEXT(apart << " cells apart") {
      const auto expected = check_spikes([=](std::size_t i) {
        const auto pair = static_cast<unsigned>(mixed(i) % 255);
        const auto cell = pair * 128 + 32 + pair % 32 + (mixed(i + n) % 2 == 0 ? apart : 0);
        const unsigned at = i % 50 > 1 ? cell : i % 50 == 1 ? 0 : 32767;
        return (at << 17) + static_cast<unsigned>(mixed(i + 2 * n) % 999);
      });
      BOOST_TEST((apart == 2 || apart == 3 ? expected < 20 : expected > 400), expected);
    }
  BOOST_TEST(check_spikes([](std::size_t i) {
               return static_cast<unsigned>(mixed(i) % 900) << 22;
             }) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
