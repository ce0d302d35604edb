// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Route sorted of folds: values that travel with their bins and values that are fetched by number,
// runs within and over tiles, pairs without a bin, and who is sorted without being told to. Other
// tests force the route as they do all others.

#include "../support/messages.h"
#include "fold_cases.h"
#include <thrust_hist/transform_histogram.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace folds_sorted_setup {

using test::distribution;
using thrust_hist::options;
using thrust_hist::plan;
using thrust_hist::route;

template <std::size_t Size, std::size_t Alignment>
void check_bytes(distribution d, std::size_t n, std::int64_t bins) {
  using value = test::summed<Size, Alignment>;
  const auto keys = test::keys_of(d, n, static_cast<std::uint64_t>(bins));
  const test::samples<value> values(n, [](std::size_t i) {
    value x;
    for (std::size_t j = 0; j < Size; ++j)
      x.byte[j] = static_cast<unsigned char>(test::scrambled(i * Size + j));
    return x;
  });
  const auto expected = test::fold_on_one_thread<value>(
      n, keys.data(), values.data(), bins, {}, test::sum_bytes{}, value{});
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  for (bool accumulate : {false, true})
    BOOST_TEST_CONTEXT(
        test::name_of(d) << ", n = " << n << ", " << bins << " bins of " << Size
                         << " bytes, accumulate " << accumulate) {
      test::output<test::cuda, value> out(
          accumulate ? test::old_output<value>(expected.plain.size())
                     : std::vector<value>(expected.plain.size(), test::junk<value>()));
      std::uint64_t dropped = 12345;
      thrust_hist::histogram_by_key(
          test::cuda::policy(), k.data(), k.data() + n, v.data(), out.data(), bins,
          test::sum_bytes{}, value{},
          options{}.force(route::sorted).accumulate(accumulate).dropped(&dropped));
      out.check_equals(accumulate ? expected.added : expected.plain);
      BOOST_TEST(dropped == expected.dropped);
    }
}

struct product {
  __host__ __device__ float operator()(float a, float b) const { return a * b; }
};
struct twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
struct emit_one {
  template <class Sink>
  __host__ __device__ void operator()(std::uint32_t x, Sink const& sink) const {
    sink(x, 1.0f);
  }
};

// The greatest, and whether it was ever asked about a value that has no bin.
struct three {
  std::int32_t x[3];
};
constexpr std::int32_t forbidden = 0x7ffffff1;
struct watchful {
  unsigned* asked;
  __device__ std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    if (a == forbidden || b == forbidden)
      *asked = 1;
    return a < b ? b : a;
  }
  __device__ three operator()(three const& a, three const& b) const {
    (*this)(a.x[1], b.x[1]);
    return a.x[0] < b.x[0] ? b : a;
  }
};
template <class V>
V value_or_forbidden(bool has_bin, std::size_t i) {
  const auto x = has_bin ? static_cast<std::int32_t>(test::scrambled(i) % 1000) : forbidden;
  if constexpr (std::is_same_v<V, three>)
    return {{static_cast<std::int32_t>(i), x, 0}};
  else
    return x;
}
template <class V>
void check_what_is_asked(std::size_t n, std::int64_t bins, V identity) {
  const auto keys = test::keys_of(distribution::uniform, n, static_cast<std::uint64_t>(bins));
  const test::samples<V> values(
      n, [&](std::size_t i) { return value_or_forbidden<V>(keys.data()[i] < bins, i); });
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  for (route forced : test::fold_routes) {
    test::output<test::cuda, V> out(std::vector<V>(static_cast<std::size_t>(bins), V{}));
    thrust::device_vector<unsigned> asked(1, 0);
    try {
      thrust_hist::histogram_by_key(
          test::cuda::policy(), k.data(), k.data() + n, v.data(), out.data(), bins,
          watchful{thrust::raw_pointer_cast(asked.data())}, identity, options{}.force(forced));
    } catch (std::invalid_argument const&) {
      continue;
    }
    BOOST_TEST(asked[0] == 0U, "route " << forced << ", n = " << n << ", " << bins << " bins");
  }
}

}  // namespace folds_sorted_setup

BOOST_AUTO_TEST_SUITE(folds_sorted, THRUST_HIST_TEST_SMALL)
using namespace folds_sorted_setup;

// CUB sorts some thousands in one launch; codes have 1, 9, 17 and 20 bits.
BOOST_AUTO_TEST_CASE(values_that_travel) {
  for (distribution d : {distribution::uniform, distribution::constant, distribution::runs})
    for (std::size_t n : {0, 1, 31, 4608, 4609, 20011})
      for (std::int64_t bins : {1, 300, 70001, 1000003}) {
        check_bytes<1, 1>(d, n, bins);
        check_bytes<4, 4>(d, n, bins);
      }
}

BOOST_AUTO_TEST_CASE(values_that_are_fetched) {
  for (distribution d : {distribution::zipf, distribution::constant, distribution::reversed})
    for (std::size_t n : {0, 1, 4609, 20011}) {
      check_bytes<8, 8>(d, n, 70001);
      check_bytes<12, 4>(d, n, 70001);
      check_bytes<40, 8>(d, n, 300);
      check_bytes<64, 64>(d, n, 300);
    }
}

// docs/semantics.md says so, of all routes.
BOOST_AUTO_TEST_CASE(an_operator_is_asked_about_no_value_without_a_bin) {
  for (std::size_t n : {1, 4000, 20011})
    for (std::int64_t bins : {1, 300, 70001}) {
      check_what_is_asked<std::int32_t>(n, bins, 0);
      check_what_is_asked<three>(n, bins, three{});
    }
}

BOOST_AUTO_TEST_CASE(who_is_sorted) {
  std::uint32_t const* const keys = nullptr;
  float const* const values = nullptr;
  float* const out = nullptr;
  plan p;
  const auto taken = [&](std::size_t n, auto first_value, auto to, std::int64_t bins, auto op,
                         options o) {
    thrust_hist::histogram_by_key(
        test::cuda::policy(), keys, keys + n, first_value, to, bins, op, 1.0f, o.explain(&p));
    return p.taken;
  };
  // Of a GPU whose blocks have less than 800 KB.
  BOOST_TEST((taken(4096, values, out, 200000, product{}, {}) == route::sorted));
  BOOST_TEST(p.scratch_bytes > 4096U * 20);
  BOOST_TEST((taken(4096, values, out, 3, product{}, {}) != route::sorted));
  BOOST_TEST((taken(std::size_t{1} << 27, values, out, 200000, product{}, {}) != route::sorted));
  // Anything else would take more, states of all bins and locks.
  taken(4096, values, out, 200000, product{}, {});
  const std::size_t least = p.scratch_bytes;
  BOOST_TEST(
      (taken(4096, values, out, 200000, product{}, options{}.max_temporary_bytes(least)) ==
       route::sorted));
  BOOST_CHECK_EXCEPTION(
      taken(4096, values, out, 200000, product{}, options{}.max_temporary_bytes(least - 1)),
      thrust_hist::memory_limit_error,
      [&](thrust_hist::memory_limit_error const& refused) { return refused.smallest() == least; });
  BOOST_TEST(
      (taken(4096, thrust::make_transform_iterator(values, twice{}), out, 200000, product{}, {}) ==
       route::sorted));
  // Bins are written twice, which an output that is no memory might notice.
  const auto nowhere = thrust::make_discard_iterator();
  BOOST_TEST((taken(4096, values, nowhere, 200000, product{}, {}) != route::sorted));
  BOOST_TEST(test::throws(
      [&] { taken(4096, values, nowhere, 200000, product{}, options{}.force(route::sorted)); },
      "route::sorted", "for an output in memory"));
  // Atomics fold sums, and nobody knows how many pairs there are.
  BOOST_TEST(test::throws(
      [&] {
        thrust_hist::histogram_by_key(
            test::cuda::policy(), keys, keys + 10, values, out, 200000,
            options{}.force(route::sorted));
      },
      "route::sorted", "only values that no atomics fold"));
  BOOST_TEST(test::throws(
      [&] {
        thrust_hist::transform_histogram(
            test::cuda::policy(), keys, keys + 10, out, 200000, emit_one{}, product{}, 1.0f,
            options{}.force(route::sorted));
      },
      "route::sorted", "one to an input"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_sorted_large, THRUST_HIST_TEST_LARGE)
using namespace folds_sorted_setup;

BOOST_AUTO_TEST_CASE(runs_over_many_tiles) {
  for (distribution d : test::all_distributions)
    for (std::size_t n : {524288, 524289, 2097153}) {
      check_bytes<4, 4>(d, n, 70001);
      check_bytes<12, 4>(d, n, 65536);
    }
  check_bytes<64, 64>(distribution::two_alternating, 2097153, 100);
}

BOOST_AUTO_TEST_SUITE_END()
