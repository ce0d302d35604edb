// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The hash table that keeps the order of its codes, filled and read by a block of simulated threads that meet in
// any order: random codes, crowds of them, the ends of the slice, and codes of other slices.
//   wide_table [SEED [CASES]]

#include "warps.h"
#include <thrust_hist/system/cuda/kernels/wide_table.cuh>

#include <map>
#include <utility>

namespace {

using namespace thrust_hist::detail::cuda;
using warps::below;

struct drawn {
  wide_slices slices;
  std::uint32_t job;
  unsigned threads;
  std::vector<std::uint64_t> codes;

  unsigned job_bits() const { return slices.buckets_log2 + slices.slices_log2; }
  bool is_in_slice(std::uint64_t code) const { return code >> (64 - job_bits()) == job; }
  std::uint64_t in_slice(std::uint64_t x) const {
    return (std::uint64_t{job} << (64 - job_bits())) | x >> job_bits();
  }
};

drawn draw() {
  drawn d = {};
  d.slices = {
      9 + static_cast<unsigned>(below(3)), static_cast<unsigned>(below(3)),
      6 + static_cast<unsigned>(below(3))};
  d.job = static_cast<std::uint32_t>(below(std::uint64_t{1} << d.job_bits()));
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

// Of other slices and none: what lies behind the codes of a segment.
std::uint64_t padding_for(drawn const& d) {
  return d.job == 0 ? ~std::uint64_t{0} : 0;
}

struct result {
  std::uint64_t in_slice = 0, counted = 0, rows = 0;
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint32_t>> written;
  bool twice = false;
};

result fill_and_read(drawn const& d) {
  constexpr unsigned of_lane = 4;
  result found;
  std::vector<std::uint32_t> before(d.threads / 32 + 1), of_warps(32);
  std::uint32_t spare = 0;
  std::memset(warps::memory, 0xcd, sizeof warps::memory);
  warps::block::run(d.threads, [&] {
    const unsigned thread = threadIdx.x;
    wide_table table(warps::memory, d.slices, d.job);
    const std::uint32_t mine = table.fill(
        [&](auto use) {
          for (std::size_t first = 0; first < d.codes.size(); first += d.threads * of_lane) {
            std::uint64_t codes[of_lane];
            for (unsigned k = 0; k < of_lane; ++k) {
              const std::size_t at = first + thread * of_lane + k;
              codes[k] = at < d.codes.size() ? d.codes[at] : padding_for(d);
            }
            use(codes);
          }
          __syncthreads();
        },
        of_warps.data(), spare);
    const range_part part = table.part_of_warp();
    found.in_slice += mine;
    if (thread % 32 == 0) {
      found.rows += part.rows;
      found.counted += part.counted;
      before[thread / 32 + 1] = part.rows;
    }
    __syncthreads();
    if (found.counted != found.in_slice)
      return;  // some had no room
    std::uint32_t first_row = 0;
    for (unsigned w = 0; w <= thread / 32; ++w)
      first_row += before[w];
    table.for_rows(first_row, [&](std::uint32_t i, std::uint64_t code, std::uint32_t count) {
      found.twice = !found.written.emplace(i, std::make_pair(code, count)).second || found.twice;
    });
  });
  return found;
}

// Returns whether all codes had room.
bool check(drawn const& d, unsigned long long number) {
  std::map<std::uint64_t, std::uint32_t> expected;
  std::uint64_t in_slice = 0;
  for (std::uint64_t code : d.codes)
    if (d.is_in_slice(code)) {
      ++expected[code];
      ++in_slice;
    }
  const result found = fill_and_read(d);
  const auto fail = [&](char const* what) {
    std::printf("FAILED: case %llu, %zu codes: %s\n", number, d.codes.size(), what);
    std::exit(1);
  };
  if (found.in_slice != in_slice)
    fail("other codes than those of the slice were taken");
  if (found.counted != in_slice)
    return false;
  if (found.twice || found.rows != expected.size() || found.written.size() != expected.size())
    fail("rows are missing, or there are too many");
  std::uint32_t i = 0;
  for (auto const& row : expected) {
    const auto at = found.written.find(i++);
    if (at == found.written.end() || at->second != std::make_pair(row.first, row.second))
      fail("a row is wrong, or in the wrong place");
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::random_device{}();
  const auto cases = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  std::printf("seed %llu\n", seed);
  warps::rng.seed(seed);
  unsigned long long with_room = 0;
  for (unsigned long long i = 0; i < cases; ++i)
    with_room += check(draw(), i) ? 1 : 0;
  std::printf("%llu cases, all codes had room in %llu\n", cases, with_room);
  return with_room * 2 >= cases ? 0 : 1;
}
