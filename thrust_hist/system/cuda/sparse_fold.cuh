// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA: look at some keys, find the distinct ones, write what was counted or fold the
/// values into the rows of their keys.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/detail/sparse_pairs.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/sparse_hashed_values.cuh>
#include <thrust_hist/system/cuda/sparse_plan.h>
#include <thrust_hist/system/cuda/sparse_runs.cuh>
#include <thrust_hist/system/cuda/sparse_sorted_values.cuh>
#include <thrust_hist/system/cuda/sparse_values.cuh>
#include <thrust_hist/system/cuda/stage.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The bytes of an element of memory from which a host container is filled, or 0.
template <class Out, class Fallback>
inline constexpr std::size_t staged_size = [] {
  if constexpr (is_host_container_iterator<Out>) {
    return sizeof(typename folded_of<Out, Fallback>::type);
  }
  return std::size_t{0};
}();

/// Calls `use(device_out, o)` with where elements for `out` can be written: itself, or memory from which they
/// are copied to a host container.
template <class Fallback, class Policy, class Out, class Use>
void with_device_output(Policy& policy, Out out, std::uint64_t rows, options const& o, Use use) {
  if constexpr (is_host_container_iterator<Out>) {
    stage_output(element<typename folded_of<Out, Fallback>::type>{}, policy, out, rows, o, use);
  } else {
    use(out, o);
  }
}

template <class Kind, class Keys, class KeysOut>
void launch_write_keys(
    cudaStream_t stream, sorted_runs<Kind> const& runs, Keys keys, std::uint64_t const* alone,
    std::uint64_t rows, KeysOut out) {
  cuda::launch(
      "write_keys", write_keys<Kind, Keys, KeysOut>, blocks_for(rows), 256, 0, stream, runs, keys,
      alone, rows, out);
}

/// Writes keys and how often they were counted.
template <class Finder, class Facts, class Fold, class KeysOut, class ValuesOut>
void write_counts(
    Finder const& finder, Facts const& facts, Fold const& fold, KeysOut keys_out,
    ValuesOut values_out) {
  auto const runs = finder.runs();
  using kind = std::decay_t<decltype(runs.keys)>;
  using keys = std::decay_t<decltype(facts.keys())>;
  cuda::launch(
      "write_counted_keys", write_counted_keys<kind, keys, KeysOut, Fold, ValuesOut>,
      blocks_for(finder.rows()), 256, 0, facts.stream(), runs, facts.keys(), finder.alone_places(),
      finder.rows(), keys_out, fold, values_out);
}

/// Folds values row by row, now that keys are known, and then writes the keys: to fold may fail.
template <class Policy, class Source, class Kind, class Fold, class KeysOut, class ValuesOut>
void write_folded_rows(
    Policy& policy, Source const& source,
    run_finder<Policy, std::decay_t<decltype(source.first)>, Kind>& finder, Fold const& fold,
    KeysOut keys_out, ValuesOut values_out, options const& o) {
  cudaStream_t const stream = stream_of(policy);
  std::uint64_t const rows = finder.rows();
  auto const runs = finder.runs();
  row_table<Policy, Kind> memory(policy);
  memory.take_codes(runs, stream);
  finder.forget_runs();
  auto const table = memory.enter(runs.keys, runs.runs, stream);
  std::size_t const held = row_table<Policy, Kind>::bytes(table.size) + 8 * (rows - table.size);
  with_reserved(o, held, [&](options const& rest) {
    cuda::fold_rows(policy, source, table, finder.alone_places(), rows, fold, values_out, rest);
  });
  sorted_runs<Kind> const alone_in_runs = {table.keys, table.codes, nullptr,
                                           table.size, nullptr,     table.size};
  cuda::launch_write_keys(
      stream, alone_in_runs, source.first, finder.alone_places(), rows, keys_out);
  synchronize(stream);  // before the memory goes back: the allocator may be anybody's
}

/// Makes room for what was found, and calls `write(keys_out, values_out, o)`. Returns the rows.
template <class Fold, class Policy, class Source, class Output, class Write>
std::uint64_t write_rows(
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
  synchronize(stream_of(policy));  // it has waited for the number of rows in any case
  return rows;
}

/// What the plan has to know. What CUB takes is asked for only where somebody wants to know.
template <class Fold, class Output, class Policy, class Source, class Kind>
sparse_problem describe_sparse(
    Policy& policy, Source const& source, Kind const& kind, Output const& output, bool with_bytes) {
  using key = typename Source::key;
  using code = typename Kind::code;
  constexpr bool counts = std::is_same_v<Fold, count_fold>;
  constexpr bool is_short = sizeof(key) < 4 && is_hashed_kind<Kind> && !has_alone_keys<Kind, key>;
  std::uint64_t const n = source.n;
  sparse_problem p = {};
  p.inputs = n;
  p.most_keys = is_short ? (std::min)(n, std::uint64_t{1} << 8 * sizeof(key)) : n;
  p.code_bytes = sizeof(code);
  p.is_number = is_hashed_kind<Kind>;
  p.may_be_alone = has_alone_keys<Kind, key>;
  if constexpr (!counts) {
    p.values = cuda::bytes_of_values<Fold, Kind>(n);
  }
  if (with_bytes) {
    cudaStream_t const stream = stream_of(policy);
    code_arrays<Policy, Kind, std::uint32_t> const rows(policy, kind);
    p.rows_bytes = p.is_number ? rows.sort_bytes(room_for_rows(p, current_facts()), stream) : 0;
    if constexpr (sorts_values<Fold>) {
      p.sort_bytes =
          code_arrays<Policy, Kind, carried_word<Fold>>(policy, kind).sort_bytes(n, stream);
    } else {
      p.sort_bytes = code_arrays<Policy, Kind, nothing_beside>(policy, kind).sort_bytes(n, stream);
    }
    p.staged_bytes = p.most_keys * (staged_size<decltype(output.keys()), key> +
                                    staged_size<decltype(output.values()), result_t<Fold>>);
    if constexpr (!counts) {
      cuda::tell_values<Fold, Policy, Kind>(p);
    }
  }
  return p;
}

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
  key_facts<Policy, keys, kind_type> facts(policy, source.first, source.n, kind);
  bool const with_bytes =
      o.explain_ != nullptr || o.max_temporary_bytes_ != options{}.max_temporary_bytes_;
  sparse_problem const problem =
      cuda::describe_sparse<Fold>(policy, source, kind, output, with_bytes);
  bool const looks = may_hash(problem, o) && source.n > 0 && o.explain_ == nullptr &&
                     o.max_temporary_bytes_ >= bytes_of_sample;
  std::uint64_t const guess = looks ? facts.guess() : source.n;
  cuda::sparse_plan const plan = cuda::plan_sparse(problem, guess, current_facts(), o);
  if (o.explain_ != nullptr) {
    *o.explain_ = {
        plan.taken,
        plan.why,
        "cuda",
        current_facts().multiprocessors,
        1024,
        plan.taken == route::sorted ? 0
        : plan.direct               ? plan.direct_bytes
                                    : plan.buckets.count_shared_bytes(),
        (std::min)(cuda::bytes_at_most(plan, problem), o.max_temporary_bytes_),
        Fold::exact};
    return 0;
  }
  if (source.n == 0) {
    return 0;
  }
  if constexpr (folds_in_slots<Fold, kind_type>) {
    value_hasher<Policy, Source, kind_type, Fold> hasher(facts, source, fold);
    if (plan.taken == route::hashed && hasher.fit_slots() && hasher.run(plan)) {
      return cuda::write_rows<Fold>(
          policy, source, output, hasher.rows(), o,
          [&](auto keys_out, auto values_out, options const&) {
            hasher.write(keys_out, values_out);
          });
    }
  }
  if constexpr (sorts_values<Fold>) {
    bool const by_row = plan.taken == route::hashed && !problem.values.in_slots;
    if (problem.values.sorted && !by_row) {
      value_sorter<Policy, Source, kind_type, Fold> sorter(facts, source, fold);
      sorter.run();
      return cuda::write_rows<Fold>(
          policy, source, output, sorter.rows(), o,
          [&](auto keys_out, auto values_out, options const&) {
            sorter.write(keys_out, values_out);
          });
    }
  }
  if constexpr (!folds_in_slots<Fold, kind_type> || !sorts_values<Fold>) {
    run_finder<Policy, keys, kind_type> finder(facts);
    finder.run(plan);  // synchronises
    return cuda::write_rows<Fold>(
        policy, source, output, finder.rows(), o,
        [&](auto keys_out, auto values_out, options const& rest) {
          if constexpr (std::is_same_v<Fold, count_fold>) {
            static_cast<void>(rest);
            cuda::write_counts(finder, facts, fold, keys_out, values_out);
          } else {
            cuda::write_folded_rows<Policy, Source, kind_type>(
                policy, source, finder, fold, keys_out, values_out, rest);
          }
        });
  }
  return 0;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
