// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values folded by keys that are sorted bucket by bucket: keys and values of all widths, wherever
// keys lie and however frequent some are, as many as a sample makes believe or not.

#include "../support/exact.h"
#include "../support/neighbours.h"
#include "../support/sparse.h"
#include "sparse_reals.h"
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/sparse_histogram.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace sparse_buckets_setup {

using System = test::main_system;
using test::mixed;
using test::samples;
using thrust_hist::sparse_histogram_by_key;

// The fewest, and more than one block of any size throws at once.
constexpr std::size_t least = thrust_hist::detail::cuda::inputs_worth_drawing;
constexpr std::size_t some = (std::size_t{1} << 18) + 77;

template <class A, class Key, class Value, class Reference, class... Op>
void check(samples<Key> const& keys, samples<Value> const& values, Reference reference, Op... op) {
  test::check_sparse<System>(
      keys, values, test::reduce_sorted<A>(keys, values, test::by_less{}, reference),
      [&](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return sparse_histogram_by_key(System::policy(), first, last, with, to, out, op..., o);
      });
}
// Sums of small numbers, none of which is rounded.
template <class Value, class Key>
void check_sums(samples<Key> const& keys) {
  const samples<Value> values(
      keys.size(), [](std::size_t i) { return static_cast<Value>(mixed(i) % 8); });
  check<Value>(keys, values, test::by_plus{});
}

enum class layout { everywhere, clusters, few, two, one, half_one, ascending, descending, ends };
constexpr layout all_layouts[] = {layout::everywhere, layout::clusters,   layout::few,
                                  layout::two,        layout::one,        layout::half_one,
                                  layout::ascending,  layout::descending, layout::ends};

template <class Key>
samples<Key> keys_of(layout which, std::size_t n) {
  using limits = std::numeric_limits<Key>;
  constexpr int bits = 8 * sizeof(Key);
  return samples<Key>(n, [=](std::size_t i) {
    const std::uint64_t random = mixed(mixed(i)) >> (64 - bits);
    const std::uint64_t other = mixed(i + 12345);
    const auto step = static_cast<Key>(static_cast<Key>(~std::uint64_t{0} >> (65 - bits)) / n);
    switch (which) {
    case layout::everywhere:
      return static_cast<Key>(random);
    case layout::clusters:
      return static_cast<Key>((mixed(other % 200) >> (64 - bits)) + (random >> (bits - 12)));
    case layout::few:
      return static_cast<Key>(mixed(other % 700) >> (64 - bits));
    case layout::two:
      return static_cast<Key>(i % 3 == 0 ? 5 : 77);
    case layout::one:
      return static_cast<Key>(42);
    case layout::half_one:
      return static_cast<Key>(i % 2 == 0 ? random : std::uint64_t{1} << (bits - 2));
    case layout::ascending:
      return static_cast<Key>(static_cast<Key>(i) * step);
    case layout::descending:
      return static_cast<Key>(static_cast<Key>(n - i) * step);
    case layout::ends:
      break;
    }
    const Key ends[] = {
        limits::min(),
        limits::max(),
        static_cast<Key>(limits::min() + 1),
        static_cast<Key>(limits::max() - 1),
        Key{0},
        static_cast<Key>(random)};
    return ends[other % 6];
  });
}

// Of 16 bytes: not they are sorted with their keys, but their numbers.
struct wide_value {
  std::uint64_t sum;
  std::uint64_t largest;
  THRUST_HIST_HOST_DEVICE friend bool operator==(wide_value const& a, wide_value const& b) {
    return a.sum == b.sum && a.largest == b.largest;
  }
};
struct join {
  THRUST_HIST_HOST_DEVICE wide_value operator()(wide_value const& a, wide_value const& b) const {
    return {a.sum + b.sum, a.largest < b.largest ? b.largest : a.largest};
  }
};

template <class Key>
void check_layouts(std::size_t n) {
  for (layout which : all_layouts)
    BOOST_TEST_CONTEXT("layout " << static_cast<int>(which)) {
      const auto keys = keys_of<Key>(which, n);
      check_sums<float>(keys);
      check_sums<double>(keys);
    }
}

}  // namespace sparse_buckets_setup

BOOST_AUTO_TEST_SUITE(sparse_buckets, THRUST_HIST_TEST_SMALL)
using namespace sparse_buckets_setup;

BOOST_AUTO_TEST_CASE(keys_of_8_bytes_wherever_they_lie) {
  check_layouts<std::uint64_t>(some);
  check_layouts<std::int64_t>(least);
}
BOOST_AUTO_TEST_CASE(keys_of_4_bytes_wherever_they_lie) {
  check_layouts<std::uint32_t>(some);
  check_layouts<std::int32_t>(least);
}

BOOST_AUTO_TEST_CASE(around_the_least_number_and_the_ends_of_tiles) {
  for (std::size_t n :
       {least - 1, least, least + 1, std::size_t{33 * 2048 - 1}, std::size_t{33 * 2048 + 1}})
    BOOST_TEST_CONTEXT(n << " keys") {
      check_sums<float>(keys_of<std::uint64_t>(layout::everywhere, n));
      check_sums<float>(keys_of<std::uint32_t>(layout::half_one, n));
    }
}

// So many that all blocks have several tiles, and a multiprocessor several buckets.
BOOST_AUTO_TEST_CASE(millions) {
  for (layout which : {layout::everywhere, layout::clusters, layout::half_one}) {
    check_sums<float>(keys_of<std::uint64_t>(which, (std::size_t{1} << 22) + 12345));
    check_sums<float>(keys_of<std::uint32_t>(which, (std::size_t{1} << 22) + 54321));
  }
  check_sums<double>(keys_of<std::uint64_t>(layout::clusters, (std::size_t{1} << 23) + 3));
}

BOOST_AUTO_TEST_CASE(values_of_any_width) {
  const auto keys = keys_of<std::uint64_t>(layout::half_one, some);
  check_sums<std::int8_t>(keys);
  check_sums<std::uint16_t>(keys);
  check_sums<std::int32_t>(keys);
  check_sums<std::int64_t>(keys_of<std::int32_t>(layout::clusters, some));
  const samples<wide_value> wide(some, [](std::size_t i) {
    return wide_value{mixed(i) % 100, mixed(i + 7)};
  });
  check<wide_value>(keys, wide, join{}, join{});
  check<wide_value>(keys_of<std::uint32_t>(layout::few, some), wide, join{}, join{});
}

BOOST_AUTO_TEST_CASE(minima_and_maxima) {
  const auto keys = keys_of<std::uint64_t>(layout::few, some);
  const samples<std::int32_t> values(
      some, [](std::size_t i) { return static_cast<std::int32_t>(mixed(i)); });
  const auto least_of = [](std::int32_t a, std::int32_t b) { return b < a ? b : a; };
  const auto most_of = [](std::int32_t a, std::int32_t b) { return a < b ? b : a; };
  check<std::int32_t>(keys, values, least_of, thrust::minimum<std::int32_t>{});
  check<std::int32_t>(keys, values, most_of, thrust::maximum<std::int32_t>{});
}

// Some are no numbers, of which each is a row, and 0 has two signs.
BOOST_AUTO_TEST_CASE(real_keys) {
  const auto check_reals = [](auto zero) {
    using key = decltype(zero);
    for (std::size_t n : {least, some})
      for (std::uint64_t no_numbers : {0, 1, 500, 900})
        BOOST_TEST_CONTEXT(no_numbers << " of 1000 are no numbers") {
          const samples<key> keys(n, [=](std::size_t i) {
            const std::uint64_t other = mixed(i + 99);
            if (other % 1000 < no_numbers)
              return test::from_bits<key>(test::infinity_bits<key>() + 1 + i % 1000);
            return other % 1000 < 950 ? static_cast<key>(mixed(mixed(i)) % 100003) - 50000
                                      : static_cast<key>(other % 2 == 0 ? 0.0 : -0.0);
          });
          const samples<float> values(
              n, [](std::size_t i) { return static_cast<float>(mixed(i) % 8); });
          test::check_sparse<System>(
              keys, values, test::reduce_reals<float>(keys, values),
              [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
                return sparse_histogram_by_key(System::policy(), first, last, with, to, out, o);
              });
        }
  };
  check_reals(float{});
  check_reals(double{});
}

// Keys that the sample looks at lie low, all others above: one bucket has nearly all of them, and
// no room for these.
BOOST_AUTO_TEST_CASE(a_bucket_that_no_sample_has_seen) {
  constexpr std::size_t n = least + 5;
  std::vector<bool> is_seen(n);
  for (std::uint64_t i = 0; i < 8192; ++i) {
    const auto place = static_cast<unsigned __int128>(thrust_hist::detail::mix_code(i + 1)) * n;
    is_seen[static_cast<std::size_t>(place >> 64)] = true;
  }
  const samples<std::uint64_t> keys(n, [&](std::size_t i) {
    return is_seen[i] ? i : (std::uint64_t{1} << 40) + mixed(mixed(i)) % (n / 2);
  });
  check_sums<float>(keys);
  check_sums<double>(samples<std::uint32_t>(n, [&](std::size_t i) {
    return static_cast<std::uint32_t>(is_seen[i] ? i : (1U << 30) + mixed(mixed(i)) % (n / 2));
  }));
}

struct key_of_number {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint64_t i) const {
    return i * 0x9e3779b97f4a7c15U >> 20 << 3;
  }
};
struct value_of_number {
  THRUST_HIST_HOST_DEVICE float operator()(std::uint64_t i) const {
    return static_cast<float>(i % 5);
  }
};
BOOST_AUTO_TEST_CASE(keys_and_values_that_stand_nowhere) {
  const samples<std::uint64_t> keys(some, [](std::size_t i) { return key_of_number{}(i); });
  const samples<float> values(some, [](std::size_t i) { return value_of_number{}(i); });
  const auto expected = test::reduce_sorted<float>(keys, values, test::by_less{}, test::by_plus{});
  test::sparse_output<System, std::uint64_t, float> out(some);
  const thrust::counting_iterator<std::uint64_t> numbers(0);
  const auto first = thrust::make_transform_iterator(numbers, key_of_number{});
  const auto ends = sparse_histogram_by_key(
      System::policy(), first, first + some,
      thrust::make_transform_iterator(numbers, value_of_number{}), out.keys(), out.values());
  out.check_ends(ends, expected.keys.size());
  out.check_equals(expected);
}

BOOST_AUTO_TEST_SUITE_END()
