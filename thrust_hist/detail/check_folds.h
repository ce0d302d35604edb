// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// options::check() for folds: the sort + reduce_by_key code that they replace, run beside them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/check.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(THRUST_HIST_ENABLE_CHECK)
#  include <thrust_hist/detail/compare_folds.h>
#  include <thrust_hist/detail/fold_by_sorting.h>
#  include <thrust_hist/detail/list_pairs.h>

#  include <thrust/copy.h>
#  include <thrust/sequence.h>
#  include <thrust/sort.h>
#  include <thrust/transform.h>

#  include <new>
#  include <vector>
#endif

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// What check() has to find in tests: a value that is not the one in the output.
struct falsify_value {
  template <class A>
  THRUST_HIST_HOST_DEVICE A operator()(A x) const {
    if constexpr (is_number<A> && !std::is_same_v<A, bool>) {
      double const wide = detail::convert<double>(x);
      return wide > -1e9 && wide < 1e9 ? detail::convert<A>(wide + 1) : A{};
    } else {
      *reinterpret_cast<unsigned char*>(&x) ^= 1;
      return x;
    }
  }
};

/// Falsifies a bin of an output where a test asks for it, see corrupt_for_test().
template <class Folded, class Policy, class Out>
void corrupt_fold_for_test(
    [[maybe_unused]] Policy& policy, [[maybe_unused]] Out out, [[maybe_unused]] std::uint64_t bins,
    [[maybe_unused]] options const& o) {
#if defined(THRUST_HIST_TEST_HOOKS) && defined(THRUST_HIST_ENABLE_CHECK)
  if constexpr (Folded::readable) {
    if (o.explain_ != nullptr) {
      return;
    }
    corrupt_for_test(bins, [&](std::uint64_t wrong) {
      auto const place = out + static_cast<std::ptrdiff_t>(wrong);
      thrust::transform(algorithm_policy(policy), place, place + 1, place, falsify_value{});
    });
  }
#endif
}

#if defined(THRUST_HIST_ENABLE_CHECK)

/// All values of an output, in memory of the policy's system.
template <class Policy, class Out, class A>
void copy_output(Policy& policy, Out out, std::uint64_t bins, A* to) {
  if constexpr (std::is_same_v<system_of_t<Policy>, cuda_system>) {
    thrust::copy(policy, out, out + static_cast<std::ptrdiff_t>(bins), to);
  } else {
    for (std::uint64_t bin = 0; bin < bins; ++bin) {
      ::new (static_cast<void*>(to + bin)) A(*(out + static_cast<std::ptrdiff_t>(bin)));
    }
  }
}

/// Throws mismatch_error for the first bin where `got` is not as expected. `sums`: empty where all
/// has to be equal. `old`: what was there before, or empty.
template <class A, class W, class List>
void compare_folds(
    List const& expected, List const& got, std::vector<addends> const& sums, List const& old) {
  coarseness format;
  format.look_at(W{});
  format.look_at(A{});
  for (std::uint64_t bin = 0; bin < expected.size(); ++bin) {
    double distance = 0;
    if (!sums.empty()) {
      addends all = sums[bin];
      if (!old.empty()) {
        all = add_addends{}(all, measure_addend{}(static_cast<A const&>(old[bin])));
      }
      rounding_bound const bound(all, format);
      if (!bound.known) {
        continue;
      }
      distance = bound.distance;
    }
    A const& right = expected[bin];
    A const& found = got[bin];
    if (detail::differ(right, found, distance)) {
      throw mismatch_error(
          static_cast<std::int64_t>(bin), value_text(right, "a value"),
          value_text(found, "a different value"));
    }
  }
}

/// Runs `run()` and compares what it leaves in `out`. What cannot be read or compared is not
/// checked.
template <class Policy, class Source, class Fold, class Out, class Run>
void run_checked_fold(
    Policy& policy, Source const& source, Fold const& fold, Out out, options const& o, Run run) {
  using folded = folded_of<Out, typename Fold::value>;
  using value = typename Fold::value;
  using type = typename folded::type;
  constexpr comparison how = comparison_of<Fold>();
  if constexpr (folded::readable && how != comparison::none) {
    auto const bins = static_cast<std::uint64_t>(source.bins());
    aligned_array<type, Policy> before(policy, o.accumulate_ ? bins : 0);
    aligned_array<type, Policy> after(policy, bins);
    type const* const old = o.accumulate_ ? before.data() : nullptr;
    detail::copy_output(policy, out, o.accumulate_ ? bins : 0, before.data());
    run();
    detail::copy_output(policy, out, bins, after.data());
    detail::with_listed_pairs<value>(
        policy, source, [&](std::uint64_t* bin, value const* values, std::uint64_t n) {
          temporary_array<std::uint64_t, Policy> order(policy, n);
          thrust::sequence(algorithm_policy(policy), order.data(), order.data() + n);
          thrust::stable_sort_by_key(algorithm_policy(policy), bin, bin + n, order.data());
          sorted_pairs<value> const pairs = {bin, order.data(), values, n, bins};
          auto const got = on_host(policy, after.data(), bins);
          auto const start = on_host(policy, old, o.accumulate_ ? bins : 0);
          if constexpr (!std::is_same_v<value, typename Fold::state>) {
            detail::compare_folds<type, value>(
                detail::expect_exact<type>(policy, pairs, old), got, {}, start);
          } else {
            std::vector<addends> sums;
            if constexpr (how == comparison::rounded) {
              sums = detail::measure_addends(policy, pairs);
            }
            detail::compare_folds<type, value>(
                detail::expect_reduced<type>(policy, pairs, fold, old), got, sums, start);
          }
        });
  } else {
    run();
  }
}

#else

template <class Policy, class Source, class Fold, class Out, class Run>
void run_checked_fold(Policy&, Source const&, Fold const&, Out, options const&, Run run) {
  run();
}

#endif

}  // namespace detail
THRUST_HIST_NAMESPACE_END
