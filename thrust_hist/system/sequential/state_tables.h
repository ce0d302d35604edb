// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The tables in which workers fold: a state for each bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// How tables of states lie in memory, or the first of them in the output, if that can hold states.
/// Where bins are few, each has several states that take turns: equal keys in a row then change
/// different ones, and no change waits for the one before it.
template <class State>
class state_tables {
public:
  static constexpr unsigned most_ways = 4;
  /// No two tables share a cache line, or a pair of them; memory of a policy may be aligned to
  /// less.
  static constexpr std::size_t alignment = (std::max)(std::size_t{128}, alignof(State));

  state_tables(std::uint64_t bins, unsigned ways, bool begin_in_output) noexcept
      : bins_(bins), ways_(ways), begin_in_output_(begin_in_output) {}
  /// The same, where the output is known.
  state_tables with_output(State* output) const noexcept {
    state_tables tables = *this;
    tables.output_ = output;
    return tables;
  }

  /// States that take turns: not where beginning and merging them takes the time, and no more than
  /// stay in the nearest cache.
  static unsigned ways_for(std::uint64_t bins, std::uint64_t inputs) noexcept {
    constexpr std::uint64_t cache = 32768;
    bool const fit = bins <= cache / (most_ways * sizeof(State));
    return fit && inputs / (2 * most_ways) >= bins ? most_ways : 1;
  }

  std::uint64_t bins() const noexcept { return bins_; }
  unsigned ways() const noexcept { return ways_; }
  std::uint64_t states() const noexcept { return bins_ * ways_; }
  /// From one table to the next.
  std::uint64_t stride() const noexcept {
    return (states() * sizeof(State) + alignment - 1) / alignment * alignment;
  }
  bool begin_in_output() const noexcept { return begin_in_output_; }
  std::uint64_t bytes(std::uint64_t tables) const noexcept {
    std::uint64_t const others = tables - (begin_in_output() ? 1 : 0);
    return bins_ == 0 || others == 0 ? 0 : others * stride() + alignment;
  }
  /// How many there may be with so many bytes.
  std::uint64_t tables_within(std::uint64_t bytes) const noexcept {
    if (bins_ == 0) {
      return max_of<std::uint64_t>;
    }
    std::uint64_t const others = bytes < alignment ? 0 : (bytes - alignment) / stride();
    return others + (begin_in_output() ? 1 : 0);
  }
  State* table(char* memory, unsigned worker) const noexcept {
    if (begin_in_output()) {
      return worker == 0 ? output_ : table_at(memory, worker - 1);
    }
    return table_at(memory, worker);
  }
  /// Of memory, from where it is aligned.
  static char* aligned(char* memory) noexcept {
    auto const address = reinterpret_cast<std::uintptr_t>(memory);
    return memory + (alignment - address % alignment) % alignment;
  }

private:
  State* table_at(char* memory, unsigned place) const noexcept {
    return reinterpret_cast<State*>(aligned(memory) + place * stride());
  }

  std::uint64_t bins_;
  unsigned ways_;
  bool begin_in_output_;
  State* output_ = nullptr;
};

/// Begins a stretch of states.
template <class Fold>
void begin_states(typename Fold::state* table, stretch states, Fold const& fold) {
  for (std::uint64_t i = states.begin; i < states.end; ++i) {
    ::new (static_cast<void*>(table + i)) typename Fold::state(fold.empty());
  }
}

template <class Fold>
THRUST_HIST_NOINLINE void settle_states(
    typename Fold::state* table, std::uint64_t states, Fold fold) {
  for (std::uint64_t i = 0; i < states; ++i) {
    fold.settle(table[i]);
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
