// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, both routes: sorted codes with what lies beside them become rows.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/cuda/kernels/folded_runs.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/launch.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Folds the runs among sorted codes. `before`: of the tiles, how many runs begin before each.
template <class Policy, class Kind, class States, class Writer>
void fold_sorted(
    Policy& policy, run_begins<Kind> const& begins, std::uint64_t n,
    unsigned long long const* before, States const& states, Writer const& writer) {
  using state = typename States::state;
  if (n == 0) {
    return;
  }
  cudaStream_t const stream = stream_of(policy);
  std::uint64_t const tiles = marked_tile::count(n);
  temporary_array<std::uint64_t, Policy> const rows(policy, tiles);
  temporary_array<state, Policy> const leads(policy, tiles);
  temporary_array<state, Policy> const lasts(policy, tiles);
  tile_ends<state> const ends = {rows.data(), leads.data(), lasts.data()};
  cuda::launch(
      "fold_runs", fold_runs<Kind, States, Writer>, static_cast<unsigned>(tiles),
      marked_tile::threads, 0, stream, begins, n, before, states, writer, ends);
  if (tiles > 1) {
    cuda::launch(
        "join_runs", join_runs<state, Writer>, blocks_for(tiles * 32), 256, 0, stream, ends, tiles,
        writer);
  }
  synchronize(stream);  // before the memory goes back: the allocator may be anybody's
}

/// Rows of keys that equal no other one, behind all others.
template <class Facts, class Source, class Writer>
void write_alone_rows(
    Facts const& facts, Source const& source, std::uint64_t const* places, std::uint64_t alone,
    std::uint64_t first_row, Writer const& writer) {
  using keys = std::decay_t<decltype(source.first)>;
  using values = std::decay_t<decltype(source.values)>;
  if (alone > 0) {
    cuda::launch(
        "write_alone", write_alone<keys, values, Writer>, blocks_for(alone), 256, 0, facts.stream(),
        source.first, source.values, places, alone, first_row, writer);
    synchronize(facts.stream());
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
