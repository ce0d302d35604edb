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
#include <thrust_hist/system/cuda/sparse_plan.h>
#include <thrust_hist/system/cuda/sparse_runs.cuh>
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

/// Writes the rows: values first, since to fold them may fail, then keys.
template <class Policy, class Source, class Kind, class Fold, class KeysOut, class ValuesOut>
void write_rows(
    Policy& policy, Source const& source,
    run_finder<Policy, std::decay_t<decltype(source.first)>, Kind>& finder, Fold const& fold,
    KeysOut keys_out, ValuesOut values_out, options const& o) {
  cudaStream_t const stream = stream_of(policy);
  std::uint64_t const rows = finder.rows();
  auto const runs = finder.runs();
  if constexpr (std::is_same_v<Fold, count_fold>) {
    using keys = std::decay_t<decltype(source.first)>;
    cuda::launch(
        "write_counted_keys", write_counted_keys<Kind, keys, KeysOut, Fold, ValuesOut>,
        blocks_for(rows), 256, 0, stream, runs, source.first, finder.alone_places(), rows, keys_out,
        fold, values_out);
  } else {
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
  run_finder<Policy, keys, kind_type> finder(policy, source.first, source.n, kind);
  bool const with_bytes =
      o.explain_ != nullptr || o.max_temporary_bytes_ != options{}.max_temporary_bytes_;
  sparse_problem problem = finder.problem(with_bytes);
  if (with_bytes) {
    problem.staged_bytes =
        problem.most_keys * (staged_size<decltype(output.keys()), typename Source::key> +
                             staged_size<decltype(output.values()), result_t<Fold>>);
    if constexpr (!std::is_same_v<Fold, count_fold>) {
      cuda::tell_values<Fold, Policy, kind_type>(problem);
    }
  }
  bool const looks = may_hash(problem, o) && source.n > 0 && o.explain_ == nullptr &&
                     o.max_temporary_bytes_ >= bytes_of_sample;
  std::uint64_t const guess = looks ? finder.guess() : source.n;
  cuda::sparse_plan const plan = cuda::plan_sparse(problem, guess, current_facts(), o);
  if (o.explain_ != nullptr) {
    *o.explain_ = {
        plan.taken,
        plan.why,
        "cuda",
        current_facts().multiprocessors,
        1024,
        plan.taken == route::sorted ? 0
        : plan.direct               ? plan.direct_shared_bytes(problem.code_bytes)
                                    : plan.buckets.count_shared_bytes(),
        (std::min)(cuda::bytes_at_most(plan, problem), o.max_temporary_bytes_),
        Fold::exact};
    return 0;
  }
  if (source.n == 0) {
    return 0;
  }
  finder.run(plan);  // synchronises
  std::uint64_t const rows = finder.rows();
  require_rows(rows, o);
  output.make_room(rows);
  with_device_output<typename Source::key>(
      policy, output.keys(), rows, o, [&](auto keys_out, options const& o1) {
        with_device_output<result_t<Fold>>(
            policy, output.values(), rows, o1, [&](auto values_out, options const& o2) {
              cuda::write_rows(policy, source, finder, fold, keys_out, values_out, o2);
            });
      });
  synchronize(stream_of(policy));  // it has waited for the number of rows in any case
  return rows;
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
