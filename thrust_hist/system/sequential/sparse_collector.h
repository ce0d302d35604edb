// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The first pass of one worker over its inputs: a small table folds the keys that come often, or
/// that came first; whatever finds no room in it is thrown into parts as it is.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/key_ranges.h>
#include <thrust_hist/system/sequential/key_table.h>
#include <thrust_hist/system/sequential/promised_memory.h>
#include <thrust_hist/system/sequential/record_chains.h>
#include <thrust_hist/system/sequential/sparse_call.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

template <class Keys, class Fold>
class sparse_collector {
  using call_type = sparse_call<Keys, Fold>;
  using input = typename call_type::input;
  using row = typename call_type::row;

public:
  sparse_collector(promised_memory& memory, call_type const& call, key_ranges<Keys> const& ranges)
      : call_(call), ranges_(ranges), slabs_(memory, slab_bytes),
        table_(memory, call.keys, call.fold, rows_of_table), thrown_(slabs_, ranges.parts()),
        alone_(slabs_, 1) {}

  void collect(stretch inputs) {
    call_.for_each_block(inputs, [this](input const* some, std::uint64_t n) {
      if (passed_by_ > 0) {
        throw_all(some, n);
        passed_by_ -= (std::min)(passed_by_, n);
        if (passed_by_ == 0) {
          hand_over();
        }
      } else {
        fold_some(some, n);
      }
    });
    hand_over();
  }

  /// Keys that equal no other one, in the order of the input.
  record_chains<input> const& alone() const noexcept { return alone_; }
  /// Calls `merge(rows, n)` and `add(inputs, n)` with all that this worker has of a part.
  template <class Merge, class Add>
  void visit_part(std::uint32_t part, Merge merge, Add add) const {
    for (folded const* f = folded_; f != nullptr; f = f->before) {
      merge(f->rows + f->begin[part], f->begin[part + 1] - f->begin[part]);
    }
    thrown_.for_each_block(part, add);
  }

private:
  static constexpr std::size_t slab_bytes = std::size_t{1} << 18;
  static constexpr std::uint64_t rows_of_table = rows_in_near_cache<row>;
  // Where fewer than a quarter of the inputs of a window find their key in the full table, many
  // windows pass it by, and then it begins anew: keys that come often may have changed.
  static constexpr std::uint64_t window = 8192;
  static constexpr std::uint64_t first_pass = 16 * window;
  static constexpr std::uint64_t longest_pass = 64 * window;

  /// What the table held, by part: rows [begin[p], begin[p + 1]).
  struct folded {
    folded const* before;
    std::uint32_t* begin;
    row* rows;
  };

  void fold_some(input const* some, std::uint64_t n) {
    table_.expect(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      if (call_.keys.is_alone(some[i].code)) {
        alone_.add(0, some[i]);
      } else if (!table_.add(some[i])) {
        thrown_.add(ranges_.part_of(some[i].code), some[i]);
        ++misses_;
      }
    }
    seen_ += n;
    if (seen_ >= window) {
      bool const poor = misses_ > seen_ / 4 * 3;
      passed_by_ = poor ? pass_ : 0;
      pass_ = poor ? (std::min)(2 * pass_, longest_pass) : first_pass;
      seen_ = 0;
      misses_ = 0;
    }
  }

  void throw_all(input const* some, std::uint64_t n) {
    std::uint32_t parts[call_type::block];
    for (std::uint64_t i = 0; i < n; ++i) {
      parts[i] = ranges_.part_of(some[i].code);
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      if (call_.keys.is_alone(some[i].code)) {
        alone_.add(0, some[i]);
      } else {
        thrown_.add(parts[i], some[i]);
      }
    }
  }

  /// Empties the table.
  void hand_over() {
    std::uint64_t const n = table_.size();
    if (n == 0) {
      return;
    }
    table_.settle();
    std::uint32_t const parts = ranges_.parts();
    auto* const all = slabs_.template take<folded>(1);
    ::new (static_cast<void*>(all)) folded{
        folded_, slabs_.template take<std::uint32_t>(parts + 2), slabs_.template take<row>(n)};
    // One place further on, so that filling a part moves its begin to where it belongs.
    std::uint32_t* const ends = all->begin + 1;
    std::fill_n(all->begin, parts + 2, 0);
    std::uint32_t part_of_row[rows_of_table];
    for (std::uint64_t i = 0; i < n; ++i) {
      part_of_row[i] = ranges_.part_of(table_.rows()[i].code);
      ++ends[part_of_row[i] + 1];
    }
    for (std::uint32_t part = 0; part < parts; ++part) {
      ends[part + 1] += ends[part];
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      ::new (static_cast<void*>(all->rows + ends[part_of_row[i]]++)) row(table_.rows()[i]);
    }
    folded_ = all;
    table_.clear();
  }

  call_type const& call_;
  key_ranges<Keys> const& ranges_;
  slabs slabs_;
  key_table<Keys, Fold> table_;
  record_chains<input> thrown_;
  record_chains<input> alone_;
  folded const* folded_ = nullptr;
  std::uint64_t seen_ = 0;
  std::uint64_t misses_ = 0;
  std::uint64_t passed_by_ = 0;
  std::uint64_t pass_ = first_pass;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
