// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Codes and what lies beside them, which are sorted as numbers of both.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Codes and the words beside them in two arrays, as numbers of which the code is the high part.
template <class Code, class Word>
struct pair_array {
  using number = std::conditional_t<sizeof(Code) + sizeof(Word) <= 8, std::uint64_t, uint128>;
  static constexpr unsigned word_bits = 8 * sizeof(Word);

  struct place {
    Code& code;
    Word& word;
    __device__ operator number() const { return static_cast<number>(code) << word_bits | word; }
    __device__ place const& operator=(number x) const {
      code = static_cast<Code>(x >> word_bits);
      word = static_cast<Word>(x);
      return *this;
    }
  };

  Code* codes;
  Word* words;

  __device__ place operator[](std::uint32_t i) const { return {codes[i], words[i]}; }
  __device__ void put(std::uint32_t i, Code code, Word word) const {
    codes[i] = code;
    words[i] = word;
  }
  __device__ pair_array operator+(std::uint32_t i) const { return {codes + i, words + i}; }
};

/// The same in shared memory, by their addresses.
template <class Code, class Word>
struct shared_pairs {
  std::uint32_t codes;
  std::uint32_t words;

  __device__ Code& code(std::uint32_t i) const {
    return *shared_pointer<Code>(codes + i * static_cast<std::uint32_t>(sizeof(Code)));
  }
  __device__ Word& word(std::uint32_t i) const {
    return *shared_pointer<Word>(words + i * static_cast<std::uint32_t>(sizeof(Word)));
  }
  __device__ pair_array<Code, Word> from(std::uint32_t i) const { return {&code(i), &word(i)}; }
};

/// What is sorted, where a small_sort is given where it stands.
template <class Numbers>
struct number_in {
  using type = typename Numbers::number;
};
template <class T>
struct number_in<T*> {
  using type = T;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
