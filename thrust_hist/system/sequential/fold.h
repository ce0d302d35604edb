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
#include <thrust_hist/system/sequential/stretch.h>

#include <cstddef>
#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Begins a table of `bins` states.
template <class Fold>
void begin_table(typename Fold::state* table, std::uint64_t bins, Fold const& fold) {
  for (std::uint64_t bin = 0; bin < bins; ++bin) {
    ::new (static_cast<void*>(table + bin)) typename Fold::state(fold.empty());
  }
}

/// Folds the pairs of a stretch of inputs into a table. Returns how many pairs had no bin.
template <class Bound, class Fold>
std::uint64_t fold_stretch(
    typename Fold::state* table, std::uint64_t bins, stretch inputs, Bound const& pairs,
    Fold const& fold) {
  std::uint64_t dropped = 0;
  auto const sink = [&](std::uint64_t bin, auto const& value) {
    if (bin < bins) {
      fold.add(table[bin], detail::convert<typename Fold::value>(value));
    } else {
      ++dropped;
    }
  };
  for (std::uint64_t i = inputs.begin; i < inputs.end; ++i) {
    pairs.visit(i, sink);
  }
  return dropped;
}

}  // namespace sequential

/// Folds the pairs of a source and writes its bins to `out`.
template <class Policy, class Source, class Fold, class Out>
void fold_pairs(
    sequential_system, Policy& policy, Source const& source, Fold const& fold, Out out,
    options const& o) {
  using state = typename Fold::state;
  auto const bins = static_cast<std::uint64_t>(source.bins());
  require_host_route(o);
  if (o.force_ == route::private_tables || o.force_ == route::partitioned) {
    refuse_route(o.force_, "one thread folds into one table");
  }
  std::size_t const scratch = bins * sizeof(state);
  require_memory(o, scratch);
  if (o.explain_ != nullptr) {
    *o.explain_ = {route::serial, "one thread", "sequential", 1, 1, 0, scratch, Fold::exact};
    return;
  }
  temporary_array<state, Policy> table(policy, bins);
  sequential::begin_table(table.data(), bins, fold);
  std::uint64_t const dropped = sequential::fold_stretch(
      table.data(), bins, {0, source.size()}, source.template bind<bin_index>(), fold);
  fold_writer<Out, Fold> const write = {out, fold, o.accumulate_};
  for (std::uint64_t bin = 0; bin < bins; ++bin) {
    write(bin, table.data()[bin]);
  }
  if (o.dropped_ != nullptr) {
    *o.dropped_ = dropped;
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
