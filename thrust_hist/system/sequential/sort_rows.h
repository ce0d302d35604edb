// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Rows of a table in the order of their keys.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/sequential/key_table.h>
#include <thrust_hist/system/sequential/sort_by_code.h>

#include <algorithm>
#include <cstdint>
#include <memory>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Copies rows to `to`, sorted by the code. What they were copied from is room to sort in.
template <class Code, class Row>
void sort_rows(number_keys<Code> const&, Row* rows, std::uint64_t n, Row* to) {
  std::uninitialized_copy(rows, rows + n, to);
  sequential::sort_by_code(to, rows, n);
}

template <class Key, class Operators, class Row>
void sort_rows(user_keys<Key, Operators> const& keys, Row* rows, std::uint64_t n, Row* to) {
  std::uninitialized_copy(rows, rows + n, to);
  std::sort(to, to + n, by_code<user_keys<Key, Operators>>{keys});
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
