// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Many bins and many samples, into an array of integers: when workers count in narrow counters,
/// and the way from the memory to the output. It is how the routes `serial` and `private_tables`
/// count then.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/count_narrow.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/narrow_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// No workers: counters are to be as wide as they need be.
struct narrow_plan {
  std::uint64_t bins = 0;
  std::uint64_t samples = 0;
  unsigned workers = 0;

  narrow_tables layout() const noexcept { return {bins, samples / (std::max)(workers, 1U) + 1}; }
  std::uint64_t words() const noexcept { return workers * layout().words(); }
  std::uint64_t bytes() const noexcept { return words() * sizeof(std::uint64_t); }
};

/// Narrow counters gain where wide ones are too many for the nearest cache, and samples are enough
/// for another table to be worth it; but lists of overflows are to have no more memory than one
/// wide table or 64 MiB. `in_output`: one worker could count in the output itself. With zipf keys
/// that is faster while an output of 32 bits and nothing else is in a cache; with uniform ones it
/// is a third slower where that is the last one (docs/decisions/0061). Samples of one byte have few
/// bins.
template <class Iterator, class Out>
constexpr bool is_worth_narrow_counters(
    std::uint64_t bins, std::uint64_t samples, bool in_output) noexcept {
  constexpr std::uint64_t fewest_bins = (std::uint64_t{1} << 14) + 1;
  constexpr std::uint64_t most_bins = std::uint64_t{1} << 24;
  constexpr std::uint64_t fewest_samples = std::uint64_t{1} << 18;
  constexpr std::uint64_t too_many_for_a_near_cache = std::uint64_t{1} << 19;
  constexpr std::uint64_t too_many_for_a_cache = std::uint64_t{1} << 22;
  constexpr std::uint64_t most_overflows = std::uint64_t{1} << 24;
  if (!is_counter_array<Out> || sizeof(value_t<Iterator>) == 1 || bins < fewest_bins ||
      bins > most_bins || samples < (std::max)(fewest_samples, bins / 2) ||
      samples >> narrow_tables(bins, samples).bits() > (std::max)(most_overflows, bins)) {
    return false;
  }
  return !in_output || bins >= too_many_for_a_cache ||
         (bins >= too_many_for_a_near_cache && samples >= 8 * bins) ||
         (bins <= narrow_tables::most_bins_of_16_bits && samples >= 16 * bins);
}

/// The samples that are worth another worker, who has a table to zero and to add up.
inline std::uint64_t samples_of_a_narrow_worker(std::uint64_t bins) noexcept {
  return (std::max)(std::uint64_t{1} << 15, bins / 4);
}

/// As many workers, up to those wanted, as a cap on memory has room for; none where it is not worth
/// it.
template <class Iterator, class Out>
narrow_plan plan_narrow(
    std::uint64_t bins, std::uint64_t samples, unsigned wanted, bool in_output,
    options const& o) noexcept {
  narrow_plan plan{bins, samples, wanted};
  if (o.force_ == route::partitioned || !sequential::is_worth_narrow_counters<Iterator, Out>(
                                            bins, samples, in_output && wanted == 1)) {
    plan.workers = 0;
  }
  while (plan.workers > 0 && plan.bytes() > o.max_temporary_bytes_) {
    --plan.workers;
  }
  return plan;
}

/// The memory of one worker, where that is worth it.
template <class Iterator, class Out>
std::uint64_t least_narrow_bytes(std::uint64_t bins, std::uint64_t samples) noexcept {
  return sequential::is_worth_narrow_counters<Iterator, Out>(bins, samples, false)
             ? narrow_plan{bins, samples, 1}.bytes()
             : (std::numeric_limits<std::uint64_t>::max)();
}

/// Counts and writes as planned, in plan.words() of memory.
template <class Iterator, class Rule, class Out>
void take_narrow_route(
    run_function run, std::uint64_t* memory, narrow_plan const& plan, Iterator first,
    Rule const& rule, Out out, options const& o) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  auto const take = [&](auto const& work) {
    run(plan.workers, [&](unsigned worker) {
      stretch const mine = sequential::share_of(plan.samples, plan.workers, worker);
      sequential::count_narrow(
          work, worker, first + static_cast<difference>(mine.begin), mine.size(), rule);
      if (o.dropped_ != nullptr) {
        work.result(worker).counted = sequential::samples_of(work, worker);
      }
    });
    run(plan.workers, [&](unsigned worker) {
      stretch const mine = sequential::share_of(plan.bins, plan.workers, worker);
      sequential::write_narrow(work, mine, out, o.accumulate_);
    });
    if (o.dropped_ != nullptr) {
      *o.dropped_ = plan.samples;
      for (unsigned worker = 0; worker < plan.workers; ++worker) {
        *o.dropped_ -= work.result(worker).counted;
      }
    }
  };
  narrow_tables const layout = plan.layout();
  if (layout.bits() == 16) {
    take(narrow_work<std::uint16_t>(layout, plan.workers, memory));
  } else {
    take(narrow_work<std::uint8_t>(layout, plan.workers, memory));
  }
  corrupt_for_test(plan.bins, [&](std::uint64_t wrong) { count_writer<Out>{out, true}(wrong, 1); });
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
