// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a sparse histogram reads, keys with values beside them, and where its rows go: iterators
/// with room enough, or containers that get just the room they need.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/sparse_folds.h>

#include <thrust/pair.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// `keys` says what equal keys are, see sparse_keys.h.
template <class Keys, class Values, class KeyKind>
struct sparse_pairs {
  using key = value_t<Keys>;
  using value = value_t<Values>;
  using kind = KeyKind;

  Keys first;
  Values values;
  std::uint64_t n;
  KeyKind keys;

  key key_at(std::uint64_t i) const { return *(first + static_cast<difference_t<Keys>>(i)); }
  value value_at(std::uint64_t i) const { return *(values + static_cast<difference_t<Values>>(i)); }
};

template <class Value>
inline constexpr std::size_t bytes_of_value = std::is_empty_v<Value> ? 0 : sizeof(Value);

/// Outputs with room for every input.
template <class KeysOut, class ValuesOut>
class rows_by_iterators {
public:
  using key_iterator = KeysOut;
  using value_iterator = ValuesOut;
  static constexpr bool has_room = true;  ///< for as many rows as inputs

  rows_by_iterators(KeysOut keys, ValuesOut values) : keys_(keys), values_(values) {}

  void make_room(std::uint64_t) const noexcept {}
  KeysOut keys() const { return keys_; }
  ValuesOut values() const { return values_; }
  /// The ends of the output.
  thrust::pair<KeysOut, ValuesOut> finish(std::uint64_t rows) const {
    auto const distance = static_cast<std::ptrdiff_t>(rows);
    return {keys_ + distance, values_ + distance};
  }
  /// What a call returns that has run nothing.
  thrust::pair<KeysOut, ValuesOut> untouched() const { return {keys_, values_}; }

private:
  KeysOut keys_;
  ValuesOut values_;
};

/// Containers as outputs. They are made smaller only when all is done, and if anything throws, they
/// are as they were.
template <class KeyContainer, class ValueContainer>
class rows_in_containers {
public:
  using key_iterator = decltype(std::declval<KeyContainer&>().begin());
  using value_iterator = decltype(std::declval<ValueContainer&>().begin());
  static constexpr bool has_room = false;

  rows_in_containers(KeyContainer& keys, ValueContainer& values)
      : keys_(keys), values_(values), keys_before_(keys.size()), values_before_(values.size()) {}
  ~rows_in_containers() {
    if (!finished_) {
      trim(keys_, keys_before_);
      trim(values_, values_before_);
    }
  }
  rows_in_containers(rows_in_containers const&) = delete;
  rows_in_containers& operator=(rows_in_containers const&) = delete;

  void make_room(std::uint64_t rows) const {
    if (rows > keys_before_) {
      keys_.resize(static_cast<std::size_t>(rows));
    }
    if (rows > values_before_) {
      values_.resize(static_cast<std::size_t>(rows));
    }
  }
  key_iterator keys() const { return keys_.begin(); }
  value_iterator values() const { return values_.begin(); }
  thrust::pair<key_iterator, value_iterator> finish(std::uint64_t rows) {
    trim(keys_, static_cast<std::size_t>(rows));
    trim(values_, static_cast<std::size_t>(rows));
    finished_ = true;
    return ends();
  }
  thrust::pair<key_iterator, value_iterator> untouched() { return ends(); }

private:
  thrust::pair<key_iterator, value_iterator> ends() { return {keys_.end(), values_.end()}; }
  template <class Container>
  static void trim(Container& c, std::size_t size) {
    if (c.size() > size) {
      c.resize(size);
    }
  }

  KeyContainer& keys_;
  ValueContainer& values_;
  std::size_t keys_before_;
  std::size_t values_before_;
  bool finished_ = false;
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
