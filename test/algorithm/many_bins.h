// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Cases of CUDA's routes for more bins than the shared memory of a block holds.

#include "../support/checks.h"
#include <thrust_hist/thrust_hist.h>

#include <vector>

namespace test {

inline constexpr thrust_hist::route routes_of_many_bins[] = {
    thrust_hist::route::shared_split, thrust_hist::route::partitioned};

// The generators of support/distributions.h and one more: nine of ten keys are one of eight.
inline constexpr std::size_t many_bins_distributions = std::size(all_distributions) + 1;

inline char const* name_of_many(std::size_t which) {
  return which < std::size(all_distributions) ? name_of(all_distributions[which])
                                              : "eight hot keys";
}

// Some 2 % of the keys have no bin.
inline keys keys_for_bins(std::size_t which, std::size_t n, bin bins) {
  const auto distinct = static_cast<std::uint64_t>(bins + bins / 50 + 1);
  if (which < std::size(all_distributions))
    return generate(all_distributions[which], n, distinct, n + 1);
  random rng(n);
  std::uint64_t hot[8];
  for (std::uint64_t& key : hot)
    key = rng() % distinct;
  keys k(n);
  for (std::uint64_t& key : k)
    key = rng() % 10 != 0 ? hot[rng() % 8] : rng() % distinct;
  return k;
}

// Not by searching edges, which takes its time for so many.
template <class Sample>
std::vector<std::uint64_t> count_keys(samples<Sample> const& s, bin bins) {
  return count(s, bins, [](Sample x) { return static_cast<bin>(x); });
}

// Keys of one type on the given routes. One may be refused where bins are many and the GPU is
// small.
template <class Counter, class Sample, class Routes>
void check_many_bins(
    Routes const& routes, samples<Sample> const& s, bin bins,
    thrust_hist::options const& how = {}) {
  const auto expected = count_keys(s, bins);
  for (thrust_hist::route forced : routes)
    check_route<cuda, Counter>(
        forced, s, expected, [&](auto first, auto last, auto out, auto options) {
          options = thrust_hist::options{how}.force(forced);
          return thrust_hist::histogram(cuda::policy(), first, last, out, bins, options);
        });
}

// Counts are added to those that an output holds: old(0) in bin 0 and so on.
template <class Counter, class Sample, class Old>
void check_added(samples<Sample> const& s, bin bins, Old old, thrust_hist::options const& how) {
  const auto counts = count_keys(s, bins);
  std::vector<Counter> before, after;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    before.push_back(static_cast<Counter>(old(i)));
    after.push_back(static_cast<Counter>(before.back() + static_cast<Counter>(counts[i])));
  }
  auto in = buffer_of<cuda>(s);
  Sample const* const first = in.data();
  output<cuda, Counter> out(before);
  thrust_hist::histogram(
      cuda::policy(), first, first + s.size(), out.data(), bins,
      thrust_hist::options{how}.accumulate());
  out.check_equals(after);
}

// Counts of samples at every distance from a 16-byte boundary that their type allows.
template <class Sample>
void check_alignments(std::size_t n, bin bins) {
  const samples<Sample> all(keys_for_bins(2, n + 16 / sizeof(Sample), bins));
  auto in = buffer_of<cuda>(all);
  for (std::size_t offset = 0; offset <= 16 / sizeof(Sample); ++offset) {
    const samples<Sample> s(n, [&](std::size_t i) { return all[offset + i]; });
    const auto expected = convert<std::uint32_t>(count_keys(s, bins));
    Sample const* const first = in.data() + offset;
    for (thrust_hist::route forced : routes_of_many_bins)
      BOOST_TEST_CONTEXT(
          "route " << forced << ", " << n << " samples of " << sizeof(Sample)
                   << " bytes, the first " << offset << " from a boundary") {
        output<cuda, std::uint32_t> out(expected.size());
        thrust_hist::histogram(
            cuda::policy(), first, first + n, out.data(), bins,
            thrust_hist::options{}.force(forced));
        out.check_equals(expected);
      }
  }
}

}  // namespace test
