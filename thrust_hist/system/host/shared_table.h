// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Many bins, one table for all workers: it is cut into buckets of neighbouring bins. A worker collects
/// pairs for each bucket, and where it has enough of them, folds them into the table while nobody else
/// has this bucket. So accesses stay in a few pages for a while, and there is no table to be merged.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/sequential/state_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {

/// Who may change the states of a bucket, and how many pairs it has had since they were settled.
class bucket_lock {
public:
  /// Holds a bucket for a while, also where an operator throws.
  class holder {
  public:
    explicit holder(bucket_lock& lock) noexcept : lock_(lock) {
      while (lock_.held_.exchange(1, std::memory_order_acquire) != 0) {
        std::this_thread::yield();  // there may be more workers than processors
      }
    }
    ~holder() { lock_.held_.store(0, std::memory_order_release); }
    holder(holder const&) = delete;
    holder& operator=(holder const&) = delete;

  private:
    bucket_lock& lock_;
  };

  /// Whether so many additions more are too many for states that have not been settled.
  bool is_full(std::uint64_t additions, std::uint64_t most) noexcept {
    additions_ += additions;
    if (additions_ < most - additions) {
      return false;
    }
    additions_ = 0;
    return true;
  }

private:
  std::atomic<std::uint32_t> held_{0};
  std::uint64_t additions_ = 0;
};

/// Where everything lies: the table, the locks, and for each worker what it collects.
template <class Fold>
class bucket_plan {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  using tables = sequential::state_tables<state>;

  bucket_plan(std::uint64_t bins, std::uint64_t pairs) noexcept
      : table_(bins, 1), pairs_(pairs), log2_bins_(log2_bucket_bins(bins)) {}

  tables const& table() const noexcept { return table_; }
  std::uint64_t pairs() const noexcept { return pairs_; }
  unsigned log2_bins() const noexcept { return log2_bins_; }
  std::uint64_t buckets() const noexcept { return ((table_.bins() - 1) >> log2_bins_) + 1; }

  /// So many for each bucket that what a worker collects stays in a near cache, if it can.
  static std::uint64_t comfortable_pairs(std::uint64_t bins) noexcept {
    constexpr std::uint64_t near_cache = std::uint64_t{1} << 21;
    std::uint64_t pairs = 4096;
    while (pairs > 256 && bucket_plan(bins, pairs).worker_bytes() > near_cache) {
      pairs /= 2;
    }
    return pairs;
  }

  // Behind the table, the locks and the memory of each worker, which has three arrays.
  std::uint64_t locks_at() const noexcept { return table_.stride(); }
  std::uint64_t worker_at(unsigned worker) const noexcept {
    return locks_at() + lines(buckets() * sizeof(bucket_lock)) + worker * worker_bytes();
  }
  std::uint64_t places_at() const noexcept { return lines(buckets() * sizeof(std::uint32_t)); }
  std::uint64_t values_at() const noexcept {
    return places_at() + lines(buckets() * pairs_ * sizeof(std::uint32_t));
  }
  std::uint64_t bytes(unsigned workers) const noexcept { return worker_at(workers) + line; }

  void begin_locks(char* memory) const noexcept {
    auto* const locks = reinterpret_cast<char*>(table_.table(memory, 0)) + locks_at();
    for (std::uint64_t bucket = 0; bucket < buckets(); ++bucket) {
      ::new (static_cast<void*>(locks + bucket * sizeof(bucket_lock))) bucket_lock();
    }
  }

private:
  static constexpr std::uint64_t line = tables::alignment;
  static_assert(alignof(value) <= line && alignof(bucket_lock) <= line);

  static std::uint64_t lines(std::uint64_t bytes) noexcept {
    return (bytes + line - 1) / line * line;
  }
  std::uint64_t worker_bytes() const noexcept {
    return values_at() + lines(buckets() * pairs_ * sizeof(value));
  }
  /// As many as a near cache has room for, 64 at least: no two buckets share a cache line.
  static unsigned log2_bucket_bins(std::uint64_t bins) noexcept {
    constexpr std::uint64_t bucket_bytes = std::uint64_t{1} << 18;
    constexpr std::uint64_t most_buckets = 1024;
    unsigned log2 = 6;
    while (log2 < 31 && ((std::uint64_t{2} << log2) * sizeof(state) <= bucket_bytes ||
                         bins >> log2 > most_buckets)) {
      ++log2;
    }
    return log2;
  }

  tables table_;
  std::uint64_t pairs_;
  unsigned log2_bins_;
};

/// What one worker has collected.
template <class Fold>
class bucket_buffers {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;

  bucket_buffers(bucket_plan<Fold> const& plan, char* memory, unsigned worker, Fold const& fold)
      : table_(plan.table().table(memory, 0)), bins_(plan.table().bins()), buckets_(plan.buckets()),
        pairs_(plan.pairs()), log2_bins_(plan.log2_bins()), fold_(fold) {
    char* const base = reinterpret_cast<char*>(table_);
    char* const mine = base + plan.worker_at(worker);
    locks_ = reinterpret_cast<bucket_lock*>(base + plan.locks_at());
    filled_ = reinterpret_cast<std::uint32_t*>(mine);
    places_ = reinterpret_cast<std::uint32_t*>(mine + plan.places_at());
    values_ = reinterpret_cast<value*>(mine + plan.values_at());
    std::fill_n(filled_, buckets_, 0);
  }

  void add(std::uint64_t bin, value const& x) {
    std::uint64_t const bucket = bin >> log2_bins_;
    std::uint32_t const filled = filled_[bucket];
    std::uint64_t const place = bucket * pairs_ + filled;
    places_[place] = static_cast<std::uint32_t>(bin - (bucket << log2_bins_));
    ::new (static_cast<void*>(values_ + place)) value(x);
    filled_[bucket] = filled + 1;
    if (filled + 1 == pairs_) {
      deliver(bucket);
    }
  }
  /// Whatever is left; workers begin at different buckets.
  void deliver_all(std::uint64_t first_bucket) {
    for (std::uint64_t i = 0; i < buckets_; ++i) {
      std::uint64_t const bucket = first_bucket + i;
      deliver(bucket < buckets_ ? bucket : bucket - buckets_);
    }
  }

private:
  THRUST_HIST_NOINLINE void deliver(std::uint64_t bucket) {
    std::uint32_t const n = filled_[bucket];
    if (n == 0) {
      return;
    }
    filled_[bucket] = 0;
    state* const states = table_ + (bucket << log2_bins_);
    std::uint32_t const* const places = places_ + bucket * pairs_;
    value const* const values = values_ + bucket * pairs_;
    Fold const fold = fold_;
    bucket_lock::holder const mine(locks_[bucket]);
    for (std::uint32_t i = 0; i < n; ++i) {
      fold.add(states[places[i]], values[i]);
    }
    if (locks_[bucket].is_full(n, Fold::additions_at_once)) {
      std::uint64_t const begin = bucket << log2_bins_;
      std::uint64_t const end = (std::min)(bins_, begin + (std::uint64_t{1} << log2_bins_));
      sequential::settle_states(states, end - begin, fold);
    }
  }

  state* table_;
  bucket_lock* locks_;
  std::uint32_t* filled_;  // of each bucket: how many pairs wait
  std::uint32_t* places_;  // of each pair: which state of its bucket
  value* values_;
  std::uint64_t bins_;
  std::uint64_t buckets_;
  std::uint64_t pairs_;
  unsigned log2_bins_;
  Fold fold_;
};

/// Folds the pairs of a stretch of inputs by way of buffers. Returns how many had no bin.
template <class Bound, class Fold>
std::uint64_t fold_by_buckets(
    bucket_buffers<Fold> buffers, std::uint64_t bins, std::uint64_t first_bucket,
    sequential::stretch inputs, Bound pairs) {
  std::uint64_t dropped = 0;
  for (std::uint64_t i = inputs.begin; i < inputs.end; ++i) {
    pairs.visit(i, [&](std::uint64_t bin, auto const& value) {
      if (bin < bins) {
        buffers.add(bin, detail::convert<typename Fold::value>(value));
      } else {
        ++dropped;
      }
    });
  }
  buffers.deliver_all(first_bucket);
  return dropped;
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
