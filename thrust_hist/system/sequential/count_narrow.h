// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting in narrow counters, and from there to an output that is an array of integers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/sequential/count_samples.h>
#include <thrust_hist/system/sequential/narrow_counters.h>
#include <thrust_hist/system/sequential/narrow_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The workers of a call and their memory.
template <class Counter>
class narrow_work {
public:
  narrow_work(narrow_tables const& layout, unsigned workers, std::uint64_t* memory) noexcept
      : layout_(layout), workers_(workers), memory_(memory) {}

  narrow_tables const& layout() const noexcept { return layout_; }
  unsigned workers() const noexcept { return workers_; }

  // Of one worker.
  Counter* counters(unsigned worker) const noexcept { return at<Counter>(worker, 0); }
  std::uint32_t* overflows(unsigned worker) const noexcept {
    return at<std::uint32_t>(worker, layout_.overflows_at());
  }
  narrow_result& result(unsigned worker) const noexcept {
    return *at<narrow_result>(worker, layout_.result_at());
  }

  /// Calls f(bin) for each entry of a worker's list that is in `bins`.
  template <class F>
  void for_each_overflow(unsigned worker, stretch bins, F const& f) const {
    std::uint32_t const* const list = overflows(worker);
    std::for_each(list, list + result(worker).overflows, [&](std::uint32_t bin) {
      if (bins.has(bin)) {
        f(bin);
      }
    });
  }

private:
  template <class T>
  T* at(unsigned worker, std::uint64_t word) const noexcept {
    return reinterpret_cast<T*>(memory_ + worker * layout_.words() + word);
  }

  narrow_tables layout_;
  unsigned workers_;
  std::uint64_t* memory_;
};

/// One worker counts a chunk.
template <class Counter, class Iterator, class Rule>
void count_narrow(
    narrow_work<Counter> const& work, unsigned worker, Iterator first, std::uint64_t n,
    Rule const& rule) {
  std::uint64_t const bins = work.layout().bins();
  Counter* const table = work.counters(worker);
  std::uint32_t* const overflows = work.overflows(worker);
  std::fill_n(table, bins, Counter{0});
  auto const counted = sequential::count_samples<4>(
      narrow_counters<Counter, list_bins>(table, {overflows}), bins, first, n,
      detail::bind_rule<value_t<Iterator>, bin_index>(rule));
  work.result(worker).overflows = static_cast<std::uint64_t>(counted.overflow().end - overflows);
}

/// Adds up the workers' counters of some bins in an array of integers, or adds them to what is
/// there.
template <class Counter, class Out>
void write_narrow(narrow_work<Counter> const& work, stretch bins, Out out, bool accumulate) {
  using count = value_t<Out>;
  count* const counts = detail::raw_pointer(out);
  auto const sum = [](count before, std::uint32_t samples) {
    return detail::add_counters(before, detail::to_counter<count>(samples));
  };
  constexpr std::uint64_t most = 512;  // bins at a time
  for (std::uint64_t begin = bins.begin; begin < bins.end; begin += most) {
    std::uint64_t const end = (std::min)(begin + most, bins.end);
    for (unsigned worker = 0; worker < work.workers(); ++worker) {
      Counter const* const table = work.counters(worker);
      if (worker == 0 && !accumulate) {
        std::copy(table + begin, table + end, counts + begin);
        continue;
      }
      for (std::uint64_t bin = begin; bin < end; ++bin) {
        counts[bin] = sum(counts[bin], table[bin]);
      }
    }
  }
  for (unsigned worker = 0; worker < work.workers(); ++worker) {
    work.for_each_overflow(worker, bins, [&](std::uint32_t bin) {
      counts[bin] = sum(counts[bin], std::uint32_t{1} << work.layout().bits());
    });
  }
}

/// How many samples a worker has counted.
template <class Counter>
std::uint64_t samples_of(narrow_work<Counter> const& work, unsigned worker) {
  Counter const* const table = work.counters(worker);
  std::uint64_t const lost = work.result(worker).overflows << work.layout().bits();
  return std::accumulate(table, table + work.layout().bins(), lost);
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
