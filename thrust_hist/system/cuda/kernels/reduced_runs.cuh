// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where CUB writes rows: to a writer, which knows what becomes of keys and states.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What is assigned to place r is given to `take(r, x)`. It holds nothing: there is no type of what
/// it refers to.
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

/// Where the keys of rows go: codes, or numbers as they stand.
template <class Begins, class Writer>
struct take_key {
  Begins begins;
  Writer writer;
  __device__ void operator()(std::uint64_t row, typename Begins::stored const& key) const {
    writer.write_key(row, begins.code_of(key));
  }
};
/// What a row was folded to: a state, or a word that is one.
template <class State, class Writer>
struct take_state {
  Writer writer;
  template <class Term>
  __device__ void operator()(std::uint64_t row, Term const& x) const {
    writer.write_value(row, static_cast<State>(x));
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
