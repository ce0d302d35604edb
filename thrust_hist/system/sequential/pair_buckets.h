// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The memory of a fold by way of buckets: one table of all states, and for each worker chains of
/// pairs and states of one bucket apart.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/bins_in_buckets.h>
#include <thrust_hist/system/sequential/bucket_chains.h>
#include <thrust_hist/system/sequential/state_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <thread>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// What all workers know of a bucket.
struct bucket_share {
  std::atomic<std::uint32_t> owner{
      0};                       ///< who has its states in the table: a worker's number and one
  std::uint64_t additions = 0;  ///< to these states since they were settled
};

/// Has the states of a bucket in the table for a while, also where an operator throws.
class bucket_lock {
public:
  explicit bucket_lock(bucket_share& share) noexcept : share_(share) {
    while (share_.owner.exchange(1, std::memory_order_acquire) != 0) {
      std::this_thread::yield();  // there may be more workers than processors
    }
  }
  ~bucket_lock() { share_.owner.store(0, std::memory_order_release); }
  bucket_lock(bucket_lock const&) = delete;
  bucket_lock& operator=(bucket_lock const&) = delete;

private:
  bucket_share& share_;
};

/// Pairs that a worker adds to states without asking whether these are to be settled.
inline constexpr std::uint64_t tile_of_pairs = 1024;

/// How far a worker has come.
struct fold_progress {
  static constexpr std::uint64_t no_bucket = (std::numeric_limits<std::uint64_t>::max)();
  stretch inputs;                 ///< those that are left
  std::uint64_t thrown;           ///< pairs that wait in its chains
  std::uint64_t dropped;          ///< pairs without a bin
  std::uint64_t apart;            ///< the bucket of which it has states of its own
  std::uint64_t apart_additions;  ///< to these since they were settled
};

/// Where everything lies, for workers that throw at most `pairs` at a time.
template <class Fold>
class pair_layout : public bins_in_buckets {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  using tables = state_tables<state>;

  pair_layout(std::uint64_t bins, std::uint64_t pairs, bool in_output) noexcept
      : bins_in_buckets(bins, pairs, sizeof(state)), table_(bins, 1, in_output), pairs_(pairs) {}
  /// The same, where the output is known.
  pair_layout with_output(state* output) const noexcept {
    pair_layout layout = *this;
    layout.table_ = table_.with_output(output);
    return layout;
  }

  tables const& table() const noexcept { return table_; }
  std::uint64_t pairs() const noexcept { return pairs_; }

  // In bytes, behind the table, unless that is the output: what workers share, then the memory of
  // each, which has six arrays.
  std::uint64_t shares_at() const noexcept {
    return table_.begin_in_output() ? 0 : table_.stride();
  }
  std::uint64_t worker_at(unsigned worker) const noexcept {
    return shares_at() + lines(buckets() * sizeof(bucket_share)) + worker * worker_bytes();
  }
  std::uint64_t of_buckets_at() const noexcept { return lines(sizeof(fold_progress)); }
  std::uint64_t of_blocks_at() const noexcept {
    return of_buckets_at() + lines(2 * buckets() * sizeof(std::uint32_t));
  }
  std::uint64_t rests_at() const noexcept {
    return of_blocks_at() + lines(blocks() * sizeof(std::uint32_t));
  }
  std::uint64_t values_at() const noexcept { return rests_at() + lines(rests() * sizeof(rest)); }
  std::uint64_t apart_at() const noexcept { return values_at() + lines(rests() * sizeof(value)); }
  std::uint64_t bytes(unsigned workers) const noexcept { return worker_at(workers) + line; }

private:
  static constexpr std::uint64_t line = tables::alignment;
  static_assert(alignof(value) <= line);

  static std::uint64_t lines(std::uint64_t bytes) noexcept {
    return (bytes + line - 1) / line * line;
  }
  std::uint64_t worker_bytes() const noexcept {
    return apart_at() + lines(most_bins_of_bucket() * sizeof(state));
  }

  tables table_;
  std::uint64_t pairs_;
};

/// What one worker of such a fold sees. States of a bucket are in the table for one worker, its
/// owner; another one may fold one bucket apart, which merge_apart() brings to the table later.
template <class Fold>
class pair_buckets {
public:
  using layout = pair_layout<Fold>;
  using state = typename Fold::state;
  using value = typename Fold::value;

  pair_buckets(layout const& l, char* memory, unsigned worker, Fold const& fold)
      : layout_(l), table_(l.table().table(memory, 0)), me_(worker + 1), fold_(fold),
        shares_(reinterpret_cast<bucket_share*>(layout::tables::aligned(memory) + l.shares_at())),
        mine_(layout::tables::aligned(memory) + l.worker_at(worker)),
        values_(reinterpret_cast<value*>(mine_ + l.values_at())) {}

  layout const& shape() const noexcept { return layout_; }
  Fold const& fold() const noexcept { return fold_; }
  fold_progress& progress() const noexcept { return *reinterpret_cast<fold_progress*>(mine_); }
  bucket_share& share(std::uint64_t bucket) const noexcept { return shares_[bucket]; }
  bucket_chains chains() const noexcept {
    return {
        layout_, reinterpret_cast<std::uint32_t*>(mine_ + layout_.of_buckets_at()),
        reinterpret_cast<std::uint32_t*>(mine_ + layout_.of_blocks_at()),
        reinterpret_cast<bins_in_buckets::rest*>(mine_ + layout_.rests_at())};
  }
  value* values() const noexcept { return values_; }

  /// Before anything else: this worker's part of the table and of what is shared, and of all
  /// inputs.
  void begin(unsigned workers, std::uint64_t inputs) const {
    unsigned const worker = me_ - 1;
    ::new (static_cast<void*>(mine_)) fold_progress{
        sequential::share_of(inputs, workers, worker), 0, 0, fold_progress::no_bucket, 0};
    stretch const buckets = sequential::share_of(layout_.buckets(), workers, worker);
    for (std::uint64_t bucket = buckets.begin; bucket < buckets.end; ++bucket) {
      ::new (static_cast<void*>(shares_ + bucket)) bucket_share();
      sequential::begin_states(table_, {layout_.begin_of(bucket), layout_.end_of(bucket)}, fold_);
    }
  }

  /// States of a bucket while pairs are thrown: for who comes first those in the table, else its
  /// own; none if these are in use.
  state* claim(std::uint64_t bucket) const {
    std::uint32_t found = 0;
    if (shares_[bucket].owner.compare_exchange_strong(found, me_) || found == me_) {
      return in_table(bucket);
    }
    std::uint64_t const apart = progress().apart;
    return apart == bucket || apart == fold_progress::no_bucket ? this->apart(bucket) : nullptr;
  }
  state* in_table(std::uint64_t bucket) const noexcept { return table_ + layout_.begin_of(bucket); }
  state* apart(std::uint64_t bucket) const {
    fold_progress& mine = progress();
    if (mine.apart != bucket) {
      sequential::begin_states(own(), {0, layout_.size_of(bucket)}, fold_);
      mine.apart = bucket;
      mine.apart_additions = 0;
    }
    return own();
  }
  /// Calls `fold_some()`, which adds to states of a bucket, `most` times at most and a tile at
  /// most, and settles them in time.
  template <class FoldSome>
  void add_to(std::uint64_t bucket, state* states, std::uint64_t most, FoldSome fold_some) const {
    fold_some();
    if constexpr (Fold::additions_at_once != max_of<std::uint64_t>) {
      std::uint64_t& additions =
          states == own() ? progress().apart_additions : shares_[bucket].additions;
      additions += most;
      if (additions >= Fold::additions_at_once - tile_of_pairs) {
        sequential::settle_states(states, layout_.size_of(bucket), fold_);
        additions = 1;
      }
    }
  }
  /// Part `index` of `parts` of the bucket that is apart is brought to the table.
  void merge_apart(unsigned parts, unsigned index) const {
    std::uint64_t const bucket = progress().apart;
    if (bucket == fold_progress::no_bucket) {
      return;
    }
    stretch const bins = sequential::share_of(layout_.size_of(bucket), parts, index);
    state* const states = in_table(bucket) + bins.begin;
    state* const others = own() + bins.begin;
    for (state* settled : {states, others}) {
      sequential::settle_states(settled, bins.size(), fold_);
    }
    for (std::uint64_t i = 0; i < bins.size(); ++i) {
      fold_.merge(states[i], others[i]);
    }
    sequential::settle_states(states, bins.size(), fold_);
  }
  /// After all parts of it.
  void end_apart() const noexcept {
    fold_progress& mine = progress();
    if (mine.apart != fold_progress::no_bucket) {
      shares_[mine.apart].additions = 1;
      mine.apart = fold_progress::no_bucket;
    }
  }

private:
  state* own() const noexcept { return reinterpret_cast<state*>(mine_ + layout_.apart_at()); }

  layout layout_;
  state* table_;
  std::uint32_t me_;
  Fold fold_;
  bucket_share* shares_;
  char* mine_;
  value* values_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
