// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// All pairs of a source in arrays, for check(): their bins found by searching edges, and emitted
/// pairs counted before they are written.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/by_search.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// An array in temporary memory that is aligned as T wants it, whatever the policy's allocator
/// does.
template <class T, class Policy>
class aligned_array {
public:
  aligned_array(Policy& policy, std::uint64_t size)
      : memory_(policy, size * sizeof(T) + alignof(T)) {}
  T* data() const noexcept {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
    return reinterpret_cast<T*>(memory_.data() + (alignof(T) - address % alignof(T)) % alignof(T));
  }

private:
  temporary_array<char, Policy> memory_;
};

/// Where pair i goes. A pair without bin has the number of bins for one.
template <class Value>
struct pair_arrays {
  std::uint64_t* bin;
  Value* value;
  std::uint64_t bins;

  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class Bound, class X, class V>
  THRUST_HIST_HOST_DEVICE void put(
      std::uint64_t i, Bound const& rule, X const& x, V const& v) const {
    auto const found = static_cast<std::uint64_t>(detail::search_bin(rule, x));
    bin[i] = found < bins ? found : bins;
    ::new (static_cast<void*>(value + i)) Value(detail::convert<Value>(v));
  }
};

/// Runs `work(i)` for each i below n where the policy says.
template <class Policy, class Work>
void for_each_index(Policy& policy, std::uint64_t n, Work work) {
  thrust::counting_iterator<std::uint64_t> const zero(0);
  thrust::for_each(algorithm_policy(policy), zero, zero + static_cast<std::ptrdiff_t>(n), work);
}

// --- keys with values beside them -----------------------------------------------------------

template <class Bound, class Value>
struct list_keyed_pair {
  Bound source;
  pair_arrays<Value> to;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE void operator()(std::uint64_t i) const {
    using keys = decltype(source.keys);
    using values = decltype(source.values);
    value_t<keys> const key = *(source.keys + static_cast<difference_t<keys>>(i));
    value_t<values> const value = *(source.values + static_cast<difference_t<values>>(i));
    to.put(i, source.rule, key, value);
  }
};

// --- emitted pairs --------------------------------------------------------------------------

/// Counts the pairs of a sample.
class counting_sink {
public:
  THRUST_HIST_HOST_DEVICE explicit counting_sink(std::uint64_t& pairs) : pairs_(&pairs) {}
  template <class... X>
  THRUST_HIST_HOST_DEVICE void operator()(X const&...) const {
    ++*pairs_;
  }

private:
  std::uint64_t* pairs_;
};

/// Writes the pairs of a sample, from place `at` on.
template <class Value, class Rule>
class listing_sink {
public:
  THRUST_HIST_HOST_DEVICE listing_sink(
      Rule const& rule, pair_arrays<Value> const& to, std::uint64_t& at)
      : rule_(&rule), to_(&to), at_(&at) {}

  template <class X>
  THRUST_HIST_HOST_DEVICE void operator()(X const& x) const {
    (*this)(x, detail::number<Value>(1));
  }
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class X, class V>
  THRUST_HIST_HOST_DEVICE void operator()(X const& x, V const& value) const {
    to_->put((*at_)++, detail::bind_rule<X, bin_index>(*rule_), x, value);
  }

private:
  Rule const* rule_;
  pair_arrays<Value> const* to_;
  std::uint64_t* at_;
};

template <class Bound>
struct count_emitted {
  Bound source;
  std::uint64_t* pairs;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE void operator()(std::uint64_t i) const {
    using iterator = decltype(source.first);
    value_t<iterator> const x = *(source.first + static_cast<difference_t<iterator>>(i));
    std::uint64_t n = 0;
    counting_sink const sink(n);
    source.emit(x, sink);
    pairs[i] = n;
  }
};

template <class Bound, class Value>
struct list_emitted {
  Bound source;
  std::uint64_t const* first_pair;
  pair_arrays<Value> to;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE void operator()(std::uint64_t i) const {
    using iterator = decltype(source.first);
    value_t<iterator> const x = *(source.first + static_cast<difference_t<iterator>>(i));
    std::uint64_t at = first_pair[i];
    listing_sink<Value, decltype(source.rule)> const sink(source.rule, to, at);
    source.emit(x, sink);
  }
};

/// Calls `use(bins, values, n)` with the arrays of all pairs.
template <class Value, class Policy, class Source, class Use>
void with_listed_pairs(Policy& policy, Source const& source, Use use) {
  auto const bound = source.template bind<bin_index>();
  using bound_type = std::remove_const_t<decltype(bound)>;
  auto const bins = static_cast<std::uint64_t>(source.bins());
  std::uint64_t const inputs = source.size();
  if constexpr (!Source::emits) {
    temporary_array<std::uint64_t, Policy> bin(policy, inputs + 1);
    aligned_array<Value, Policy> value(policy, inputs);
    detail::for_each_index(
        policy, inputs,
        list_keyed_pair<bound_type, Value>{bound, {bin.data(), value.data(), bins}});
    use(bin.data(), value.data(), inputs);
  } else {
    temporary_array<std::uint64_t, Policy> first(policy, inputs + 1);
    std::uint64_t* const pairs = first.data();
    detail::for_each_index(policy, inputs, count_emitted<bound_type>{bound, pairs});
    // The last place takes the number of all pairs.
    thrust::exclusive_scan(algorithm_policy(policy), pairs, pairs + inputs + 1, pairs);
    std::uint64_t const n = copy_to_host(system_of_t<Policy>{}, policy, pairs + inputs, 1)[0];
    temporary_array<std::uint64_t, Policy> bin(policy, n + 1);
    aligned_array<Value, Policy> value(policy, n);
    detail::for_each_index(
        policy, inputs,
        list_emitted<bound_type, Value>{bound, pairs, {bin.data(), value.data(), bins}});
    use(bin.data(), value.data(), n);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
