// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting on the host: histogram beside the plain loop, and on two and all threads. Prints one row
/// a case. Build: g++ -std=c++17 -O3 -fopenmp -I.. -I<Thrust> -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP host.cpp

#include <thrust_hist/histogram.h>

#include <thrust/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

template <class Run>
double seconds(Run run) {
  auto const begin = std::chrono::steady_clock::now();
  run();
  std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - begin;
  return elapsed.count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Median gigakeys a second of `run()` over n keys, after a warm-up.
template <class Run>
double gigakeys(std::uint64_t n, Run run) {
  std::vector<double> times;
  run();
  for (int i = 0; i < 7; ++i) {
    times.push_back(seconds(run));
  }
  return static_cast<double>(n) / median(times) / 1e9;
}

/// The same of two ways of doing the same.
template <class A, class B>
std::pair<double, double> gigakeys_in_turn(std::uint64_t n, A a, B b) {
  std::vector<double> times_a, times_b;
  a();
  b();
  for (int i = 0; i < 11; ++i) {
    times_a.push_back(seconds(a));
    times_b.push_back(seconds(b));
  }
  auto const keys = static_cast<double>(n);
  return {keys / median(times_a) / 1e9, keys / median(times_b) / 1e9};
}

template <class T>
void plain_loop(std::vector<T> const& keys, std::vector<std::uint32_t>& counts) {
  std::fill(counts.begin(), counts.end(), 0u);
  for (T const key : keys) {
    ++counts[key];
  }
}

template <class T>
void compare(char const* type, std::uint64_t bins, bool constant) {
  std::uint64_t const n = (std::uint64_t{1} << 28) / sizeof(T);
  std::vector<T> keys(n);
  std::uint64_t state = 1;
  for (T& key : keys) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    key = static_cast<T>(constant ? bins / 2 : (state >> 33) % bins);
  }
  std::vector<std::uint32_t> counts(bins), expected(bins);
  plain_loop(keys, expected);
  // Into the same memory, in turn: where a table lies in a cache makes a few percent.
  auto const [plain, one] = gigakeys_in_turn(
      n, [&] { plain_loop(keys, counts); },
      [&] { thrust_hist::histogram(thrust::seq, keys.begin(), keys.end(), counts.begin(), bins); });
  bool equal = counts == expected;
  double const several = gigakeys(n, [&] {
    thrust_hist::histogram(thrust::omp::par, keys.begin(), keys.end(), counts.begin(), bins);
  });
  equal = equal && counts == expected;
  std::printf(
      "host,%s,%llu bins,%s,plain loop %.2f,seq %.2f (x %.2f),omp on %d %.2f (x %.2f) Gkeys/s%s\n",
      type, static_cast<unsigned long long>(bins), constant ? "constant" : "uniform", plain, one,
      one / plain, omp_get_max_threads(), several, several / plain, equal ? "" : " DIFFERENT");
}

}  // namespace

int main() {
  for (bool const constant : {false, true}) {
    compare<std::uint8_t>("u8", 256, constant);
    for (std::uint64_t const bins : {16, 256, 4096, 65536, 1 << 20}) {
      compare<std::uint32_t>("u32", bins, constant);
    }
  }
}
