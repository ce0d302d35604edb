// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The look at values that says where windows of exact sums lie sees all that functions emit, the
// smallest and the largest in any order: what lies outside waits for one address in global memory.

#include "../support/boost_test.h"
#include "../support/systems.h"
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/probe_values.cuh>
#include <thrust_hist/transform_histogram.h>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

BOOST_AUTO_TEST_SUITE(probe_of_values, THRUST_HIST_TEST_SMALL)

namespace {

namespace cuda = thrust_hist::detail::cuda;

template <class T>
struct emit_three {
  T x[3];
  template <class Sink>
  __host__ __device__ void operator()(std::uint32_t i, Sink const& sink) const {
    for (int k = 0; k < 3; ++k)
      sink(i, x[k]);
  }
};

template <class T>
void check(T a, T b, T c) {
  T x[3] = {a, b, c};
  std::sort(x, x + 3);
  const thrust::device_vector<std::uint32_t> samples(5000, 3);
  thrust::device_vector<cuda::window_facts> facts(1);
  const auto rule = thrust_hist::detail::to_rule(10);
  do {
    const emit_three<T> emit = {{x[0], x[1], x[2]}};
    using source = thrust_hist::detail::emitted_pairs<
        T, std::uint32_t const*, std::decay_t<decltype(rule)>, emit_three<T>>;
    const source pairs = {thrust::raw_pointer_cast(samples.data()), samples.size(), rule, emit};
    const auto input = cuda::make_input<T, std::int32_t>(pairs, 0, samples.size());
    cuda::launch(
        "probe_values", cuda::probe_values<T, std::decay_t<decltype(input)>>, 1,
        cuda::probe_threads, 0, nullptr, input, 8u, 2u, true,
        thrust::raw_pointer_cast(facts.data()), cuda::cleared_words{});
    const cuda::window_facts found = facts[0];
    BOOST_TEST_CONTEXT(x[0] << ", then " << x[1] << ", then " << x[2]) {
      BOOST_TEST(found.wide == 0U);
      for (T value : x)
        if (value != 0 && std::isfinite(value)) {
          const int exponent = thrust_hist::detail::dissect(value).position;
          BOOST_TEST(exponent >= found.base - cuda::window<T>::binades);
          BOOST_TEST(exponent < found.base + cuda::window<T>::binades);
        }
    }
  } while (std::next_permutation(x, x + 3));
}

}  // namespace

BOOST_AUTO_TEST_CASE(sees_all_that_a_function_emits) {
  check<float>(0.5f, 1.5f, 3.0f);
  check<float>(0x1p-9f, 1.0f, 0x1p+9f);
  check<float>(-0x1p-20f, 0.0f, 3.0f);
  check<double>(0x1p-9, -1.0, 0x1p+9);
}

BOOST_AUTO_TEST_CASE(nothing_but_numbers_places_a_window) {
  check<float>(0.0f, 0.25f, std::numeric_limits<float>::infinity());
  check<float>(0x1p-20f, 2.0f, std::numeric_limits<float>::infinity());
}

// One value of each input: those that are infinite or no numbers lie outside, and do not say that
// numbers are spread.
template <class T>
struct plain_values {
  T const* first;
  std::uint64_t n;
  __device__ std::uint64_t size() const { return n; }
  template <class Table>
  __device__ void visit(std::uint64_t i, Table& table) const {
    table.add(0, first[i]);
  }
};
template <class T>
static void check_outside(T special, int every, T number, T other) {
  constexpr int n = 8191;  // fewer than are looked at: each is, once
  thrust::host_vector<T> values(n);
  unsigned specials = 0;
  for (int i = 0; i < n; ++i) {
    values[static_cast<std::size_t>(i)] = i % every == 0       ? special
                                          : i / every % 2 == 0 ? number
                                                               : other;
    specials += i % every == 0 ? 1 : 0;
  }
  const thrust::device_vector<T> input = values;
  thrust::device_vector<cuda::window_facts> facts(1);
  cuda::launch(
      "probe_values", cuda::probe_values<T, plain_values<T>>, 1, cuda::probe_threads, 0, nullptr,
      plain_values<T>{thrust::raw_pointer_cast(input.data()), n}, 8u, 1u, true,
      thrust::raw_pointer_cast(facts.data()), cuda::cleared_words{});
  const cuda::window_facts found = facts[0];
  BOOST_TEST_CONTEXT(special << " every " << every << ", else " << number << " and " << other) {
    const auto is_inside = [&](T x) {
      const int place = thrust_hist::detail::dissect(x).position - found.base;
      return place >= 0 && place < cuda::window<T>::binades;
    };
    const unsigned all = n - specials;
    const unsigned odd = static_cast<unsigned>(std::count(values.begin(), values.end(), other));
    const bool are_both = is_inside(number) && is_inside(other);
    BOOST_TEST((is_inside(number) || is_inside(other)));
    BOOST_TEST(found.wide == (are_both ? 0U : 1U));
    if (are_both)
      BOOST_TEST(found.outside == specials);
    else
      BOOST_TEST(found.outside == specials + std::min(odd, all - odd));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_number_lies_outside) {
  const auto check_type = [](auto zero) {
    using type = decltype(zero);
    using limits = std::numeric_limits<type>;
    for (int every : {2, 3, 1000})
      for (type special :
           {limits::infinity(), -limits::infinity(), limits::quiet_NaN(), -limits::quiet_NaN()}) {
        check_outside<type>(special, every, type(1), type(-1.5));
        check_outside<type>(special, every, type(1), limits::min());
        check_outside<type>(special, every, limits::max(), -limits::max());
        check_outside<type>(special, every, limits::denorm_min(), limits::min());
      }
  };
  check_type(float{});
  check_type(double{});
}

BOOST_AUTO_TEST_SUITE_END()
