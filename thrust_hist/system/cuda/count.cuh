// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting on CUDA: plan, zero, count by the route, convert.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/cuda/cells.cuh>
#include <thrust_hist/system/cuda/count_by_route.cuh>
#include <thrust_hist/system/cuda/counting_job.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/range_lookup.cuh>
#include <thrust_hist/system/cuda/kernels/value_bins.cuh>
#include <thrust_hist/system/cuda/kernels/write_counts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/plan.h>
#include <thrust_hist/system/cuda/scratch_array.cuh>

#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

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

/// Whether samples that a rule bins are bins themselves, side by side in memory.
template <class Iterator, class Rule>
inline constexpr bool are_keys_in_memory = is_contiguous<Iterator>&& std::is_same_v<
    std::decay_t<decltype(detail::bind_rule<value_t<Iterator>, std::int32_t>(
        std::declval<Rule const&>()))>,
    identity_for<std::int32_t>>;

/// Where the samples are counted: in the output, or in a table.
template <class Iterator, class Rule>
void count_into(
    global_counters const& counters, counting_plan const& p, cudaStream_t stream, Iterator first,
    std::uint64_t n, Rule const& rule, bool zeroed, void* scratch) {
  if (n > 0) {
    cuda::run_pieces({p, counters, scratch, stream, zeroed}, first, n, rule);
  }
}

/// Blocks for kernels that look at all bins.
inline unsigned blocks_for_bins(std::uint64_t bins) noexcept {
  return static_cast<unsigned>(bins < 1024 * 1024 ? (bins + 1023) / 1024 : 1024);
}

/// Counts into the output itself.
template <class Iterator, class Rule, class Out>
global_counters count_direct(
    counting_plan const& p, cudaStream_t stream, Iterator first, std::uint64_t n, Rule const& rule,
    Out out, bool accumulate, void* scratch) {
  auto* const counters = detail::raw_pointer(out);
  constexpr std::size_t width = sizeof(value_t<Out>);
  if (!accumulate) {
    require(
        cudaMemsetAsync(counters, 0, static_cast<std::size_t>(rule.size()) * width, stream),
        "cudaMemsetAsync of the output");
  }
  global_counters const counts = {counters, width == 8};
  cuda::count_into(counts, p, stream, first, n, rule, !accumulate, scratch);
  return counts;
}

/// Counts into a table, and converts.
template <class Iterator, class Rule, class Out>
global_counters count_by_table(
    counting_plan const& p, cudaStream_t stream, Iterator first, std::uint64_t n, Rule const& rule,
    count_writer<Out> const& write, void* table, void* scratch, bool is_wide) {
  auto const bins = static_cast<std::uint64_t>(rule.size());
  require(cudaMemsetAsync(table, 0, p.table_bytes, stream), "cudaMemsetAsync of the table");
  global_counters const counts = {table, is_wide};
  cuda::count_into(counts, p, stream, first, n, rule, true, scratch);
  cuda::launch(
      "write_counts", write_counts<count_writer<Out>>, blocks_for_bins(bins), 1024, 0, stream,
      counts, bins, write);
  return counts;
}

/// Adds the counts up in a word of device memory.
inline void add_up(
    global_counters const& counts, std::uint64_t bins, unsigned long long* sum,
    cudaStream_t stream) {
  require(cudaMemsetAsync(sum, 0, sizeof *sum, stream), "cudaMemsetAsync of the sum");
  cuda::launch(
      "add_up_counts", add_up_counts<global_counters>, blocks_for_bins(bins), 1024, 0, stream,
      counts, bins, sum);
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
  bool const is_summed = o.dropped_ != nullptr;
  // What is added up must be what this call has counted, none of it lost in counters of 32 bits.
  constexpr bool is_narrow = sizeof(counter_t<Out>) < 8;
  bool const can_be_summed = !o.accumulate_ && !(is_narrow && n >> 32 != 0);
  bool const direct = is_counter_array<Out> && (!is_summed || can_be_summed);
  bool const captured = is_capturing(stream);
  device_facts const facts = current_facts();
  bool const may_have_buckets = plain_bytes(bins) > facts.shared_bytes_block;
  counting_problem const problem = {
      n,
      bins,
      has_values_of<value_t<Iterator>, 1>,
      direct || bins == 0,
      has_values_of<value_t<Iterator>, 2>,
      cuda::wanted_memory(detail::bind_rule<value_t<Iterator>, std::int32_t>(rule)),
      allocates_by_default<Policy>,
      captured && allocates_by_default<Policy>
          ? 0
          : cuda::wanted_cells(detail::bind_rule<value_t<Iterator>, std::int32_t>(rule)),
      waits(policy),
      may_have_buckets ? kept_memory::bytes_to_plan_with(policy) : 0,
      is_summed && bins > 0,
      are_keys_in_memory<Iterator, Rule>};
  counting_plan const p = plan_counting(
      problem, facts, captured && direct && !is_summed ? without_scratch<Policy>(o) : o);
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
  auto* const behind_table = memory.data() + p.table_bytes / sizeof(std::uint64_t);
  global_counters counts = {};
  if constexpr (is_counter_array<Out>) {
    if (direct) {
      counts = cuda::count_direct(p, stream, first, n, rule, out, o.accumulate_, behind_table);
    }
  }
  if (!direct) {
    counts = cuda::count_by_table(
        p, stream, first, n, rule, write, memory.data(), behind_table, problem.is_wide());
  }
  if (is_summed) {
    cuda::add_up(counts, bins, behind_table - 1, stream);
  }
  corrupt_for_test(bins, [&](std::uint64_t bin) {
    cuda::launch(
        "falsify", cuda::falsify<count_writer<Out>>, 1, 1, 0, stream, bin,
        count_writer<Out>{out, true});
  });
  if (is_summed) {
    *o.dropped_ = n - copy_to_host(cuda_system{}, policy, behind_table - 1, 1)[0];
    memory.is_done();
  } else if (waits(policy)) {
    synchronize(stream);
    memory.is_done();
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
