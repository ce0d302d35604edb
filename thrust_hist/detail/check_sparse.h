// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// options::check() for sparse histograms: a stable sort and reduce_by_key, run beside them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/check_folds.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/detail/sparse_pairs.h>
#include <thrust_hist/errors.h>
#include <thrust_hist/options.h>

#include <cstdint>
#include <type_traits>

#if defined(THRUST_HIST_ENABLE_CHECK)
#  include <thrust_hist/detail/policy.h>
#  include <thrust_hist/detail/transfer.h>

#  include <thrust/iterator/discard_iterator.h>

#  include <algorithm>
#  include <new>
#  include <string>
#  include <vector>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

#if defined(THRUST_HIST_ENABLE_CHECK)

/// A fold as the baseline has it: it begins with a value, whatever `empty()` says.
template <class Fold>
struct baseline_fold {
  using value = typename Fold::value;
  using state = value;
  Fold fold;
  value any;

  state empty() const { return any; }
  void add(state& s, value const& x) const { fold.add(s, x); }
  void merge(state& s, state const& other) const { s = other; }
  template <class A>
  A finish(state const& s) const {
    return fold.template finish<A>(s);
  }
  template <class A>
  A finish_with(state const& s, A const&) const {
    return finish<A>(s);
  }
};

/// What is folded for a count: ones.
template <class Fold>
auto fold_of_baseline(Fold const& fold) {
  if constexpr (std::is_same_v<Fold, count_fold>) {
    return plain_fold<std::uint64_t, known_operator<operator_kind::sum>>{{}, 0};
  } else {
    return fold;
  }
}

/// The places of keys in their order, those that equal no other one last.
template <class Kind, class Codes>
std::vector<std::uint64_t> order_of(Kind const& keys, Codes const& codes) {
  std::vector<std::uint64_t> order(codes.size());
  for (std::uint64_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    bool const a_alone = keys.is_alone(codes[a]);
    bool const b_alone = keys.is_alone(codes[b]);
    return a_alone || b_alone ? !a_alone : keys.less(codes[a], codes[b]);
  });
  return order;
}

/// Whether keys of the output can be compared with those of the input.
template <class Source, class Output>
inline constexpr bool can_compare_keys =
    folded_of<typename Output::key_iterator, typename Source::key>::readable&& std::is_same_v<
        typename folded_of<typename Output::key_iterator, typename Source::key>::type,
        typename Source::key>;

/// Compares the keys of the output, in `order`, with those of the runs. Throws mismatch_error.
template <class Kind, class Code>
void compare_keys(
    Kind const& keys, std::vector<Code> const& expected, std::vector<Code> const& got,
    std::vector<std::uint64_t> const& order) {
  for (std::uint64_t row = 0; row < expected.size(); ++row) {
    if (!keys.equal(expected[row], got[order[row]])) {
      throw mismatch_error(
          static_cast<std::int64_t>(order[row]), "one key", "another key in this row");
    }
  }
}

/// Compares what the values of each run are folded to with the output's rows in `order`.
template <class Policy, class Fold, class Values, class Value>
void compare_values(
    Policy& policy, Fold const& fold, Values values, sorted_pairs<Value> const& pairs,
    std::vector<std::uint64_t> const& order) {
  using folded = folded_of<Values, typename Fold::value>;
  using type = typename folded::type;
  constexpr comparison how = comparison_of<Fold>();
  if constexpr (folded::readable && how != comparison::none) {
    std::vector<host_element<type>> got;
    got.reserve(pairs.bins);
    for (std::uint64_t const row : order) {
      got.push_back(static_cast<type>(*(values + static_cast<std::ptrdiff_t>(row))));
    }
    type const* const nothing = nullptr;
    if constexpr (std::is_same_v<Value, typename Fold::state>) {
      std::vector<addends> sums;
      if constexpr (how == comparison::rounded) {
        sums = detail::measure_addends(policy, pairs);
      }
      detail::compare_folds<type, Value>(
          detail::expect_reduced<type>(
              policy, pairs, baseline_fold<Fold>{fold, pairs.values[0]}, nothing),
          got, sums, {});
    } else {
      detail::compare_folds<type, Value>(
          detail::expect_exact<type>(policy, pairs, nothing), got, {}, {});
    }
  }
}

/// Throws mismatch_error unless the rows of the output are those of the baseline, in the order of
/// the keys where that is asked for. What cannot be read or compared is not checked.
template <class Policy, class Source, class Fold, class Output>
void check_rows_here(
    Policy& policy, Source const& source, Fold const& fold, Output const& output,
    std::uint64_t rows, options const& o) {
  using kind = typename Source::kind;
  using code = typename kind::code;
  using key = typename Source::key;
  std::vector<code> codes;
  codes.reserve(source.n);
  for (std::uint64_t i = 0; i < source.n; ++i) {
    codes.push_back(kind::template encode<key>(source.key_at(i)));
  }
  auto const input_order = detail::order_of(source.keys, codes);
  std::vector<std::uint64_t> run_of(source.n);
  std::vector<code> runs;
  for (std::uint64_t i = 0; i < source.n; ++i) {
    code const& c = codes[input_order[i]];
    if (i == 0 || source.keys.is_alone(c) || source.keys.less(codes[input_order[i - 1]], c)) {
      runs.push_back(c);
    }
    run_of[i] = runs.size() - 1;
  }
  if (runs.size() != rows) {
    throw mismatch_error(
        static_cast<std::int64_t>(rows), std::to_string(runs.size()) + " rows",
        std::to_string(rows) + " rows");
  }
  std::vector<std::uint64_t> order(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    order[row] = row;
  }
  if constexpr (can_compare_keys<Source, Output>) {
    std::vector<code> got;
    for (std::uint64_t row = 0; row < rows; ++row) {
      got.push_back(kind::template encode<key>(
          static_cast<key>(*(output.keys() + static_cast<std::ptrdiff_t>(row)))));
    }
    order = o.unordered_ ? detail::order_of(source.keys, got) : order;
    detail::compare_keys(source.keys, runs, got, order);
  } else if (o.unordered_) {
    return;  // nobody knows which row is which
  }
  if (source.n == 0) {
    return;
  }
  auto const baseline = detail::fold_of_baseline(fold);
  using value = typename std::remove_const_t<decltype(baseline)>::value;
  aligned_array<value, Policy> values(policy, source.n);
  for (std::uint64_t i = 0; i < source.n; ++i) {
    if constexpr (std::is_same_v<Fold, count_fold>) {
      values.data()[i] = 1;
    } else {
      ::new (static_cast<void*>(values.data() + i))
          value(detail::convert<value>(source.value_at(i)));
    }
  }
  detail::compare_values(
      policy, baseline, output.values(),
      sorted_pairs<value>{run_of.data(), input_order.data(), values.data(), source.n, rows}, order);
}

/// A range in the memory of a GPU, or of the host, as one that the host can read.
template <class Policy, class Iterator, class T>
class host_range {
public:
  host_range(Policy& policy, Iterator first, std::uint64_t n) : copies_(host_, n) {
    if constexpr (is_host_container_iterator<Iterator>) {
      copy_range_to_host(sequential_system{}, policy, first, n, copies_.data());
    } else {
      copy_range_to_host(system_of_t<Policy>{}, policy, first, n, copies_.data());
    }
  }
  T* begin() const { return copies_.data(); }

private:
  using host = std::remove_const_t<decltype(thrust::seq)>;
  host host_;
  aligned_array<T, host> copies_;
};

/// The same as check_rows_here() for what lies in the memory of a GPU: all of it is copied.
template <class Policy, class Source, class Fold, class Output>
void check_rows_there(
    Policy& policy, Source const& source, Fold const& fold, Output const& output,
    std::uint64_t rows, options const& o) {
  using key = typename Source::key;
  using value = typename Source::value;
  host_range<Policy, std::decay_t<decltype(source.first)>, key> const keys(
      policy, source.first, source.n);
  host_range<Policy, std::decay_t<decltype(source.values)>, value> const values(
      policy, source.values, source.n);
  sparse_pairs<key const*, value const*, typename Source::kind> const copied = {
      keys.begin(), values.begin(), source.n, source.keys};
  auto policy_here = thrust::seq;
  auto const check = [&](auto keys_out, auto values_out) {
    rows_by_iterators<decltype(keys_out), decltype(values_out)> const rows_here(
        keys_out, values_out);
    detail::check_rows_here(policy_here, copied, fold, rows_here, rows, o);
  };
  using keys_out = typename Output::key_iterator;
  using values_out = typename Output::value_iterator;
  using read_key = folded_of<keys_out, key>;
  using read_value = folded_of<values_out, result_t<Fold>>;
  auto const with_values = [&](auto readable_keys) {
    if constexpr (read_value::readable) {
      host_range<Policy, values_out, typename read_value::type> const got(
          policy, output.values(), rows);
      check(readable_keys, got.begin());
    } else {
      check(readable_keys, thrust::make_discard_iterator());
    }
  };
  if constexpr (read_key::readable) {
    host_range<Policy, keys_out, typename read_key::type> const got(policy, output.keys(), rows);
    with_values(got.begin());
  } else {
    with_values(thrust::make_discard_iterator());
  }
}

/// Throws mismatch_error unless the rows of the output are those of the baseline.
template <class Policy, class Source, class Fold, class Output>
void check_rows(
    Policy& policy, Source const& source, Fold const& fold, Output const& output,
    std::uint64_t rows, options const& o) {
  if constexpr (std::is_same_v<system_of_t<Policy>, cuda_system>) {
    detail::check_rows_there(policy, source, fold, output, rows, o);
  } else {
    detail::check_rows_here(policy, source, fold, output, rows, o);
  }
}

#else

template <class Policy, class Source, class Fold, class Output>
void check_rows(Policy&, Source const&, Fold const&, Output const&, std::uint64_t, options const&) {
}

#endif

}  // namespace detail
THRUST_HIST_NAMESPACE_END
