// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "counter.h"
#include <thrust_hist/bins.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// What one writes without thrust_hist: find each sample's bin, sort the bins, reduce_by_key. The
// bins are found in another way than thrust_hist does: by a search in a list of edges.

/// The bins of numbers as a sorted list: bin i begins with the sample starts[i].
template <class T>
struct bin_starts {
  std::vector<T> starts;  // of equal ones the last wins; shorter than the bins where the last
                          // bins begin above every T
  T lowest, highest;      // what lies outside has no bin
};

template <class T>
bin_starts<T> starts_of_real_bins(job const& wanted) {
  double const lower = std::get<double>(wanted.lower);
  double const upper = std::get<double>(wanted.upper);
  thrust_hist::even_bins const rule(wanted.bins, lower, upper);
  bin_starts<T> found{{}, static_cast<T>(lower), static_cast<T>(upper)};
  if (!wanted.upper_included) {
    found.highest = std::nextafter(found.highest, -std::numeric_limits<T>::infinity());
  }
  for (std::int64_t i = 0; i < wanted.bins; ++i) {
    found.starts.push_back(static_cast<T>(rule.edge(i)));
  }
  return found;
}

template <class T>
bin_starts<T> starts_of_integer_bins(job const& wanted) {
  __extension__ using int128 = __int128;
  int128 const lower = std::get<wide<T>>(wanted.lower);
  int128 const upper = std::get<wide<T>>(wanted.upper);
  int128 const most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
  int128 const last = wanted.upper_included ? upper : upper - 1;
  if (lower > most || last < least) {
    return {{T{}}, T{1}, T{0}};  // no T has a bin
  }
  bin_starts<T> found{
      {}, static_cast<T>(std::max(least, lower)), static_cast<T>(std::min(last, most))};
  for (std::int64_t i = 0; i < wanted.bins; ++i) {
    // The smallest x with (x - lower) * bins / (upper - lower) >= i.
    int128 const start = lower + ((upper - lower) * i + wanted.bins - 1) / wanted.bins;
    if (start > most) {
      break;
    }
    found.starts.push_back(static_cast<T>(std::max(start, least)));
  }
  return found;
}

template <class T>
bin_starts<T> starts_of_bins(job const& wanted) {
  if constexpr (std::is_floating_point_v<T>) {
    return starts_of_real_bins<T>(wanted);
  } else {
    return starts_of_integer_bins<T>(wanted);
  }
}

/// The bin of a sample by binary search; `none` for a sample outside and for NaN.
template <class T>
struct search_bin {
  T const* starts;
  std::uint32_t size;
  T lowest, highest;
  std::uint32_t none;

  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(T sample) const {
    if (!(lowest <= sample && sample <= highest)) {
      return none;
    }
    std::uint32_t begin = 0, end = size;  // starts[begin] <= sample < starts[end]
    while (end - begin > 1) {
      std::uint32_t const middle = begin + (end - begin) / 2;
      (starts[middle] <= sample ? begin : end) = middle;
    }
    return begin;
  }
};

/// The old code: sorts the keys, then counts each. `seen` and `counts` shrink to what occurs.
template <class Policy, class Keys, class Counts>
void sort_and_reduce(Policy const& policy, Keys& keys, Keys& seen, Counts& counts) {
  thrust::sort(policy, keys.begin(), keys.end());
  auto const ends = thrust::reduce_by_key(
      policy, keys.begin(), keys.end(), thrust::constant_iterator<std::uint64_t>(1), seen.begin(),
      counts.begin());
  seen.resize(static_cast<std::size_t>(ends.first - seen.begin()));
  counts.resize(seen.size());
}
