// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Runs of equal keys in sorted inputs: how many there are, and what they are folded to.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/sequential/sparse_call.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

template <class Keys, class Fold>
class sparse_runs {
  using call_type = sparse_call<Keys, Fold>;
  using input = typename call_type::input;
  using row = typename call_type::row;

public:
  explicit sparse_runs(call_type const& call) noexcept : call_(call) {}

  /// How many runs there are among n sorted inputs. The first input of a run holds all of it then,
  /// where the operator may throw.
  std::uint64_t count(input* some, std::uint64_t n) const {
    if constexpr (may_throw) {
      fold_into_first(some, n);
    }
    std::uint64_t runs = n > 0 ? 1 : 0;
    for (std::uint64_t i = 1; i < n; ++i) {
      runs += begins(some[i - 1], some[i]) ? 1 : 0;
    }
    return runs;
  }

  /// Writes what they are folded to from a place on. They have been counted.
  void write(input const* some, std::uint64_t n, std::uint64_t place) const {
    alignas(row) unsigned char room[(rows_at_once + 1) * sizeof(row)];
    auto* const rows = reinterpret_cast<row*>(room);
    std::uint64_t open = 0;  // rows[open] takes what comes, others are done
    std::uint64_t additions = 0;
    for (std::uint64_t i = 0; i < n; i += rows_at_once) {
      if (open > 0) {
        call_.write(place, rows, open);
        place += open;
        ::new (static_cast<void*>(rows)) row(rows[open]);
        open = 0;
      }
      std::uint64_t const end = (std::min)(n, i + rows_at_once);
      open = fold(some, i, end, rows, additions);
    }
    if (n > 0) {
      settle(rows[open]);
      call_.write(place, rows, open + 1);
    }
  }

private:
  /// An operator of the user may throw: it is called before anything is written.
  static constexpr bool may_throw = Fold::kind == operator_kind::other;
  static constexpr bool only_counts = std::is_empty_v<typename Fold::value>;
  static constexpr bool settles = Fold::additions_at_once != max_of<std::uint64_t>;
  static constexpr std::uint64_t rows_at_once =
      (std::max)(std::uint64_t{1}, (std::min<std::uint64_t>)(256, 32768 / sizeof(row)));

  bool begins(input const& before, input const& x) const {
    return call_.keys.less(before.code, x.code);
  }
  void settle(row& r) const {
    if constexpr (settles) {
      call_.fold.settle(r.state);
    }
  }

  void fold_into_first(input* some, std::uint64_t n) const {
    for (std::uint64_t first = 0, i = 1; i < n; ++i) {
      if (begins(some[i - 1], some[i])) {
        first = i;
      } else {
        call_.fold.add(some[first].value, some[i].value);
      }
    }
  }

  /// Folds inputs into the row that the one before them left open, and into rows behind it. Returns
  /// which one is open now.
  std::uint64_t fold(
      input const* some, std::uint64_t begin, std::uint64_t end, row* rows,
      std::uint64_t& additions) const {
    std::uint64_t open = 0;
    std::uint64_t i = begin;
    if (i == 0) {
      ::new (static_cast<void*>(rows))
          row{some[0].code, detail::started(call_.fold, some[0].value)};
      ++i;
    }
    if constexpr (only_counts) {  // no branch, since none could be foreseen
      auto n = rows[0].state;
      for (; i < end; ++i) {
        bool const is_new = begins(some[i - 1], some[i]);
        open += is_new ? 1 : 0;
        n = is_new ? 1 : n + 1;
        ::new (static_cast<void*>(rows + open)) row{some[i].code, n};
      }
    } else {
      for (;; ++i) {
        i = fold_run(some, i, end, rows[open], additions);
        if (i == end) {
          break;
        }
        settle(rows[open]);
        additions = 0;
        ::new (static_cast<void*>(rows + ++open))
            row{some[i].code, detail::started(call_.fold, some[i].value)};
      }
    }
    return open;
  }

  /// Folds the rest of a run into its row. Returns where the next one begins.
  std::uint64_t fold_run(
      input const* some, std::uint64_t i, std::uint64_t end, row& r,
      std::uint64_t& additions) const {
    using state = typename Fold::state;
    constexpr bool fits_registers = sizeof(state) <= 16;
    std::conditional_t<fits_registers, state, state&> s = r.state;
    for (; i < end && !begins(some[i - 1], some[i]); ++i) {
      if constexpr (!may_throw) {
        if (settles && ++additions % Fold::additions_at_once == 0) {
          call_.fold.settle(s);
        }
        call_.fold.add(s, some[i].value);
      }
    }
    if constexpr (fits_registers) {
      r.state = s;
    }
    return i;
  }

  call_type const& call_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
