// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting on CUDA: plan, zero, count by the route, convert.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/count_global.cuh>
#include <thrust_hist/system/cuda/kernels/count_packed.cuh>
#include <thrust_hist/system/cuda/kernels/count_registers.cuh>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/write_counts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/plan.h>

#include <limits>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// One call of a route: everything but the input and the rule.
struct counting_job {
  counting_plan plan;
  global_counters out;
  cudaStream_t stream;
};

/// Launches a kernel of the planned route over samples that one launch may have.
template <class Samples, class Kernel, class... Arguments>
void start(
    counting_job const& job, char const* name, Kernel kernel, Samples const& samples,
    Arguments const&... arguments) {
  counting_plan const& p = job.plan;
  launch(name, kernel, p.blocks, p.threads, p.shared_bytes, job.stream, samples, arguments...);
}

/// Routes whose bins are counted by 64-bit numbers: over the values of bytes, and global.
template <class Samples, class Rule>
void run_wide_route(counting_job const& job, Samples const& samples, Rule const& rule) {
  using sample = typename Samples::sample;
  auto const bound = bind_rule<sample, bin_index>(rule);
  using bound_rule = std::remove_const_t<decltype(bound)>;
  if constexpr (counts_by_value<sample>) {
    if (job.plan.by_value) {
      using deliver = deliver_value<sample, bound_rule>;
      start(
          job, "count_shared over byte values",
          count_shared<Samples, byte_value, byte_table, deliver>, samples, byte_value{},
          byte_table{}, deliver{bound, job.out});
      return;
    }
  }
  start(
      job, "count_global", count_global<Samples, bound_rule>, samples, bound,
      static_cast<std::uint64_t>(rule.size()), job.out);
}

/// Routes whose bins fit shared memory or registers.
template <class Samples, class Rule>
void run_narrow_route(counting_job const& job, Samples const& samples, Rule const& rule) {
  auto const bound = bind_rule<typename Samples::sample, std::int32_t>(rule);
  using bound_rule = std::remove_const_t<decltype(bound)>;
  auto const bins = static_cast<std::uint32_t>(rule.size());
  switch (job.plan.taken) {
  case route::registers:
    start(
        job, "count_registers", count_registers<Samples, bound_rule>, samples, bound, bins,
        job.out);
    return;
  case route::shared:
    start(
        job, "count_shared", count_shared<Samples, bound_rule, plain_table, deliver_bin>, samples,
        bound, plain_table{bins}, deliver_bin{job.out});
    return;
  case route::shared_lanes:
    start(
        job, "count_shared by lanes", count_shared<Samples, bound_rule, lane_table, deliver_bin>,
        samples, bound, lane_table{bins}, deliver_bin{job.out});
    return;
  default:
    start(job, "count_packed", count_packed<Samples, bound_rule>, samples, bound, bins, job.out);
    return;
  }
}

/// Runs the planned route over samples that one launch may have.
template <class Samples, class Rule>
void run_route(counting_job const& job, Samples const& samples, Rule const& rule) {
  if (job.plan.by_value || job.plan.taken == route::global) {  // partitioned will be one of these
    run_wide_route(job, samples, rule);
  } else {
    run_narrow_route(job, samples, rule);
  }
}

/// Runs the route in pieces of which no block sees 2^32 samples.
template <class Iterator, class Rule>
void run_pieces(counting_job const& job, Iterator first, std::uint64_t n, Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  std::uint64_t const piece = std::uint64_t{job.plan.blocks} << 31;
  for (std::uint64_t done = 0; done < n; done += piece) {
    std::uint64_t const left = n - done;
    run_route(
        job, make_samples(first + static_cast<difference>(done), left < piece ? left : piece),
        rule);
  }
}

/// Throws thrust::system_error where a stream is being captured and this call cannot be.
template <class Policy>
void require_capturable(Policy& policy, counting_plan const& p, options const& o) {
  if (!is_capturing(stream_of(policy))) {
    return;
  }
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

/// Counts into the output itself.
template <class Iterator, class Rule, class Out>
void count_direct(
    counting_plan const& p, cudaStream_t stream, Iterator first, std::uint64_t n, Rule const& rule,
    Out out, bool accumulate) {
  auto* const counters = raw_pointer(out);
  if (!accumulate) {
    require(
        cudaMemsetAsync(
            counters, 0, static_cast<std::size_t>(rule.size()) * sizeof(value_t<Out>), stream),
        "cudaMemsetAsync of the output");
  }
  if (n > 0) {
    run_pieces({p, {counters, sizeof(value_t<Out>) == 8}, stream}, first, n, rule);
  }
}

/// Counts into a table of 64-bit counts, and converts. Returns the table, whose last word is the sum.
template <class Iterator, class Rule, class Out>
void count_by_table(
    counting_plan const& p, cudaStream_t stream, Iterator first, std::uint64_t n, Rule const& rule,
    count_writer<Out> const& write, unsigned long long* table) {
  auto const bins = static_cast<std::uint64_t>(rule.size());
  require(cudaMemsetAsync(table, 0, p.scratch_bytes, stream), "cudaMemsetAsync of the table");
  if (n > 0) {
    run_pieces({p, {table, true}, stream}, first, n, rule);
  }
  auto const blocks = static_cast<unsigned>(bins < 1024 * 1024 ? (bins + 1023) / 1024 : 1024);
  launch(
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
  counting_plan const p = plan_counting(
      {n, bins, counts_by_value<value_t<Iterator>>, direct || bins == 0}, current_facts(), o);
  if (o.explain_ != nullptr) {
    *o.explain_ = {p.taken,   p.why,          "cuda",          p.blocks,
                   p.threads, p.shared_bytes, p.scratch_bytes, true};
    return;
  }
  require_capturable(policy, p, o);
  count_writer<Out> const write{out, o.accumulate_};
  temporary_array<unsigned long long, Policy> table(
      policy, p.scratch_bytes / sizeof(std::uint64_t));
  if (bins == 0) {
    if (o.dropped_ != nullptr) {
      *o.dropped_ = n;
    }
    return;
  }
  if constexpr (is_counter_array<Out>) {
    if (direct) {
      count_direct(p, stream, first, n, rule, out, o.accumulate_);
    }
  }
  if (!direct) {
    count_by_table(p, stream, first, n, rule, write, table.data());
  }
  corrupt_for_test(bins, [&](std::uint64_t bin) {
    launch(
        "falsify", falsify<count_writer<Out>>, 1, 1, 0, stream, bin, count_writer<Out>{out, true});
  });
  if (o.dropped_ != nullptr) {
    *o.dropped_ = n - copy_to_host(cuda_system{}, policy, table.data() + bins, 1)[0];
  } else if (waits(policy)) {
    synchronize(stream);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
