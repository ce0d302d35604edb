// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The hash table that keeps the order of its codes, filled and read by a block of simulated threads
// that meet in any order: random codes, crowds of them, the ends of the slice, and codes of other
// slices.
//   wide_table [SEED [CASES]]

#include "slices.h"
#include <thrust_hist/system/cuda/kernels/wide_table.cuh>

namespace {

using namespace thrust_hist::detail::cuda;
using warps::below;
using warps::drawn_slice;

drawn_slice<wide_table> draw() {
  drawn_slice<wide_table> d = {};
  d.slices = {
      9 + static_cast<unsigned>(below(3)), static_cast<unsigned>(below(3)),
      6 + static_cast<unsigned>(below(3))};
  const unsigned job_bits = d.slices.buckets_log2 + d.slices.slices_log2;
  d.job = static_cast<std::uint32_t>(below(std::uint64_t{1} << job_bits));
  d.set_slice(64 - job_bits);
  d.threads = 32u << below(3);
  std::vector<std::uint64_t> distinct;
  for (std::uint64_t i = below(d.slices.rows() * 3) + 1; i > 0; --i)
    distinct.push_back(d.in_slice(warps::rng()));
  for (std::uint64_t crowds = below(4); crowds > 0; --crowds) {
    const std::uint64_t size = below(below(2) == 0 ? 20 : 200) + 1;
    const std::uint64_t first = below(5) == 0   ? 0
                                : below(5) == 0 ? ~std::uint64_t{0} << 24
                                                : warps::rng();
    for (std::uint64_t i = 0; i < size; ++i)
      if (const std::uint64_t code = d.in_slice(first) + below(size * 3); d.is_in_slice(code))
        distinct.push_back(code);
  }
  distinct.push_back(d.in_slice(0));
  distinct.push_back(d.in_slice(~std::uint64_t{0}));
  d.codes = distinct;
  for (std::uint64_t i = below(distinct.size() * 3); i > 0; --i)
    d.codes.push_back(below(9) == 0 ? warps::rng() : distinct[below(distinct.size())]);
  std::shuffle(d.codes.begin(), d.codes.end(), warps::rng);
  return d;
}

}  // namespace

int main(int argc, char** argv) {
  return warps::check_drawn(
      argc, argv, [](unsigned long long i) { return warps::check(draw(), i); });
}
