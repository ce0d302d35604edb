// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values of the library and of Thrust on CUDA: complex numbers, weighted sums, tuples; and
// operators that only a GPU can run.

#include "fold_cases.h"

#include <thrust/complex.h>
#include <thrust/tuple.h>

BOOST_AUTO_TEST_SUITE(folds_values, THRUST_HIST_TEST_SMALL_LOCKS)

namespace {

using test::check_fold;
using test::distribution;
using thrust_hist::options;

constexpr distribution some[] = {distribution::uniform, distribution::constant, distribution::zipf};
constexpr std::size_t n = 10007;

template <class V, class Make, class... Op>
void check_values(Make make, options how, Op... op) {
  const test::samples<V> values(n, make);
  for (distribution d : some)
    for (std::int64_t bins : {1, 40, 1000})
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << bins << " bins")
  BOOST_TEST(
      check_fold<V>(
          test::keys_of(d, n, static_cast<std::uint64_t>(bins)), values, bins, how, op...) >= 2);
}

using complex = thrust::complex<float>;
using both = thrust::tuple<std::int32_t, double>;

}  // namespace

BOOST_AUTO_TEST_CASE(complex_numbers) {
  const auto whole = [](std::size_t i) {
    return complex(test::whole_number<float>(2 * i), test::whole_number<float>(2 * i + 1));
  };
  check_values<complex>(whole, {});
  const auto wide = [](std::size_t i) {
    return complex(
        test::from_bits<float>(test::scrambled(2 * i) & 0xbfffffff),
        test::from_bits<float>(test::scrambled(2 * i + 1) & 0xbfffffff));
  };
  check_values<complex>(wide, options{}.exact());
}

BOOST_AUTO_TEST_CASE(weighted_sums) {
  using weighted = thrust_hist::weighted_sum<double>;
  check_values<weighted>(
      [](std::size_t i) { return weighted::of(test::whole_number<double>(i)); }, {});
}

BOOST_AUTO_TEST_CASE(tuples_under_plus_each) {
  // A tuple has padding, which the junk of an output fills: compared part by part.
  const test::samples<both> values(n, [](std::size_t i) {
    return both(test::whole_number<std::int32_t>(i), test::whole_number<double>(i + 1));
  });
  const auto keys = test::keys_of(distribution::zipf, n, 300);
  const auto expected = test::fold_on_one_thread<both>(
      n, keys.data(), values.data(), 300, options{}, thrust_hist::plus_each{});
  auto k = test::buffer_of<test::cuda>(keys);
  auto v = test::buffer_of<test::cuda>(values);
  for (auto forced : test::fold_routes) {
    test::output<test::cuda, both> out(std::vector<both>(300));
    try {
      thrust_hist::histogram_by_key(
          test::cuda::policy(), k.data(), k.data() + n, v.data(), out.data(), 300,
          thrust_hist::plus_each{}, options{}.force(forced));
    } catch (std::invalid_argument const&) {
      continue;
    }
    const auto got = out.contents();
    bool equal = true;
    for (std::size_t i = 0; i < got.size(); ++i)
      equal &= thrust::get<0>(got[i]) == thrust::get<0>(expected.plain[i]) &&
               thrust::get<1>(got[i]) == thrust::get<1>(expected.plain[i]);
    BOOST_TEST(equal, "route " << forced);
  }
}

BOOST_AUTO_TEST_CASE(an_operator_that_only_a_gpu_can_run) {
  constexpr std::int32_t least = thrust_hist::detail::min_of<std::int32_t>;
  const test::samples<std::int32_t> values(
      n, [](std::size_t i) { return static_cast<std::int32_t>(test::scrambled(i) % 100000); });
  for (distribution d : some)
    for (std::int64_t bins : {1, 40, 1000, 20000}) {
      const auto keys = test::keys_of(d, n, static_cast<std::uint64_t>(bins));
      const auto expected = test::fold_on_one_thread<std::int32_t>(
          n, keys.data(), values.data(), bins, options{}, thrust::maximum<std::int32_t>{}, least);
      auto k = test::buffer_of<test::cuda>(keys);
      auto v = test::buffer_of<test::cuda>(values);
      std::uint32_t const* const first = k.data();
      std::int32_t const* const weights = v.data();
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << bins << " bins")
      BOOST_TEST(
          test::check_fold_routes<std::int32_t>(
              expected, {}, [&](std::int32_t* out, options const& o) {
                return thrust_hist::histogram_by_key(
                    test::cuda::policy(), first, first + n, weights, out, bins,
                    [] __device__(std::int32_t a, std::int32_t b) { return a > b ? a : b; }, least,
                    o);
              }) >= 2);
    }
}

BOOST_AUTO_TEST_SUITE_END()
