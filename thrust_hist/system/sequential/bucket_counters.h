// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where a worker counts the samples of a bucket.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/bucket_layout.h>
#include <thrust_hist/system/sequential/count_samples.h>
#include <thrust_hist/system/sequential/narrow_counters.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// A worker's memory for the result of a phase.
struct worker_result {
  static constexpr std::uint64_t no_bucket = (std::numeric_limits<std::uint64_t>::max)();
  std::uint64_t counted;       // samples
  std::uint64_t bucket_apart;  // whose counts are in the worker's own counters
  std::uint64_t overflows;     // of narrow counters, whose list is not yet empty
};

/// The counters of all bins, or of those of a window: wide ones, and narrow ones with which a count
/// is the sum of both.
template <class Counter>
struct counter_pair {
  Counter* wide;
  std::uint8_t* narrow;

  counter_pair at(std::uint64_t bin) const noexcept { return {wide + bin, narrow + bin}; }
};

/// What all workers know of a bucket.
struct bucket_state {
  enum counters : std::uint32_t { untouched, wide, wide_and_narrow };

  std::atomic<std::uint32_t> owner{0};  ///< in this batch: a worker's number and one
  counters ready = untouched;           ///< those in the table that may be counted in
};
static_assert(sizeof(bucket_state) == sizeof(std::uint64_t));

/// The counters of a bucket are in the table of all bins for one worker, its owner. Another worker
/// may count one bucket apart, in counters of its own, which add_apart() brings to the table later.
/// Own counters are zero where they are not in use. Thrown samples are counted in narrow counters,
/// sorted ones, which find theirs in a cache anyway, in wide ones.
template <class Counter>
class bucket_counters {
public:
  using pair = counter_pair<Counter>;

  /// `keep`: wide counters begin with what the table holds.
  bucket_counters(
      bucket_layout layout, pair table, bool keep, pair own, Counter** overflows,
      bucket_state* states, unsigned worker, worker_result& result) noexcept
      : layout_(layout), table_(table), keep_(keep), own_(own), overflows_(overflows),
        states_(states), me_(worker + 1), result_(result) {}

  /// Before all batches.
  void clear() const noexcept {
    std::fill_n(own_.wide, bucket_layout::window_bins, Counter{0});
    std::fill_n(own_.narrow, bucket_layout::window_bins, std::uint8_t{0});
    result_ = {0, worker_result::no_bucket, 0};
  }
  /// After all batches: the wide counters of a bucket get its counts.
  void finish(std::uint64_t bucket) const noexcept {
    bool const add = states_[bucket].ready == bucket_state::wide_and_narrow;
    begin_wide(bucket);
    for (std::uint64_t bin = layout_.begin_of(bucket); add && bin < layout_.end_of(bucket); ++bin) {
      table_.wide[bin] = static_cast<Counter>(table_.wide[bin] + table_.narrow[bin]);
    }
  }
  worker_result& result() const noexcept { return result_; }

  // All counters of a bucket begin at its window.

  /// Wide ones while samples are thrown: for who comes first those in the table, else own ones;
  /// none if these are in use.
  Counter* claim(std::uint64_t bucket) const noexcept {
    std::uint32_t found = 0;
    if (states_[bucket].owner.compare_exchange_strong(found, me_) || found == me_) {
      begin_wide(bucket);
      return table_.wide + layout_.window_of(bucket);
    }
    bool const free = result_.bucket_apart == worker_result::no_bucket;
    return free || result_.bucket_apart == bucket ? apart(bucket).wide : nullptr;
  }
  /// For the one worker that counts what was thrown into this bucket; wide ones only if that is
  /// little.
  pair take_over(std::uint64_t bucket, bool little) const noexcept {
    begin_wide(bucket);
    if (states_[bucket].ready == bucket_state::wide) {
      if (little) {
        return {table_.wide + layout_.window_of(bucket), nullptr};
      }
      std::uint8_t* const narrow = table_.narrow + layout_.begin_of(bucket);
      std::fill_n(narrow, layout_.size_of(bucket), std::uint8_t{0});
      states_[bucket].ready = bucket_state::wide_and_narrow;
    }
    return table_.at(layout_.window_of(bucket));
  }
  pair apart(std::uint64_t bucket) const noexcept {
    result_.bucket_apart = bucket;
    return own_;
  }
  std::uint8_t const* narrow_in_table(std::uint64_t bin) const noexcept {
    return table_.narrow + bin;
  }

  /// Calls f(counters), which counts no more samples than a block has in `where`.
  template <class F>
  void count_in(pair where, F const& f) const {
    if (where.narrow == nullptr) {
      counters_in_turn<Counter, 1> counters(where.wide);
      f(counters);
      return;
    }
    narrow_counters<std::uint8_t, list_wide<Counter>> counters(
        where.narrow, {where.wide, overflows_ + result_.overflows});
    f(counters);
    result_.overflows = static_cast<std::uint64_t>(counters.overflow().end - overflows_);
    if (result_.overflows > bucket_layout::most_overflows - bucket_layout::block_rests) {
      carry();
    }
  }
  /// Empties the list of overflows, before another worker may have the same buckets.
  void carry() const noexcept {
    for (std::uint64_t i = 0; i < result_.overflows; ++i) {
      *overflows_[i] = static_cast<Counter>(*overflows_[i] + 256);
    }
    result_.overflows = 0;
  }
  /// For one worker after the other.
  void add_apart() const noexcept {
    std::uint64_t const bucket = result_.bucket_apart;
    if (bucket == worker_result::no_bucket) {
      return;
    }
    begin_wide(bucket);
    std::uint64_t const window = layout_.window_of(bucket);
    for (std::uint64_t bin = layout_.begin_of(bucket); bin < layout_.end_of(bucket); ++bin) {
      pair const own = own_.at(bin - window);
      table_.wide[bin] = static_cast<Counter>(table_.wide[bin] + *own.wide + *own.narrow);
      *own.wide = 0;
      *own.narrow = 0;
    }
    result_.bucket_apart = worker_result::no_bucket;
  }

private:
  void begin_wide(std::uint64_t bucket) const noexcept {
    if (states_[bucket].ready != bucket_state::untouched) {
      return;
    }
    if (!keep_) {
      std::fill_n(table_.wide + layout_.begin_of(bucket), layout_.size_of(bucket), Counter{0});
    }
    states_[bucket].ready = bucket_state::wide;
  }

  bucket_layout layout_;
  pair table_;
  bool keep_;
  pair own_;
  Counter** overflows_;
  bucket_state* states_;
  std::uint32_t me_;
  worker_result& result_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
