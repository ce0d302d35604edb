// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA: a call as the plan has to know it, before anybody looks at keys.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/cuda/code_kinds.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/plan_hashing.h>
#include <thrust_hist/system/cuda/sorting.cuh>
#include <thrust_hist/system/cuda/sparse_dense_values.cuh>
#include <thrust_hist/system/cuda/sparse_problem.h>
#include <thrust_hist/system/cuda/sparse_rows.cuh>
#include <thrust_hist/system/cuda/sparse_sorted.cuh>
#include <thrust_hist/system/cuda/stage.cuh>

#include <algorithm>
#include <cstddef>
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

/// What the plan has to know. What CUB takes is asked for only where somebody wants to know.
template <class Fold, class Output, class Policy, class Source, class Kind>
sparse_problem describe_sparse(
    Policy& policy, Source const& source, Kind const& kind, Output const& output, bool with_bytes) {
  using key = typename Source::key;
  using code = typename Kind::code;
  constexpr bool is_short = sizeof(key) < 4 && is_hashed_kind<Kind> && !has_alone_keys<Kind, key>;
  std::uint64_t const n = source.n;
  sparse_problem p = {};
  p.inputs = n;
  p.most_keys = is_short ? (std::min)(n, std::uint64_t{1} << 8 * sizeof(key)) : n;
  p.code_bytes = sizeof(code);
  p.is_number = is_hashed_kind<Kind>;
  p.may_be_alone = has_alone_keys<Kind, key>;
  p.narrow_codes = is_short ? std::uint64_t{1} << 8 * sizeof(key) : 0;
  p.has_ranges = counts_keys<Fold> && is_hashed_kind<Kind>;
  p.has_places = p.has_ranges && !p.may_be_alone;
  if constexpr (!counts_keys<Fold>) {
    p.values = cuda::bytes_of_values<Fold, Source, Kind>(n);
    if constexpr (folds_in_places<Fold, Kind, key>) {
      p.has_places = true;
      p.bytes_to_fold = cuda::bytes_to_fold_in_bins<Fold>;
    }
  }
  if (with_bytes) {
    cudaStream_t const stream = stream_of(policy);
    std::uint64_t const room = room_for_rows(p, current_facts());
    p.rows_bytes = p.is_number ? cuda::sort_bytes_at_most<std::uint32_t>(kind, room, stream) : 0;
    using beside = typename std::conditional_t<
        folds_runs<Fold>, carried_words<sorting_fold_t<Fold, Source>>, no_words>::type;
    p.sort_bytes = cuda::sort_bytes<beside>(kind, n, stream);
    if (!is_number_kind<Kind>) {  // CUB itself takes as much as keys and words have
      p.sort_bytes -= (std::min)(p.sort_bytes, n * (sizeof(code) + p.values.beside_code));
    }
    p.staged_bytes = p.most_keys * (staged_size<decltype(output.keys()), key> +
                                    staged_size<decltype(output.values()), result_t<Fold>>);
    if constexpr (!counts_keys<Fold>) {
      cuda::tell_values<Fold, Policy, std::decay_t<decltype(source.first)>, Kind>(p);
    }
  }
  return p;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
