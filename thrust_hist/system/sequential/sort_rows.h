// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Rows of a table in the order of their keys.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/sequential/key_table.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Copies rows to `to`, sorted by the code: first into buckets of a few rows each by the bits in which
/// they differ, then each bucket by comparisons. Where codes are even, that is two passes.
template <class Code, class Row>
void sort_rows(number_keys<Code> const& keys, Row const* rows, std::uint64_t n, Row* to) {
  constexpr std::uint32_t most_buckets = 4096;
  constexpr std::uint64_t rows_of_bucket = 8;
  std::uint32_t buckets = 1;
  unsigned log2_buckets = 0;
  while (buckets < most_buckets && buckets * rows_of_bucket < n) {
    buckets *= 2;
    ++log2_buckets;
  }
  if (buckets == 1) {
    std::uninitialized_copy(rows, rows + n, to);
    std::sort(to, to + n, by_code<number_keys<Code>>{keys});
    return;
  }
  Code least = rows[0].code;
  Code greatest = least;
  for (std::uint64_t i = 1; i < n; ++i) {
    least = (std::min)(least, rows[i].code);
    greatest = (std::max)(greatest, rows[i].code);
  }
  unsigned bits = 0;
  while (bits < 8 * sizeof(Code) &&
         static_cast<Code>(static_cast<Code>(greatest - least) >> bits) != 0) {
    ++bits;
  }
  unsigned const shift = bits > log2_buckets ? bits - log2_buckets : 0;
  auto const bucket_of = [&](Row const& r) {
    return static_cast<std::uint32_t>(static_cast<Code>(r.code - least) >> shift);
  };
  std::uint32_t ends[most_buckets + 1] = {};
  for (std::uint64_t i = 0; i < n; ++i) {
    ++ends[bucket_of(rows[i]) + 1];
  }
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
    ends[bucket + 1] += ends[bucket];
  }
  for (std::uint64_t i = 0; i < n; ++i) {
    ::new (static_cast<void*>(to + ends[bucket_of(rows[i])]++)) Row(rows[i]);
  }
  std::uint32_t begin = 0;
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
    std::sort(to + begin, to + ends[bucket], by_code<number_keys<Code>>{keys});
    begin = ends[bucket];
  }
}

template <class Key, class Operators, class Row>
void sort_rows(user_keys<Key, Operators> const& keys, Row const* rows, std::uint64_t n, Row* to) {
  std::uninitialized_copy(rows, rows + n, to);
  std::sort(to, to + n, by_code<user_keys<Key, Operators>>{keys});
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
