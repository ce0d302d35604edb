// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting on CUDA: plan, zero, count by the route, convert.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/cuda/cells.cuh>
#include <thrust_hist/system/cuda/count_partitioned.cuh>
#include <thrust_hist/system/cuda/counting_job.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/count_global.cuh>
#include <thrust_hist/system/cuda/kernels/count_packed.cuh>
#include <thrust_hist/system/cuda/kernels/count_registers.cuh>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/write_counts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/plan.h>
#include <thrust_hist/system/cuda/scratch_array.cuh>

#include <limits>
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
        samples, sample_value{}, values, deliver{bound, job.out}, 0u);
  }
}

template <class Samples, class Rule>
void run_global(counting_job const& job, Samples const& samples, Rule const& rule) {
  auto const bound = detail::bind_rule<typename Samples::sample, bin_index>(rule);
  cuda::start(
      job, "count_global", count_global<Samples, std::remove_const_t<decltype(bound)>>, samples,
      bound, static_cast<std::uint64_t>(rule.size()), job.out, job.plan.hot_entries);
}

/// The routes of count_shared.
template <class Table, class Samples, class Rule>
void run_shared(
    counting_job const& job, char const* name, Samples const& samples, Rule const& bound,
    Table const& table) {
  auto const rule_memory = static_cast<std::uint32_t>(job.plan.rule_begin / sizeof(std::uint32_t));
  cuda::start(
      job, name, count_shared<Samples, Rule, Table, deliver_bin>, samples, bound, table,
      deliver_bin{job.out}, rule_memory);
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

/// Routes whose bins are numbered by 32 bits. A rule with cells has kernels of its own: a loop for it in
/// those of others would take registers from them.
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

/// Runs the planned route over samples that one launch may have.
template <class Samples, class Rule>
void run_route(counting_job const& job, Samples const& samples, Rule const& rule) {
  if (job.plan.by_value) {
    cuda::run_by_value(job, samples, rule);
  } else if (job.plan.taken == route::global) {
    cuda::run_global(job, samples, rule);
  } else {
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

/// Throws thrust::system_error where a call cannot become part of a graph.
template <class Policy>
void require_capturable(Policy& policy, counting_plan const& p, options const& o) {
  if (waits(policy)) {
    refuse_capture("the policy waits for the work; use par_nosync.on(stream)");
  }
  if (o.dropped_ != nullptr) {
    refuse_capture("options::dropped() waits for its result");
  }
  if (p.scratch_bytes > 0 && allocates_by_default<Policy>) {
    refuse_capture("it takes temporary memory (see options::explain()); give the policy an "
                   "allocator that is stream-ordered or outlives the graph, or an output of 32- or "
                   "64-bit integers in device memory");
  }
}

/// The options of a call that becomes part of a graph: routes without temporary memory, where there
/// is nobody who could keep it.
template <class Policy>
options without_scratch(options o) {
  if (allocates_by_default<Policy> && o.force_ == route::automatic) {
    o.max_temporary_bytes_ = 0;
  }
  return o;
}

/// Counts into the output itself.
template <class Iterator, class Rule, class Out>
void count_direct(
    counting_plan const& p, cudaStream_t stream, Iterator first, std::uint64_t n, Rule const& rule,
    Out out, bool accumulate, void* scratch) {
  auto* const counters = detail::raw_pointer(out);
  if (!accumulate) {
    require(
        cudaMemsetAsync(
            counters, 0, static_cast<std::size_t>(rule.size()) * sizeof(value_t<Out>), stream),
        "cudaMemsetAsync of the output");
  }
  if (n > 0) {
    cuda::run_pieces(
        {p, {counters, sizeof(value_t<Out>) == 8}, scratch, stream, !accumulate}, first, n, rule);
  }
}

/// Counts into a table of 64-bit counts, and converts. Returns the table, whose last word is the sum.
template <class Iterator, class Rule, class Out>
void count_by_table(
    counting_plan const& p, cudaStream_t stream, Iterator first, std::uint64_t n, Rule const& rule,
    count_writer<Out> const& write, unsigned long long* table) {
  auto const bins = static_cast<std::uint64_t>(rule.size());
  require(cudaMemsetAsync(table, 0, p.table_bytes, stream), "cudaMemsetAsync of the table");
  if (n > 0) {
    void* const scratch = table + p.table_bytes / sizeof *table;
    cuda::run_pieces({p, {table, true}, scratch, stream, true}, first, n, rule);
  }
  auto const blocks = static_cast<unsigned>(bins < 1024 * 1024 ? (bins + 1023) / 1024 : 1024);
  cuda::launch(
      "write_counts", write_counts<count_writer<Out>>, blocks, 1024, 0, stream, table, bins, write);
}

}  // namespace cuda

/// Counts n samples by a rule and writes rule.size() bins to `out`, which is in device memory.
template <class Policy, class Iterator, class Rule, class Out>
void count(
    cuda_system, Policy& policy, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    options const& o) {
  using namespace cuda;
  require_device_input<Iterator>();
  auto const bins = static_cast<std::uint64_t>(rule.size());
  cudaStream_t const stream = stream_of(policy);
  bool const direct = is_counter_array<Out> && o.dropped_ == nullptr;
  bool const captured = is_capturing(stream);
  device_facts const facts = current_facts();
  bool const may_have_buckets = plain_bytes(bins) > facts.shared_bytes_block;
  counting_plan const p = plan_counting(
      {n, bins, has_values_of<value_t<Iterator>, 1>, direct || bins == 0,
       has_values_of<value_t<Iterator>, 2>,
       cuda::wanted_memory(detail::bind_rule<value_t<Iterator>, std::int32_t>(rule)),
       allocates_by_default<Policy>,
       captured && allocates_by_default<Policy>
           ? 0
           : cuda::wanted_cells(detail::bind_rule<value_t<Iterator>, std::int32_t>(rule)),
       waits(policy), may_have_buckets ? kept_memory::bytes_to_plan_with(policy) : 0},
      facts, captured && direct ? without_scratch<Policy>(o) : o);
  if (o.explain_ != nullptr) {
    *o.explain_ = {p.taken,   p.why,          "cuda",          p.blocks,
                   p.threads, p.shared_bytes, p.scratch_bytes, true};
    return;
  }
  if (captured) {
    require_capturable(policy, p, o);
  }
  count_writer<Out> const write{out, o.accumulate_};
  scratch_array<unsigned long long, Policy> memory(policy, p.scratch_bytes / sizeof(std::uint64_t));
  if (bins == 0) {
    if (o.dropped_ != nullptr) {
      *o.dropped_ = n;
    }
    return;
  }
  if constexpr (is_counter_array<Out>) {
    if (direct) {
      cuda::count_direct(p, stream, first, n, rule, out, o.accumulate_, memory.data());
    }
  }
  if (!direct) {
    cuda::count_by_table(p, stream, first, n, rule, write, memory.data());
  }
  corrupt_for_test(bins, [&](std::uint64_t bin) {
    cuda::launch(
        "falsify", cuda::falsify<count_writer<Out>>, 1, 1, 0, stream, bin,
        count_writer<Out>{out, true});
  });
  if (o.dropped_ != nullptr) {
    *o.dropped_ = n - copy_to_host(cuda_system{}, policy, memory.data() + bins, 1)[0];
    memory.is_done();
  } else if (waits(policy)) {
    synchronize(stream);
    memory.is_done();
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
