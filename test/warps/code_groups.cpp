// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The groups of codes in a slice of drawn buckets, as a block of simulated threads finds them:
// those of higher codes are no lower ones, and there are no others; which way they are found where
// codes are even, in a few places with gaps between them, in many, or denser and denser; and that
// codes do not crowd. And that a few that come often, near the end of a slice, have groups of their
// own.
//   code_groups [SEED [CASES]]

#include "warps.h"
#include <thrust_hist/system/cuda/kernels/code_groups.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using namespace thrust_hist::detail::cuda;
using warps::below;

// Denser and denser, without a gap.
template <class Code>
Code draw_denser(Code first, Code width) {
  const double x = static_cast<double>(below(1 << 30)) / (1 << 30);
  return static_cast<Code>(first + static_cast<Code>(x * x * x * x * static_cast<double>(width)));
}

// Equally wide places, in each equally many codes at random.
template <class Code>
struct places {
  std::vector<Code> begins;
  Code width;

  Code draw() const { return static_cast<Code>(begins[below(begins.size())] + below(width)); }
};

// From the begin of a slice to its end, and between two of them a gap that is 40 times as wide at
// least.
template <class Code>
places<Code> draw_places(Code first, Code last, std::uint64_t many) {
  const auto part = static_cast<Code>((last - first) / (many - 1));
  places<Code> p = {{first}, std::max<Code>(static_cast<Code>(part / (100 << below(6))), 2000)};
  for (std::uint64_t i = 1; i + 1 < many; ++i)
    p.begins.push_back(static_cast<Code>(first + part * i - part / 4 + below(part / 2)));
  p.begins.push_back(static_cast<Code>(last - p.width + 1));
  return p;
}

template <class Code>
void check(unsigned long long number) {
  using groups = code_groups<Code>;
  constexpr std::uint32_t buckets = 3, job = 1, of_bucket = 64;
  const auto fail = [&](char const* what) {
    std::printf("FAILED: case %llu: %s\n", number, what);
    std::exit(1);
  };
  const auto first = static_cast<Code>(warps::rng() >> 1 & static_cast<Code>(~Code{0}) >> 1);
  const auto width = static_cast<Code>(
      (static_cast<Code>(~Code{0}) / 4 - below(1000)) >> below(8 * sizeof(Code) - 22));
  const auto last = static_cast<Code>(first + width);
  const std::uint64_t kind = number / 2 % 4;
  const std::uint64_t many = kind == 1 ? 2 + below(3) : kind == 2 ? 8 : 1;
  const places<Code> where =
      many == 1 ? places<Code>{{first}, width} : draw_places(first, last, many);
  const auto draw = [&] { return kind == 3 ? draw_denser(first, width) : where.draw(); };

  std::vector<Code> sample(std::size_t{buckets} * of_bucket, Code{0});
  const auto mine = sample.begin() + job * of_bucket;
  std::generate(mine, mine + of_bucket, draw);
  std::sort(mine, mine + of_bucket);
  sample[job * of_bucket] = static_cast<Code>(first - 1);
  sample[2 * of_bucket] = static_cast<Code>(last + 1);
  const std::uint32_t between[buckets] = {};
  const bounded_slices<Code> slices = {
      {0, 11 + static_cast<unsigned>(below(3)), 0}, sample.data(), of_bucket, buckets, between};

  std::vector<Code> codes(4000);
  std::generate(codes.begin(), codes.end(), draw);
  codes.insert(codes.end(), {first, last});
  for (unsigned i = 0; i < 998; ++i)
    codes.push_back(static_cast<Code>(first + below(width)));
  const std::size_t of_places = 4000;
  std::vector<std::uint32_t> found(codes.size());
  auto how = groups::by::slice;
  std::memset(warps::memory, 0xcd, sizeof warps::memory);
  warps::block::run(128, [&] {
    groups map(slices, job, 0);
    map.prepare();
    __syncthreads();
    if (threadIdx.x == 0)
      how = map.how();
    for (std::size_t i = threadIdx.x * 4; i < codes.size(); i += blockDim.x * 4) {
      Code some[4];
      std::uint32_t theirs[4];
      std::copy_n(codes.begin() + i, 4, some);
      map.find(some, theirs);
      std::copy_n(theirs, 4, found.begin() + i);
    }
  });

  const auto expected = kind == 0   ? groups::by::slice
                        : kind == 1 ? groups::by::piece
                                    : groups::by::segment;
  if (how != expected)
    fail("groups are found another way");
  std::vector<std::uint32_t> codes_of(slices.groups());
  for (std::size_t i = 0; i < of_places; ++i) {
    if (found[i] >= slices.groups())
      fail("there is no such group");
    ++codes_of[found[i]];
  }
  // Two in a group on average at most. Beyond the sample's last code before a gap there are 60 on
  // average, and rarely ten times as many; in groups of the slice there would be a place in one.
  const std::uint32_t most = kind == 0 ? 30 : 700;
  if (*std::max_element(codes_of.begin(), codes_of.end()) > most)
    fail("codes crowd in a group");
  std::vector<std::size_t> order(codes.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return codes[a] < codes[b]; });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (found[order[i]] < found[order[i - 1]] || found[order[i]] >= slices.groups())
      fail("groups are not in the order of codes");
}

template <class Code>
void check_few(unsigned long long number) {
  using groups = code_groups<Code>;
  constexpr std::uint32_t buckets = 2, of_bucket = 64;
  const auto fail = [&](char const* what) {
    std::printf("FAILED: case %llu: %s\n", number, what);
    std::exit(1);
  };
  // In the last 2^-14 of all codes, as reals between two powers of two are.
  constexpr unsigned bits = 8 * sizeof(Code) - 14;
  const std::uint64_t many = 2 + below(5);
  std::vector<Code> often(many);
  for (std::uint64_t i = 0; i < many; ++i)
    often[i] =
        static_cast<Code>(~(Code{1} << bits) - (many - i) * ((Code{1} << bits) / 8) + below(1000));
  std::vector<Code> sample(std::size_t{buckets} * of_bucket, Code{0});
  for (std::uint32_t i = 0; i < of_bucket; ++i)
    sample[i] = often[i * many / of_bucket];
  std::fill(sample.begin() + of_bucket, sample.end(), static_cast<Code>(often.back() + 1000));
  const std::uint32_t between[buckets] = {};
  const bounded_slices<Code> slices = {
      {0, 11 + static_cast<unsigned>(below(3)), 0}, sample.data(), of_bucket, buckets, between};
  std::uint32_t found[8] = {};
  auto how = groups::by::slice;
  warps::block::run(128, [&] {
    groups map(slices, 0, 0);
    map.prepare();
    __syncthreads();
    if (threadIdx.x == 0) {
      how = map.how();
      Code codes[8];
      for (std::uint64_t i = 0; i < 8; ++i)
        codes[i] = often[std::min(i, many - 1)];
      map.find(codes, found);
    }
  });
  if (how == groups::by::slice)
    fail("those that come often share groups");
  for (std::uint64_t i = 1; i < many; ++i)
    if (found[i] <= found[i - 1])
      fail("two that come often have one group");
}

}  // namespace

int main(int argc, char** argv) {
  const auto cases = warps::begin_cases(argc, argv);
  for (unsigned long long i = 0; i < cases; ++i)
    i % 2 == 0 ? check<std::uint32_t>(i) : check<std::uint64_t>(i);
  for (unsigned long long i = 0; i < cases / 4; ++i)
    i % 2 == 0 ? check_few<std::uint32_t>(i) : check_few<std::uint64_t>(i);
  std::printf("%llu cases\n", cases);
}
