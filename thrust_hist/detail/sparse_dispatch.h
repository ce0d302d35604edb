// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the public sparse algorithms to the systems: by which fold values are folded, and what
/// holds on every system. A system has `sparse_fold(system, policy, source, fold, output,
/// options)`, which returns the number of rows; explain() makes it fill in the plan and write
/// nothing.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/check_sparse.h>
#include <thrust_hist/detail/fold_dispatch.h>
#include <thrust_hist/detail/overload.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/detail/sparse_pairs.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/omp/executor.h>
#include <thrust_hist/system/sequential/sparse_fold.h>
#include <thrust_hist/system/tbb/executor.h>
#if defined(__CUDACC__)
#  include <thrust_hist/system/cuda/sparse_fold.cuh>
#endif

#include <cstdint>
#include <stdexcept>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Forms the rows, checked where that is wanted.
template <class Policy, class Source, class Fold, class Output>
std::uint64_t sparse_checked(
    Policy& policy, Source const& source, Fold const& fold, Output const& output,
    options const& o) {
  if (o.accumulate_) {
    throw std::invalid_argument("thrust_hist: accumulate() is not for sparse histograms: put "
                                "their results one behind the "
                                "other, and call sparse_histogram_by_key on these");
  }
  bool const checked = wants_check(o) && o.explain_ == nullptr;
  std::uint64_t const rows =
      detail::sparse_fold(system_of_t<Policy>{}, policy, source, fold, output, o);
  if (o.explain_ != nullptr) {
    return rows;
  }
  using values_out = typename Output::value_iterator;
  using folded = folded_of<values_out, result_t<Fold>>;
  constexpr bool is_staged =
      std::is_same_v<system_of_t<Policy>, cuda_system> && is_host_container_iterator<values_out>;
  if constexpr (is_staged) {
    detail::corrupt_fold_for_test<folded>(thrust::seq, output.values(), rows, o);
  } else {
    detail::corrupt_fold_for_test<folded>(policy, output.values(), rows, o);
  }
  if (checked) {
    detail::check_rows(policy, source, fold, output, rows, o);
  }
  if (o.dropped_ != nullptr) {
    *o.dropped_ = 0;
  }
  return rows;
}

/// Folds the values of each key, which are of type V, by an operator. Returns the number of rows.
template <class Policy, class Source, class Output, class Op>
std::uint64_t sparse_by_operator(
    Policy& policy, Source const& source, Output const& output, Op const& op, options const& o) {
  using given = typename Source::value;
  using out = typename folded_of<typename Output::value_iterator, given>::type;
  using value = folded_value_t<no_identity, out, given, Op>;
  static_assert(
      std::is_trivially_copyable_v<value> || parts_of<value> != 0 || is_complex<value>,
      "thrust_hist: values must be trivially copyable, so that they can go to a GPU.");
  using exact_fold = typename exact_fold_of<value>::type;
  constexpr bool can_be_exact = is_sum<Op> && !std::is_void_v<exact_fold> && !is_exact_sum<given>;
  constexpr bool keeps_limbs = can_be_exact && is_exact_sum<value>;
  if constexpr (keeps_limbs) {
    return detail::sparse_checked(policy, source, exact_fold{}, output, o);
  } else {
    if constexpr (can_be_exact) {
      if (o.exact_) {
        return detail::sparse_checked(policy, source, exact_fold{}, output, o);
      }
    }
    if (o.exact_ && !is_always_exact<Op, value>) {
      throw std::invalid_argument(exact_is_for_sums);
    }
    auto const known = detail::canonical(op);
    using canonical_op = std::remove_const_t<decltype(known)>;
    if constexpr (identity_of<Op, value>::known) {
      return detail::sparse_checked(
          policy, source,
          plain_fold<value, canonical_op>{
              known, detail::identity_for_fold<value, Op>(no_identity{})},
          output, o);
    } else {
      return detail::sparse_checked(
          policy, source, first_fold<value, canonical_op>{known}, output, o);
    }
  }
}

/// Counts, without an operator.
struct no_operator {};

/// All forms of the sparse algorithms. Returns the ends of the outputs.
template <class Policy, class Keys, class Values, class Op, class KeyOperators, class Output>
auto sparse_rows(
    Policy& policy, Keys first, Keys last, Values values, Op const& op,
    KeyOperators const& key_operators, Output& output, options const& o) {
  auto const keys = detail::keys_by<value_t<Keys>>(key_operators);
  sparse_pairs<Keys, Values, std::remove_const_t<decltype(keys)>> const source = {
      first, values, static_cast<std::uint64_t>(last - first), keys};
  std::uint64_t rows = 0;
  if constexpr (std::is_same_v<Op, no_operator>) {
    rows = detail::sparse_checked(policy, source, count_fold{}, output, o);
  } else {
    rows = detail::sparse_by_operator(policy, source, output, op, o);
  }
  return o.explain_ != nullptr ? output.untouched() : output.finish(rows);
}

/// Where rows go: into two containers, or through two iterators.
template <class KeysOut, class ValuesOut, class Use>
auto with_rows_output(KeysOut& keys_out, ValuesOut& values_out, Use use) {
  if constexpr (is_container<KeysOut>) {
    rows_in_containers<KeysOut, ValuesOut> output(keys_out, values_out);
    return use(output);
  } else {
    rows_by_iterators<std::decay_t<KeysOut>, std::decay_t<ValuesOut>> output(keys_out, values_out);
    return use(output);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
