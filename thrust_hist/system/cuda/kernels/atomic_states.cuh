// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// States in memory that several threads fold values into, without locks: by the hardware's atomics
/// on numbers as they are, or by comparing and swapping the words of any state of up to 8 bytes.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/system/cuda/kernels/atomic_words.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether a fold adds real numbers, and rounds at each addition.
template <class Fold>
inline constexpr bool adds_reals =
    std::is_floating_point_v<typename Fold::value>&& Fold::kind == operator_kind::sum;

/// Whether states of a fold can be compared and swapped as words, or parts of one.
template <class Fold>
inline constexpr bool can_swap = std::is_same_v<typename Fold::value, typename Fold::state>&&
                                     std::is_trivially_copyable_v<typename Fold::state> &&
                                 (sizeof(typename Fold::state) == 1 ||
                                  sizeof(typename Fold::state) == 2 ||
                                  sizeof(typename Fold::state) == 4 ||
                                  sizeof(typename Fold::state) == 8);

#pragma GCC visibility push(hidden)

/// The least or greatest real number: as integers, those of a sign are in order or in reverse.
template <class Fold, class Value>
__device__ inline void pick_atomically(Value* place, Value x) {
  using key = std::conditional_t<sizeof(Value) == 4, int, long long>;
  using bits = std::conditional_t<sizeof(Value) == 4, unsigned, unsigned long long>;
  if (detail::is_nan(x)) {
    return;
  }
  constexpr bool least = Fold::kind == operator_kind::minimum;
  auto const word = detail::bit_cast<key>(detail::with_one_zero(x));
  if ((word >= 0) == least) {
    least ? atomicMin(reinterpret_cast<key*>(place), word)
          : static_cast<key>(atomicMin(reinterpret_cast<bits*>(place), static_cast<bits>(word)));
  } else {
    least ? static_cast<key>(atomicMax(reinterpret_cast<bits*>(place), static_cast<bits>(word)))
          : atomicMax(reinterpret_cast<key*>(place), word);
  }
}

/// Folds a value into a state. The fold is one of the hardware's atomics.
template <class Fold>
__device__ inline void fold_atomically(typename Fold::state* place, typename Fold::value const& x) {
  using value = typename Fold::value;
  if constexpr (adds_reals<Fold>) {
    atomicAdd(place, x);
  } else if constexpr (std::is_floating_point_v<value>) {
    cuda::pick_atomically<Fold>(place, x);
  } else {
    using word_of = atomic_word<value, Fold::kind>;
    word_of::fold_atomically(reinterpret_cast<typename word_of::type*>(place), word_of::encode(x));
  }
}

/// Folds a value into a state that begins at a multiple of its size. For few threads at a time:
/// they keep each other from it, the more of them the more often.
template <class Fold>
__device__ inline void fold_by_swap(
    Fold const& fold, typename Fold::state* place, typename Fold::value const& x) {
  using state = typename Fold::state;
  using word = std::conditional_t<sizeof(state) == 8, unsigned long long, unsigned>;
  auto const address = reinterpret_cast<std::uintptr_t>(place);
  auto* const words = reinterpret_cast<word*>(address / sizeof(word) * sizeof(word));
  auto const bit = static_cast<unsigned>(address % sizeof(word)) * 8;
  word seen = *static_cast<word volatile*>(words);
  for (bool done = false; !done;) {
    alignas(state) alignas(word) unsigned char bytes[sizeof(word)];
    word next = seen >> bit;
    memcpy(bytes, &next, sizeof bytes);
    fold.merge(*reinterpret_cast<state*>(bytes), x);
    memcpy(&next, bytes, sizeof next);
    if constexpr (sizeof(state) < sizeof(word)) {
      constexpr word all = (word{1} << (8 * sizeof(state) % 32)) - 1;
      next = (seen & ~(all << bit)) | ((next & all) << bit);
    }
    word const before = next == seen ? seen : atomicCAS(words, seen, next);
    done = before == seen;
    seen = before;
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
