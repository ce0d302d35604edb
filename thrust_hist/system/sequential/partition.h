// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The first half of counting many bins: a chunk of samples is thrown into the buckets of a worker.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/sequential/bucket_chains.h>
#include <thrust_hist/system/sequential/bucket_counters.h>
#include <thrust_hist/system/sequential/equal_neighbours.h>
#include <thrust_hist/system/sequential/fetch_ahead.h>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Counts samples as long as they fall into one bucket; returns how many.
template <class Counter, class Iterator, class Rule>
std::uint64_t count_while_in(
    std::uint64_t bucket, bucket_layout layout, Counter* counters, Iterator first, std::uint64_t n,
    Rule rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  constexpr unsigned unrolled = 4;
  std::uint64_t const begin = layout.begin_of(bucket);
  std::uint64_t const bins = layout.size_of(bucket);
  Counter* const counts = counters + (begin - layout.window_of(bucket));
  for (std::uint64_t i = 0; i + unrolled <= n; i += unrolled) {
    Iterator const here = first + static_cast<difference>(i);
    sequential::fetch_ahead(here);
    if (sequential::all_equal<unrolled, false>(here)) {
      value_t<Iterator> const x = *here;
      auto const place = detail::candidate<std::uint64_t>(rule, x) - begin;
      if (place >= bins) {
        return i;
      }
      counts[place] = static_cast<Counter>(counts[place] + unrolled);
      continue;
    }
    THRUST_HIST_UNROLL(16)
    for (unsigned j = 0; j < unrolled; ++j) {
      value_t<Iterator> const x = *(first + static_cast<difference>(i + j));
      auto const place = detail::candidate<std::uint64_t>(rule, x) - begin;
      if (place >= bins) {
        return i + j;
      }
      ++counts[place];
    }
  }
  return n / unrolled * unrolled;
}

/// Throws samples into buckets.
template <class Iterator, class Rule>
void throw_samples(
    bucket_chains& chains_of_worker, bucket_layout layout, Iterator first, std::uint64_t n,
    Rule rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  std::uint64_t const bins = layout.bins();
  bucket_chains chains = chains_of_worker;  // by value: no store can be to its members
  auto const throw_one = [&](std::uint64_t i) {
    value_t<Iterator> const x = *(first + static_cast<difference>(i));
    auto const bin = detail::candidate<std::uint64_t>(rule, x);
    if (bin < bins) {
      chains.add(layout.bucket_of(bin), static_cast<bucket_layout::rest>(bin));
    }
  };
  constexpr unsigned unrolled = 4;  // one after the other, else compilers run out of registers
  std::uint64_t i = 0;
  for (; i + unrolled <= n; i += unrolled) {
    THRUST_HIST_UNROLL(16)
    for (unsigned j = 0; j < unrolled; ++j) {
      throw_one(i + j);
    }
  }
  for (; i < n; ++i) {
    throw_one(i);
  }
  chains_of_worker = chains;
}

/// The bucket in which all of a few samples of a tile are, or none.
template <class Iterator, class Rule>
std::uint64_t common_bucket(
    bucket_layout const& layout, Iterator first, std::uint64_t tile, Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  constexpr std::uint64_t looks = 8;
  std::uint64_t common = 0;
  for (std::uint64_t i = 0; i < looks; ++i) {
    value_t<Iterator> const x = *(first + static_cast<difference>(i * (tile / looks)));
    auto const bin = detail::candidate<std::uint64_t>(rule, x);
    common = i == 0 ? layout.bucket_of(bin) : common;
    if (bin >= layout.bins() || layout.bucket_of(bin) != common) {
      return worker_result::no_bucket;
    }
  }
  return common;
}

/// Counts samples that begin in one bucket, as in sorted input, without throwing them anywhere.
/// Returns how many: none, unless a few looks into the first tile find one bucket.
template <class Counter, class Iterator, class Rule>
std::uint64_t count_sorted(
    bucket_layout const& layout, bucket_counters<Counter> const& counters, Iterator first,
    std::uint64_t n, std::uint64_t tile, Rule const& rule) {
  if (n < tile) {
    return 0;
  }
  std::uint64_t const bucket = sequential::common_bucket(layout, first, tile, rule);
  Counter* const counts = bucket != worker_result::no_bucket ? counters.claim(bucket) : nullptr;
  return counts == nullptr ? 0 : sequential::count_while_in(bucket, layout, counts, first, n, rule);
}

/// Throws a chunk into buckets, tile by tile. Returns how many samples have been counted already.
template <class Counter, class Iterator, class Rule>
std::uint64_t partition(
    bucket_chains& chains, bucket_layout const& layout, bucket_counters<Counter> const& counters,
    Iterator first, std::uint64_t n, Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  constexpr std::uint64_t tile = 1024;
  auto const bound = detail::bind_rule<value_t<Iterator>, bin_index>(rule);
  std::uint64_t counted = 0;
  for (std::uint64_t done = 0; done < n;) {
    std::uint64_t const sorted = sequential::count_sorted(
        layout, counters, first + static_cast<difference>(done), n - done, tile, bound);
    counted += sorted;
    done += sorted;
    // After a change of the bucket in sorted input the next look is soon.
    std::uint64_t const thrown = (std::min)(sorted >= tile ? 4 : tile, n - done);
    sequential::throw_samples(chains, layout, first + static_cast<difference>(done), thrown, bound);
    done += thrown;
  }
  return counted;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
