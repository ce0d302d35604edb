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

/// Buckets of a few rows each, by the leading bits of those in which codes differ.
template <class Code>
class row_buckets {
public:
  static constexpr std::uint32_t most = 4096;

  template <class Row>
  row_buckets(Row const* rows, std::uint64_t n) {
    constexpr std::uint64_t rows_of_bucket = 8;
    unsigned log2_buckets = 1;
    while (buckets_ < most && buckets_ * rows_of_bucket < n) {
      buckets_ *= 2;
      ++log2_buckets;
    }
    least_ = rows[0].code;
    Code greatest = least_;
    for (std::uint64_t i = 1; i < n; ++i) {
      least_ = (std::min)(least_, rows[i].code);
      greatest = (std::max)(greatest, rows[i].code);
    }
    unsigned bits = 0;
    while (bits < 8 * sizeof(Code) && distance(greatest, bits) != 0) {
      ++bits;
    }
    shift_ = bits > log2_buckets ? bits - log2_buckets : 0;
  }

  std::uint32_t size() const noexcept { return buckets_; }
  std::uint32_t operator()(Code c) const noexcept {
    return static_cast<std::uint32_t>(distance(c, shift_));
  }

private:
  Code distance(Code c, unsigned shift) const noexcept {
    return static_cast<Code>(static_cast<Code>(c - least_) >> shift);
  }

  std::uint32_t buckets_ = 2;  // at least, so that codes are shifted by less than their width
  Code least_;
  unsigned shift_;
};

/// Copies rows to `to`, sorted by the code: into buckets first, then each bucket by comparisons. Where
/// codes are even, that is two passes.
template <class Code, class Row>
void sort_rows(number_keys<Code> const& keys, Row const* rows, std::uint64_t n, Row* to) {
  if (n == 0) {
    return;
  }
  row_buckets<Code> const bucket_of(rows, n);
  std::uint32_t ends[row_buckets<Code>::most + 1];
  std::fill_n(ends, bucket_of.size() + 1, 0);
  for (std::uint64_t i = 0; i < n; ++i) {
    ++ends[bucket_of(rows[i].code) + 1];
  }
  for (std::uint32_t bucket = 0; bucket < bucket_of.size(); ++bucket) {
    ends[bucket + 1] += ends[bucket];
  }
  for (std::uint64_t i = 0; i < n; ++i) {
    ::new (static_cast<void*>(to + ends[bucket_of(rows[i].code)]++)) Row(rows[i]);
  }
  std::uint32_t begin = 0;
  for (std::uint32_t bucket = 0; bucket < bucket_of.size(); ++bucket) {
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
