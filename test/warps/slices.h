// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Tables in which a block counts the codes of a slice, filled and read by simulated threads, and
// compared with what a map has.

#include "warps.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace warps {

// What a block is to count.
template <class Table>
struct drawn_slice {
  using code = typename Table::code;
  typename Table::description slices;
  std::uint32_t job;
  code first, last;  // of the slice
  unsigned threads;
  std::vector<code> codes;
  std::uint32_t equal_before;  // how many codes are the one before the slice, and have a row, too

  // The codes whose bits above so many low ones are the job.
  void set_slice(unsigned low_bits) {
    first = static_cast<code>(code{job} << low_bits);
    last = first + static_cast<code>((code{1} << low_bits) - 1);
  }
  bool is_in_slice(code c) const { return c >= first && c <= last; }
  // A code of the slice, by the high bits of a random number.
  code in_slice(code x) const {
    const auto wide = static_cast<unsigned __int128>(static_cast<code>(last - first)) + 1;
    return first + static_cast<code>(x * wide >> 8 * sizeof(code));
  }
  // Of other slices and none: what lies behind the codes of a segment.
  code padding() const { return job == 0 ? static_cast<code>(~code{0}) : code{0}; }
};

template <class Code>
struct read_slice {
  std::uint64_t in_slice = 0, counted = 0, rows = 0;
  std::map<std::uint32_t, std::pair<Code, std::uint32_t>> written;
  bool has_room = false;
  bool twice = false;
};

template <class Table>
read_slice<typename Table::code> fill_and_read(drawn_slice<Table> const& d) {
  using code = typename Table::code;
  constexpr unsigned of_lane = 4;
  read_slice<code> found;
  std::vector<std::uint32_t> before(d.threads / 32 + 1), of_warps(32);
  std::uint32_t spare = 0;
  std::memset(memory, 0xcd, sizeof memory);
  block::run(d.threads, [&] {
    const unsigned thread = threadIdx.x;
    Table table(memory, d.slices, d.job);
    const std::uint32_t mine = table.fill(
        [&](auto use) {
          for (std::size_t first = 0; first < d.codes.size(); first += d.threads * of_lane) {
            code codes[of_lane];
            for (unsigned k = 0; k < of_lane; ++k) {
              const std::size_t at = first + thread * of_lane + k;
              codes[k] = at < d.codes.size() ? d.codes[at] : d.padding();
            }
            use(codes);
          }
          __syncthreads();
        },
        of_warps.data(), spare);
    const auto part = table.part_of_warp();
    found.in_slice += mine;
    if (thread % 32 == 0) {
      found.rows += part.rows;
      found.counted += part.counted;
      before[thread / 32 + 1] = part.rows;
    }
    __syncthreads();
    if (thread == 0)
      found.has_room = table.has_room() && found.counted == found.in_slice;
    __syncthreads();
    if (!found.has_room)
      return;
    std::uint32_t first_row = 0;
    for (unsigned w = 0; w <= thread / 32; ++w)
      first_row += before[w];
    table.for_rows(first_row, [&](std::uint32_t i, code c, std::uint32_t count) {
      found.twice = !found.written.emplace(i, std::make_pair(c, count)).second || found.twice;
    });
  });
  return found;
}

// Returns whether all codes had room.
template <class Table>
bool check(drawn_slice<Table> const& d, unsigned long long number) {
  using code = typename Table::code;
  std::map<code, std::uint32_t> expected;
  std::uint64_t in_slice = 0;
  if (d.equal_before != 0)
    expected[static_cast<code>(d.first - 1)] = d.equal_before;
  for (code c : d.codes)
    if (d.is_in_slice(c)) {
      ++expected[c];
      ++in_slice;
    }
  const read_slice<code> found = fill_and_read(d);
  const auto fail = [&](char const* what) {
    std::printf("FAILED: case %llu, %zu codes: %s\n", number, d.codes.size(), what);
    std::exit(1);
  };
  if (found.in_slice != in_slice)
    fail("other codes than those of the slice were taken");
  if (!found.has_room)
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

// Draws so many cases, by a seed from the command line or a random one. Returns what main() does: 0
// if all codes had room in half of the cases at least.
template <class Draw>
int check_drawn(int argc, char** argv, Draw draw) {
  const auto cases = begin_cases(argc, argv);
  unsigned long long with_room = 0;
  for (unsigned long long i = 0; i < cases; ++i)
    with_room += draw(i) ? 1 : 0;
  std::printf("%llu cases, all codes had room in %llu\n", cases, with_room);
  return with_room * 2 >= cases ? 0 : 1;
}

}  // namespace warps
