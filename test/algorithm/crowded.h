// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Bins that very many inputs have, on CUDA: they must not take longer than others.

#include "../support/checks.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace test {

// Bins that come in turn, from sample `from` on, and else and once in 64 one that lies anywhere.
struct in_turn {
  std::uint32_t period;
  std::uint32_t bins;
  std::uint64_t from = 0;
  __host__ __device__ std::uint32_t operator()(std::uint64_t i) const {
    auto const anywhere = static_cast<std::uint32_t>(i * 0x9e3779b97f4a7c15u >> 40) % bins;
    return i < from || i % 64 == 63 ? anywhere
                                    : static_cast<std::uint32_t>(i % period * 7919 % bins);
  }
};

// The least of some times that a call takes on the GPU.
template <class Call>
float least_ms(Call call) {
  cudaEvent_t from, to;
  BOOST_TEST_REQUIRE(cudaEventCreate(&from) == cudaSuccess);
  BOOST_TEST_REQUIRE(cudaEventCreate(&to) == cudaSuccess);
  float least = 1e9F;
  for (int i = 0; i < 4; ++i) {
    float ms = 0;
    BOOST_TEST(cudaEventRecord(from) == cudaSuccess);
    call();
    BOOST_TEST(cudaEventRecord(to) == cudaSuccess);
    BOOST_TEST(cudaEventSynchronize(to) == cudaSuccess);
    BOOST_TEST(cudaEventElapsedTime(&ms, from, to) == cudaSuccess);
    least = std::min(least, ms);
  }
  cudaEventDestroy(from);
  cudaEventDestroy(to);
  return least;
}

// `measure(keys)` gives the times of some calls; none may take three times as long with keys that
// crowd as with others.
template <class Measure>
void check_crowds_take_no_longer(
    Measure measure, in_turn const& spread, std::initializer_list<in_turn> crowds) {
  const std::vector<float> others = measure(spread);
  for (in_turn const& which : crowds) {
    // Other programs may have the GPU at the same time: what counts is the best of some tries.
    std::vector<float> ms = measure(which);
    for (int again = 0; again < 8; ++again) {
      bool good = true;
      for (std::size_t i = 0; i < ms.size(); ++i)
        good = good && ms[i] < 3 * others[i];
      if (good)
        break;
      const std::vector<float> next = measure(which);
      for (std::size_t i = 0; i < ms.size(); ++i)
        ms[i] = std::min(ms[i], next[i]);
    }
    for (std::size_t i = 0; i < ms.size(); ++i)
      BOOST_TEST(
          ms[i] < 3 * others[i], which.period << " bins in turn from " << which.from << " on, call "
                                              << i << ": " << ms[i] << " ms, else " << others[i]);
  }
}

}  // namespace test
