// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where CUB writes rows: to a writer, which knows what becomes of keys and states.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What is assigned to place r is given to `take(r, x)`. It holds nothing: there is no type of what it refers to.
template <class Take>
struct output_of_rows {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  struct reference {
    Take take;
    difference_type row;
    template <class T>
    __device__ reference const& operator=(T const& x) const {
      take(static_cast<std::uint64_t>(row), x);
      return *this;
    }
  };

  Take take;
  difference_type row;

  __device__ reference operator*() const { return {take, row}; }
  __device__ reference operator[](difference_type i) const { return {take, row + i}; }
  __host__ __device__ output_of_rows operator+(difference_type i) const { return {take, row + i}; }
};

/// Where rows of sorted keys come from and go to. Where keys equal no other one, nothing is written, but to `are_lost`.
template <class Begins, class Writer>
struct row_outlet {
  using stored = typename Begins::stored;
  /// What CUB compares: real keys that stand by their bits.
  using key = std::conditional_t<Begins::may_have_alone, real_bits<stored>, stored>;
  Begins begins;
  std::uint64_t n;
  Writer writer;
  unsigned long long* are_lost;

  __device__ bool is_open() const { return !begins.has_alone(begins.load_ends(n)); }
};

/// The key of a row: a code, or a number as it stands.
template <class Outlet>
struct take_key {
  Outlet to;
  __device__ void operator()(std::uint64_t row, typename Outlet::key const& key) const {
    if (to.is_open()) {
      to.writer.write_key(row, to.begins.code_of(static_cast<typename Outlet::stored>(key)));
    } else if (row == 0) {
      *to.are_lost = 1;
    }
  }
};
/// What a row was folded to: a state, or a word that is one.
template <class Outlet, class State>
struct take_state {
  Outlet to;
  template <class Term>
  __device__ void operator()(std::uint64_t row, Term const& x) const {
    if (to.is_open()) {
      to.writer.write_value(row, static_cast<State>(x));
    }
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
