// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding pairs of keys and values into a table of numbers, one for each bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/sequential/fetch_ahead.h>
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

/// The fold of some values, which are folded among themselves first: each waits for few others.
template <unsigned Count, class Fold>
typename Fold::state fold_values(Fold const& fold, typename Fold::value const* x) {
  using state = typename Fold::state;
  // Types of which nobody knows how a NaN looks leave it out where it is the second one.
  constexpr bool may_be_nan = std::is_floating_point_v<state> && !is_real_sample<state>;
  state folded[Count];
  THRUST_HIST_UNROLL(8)
  for (unsigned j = 0; j < Count; ++j) {
    if constexpr (may_be_nan) {
      folded[j] = fold.empty();
      fold.add(folded[j], x[j]);
    } else {
      folded[j] = detail::started(fold, x[j]);
    }
  }
  THRUST_HIST_UNROLL(8)
  for (unsigned half = Count / 2; half > 0; half /= 2) {
    THRUST_HIST_UNROLL(8)
    for (unsigned j = 0; j < half; ++j) {
      fold.merge(folded[j], folded[j + half]);
    }
  }
  return folded[0];
}

/// Folds groups of inputs. Equal keys in a row are folded among themselves first: they would wait,
/// each for the one before it, for the way through memory; and where keys change, no branch tells.
template <class Fold, class Pairs>
class folding_of_numbers {
public:
  static constexpr unsigned group = 8;

  folding_of_numbers(Fold const& fold, typename Fold::state* table, std::uint64_t bins, Pairs pairs)
      : fold_(fold), table_(table), bins_(bins), pairs_(pairs) {}

  THRUST_HIST_ALWAYS_INLINE void add(std::uint64_t i) { add(pairs_.candidate_of(i), i); }

  /// Where the first key and the last one differ, which is foreseen, the others are not compared.
  THRUST_HIST_ALWAYS_INLINE void add_group(std::uint64_t i) {
    std::uint64_t const first = pairs_.candidate_of(i);
    std::uint64_t const last = pairs_.candidate_of(i + group - 1);
    if (first != last) {
      add_each(i, first, last, [&](unsigned j) { return pairs_.candidate_of(i + j); });
      return;
    }
    std::uint64_t bin[group];
    std::uint64_t differing = 0;
    THRUST_HIST_UNROLL(8)
    for (unsigned j = 1; j < group - 1; ++j) {
      bin[j] = pairs_.candidate_of(i + j);
      differing |= bin[j] ^ first;
    }
    if (differing != 0 || first >= bins_) {
      add_each(i, first, last, [&](unsigned j) { return bin[j]; });
      return;
    }
    value x[group];
    THRUST_HIST_UNROLL(8)
    for (unsigned j = 0; j < group; ++j) {
      x[j] = value_of(i + j);
    }
    fold_.merge(table_[first], sequential::fold_values<group>(fold_, x));
  }

  std::uint64_t dropped() const { return dropped_; }

private:
  using value = typename Fold::value;

  value value_of(std::uint64_t i) const { return detail::convert<value>(pairs_.value_of(i)); }
  THRUST_HIST_ALWAYS_INLINE void add(std::uint64_t bin, std::uint64_t i) {
    if (__builtin_expect(bin < bins_, 1)) {
      fold_.add(table_[bin], value_of(i));
    } else {
      ++dropped_;
    }
  }
  template <class BinOf>
  THRUST_HIST_ALWAYS_INLINE void add_each(
      std::uint64_t i, std::uint64_t first, std::uint64_t last, BinOf bin_of) {
    add(first, i);
    THRUST_HIST_UNROLL(8)
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

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
