// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values folded by operators without identity into more rows than the shared memory of a block
// holds, many of them into few: right, and not much slower than where they are spread.

#include "../support/containers.h"
#include "../support/folds.h"
#include "../support/sparse.h"
#include "crowded.h"

#include <thrust/device_vector.h>
#include <thrust/tabulate.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace sparse_crowded_setup {

using test::in_turn;
using thrust_hist::options;
using thrust_hist::route;

// Of 4 bytes, whose states are swapped, of 8, which travel with their keys, and of more.
template <class Number>
struct numbered {
  Number value;
  Number place;
};
template <class Number>
bool operator==(numbered<Number> const& a, numbered<Number> const& b) {
  return a.value == b.value && a.place == b.place;
}
template <class Number>
struct make_numbered {
  __host__ __device__ numbered<Number> operator()(std::uint64_t i) const {
    return {static_cast<Number>(i * 0x9e3779b97f4a7c15u >> 54), static_cast<Number>(i)};
  }
};
// The greater one, of equals the first.
struct pick_greater {
  template <class Number>
  __host__ __device__ numbered<Number> operator()(
      numbered<Number> const& a, numbered<Number> const& b) const {
    return a.value < b.value || (a.value == b.value && b.place < a.place) ? b : a;
  }
};
using numbers = std::tuple<std::uint16_t, std::uint32_t, double>;

// A key for each bin, far from those of others.
struct key_in_turn {
  in_turn which;
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const {
    return which(i) * 0x9e3779b97f4a7c15u;
  }
};

}  // namespace sparse_crowded_setup

BOOST_AUTO_TEST_SUITE(sparse_crowded, THRUST_HIST_TEST_LARGE)
using namespace sparse_crowded_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(are_folded_right, Number, numbers) {
  using value = numbered<Number>;
  constexpr std::size_t n = 1200007;
  for (in_turn const& which :
       {in_turn{1, 20011, n / 2}, in_turn{3, 20011, n / 2}, in_turn{20011, 20011}})
    BOOST_TEST_CONTEXT(which.period << " in turn from " << which.from) {
      const test::samples<std::uint64_t> keys(n, key_in_turn{which});
      const test::samples<value> values(n, make_numbered<Number>{});
      auto k = test::buffer_of<test::cuda>(keys);
      auto v = test::buffer_of<test::cuda>(values);
      const auto expected =
          test::reduce_sorted<value>(keys, values, test::by_less{}, pick_greater{});
      thrust::device_vector<std::uint64_t> unique(n);
      thrust::device_vector<value> picked(n);
      std::uint64_t const* const first = k.data();
      const auto ends = thrust_hist::sparse_histogram_by_key(
          test::cuda::policy(), first, first + n, static_cast<value const*>(v.data()),
          unique.begin(), picked.begin(), pick_greater{}, options{}.force(route::hashed));
      unique.resize(static_cast<std::size_t>(ends.first - unique.begin()));
      picked.resize(static_cast<std::size_t>(ends.second - picked.begin()));
      BOOST_TEST(expected.keys.size() > 20000U);  // more than a block has room for
      BOOST_TEST((test::contents(unique) == expected.keys));
      BOOST_TEST((test::contents(picked) == expected.values));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(take_no_longer, Number, numbers) {
  using value = numbered<Number>;
  constexpr std::uint32_t bins = 20011;
  constexpr std::size_t n = std::size_t{1} << 22;
  thrust::device_vector<std::uint64_t> keys(n), unique(n);
  thrust::device_vector<value> values(n), picked(n);
  thrust::tabulate(values.begin(), values.end(), make_numbered<Number>{});
  const auto measure = [&](in_turn const& which) {
    thrust::tabulate(keys.begin(), keys.end(), key_in_turn{which});
    std::vector<float> ms;
    for (route taken : {route::automatic, route::hashed})
      ms.push_back(test::least_ms([&] {
        thrust_hist::sparse_histogram_by_key(
            thrust::cuda::par, keys.begin(), keys.end(), values.begin(), unique.begin(),
            picked.begin(), pick_greater{}, options{}.force(taken));
      }));
    return ms;
  };
  test::check_crowds_take_no_longer(
      measure, {1, bins, n}, {{1, bins}, {2, bins}, {1, bins, n / 2}, {5, bins, n / 2}});
}

BOOST_AUTO_TEST_SUITE_END()
