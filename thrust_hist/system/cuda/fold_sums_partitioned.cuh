// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned of sums of real numbers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/system/cuda/fold_partitioned.cuh>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/bucket_sums.cuh>
#include <thrust_hist/system/cuda/kernels/fold_global.cuh>
#include <thrust_hist/system/cuda/kernels/probe_values.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/scratch_array.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// `Sums`: T*, which is rounded at each addition, or rows_of_sums<T>.
template <class T, class Sums>
struct sums_by_buckets {
  using window = bucket_window<T, Sums>;
  /// For values that are spread too widely for windows. Those of double have limbs for frequent
  /// bins alone, and else go to global memory. As all of them do where sums are rounded and stay in
  /// the cache.
  static constexpr bool has_limbs = sizeof(T) == 4;
  static constexpr bool is_rounded = std::is_same_v<Sums, T*>;
  using wide = std::conditional_t<has_limbs, bucket_limbs<T, Sums>, bucket_places<T, Sums>>;

  static bucket_needs needs(std::uint64_t pairs) {
    bool const may_overflow = !is_rounded && pairs > carry_save<T>::room / 2;
    bucket_needs n = {
        may_overflow ? 0 : static_cast<unsigned>(sizeof(T)), window::bin_bytes, wide::bin_bytes,
        sizeof(T)};
    n.digits = is_rounded ? 0 : near_digits<T>;
    if constexpr (!has_limbs) {
      n.wide_place_bytes = wide::place_bytes;
    }
    n.wide_by_atomics = is_rounded;
    return n;
  }

  /// Looks at some values. Returns how many of all need a row, perhaps.
  template <class Policy, class Source>
  static double expected_rows(Policy& policy, Source const& source) {
    cudaStream_t const stream = stream_of(policy);
    scratch_array<window_facts, Policy> facts(policy, 1);
    look_at(cuda::make_input<T, std::int32_t>(source, 0, source.size()), facts.data(), stream);
    window_facts const seen = cuda::copy_from_device(facts.data(), stream);
    facts.is_done();
    auto const looked = (std::min)(source.size(), std::uint64_t{looks} * probe_threads);
    // Of what was not seen, there may well be three.
    double const part =
        seen.wide != 0 ? 1 : static_cast<double>(seen.outside + 3) / static_cast<double>(looked);
    return part * static_cast<double>(source.size());
  }
  /// Adds all pairs to the sums.
  template <class Source>
  static void run(
      folding_job const& job, Source const& source, Sums const& sums, bool asks_dropped) {
    fold_buckets const& b = job.plan.buckets;
    auto* const facts = static_cast<window_facts*>(job.facts);
    auto const input = cuda::make_input<T, std::int32_t>(source, 0, source.size());
    look_at(input, facts, job.stream);
    if constexpr (!is_rounded) {
      std::uint64_t const words =
          job.plan.sums.rows_bytes(sizeof(carry_save<T>)) / sizeof(unsigned long long);
      cuda::launch(
          "clear_rows", clear_rows<T>, blocks_for(words), merging_threads, 0, job.stream, sums,
          words, static_cast<window_facts const*>(facts));
    } else if (b.wide_by_atomics) {
      add_wide_by_atomics(job, input, sums, asks_dropped);
    }
    cuda::partition_values<T>(
        job, source, asks_dropped,
        [&](bucket_layout const& slice, auto const& memory, std::uint64_t) {
          typename window::description const in_window = {facts, sums};
          cuda::launch_fold_buckets(job, slice, b.table_bytes, memory, in_window);
          if (!b.wide_by_atomics) {
            cuda::launch_fold_buckets(
                job, b.wide_layout(slice), b.wide_table_bytes, memory, wide_tables(b, facts, sums));
          }
        },
        b.wide_by_atomics ? &facts->wide : nullptr);
  }

private:
  static constexpr unsigned looks = 8;  ///< of each thread

  template <class Input>
  static void look_at(Input const& input, window_facts* facts, cudaStream_t stream) {
    cuda::launch(
        "probe_values", probe_values<T, Input>, 1, probe_threads, 0, stream, input, looks, 1u, true,
        facts, cleared_words{});
  }
  /// Two blocks for each multiprocessor, which come one after the other, as on route global.
  template <class Input>
  static void add_wide_by_atomics(
      folding_job const& job, Input const& input, T* sums, bool asks_dropped) {
    using fold = plain_fold<T, known_operator<operator_kind::sum>>;
    fold_buckets const& b = job.plan.buckets;
    global_wide_words<fold> const table = {
        {job.bins, sums, fold{{}, 0}, b.wide_hot_entries},
        static_cast<window_facts const*>(job.facts)};
    cuda::launch(
        "fold_global of wide values", fold_global<Input, global_wide_words<fold>>,
        2 * job.plan.blocks, job.plan.threads, b.wide_table_bytes, job.stream, input, table,
        job.counter(asks_dropped));
  }
  static typename wide::description wide_tables(
      fold_buckets const& b, window_facts const* facts, Sums const& sums) {
    if constexpr (has_limbs) {
      return {facts, sums};
    } else {
      return {facts, sums, b.wide_hot_entries};
    }
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
