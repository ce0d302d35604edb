// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The old code and the new line side by side: which words of a text are how frequent, the words
// being numbers already, and how often and how long visitors stay of whom only a 64-bit name is
// known.
#include "support/expect.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/sparse_histogram.h>

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
#include <vector>

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

// What is known of a visitor: any 64 bits.
struct name_of {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint32_t visit) const {
    return (word_of{20000}(visit) + 1) * 0x9e3779b97f4a7c15u;
  }
};

static double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Keys of a known range: every word below `words`.
static void count_words() {
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

// Keys of which nothing is known, and a value with each.
static void add_up_visits() {
  std::size_t const visits = 1u << 20;
  std::vector<std::uint64_t> names(visits);
  std::vector<std::uint32_t> minutes(visits);
  for (std::uint32_t i = 0; i < visits; ++i) {
    names[i] = name_of{}(i);
    minutes[i] = i % 61;
  }
  auto start = std::chrono::steady_clock::now();

  //! [old_sums]
  std::vector<std::uint64_t> sorted = names;  // sort_by_key would destroy both
  std::vector<std::uint32_t> moved = minutes;
  std::vector<std::uint64_t> old_visitors(visits);  // room for the most that there can be
  std::vector<std::uint64_t> old_sums(visits);
  thrust::sort_by_key(sorted.begin(), sorted.end(), moved.begin());
  auto const ends = thrust::reduce_by_key(
      sorted.begin(), sorted.end(), moved.begin(), old_visitors.begin(), old_sums.begin());
  old_visitors.erase(ends.first, old_visitors.end());
  old_sums.erase(ends.second, old_sums.end());
  //! [old_sums]
  double const old_seconds = seconds_since(start);

  start = std::chrono::steady_clock::now();
  //! [new_sums]
  std::vector<std::uint64_t> visitors;  // each once, ascending
  std::vector<std::uint64_t> sums;
  thrust_hist::sparse_histogram_by_key(names.begin(), names.end(), minutes.begin(), visitors, sums);
  //! [new_sums]
  double const new_seconds = seconds_since(start);

  expect(visitors == old_visitors && sums == old_sums, "both add up the same");
  std::printf("%zu visits of %zu visitors\n", visits, visitors.size());
  std::printf("sort_by_key + reduce_by_key: %8.3f ms\n", old_seconds * 1e3);
  std::printf("sparse_histogram_by_key:     %8.3f ms, the same sums\n", new_seconds * 1e3);

  //! [old_counts]
  sorted = names;
  thrust::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> old_counts(visits);
  old_visitors.resize(visits);
  auto const counted = thrust::reduce_by_key(
      sorted.begin(), sorted.end(), thrust::constant_iterator<std::uint32_t>(1),
      old_visitors.begin(), old_counts.begin());
  //! [old_counts]

  //! [new_counts]
  std::vector<std::uint32_t> counts;
  thrust_hist::sparse_histogram(names.begin(), names.end(), visitors, counts);
  //! [new_counts]
  old_visitors.erase(counted.first, old_visitors.end());
  old_counts.erase(counted.second, old_counts.end());
  expect(visitors == old_visitors && counts == old_counts, "both count the same");
}

// The same where thrust::device is: by iterators under a policy, as thrust::reduce_by_key is
// called.
static void add_up_visits_on_device() {
  std::size_t const visits = 1u << 21;
  thrust::counting_iterator<std::uint32_t> const visit(0);
  thrust::device_vector<std::uint64_t> names(visits);
  thrust::device_vector<std::uint32_t> minutes(visits);
  thrust::transform(visit, visit + visits, names.begin(), name_of{});
  thrust::transform(visit, visit + visits, minutes.begin(), word_of{61});
  thrust::device_vector<std::uint64_t> const names_before = names;

  //! [new_device]
  thrust::device_vector<std::uint64_t> unique(visits), sums(visits);
  auto const end = thrust_hist::sparse_histogram_by_key(
      thrust::device, names.begin(), names.end(), minutes.begin(), unique.begin(), sums.begin());
  //! [new_device]
  unique.erase(end.first, unique.end());
  sums.erase(end.second, sums.end());
  expect(names == names_before, "the input is as it was");

  thrust::device_vector<std::uint64_t> old_unique(visits), old_sums(visits);
  //! [old_device]
  thrust::sort_by_key(thrust::device, names.begin(), names.end(), minutes.begin());
  auto const old_end = thrust::reduce_by_key(
      thrust::device, names.begin(), names.end(), minutes.begin(), old_unique.begin(),
      old_sums.begin());
  //! [old_device]
  old_unique.erase(old_end.first, old_unique.end());
  old_sums.erase(old_end.second, old_sums.end());
  expect(unique == old_unique, "both find the same visitors");
  expect(sums == old_sums, "both add up the same on the device");
  std::printf("%zu visits of %zu visitors where thrust::device is\n", visits, unique.size());
}

int main() {
  count_words();
  add_up_visits();
  add_up_visits_on_device();
  return 0;
}
