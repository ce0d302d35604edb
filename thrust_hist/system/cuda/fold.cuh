// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding on CUDA: plan, fold by the route, merge, write.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/complex_parts.cuh>
#include <thrust_hist/system/cuda/emitted_list.cuh>
#include <thrust_hist/system/cuda/fold_means.cuh>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/plan_folds.h>
#include <thrust_hist/system/cuda/scratch_array.cuh>
#include <thrust_hist/system/cuda/widened_fold.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class Policy, class Source, class Fold, class Out>
void fold_pairs(
    cuda_system, Policy& policy, Source const& source, Fold const& fold, Out out, options const& o);

namespace cuda {

/// Throws thrust::system_error where a fold cannot become part of a graph.
template <class Policy>
void require_capturable_fold(Policy& policy, options const& o, std::size_t scratch_bytes) {
  if (waits(policy)) {
    refuse_capture("the policy waits for the work; use par_nosync.on(stream)");
  }
  if (o.dropped_ != nullptr) {
    refuse_capture("options::dropped() waits for its result");
  }
  if (allocates_by_default<Policy> && scratch_bytes > 0) {
    refuse_capture("it takes temporary memory (see options::explain()); give the policy an "
                   "allocator that is stream-ordered or outlives the graph");
  }
}

/// Counts what a function emits, writes it to arrays, and folds these. Says what that would take
/// where one pair is emitted for each input. Returns false, with nothing folded, where memory is
/// too little for that, or it would be of no use.
template <class Policy, class Source, class Fold, class Out>
bool fold_as_list(
    Policy& policy, Source const& source, Fold const& fold, Out out, options const& o,
    bool has_accumulators) {
  using list_type = emitted_list<Policy, Source, typename Fold::value>;
  using pairs = typename list_type::pairs;
  std::size_t const cap = o.max_temporary_bytes_;
  auto const fold_list = [&](pairs const& listed, options rest) {
    rest.max_temporary_bytes_ = cap - list_type::bytes(listed.n, source);
    detail::fold_pairs(cuda_system{}, policy, listed, fold, out, rest);
  };
  auto const is_worth_it = [&](std::uint64_t n, plan& found) {
    if (!list_type::can_have(n, source, cap)) {
      return false;
    }
    try {
      fold_list({nullptr, nullptr, n, identity_bins(source.bins())}, options{o}.explain(&found));
    } catch (memory_limit_error const&) {
      return false;
    }
    // On route global, all that a list tells is how many long accumulators there must be.
    bool const helps = found.taken != route::global ||
                       (has_accumulators && n < static_cast<std::uint64_t>(source.bins()));
    return helps && cuda::is_memory_for(list_type::bytes(n, source) + found.scratch_bytes);
  };
  plan found;
  if (o.explain_ != nullptr) {
    if (!is_worth_it(source.size(), found)) {
      return false;
    }
    found.why = "what is emitted is counted, written, and then folded as if by key";
    found.scratch_bytes += list_type::bytes(source.size(), source);
    *o.explain_ = found;
    return true;
  }
  if (!list_type::can_have(0, source, cap)) {
    return false;
  }
  list_type list(policy, source);
  return is_worth_it(list.size(), found) && list.with_pairs([&](pairs const& listed) {
    try {
      fold_list(listed, o);
    } catch (std::bad_alloc const&) {
      if constexpr (folds_in_parts<pairs, Fold, Out>) {
        throw;  // one part may be written
      }
      return false;
    }
    return true;
  });
}

/// Folds the pairs of a source as planned. Returns false where rows of exact sums did not suffice,
/// and nothing was written.
template <class Means, class Policy, class Source, class Fold, class Out>
bool fold_by_plan(
    Policy& policy, Source const& source, Fold const& fold, Out out, options const& o,
    fold_plan const& p, bool has_all_rows) {
  auto const bins = static_cast<std::uint64_t>(source.bins());
  cudaStream_t const stream = stream_of(policy);
  scratch_array<unsigned char, Policy> memory(policy, p.scratch_bytes);
  folding_job job(p, memory.data(), bins, stream);
  bool lacks_rows = false;
  job.lacks_rows = has_all_rows ? nullptr : &lacks_rows;
  if (o.dropped_ != nullptr) {
    require(
        cudaMemsetAsync(job.dropped, 0, sizeof *job.dropped, stream), "cudaMemsetAsync of a count");
  }
  fold_writer<Out, typename Means::final_fold> const write = {
      out, Means::final(fold), o.accumulate_};
  if (bins > 0 || o.dropped_ != nullptr) {
    Means::run(job, source, fold, write, o.dropped_ != nullptr);
  }
  if (o.dropped_ != nullptr && !lacks_rows) {
    *o.dropped_ = copy_to_host(cuda_system{}, policy, job.dropped, 1)[0];
    memory.is_done();
  } else if (waits(policy)) {
    synchronize(stream);
    memory.is_done();
  }
  return !lacks_rows;
}

/// Folds the pairs of a source by the means of its fold.
template <class Policy, class Source, class Fold, class Out>
void fold_by_means(
    Policy& policy, Source const& source, Fold const& fold, Out out, options const& o) {
  require_device_input<typename Source::iterator>();
  using means = means_of<Fold>;
  auto const bins = static_cast<std::uint64_t>(source.bins());
  cudaStream_t const stream = stream_of(policy);
  bool const captured = is_capturing(stream);
  fold_problem problem = means::problem(source.size(), bins, o.dropped_ != nullptr);
  problem.visits = !Source::emits && !are_adjacent<Source, typename Fold::value>;
  if (Source::emits) {
    problem.buckets = {};      // tiles have room for one pair for each input
    problem.by_warps = false;  // lanes may differ in how many they have
    problem.emits = emits_any_number<Source>;
  }
  problem.direct = means::template in_output<Out>(o.accumulate_);
  problem.of_rule = cuda::wanted_by_rule_of<typename Fold::value>(source);
  problem.cells_bytes = cuda::wanted_cells_of(source);
  device_facts const facts = current_facts();
  if (may_be_sorted(problem, facts, o)) {
    problem.sorting_bytes = means::template sorting_bytes<Source, Out>(source, stream);
  }
  fold_plan const p = plan_fold(problem, facts, o);
  if constexpr (emits_any_number<Source> && means::lists_emitted) {
    // Waits for the number of pairs whatever the policy: folded as they come, they may take a
    // hundred times as long.
    if (p.taken == route::global && !captured && listing_pays(problem, o) &&
        cuda::fold_as_list(policy, source, fold, out, o, problem.means == fold_means::exact_sum)) {
      return;
    }
  }
  if (o.explain_ != nullptr) {
    *o.explain_ = {p.taken,         p.why,
                   "cuda",          p.blocks,
                   p.threads,       (std::max)(p.shared_with_rule(), p.limbs_with_rule()),
                   p.scratch_bytes, means::is_exact(p.taken)};
    return;
  }
  if (captured) {
    require_capturable_fold(policy, o, p.scratch_bytes);
  }
  fold_plan sparing = p;
  if (waits(policy) && !captured && p.sums.are_large(problem.state_bytes)) {
    sparing = with_rows_for(p, problem, means::expected_rows(policy, source));
  }
  bool const has_all_rows = sparing.sums.rows == p.sums.rows;
  if (!cuda::fold_by_plan<means>(policy, source, fold, out, o, sparing, has_all_rows)) {
    cuda::fold_by_plan<means>(policy, source, fold, out, o, p, true);
  }
}

}  // namespace cuda

/// Folds the pairs of a source and writes its bins to `out`, which is in device memory.
template <class Policy, class Source, class Fold, class Out>
void fold_pairs(
    cuda_system, Policy& policy, Source const& source, Fold const& fold, Out out,
    options const& o) {
  using namespace cuda;
  if constexpr (folds_in_parts<Source, Fold, Out>) {
    options for_second = o;
    for_second.dropped_ = nullptr;
    cuda::with_part<complex_part::real>(
        source, fold, out, [&](auto const& pairs, auto const& sum, auto parts) {
          cuda::fold_by_means(policy, pairs, sum, parts, o);
        });
    if (o.explain_ == nullptr) {
      cuda::with_part<complex_part::imaginary>(
          source, fold, out, [&](auto const& pairs, auto const& sum, auto parts) {
            cuda::fold_by_means(policy, pairs, sum, parts, for_second);
          });
    }
  } else if constexpr (std::is_void_v<fold_in_words_t<Fold>>) {
    cuda::fold_by_means(policy, source, fold, out, o);
  } else {
    cuda::fold_by_means(
        policy, cuda::narrowed<typename Fold::value, Fold::kind>(source),
        fold_in_words_t<Fold>(fold), out, o);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
