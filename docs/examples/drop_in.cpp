// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The old code and the new line side by side: which words of a text are how frequent, the words
// being numbers already.
#include "support/expect.h"
#include <thrust_hist/histogram.h>

#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

// A frequency that falls with the number, as that of words does.
struct word_of {
  std::uint32_t words;
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t position) const {
    std::uint32_t mixed = position * 2654435761u;
    mixed = (mixed ^ (mixed >> 15)) * 2246822519u;
    mixed ^= mixed >> 13;
    std::uint32_t const limit = ((words - 1) >> (mixed & 15u)) + 1;
    return (mixed >> 4) % limit;
  }
};

static double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int main() {
  std::uint32_t const samples = 1u << 22;
  std::uint32_t const words = 5000;
  thrust::device_vector<std::uint32_t> const text = [&] {
    thrust::device_vector<std::uint32_t> made(samples);
    thrust::counting_iterator<std::uint32_t> position(0);
    thrust::transform(position, position + samples, made.begin(), word_of{words});
    return made;
  }();
  auto start = std::chrono::steady_clock::now();

  //! [old_code]
  thrust::device_vector<std::uint32_t> sorted = text;  // sort would destroy the keys
  thrust::device_vector<std::uint32_t> seen(words), counts_of_seen(words);
  thrust::sort(sorted.begin(), sorted.end());
  auto const ends = thrust::reduce_by_key(
      sorted.begin(), sorted.end(), thrust::constant_iterator<std::uint32_t>(1), seen.begin(),
      counts_of_seen.begin());
  thrust::device_vector<std::uint32_t> old_counts(words, 0);  // words that never occur
  thrust::scatter(counts_of_seen.begin(), ends.second, seen.begin(), old_counts.begin());
  //! [old_code]
  double const old_seconds = seconds_since(start);

  start = std::chrono::steady_clock::now();
  //! [new_code]
  thrust::device_vector<std::uint32_t> counts(words);
  thrust_hist::histogram(thrust::device, text.begin(), text.end(), counts.begin(), words);
  //! [new_code]
  // Reading one count waits for a GPU, as thrust::reduce_by_key did above.
  std::uint32_t const most_frequent = counts[0];
  double const new_seconds = seconds_since(start);

  expect(thrust::equal(counts.begin(), counts.end(), old_counts.begin()), "both count the same");
  expect(thrust::reduce(counts.begin(), counts.end()) == samples, "every sample is counted");
  expect(most_frequent == old_counts[0], "word 0 is counted");
  std::printf("%u samples of %u words, word 0 occurs %u times\n", samples, words, most_frequent);
  std::printf("sort + reduce_by_key: %8.3f ms\n", old_seconds * 1e3);
  std::printf("histogram:            %8.3f ms, the same counts\n", new_seconds * 1e3);
}
