// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The sort + reduce_by_key code that folds replace: what check() expects to find in every bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/by_search.h>
#include <thrust_hist/detail/compare_folds.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/list_pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/values.h>

#include <thrust/functional.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The policy for reduce_by_key: on the host one thread does it without temporary memory, which
/// would not be aligned for every type.
template <class Policy>
auto& reduction_policy(Policy& policy) {
  if constexpr (std::is_same_v<system_of_t<Policy>, cuda_system>) {
    return policy;
  } else {
    return thrust::seq;
  }
}

/// What the output has to hold: the folded value of a bin from a sorted list, or the identity.
template <class Fold, class A>
struct finish_expected {
  Fold fold;
  std::uint64_t const* bins;
  typename Fold::value const* folded;
  std::uint64_t n;
  A const* before;  // to accumulate, else null
  A* expected;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE void operator()(std::uint64_t bin) const {
    auto const at = static_cast<std::uint64_t>(detail::count_reached(
        static_cast<bin_index>(n), [&](bin_index i) { return bins[i] < bin; }));
    auto state = fold.empty();
    if (at < n && bins[at] == bin) {
      fold.merge(state, folded[at]);
    }
    ::new (static_cast<void*>(expected + bin))
        A(before != nullptr ? fold.template finish_with<A>(state, before[bin])
                            : fold.template finish<A>(state));
  }
};

/// All pairs of a call, sorted by bin: place i has sorted_bins[i] and values[order[i]].
template <class Value>
struct sorted_pairs {
  std::uint64_t const* sorted_bins;
  std::uint64_t const* order;
  Value const* values;
  std::uint64_t n;
  std::uint64_t bins;
};

/// Reduces the values of each bin, after `make`, by `op`: calls `use(bins, results, n)`.
template <class Policy, class Value, class Make, class Op, class Use>
void reduce_each_bin(Policy& policy, sorted_pairs<Value> const& pairs, Make make, Op op, Use use) {
  using result = std::decay_t<decltype(make(std::declval<Value const&>()))>;
  temporary_array<std::uint64_t, Policy> bins(policy, pairs.n);
  aligned_array<result, Policy> results(policy, pairs.n);
  auto const values = thrust::make_transform_iterator(
      thrust::make_permutation_iterator(pairs.values, pairs.order), make);
  auto const ends = thrust::reduce_by_key(
      reduction_policy(policy), pairs.sorted_bins, pairs.sorted_bins + pairs.n, values, bins.data(),
      results.data(), thrust::equal_to<std::uint64_t>{}, op);
  use(bins.data(), results.data(), static_cast<std::uint64_t>(ends.first - bins.data()));
}

struct as_it_is {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T const& x) const {
    return x;
  }
};

template <class T, class Policy>
auto on_host(Policy& policy, T const* data, std::uint64_t n) {
  return copy_to_host(system_of_t<Policy>{}, policy, data, n);
}

/// The addends of each bin, for the bound of what rounding does.
template <class Policy, class Value>
std::vector<addends> measure_addends(Policy& policy, sorted_pairs<Value> const& pairs) {
  std::vector<addends> of_bin(pairs.bins, addends{0, 0});
  detail::reduce_each_bin(
      policy, pairs, measure_addend{}, add_addends{},
      [&](std::uint64_t const* bins, addends const* sums, std::uint64_t n) {
        auto const bin_list = on_host(policy, bins, n);
        auto const sum_list = on_host(policy, sums, n);
        for (std::uint64_t i = 0; i < n; ++i) {
          if (bin_list[i] < pairs.bins) {
            of_bin[bin_list[i]] = sum_list[i];
          }
        }
      });
  return of_bin;
}

/// What reduce_by_key finds, as the output's values. `before`: to accumulate, else null.
template <class A, class Policy, class Fold>
auto expect_reduced(
    Policy& policy, sorted_pairs<typename Fold::value> const& pairs, Fold const& fold,
    A const* before) {
  using value = typename Fold::value;
  aligned_array<A, Policy> expected(policy, pairs.bins);
  detail::reduce_each_bin(
      policy, pairs, as_it_is{}, fold_two<Fold>{fold},
      [&](std::uint64_t const* bins, value const* folded, std::uint64_t n) {
        detail::for_each_index(
            policy, pairs.bins,
            finish_expected<Fold, A>{fold, bins, folded, n, before, expected.data()});
      });
  return on_host(policy, expected.data(), pairs.bins);
}

/// A sum that is exact in another way than those of folds.
template <class Value>
struct exact_reference {
  exact_sum<Value> sum;
  void add(Value x) { sum += x; }
  template <class A>
  void add_old(A const& x) {
    if constexpr (std::is_same_v<A, exact_sum<Value>>) {
      sum += x;
    } else {
      sum += detail::convert<Value>(x);
    }
  }
  template <class A>
  A value_as() const {
    if constexpr (std::is_same_v<A, exact_sum<Value>>) {
      return sum;
    } else if constexpr (is_real_sample<A>) {
      return sum.template value_as<A>();
    } else {
      return detail::convert<A>(sum.value());
    }
  }
};
template <class Real>
struct exact_reference<thrust::complex<Real>> {
  exact_sum<Real> re;
  exact_sum<Real> im;
  template <class C>
  void add(C const& x) {
    re += static_cast<Real>(x.real());
    im += static_cast<Real>(x.imag());
  }
  template <class C>
  void add_old(C const& x) {
    add(x);
  }
  template <class A>
  A value_as() const {
    return A(re.value(), im.value());
  }
};

/// Exact sums, one addition after the other, on the host.
template <class A, class Policy, class Value>
auto expect_exact(Policy& policy, sorted_pairs<Value> const& pairs, A const* before) {
  auto const sorted_bins = on_host(policy, pairs.sorted_bins, pairs.n);
  auto const order = on_host(policy, pairs.order, pairs.n);
  auto const values = on_host(policy, pairs.values, pairs.n);
  auto const old = on_host(policy, before, before != nullptr ? pairs.bins : 0);
  std::vector<host_element<A>> expected;
  expected.reserve(pairs.bins);
  std::uint64_t i = 0;
  for (std::uint64_t bin = 0; bin < pairs.bins; ++bin) {
    exact_reference<Value> sum{};
    for (; i < pairs.n && sorted_bins[i] == bin; ++i) {
      sum.add(values[order[i]]);
    }
    if (before != nullptr) {
      sum.add_old(old[bin]);
    }
    expected.push_back(sum.template value_as<A>());
  }
  return expected;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
