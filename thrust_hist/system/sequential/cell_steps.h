// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Cutting the line of numbers into cells: equal steps of a number, or of its bits, which are
/// logarithmic. Either gives cells that never fall as numbers rise.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/even_edges.h>
#include <thrust_hist/detail/even_guess.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/samples.h>

#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// A number as a double, for what need not be exact: a processor may take subnormal floats for 0.
template <class X>
THRUST_HIST_HOST_DEVICE double about(X x) noexcept {
  if constexpr (is_real_sample<X>) {
    return static_cast<double>(real_format<X>::approximate(x));
  } else {
    return static_cast<double>(static_cast<integer_t<X>>(x));
  }
}

/// What has bits whose equal steps are logarithmic, for edges and samples of these types.
template <class Edge, class S, class X>
THRUST_HIST_HOST_DEVICE auto bits_of(X x) noexcept {
  if constexpr (are_real_keys<Edge, S>) {
    return detail::common_key<Edge, S>(x);
  } else {
    return detail::order_key(sequential::about(x));
  }
}

/// Cells 0 to last(): the first one and the last hold what lies beyond. One cell unless it is told.
template <class Edge, class S>
class cell_steps {
public:
  cell_steps() = default;
  /// So many equal steps from `low` to `high`. Cells may be narrower or wider by some_part.
  static cell_steps of_value(Edge low, Edge high, std::uint32_t cells) noexcept {
    double const from = sequential::about(low);
    double const to = sequential::about(high);
    double const step = (to - from) / cells;
    cell_steps steps;
    steps.last_ = cells + 2;
    if (is_finite(from) && is_finite(to) && is_finite(step) && step > least_step) {
      // One and a half before, so that `low` is well inside a cell, and behind.
      steps.edges_ = even_edges(cells + 3, from - 1.5 * step, to + 1.5 * step);
      steps.guess_ = even_guess<double>(steps.edges_, cells + 3, 53, 0);
    }
    return steps;
  }
  /// So many equal steps of bits, at most.
  static cell_steps of_bits(Edge low, Edge high, std::uint32_t cells) noexcept {
    cell_steps steps;
    steps.are_of_bits_ = true;
    bits const begin = sequential::bits_of<Edge, S>(low);
    steps.lowest_ = begin;
    distance const span = steps.above_lowest(sequential::bits_of<Edge, S>(high));
    while (std::uint64_t{span} >> steps.shift_ >= cells) {
      ++steps.shift_;
    }
    steps.last_ = static_cast<std::uint32_t>(span >> steps.shift_) + 2;
    // The cell before `low`, if there is room for it.
    auto const room = static_cast<distance>(static_cast<distance>(begin) - distance(min_of<bits>));
    auto const step = static_cast<distance>(distance{1} << steps.shift_);
    steps.lowest_ = static_cast<bits>(static_cast<distance>(begin) - (step < room ? step : room));
    return steps;
  }

  /// Whether cells are known well enough.
  bool are_known() const noexcept { return are_of_bits_ || guess_.margin() < some_part / 4; }
  std::uint32_t last() const noexcept { return last_; }

  /// The cell of a sample.
  THRUST_HIST_HOST_DEVICE std::uint32_t cell_of(S x) const noexcept {
    return are_of_bits_
               ? cell_of_bits(sequential::bits_of<Edge, S>(x))
               : within(static_cast<std::uint64_t>(guess_.not_below_first(sequential::about(x))));
  }
  /// The cells that may have samples on both sides of an edge: from the first to the last.
  std::pair<std::uint32_t, std::uint32_t> cells_at(Edge edge) const noexcept {
    if (are_of_bits_) {
      std::uint32_t const cell = cell_of_bits(sequential::bits_of<Edge, S>(edge));
      return {cell, cell};
    }
    double const position = (sequential::about(edge) - edges_.lower()) / edges_.step();
    return {within(position - some_part), within(position + some_part)};
  }

private:
  using bits = decltype(sequential::bits_of<Edge, S>(S{}));
  using distance = std::make_unsigned_t<bits>;

  /// Four times as much as a cell is off by: flushed numbers are to have room, too.
  static constexpr double some_part = 1. / 16;
  /// Beside which subnormal floats are nothing.
  static constexpr double least_step = 0x1p-100;

  THRUST_HIST_HOST_DEVICE distance above_lowest(bits b) const noexcept {
    return static_cast<distance>(static_cast<distance>(b) - static_cast<distance>(lowest_));
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t within(std::uint64_t cell) const noexcept {
    return static_cast<std::uint32_t>(cell < last_ ? cell : std::uint64_t{last_});
  }
  std::uint32_t within(double cell) const noexcept {
    double const last = last_;
    if (!is_finite(cell)) {
      return detail::bit_cast<std::int64_t>(cell) < 0 ? 0 : last_;
    }
    return static_cast<std::uint32_t>(cell < last ? (cell > 0 ? cell : 0) : last);
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t cell_of_bits(bits b) const noexcept {
    return within(std::uint64_t{above_lowest(b < lowest_ ? lowest_ : b)} >> shift_);
  }

  even_edges edges_{1, 0, 1};
  even_guess<double> guess_;
  bits lowest_ = 0;
  unsigned shift_ = 0;
  bool are_of_bits_ = false;
  std::uint32_t last_ = 0;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
