// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From tables of states to the output. What calls an operator of the user, which may throw, is
/// done for all bins before the first one is written.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/state_tables.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The tables of all workers that folded, and where their bins go.
template <class Fold, class Out>
struct folded_tables {
  using state = typename Fold::state;
  using output = folded_of<Out, typename Fold::value>;

  state_tables<state> layout;
  char* memory;
  unsigned workers;
  Fold fold;
  Out out;
  bool accumulate;

  /// Whether the operator is a user's, which may throw: all its calls come before anything is
  /// written.
  static constexpr bool may_throw = Fold::kind == operator_kind::other;

  /// Whether the output holds what it is to hold: the only table, of states that are results as
  /// they are.
  bool is_finished() const noexcept {
    constexpr bool picks =
        Fold::kind == operator_kind::minimum || Fold::kind == operator_kind::maximum;
    constexpr bool has_zeros = picks && is_real_sample<state>;  // of two signs
    return layout.begin_in_output() && workers == 1 && !has_zeros;
  }

  /// The first state of each bin becomes the fold of all, and to accumulate by a user's operator of
  /// what the output holds.
  void gather(stretch bins) const {
    state* const first = layout.table(memory, 0);
    unsigned const ways = layout.ways();
    for (unsigned worker = 0; worker < workers; ++worker) {
      state const* const table = layout.table(memory, worker);
      for (unsigned way = worker == 0 ? 1 : 0; way < ways; ++way) {
        for (std::uint64_t bin = bins.begin; bin < bins.end; ++bin) {
          fold.merge(first[bin * ways], table[bin * ways + way]);
          fold.settle(first[bin * ways]);
        }
      }
    }
    if constexpr (output::readable && may_throw) {
      for (std::uint64_t bin = bins.begin; bin < bins.end && accumulate; ++bin) {
        using type = typename output::type;
        fold.absorb(first[bin * ways], static_cast<type>(*place_of(bin)));
      }
    }
  }
  void write(stretch bins) const {
    state* const first = layout.table(memory, 0);
    using type = typename output::type;
    if constexpr (std::is_same_v<type, state>) {
      if (layout.begin_in_output()) {
        for (std::uint64_t bin = bins.begin; bin < bins.end; ++bin) {
          first[bin] = fold.template finish<type>(first[bin]);
        }
        return;
      }
    }
    for (std::uint64_t bin = bins.begin; bin < bins.end; ++bin) {
      state const& folded = first[bin * layout.ways()];
      if constexpr (output::readable && !may_throw) {
        if (accumulate) {
          *place_of(bin) = fold.finish_with(folded, static_cast<type>(*place_of(bin)));
          continue;
        }
      }
      *place_of(bin) = fold.template finish<type>(folded);
    }
  }
  void gather_and_write(stretch bins) const {
    constexpr std::uint64_t most = 512;  // at a time, so that they stay in a cache
    for (std::uint64_t begin = bins.begin; begin < bins.end; begin += most) {
      stretch const some = {begin, (std::min)(begin + most, bins.end)};
      gather(some);
      write(some);
    }
  }

private:
  Out place_of(std::uint64_t bin) const { return out + static_cast<std::ptrdiff_t>(bin); }
};

/// Writes the output, by `workers` workers.
template <class Fold, class Out>
void finish_fold(run_function run, unsigned workers, folded_tables<Fold, Out> const& tables) {
  std::uint64_t const bins = tables.layout.bins();
  if (tables.is_finished()) {
    return;
  }
  auto const all = [&](auto work) {
    run(workers, [&](unsigned worker) { work(sequential::share_of(bins, workers, worker)); });
  };
  if constexpr (folded_tables<Fold, Out>::may_throw) {
    all([&](stretch part) { tables.gather(part); });
    all([&](stretch part) { tables.write(part); });
  } else {
    all([&](stretch part) { tables.gather_and_write(part); });
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
