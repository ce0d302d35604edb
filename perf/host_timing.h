// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The clock of the benchmarks on the host.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace perf {

/// Median seconds of each of several ways of doing the same, which take turns. `check()` looks at
/// the result of each before the clock starts.
template <class Check, class... Run>
std::vector<double> medians_in_turn(int repeats, Check check, Run... run) {
  std::vector<std::vector<double>> times(sizeof...(Run));
  auto const time = [](auto const& one, std::vector<double>& list) {
    auto const begin = std::chrono::steady_clock::now();
    one();
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - begin;
    list.push_back(elapsed.count());
  };
  ((run(), check()), ...);
  for (int i = 0; i < repeats; ++i) {
    std::size_t which = 0;
    (time(run, times[which++]), ...);
  }
  std::vector<double> medians;
  for (std::vector<double>& list : times) {
    std::sort(list.begin(), list.end());
    medians.push_back(list[list.size() / 2]);
  }
  return medians;
}

}  // namespace perf
