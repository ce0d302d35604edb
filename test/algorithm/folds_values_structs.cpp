// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that are no numbers: structs of any size and alignment, complex numbers, sums of weights,
// tuples added part by part.

#include "../support/folds.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/complex.h>
#include <thrust/functional.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(folds_values_structs, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::histogram_by_key;
using thrust_hist::options;

using blobs = std::tuple<
    test::blob<1>, test::blob<3>, test::blob<17>, test::blob<40>, test::blob<40, 8>, test::blob<64>,
    test::blob<64, 64>>;

template <class System, class Blob>
void check_blobs() {
  for (test::bin bins : {1, 5, 700}) {
    const auto keys = test::keys_for(3001, bins);
    const test::samples<Blob> values(keys.size(), test::make_blob<Blob>);
    test::check_fold<System>(
        keys, values, test::fold(keys, values, bins, Blob{}, test::add_bytes{}),
        [&](auto first, auto last, auto with, auto out, auto o) {
          return histogram_by_key(
              System::policy(), first, last, with, out, bins, test::add_bytes{}, Blob{}, o);
        });
  }
}

// Outputs that are not trivially copyable for some Thrust.
template <class System, class V, class A, class Call>
void check_plain(
    test::samples<int> const& keys, std::vector<V> const& values, std::vector<A> const& expected,
    Call call) {
  for (auto forced : System::every_route()) {
    std::vector<A> out(expected.size());
    try {
      call(keys.begin(), keys.end(), values.data(), out.data(), options{}.force(forced));
      BOOST_TEST((out == expected), "route " << forced);
    } catch (std::invalid_argument const&) {
      BOOST_TEST(test::fold_may_be_refused<System>(forced), "route " << forced);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(of_every_size_and_alignment, Blob, blobs) {
  check_blobs<test::main_system, Blob>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(on_every_system, System, test::systems) {
  check_blobs<System, test::blob<17>>();
  check_blobs<System, test::blob<64, 64>>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_largest_value_and_where_it_was, System, test::systems) {
  const auto keys = test::keys_for(4001, 50, test::distribution::zipf);
  test::random rng(3);
  const test::samples<test::best> values(keys.size(), [&](std::size_t i) {
    return test::best{7, static_cast<double>(rng() % 100), static_cast<std::uint32_t>(i)};
  });
  const test::best none{0, -1, 0xffffffffU};
  const auto expected = test::fold(keys, values, 50, none, test::pick_best{});
  std::vector<test::best> out(50);
  histogram_by_key(
      System::policy(), keys.begin(), keys.end(), values.begin(), out.data(), 50, test::pick_best{},
      none);
  for (std::size_t i = 0; i < out.size(); ++i) {
    BOOST_TEST(out[i].value == expected[i].value);
    BOOST_TEST(out[i].place == expected[i].place);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(complex_numbers, System, test::systems) {
  using complex = thrust::complex<double>;
  const auto keys = test::keys_for(2003, 40);
  std::vector<complex> values, sums(40);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    values.push_back(complex(static_cast<double>(i % 50) - 20, static_cast<double>(i % 7)));
    if (keys[i] >= 0 && keys[i] < 40)
      sums[static_cast<std::size_t>(keys[i])] += values.back();
  }
  const auto call = [](auto first, auto last, auto with, auto out, auto o) {
    histogram_by_key(System::policy(), first, last, with, out, 40, o);
  };
  check_plain<System>(keys, values, sums, call);
  check_plain<System>(keys, values, sums, [&](auto first, auto last, auto with, auto out, auto o) {
    call(first, last, with, out, o.exact());
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_and_their_squares, System, test::systems) {
  using sum = thrust_hist::weighted_sum<float>;
  const auto keys = test::keys_for(2003, 40);
  const test::samples<sum> values(
      keys.size(), [](std::size_t i) { return sum::of(static_cast<float>(i % 9) - 3); });
  test::check_fold<System>(
      keys, values, test::fold(keys, values, 40, sum{}, thrust::plus<sum>{}),
      [](auto first, auto last, auto with, auto out, auto o) {
        return histogram_by_key(System::policy(), first, last, with, out, 40, o);
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tuples_part_by_part, System, test::systems) {
  const auto keys = test::keys_for(2003, 40);
  using row = std::tuple<std::uint8_t, double, std::int64_t>;
  std::vector<row> values, sums(40);
  using thrust_row = thrust::tuple<int, double>;
  std::vector<thrust_row> thrust_sums(40, thrust_row(0, 0.));
  std::vector<int> ones;
  std::vector<double> reals;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [a, b, c] = values.emplace_back(i * 7, i % 100, i * i);
    ones.push_back(1);
    reals.push_back(b);
    if (keys[i] >= 0 && keys[i] < 40) {
      auto& [x, y, z] = sums[static_cast<std::size_t>(keys[i])];
      x = static_cast<std::uint8_t>(x + a);
      y += b;
      z += c;
      auto& of_thrust = thrust_sums[static_cast<std::size_t>(keys[i])];
      of_thrust = thrust_row(thrust::get<0>(of_thrust) + 1, thrust::get<1>(of_thrust) + b);
    }
  }
  check_plain<System>(keys, values, sums, [](auto first, auto last, auto with, auto out, auto o) {
    histogram_by_key(System::policy(), first, last, with, out, 40, thrust_hist::plus_each{}, o);
  });
  // Several columns at once, each an array of its own.
  std::vector<int> counts(40);
  std::vector<double> totals(40);
  histogram_by_key(
      System::policy(), keys.begin(), keys.end(),
      thrust::make_zip_iterator(thrust::make_tuple(ones.begin(), reals.begin())),
      thrust::make_zip_iterator(thrust::make_tuple(counts.begin(), totals.begin())), 40,
      thrust_hist::plus_each{});
  for (std::size_t i = 0; i < 40; ++i) {
    BOOST_TEST(counts[i] == thrust::get<0>(thrust_sums[i]));
    BOOST_TEST(totals[i] == thrust::get<1>(thrust_sums[i]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
