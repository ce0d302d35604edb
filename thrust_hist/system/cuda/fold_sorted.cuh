// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, both routes: sorted codes with what lies beside them become rows.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kernels/counted_runs.cuh>
#include <thrust_hist/system/cuda/kernels/folded_runs.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/reduce_sorted.cuh>
#include <thrust_hist/system/cuda/run_tiles.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Writes a row for each run among sorted codes, with what the states of the run are folded to.
/// Waits for the stream, and returns how many rows there are, or rows_are_lost.
template <class Policy, class Begins, class States, class Writer>
std::uint64_t fold_sorted(
    call_memory<Policy>& memory, Begins const& begins, std::uint64_t n, States const& states,
    Writer const& writer) {
  using state = typename States::state;
  constexpr bool counts = std::is_same_v<States, one_each>;
  if (n == 0) {
    return 0;
  }
  if constexpr (may_be_reduced<Begins, States>) {
    if (n >= least_reduced && n <= most_reduced) {
      return cuda::reduce_sorted(memory, begins, n, states, writer);
    }
  }
  cudaStream_t const stream = memory.stream();
  run_tiles const cut = [&] {
    if constexpr (counts) {
      return counted_tiles(sizeof(kept_key<Begins>));
    } else {
      return folded_tiles{folded_tile<Begins, States>::of_thread}.for_codes(n);
    }
  }();
  std::uint64_t const tiles = cut.count(n);
  held_array<unsigned long long, Policy> words(memory);
  tile_line const line = {words.take(tile_line::size(tiles)), tiles};
  held_array<std::uint64_t, Policy> rows(memory);
  held_array<state, Policy> leads(memory);
  held_array<state, Policy> lasts(memory);
  std::uint64_t const ended = counts ? 0 : tiles;
  tile_ends<state> const ends = {rows.take(ended), leads.take(ended), lasts.take(ended)};
  mailbox_loan loan(stream);
  auto* const runs = static_cast<unsigned long long*>(loan.box().letter);
  if (tiles > 1) {
    require(
        cudaMemsetAsync(line.words, 0, tile_line::size(tiles) * sizeof *line.words, stream),
        "cudaMemsetAsync of a line of tiles");
  }
  if constexpr (counts) {
    cuda::launch(
        "count_runs", count_runs<Begins, Writer>, static_cast<unsigned>(tiles), cut.threads, 0,
        stream, begins, n, writer, line, runs);
  } else {
    cuda::launch(
        "fold_runs", fold_runs<Begins, States, Writer>, static_cast<unsigned>(tiles), cut.threads,
        0, stream, begins, n, states, writer, line, ends, runs);
    if (tiles > 1) {
      cuda::launch(
          "join_runs", join_runs<state, Writer>, blocks_for(tiles * 32), 256, 0, stream, ends,
          tiles, writer);
    }
  }
  synchronize(stream);  // before the memory goes back: the allocator may be anybody's
  std::uint64_t const found = *runs;
  loan.give_back();
  return found;
}

/// Rows of keys that equal no other one, behind all others.
template <class Facts, class Source, class Writer>
void write_alone_rows(
    Facts const& facts, Source const& source, place_list const& places, std::uint64_t alone,
    std::uint64_t first_row, Writer const& writer) {
  if constexpr (Facts::may_be_alone) {
    using keys = std::decay_t<decltype(source.first)>;
    using values = std::decay_t<decltype(source.values)>;
    if (alone > 0) {
      cuda::launch(
          "write_alone", write_alone<keys, values, Writer>, blocks_for(alone), 256, 0,
          facts.stream(), source.first, source.values, places, alone, first_row, writer);
      synchronize(facts.stream());
    }
  }
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
