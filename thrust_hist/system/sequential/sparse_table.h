// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route shared: keys of 1 and 2 bytes have so few codes that each has a state of its own, in a
/// table for each worker. No key is looked for, and none is sorted: codes lie in the order of keys.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/sequential/promised_memory.h>
#include <thrust_hist/system/sequential/sparse_call.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// How many codes a kind of keys has, where they are few; else 0.
template <class Keys, class = void>
inline constexpr std::uint64_t few_codes = 0;
template <class Keys>
inline constexpr std::uint64_t
    few_codes<Keys, std::enable_if_t<is_number_kind<Keys> && sizeof(typename Keys::code) <= 2>> =
        std::uint64_t{1} << 8 * sizeof(typename Keys::code);

template <class Keys, class Fold>
class sparse_table {
  using call_type = sparse_call<Keys, Fold>;
  using row = typename call_type::row;
  using state = typename Fold::state;

public:
  sparse_table(promised_memory& memory, call_type const& call, unsigned workers)
      : call_(call), workers_(workers), states_(memory, workers * cells),
        marks_(memory, only_counts ? 0 : workers * cells), places_(memory, workers) {}

  /// What a worker takes at most.
  static constexpr std::uint64_t bytes_of_table() noexcept {
    return cells * (sizeof(state) + (only_counts ? 0 : 1)) + sizeof(std::uint64_t) +
           promised_array<state>::alignment + promised_array<unsigned char>::alignment +
           promised_array<std::uint64_t>::alignment;
  }

  /// Returns the number of rows. `source` has `code_at(i)` and `value_at(i)`.
  template <class Source>
  std::uint64_t run(Source const& source) {
    call_.run(workers_, [&](unsigned worker) { fold(worker, source); });
    // To merge few codes takes less than to wake workers once more.
    unsigned const mergers = codes <= 256 ? 1 : workers_;
    call_.run(mergers, [&](unsigned worker) {
      places_.data()[worker] = merge(share_of(codes, mergers, worker));
    });
    std::uint64_t rows = 0;
    for (unsigned worker = 0; worker < mergers; ++worker) {
      rows += std::exchange(places_.data()[worker], rows);
    }
    call_.make_room(rows);
    call_.run(mergers, [&](unsigned worker) {
      write(share_of(codes, mergers, worker), places_.data()[worker]);
    });
    return rows;
  }

private:
  static constexpr bool only_counts = std::is_empty_v<typename Fold::value>;
  static constexpr bool settles = Fold::additions_at_once != max_of<std::uint64_t>;
  /// Numbers, folded by the processor: whoever has none yet may be folded into as well.
  static constexpr bool begins_all =
      only_counts || (Fold::kind != operator_kind::other && std::is_arithmetic_v<state> &&
                      sizeof(state) <= 8 && std::is_same_v<state, typename Fold::value>);
  static constexpr std::uint64_t codes = few_codes<Keys>;
  /// States of a code that take turns: equal keys in a row change different ones, and no change
  /// waits for the one before it. No more than stay in the nearest cache.
  static constexpr std::uint64_t ways = codes * sizeof(state) <= 4096 ? 4 : 1;
  static constexpr std::uint64_t cells = codes * ways;

  state* states_of(unsigned worker) const noexcept { return states_.data() + worker * cells; }
  /// Which cells hold a state. A count says it by itself.
  unsigned char* marks_of(unsigned worker) const noexcept { return marks_.data() + worker * cells; }
  bool has(unsigned worker, std::uint64_t cell) const noexcept {
    if constexpr (only_counts) {
      return states_of(worker)[cell] != 0;
    } else {
      return marks_of(worker)[cell] != 0;
    }
  }

  template <class Source>
  void fold(unsigned worker, Source const source) const {
    begin(worker);
    stretch const all = share_of(call_.n, workers_, worker);
    for (std::uint64_t at = all.begin; at < all.end;) {
      std::uint64_t const end = at + (std::min)(all.end - at, Fold::additions_at_once);
      fold_some({at, end}, source, call_.fold, states_of(worker), marks_of(worker));
      settle(worker);
      at = end;
    }
  }
  void begin(unsigned worker) const {
    if constexpr (begins_all) {
      std::fill_n(states_of(worker), cells, state{});
    }
    if constexpr (!only_counts) {
      std::fill_n(marks_of(worker), cells, static_cast<unsigned char>(0));
    }
  }
  template <class Source>
  static void fold_some(
      stretch inputs, Source const source, Fold const fold, state* states,
      [[maybe_unused]] unsigned char* marks) {
    THRUST_HIST_UNROLL(4)
    for (std::uint64_t i = inputs.begin; i < inputs.end; ++i) {
      std::uint64_t const cell = source.code_at(i) * ways + i % ways;
      if constexpr (only_counts) {
        ++states[cell];
      } else {
        typename Fold::value const x = source.value_at(i);
        if constexpr (begins_all && codes > 256) {  // no branch, since none could be foreseen
          state both = states[cell];
          fold.add(both, x);
          states[cell] = either(marks[cell] != 0, both, x);
        } else if (marks[cell] != 0) {
          fold.add(states[cell], x);
        } else {
          ::new (static_cast<void*>(states + cell)) state(detail::started(fold, x));
        }
        marks[cell] = 1;
      }
    }
  }
  static state either(bool first, state a, state b) noexcept {
    using bits = typename code_of_size<sizeof(state)>::type;
    auto const mask = static_cast<bits>(bits{0} - static_cast<bits>(first));
    return detail::bit_cast<state>(static_cast<bits>(
        (detail::bit_cast<bits>(a) & mask) |
        (detail::bit_cast<bits>(b) & static_cast<bits>(~mask))));
  }
  void settle(unsigned worker) const {
    for (std::uint64_t cell = 0; settles && cell < cells; ++cell) {
      if (has(worker, cell)) {
        call_.fold.settle(states_of(worker)[cell]);
      }
    }
  }

  /// Merges all states of some codes into the first one of each. Returns how many codes occur.
  std::uint64_t merge(stretch some) const {
    for (std::uint64_t code = some.begin; workers_ * ways > 1 && code < some.end; ++code) {
      for (unsigned worker = 0; worker < workers_; ++worker) {
        for (std::uint64_t way = worker == 0 ? 1 : 0; way < ways; ++way) {
          if (has(worker, code * ways + way)) {
            merge_into(code * ways, states_of(worker)[code * ways + way]);
          }
        }
      }
    }
    std::uint64_t found = 0;
    for (std::uint64_t code = some.begin; code < some.end; ++code) {
      found += has(0, code * ways) ? 1 : 0;
    }
    return found;
  }
  void merge_into(std::uint64_t cell, state const& other) const {
    state& s = states_of(0)[cell];
    if (has(0, cell)) {
      call_.fold.merge(s, other);
      call_.fold.settle(s);
      return;
    }
    ::new (static_cast<void*>(&s)) state(other);
    if constexpr (!only_counts) {
      marks_of(0)[cell] = 1;
    }
  }

  void write(stretch some, std::uint64_t place) const {
    constexpr std::uint64_t rows_at_once =
        (std::max)(std::uint64_t{1}, (std::min<std::uint64_t>)(256, 32768 / sizeof(row)));
    alignas(row) unsigned char room[rows_at_once * sizeof(row)];
    auto* const rows = reinterpret_cast<row*>(room);
    for (std::uint64_t at = some.begin; at < some.end; at += rows_at_once) {
      std::uint64_t const end = (std::min)(some.end, at + rows_at_once);
      std::uint64_t n = 0;
      for (std::uint64_t code = at; code < end; ++code) {
        bool const is_there = has(0, code * ways);
        if (begins_all || is_there) {
          ::new (static_cast<void*>(rows + n))
              row{static_cast<typename Keys::code>(code), states_of(0)[code * ways]};
          n += is_there ? 1 : 0;
        }
      }
      call_.write(place, rows, n);
      place += n;
    }
  }

  call_type const& call_;
  unsigned workers_;
  promised_array<state> states_;
  promised_array<unsigned char> marks_;
  promised_array<std::uint64_t> places_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
