// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What becomes of real numbers that lie outside of the windows of a block, in global memory. Each
/// has `begin()` and `deliver()`, which all threads of the block call, and `add(bin, base, x)`.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/hot_limbs.cuh>
#include <thrust_hist/system/cuda/kernels/hot_words.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/windows.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What becomes of numbers outside of the windows of a block: they are added to the sums of all
/// bins. `Sums`: as a pointer to these.
template <class T, class Sums>
struct outside_to_sums {
  using description = outside_to_sums;
  Sums sums;
  __device__ static outside_to_sums make(description const& d, std::uint32_t) { return d; }
  __device__ void begin() const {}
  __device__ void add(std::uint32_t bin, int base, T x) const {
    cuda::add_outside(sums + bin, base, x);
  }
  __device__ void deliver() const {}
};

/// The same where they may be many: frequent bins have places for them.
template <class T, class Sums>
class outside_to_places {
public:
  static constexpr bool is_exact = !std::is_same_v<Sums, T*>;
  using fold = plain_fold<T, known_operator<operator_kind::sum>>;
  using places = hot_places<std::conditional_t<is_exact, hot_limbs<T>, hot_words<fold>>>;
  /// Of a place, beside its name.
  static constexpr std::size_t place_bytes =
      is_exact ? hot_limbs<T>::parts * sizeof(std::uint32_t) : sizeof(T);

  struct description {
    Sums sums;
    std::uint32_t entries;
  };
  /// `memory`: shared address of what the plan has for so many entries.
  __device__ static outside_to_places make(description const& d, std::uint32_t memory) {
    return {d.sums, make_places(d.entries, memory)};
  }

  __device__ void begin() const { places_.begin(); }
  __device__ void add(std::uint32_t bin, int base, T x) {
    if (!places_.add(bin, x)) {
      cuda::add_outside(sums_ + bin, base, x);
    }
  }
  __device__ void deliver() const {
    if constexpr (is_exact) {
      cuda::flush_limbs<T>(places_, sums_);
    } else {
      places_.flush([&](std::uint64_t bin, T x) { cuda::add_to_sum(sums_ + bin, x); });
    }
  }

private:
  __device__ outside_to_places(Sums const& sums, places const& of_bins)
      : sums_(sums), places_(of_bins) {}
  __device__ static places make_places(std::uint32_t entries, std::uint32_t memory) {
    if constexpr (is_exact) {
      return cuda::make_hot_limbs<T>(entries, memory);
    } else {
      return cuda::make_hot_words(fold{{}, 0}, entries, memory);
    }
  }

  Sums sums_;
  places places_;
};

/// Adds a number to a window in global memory that ends where one in shared memory begins, or where
/// it lies outside of this one too, to a long accumulator. Out of line, as add_to_long() is.
__device__ THRUST_HIST_NOINLINE inline void add_below(
    carry_save<float>* sum, unsigned long long* below, int base, float x) {
  using shape = window<float>;
  placed<float> const number = cuda::place_in_window(x, base - shape::binades);
  if (below != nullptr &&
      static_cast<unsigned>(number.place) < static_cast<unsigned>(shape::binades)) {
    atomicAdd(
        below, static_cast<unsigned long long>(shape::shifted(number.significand, number.place)));
  } else {
    cuda::add_to_long(sum, x);
  }
}

/// Or to a second window in global memory, 64 bits a bin, in units of its lowest bit. There are
/// some copies, among which blocks choose.
struct outside_to_windows {
  using description = outside_to_windows;
  carry_save<float>* sums;
  unsigned long long* below;
  std::uint32_t bins;
  unsigned copies;  ///< 0, or a power of two

  __device__ static outside_to_windows make(description const& d, std::uint32_t) { return d; }
  __device__ void begin() const {}
  __device__ void deliver() const {}
  __device__ unsigned long long* of(unsigned copy, std::uint32_t bin) const {
    return below + std::uint64_t{copy} * bins + bin;
  }
  __device__ void add(std::uint32_t bin, int base, float x) const {
    // None lies where numbers are subnormal.
    bool const any = copies != 0 && base >= window<float>::binades;
    cuda::add_below(sums + bin, any ? of(blockIdx.x & (copies - 1), bin) : nullptr, base, x);
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
