// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys that lie in a range: what is seen in a sample of them, what is planned, and what comes of
// it, by themselves.

#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>
#include <thrust_hist/system/cuda/sparse_ranges.cuh>

#include <thrust/iterator/constant_iterator.h>

#include <cstdint>
#include <type_traits>

namespace test {

// The parts of a call, by themselves: what is seen in a sample, and whether all keys can be counted
// range by range.
template <class Key>
class ranges_of {
public:
  explicit ranges_of(samples<Key> const& keys)
      : there_(buffer_of<main_system>(keys)), facts_(memory_, there_.data(), keys.size(), kind) {
    problem_.inputs = problem_.most_keys = keys.size();
    problem_.code_bytes = sizeof(typename kind_type::code);
    problem_.is_number = problem_.has_ranges = true;
  }

  thrust_hist::detail::cuda::key_sample look() {
    guess_ = facts_.guess(
        thrust_hist::detail::cuda::most_worth_guessing(problem_),
        thrust_hist::detail::cuda::asked_of_range::all);
    thrust_hist::detail::cuda::tell_sample(problem_, facts_.seen());
    return facts_.seen();
  }
  // Of a call by itself, after a look.
  thrust_hist::detail::cuda::sparse_plan plan() const {
    return thrust_hist::detail::cuda::plan_sparse(
        problem_, guess_, thrust_hist::detail::cuda::current_facts(), {});
  }
  bool are_counted(thrust_hist::detail::cuda::sparse_plan const& plan) {
    ranges ranges(facts_);
    return ranges.run(plan, false);
  }
  // By force. `distinct`: a guess.
  thrust_hist::detail::cuda::sparse_plan forced(std::uint64_t distinct) const {
    return thrust_hist::detail::cuda::plan_ranges(
        problem_, {}, distinct, true, thrust_hist::detail::cuda::current_facts());
  }

  // Rows are written at once. Returns whether all keys had room.
  bool are_written(
      thrust_hist::detail::cuda::sparse_plan const& plan, rows<Key, int> const& expected) {
    using thrust_hist::detail::count_fold;
    using thrust_hist::detail::one;
    ranges found(facts_);
    if (!found.run(plan, true))
      return false;
    sparse_output<main_system, Key, int> out(facts_.size());
    const auto ones = thrust::make_constant_iterator(one{});
    const thrust_hist::detail::sparse_pairs<Key const*, std::decay_t<decltype(ones)>, kind_type>
        source = {there_.data(), ones, facts_.size(), kind};
    using writer = thrust_hist::detail::cuda::row_writer<kind_type, Key, count_fold, Key*, int*>;
    const auto rows = found.write(source, writer{count_fold{}, out.keys(), out.values()});
    if (!found.has_all())
      return false;
    BOOST_TEST(rows == expected.keys.size());
    out.check_equals(expected);
    return true;
  }

private:
  static inline const auto kind = thrust_hist::detail::cuda::widen(
      thrust_hist::detail::keys_by<Key>(thrust_hist::detail::no_key_operators{}));
  using kind_type = std::remove_const_t<decltype(kind)>;
  using policy_type = decltype(main_system::policy());
  using ranges = thrust_hist::detail::cuda::counted_ranges<policy_type, Key const*, kind_type>;

  policy_type policy_ = main_system::policy();
  thrust_hist::detail::cuda::call_memory<policy_type> memory_ =
      thrust_hist::detail::cuda::call_memory<policy_type>(policy_);
  main_system::buffer<Key> there_;
  thrust_hist::detail::cuda::key_facts<policy_type, Key const*, kind_type> facts_;
  thrust_hist::detail::cuda::sparse_problem problem_ = {};
  std::uint64_t guess_ = 0;
};

}  // namespace test
