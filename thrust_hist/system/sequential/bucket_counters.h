// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where a worker counts the samples of a bucket.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/bucket_layout.h>

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
};

/// The counters of a bucket are in the table of all bins for one worker, its owner. Another worker may
/// count one bucket apart, in counters of its own, which add_apart() brings to the table later. Own
/// counters are zero where they are not in use.
template <class Counter>
class bucket_counters {
public:
  using owner = std::atomic<std::uint32_t>;

  /// `fresh`: what the table holds is to be overwritten in this batch.
  bucket_counters(
      bucket_layout layout, Counter* table, bool fresh, Counter* own, owner* owners,
      unsigned worker, worker_result& result) noexcept
      : layout_(layout), table_(table), fresh_(fresh), own_(own), owners_(owners), me_(worker + 1),
        result_(result) {}

  void clear() const noexcept {
    std::fill_n(own_, bucket_layout::window_bins, Counter{0});
    result_ = {0, worker_result::no_bucket};
  }
  worker_result& result() const noexcept { return result_; }

  // All of these begin at the window of the bucket.
  Counter* in_table(std::uint64_t bucket) const noexcept {
    return table_ + layout_.window_of(bucket);
  }
  Counter* apart(std::uint64_t bucket) const noexcept {
    result_.bucket_apart = bucket;
    return own_;
  }
  /// For who comes first those in the table, else own ones; none if these are in use.
  Counter* claim(std::uint64_t bucket) const noexcept {
    std::uint32_t found = 0;
    if (owners_[bucket].compare_exchange_strong(found, me_)) {
      return cleared(bucket);
    }
    if (found == me_) {
      return in_table(bucket);
    }
    bool const free = result_.bucket_apart == worker_result::no_bucket;
    return free || result_.bucket_apart == bucket ? apart(bucket) : nullptr;
  }
  /// Those in the table, for the one worker that has this bucket after all claims.
  Counter* take_over(std::uint64_t bucket) const noexcept {
    return owners_[bucket] == 0 ? cleared(bucket) : in_table(bucket);
  }
  /// For one worker after the other.
  void add_apart() const noexcept {
    std::uint64_t const bucket = result_.bucket_apart;
    if (bucket == worker_result::no_bucket) {
      return;
    }
    std::uint64_t const window = layout_.window_of(bucket);
    for (std::uint64_t bin = layout_.begin_of(bucket); bin < layout_.end_of(bucket); ++bin) {
      table_[bin] = static_cast<Counter>(table_[bin] + own_[bin - window]);
      own_[bin - window] = 0;
    }
    result_.bucket_apart = worker_result::no_bucket;
  }

private:
  Counter* cleared(std::uint64_t bucket) const noexcept {
    if (fresh_) {
      std::fill_n(table_ + layout_.begin_of(bucket), layout_.size_of(bucket), Counter{0});
    }
    return in_table(bucket);
  }

  bucket_layout layout_;
  Counter* table_;
  bool fresh_;
  Counter* own_;
  owner* owners_;
  std::uint32_t me_;
  worker_result& result_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
