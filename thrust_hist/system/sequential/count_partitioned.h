// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting many bins: batch by batch, all workers throw samples into buckets of bins, then all count
/// buckets, whose counters fit a cache. No worker has a table of all bins.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/bucket_chains.h>
#include <thrust_hist/system/sequential/bucket_counters.h>
#include <thrust_hist/system/sequential/bucket_layout.h>
#include <thrust_hist/system/sequential/count_buckets.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/partition.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// What the workers of a call share: the counters of all bins, and memory of layout.words() for each
/// of them and of layout.owner_words() for all.
template <class Counter>
class shared_work {
public:
  using owner = typename bucket_counters<Counter>::owner;

  shared_work(
      bucket_layout const& layout, unsigned workers, Counter* table, std::uint64_t* memory) noexcept
      : layout_(layout), workers_(workers), table_(table), memory_(memory),
        owners_(reinterpret_cast<owner*>(memory + workers * layout.words())) {}

  bucket_layout const& layout() const noexcept { return layout_; }
  unsigned workers() const noexcept { return workers_; }
  Counter* table() const noexcept { return table_; }
  bucket_chains chains(unsigned worker) const noexcept { return {layout_, memory_of(worker)}; }
  bucket_counters<Counter> counters(unsigned worker) const noexcept {
    std::uint64_t* const memory = memory_of(worker);
    auto* const result = reinterpret_cast<worker_result*>(memory + layout_.spare_at());
    return {layout_, table_, fresh_, reinterpret_cast<Counter*>(memory), owners_, worker, *result};
  }
  /// Before each batch; `fresh` if it overwrites what the table holds.
  void begin_batch(bool fresh) noexcept {
    fresh_ = fresh;
    for (std::uint64_t bucket = 0; bucket < layout_.buckets(); ++bucket) {
      new (owners_ + bucket) owner(0);
    }
  }
  /// Between phases: returns how many samples the workers have counted, and adds up what is apart.
  std::uint64_t collect() const noexcept {
    std::uint64_t counted = 0;
    for (unsigned worker = 0; worker < workers_; ++worker) {
      counters(worker).add_apart();
      counted += counters(worker).result().counted;
    }
    return counted;
  }

private:
  std::uint64_t* memory_of(unsigned worker) const noexcept {
    return memory_ + worker * layout_.words();
  }

  bucket_layout layout_;
  unsigned workers_;
  Counter* table_;
  std::uint64_t* memory_;
  owner* owners_;
  bool fresh_ = false;
};

/// The second half of a batch. Returns how many samples have been counted.
template <class Counter>
std::uint64_t count_thrown(run_function run, shared_work<Counter> const& work) {
  auto const chains = [&](unsigned worker) { return work.chains(worker); };
  std::uint64_t pieces = 0;
  for (std::uint64_t bucket = 0; bucket < work.layout().buckets(); ++bucket) {
    pieces += sequential::pieces_of(bucket, work.workers(), chains);
  }
  run(work.workers(), [&](unsigned worker) {
    auto const counters = work.counters(worker);
    counters.result().counted = sequential::count_buckets(
        work.layout(), counters, work.workers(), chains,
        sequential::share_of(pieces, work.workers(), worker));
  });
  return work.collect();
}

/// Counts one batch: throw, wait, count. Returns how many samples had a bin.
template <class Counter, class Iterator, class Rule>
std::uint64_t count_batch(
    run_function run, shared_work<Counter> const& work, Iterator first, std::uint64_t n,
    Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  run(work.workers(), [&](unsigned worker) {
    stretch const mine = sequential::share_of(n, work.workers(), worker);
    bucket_chains chains = work.chains(worker);
    chains.clear();
    auto const counters = work.counters(worker);
    counters.result().counted = sequential::partition(
        chains, work.layout(), counters, first + static_cast<difference>(mine.begin), mine.size(),
        rule);
  });
  std::uint64_t const at_once = work.collect();
  return at_once + sequential::count_thrown(run, work);
}

/// Writes the counts of n samples to the table of all bins, or adds them to what is kept there.
/// Returns how many had a bin.
template <class Counter, class Iterator, class Rule>
std::uint64_t count_partitioned(
    run_function run, shared_work<Counter> work, bool keep, std::uint64_t batch, Iterator first,
    std::uint64_t n, Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  run(work.workers(), [&](unsigned worker) { work.counters(worker).clear(); });
  if (n == 0 && !keep) {
    std::fill_n(work.table(), work.layout().bins(), Counter{0});
  }
  std::uint64_t counted = 0;
  for (std::uint64_t done = 0; done < n; done += batch) {
    work.begin_batch(done == 0 && !keep);
    counted += sequential::count_batch(
        run, work, first + static_cast<difference>(done), (std::min)(batch, n - done), rule);
  }
  return counted;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
