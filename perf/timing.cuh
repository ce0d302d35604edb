// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Medians of times, by CUDA events and by the host's clock. Several ways of doing the same run in
/// turn, so that none has the clocks of another moment.

#include "require.cuh"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <vector>

namespace perf {

template <class T>
T median(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Two events around what runs on the default stream.
class stopwatch {
public:
  stopwatch() {
    require(cudaEventCreate(&begin_), "cudaEventCreate");
    require(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  stopwatch(stopwatch const&) = delete;
  stopwatch& operator=(stopwatch const&) = delete;

  template <class Run>
  double milliseconds(Run& run) const {
    require(cudaEventRecord(begin_), "cudaEventRecord");
    run();
    require(cudaEventRecord(end_), "cudaEventRecord");
    require(cudaEventSynchronize(end_), "cudaEventSynchronize");
    require(cudaGetLastError(), "a kernel");
    float elapsed = 0;
    require(cudaEventElapsedTime(&elapsed, begin_, end_), "cudaEventElapsedTime");
    return static_cast<double>(elapsed);
  }

private:
  cudaEvent_t begin_{}, end_{};
};

/// Memory that was written is read up to 8 % slower for some 10 ms, by whatever kernel.
inline constexpr double warm_up_milliseconds = 20;

/// Median milliseconds of each run, after warm-ups; `prepare()` before each is not timed. Repeats
/// less often, three times at least, once a run alone has taken a third of a second.
template <class Prepare, class... Runs>
std::array<double, sizeof...(Runs)> milliseconds_in_turn(
    int repeats, Prepare prepare, Runs... runs) {
  stopwatch const watch;
  std::array<std::vector<double>, sizeof...(Runs)> times;
  std::array<double, sizeof...(Runs)> sums{}, medians{};
  auto const timed = [&](auto& run) {
    prepare();
    return watch.milliseconds(run);
  };
  auto const warm_up = [&](auto& run) {
    double elapsed = 0;
    for (int round = 0; round < 1000 && elapsed < warm_up_milliseconds; ++round) {
      elapsed += timed(run);
    }
  };
  (warm_up(runs), ...);
  for (int i = 0; i < repeats; ++i) {
    std::size_t which = 0;
    auto const once = [&](auto& run) {
      if (i < 3 || sums[which] < 333) {
        times[which].push_back(timed(run));
        sums[which] += times[which].back();
      }
      ++which;
    };
    (once(runs), ...);
  }
  std::transform(times.begin(), times.end(), medians.begin(), median<double>);
  return medians;
}

/// The same for one run, its inputs too large for any cache or prepared by `prepare()`.
template <class Run, class Prepare>
double milliseconds(Run run, Prepare prepare, int repeats) {
  return milliseconds_in_turn(repeats, prepare, run)[0];
}
template <class Run>
double milliseconds(Run run, int repeats = 7) {
  return milliseconds_in_turn(
      repeats, [] {}, run)[0];
}

/// Median microseconds of each call on the host's clock, the stream waited for. The calls take
/// turns in five rounds, not one by one, which would throw each other's code out of the caches.
/// `prepare()` before each, and what it began on the stream, is not timed.
template <class Prepare, class... Runs>
std::array<double, sizeof...(Runs)> call_microseconds_in_turn_after(
    Prepare prepare, int repeats, Runs... runs) {
  using clock = std::chrono::steady_clock;
  constexpr int rounds = 5, warm_ups = 3;
  std::array<std::vector<double>, sizeof...(Runs)> times;
  std::array<double, sizeof...(Runs)> medians{};
  for (int round = 0; round < rounds; ++round) {
    std::size_t which = 0;
    auto const many = [&](auto& run) {
      for (int i = -warm_ups; i < (repeats + rounds - 1) / rounds; ++i) {
        prepare();
        require(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
        auto const begin = clock::now();
        run();
        require(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
        std::chrono::duration<double, std::micro> const elapsed = clock::now() - begin;
        if (i >= 0) {
          times[which].push_back(elapsed.count());
        }
      }
      ++which;
    };
    (many(runs), ...);
  }
  std::transform(times.begin(), times.end(), medians.begin(), median<double>);
  return medians;
}

template <class... Runs>
std::array<double, sizeof...(Runs)> call_microseconds_in_turn(int repeats, Runs... runs) {
  return call_microseconds_in_turn_after([] {}, repeats, runs...);
}

template <class Run>
double call_microseconds(Run run, int repeats = 101) {
  return call_microseconds_in_turn(repeats, run)[0];
}

/// Keeps the GPU busy for half a second: its clocks rise.
template <class Run>
void warm_up(Run run) {
  auto const begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(500)) {
    run();
    require(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
}

}  // namespace perf
