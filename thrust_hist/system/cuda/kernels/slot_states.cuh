// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: what values are folded into in the slots of a hash table, one or more arrays of
/// words in shared memory. `add(slot, x)` says whether x could be folded there, and `is_used(slot)`
/// whether anything was.
///
/// Equal keys would wait for each other there: `take(sum, x)` folds several of a lane, as far as it
/// can, beginning with `nothing()`. `add_pair(slot, sum)` folds at most two of them into a slot, if
/// the class says that `joins_pairs`, and `add_of_warp(slot, sum)`, which all lanes of a warp call,
/// those of all.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/atomic_words.cuh>
#include <thrust_hist/system/cuda/kernels/bucket_sums.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/window_table.cuh>
#include <thrust_hist/system/cuda/kernels/word_tables.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What the hardware's atomics fold: a word for each slot.
template <class Fold>
class slot_words {
public:
  using value = typename Fold::value;
  using state = value;
  using word_of = atomic_word<value, Fold::kind>;
  using word = typename word_of::type;
  static constexpr unsigned words = sizeof(word) / 4;  ///< of 32 bits
  using several = word;
  static constexpr bool joins_pairs = true;

  struct description {
    Fold fold;
  };

  __device__ slot_words(description const& d, std::uint32_t address, std::uint32_t slots)
      : nothing_(word_of::encode(d.fold.empty())), words_(address), slots_(slots) {}
  __device__ void clear() const {
    for (std::uint32_t i = threadIdx.x; i < slots_; i += blockDim.x) {
      shared_pointer<word>(words_)[i] = nothing_;
    }
  }
  /// Of real numbers the one that changes nothing is left out: that is how an empty slot looks.
  __device__ bool add(std::uint32_t slot, value x) const {
    word const encoded = word_of::encode(x);
    if (!word_of::counts(x) || (std::is_floating_point_v<value> && encoded == nothing_)) {
      return false;
    }
    word_of::fold_atomically(shared_pointer<word>(words_) + slot, encoded);
    return true;
  }
  __device__ several nothing() const { return nothing_; }
  __device__ bool take(several& sum, value x) const {
    word const encoded = word_of::encode(x);
    if (!word_of::counts(x) || (std::is_floating_point_v<value> && encoded == nothing_)) {
      return false;
    }
    sum = word_of::fold(sum, encoded);
    return true;
  }
  __device__ void add_pair(std::uint32_t slot, several sum) const {
    word_of::fold_atomically(shared_pointer<word>(words_) + slot, sum);
  }
  __device__ void add_of_warp(std::uint32_t slot, several sum) const {
    sum = cuda::over_warp(sum, [](word a, word b) { return word_of::fold(a, b); });
    if (threadIdx.x % 32 == 0) {
      add_pair(slot, sum);
    }
  }
  __device__ bool is_used(std::uint32_t slot) const {
    return !std::is_floating_point_v<value> || shared_pointer<word>(words_)[slot] != nothing_;
  }
  __device__ state state_of(std::uint32_t slot) const {
    return word_of::decode(shared_pointer<word>(words_)[slot]);
  }

private:
  word nothing_;
  std::uint32_t words_;
  std::uint32_t slots_;
};

/// Sums of 64 bits in two words: the lower one tells by its old value whether it carries.
template <class Fold>
class slot_long_sums {
public:
  using value = typename Fold::value;
  using state = value;
  static constexpr unsigned words = 2;
  using several = std::uint64_t;
  static constexpr bool joins_pairs = true;

  struct description {
    Fold fold;
  };

  __device__ slot_long_sums(description const&, std::uint32_t address, std::uint32_t slots)
      : words_(address), slots_(slots) {}
  __device__ void clear() const {
    for (std::uint32_t i = threadIdx.x; i < 2 * slots_; i += blockDim.x) {
      shared_pointer<std::uint32_t>(words_)[i] = 0;
    }
  }
  __device__ bool add(std::uint32_t slot, value x) const {
    auto const low = static_cast<std::uint32_t>(x);
    std::uint32_t const before = cuda::add_shared(words_ + slot * 4, low);
    auto const high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(x) >> 32) +
                      (before + low < low ? 1 : 0);
    if (high != 0) {
      cuda::increase_shared(words_ + (slots_ + slot) * 4, high);
    }
    return true;
  }
  __device__ several nothing() const { return 0; }
  __device__ bool take(several& sum, value x) const {
    sum += static_cast<several>(x);
    return true;
  }
  __device__ void add_pair(std::uint32_t slot, several sum) const {
    add(slot, static_cast<value>(sum));
  }
  __device__ void add_of_warp(std::uint32_t slot, several sum) const {
    sum = cuda::over_warp(sum, [](several a, several b) { return a + b; });
    if (threadIdx.x % 32 == 0) {
      add_pair(slot, sum);
    }
  }
  __device__ bool is_used(std::uint32_t) const { return true; }
  __device__ state state_of(std::uint32_t slot) const {
    auto const* const data = shared_pointer<std::uint32_t const>(words_);
    return static_cast<value>(data[slot] + (std::uint64_t{data[slots_ + slot]} << 32));
  }

private:
  std::uint32_t words_;
  std::uint32_t slots_;
};

/// Sums of real numbers of a dozen binades, exact until they are delivered.
template <class Fold>
class slot_window {
public:
  using value = typename Fold::value;
  using state = value;
  using shape = window<value>;
  static constexpr unsigned words = 3;
  using several = typename shape::few;
  static constexpr bool joins_pairs =
      sizeof(value) == 4;  // of doubles registers have no room for two sums

  struct description {
    window_facts const* facts;
  };

  __device__ slot_window(description const& d, std::uint32_t address, std::uint32_t slots)
      : words_(address), slots_(slots), base_(d.facts->base) {}
  __device__ void clear() const {
    for (std::uint32_t i = threadIdx.x; i < words * slots_; i += blockDim.x) {
      shared_pointer<std::uint32_t>(words_)[i] = 0;
    }
  }
  __device__ bool add(std::uint32_t slot, value x) const {
    placed<value> const number = cuda::place_in_window(x, base_);
    bool const is_inside =
        static_cast<unsigned>(number.place) < static_cast<unsigned>(shape::binades);
    if (!is_inside) {
      return is_zero(x);  // zero adds nothing
    }
    shape::add(words_ + slot * 4, slots_ * 4, number.significand, number.place);
    return true;
  }
  __device__ several nothing() const { return 0; }
  __device__ bool take(several& sum, value x) const {
    placed<value> const number = cuda::place_in_window(x, base_);
    bool const is_inside =
        static_cast<unsigned>(number.place) < static_cast<unsigned>(shape::binades);
    auto const significand = static_cast<std::uint64_t>(std::int64_t{number.significand});
    sum += is_inside ? static_cast<std::int64_t>(significand << number.place) : 0;
    return is_inside || is_zero(x);
  }
  __device__ void add_pair(std::uint32_t slot, several sum) const {
    shape::add_pair(words_ + slot * 4, slots_ * 4, sum);
  }
  __device__ void add_of_warp(std::uint32_t slot, several sum) const {
    several const all = shape::over_warp(sum);
    if (threadIdx.x % 32 == 0) {
      shape::add_few(words_ + slot * 4, slots_ * 4, all);
    }
  }
  __device__ bool is_used(std::uint32_t) const { return true; }
  __device__ state state_of(std::uint32_t slot) const {
    auto const* const data = shared_pointer<std::uint32_t const>(words_);
    auto const total = shape::read(data[slot], data[slots_ + slot], data[2 * slots_ + slot]);
    return static_cast<value>(scalbn(cuda::to_double(total), base_ + ieee_layout<value>::lowest));
  }

private:
  /// By its bits, so that no subnormal number is one, whatever the compiler flushes.
  __device__ static bool is_zero(value x) {
    using format = limb_format<value>;
    using bits = std::make_unsigned_t<typename format::significand>;
    return (detail::bit_cast<bits>(x) & (~bits{0} >> 1)) == 0;
  }

  std::uint32_t words_;
  std::uint32_t slots_;
  int base_;
};

/// What folds have, void for those whose values find no place in slots.
template <class Fold, class = void>
struct slots_of_fold {
  using type = void;
};
template <class T, operator_kind Kind>
struct slots_of_fold<
    plain_fold<T, known_operator<Kind>>,
    std::enable_if_t<std::is_floating_point_v<T> && Kind == operator_kind::sum>> {
  using type = slot_window<plain_fold<T, known_operator<Kind>>>;
};
template <class T, operator_kind Kind>
struct slots_of_fold<
    plain_fold<T, known_operator<Kind>>,
    std::enable_if_t<folds_by_atomics<T, Kind> && (sizeof(T) >= 4)>> {
  using fold = plain_fold<T, known_operator<Kind>>;
  using type = std::conditional_t<sums_in_two_words<fold>, slot_long_sums<fold>, slot_words<fold>>;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
