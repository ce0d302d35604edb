// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folds by key on the host beside loops that somebody writes by hand: `table[key] = op(table[key],
/// value)` on one thread, and with OpenMP in a private table for each thread, whose tables are
/// there before the clock starts. Beside these, Thrust's sort_by_key and reduce_by_key under the
/// same policy; a sort destroys its input: it gets a copy, which is made while no clock runs.

#include "host_keys.h"
#include "host_timing.h"
#include "rows.h"
#include "values.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/system/omp/execution_policy.h>

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace perf {

/// The largest score so far, and where it was.
struct best_score {
  double score;
  std::uint64_t index;
  friend bool operator==(best_score const& a, best_score const& b) {
    return a.score == b.score && a.index == b.index;
  }
};
struct better {
  best_score operator()(best_score const& a, best_score const& b) const {
    return b.score > a.score || (b.score == a.score && b.index < a.index) ? b : a;
  }
};
/// The same, which says that it does not throw.
struct better_for_sure : better {
  best_score operator()(best_score const& a, best_score const& b) const noexcept {
    return better::operator()(a, b);
  }
};

/// Value i of a fold, and whether two results are the same but for rounding.
template <class T>
T fold_value(std::uint64_t i) {
  return perf::value_at<T>(i, std::is_integral_v<T> ? value_kind::bits : value_kind::unit);
}
template <>
inline best_score fold_value<best_score>(std::uint64_t i) {
  return {perf::value_at<double>(i, value_kind::unit), i};
}
template <class T>
bool is_near(T const& a, T const& b, double terms) {
  if constexpr (std::is_floating_point_v<T>) {
    double const rounding = static_cast<double>(std::numeric_limits<T>::epsilon()) * (terms + 1);
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) <=
           rounding * static_cast<double>(std::abs(a) + 1);
  } else {
    return a == b;
  }
}

/// Ways of folding the same pairs, timed in turn.
template <class T, class Op>
class fold_race {
public:
  fold_race(std::vector<std::uint32_t> const& keys, std::uint64_t bins, Op op, T identity)
      : keys_(keys), values_(keys.size()), bins_(bins), op_(op), identity_(identity),
        expected_(bins, identity), out_(bins, identity),
        tables_(static_cast<std::size_t>(omp_get_max_threads()), std::vector<T>(bins, identity)) {
    for (std::uint64_t i = 0; i < values_.size(); ++i) {
      values_[i] = perf::fold_value<T>(i);
    }
    plain_loop(expected_);
  }

  bool equal() const { return equal_; }

  /// Seconds, medians of each, in turn.
  template <class... Run>
  std::vector<double> operator()(Run... run) {
    return perf::medians_in_turn(
        5, [&] { check(); }, run...);
  }

  template <class Policy>
  auto ours(Policy const& policy, thrust_hist::options const& o) {
    return [this, &policy, o] {
      thrust_hist::histogram_by_key(
          policy, keys_.begin(), keys_.end(), values_.begin(), out_.begin(), bins_, op_, identity_,
          o);
    };
  }
  auto plain() {
    return [this] { plain_loop(out_); };
  }
  auto private_tables() {
    return [this] { fold_in_private_tables(); };
  }
  /// Once: seconds of sort_by_key and reduce_by_key.
  template <class Policy>
  double sort_and_reduce(Policy const& policy) {
    std::vector<std::uint32_t> sorted(keys_);
    std::vector<T> moved(values_);
    std::vector<std::uint32_t> unique(bins_);
    std::vector<T> folded(bins_);
    auto const begin = std::chrono::steady_clock::now();
    thrust::sort_by_key(policy, sorted.begin(), sorted.end(), moved.begin());
    thrust::reduce_by_key(
        policy, sorted.begin(), sorted.end(), moved.begin(), unique.begin(), folded.begin(),
        thrust::equal_to<std::uint32_t>(), op_);
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - begin;
    return elapsed.count();
  }

private:
  void plain_loop(std::vector<T>& table) const {
    std::fill(table.begin(), table.end(), identity_);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      T& state = table[keys_[i]];
      state = op_(state, values_[i]);
    }
  }
  void fold_in_private_tables() {
    std::uint64_t const n = keys_.size();
#pragma omp parallel
    {
      std::vector<T>& mine = tables_[static_cast<std::size_t>(omp_get_thread_num())];
      std::fill(mine.begin(), mine.end(), identity_);
      T* const table = mine.data();
#pragma omp for
      for (std::uint64_t i = 0; i < n; ++i) {
        T& state = table[keys_[i]];
        state = op_(state, values_[i]);
      }
#pragma omp for
      for (std::uint64_t bin = 0; bin < bins_; ++bin) {
        T all = identity_;
        for (std::vector<T> const& other : tables_) {
          all = op_(all, other[bin]);
        }
        out_[bin] = all;
      }
    }
  }
  void check() {
    auto const terms = static_cast<double>(keys_.size());
    for (std::uint64_t bin = 0; bin < bins_; ++bin) {
      equal_ = equal_ && perf::is_near(out_[bin], expected_[bin], terms);
    }
  }

  std::vector<std::uint32_t> const& keys_;
  std::vector<T> values_;
  std::uint64_t bins_;
  Op op_;
  T identity_;
  std::vector<T> expected_, out_;
  std::vector<std::vector<T>> tables_;
  bool equal_ = true;
};

struct host_fold_case {
  char const* type;
  std::uint64_t n, bins;
  host_keys keys;
};

template <class T, class Op>
void compare_fold(host_fold_case const& c, Op op, T identity) {
  std::vector<std::uint32_t> keys(c.n);
  perf::fill_keys(keys, c.bins, c.keys);
  fold_race<T, Op> race(keys, c.bins, op, identity);
  thrust_hist::options const o = {};
  auto const alone = race(race.plain(), race.ours(thrust::seq, o));
  auto const together = race(race.private_tables(), race.ours(thrust::omp::par, o));
  auto const rate = [&](double seconds) { return static_cast<double>(c.n) / seconds / 1e9; };
  row line;
  line("fold", c.type)("n", c.n)("bins", c.bins)("distribution", name_of(c.keys))(
      "plain", rate(alone[0]))("seq", rate(alone[1]))("private_tables", rate(together[0]))(
      "omp", rate(together[1]));
  // A long accumulator of double takes 544 bytes.
  if (std::is_same_v<T, float> || (std::is_same_v<T, double> && c.bins <= 1 << 20)) {
    auto const exact = thrust_hist::options{}.exact();
    auto const times = race(race.ours(thrust::seq, exact), race.ours(thrust::omp::par, exact));
    line("seq_exact", rate(times[0]))("omp_exact", rate(times[1]));
  }
  if (c.keys == host_keys::uniform) {
    line("seq_sort", rate(race.sort_and_reduce(thrust::seq)))(
        "omp_sort", rate(race.sort_and_reduce(thrust::omp::par)));
  }
  line("threads", omp_get_max_threads())("equal", race.equal());
}

/// `n` pairs of numbers, half as many of structures.
inline void compare_all_folds(
    std::uint64_t n, std::uint64_t only_bins, std::string const& only_type) {
  auto const wants = [&](char const* type) { return only_type.empty() || only_type == type; };
  for (host_keys const keys : all_host_keys) {
    for (std::uint64_t const bins : {1 << 4, 1 << 8, 1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 24}) {
      if (only_bins != 0 && only_bins != bins) {
        continue;
      }
      if (wants("f32")) {
        compare_fold<float>({"f32", n, bins, keys}, thrust::plus<float>(), 0.F);
      }
      if (wants("f64")) {
        compare_fold<double>({"f64", n, bins, keys}, thrust::plus<double>(), 0.);
      }
      if (wants("u32")) {
        compare_fold<std::uint32_t>({"u32", n, bins, keys}, thrust::plus<std::uint32_t>(), 0U);
      }
      if (wants("best")) {
        compare_fold<best_score>({"best", n / 2, bins, keys}, better(), best_score{-1., 0});
      }
      if (wants("best, noexcept")) {
        compare_fold<best_score>(
            {"best, noexcept", n / 2, bins, keys}, better_for_sure(), best_score{-1., 0});
      }
    }
  }
}

}  // namespace perf
