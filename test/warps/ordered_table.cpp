// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All codes of a slice, put in order by a block of simulated threads that meet in any order: random codes, groups of
// any length, equal ones, the ends of the slice, and codes of other slices.
//   ordered_table [SEED [CASES]]

#include "slices.h"
#include <thrust_hist/system/cuda/kernels/ordered_table.cuh>

namespace {

using namespace thrust_hist::detail::cuda;
using warps::below;

template <class Code>
warps::drawn_slice<ordered_table<Code>> draw() {
  warps::drawn_slice<ordered_table<Code>> d = {};
  d.threads = 32u << below(3);
  const auto groups_log2 = 9 + static_cast<unsigned>(below(3));
  d.low_bits = groups_log2 + static_cast<unsigned>(below(8 * sizeof(Code) - groups_log2 - 3));
  d.slices = {d.low_bits, groups_log2, sizeof(Code), 0};
  d.job = static_cast<std::uint32_t>(below(8));
  for (std::uint64_t i = below(d.slices.groups() * 3) + 1; i > 0; --i)
    d.codes.push_back(d.in_slice(static_cast<Code>(warps::rng())));
  for (std::uint64_t crowds = below(4); crowds > 0; --crowds) {
    const auto first = static_cast<Code>(warps::rng());
    const std::uint64_t all = below(4) == 0 ? 300 : 40, distinct = below(all) + 1;
    for (std::uint64_t i = below(all); i > 0; --i)
      if (const auto code = static_cast<Code>(d.in_slice(first) + below(distinct));
          d.is_in_slice(code))
        d.codes.push_back(code);
  }
  d.codes.push_back(d.in_slice(0));
  d.codes.push_back(d.in_slice(static_cast<Code>(~Code{0})));
  std::uint32_t mine = 0;
  for (Code code : d.codes)
    mine += d.is_in_slice(code) ? 1 : 0;
  for (std::uint64_t i = below(99); i > 0; --i)
    if (const auto code = static_cast<Code>(warps::rng()); !d.is_in_slice(code))
      d.codes.push_back(code);
  // Just enough, or now and then just not.
  d.slices.room = mine - (below(9) == 0 ? 1 : 0);
  std::shuffle(d.codes.begin(), d.codes.end(), warps::rng);
  return d;
}

}  // namespace

// Whether there is room is known.
template <class Code>
static bool check(unsigned long long number) {
  const auto d = draw<Code>();
  std::size_t mine = 0;
  for (Code code : d.codes)
    mine += d.is_in_slice(code) ? 1 : 0;
  const bool had_room = warps::check(d, number);
  if (had_room != (mine <= d.slices.room)) {
    std::printf("FAILED: case %llu: %s\n", number, had_room ? "room for too many" : "no room");
    std::exit(1);
  }
  return had_room;
}

int main(int argc, char** argv) {
  return warps::check_drawn(argc, argv, [](unsigned long long i) {
    return i % 2 == 0 ? check<std::uint32_t>(i) : check<std::uint64_t>(i);
  });
}
