// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A table that tells about where among splitters a code lies, where these lie close together here
/// and far apart there: as those of doubles of both signs do, and of numbers of any magnitude.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/round_limbs.h>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The more splitters lie apart, the wider intervals are: four for each power of 2 above the least
/// splitter. One with many splitters has cells of equal width between the first and the last of
/// them.
template <class Code>
class uneven_intervals {
public:
  /// Ascending splitters, one at least. False: they lie too unevenly even for this.
  bool divide(Code const* splitters, std::uint32_t n) {
    from_ = splitters[0];
    std::uint32_t used = 0;
    for (std::uint32_t i = 0, before = 0; i < intervals; ++i) {
      std::uint32_t end = before;
      while (end < n && interval_of(splitters[end]) <= i) {
        ++end;
      }
      interval& here = intervals_[i];
      here = {before < end ? splitters[before] : from_, 0, static_cast<std::uint16_t>(used), 0};
      if (!choose_cells(here, splitters + before, end - before, cells - used - (intervals - i))) {
        return false;
      }
      for (std::uint32_t cell = 0; cell <= here.last; ++cell) {
        while (before < end && (cell == here.last || here.cell_of(splitters[before]) <= cell)) {
          ++before;
        }
        table_[used++] = static_cast<std::uint16_t>(before);
      }
    }
    return true;
  }

  /// How many splitters are not greater than a code, or a few more; of greater codes never less.
  std::uint32_t part_of(Code c) const noexcept {
    interval const& here = intervals_[interval_of(c)];
    return table_[here.begin + here.cell_of(c)];
  }

  /// So many that a part is not much larger than others.
  static constexpr std::uint32_t most_in_a_cell = 3;
  /// Equal splitters leave parts empty, and make none larger.
  template <class CellOf>
  static bool are_few_in_each(Code const* splitters, std::uint32_t n, CellOf cell_of) {
    for (std::uint32_t i = 1, distinct = 1; i < n; ++i) {
      bool const same_cell = cell_of(splitters[i]) == cell_of(splitters[i - 1]);
      distinct = same_cell ? distinct + (splitters[i] != splitters[i - 1] ? 1 : 0) : 1;
      if (distinct > most_in_a_cell) {
        return false;
      }
    }
    return true;
  }

private:
  static constexpr std::uint32_t intervals = sizeof(Code) * 32;
  static constexpr std::uint32_t cells = 8192;

  struct interval {
    Code low;             // the first splitter in it
    std::uint16_t shift;  // of the width of a cell
    std::uint16_t begin;
    std::uint16_t last;  // cell

    std::uint32_t cell_of(Code c) const noexcept {
      Code const cell = c < low ? Code{} : static_cast<Code>(static_cast<Code>(c - low) >> shift);
      return static_cast<std::uint32_t>((std::min)(cell, static_cast<Code>(last)));
    }
  };

  static unsigned log2_of(Code c) noexcept {
    if constexpr (sizeof(Code) > 8) {
      auto const high = static_cast<std::uint64_t>(c >> 64);
      return high != 0
                 ? 127 - static_cast<unsigned>(detail::leading_zeros(high))
                 : 63 - static_cast<unsigned>(detail::leading_zeros(static_cast<std::uint64_t>(c)));
    } else {
      return 63 - static_cast<unsigned>(detail::leading_zeros(std::uint64_t{c}));
    }
  }
  /// Three leading bits, and where they are.
  std::uint32_t interval_of(Code c) const noexcept {
    Code const distance = c < from_ ? Code{} : static_cast<Code>(c - from_);
    unsigned const power = log2_of(static_cast<Code>(distance | 4)) - 2;
    return power * 4 + static_cast<std::uint32_t>(static_cast<Code>(distance >> power));
  }

  static bool choose_cells(
      interval& here, Code const* splitters, std::uint32_t n, std::uint32_t room) {
    auto const few = [&](Code const& c) { return here.cell_of(c); };
    while (n > 0 && !are_few_in_each(splitters, n, few)) {
      std::uint32_t const twice = 2 * (std::uint32_t{here.last} + 1);
      if (twice > room) {
        return false;
      }
      here.last = static_cast<std::uint16_t>(twice - 1);
      auto const span = static_cast<Code>(splitters[n - 1] - splitters[0]);
      for (here.shift = 0; static_cast<Code>(span >> here.shift) > here.last;) {
        ++here.shift;
      }
    }
    return true;
  }

  Code from_;
  interval intervals_[intervals];
  std::uint16_t table_[cells];
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
