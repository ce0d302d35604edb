// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A bin that many lanes of a simulated warp have: it is found by those that have it, all lanes find
// the same, and what they keep of it and what goes to the table is all that there is.
//   frequent_bin [SEED [CASES]]

#include "warps.h"
#include <thrust_hist/system/cuda/kernels/frequent_bin.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using thrust_hist::detail::cuda::frequent_bin;
using warps::below;

void require(bool holds, char const* what) {
  if (!holds) {
    std::printf("FAILED: %s\n", what);
    std::exit(1);
  }
}

struct sums {
  using value = std::uint32_t;
  using state = std::uint32_t;
  state empty() const { return 0; }
  void add(state& s, value x) const { s += x; }
};
struct table {
  std::vector<std::uint32_t> sum;
  unsigned long long additions = 0;
  void add(std::uint32_t bin, std::uint32_t x) {
    ++additions;
    if (bin < sum.size())
      sum[bin] += x;
  }
};

// So many lanes have one bin at a look, the others one each, of which some are none at all.
std::vector<std::uint32_t> bins_of_lanes(unsigned lanes, std::uint32_t bin, std::uint32_t bins) {
  std::vector<std::uint32_t> of_lane(32);
  for (std::uint32_t i = 0; i < 32; ++i)
    of_lane[i] = i < lanes ? bin : i % 5 == 0 ? bins + i : (bin + 1 + i) % bins;
  std::shuffle(of_lane.begin(), of_lane.end(), warps::rng);
  return of_lane;
}

// What a warp finds at looks in turn, from the first.
std::vector<std::uint32_t> found(
    std::vector<std::vector<std::uint32_t>> const& looks, std::uint32_t bins) {
  std::vector<std::uint32_t> found;
  warps::block::run(32, [&] {
    frequent_bin frequent;
    for (auto const& of_lane : looks) {
      const std::uint32_t mine = frequent.among(of_lane[threadIdx.x], bins);
      for (std::uint32_t other : warps::block::of_this_thread().from_warp(mine))
        require(other == mine, "lanes find different bins");
      if (threadIdx.x == 0)
        found.push_back(mine);
    }
  });
  return found;
}

void check_looks() {
  const auto bins = static_cast<std::uint32_t>(100 + below(60000));
  const auto bin = static_cast<std::uint32_t>(below(bins));
  std::vector<std::vector<std::uint32_t>> looks;
  // Each look asks another lane, so 32 of them ask one that has the bin.
  for (int i = 0; i < 32; ++i)
    looks.push_back(bins_of_lanes(11, bin, bins));
  for (std::uint32_t seen : found(looks, bins))
    require(seen == frequent_bin::none, "eleven lanes are taken for many");
  std::vector<std::uint32_t> same = bins_of_lanes(12, bin, bins);
  looks.assign(32, same);
  looks.push_back(bins_of_lanes(8, bin, bins));
  looks.push_back(bins_of_lanes(7, bin, bins));
  auto seen = found(looks, bins);
  require(seen[31] == bin, "twelve lanes are not found");
  require(seen[32] == bin, "it is no longer frequent with eight");
  require(seen[33] == frequent_bin::none, "it is frequent with seven");
  // Half of the lanes have no bin, of the number of none.
  looks.assign(32, std::vector<std::uint32_t>(32, frequent_bin::none));
  for (auto& of_lane : looks)
    std::fill(of_lane.begin() + 18, of_lane.end(), bin);
  seen = found(looks, bins);
  require(seen[0] == frequent_bin::none && seen[31] == bin, "fourteen lanes are not found");
  looks.assign(32, bins_of_lanes(32, bins + 7, bins));  // no bin
  looks.push_back(std::vector<std::uint32_t>(32, frequent_bin::none));
  for (std::uint32_t none : found(looks, bins))
    require(none == frequent_bin::none, "what is no bin is frequent");
}

// Pairs in stretches, as kernels fold them.
void check_folds() {
  const auto bins = static_cast<std::uint32_t>(2 + below(50));
  const auto bin = static_cast<std::uint32_t>(below(bins));
  const sums fold;
  table all = {std::vector<std::uint32_t>(bins)};
  table folded = all;
  unsigned long long pairs = 0;
  warps::block::run(32, [&] {
    frequent_bin frequent;
    for (int stretch = 0; stretch < 40; ++stretch) {
      const auto next = [&] {
        return below(2) == 0 ? bin : static_cast<std::uint32_t>(below(bins + 2));
      };
      const std::uint32_t known = frequent.among(next(), bins);
      auto kept = thrust_hist::detail::cuda::keep(fold, known);
      for (int i = 0; i < 8; ++i) {
        const std::uint32_t to = next();
        const auto x = static_cast<std::uint32_t>(warps::rng());
        ++pairs;
        if (to < bins)
          all.sum[to] += x;
        if (known == frequent_bin::none)
          folded.add(to, x);
        else
          kept.add(folded, to, x);
      }
      if (known != frequent_bin::none)
        folded.add(known, kept.folded);
    }
  });
  require(folded.sum == all.sum, "sums differ");
  require(folded.additions < pairs * 9 / 10, "nothing was kept");
}

}  // namespace

int main(int argc, char** argv) {
  const auto cases = warps::begin_cases(argc, argv);
  for (unsigned long long i = 0; i < cases; ++i) {
    check_looks();
    check_folds();
  }
  std::printf("%llu cases\n", cases);
}
