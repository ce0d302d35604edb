// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The brick of all host systems: fold the pairs of some inputs into the table of one worker.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/sequential/fetch_ahead.h>
#include <thrust_hist/system/sequential/state_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <cstdint>
#include <type_traits>

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

/// A table of numbers: that of the last bin stays in a register, since equal keys in a row would otherwise
/// wait for the way through memory.
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

/// Calls `visit(i, turn)` for each of a stretch of inputs, which take turns; asks for those that come next.
template <class Bound, class Visit>
void for_each_input(Bound const& pairs, stretch inputs, Visit visit) {
  constexpr unsigned unrolled = 4;
  std::uint64_t i = inputs.begin;
  for (; i + unrolled <= inputs.end; i += unrolled) {
    sequential::fetch_inputs(pairs, i);
#if !defined(__CUDACC__)  // see count_samples()
#  pragma GCC unroll 4
#endif
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

/// The fold of some values, which are folded among themselves first: each waits for few others.
template <unsigned Count, class Fold>
typename Fold::state fold_values(Fold const& fold, typename Fold::value const* x) {
  typename Fold::state folded[Count];
  for (unsigned j = 0; j < Count; ++j) {
    folded[j] = detail::started(fold, x[j]);
  }
  for (unsigned half = Count / 2; half > 0; half /= 2) {
    for (unsigned j = 0; j < half; ++j) {
      fold.merge(folded[j], folded[j + half]);
    }
  }
  return folded[0];
}

/// Folds pairs of keys and values into a table of numbers. Equal keys in a row are folded among themselves first: they
/// would wait, each for the one before it, for the way through memory.
template <class Fold, class Pairs>
class folding_of_numbers {
public:
  static constexpr unsigned group = 8;

  folding_of_numbers(Fold const& fold, typename Fold::state* table, std::uint64_t bins, Pairs pairs)
      : fold_(fold), table_(table), bins_(bins), pairs_(pairs) {}

  void add(std::uint64_t i) { add(pairs_.candidate_of(i), i); }

  /// Only if the first key and the last one are equal, others are likely to be.
  void add_group(std::uint64_t i) {
    std::uint64_t const first = pairs_.candidate_of(i);
    std::uint64_t const last = pairs_.candidate_of(i + group - 1);
    if (first != last) {
      add_each(i, first, last, [&](unsigned j) { return pairs_.candidate_of(i + j); });
      return;
    }
    std::uint64_t bin[group];
    std::uint64_t differing = 0;
    for (unsigned j = 1; j < group - 1; ++j) {
      bin[j] = pairs_.candidate_of(i + j);
      differing |= bin[j] ^ first;
    }
    if (differing != 0 || first >= bins_) {
      add_each(i, first, last, [&](unsigned j) { return bin[j]; });
      return;
    }
    value x[group];
    for (unsigned j = 0; j < group; ++j) {
      x[j] = value_of(i + j);
    }
    fold_.merge(table_[first], sequential::fold_values<group>(fold_, x));
  }

  std::uint64_t dropped() const { return dropped_; }

private:
  using value = typename Fold::value;

  value value_of(std::uint64_t i) const { return detail::convert<value>(pairs_.value_of(i)); }
  void add(std::uint64_t bin, std::uint64_t i) {
    if (bin < bins_) {
      fold_.add(table_[bin], value_of(i));
    } else {
      ++dropped_;
    }
  }
  template <class BinOf>
  void add_each(std::uint64_t i, std::uint64_t first, std::uint64_t last, BinOf bin_of) {
    add(first, i);
#if !defined(__CUDACC__)  // see count_samples()
#  pragma GCC unroll 8
#endif
    for (unsigned j = 1; j < group - 1; ++j) {
      add(bin_of(j), i + j);
    }
    add(last, i + group - 1);
  }

  Fold fold_;
  typename Fold::state* table_;
  std::uint64_t bins_;
  Pairs pairs_;
  std::uint64_t dropped_ = 0;
};

/// The same for a stretch of them. Returns how many had no bin.
template <class Fold, class Pairs>
std::uint64_t fold_numbers(
    typename Fold::state* table, std::uint64_t bins, stretch inputs, Pairs const& pairs,
    Fold const& fold) {
  folding_of_numbers<Fold, Pairs> folding(fold, table, bins, pairs);
  constexpr unsigned group = folding_of_numbers<Fold, Pairs>::group;
  std::uint64_t i = inputs.begin;
  for (; i + group <= inputs.end; i += group) {
    sequential::fetch_inputs(pairs, i);
    folding.add_group(i);
  }
  for (; i < inputs.end; ++i) {
    folding.add(i);
  }
  return folding.dropped();
}

template <class Bound>
inline constexpr bool is_keyed = false;
template <class Keys, class Values, class Rule, class Index>
inline constexpr bool is_keyed<bound_keys<Keys, Values, Rule, Index>> = true;

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
  if constexpr (std::is_scalar_v<state> && is_keyed<Bound>) {
    if (layout.ways() == 1) {
      return sequential::fold_numbers(table, bins, inputs, pairs, fold);
    }
  }
  return layout.ways() == 1
             ? sequential::fold_into(simple(table, bins, fold), bins, inputs, pairs)
             : sequential::fold_into(in_turns(table, bins, fold), bins, inputs, pairs);
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
