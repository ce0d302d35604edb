// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on the host beside what they replace, Thrust's sort and reduce_by_key under
/// the same policy. A sort destroys its input: it gets a copy, which is made while no clock runs.
/// Thrust's sort of numbers on one thread is a radix sort.

#include "rows.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/system/omp/execution_policy.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf {

/// Keys of which `distinct` can differ, spread over the whole range of the type.
template <class Key>
std::vector<Key> sparse_keys(std::uint64_t n, std::uint64_t distinct) {
  std::vector<Key> keys(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t const random = thrust_hist::detail::mix_code(i + 1);
    std::uint64_t const id = distinct >= n ? i : random % distinct;
    std::uint64_t const spread = thrust_hist::detail::mix_code(id * 0x9e3779b97f4a7c15u + 1);
    if constexpr (std::is_floating_point_v<Key>) {
      keys[i] = static_cast<Key>(static_cast<std::int64_t>(spread) >> 24) / 1024;
    } else {
      keys[i] = static_cast<Key>(spread);
    }
  }
  return keys;
}

template <class Key>
class sparse_race {
public:
  sparse_race(std::uint64_t n, std::uint64_t distinct)
      : keys_(sparse_keys<Key>(n, distinct)), values_(n, 1.F), copy_(n),
        moved_(n), unique_{std::vector<Key>(n), std::vector<Key>(n)},
        counts_{std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)},
        sums_{std::vector<float>(n), std::vector<float>(n)} {}

  std::uint64_t rows() const { return rows_[0]; }
  bool equal() const { return equal_; }

  /// Median nanoseconds a key of ours, and of sort and reduce_by_key.
  template <class Policy>
  std::pair<double, double> count(Policy const& policy) {
    return run(
        [&] {
          return thrust_hist::sparse_histogram(
                     policy, keys_.begin(), keys_.end(), unique_[0].begin(), counts_[0].begin())
              .first;
        },
        [&] {
          thrust::sort(policy, copy_.begin(), copy_.end());
          return thrust::reduce_by_key(
                     policy, copy_.begin(), copy_.end(),
                     thrust::constant_iterator<std::uint32_t>(1), unique_[1].begin(),
                     counts_[1].begin())
              .first;
        },
        counts_);
  }
  template <class Policy>
  std::pair<double, double> add(Policy const& policy) {
    return run(
        [&] {
          return thrust_hist::sparse_histogram_by_key(
                     policy, keys_.begin(), keys_.end(), values_.begin(), unique_[0].begin(),
                     sums_[0].begin())
              .first;
        },
        [&] {
          thrust::sort_by_key(policy, copy_.begin(), copy_.end(), moved_.begin());
          return thrust::reduce_by_key(
                     policy, copy_.begin(), copy_.end(), moved_.begin(), unique_[1].begin(),
                     sums_[1].begin())
              .first;
        },
        sums_);
  }

private:
  template <class Ours, class Peer, class Outputs>
  std::pair<double, double> run(Ours ours, Peer peer, Outputs const& out) {
    using clock = std::chrono::steady_clock;
    constexpr double budget = 0.3;  // seconds
    std::vector<double> times[2];
    double spent = 0;
    while (times[0].size() < 5 || (spent < budget && times[0].size() < 5000)) {
      std::copy(keys_.begin(), keys_.end(), copy_.begin());
      std::copy(values_.begin(), values_.end(), moved_.begin());
      auto const begin = clock::now();
      rows_[0] = static_cast<std::uint64_t>(ours() - unique_[0].begin());
      auto const middle = clock::now();
      rows_[1] = static_cast<std::uint64_t>(peer() - unique_[1].begin());
      auto const end = clock::now();
      times[0].push_back(std::chrono::duration<double>(middle - begin).count());
      times[1].push_back(std::chrono::duration<double>(end - middle).count());
      spent += times[0].back() + times[1].back();
    }
    auto const rows = static_cast<std::ptrdiff_t>(rows_[0]);
    equal_ = equal_ && rows_[0] == rows_[1] &&
             std::equal(unique_[0].begin(), unique_[0].begin() + rows, unique_[1].begin()) &&
             std::equal(out[0].begin(), out[0].begin() + rows, out[1].begin());
    return {nanoseconds(times[0]), nanoseconds(times[1])};
  }
  double nanoseconds(std::vector<double>& times) const {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] * 1e9 / static_cast<double>(keys_.size());
  }

  std::vector<Key> keys_;
  std::vector<float> values_;
  std::vector<Key> copy_;
  std::vector<float> moved_;
  std::vector<Key> unique_[2];
  std::vector<std::uint32_t> counts_[2];
  std::vector<float> sums_[2];
  std::uint64_t rows_[2] = {0, 0};
  bool equal_ = true;
};

template <class Key>
void compare_sparse(char const* type, std::uint64_t n) {
  std::uint64_t before = 0;
  for (std::uint64_t const distinct : {std::uint64_t{1}, n / 8, n / 2, n}) {
    if (distinct <= before) {
      continue;
    }
    before = distinct;
    sparse_race<Key> race(n, distinct);
    for (bool const sums : {false, true}) {
      auto const seq = sums ? race.add(thrust::seq) : race.count(thrust::seq);
      auto const omp = sums ? race.add(thrust::omp::par) : race.count(thrust::omp::par);
      row()("sparse", sums ? "f32 sums" : "counts")("type", type)("n", n)("distinct", race.rows())(
          "seq_ns", seq.first)("seq_sort_ns", seq.second)("omp_ns", omp.first)(
          "omp_sort_ns", omp.second)("equal", race.equal());
    }
  }
}

inline void compare_all_sparse(std::string const& only_type) {
  auto const wants = [&](char const* type) { return only_type.empty() || only_type == type; };
  for (std::uint64_t const n : {1, 100, 10000, 65536, 1 << 20, 1 << 23}) {
    if (wants("u32")) {
      compare_sparse<std::uint32_t>("u32", n);
    }
    if (wants("u64")) {
      compare_sparse<std::uint64_t>("u64", n);
    }
    if (wants("f32")) {
      compare_sparse<float>("f32", n);
    }
    if (wants("f64")) {
      compare_sparse<double>("f64", n);
    }
  }
}

}  // namespace perf
