// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The second half of counting many bins: the buckets of all workers lie on one line of pieces, and
/// each worker counts an equal stretch of it.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/bucket_chains.h>
#include <thrust_hist/system/sequential/bucket_counters.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <cstdint>
#include <cstring>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

template <class Table>
void count_rests(Table& counters, bucket_layout::rest const* rests, std::uint32_t n) noexcept {
  constexpr std::uint32_t group = 4;
  std::uint32_t i = 0;
  for (; i + group <= n; i += group) {
    bucket_layout::rest read[group];
    std::memcpy(read, rests + i, sizeof read);
    for (auto const r : read) {
      counters.count(r, 0);
    }
  }
  for (; i < n; ++i) {
    counters.count(rests[i], 0);
  }
}

/// Of what the workers have thrown: `chains(worker)`.
template <class Chains>
std::uint64_t pieces_of(std::uint64_t bucket, unsigned workers, Chains const& chains) {
  std::uint64_t pieces = 0;
  for (unsigned worker = 0; worker < workers; ++worker) {
    pieces += chains(worker).pieces(bucket);
  }
  return pieces;
}

/// Fetches part `index` of `parts` of the narrow counters of a bucket, which are wanted soon.
template <class Counter>
void fetch_counters(
    bucket_layout const& layout, bucket_counters<Counter> const& counters, std::uint64_t bucket,
    std::uint64_t parts, std::uint64_t index) noexcept {
  if (bucket < layout.buckets()) {
    constexpr std::uint64_t line = 64;
    stretch const mine = sequential::share_of(layout.size_of(bucket) / line, parts, index);
    std::uint8_t const* const table = counters.narrow_in_table(layout.begin_of(bucket));
    for (std::uint64_t i = mine.begin; i < mine.end; ++i) {
      __builtin_prefetch(table + i * line, 1);
    }
  }
}

/// Counts a stretch. A bucket that begins before it is counted apart: the worker before has the
/// table. Returns how many samples there were.
template <class Counter, class Chains>
std::uint64_t count_buckets(
    bucket_layout const& layout, bucket_counters<Counter> const& counters, unsigned workers,
    Chains const& chains, stretch mine) {
  std::uint64_t counted = 0;
  std::uint64_t begin = 0;
  for (std::uint64_t bucket = 0; bucket < layout.buckets() && begin < mine.end; ++bucket) {
    std::uint64_t const end = begin + sequential::pieces_of(bucket, workers, chains);
    if (end > mine.begin) {
      counter_pair<Counter> counts{nullptr, nullptr};
      std::uint64_t piece = begin;
      for (unsigned worker = 0; worker < workers; ++worker) {
        chains(worker).for_each_piece(
            bucket, [&](bucket_layout::rest const* rests, std::uint32_t n) {
              if (mine.has(piece) && n > 0) {
                if (counts.wide == nullptr) {
                  bool const little = end - begin == workers;  // no block is full
                  counts = begin < mine.begin ? counters.apart(bucket)
                                              : counters.take_over(bucket, little);
                }
                sequential::fetch_counters(
                    layout, counters, bucket + 1, end - begin, piece - begin);
                counters.count_in(
                    counts, [&](auto& table) { sequential::count_rests(table, rests, n); });
                counted += n;
              }
              ++piece;
            });
      }
    }
    begin = end;
  }
  counters.carry();
  return counted;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
