// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The brick of all host systems: fold the pairs of some inputs into the table of one worker.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/sequential/fetch_ahead.h>
#include <thrust_hist/system/sequential/state_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Asks for the inputs that come next, where they lie in arrays.
template <class Keys, class Values, class Bound, class Index>
void fetch_inputs(bound_keys<Keys, Values, Bound, Index> const& pairs, std::uint64_t i) {
  sequential::fetch_ahead(pairs.keys + static_cast<difference_t<Keys>>(i));
  sequential::fetch_ahead(pairs.values + static_cast<difference_t<Values>>(i));
}
template <class Value, class Iterator, class Rule, class Emit, class Index>
void fetch_inputs(bound_emit<Value, Iterator, Rule, Emit, Index> const& pairs, std::uint64_t i) {
  sequential::fetch_ahead(pairs.first + static_cast<difference_t<Iterator>>(i));
}

/// Folds pairs; those of a bin go to its `Ways` states in turn. Returns how many had no bin.
template <unsigned Ways, class Bound, class Fold>
std::uint64_t fold_in_turn(
    typename Fold::state* table, std::uint64_t bins, stretch inputs, Bound pairs, Fold fold) {
  std::uint64_t dropped = 0;
  [[maybe_unused]] std::uint64_t room = Fold::additions_at_once;
  auto const visit = [&](std::uint64_t i, unsigned way) {
    pairs.visit(i, [&](std::uint64_t bin, auto const& value) {
      if (bin < bins) {
        fold.add(table[bin * Ways + way], detail::convert<typename Fold::value>(value));
        if constexpr (Fold::additions_at_once != max_of<std::uint64_t>) {
          if (--room == 0) {
            sequential::settle_states(table, bins * Ways, fold);
            room = Fold::additions_at_once;
          }
        }
      } else {
        ++dropped;
      }
    });
  };
  constexpr unsigned unrolled = 4;
  static_assert(unrolled % Ways == 0);
  std::uint64_t i = inputs.begin;
  for (; i + unrolled <= inputs.end; i += unrolled) {
    sequential::fetch_inputs(pairs, i);
#if !defined(__CUDACC__)  // see count_in_turn()
#  pragma GCC unroll 4
#endif
    for (unsigned j = 0; j < unrolled; ++j) {
      visit(i + j, j % Ways);
    }
  }
  for (; i < inputs.end; ++i) {
    visit(i, 0);
  }
  return dropped;
}

/// Begins a table and folds the pairs of a stretch of inputs into it. Returns how many had no bin.
template <class Bound, class Fold>
std::uint64_t fold_stretch(
    typename Fold::state* table, state_tables<typename Fold::state> const& layout, stretch inputs,
    Bound const& pairs, Fold const& fold) {
  constexpr unsigned most = state_tables<typename Fold::state>::most_ways;
  sequential::begin_states(table, {0, layout.states()}, fold);
  return layout.ways() == 1
             ? sequential::fold_in_turn<1>(table, layout.bins(), inputs, pairs, fold)
             : sequential::fold_in_turn<most>(table, layout.bins(), inputs, pairs, fold);
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
