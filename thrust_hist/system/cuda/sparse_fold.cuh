// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA: look at some keys, find the distinct ones, write what was counted or
/// fold the values into the rows of their keys.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/detail/sparse_pairs.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/code_kinds.cuh>
#include <thrust_hist/system/cuda/describe_sparse.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/sparse_dense.cuh>
#include <thrust_hist/system/cuda/sparse_dense_values.cuh>
#include <thrust_hist/system/cuda/sparse_hashed.cuh>
#include <thrust_hist/system/cuda/sparse_hashed_values.cuh>
#include <thrust_hist/system/cuda/sparse_plan.h>
#include <thrust_hist/system/cuda/sparse_portions.cuh>
#include <thrust_hist/system/cuda/sparse_ranges.cuh>
#include <thrust_hist/system/cuda/sparse_rows.cuh>
#include <thrust_hist/system/cuda/sparse_sorted.cuh>
#include <thrust_hist/system/cuda/stage.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Calls `use(device_out, o)` with where elements for `out` can be written: itself, or memory from
/// which they are copied to a host container.
template <class Fallback, class Policy, class Out, class Use>
void with_device_output(Policy& policy, Out out, std::uint64_t rows, options const& o, Use use) {
  if constexpr (is_host_container_iterator<Out>) {
    stage_output(element<typename folded_of<Out, Fallback>::type>{}, policy, out, rows, o, use);
  } else {
    use(out, o);
  }
}

/// Folds values row by row, now that keys are known, and then writes the keys: to fold may fail.
template <class Policy, class Source, class Kind, class Fold, class KeysOut, class ValuesOut>
void write_folded_rows(
    Policy& policy, Source const& source,
    distinct_keys<Policy, std::decay_t<decltype(source.first)>, Kind>& keys, Fold const& fold,
    KeysOut keys_out, ValuesOut values_out, options const& o) {
  using iterator = std::decay_t<decltype(source.first)>;
  cudaStream_t const stream = stream_of(policy);
  rank_table<Kind> const table = keys.table();
  std::size_t const held =
      distinct_keys<Policy, iterator, Kind>::bytes(table.size) + 8 * keys.alone();
  with_reserved(o, held, [&](options const& rest) {
    cuda::fold_rows(
        policy, source, table, keys.alone_places(), keys.rows(), fold, values_out, rest);
  });
  cuda::launch(
      "write_keys", write_keys<Kind, iterator, KeysOut>, blocks_for(keys.rows()), 256, 0, stream,
      table.codes, table.size, source.first, keys.alone_places(), keys.rows(), keys_out);
  synchronize(stream);  // before the memory goes back: the allocator may be anybody's
}

/// Makes room for rows, and calls `write(keys_out, values_out, o)`.
template <class Fold, class Policy, class Source, class Output, class Write>
void write_rows(
    Policy& policy, Source const&, Output const& output, std::uint64_t rows, options const& o,
    Write write) {
  require_rows(rows, o);
  output.make_room(rows);
  with_device_output<typename Source::key>(
      policy, output.keys(), rows, o, [&](auto keys_out, options const& o1) {
        with_device_output<result_t<Fold>>(
            policy, output.values(), rows, o1,
            [&](auto values_out, options const& o2) { write(keys_out, values_out, o2); });
      });
  constexpr bool is_staged = staged_size<decltype(output.keys()), typename Source::key> != 0 ||
                             staged_size<decltype(output.values()), result_t<Fold>> != 0;
  if (is_staged) {
    synchronize(stream_of(policy));  // copies to a host container may be under way
  }
}

/// Whether rows may be written before anybody knows how many there are: where there is room for one
/// each input.
template <class Fold, class Source, class Output>
bool may_write_at_once(Source const& source, options const& o) {
  using keys_out = typename Output::key_iterator;
  using values_out = typename Output::value_iterator;
  return Output::has_room && staged_size<keys_out, typename Source::key> == 0 &&
         staged_size<values_out, result_t<Fold>> == 0 && source.n <= o.max_bins_;
}

/// Whether rows are numbers in memory: nobody notices what is written there first.
template <class Output>
inline constexpr bool holds_numbers = [] {
  using keys_out = typename Output::key_iterator;
  using values_out = typename Output::value_iterator;
  if constexpr (is_contiguous<keys_out> && is_contiguous<values_out>) {
    // Not of a volatile one, which somebody may watch.
    return std::is_arithmetic_v<value_t<keys_out>> && std::is_arithmetic_v<value_t<values_out>> &&
           !std::is_volatile_v<
               std::remove_reference_t<typename thrust::iterator_traits<keys_out>::reference>> &&
           !std::is_volatile_v<
               std::remove_reference_t<typename thrust::iterator_traits<values_out>::reference>>;
  } else {
    return false;
  }
}();

}  // namespace cuda

/// Writes the distinct keys of a source with what their values are folded to. Returns how many.
template <class Policy, class Source, class Fold, class Output>
std::uint64_t sparse_fold(
    cuda_system, Policy& policy, Source const& source, Fold const& fold, Output const& output,
    options const& o) {
  using namespace cuda;
  using keys = std::decay_t<decltype(source.first)>;
  using values = std::decay_t<decltype(source.values)>;
  require_device_input<keys>();
  require_device_input<values>();
  require_not_captured(cuda_system{}, policy, "the number of rows is not known before");
  auto const kind = cuda::widen(source.keys);
  using kind_type = std::remove_const_t<decltype(kind)>;
  bool const is_capped = o.max_temporary_bytes_ != options{}.max_temporary_bytes_;
  call_memory<Policy> memory(policy, is_capped);
  key_facts<Policy, keys, kind_type> facts(memory, source.first, source.n, kind);
  bool const with_bytes = o.explain_ != nullptr || is_capped;
  sparse_problem problem = cuda::describe_sparse<Fold>(policy, source, kind, output, with_bytes);
  bool const is_narrow = have_places_unseen(problem, current_facts(), o);
  bool const may_look = (may_hash(problem, o, current_facts()) || o.force_ == route::partitioned) &&
                        !is_narrow && source.n > 0;
  bool const looks =
      may_look && o.explain_ == nullptr && o.max_temporary_bytes_ >= bytes_kept + bytes_of_sample;
  slot_windows<Policy, Source, Fold> windows(memory, source);
  look_beside const beside = {
      folds_in_slots<Fold, kind_type> && windows.is_worth_looking(is_capped), [&] {
        if constexpr (folds_in_slots<Fold, kind_type>) {
          windows.look();
        }
      }};
  std::uint64_t const guess = looks ? facts.guess(
                                          most_worth_guessing(problem), asks_for_ranges(problem),
                                          beside, ask_for_vain(problem, o), asks_for_order(problem))
                                    : source.n;
  bool const at_once = cuda::may_write_at_once<Fold, Source, Output>(source, o);
  tell_sample(problem, facts.seen());
  problem.are_in_order = facts.are_in_order();
  problem.come_in_order = facts.come_in_order();
  problem.counts_rows_first = !at_once;
  cuda::sparse_plan plan = cuda::plan_sparse(problem, guess, current_facts(), o);
  if (o.explain_ != nullptr) {
    *o.explain_ = {
        plan.taken,
        plan.why,
        "cuda",
        current_facts().multiprocessors,
        1024,
        plan.shared_bytes,
        (std::min)(
            cuda::bytes_at_most(plan, problem) + call_memory<Policy>::bytes_of_rounding +
                bytes_kept + (may_look ? bytes_of_sample : 0),
            o.max_temporary_bytes_),
        Fold::exact};
    return 0;
  }
  if (source.n == 0) {
    return 0;
  }
  auto const write = [&](auto& found) {
    std::uint64_t rows = at_once ? source.n : found.rows();
    cuda::write_rows<Fold>(
        policy, source, output, rows, o, [&](auto keys_out, auto values_out, options const&) {
          using writer = row_writer<
              kind_type, typename Source::key, Fold, decltype(keys_out), decltype(values_out)>;
          rows = found.write(source, writer{fold, keys_out, values_out});
        });
    return rows;
  };
  auto const plan_anew = [&] {  // a route that had to be left will not be forced again
    bool const stays = o.force_ == route::automatic || o.force_ == route::hashed;
    return cuda::plan_sparse(
        problem, guess, current_facts(), stays ? o : options(o).force(route::sorted));
  };
  if constexpr (
      counts_keys<Fold> && is_hashed_kind<kind_type> &&
      !has_alone_keys<kind_type, typename Source::key>) {
    if (plan.taken == route::shared) {
      dense_counts<Policy, keys, kind_type> places(facts);
      if (places.run(plan)) {
        return write(places);
      }
      problem.has_places = false;
      plan = plan_anew();
    }
  }
  if constexpr (folds_in_places<Fold, kind_type, typename Source::key>) {
    if (plan.taken == route::shared) {
      dense_values<Policy, Source, kind_type, Fold> places(facts, source, fold);
      if (places.run(plan, is_capped)) {
        return write(places);
      }
      problem.has_places = false;
      plan = plan_anew();
    }
  }
  if constexpr (counts_keys<Fold> && is_hashed_kind<kind_type>) {
    while (plan.taken == route::partitioned) {
      counted_ranges<Policy, keys, kind_type> ranges(facts);
      if (ranges.run(plan, at_once)) {
        std::uint64_t const rows = write(ranges);
        if (ranges.has_all()) {
          return rows;
        }
      }
      ranges.give_back();
      // Keys that were taken for even ones may have crowded: drawn buckets take them, too.
      problem.has_ranges = plan.is_ordered && !plan.is_uneven;
      problem.is_crowded = problem.is_much_crowded = problem.has_spikes = true;
      plan = plan_anew();
    }
    hashed_counts<Policy, keys, kind_type> counts(facts);
    if (plan.taken == route::hashed && counts.run(plan)) {
      return write(counts);
    }
  } else if constexpr (folds_in_slots<Fold, kind_type>) {
    hashed_values<Policy, Source, kind_type, Fold> hashed(facts, source, fold, windows);
    if (plan.taken == route::hashed && windows.fit() && hashed.run(plan)) {
      return write(hashed);
    }
  }
  bool by_row = folds_by_row(plan, problem);
  if constexpr (may_be_portioned<Source, kind_type, Fold>) {
    if (!by_row && !plan.by_buckets && cuda::go_by_portions(facts)) {
      sorted_portions<Policy, Source, kind_type, Fold> portions(facts, source, fold);
      if (portions.run()) {
        return write(portions);
      }
      by_row = portions.has_lost_bits() && !is_capped && portions.fit_by_row();
    }
  }
  if constexpr (folds_runs<Fold>) {
    if (!by_row) {
      using sorting = sorting_fold_t<Fold, Source>;
      sorting const by = {fold};
      if constexpr (may_be_bucketed<kind_type, Fold>) {
        if (plan.by_buckets) {
          sorted_route<Policy, Source, kind_type, sorting, false> sorted(facts, source, by);
          sorted.run_by_buckets(at_once && !is_capped && holds_numbers<Output>);
          return write(sorted);
        }
      }
      if constexpr (may_stand<Source, kind_type, sorting>) {
        if (cuda::stand<Source, kind_type, sorting>(facts, at_once)) {
          sorted_route<Policy, Source, kind_type, sorting, true> sorted(facts, source, by);
          sorted.run();
          std::uint64_t const rows = write(sorted);
          if (rows < rows_are_lost) {
            return rows;
          }
        }
      }
      if constexpr (!always_stand<Source, kind_type, sorting>) {
        sorted_route<Policy, Source, kind_type, sorting, false> sorted(facts, source, by);
        sorted.run();
        return write(sorted);
      }
    }
  }
  if constexpr (!counts_keys<Fold> && !(folds_in_slots<Fold, kind_type> && folds_runs<Fold>)) {
    memory.spare();  // what rows are folded in is taken beside
    distinct_keys<Policy, keys, kind_type> distinct(facts);
    distinct.run(plan);  // synchronises
    cuda::write_rows<Fold>(
        policy, source, output, distinct.rows(), o,
        [&](auto keys_out, auto values_out, options const& rest) {
          cuda::write_folded_rows<Policy, Source, kind_type>(
              policy, source, distinct, fold, keys_out, values_out, rest);
        });
    return distinct.rows();
  }
  return 0;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
