// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All codes of a slice, put in order by a block of simulated threads that meet in any order: random
// codes, groups of any length, equal ones, the ends of the slice, and codes of other slices. Slices
// are equally wide, or begin at codes of a sample, which crowd or do not.
//   ordered_table [SEED [CASES]]

#include "slices.h"
#include <thrust_hist/system/cuda/kernels/ordered_table.cuh>

namespace {

using namespace thrust_hist::detail::cuda;
using warps::below;

template <class Code>
using slice = warps::drawn_slice<ordered_table<Code>>;

// Some at random, and crowds. Or `so_many` that more groups are long than a list has room for.
template <class Code>
void draw_codes(slice<Code>& d, bool so_many = false) {
  const std::uint64_t all = d.slices.groups() * (so_many ? 14 : 3);
  for (std::uint64_t i = so_many ? all : below(all) + 1; i > 0; --i)
    d.codes.push_back(d.in_slice(static_cast<Code>(warps::rng())));
  for (std::uint64_t crowds = below(4); crowds > 0; --crowds) {
    const auto first = static_cast<Code>(warps::rng());
    const std::uint64_t all = below(4) == 0 ? 300 : 40, distinct = below(all) + 1;
    for (std::uint64_t i = below(all); i > 0; --i)
      if (const auto code = static_cast<Code>(d.in_slice(first) + below(distinct));
          d.is_in_slice(code))
        d.codes.push_back(code);
  }
  d.codes.push_back(d.first);
  d.codes.push_back(d.last);
}

template <class Code>
slice<Code> draw_even(bool so_many) {
  slice<Code> d = {};
  const auto groups_log2 = so_many ? 11 : 9 + static_cast<unsigned>(below(3));
  const auto low_bits =
      groups_log2 + static_cast<unsigned>(below(8 * sizeof(Code) - groups_log2 - 3));
  d.slices = {{low_bits, groups_log2, 0}, nullptr, 0, 0, nullptr};
  d.job = static_cast<std::uint32_t>(below(8));
  d.set_slice(low_bits);
  draw_codes(d, so_many);
  return d;
}

// A sample, and how many codes are each of those between slices.
template <class Code>
struct sample_of_slices {
  std::vector<Code> codes;
  std::vector<std::uint32_t> between;
};

// Of three slices, where the sample of each is drawn from its codes.
template <class Code>
slice<Code> draw_uneven(sample_of_slices<Code>& sample) {
  constexpr std::uint32_t buckets = 3;
  slice<Code> d = {};
  const std::uint32_t of_bucket = 64u << below(2);
  d.slices = {{0, 9 + static_cast<unsigned>(below(3)), 0}, nullptr, of_bucket, buckets, nullptr};
  d.job = static_cast<std::uint32_t>(below(buckets));
  Code ends[2] = {static_cast<Code>(warps::rng()), static_cast<Code>(warps::rng())};
  if (ends[1] < ends[0])
    std::swap(ends[0], ends[1]);
  if (below(5) == 0)  // a narrow one
    ends[1] = ends[0] + static_cast<Code>(below(std::min<std::uint64_t>(~ends[0], 300) + 1));
  if (below(9) == 0)
    ends[0] = 0;
  if (below(9) == 0)
    ends[1] = static_cast<Code>(~Code{0});
  if (below(9) == 0)
    ends[d.job % 2] = ends[1 - d.job % 2];
  d.first = d.job == 0 ? 0 : ends[d.job - 1] + 1;
  d.last = d.job + 1 == buckets ? static_cast<Code>(~Code{0}) : ends[d.job] - 1;
  const bool is_empty = (d.job != 0 && d.first == 0) ||
                        (d.job + 1 != buckets && ends[d.job] == 0) || d.first > d.last;
  if (!is_empty)
    draw_codes(d);
  if (!is_empty && below(2) == 0) {  // nearly all codes in a small part
    const Code centre = d.in_slice(static_cast<Code>(warps::rng()));
    const auto width = static_cast<Code>(below((d.last - d.first) / 1000 + 1) + 1);
    for (Code& code : d.codes)
      if (const auto moved = static_cast<Code>(centre + code % width);
          below(9) != 0 && d.is_in_slice(moved))
        code = moved;
  }
  if (!is_empty && below(3) == 0)  // one that is so frequent that it is only counted, or nearly
    d.codes.insert(d.codes.end(), below(3 * d.codes.size()), Code{d.codes[below(d.codes.size())]});
  sample.codes.assign(std::size_t{buckets} * of_bucket, 0);
  const auto begin = sample.codes.begin() + d.job * of_bucket;
  for (std::uint32_t i = 0; i < of_bucket; ++i)
    begin[i] = is_empty ? static_cast<Code>(d.first - 1) : d.codes[below(d.codes.size())];
  if (d.job + 1 != buckets && below(3) == 0)
    begin[0] = ends[d.job];  // what the next slice begins with may occur more often
  std::sort(begin, begin + of_bucket);
  // The first code of the sample of a slice is the one before it.
  sample.codes[of_bucket] = ends[0];
  sample.codes[2 * of_bucket] = ends[1];
  sample.between = {77, 0, 0};  // nothing is before the first slice
  if (d.job != 0 && below(4) != 0)
    d.equal_before = sample.between[d.job] = static_cast<std::uint32_t>(below(1000000) + 1);
  d.slices.sample = sample.codes.data();
  d.slices.between = sample.between.data();
  return d;
}

template <class Code>
slice<Code> draw(sample_of_slices<Code>& sample, bool so_many) {
  slice<Code> d = so_many || below(2) == 0 ? draw_even<Code>(so_many) : draw_uneven<Code>(sample);
  d.threads = 32u << below(3);
  if (below(8) == 0 && !d.codes.empty()) {  // more than a warp sorts, or equal ones
    const Code first = d.codes[0];
    const std::uint64_t distinct = below(400) + 1;
    for (std::uint64_t i = 100 + below(500); i > 0; --i)
      if (const auto code = static_cast<Code>(first + below(distinct)); d.is_in_slice(code))
        d.codes.push_back(code);
  }
  std::uint32_t mine = 0;
  for (Code code : d.codes)
    mine += d.is_in_slice(code) ? 1 : 0;
  for (std::uint64_t i = d.codes.empty() ? 0 : below(99); i > 0; --i)
    if (const auto code = static_cast<Code>(warps::rng()); !d.is_in_slice(code))
      d.codes.push_back(code);
  // Just enough for all, or now and then just not.
  d.slices.room = mine - (mine != 0 && below(9) == 0 ? 1 : 0);
  std::shuffle(d.codes.begin(), d.codes.end(), warps::rng);
  return d;
}

}  // namespace

static unsigned long long frequent_cases = 0;

// Whether there is room is known: a frequent code takes room once.
template <class Code>
static bool check(unsigned long long number) {
  sample_of_slices<Code> sample;
  const auto d = draw<Code>(sample, number < 2);
  frequent_code<Code> frequent;
  frequent.find(d.slices, d.job);
  std::size_t mine = 0, equal = 0;
  for (Code code : d.codes) {
    const bool is_frequent = d.is_in_slice(code) && frequent.is(code);
    equal += is_frequent ? 1 : 0;
    mine += d.is_in_slice(code) && !is_frequent ? 1 : 0;
  }
  mine += equal != 0 ? 1 : 0;
  frequent_cases += equal > 1 ? 1 : 0;
  const bool had_room = warps::check(d, number);
  if (had_room != (mine <= d.slices.room)) {
    std::printf("FAILED: case %llu: %s\n", number, had_room ? "room for too many" : "no room");
    std::exit(1);
  }
  return had_room;
}

int main(int argc, char** argv) {
  unsigned long long cases = 0;
  const int failed = warps::check_drawn(argc, argv, [&](unsigned long long i) {
    ++cases;
    return i % 2 == 0 ? check<std::uint32_t>(i) : check<std::uint64_t>(i);
  });
  std::printf("%llu with a frequent code\n", frequent_cases);
  return failed != 0 || frequent_cases * 50 < cases ? 1 : 0;
}
