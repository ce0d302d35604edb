// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting many bins: batch by batch, all workers throw samples into buckets of bins, then all
/// count buckets, whose counters fit a cache. No worker has a table of all bins.

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

/// What the workers of a call share: the wide counters of all bins, and memory of layout.words()
/// for each of them and of layout.shared_words() for all. `keep`: counts are added to what the wide
/// counters hold.
template <class Counter>
class shared_work {
public:
  shared_work(
      bucket_layout const& layout, unsigned workers, Counter* table, bool keep,
      std::uint64_t* memory) noexcept
      : layout_(layout), workers_(workers), table_(table), keep_(keep), memory_(memory) {
    for (std::uint64_t bucket = 0; bucket < layout_.buckets(); ++bucket) {
      new (states() + bucket) bucket_state();
    }
  }

  bucket_layout const& layout() const noexcept { return layout_; }
  unsigned workers() const noexcept { return workers_; }
  bucket_chains chains(unsigned worker) const noexcept {
    std::uint64_t* const own = memory_of(worker);
    return {
        layout_, reinterpret_cast<std::uint32_t*>(own + layout_.buckets_at()),
        reinterpret_cast<std::uint32_t*>(own + layout_.chains_at()),
        reinterpret_cast<bucket_layout::rest*>(own + layout_.blocks_at())};
  }
  bucket_counters<Counter> counters(unsigned worker) const noexcept {
    std::uint64_t* const own = memory_of(worker);
    auto* const narrow = shared() + layout_.state_words();
    return {
        layout_,
        {table_, reinterpret_cast<std::uint8_t*>(narrow)},
        keep_,
        {reinterpret_cast<Counter*>(own),
         reinterpret_cast<std::uint8_t*>(own + layout_.narrow_at())},
        reinterpret_cast<Counter**>(own + layout_.overflows_at()),
        states(),
        worker,
        *reinterpret_cast<worker_result*>(own + layout_.spare_at())};
  }
  /// Before each batch.
  void begin_batch() const noexcept {
    for (std::uint64_t bucket = 0; bucket < layout_.buckets(); ++bucket) {
      states()[bucket].owner = 0;
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
  std::uint64_t* shared() const noexcept { return memory_of(workers_); }
  bucket_state* states() const noexcept { return reinterpret_cast<bucket_state*>(shared()); }

  bucket_layout layout_;
  unsigned workers_;
  Counter* table_;
  bool keep_;
  std::uint64_t* memory_;
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

/// Counts n samples in the wide counters of all bins. Returns how many had a bin.
template <class Counter, class Iterator, class Rule>
std::uint64_t count_partitioned(
    run_function run, shared_work<Counter> const& work, std::uint64_t batch, Iterator first,
    std::uint64_t n, Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  run(work.workers(), [&](unsigned worker) { work.counters(worker).clear(); });
  std::uint64_t counted = 0;
  for (std::uint64_t done = 0; done < n; done += batch) {
    work.begin_batch();
    counted += sequential::count_batch(
        run, work, first + static_cast<difference>(done), (std::min)(batch, n - done), rule);
  }
  run(work.workers(), [&](unsigned worker) {
    auto const counters = work.counters(worker);
    stretch const mine = sequential::share_of(work.layout().buckets(), work.workers(), worker);
    for (std::uint64_t bucket = mine.begin; bucket < mine.end; ++bucket) {
      counters.finish(bucket);
    }
  });
  return counted;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
