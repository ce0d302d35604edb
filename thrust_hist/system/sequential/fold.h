// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding on one thread: the readable specification of what every system computes.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/finish_fold.h>
#include <thrust_hist/system/sequential/fold_stretch.h>
#include <thrust_hist/system/sequential/output_states.h>
#include <thrust_hist/system/sequential/state_tables.h>

#include <cstddef>
#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The layout of tables of which `tables` are wanted, and one has to be in the output, if that is
/// one, or to fit a cap on memory.
template <class State>
state_tables<State> layout_within(
    std::uint64_t bins, std::uint64_t inputs, std::uint64_t tables, bool begin_in_output,
    options const& o) {
  if (bins > (std::uint64_t{1} << 48) / sizeof(State)) {  // and below, no product overflows
    throw std::bad_alloc();
  }
  state_tables<State> const simple(bins, 1, begin_in_output);
  require_memory(o, simple.bytes(1));
  unsigned const ways = state_tables<State>::ways_for(bins, inputs);
  state_tables<State> const wanted(bins, ways, false);
  return ways > 1 && wanted.bytes(tables) <= o.max_temporary_bytes_ ? wanted : simple;
}

}  // namespace sequential

/// Folds the pairs of a source and writes its bins to `out`.
template <class Policy, class Source, class Fold, class Out>
void fold_pairs(
    sequential_system, Policy& policy, Source const& source, Fold const& fold, Out out,
    options const& o) {
  auto const bins = static_cast<std::uint64_t>(source.bins());
  require_host_route(o);
  if (o.force_ == route::private_tables || o.force_ == route::partitioned) {
    refuse_route(o.force_, "one thread folds into one table");
  }
  auto const planned = sequential::layout_within<typename Fold::state>(
      bins, source.size(), 1, sequential::folds_in_output<Fold, Out>(source, o), o);
  std::size_t const scratch = planned.bytes(1);
  if (o.explain_ != nullptr) {
    *o.explain_ = {route::serial, "one thread", "sequential", 1, 1, 0, scratch, Fold::exact};
    return;
  }
  auto const layout = planned.with_output(
      sequential::states_of_output<Fold, Source>(out, planned.begin_in_output()));
  temporary_array<char, Policy> memory(policy, scratch);
  std::uint64_t const dropped = sequential::fold_stretch(
      layout.table(memory.data(), 0), layout, {0, source.size()}, source.template bind<bin_index>(),
      fold);
  sequential::finish_fold(
      [](unsigned, sequential::chunk_function chunk) { chunk(0); }, 1,
      sequential::folded_tables<Fold, Out>{layout, memory.data(), 1, fold, out, o.accumulate_});
  if (o.dropped_ != nullptr) {
    *o.dropped_ = dropped;
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
