// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What rows of sorted codes have beside them, as states, and where keys and results are written.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

// --- what is sorted with keys --------------------------------------------------------------------

/// Values of up to 8 bytes as words, or the numbers of larger ones.
template <class Fold, class Values, class Word>
struct word_of_value {
  Values values;

  __device__ Word operator()(std::uint64_t i) const {
    using value = typename Fold::value;
    if constexpr (sizeof(value) <= 8) {
      value const x = detail::convert<value>(
          static_cast<value_t<Values>>(values[static_cast<difference_t<Values>>(i)]));
      Word word = 0;
      memcpy(&word, &x, sizeof x);
      return word;
    } else {
      return static_cast<Word>(i);
    }
  }
};

template <class WordOf, class Word>
__global__ void carry_words(WordOf const word, std::uint64_t const n, Word* const words) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    words[i] = word(i);
  }
}

// --- what is folded: a state for each of some words side by side ---------------------------------

/// Values of up to 8 bytes that were sorted with their keys.
template <class Fold, class Word>
struct carried_states {
  using state = typename Fold::state;
  using word = Word;
  Fold fold;
  Word const* words;

  __device__ state of(Word const& word) const {
    using value = typename Fold::value;
    alignas(value) unsigned char bytes[sizeof(value)];
    memcpy(bytes, &word, sizeof(value));
    return detail::started(fold, *reinterpret_cast<value const*>(bytes));
  }
  /// Value i, of a number.
  __device__ typename Fold::value value_at(std::uint64_t i) const {
    typename Fold::value x = 0;
    memcpy(&x, words + i, sizeof x);
    return x;
  }
};

/// Values of which only the numbers were sorted.
template <class Fold, class Values>
struct numbered_states {
  using state = typename Fold::state;
  using word = std::uint32_t;
  Fold fold;
  Values values;
  word const* words;

  __device__ state of(word number) const {
    return detail::started(
        fold, detail::convert<typename Fold::value>(
                  static_cast<value_t<Values>>(values[static_cast<difference_t<Values>>(number)])));
  }
};

/// Keys are counted: one each, see count_runs(), or as often as hash tables have counted them.
struct one_each {
  using state = std::uint64_t;
};
struct counted_states {
  using state = std::uint64_t;
  using word = std::uint32_t;
  word const* words;
  __device__ state of(word count) const { return count; }
};

/// What hash tables left of values, by the numbers of rows.
template <class State>
struct states_of_rows {
  using state = State;
  using word = std::uint32_t;
  State const* states;
  word const* words;

  __device__ State of(word number) const { return states[number]; }
};

// --- where it goes -------------------------------------------------------------------------------

/// The key and the result of row r.
template <class Kind, class Key, class Fold, class KeysOut, class ValuesOut>
struct row_writer {
  Fold fold;
  KeysOut keys;
  ValuesOut values;

  __device__ void write_key(std::uint64_t row, typename Kind::code const& code) const {
    using written = typename folded_of<KeysOut, Key>::type;
    *(keys + static_cast<std::ptrdiff_t>(row)) =
        static_cast<written>(Kind::template decode<Key>(code));
  }
  /// The same behind so many rows.
  row_writer behind(std::uint64_t rows) const {
    auto const by = static_cast<std::ptrdiff_t>(rows);
    return {fold, keys + by, values + by};
  }
  /// The same rows of a fold that is summed in another way.
  template <class Other>
  row_writer<Kind, Key, Other, KeysOut, ValuesOut> with(Other const& other) const {
    return {other, keys, values};
  }
  __device__ void write_value(std::uint64_t row, typename Fold::state const& state) const {
    using written = typename folded_of<ValuesOut, result_t<Fold>>::type;
    *(values + static_cast<std::ptrdiff_t>(row)) = fold.template finish<written>(state);
  }
  /// A key that equals no other one, as it stands in the input.
  template <class Value>
  __device__ void write_alone(std::uint64_t row, Key const& key, Value const& value) const {
    using written = typename folded_of<KeysOut, Key>::type;
    *(keys + static_cast<std::ptrdiff_t>(row)) = static_cast<written>(key);
    write_value(row, detail::started(fold, detail::convert<typename Fold::value>(value)));
  }
};

/// The rows of keys that equal no other one: each has its own value.
template <class Keys, class Values, class Writer>
__global__ void write_alone(
    Keys const keys, Values const values, place_list const places, std::uint64_t const n,
    std::uint64_t const first_row, Writer const writer) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint64_t const place = places.get(i);
    writer.write_alone(
        first_row + i, static_cast<value_t<Keys>>(keys[static_cast<difference_t<Keys>>(place)]),
        static_cast<value_t<Values>>(values[static_cast<difference_t<Values>>(place)]));
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
