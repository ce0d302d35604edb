// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A sorted sample of codes, and all codes in the regions of buckets between those of the sample, by
// the kernels that make them, in blocks of simulated threads: random codes, uneven ones, crowds,
// few distinct ones, the lowest and the highest, keys without a code; and where ranges and regions
// have no room for all.
//   drawn_buckets [SEED [CASES]]

#include "guarded.h"
#include "warps.h"
#include <thrust_hist/system/cuda/kernels/fill_regions.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>
#include <thrust_hist/system/cuda/kernels/sort_sample.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

using namespace thrust_hist::detail::cuda;
using warps::below;
using warps::encode_some;
using warps::guarded;
using warps::number;
using warps::require;

template <class Code>
struct input {
  std::vector<Code> all;
  std::size_t skipped;  // so that loads of 16 bytes do not begin with the first key
  encode_some encode;

  Code const* keys() const { return all.data() + skipped; }
  std::uint64_t size() const { return all.size() - skipped; }
};

template <class Code>
Code draw_code(std::uint64_t kind, Code centre) {
  const auto code = static_cast<Code>(warps::rng());
  switch (kind) {
  case 0:
    return code;
  case 1: {  // most are low
    const auto square = static_cast<unsigned __int128>(code) * code;
    return static_cast<Code>(square >> 8 * sizeof(Code));
  }
  case 2:
    return centre;
  case 3:  // the ends
    return below(3) == 0 ? Code{0} : below(2) == 0 ? static_cast<Code>(~Code{0}) : code;
  case 4:  // few distinct ones
    return static_cast<Code>(centre + below(3) * 1000);
  case 5:  // clusters
    return static_cast<Code>(centre * (below(5) + 1) + below(50));
  case 6:
    return below(2) == 0 ? centre : code;
  case 7:  // the lowest code that is not rare: ranges of a sample may begin with it
    return below(3000) == 0  ? static_cast<Code>(centre / 4)
           : below(150) == 0 ? static_cast<Code>(centre / 2)
                             : std::max<Code>(code, static_cast<Code>(centre / 2 + 1));
  default:
    return below(2) == 0 ? Code{0} : static_cast<Code>(~Code{0});
  }
}

template <class Code>
input<Code> draw_input(bool has_low_ones) {
  input<Code> in = {};
  in.skipped = below(4);
  in.encode.leaves_out = below(3) == 0;
  const std::uint64_t n = has_low_ones ? 8000 : 1 + below(below(4) == 0 ? 60 : 8000);
  const std::uint64_t kind = has_low_ones ? 7 : below(9);
  const auto centre = below(4) == 0 ? static_cast<Code>(0 - below(2)) : Code(warps::rng());
  for (std::uint64_t i = n + in.skipped; i > 0; --i)
    in.all.push_back(draw_code(kind, centre));
  if (below(4) == 0)
    std::sort(in.all.begin(), in.all.end());
  return in;
}

// The sample, and where ranges have lost codes.
template <class Code>
guarded<Code> sorted_sample(input<Code> const& in, sample_ranges const& sample) {
  constexpr std::uint32_t ranges = sample_ranges::ranges, counters = sample_ranges::counters;
  guarded<Code> sorted(sample.size, 0x77), thrown(std::size_t{ranges} * sample.room, 0x77);
  guarded<Code> firsts(ranges, 0x77);
  guarded<std::uint32_t> sizes(counters, 0);
  const sample_memory<Code> memory = {sorted.data(), thrown.data(), firsts.data(), sizes.data()};
  constexpr unsigned of_block = threads_of_sample * thrown_by_thread;
  warps::run_blocks((sample.size + of_block - 1) / of_block, threads_of_sample, 0, [&] {
    throw_sample(in.keys(), in.size(), in.encode, sample, memory);
  });
  require(
      thrown.is_kept() && firsts.is_kept() && sizes.is_kept(),
      "ranges are written beyond their end");
  const auto before = [&](std::uint32_t r) {
    return std::accumulate(sizes.data(), sizes.data() + r, std::size_t{0}) +
           std::accumulate(sizes.data() + ranges, sizes.data() + ranges + r, std::size_t{0});
  };
  require(before(ranges) == sample.size, "ranges have not as many codes as the sample");
  std::size_t lost = 0;
  for (std::uint32_t r = 0; r < ranges; ++r)
    lost += sizes[r] - std::min(sizes[r], sample.room);
  require(
      sample.room < plan_sample(sample.size).room || lost <= sample.size / 50,
      "ranges have no room for all");
  // A block for each range would take long: for most it is done here.
  const auto runs = [&](unsigned r) {
    if (below(8) == 0)
      return true;
    Code* const mine = thrown.data() + std::size_t{r} * sample.room;
    Code* const to = std::fill_n(sorted.data() + before(r), sizes[ranges + r], firsts[r]);
    const std::uint32_t stored = std::min(sizes[r], sample.room);
    std::sort(mine, mine + stored);
    std::copy(mine, mine + stored, to);
    if (stored < sizes[r])
      std::fill(to + stored, to + sizes[r], to[stored - 1]);
    return false;
  };
  const bool are_within = warps::run_blocks(
      ranges, threads_of_sample, sample.shared_bytes(sizeof(Code)),
      [&] { sort_sample(sample, memory); }, runs);
  require(are_within, "more shared memory is written than a range has");
  require(sorted.is_kept(), "the sample is written beyond its end");

  std::vector<Code> expected;
  for (std::uint64_t i = 1; i <= sample.size; ++i) {
    const Code key = in.keys()[__umul64hi(thrust_hist::detail::mix_code(i), in.size())];
    Code code;
    expected.push_back(in.encode(key, code) ? code : static_cast<Code>(~Code{0}));
  }
  std::sort(expected.begin(), expected.end());
  Code* const first = sorted.data();
  require(std::is_sorted(first, first + sample.size), "the sample is not sorted");
  std::size_t at = 0;
  for (std::uint32_t r = 0; r < ranges; ++r) {
    const std::uint32_t equal = sizes[ranges + r];
    require(std::count(first + at, first + at + equal, firsts[r]) == equal, "a first code is lost");
    at += equal;
    for (std::uint32_t i = 0; i < sizes[r]; ++i, ++at) {
      const bool is_right = sizes[r] <= sample.room
                                ? sorted[at] == expected[at]
                                : std::binary_search(expected.begin(), expected.end(), sorted[at]);
      require(is_right, "the sample has other codes than were drawn");
    }
  }
  return sorted;
}

// The bucket of a code, or the one that it stands before.
template <class Code>
struct true_place {
  std::uint32_t bucket;
  bool is_between;

  true_place(bounded_slices<Code> const& slices, Code code) : bucket(0), is_between(false) {
    for (std::uint32_t b = 1; b < slices.buckets && slices.before(b) <= code; ++b)
      bucket = b;
    is_between = bucket != 0 && slices.before(bucket) == code;
    require(
        is_between || (slices.first(bucket) <= code && code <= slices.last(bucket)),
        "a bucket does not reach to its neighbours");
  }
};

template <class Code>
struct filled {
  guarded<Code> codes;
  guarded<std::uint32_t> sizes, between;
  sparse_findings findings;
};

template <class Code, class Samples>
filled<Code> fill(
    Samples const& samples, encode_some const& encode, ordered_buckets<Code> const& buckets) {
  const std::uint32_t room = buckets.slices.room;
  filled<Code> out = {
      {std::size_t{buckets.buckets} * room, guarded<Code>::mark()},
      {buckets.buckets, 0},
      {buckets.buckets, 0},
      {}};
  const code_regions<Code> regions = {out.codes.data(), out.sizes.data(), room};
  const drawn_bounds<Code> bounds = {buckets.slices, buckets.steps(), out.between.data()};
  const auto tiles = static_cast<std::uint32_t>(samples.tiles(buckets.codes_of_tile()));
  const bool are_within = warps::run_blocks(
      1 + static_cast<unsigned>(below(tiles)), buckets.threads, buckets.tile_shared_bytes(), [&] {
        fill_regions(samples, encode, buckets.buckets, bounds, tiles, regions, &out.findings);
      });
  require(are_within, "more shared memory is written than a tile has");
  require(
      out.codes.is_kept() && out.sizes.is_kept() && out.between.is_kept(),
      "regions are written beyond their end");
  return out;
}

// Returns whether all codes had room.
template <class Code>
bool check_regions(
    input<Code> const& in, filled<Code>& found, ordered_buckets<Code> const& buckets) {
  std::vector<std::vector<Code>> expected(buckets.buckets);
  std::vector<std::uint32_t> between(buckets.buckets);
  std::uint64_t alone = 0;
  for (std::uint64_t i = 0; i < in.size(); ++i) {
    Code code;
    if (!in.encode(in.keys()[i], code)) {
      ++alone;
      continue;
    }
    const true_place<Code> place(buckets.slices, code);
    if (place.is_between)
      ++between[place.bucket];
    else
      expected[place.bucket].push_back(code);
  }
  require(found.findings.alone == alone, "keys without a code are not counted as such");
  bool have_room = true;
  for (std::uint32_t b = 0; b < buckets.buckets; ++b) {
    std::vector<Code>& mine = expected[b];
    require(found.between[b] == between[b], "codes between buckets are not counted as such");
    require(found.sizes[b] == mine.size(), "a bucket has another number of codes");
    std::sort(mine.begin(), mine.end());
    const std::uint32_t room = buckets.slices.room;
    Code* const first = found.codes.data() + std::size_t{b} * room;
    if (mine.size() <= room) {
      std::sort(first, first + mine.size());
      require(std::equal(mine.begin(), mine.end(), first), "a region has other codes");
      require(
          std::count(first + mine.size(), first + room, guarded<Code>::mark()) ==
              static_cast<std::ptrdiff_t>(room - mine.size()),
          "a region is written behind its codes");
    } else {
      have_room = false;
      require(
          std::all_of(
              first, first + room,
              [&](Code code) {
                return code == guarded<Code>::mark() ||
                       std::binary_search(mine.begin(), mine.end(), code);
              }),
          "a region that is full has codes of others");
    }
  }
  return have_room;
}

// Returns whether all codes had room.
template <class Code>
bool check(bool has_low_ones) {
  const input<Code> in = draw_input<Code>(has_low_ones);
  ordered_buckets<Code> buckets = {};
  buckets.buckets =
      has_low_ones ? 90 : 2 + static_cast<std::uint32_t>(below(below(2) == 0 ? 5 : 90));
  buckets.threads = 32u << below(3);
  while (buckets.buckets > buckets.threads * buckets.most_of_thread)
    buckets.threads *= 2;
  const std::uint32_t of_bucket = has_low_ones ? 64 : 4u << below(5);
  const auto room = (below(5) == 0 ? 1 + below(in.size()) : in.size()) + 3;
  buckets.slices = {
      {buckets.bits, ordered_slices::least_groups_log2, static_cast<std::uint32_t>(room / 4 * 4)},
      nullptr,
      of_bucket,
      buckets.buckets,
      nullptr};
  sample_ranges sample = plan_sample(buckets.sample_size());
  if (below(4) == 0)
    sample.room = 4 + 4 * static_cast<std::uint32_t>(below(4));
  auto sorted = sorted_sample(in, sample);
  buckets.slices.sample = sorted.data();

  auto found =
      below(2) == 0
          ? fill(contiguous_samples<Code>(in.keys(), in.size()), in.encode, buckets)
          : fill(iterator_samples<Code const*, Code>(in.keys(), in.size()), in.encode, buckets);
  return check_regions(in, found, buckets);
}

}  // namespace

int main(int argc, char** argv) {
  const auto cases = warps::begin_cases(argc, argv);
  unsigned long long with_room = 0;
  for (; number < cases; ++number)
    with_room +=
        (number % 2 == 0 ? check<std::uint32_t>(number < 8) : check<std::uint64_t>(number < 8)) ? 1
                                                                                                : 0;
  std::printf("%llu cases, all codes had room in %llu\n", cases, with_room);
}
