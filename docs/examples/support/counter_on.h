// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "baseline.h"
#include "counter.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>
#include <thrust_hist/reduce.h>

#include <thrust/copy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/memory.h>
#include <thrust/transform.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

/// The letter of a byte, upper or lower case: 0 for a. Other bytes give what is no bin.
struct letter_of {
  THRUST_HIST_HOST_DEVICE int operator()(unsigned char byte) const { return (byte | 0x20) - 'a'; }
};

/// The range of some numbers; of none it is upside down, so that `join` ignores it.
template <class T>
struct range_of_numbers {
  T lowest, highest;
};

template <class T>
range_of_numbers<T> range_of_none() {
  using limits = std::numeric_limits<T>;
  if (limits::has_infinity) {
    return {limits::infinity(), -limits::infinity()};
  }
  return {limits::max(), limits::lowest()};
}

/// Of one number; infinities and NaN do not count.
template <class T>
struct range_of_one {
  range_of_numbers<T> none;
  THRUST_HIST_HOST_DEVICE range_of_numbers<T> operator()(T x) const {
    return x - x == T{0} ? range_of_numbers<T>{x, x} : none;
  }
};

template <class T>
struct join {
  THRUST_HIST_HOST_DEVICE range_of_numbers<T> operator()(
      range_of_numbers<T> a, range_of_numbers<T> b) const {
    return {
        b.lowest < a.lowest ? b.lowest : a.lowest, a.highest < b.highest ? b.highest : a.highest};
  }
};

/// Adds the numbers [first, last) to the counts of their bins.
template <class Policy, class T>
void count_numbers(
    Policy const& policy, T const* first, T const* last, std::uint64_t* counts, job const& wanted) {
  thrust_hist::even_bins const rule(
      wanted.bins, std::get<wide<T>>(wanted.lower), std::get<wide<T>>(wanted.upper),
      wanted.upper_included ? thrust_hist::upper_edge::inclusive
                            : thrust_hist::upper_edge::exclusive);
  thrust_hist::histogram(policy, first, last, counts, rule, thrust_hist::options{}.accumulate());
}

/// System says where things are: `policy()`, `vector<T>`, `load(chunk)` which gives a pointer that
/// the system can read, and whether `warm_up` pays: a GPU loads a kernel when it is first called.
template <class System>
class counter_on final : public counter {
public:
  void load(std::vector<unsigned char> const& chunk) override {
    bytes_ = system_.load(chunk);
    size_ = chunk.size();
  }

  extremes range(element_type type) override {
    return visit(type, [this](auto element) { return this->range_of<decltype(element)>(); });
  }

  void count(job const& wanted) override {
    counts_.resize(static_cast<std::size_t>(wanted.bins), 0);
    if (System::warm_up && seconds_ == 0) {
      bins_of untimed(counts_.size());
      run(wanted, untimed);
    }
    auto const start = clock::now();
    run(wanted, counts_);
    seconds_ += std::chrono::duration<double>(clock::now() - start).count();
  }

  void count_by_sorting(job const& wanted) override {
    baseline_.resize(static_cast<std::size_t>(wanted.bins), 0);
    if (wanted.counted != subject::numbers) {
      baseline_of_bytes(wanted);
    } else {
      visit(
          wanted.type, [&](auto element) { this->baseline_of_numbers<decltype(element)>(wanted); });
    }
  }

  tally result() const override {
    tally done{std::vector<std::uint64_t>(counts_.size()), baseline_, seconds_, baseline_seconds_};
    thrust::copy(counts_.begin(), counts_.end(), done.counts.begin());
    return done;
  }

private:
  using clock = std::chrono::steady_clock;
  using bins_of = typename System::template vector<std::uint64_t>;

  template <class T>
  T const* first() const {
    return reinterpret_cast<T const*>(bytes_);
  }
  template <class T>
  T const* last() const {
    return first<T>() + size_ / sizeof(T);
  }

  template <class T>
  extremes range_of() const {
    auto const none = range_of_none<T>();
    auto const ranges = thrust::make_transform_iterator(first<T>(), range_of_one<T>{none});
    auto const n = last<T>() - first<T>();
    auto const found = thrust_hist::reduce(system_.policy(), ranges, ranges + n, none, join<T>{});
    return {wide<T>{found.lowest}, wide<T>{found.highest}};
  }

  void run(job const& wanted, bins_of& counts) const {
    auto const policy = system_.policy();
    auto const out = thrust::raw_pointer_cast(counts.data());
    auto const add = thrust_hist::options{}.accumulate();
    auto const bytes = first<unsigned char>(), end = last<unsigned char>();
    switch (wanted.counted) {
    case subject::bytes:
      thrust_hist::histogram(policy, bytes, end, out, 256, add);
      break;
    case subject::letters:
      thrust_hist::histogram(policy, bytes, end, out, thrust_hist::make_bins(26, letter_of{}), add);
      break;
    case subject::numbers:
      visit(wanted.type, [&](auto element) {
        using T = decltype(element);
        count_numbers(policy, this->first<T>(), this->last<T>(), out, wanted);
      });
    }
  }

  // Sorting is timed, copying the keys (which it would destroy) and finding bins is not.
  template <class Key>
  void time_baseline(
      typename System::template vector<Key> const& keys, std::size_t distinct,
      std::vector<Key>& host_keys, std::vector<std::uint64_t>& host_counts) {
    for (bool timed = !System::warm_up || baseline_seconds_ != 0;; timed = true) {
      auto sorted = keys;
      typename System::template vector<Key> seen(distinct);
      bins_of counts(distinct);
      auto const start = clock::now();
      sort_and_reduce(system_.policy(), sorted, seen, counts);
      if (timed) {
        baseline_seconds_ += std::chrono::duration<double>(clock::now() - start).count();
        host_keys.resize(seen.size());
        host_counts.resize(seen.size());
        thrust::copy(seen.begin(), seen.end(), host_keys.begin());
        thrust::copy(counts.begin(), counts.end(), host_counts.begin());
        return;
      }
    }
  }

  void baseline_of_bytes(job const& wanted) {
    typename System::template vector<unsigned char> keys(size_);
    thrust::copy(system_.policy(), first<unsigned char>(), last<unsigned char>(), keys.begin());
    std::vector<unsigned char> seen;
    std::vector<std::uint64_t> counts;
    time_baseline(keys, 256, seen, counts);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      int const bin = wanted.counted == subject::bytes ? seen[i] : letter_of{}(seen[i]);
      if (0 <= bin && bin < wanted.bins) {
        baseline_[static_cast<std::size_t>(bin)] += counts[i];
      }
    }
  }

  template <class T>
  void baseline_of_numbers(job const& wanted) {
    auto const bins = starts_of_bins<T>(wanted);
    typename System::template vector<T> starts(bins.starts.begin(), bins.starts.end());
    auto const none = static_cast<std::uint32_t>(wanted.bins);
    search_bin<T> const bin_of{
        thrust::raw_pointer_cast(starts.data()), static_cast<std::uint32_t>(starts.size()),
        bins.lowest, bins.highest, none};
    typename System::template vector<std::uint32_t> keys(size_ / sizeof(T));
    thrust::transform(system_.policy(), first<T>(), last<T>(), keys.begin(), bin_of);
    std::vector<std::uint32_t> seen;
    std::vector<std::uint64_t> counts;
    time_baseline(keys, std::min<std::size_t>(keys.size(), none + 1u), seen, counts);
    for (std::size_t i = 0; i < seen.size() && seen[i] < none; ++i) {
      baseline_[seen[i]] += counts[i];
    }
  }

  System system_;
  unsigned char const* bytes_ = nullptr;
  std::size_t size_ = 0;
  bins_of counts_;
  std::vector<std::uint64_t> baseline_;
  double seconds_ = 0, baseline_seconds_ = 0;
};

/// A system whose memory is the host's: it reads the chunk where it is.
struct host_memory {
  template <class T>
  using vector = std::vector<T>;
  static constexpr bool warm_up = false;

  unsigned char const* load(std::vector<unsigned char> const& chunk) { return chunk.data(); }
};
