// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The brick of all host systems: fold the pairs of some inputs into the table of one worker.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/sequential/fold_numbers.h>
#include <thrust_hist/system/sequential/state_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// A table with several states for each bin, which take turns.
template <unsigned Ways, class Fold>
class table_in_turns {
public:
  using value = typename Fold::value;
  table_in_turns(typename Fold::state* table, std::uint64_t bins, Fold const& fold)
      : table_(table), states_(bins * Ways), fold_(fold) {}

  void add(std::uint64_t bin, value const& x, unsigned turn) {
    fold_.add(table_[bin * Ways + turn % Ways], x);
    if constexpr (Fold::additions_at_once != max_of<std::uint64_t>) {
      if (--room_ == 0) {
        sequential::settle_states(table_, states_, fold_);
        room_ = Fold::additions_at_once;
      }
    }
  }
  void finish() const {}

private:
  typename Fold::state* table_;
  std::uint64_t states_;
  std::uint64_t room_ = Fold::additions_at_once;
  Fold fold_;
};

/// A table of numbers: that of the last bin stays in a register, since equal keys in a row would
/// otherwise wait for the way through memory.
template <class Fold>
class table_of_runs {
public:
  using value = typename Fold::value;
  table_of_runs(typename Fold::state* table, std::uint64_t bins, Fold const& fold)
      : table_(table), bins_(bins), fold_(fold), state_(bins > 0 ? *table : fold.empty()) {}

  void add(std::uint64_t bin, value const& x, unsigned) {
    if (bin != last_) {
      table_[last_] = state_;
      last_ = bin;
      state_ = table_[bin];
    }
    fold_.add(state_, x);
  }
  void finish() const {
    if (bins_ > 0) {
      table_[last_] = state_;
    }
  }

private:
  typename Fold::state* table_;
  std::uint64_t bins_;
  std::uint64_t last_ = 0;
  Fold fold_;
  typename Fold::state state_;
};

/// Calls `visit(i, turn)` for each of a stretch of inputs, which take turns; asks for those that
/// come next.
template <class Bound, class Visit>
void for_each_input(Bound const& pairs, stretch inputs, Visit visit) {
  constexpr unsigned unrolled = 4;
  std::uint64_t i = inputs.begin;
  for (; i + unrolled <= inputs.end; i += unrolled) {
    sequential::fetch_inputs(pairs, i);
    THRUST_HIST_UNROLL(4)
    for (unsigned j = 0; j < unrolled; ++j) {
      visit(i + j, j);
    }
  }
  for (; i < inputs.end; ++i) {
    visit(i, 0);
  }
}

/// Folds pairs into a table. Returns how many had no bin.
template <class Table, class Bound>
std::uint64_t fold_into(Table table, std::uint64_t bins, stretch inputs, Bound pairs) {
  using value = typename Table::value;
  std::uint64_t dropped = 0;
  auto const visit = [&](std::uint64_t i, unsigned turn) {
    pairs.visit(i, [&](std::uint64_t bin, auto const& x) {
      if (bin < bins) {
        table.add(bin, detail::convert<value>(x), turn);
      } else {
        ++dropped;
      }
    });
  };
  sequential::for_each_input(pairs, inputs, visit);
  table.finish();
  return dropped;
}

/// Begins a table and folds the pairs of a stretch of inputs into it. Returns how many had no bin.
template <class Bound, class Fold>
std::uint64_t fold_stretch(
    typename Fold::state* table, state_tables<typename Fold::state> const& layout, stretch inputs,
    Bound const& pairs, Fold const& fold) {
  using state = typename Fold::state;
  using in_turns = table_in_turns<state_tables<state>::most_ways, Fold>;
  using simple =
      std::conditional_t<std::is_scalar_v<state>, table_of_runs<Fold>, table_in_turns<1, Fold>>;
  std::uint64_t const bins = layout.bins();
  sequential::begin_states(table, {0, layout.states()}, fold);
  if (layout.ways() > 1) {
    return sequential::fold_into(in_turns(table, bins, fold), bins, inputs, pairs);
  }
  if constexpr (std::is_scalar_v<state> && is_keyed<Bound>) {
    return sequential::fold_numbers(table, bins, inputs, pairs, fold);
  } else {
    return sequential::fold_into(simple(table, bins, fold), bins, inputs, pairs);
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
