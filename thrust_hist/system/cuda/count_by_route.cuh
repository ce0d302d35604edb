// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The kernels of the planned route of a count.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/cuda/cells.cuh>
#include <thrust_hist/system/cuda/count_partitioned.cuh>
#include <thrust_hist/system/cuda/counting_job.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/count_global.cuh>
#include <thrust_hist/system/cuda/kernels/count_packed.cuh>
#include <thrust_hist/system/cuda/kernels/count_registers.cuh>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/look_at_rows.cuh>
#include <thrust_hist/system/cuda/launch.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Launches a kernel of the planned route over samples that one launch may have.
template <class Samples, class Kernel, class... Arguments>
void start(
    counting_job const& job, char const* name, Kernel kernel, Samples const& samples,
    Arguments const&... arguments) {
  counting_plan const& p = job.plan;
  cuda::launch(
      name, kernel, p.blocks, p.threads, p.shared_bytes, job.stream, samples, arguments...);
}

/// Counts the values of samples of 1 or 2 bytes, whatever their bins.
template <class Samples, class Rule>
void run_by_value(counting_job const& job, Samples const& samples, Rule const& rule) {
  using sample = typename Samples::sample;
  if constexpr (has_values_of<sample, 1> || has_values_of<sample, 2>) {
    using table = std::conditional_t<sizeof(sample) == 1, byte_table, split_table>;
    auto const bound = detail::bind_rule<sample, bin_index>(rule);
    using deliver = deliver_value<sample, std::remove_const_t<decltype(bound)>>;
    table values = {};
    if constexpr (sizeof(sample) == 2) {
      values = {short_values, job.plan.parts_log2};
    }
    cuda::start(
        job, "count_shared over values", count_shared<Samples, sample_value, table, deliver>,
        samples, sample_value{}, values, deliver{bound, job.out}, bytes_of_rule{});
  }
}

/// Where a look was made, only if it found that atomics take less.
template <class Samples, class Rule>
void run_global(counting_job const& job, Samples const& samples, Rule const& rule) {
  using sample = typename Samples::sample;
  auto const bound = detail::bind_rule<sample, bin_index>(rule);
  using bound_rule = std::remove_const_t<decltype(bound)>;
  auto const bins = static_cast<std::uint64_t>(rule.size());
  auto const start = [&](auto const& given) {
    using given_samples = std::decay_t<decltype(given)>;
    cuda::start(
        job, "count_global", count_global<given_samples, bound_rule>, given, bound, bins, job.out,
        job.plan.hot_entries, job.found);
  };
  // Sorted samples: the additions of a warp come to bins side by side then.
  if constexpr (sizeof(sample) >= 4) {
    start(samples.one_by_one());
  } else {
    start(samples);
  }
}

/// The routes of count_shared.
template <class Table, class Samples, class Rule>
void run_shared(
    counting_job const& job, char const* name, Samples const& samples, Rule const& bound,
    Table const& table) {
  bytes_of_rule const of_rule(job.plan.rule_begin, job.plan.rule_bytes);
  cuda::start(
      job, name, count_shared<Samples, Rule, Table, deliver_bin>, samples, bound, table,
      deliver_bin{job.out}, of_rule);
}

/// The routes for many bins.
template <class Samples, class Rule>
void run_wide_route(
    counting_job const& job, Samples const& samples, Rule const& bound, std::uint32_t bins) {
  switch (job.plan.taken) {
  case route::shared:
    cuda::run_shared(job, "count_shared", samples, bound, plain_table{bins});
    return;
  case route::shared_split:
    cuda::run_shared(
        job, "count_shared in parts", samples, bound, split_table{bins, job.plan.parts_log2});
    return;
  default:
    cuda::count_partitioned(job, samples, bound);
    return;
  }
}

/// Routes whose bins are numbered by 32 bits. A rule with cells has kernels of its own: a loop for
/// it in those of others would take registers from them.
template <class Samples, class Rule>
void run_narrow_route(counting_job const& job, Samples const& samples, Rule const& rule) {
  auto const bound = detail::bind_rule<typename Samples::sample, std::int32_t>(rule);
  using bound_rule = std::remove_const_t<decltype(bound)>;
  auto const bins = static_cast<std::uint32_t>(rule.size());
  if constexpr (has_cells<bound_rule>) {
    if (job.cells != nullptr) {
      cuda::run_wide_route(job, samples, cuda::with_table(bound, job.cells), bins);
      return;
    }
  }
  switch (job.plan.taken) {
  case route::registers:
    cuda::start(
        job, "count_registers", count_registers<Samples, bound_rule>, samples, bound, bins,
        job.out);
    return;
  case route::shared_lanes:
    cuda::run_shared(job, "count_shared by lanes", samples, bound, lane_table{{bins}});
    return;
  case route::shared_packed:
    cuda::start(
        job, "count_packed", count_packed<Samples, bound_rule>, samples, bound, bins, job.out);
    return;
  default:
    cuda::run_wide_route(job, samples, bound, bins);
    return;
  }
}

/// Before buckets: a look at some samples, then additions, which have nothing to do unless it found
/// that they take less. Buckets have nothing to do if it did. Nobody waits.
template <class Samples, class Rule>
void look_and_add(counting_job const& job, Samples const& samples, Rule const& rule) {
  counting_plan const& p = job.plan;
  auto const given = samples.one_by_one();
  auto const bound = detail::bind_rule<typename Samples::sample, bin_index>(rule);
  using given_samples = std::remove_const_t<decltype(given)>;
  using bound_rule = std::remove_const_t<decltype(bound)>;
  cuda::launch(
      "look_at_rows", look_at_rows<given_samples, bound_rule>, 1, 32 * look_at_bins::pairs, 0,
      job.stream, given, bound, p.buckets.all_bins, p.buckets.samples_of_tile(),
      p.buckets.near_bins, p.look, job.found);
  counting_job additions = job;
  additions.plan.blocks *= 2;  // as size_grid() has them: places take half a multiprocessor
  additions.plan.shared_bytes = hot_place_bytes(p.hot_entries, sizeof(std::uint32_t));
  cuda::run_global(additions, samples, rule);
}

/// Runs the planned route over samples that one launch may have.
template <class Samples, class Rule>
void run_route(counting_job const& job, Samples const& samples, Rule const& rule) {
  if (job.plan.by_value) {
    cuda::run_by_value(job, samples, rule);
  } else if (job.plan.taken == route::global) {
    cuda::run_global(job, samples, rule);
  } else {
    if constexpr (may_be_looked_at<typename Samples::sample>) {
      if (job.found != nullptr) {
        cuda::look_and_add(job, samples, rule);
      }
    }
    cuda::run_narrow_route(job, samples, rule);
  }
}

/// Makes the cells of the rule for samples of type X in front of the scratch memory.
template <class X, class Rule>
void place_cells(counting_job& job, Rule const& rule) {
  auto const address = reinterpret_cast<std::uintptr_t>(job.scratch);
  auto* const begin = static_cast<char*>(job.scratch) + (16 - address % 16) % 16;
  job.cells = begin;
  job.scratch = begin + job.plan.cells_bytes - 16;
  cuda::make_cells(detail::bind_rule<X, std::int32_t>(rule), job.cells, job.stream);
}

/// Runs the route in pieces of which no block sees 2^32 samples.
template <class Iterator, class Rule>
void run_pieces(counting_job job, Iterator first, std::uint64_t n, Rule const& rule) {
  if (job.plan.cells_bytes > 0) {
    cuda::place_cells<value_t<Iterator>>(job, rule);
  }
  if (may_be_looked_at<value_t<Iterator>> && job.plan.look.is_worth) {
    job.found = static_cast<std::uint32_t*>(job.scratch);
    job.scratch = static_cast<char*>(job.scratch) + job.plan.look.scratch_bytes();
  }
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  // Blocks of a group see the same samples.
  std::uint64_t const piece = std::uint64_t{job.plan.blocks >> job.plan.parts_log2} << 31;
  for (std::uint64_t done = 0; done < n; done += piece) {
    std::uint64_t const left = n - done;
    cuda::run_route(
        job, cuda::make_samples(first + static_cast<difference>(done), left < piece ? left : piece),
        rule);
    job.zeroed = false;
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
