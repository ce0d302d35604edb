// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// Exact sums: the same bits on every system, by every route, for every number of workers and every
// split of the input, and those of a large integer that is rounded once.

#include "../support/big_sum.h"
#include "../support/folds.h"
#include <thrust_hist/histogram_by_key.h>
#include <thrust_hist/reduce.h>
#include <thrust_hist/transform_histogram.h>

#include <thrust/complex.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#ifdef _OPENMP
#  include <omp.h>
#endif

namespace folds_exact_setup {

using thrust_hist::exact_sum;
using thrust_hist::histogram_by_key;
using thrust_hist::options;

constexpr test::bin bins = 50;
const auto keys = test::keys_for(6007, bins, test::distribution::zipf);

enum class weights { ordinary, cancelling, any_exponent, near_overflow, special };
constexpr weights all_weights[] = {
    weights::ordinary, weights::cancelling, weights::any_exponent, weights::near_overflow,
    weights::special};

// Any finite number, by its bits.
template <class T>
T any_finite(test::random& rng) {
  for (;;) {
    const T x = test::from_bits<T>(rng());
    if (!test::anatomy<T>(x).is_special())
      return x;
  }
}

template <class T>
T negative(T x) {
  return test::from_bits<T>(test::bits_of(x) ^ std::uint64_t{1} << (8 * sizeof(T) - 1));
}

template <class T>
T largest() {
  using a = test::anatomy<T>;
  return test::from_bits<T>((std::uint64_t{a::special} << a::fraction) - 1);
}

template <class T>
test::samples<T> make_weights(weights kind) {
  test::random rng(static_cast<unsigned>(kind) + 1);
  std::vector<T> list(keys.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    switch (kind) {
    case weights::ordinary:
      list[i] = static_cast<T>(static_cast<double>(rng() >> 11) * 0x1p-53);
      break;
    case weights::cancelling: {  // what was some places before in the same bin, less a little
      list[i] = any_finite<T>(rng);
      for (std::size_t j = i; j-- > 0 && j + 300 > i;)
        if (keys[j] == keys[i] && rng() % 2 == 0) {
          list[i] = negative(rng() % 8 == 0 ? test::next_down(list[j]) : list[j]);
          break;
        }
      if (test::anatomy<T>(list[i]).is_special())
        list[i] = T(1);
      break;
    }
    case weights::any_exponent:
      list[i] = any_finite<T>(rng);
      break;
    case weights::near_overflow:
      list[i] = rng() % 2 == 0 ? largest<T>() : negative(largest<T>());
      break;
    case weights::special: {
      const std::uint64_t pattern = rng();
      list[i] = keys[i] % 3 == 0 && rng() % 50 == 0
                    ? test::from_bits<T>(
                          pattern | std::uint64_t{test::anatomy<T>::special}
                                        << test::anatomy<T>::fraction)
                : keys[i] % 3 == 1 && rng() % 50 == 0
                    ? test::from_bits<T>(
                          std::uint64_t{test::anatomy<T>::special} << test::anatomy<T>::fraction)
                    : any_finite<T>(rng);
    }
    }
  return test::samples<T>(list);
}

template <class T>
std::vector<test::big_sum> reference(test::samples<T> const& values) {
  std::vector<test::big_sum> sums(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] >= 0 && keys[i] < bins)
      sums[static_cast<std::size_t>(keys[i])].add(values[i]);
  return sums;
}

template <class A>
std::vector<A> rounded(std::vector<test::big_sum> const& sums) {
  std::vector<A> values;
  for (auto const& sum : sums)
    values.push_back(sum.value<A>());
  return values;
}

template <class System, class T, class A>
void check(weights kind) {
  const auto values = make_weights<T>(kind);
  BOOST_TEST_CONTEXT("weights " << static_cast<int>(kind))
  test::check_fold<System>(
      keys, values, rounded<A>(reference(values)),
      [](auto first, auto last, auto with, auto out, auto o) {
        return histogram_by_key(System::policy(), first, last, with, out, bins, o.exact());
      });
}

struct emit_twice {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(float x, Sink sink) const {
    sink(1, x);
    sink(0);
  }
};

}  // namespace folds_exact_setup

BOOST_AUTO_TEST_SUITE(folds_exact, THRUST_HIST_TEST_SMALL)
using namespace folds_exact_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(doubles, System, test::systems) {
  for (auto kind : all_weights)
    check<System, double, double>(kind);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(floats, System, test::systems) {
  for (auto kind : all_weights)
    check<System, float, float>(kind);
}

// Rounded once, and not by way of the wider type.
BOOST_AUTO_TEST_CASE_TEMPLATE(doubles_into_floats, System, test::systems) {
  for (auto kind : all_weights)
    check<System, double, float>(kind);
}

#if defined(_OPENMP) && !defined(__CUDACC__)
BOOST_AUTO_TEST_CASE(any_number_of_workers) {
  const int before = omp_get_max_threads();
  for (int workers : {1, 2, 3, 8}) {
    omp_set_num_threads(workers);
    for (auto kind : {weights::cancelling, weights::special})
      check<test::omp, double, double>(kind);
  }
  omp_set_num_threads(before);
}
#endif

// The start counts as one of the addends.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_reduction_is_a_histogram_of_one_bin, System, test::systems) {
  test::random rng(9);
  for (auto kind : all_weights) {
    const auto values = make_weights<double>(kind);
    const double init = any_finite<double>(rng);
    test::big_sum sum;
    sum.add(init);
    for (std::size_t i = 0; i < keys.size(); ++i)
      sum.add(values[i]);
    auto there = test::buffer_of<System>(values);
    double const* const first = there.data();
    BOOST_TEST_CONTEXT("weights " << static_cast<int>(kind)) {
      const double found = thrust_hist::reduce(
          System::policy(), first, first + keys.size(), init, thrust::plus<double>{},
          options{}.exact());
      BOOST_TEST(test::bits_of(found) == test::bits_of(sum.value<double>()));
      const auto narrow =
          thrust_hist::reduce(System::policy(), first, first, 0.5f, options{}.exact());
      BOOST_TEST(narrow == 0.5f);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_reduction_refuses_other_operators, System, test::systems) {
  auto there = test::buffer_of<System>(make_weights<double>(weights::ordinary));
  double const* const first = there.data();
  BOOST_CHECK_THROW(
      thrust_hist::reduce(
          System::policy(), first, first + 3, 1.0, thrust::multiplies<double>{}, options{}.exact()),
      std::invalid_argument);
  BOOST_TEST(
      thrust_hist::reduce(
          System::policy(), first, first + 3, 7.0, thrust::maximum<double>{}, options{}.exact()) ==
      7.0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(accumulate_adds_the_old_value_exactly, System, test::systems) {
  const auto values = make_weights<double>(weights::any_exponent);
  auto sums = reference(values);
  test::random rng(5);
  std::vector<double> before;
  for (auto& sum : sums) {
    before.push_back(any_finite<double>(rng));
    sum.add(before.back());
  }
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  int const* const first = keys_there.data();
  test::output<System, double> out(before);
  histogram_by_key(
      System::policy(), first, first + keys.size(), values_there.data(), out.data(), bins,
      options{}.exact().accumulate());
  out.check_equals(rounded<double>(sums));
}

// Chunk by chunk, each by another route; then sums of sums, by key as well.
BOOST_AUTO_TEST_CASE_TEMPLATE(chunks_are_merged_without_rounding, System, test::systems) {
  for (auto kind : {weights::ordinary, weights::cancelling, weights::special}) {
    const auto values = make_weights<double>(kind);
    const auto expected = rounded<double>(reference(values));
    auto keys_there = test::buffer_of<System>(keys);
    auto values_there = test::buffer_of<System>(values);
    int const* const first = keys_there.data();
    double const* const with = values_there.data();
    for (std::size_t chunks : {1, 2, 1000})
      BOOST_TEST_CONTEXT("weights " << static_cast<int>(kind) << ", " << chunks << " chunks") {
        std::vector<exact_sum<double>> total(bins);
        test::output<System, exact_sum<double>> accumulated(total);
        for (std::size_t i = 0; i < chunks; ++i) {
          const std::size_t begin = keys.size() * i / chunks, end = keys.size() * (i + 1) / chunks;
          test::output<System, exact_sum<double>> out(bins);
          const auto call = [&](auto to, options const& o) {
            histogram_by_key(
                System::policy(), first + begin, first + end, with + begin, to, bins, o);
          };
          call(out.data(), options{});
          call(accumulated.data(), options{}.accumulate());
          const auto part = out.contents();
          for (std::size_t j = 0; j < part.size(); ++j)
            total[j] += part[j];
        }
        accumulated.check_equals(total);  // byte for byte
        std::vector<double> values_of_total;
        for (auto const& sum : total)
          values_of_total.push_back(sum.value());
        BOOST_TEST(test::difference(values_of_total, expected) == "");
      }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_are_values_as_well, System, test::systems) {
  const test::samples<int> places{0, 1, 0, 1, 2};
  std::vector<exact_sum<float>> parts;
  for (float x : {1e30F, 1.F, -1e30F, 2.F, 3.F})
    parts.emplace_back(x);
  const test::samples<exact_sum<float>> sums(parts);
  std::vector<exact_sum<float>> expected{
      exact_sum<float>{}, exact_sum<float>(3.F), exact_sum<float>(3.F)};
  test::check_fold<System>(
      places, sums, expected, [](auto first, auto last, auto with, auto out, auto o) {
        return histogram_by_key(System::policy(), first, last, with, out, 3, o);
      });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(emitted_values_keep_their_limbs, System, test::systems) {
  const test::samples<float> in{1e30F, 3.F, -1e30F};
  test::check_fold<System>(
      in, in, std::vector<exact_sum<float>>{exact_sum<float>(3.F), exact_sum<float>(3.F)},
      [](auto first, auto last, auto, auto out, auto o) {
        return thrust_hist::transform_histogram(
            System::policy(), first, last, out, 2, emit_twice{}, o);
      });
  test::check_fold<System>(
      in, in, std::vector<double>{3, 3}, [](auto first, auto last, auto, auto out, auto o) {
        return thrust_hist::transform_histogram(
            System::policy(), first, last, out, 2, emit_twice{}, o.exact());
      });
}

BOOST_AUTO_TEST_SUITE_END()

#ifndef __CUDACC__

BOOST_AUTO_TEST_SUITE(folds_exact_settling, THRUST_HIST_TEST_SMALL)
using namespace folds_exact_setup;

// A fold that wants its states settled soon, and that nobody forgets it. What waits for a bucket is
// added at once, 4 096 pairs at most.
struct small_room : thrust_hist::detail::exact_sum_fold<double> {
  static constexpr std::uint64_t additions_at_once = 8192;
  struct state {
    thrust_hist::detail::carry_save<double> sum;
    std::uint64_t additions;
  };
  static void require_room(state const& s, std::uint64_t most) {
    if (s.additions > most)  // on a worker, where Boost.Test must not be called
      throw std::logic_error("nobody has settled this state");
  }
  state empty() const { return {}; }
  void add(state& s, double x) const {
    s.sum.add(x);
    ++s.additions;
    require_room(s, additions_at_once);
  }
  void merge(state& s, state const& other) const {
    s.sum.add(other.sum);
    s.additions += other.additions;
    require_room(s, additions_at_once + 1);
  }
  void settle(state& s) const {
    s.sum.normalize();
    s.additions = 1;
  }
  template <class A>
  A finish(state const& s) const {
    return thrust_hist::detail::exact_sum_fold<double>{}.finish<A>(s.sum);
  }
  template <class A>
  A finish_with(state const& s, A const&) const {
    return finish<A>(s);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(limbs_never_overflow, System, test::systems) {
  const test::samples<int> hot(50000, [](std::size_t i) { return i % 100 == 0 ? 1 : 0; });
  const test::samples<double> values(hot.size(), [](std::size_t i) { return i; });
  const double odd = 100. * 499 * 500 / 2;
  const std::vector<double> expected{49999. * 25000 - odd, odd};
  auto policy = System::policy();
  using rule = thrust_hist::identity_bins;
  const thrust_hist::detail::keyed_pairs<int const*, double const*, rule> source = {
      hot.begin(), values.begin(), hot.size(), rule(2)};
  for (auto forced : System::every_route())
    try {
      std::vector<double> out(2);
      thrust_hist::detail::fold_pairs(
          thrust_hist::detail::system_of_t<decltype(policy)>{}, policy, source, small_room{},
          out.begin(), options{}.force(forced));
      BOOST_TEST(test::difference(out, expected) == "", "route " << forced);
    } catch (std::invalid_argument const&) {
      BOOST_TEST(test::fold_may_be_refused<System>(forced));
    }
}

BOOST_AUTO_TEST_SUITE_END()

#endif
