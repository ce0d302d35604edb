// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables of a bucket for sums of real numbers, and how they reach the sums of all bins: rounded, or to
/// long accumulators that round nothing.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/bucket_tables.cuh>
#include <thrust_hist/system/cuda/kernels/exact_tables.cuh>

#include <cmath>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Sums that are rounded whenever something is added.
template <class T>
struct rounded_sums {
  T* data;

  __device__ rounded_sums from(std::uint64_t bin) const { return {data + bin}; }
  __device__ void add(std::uint64_t bin, dissected<T> const& x) const {
    T const infinity = static_cast<T>(INFINITY);
    atomicAdd(
        data + bin,
        x.kind == special::finite
            ? scaled(static_cast<T>(x.significand), x.position)
            : x.kind == special::not_a_number ? static_cast<T>(NAN)
                                              : x.kind == special::plus_infinity ? infinity
                                                                                 : -infinity);
  }
  /// total * 2^base units.
  __device__ void add_total(std::uint32_t bin, std::int64_t total, int base, bool alone) const {
    add_rounded(bin, static_cast<T>(scaled(static_cast<double>(total), base)), alone);
  }
  __device__ void add_total(std::uint32_t bin, int128 total, int base, bool alone) const {
    double const low = static_cast<double>(static_cast<std::uint64_t>(total));
    double const high = static_cast<double>(static_cast<std::int64_t>(total >> 64));
    // The lower half has fewer bits than it seems where the upper is -1, so they are added as scaled.
    add_rounded(bin, static_cast<T>(scaled(high * 0x1p64 + low, base)), alone);
  }
  /// Digits of `radix` bits, the lowest first, in units.
  __device__ void add_digits(
      std::uint32_t bin, std::uint32_t const* words, unsigned count, int radix, bool alone) const {
    double sum = 0;
    for (unsigned i = count; i-- > 0;) {
      double const digit = static_cast<std::int32_t>(words[i]);
      sum += digit == 0 ? 0 : scaled(digit, static_cast<int>(i) * radix);
    }
    add_rounded(bin, static_cast<T>(sum), alone);
  }

private:
  template <class X>
  __device__ static X scaled(X x, int position) {
    return scalbn(x, position + ieee_layout<T>::lowest);
  }
  __device__ void add_rounded(std::uint32_t bin, T x, bool alone) const {
    if (x == T{}) {
      return;
    }
    if (alone) {  // what atomics of this block have added is in the second-level cache
      __stcg(data + bin, __ldcg(data + bin) + x);
    } else {
      atomicAdd(data + bin, x);
    }
  }
};

/// Sums that are never rounded.
template <class T>
struct exact_sums {
  long_accumulators<T> sums;

  __device__ exact_sums from(std::uint64_t bin) const { return {{sums.data + bin}}; }
  __device__ void add(std::uint64_t bin, dissected<T> const& x) const { sums.add(bin, x); }
  template <class Total>
  __device__ void add_total(std::uint32_t bin, Total total, int base, bool) const {
    // 32 bits at a time: add_at takes no more than 37.
    for (int at = base; total != 0; at += 32) {
      bool const last = total == static_cast<std::int32_t>(total);
      sums.add_at(
          bin, static_cast<unsigned>(at),
          last ? static_cast<std::int64_t>(total)
               : static_cast<std::int64_t>(static_cast<std::uint32_t>(total)));
      total = last ? 0 : total >> 32;
    }
  }
  __device__ void add_digits(
      std::uint32_t bin, std::uint32_t const* words, unsigned count, int radix, bool) const {
    for (unsigned i = 0; i < count; ++i) {
      if (words[i] != 0) {
        sums.add_at(
            bin, i * static_cast<unsigned>(radix), static_cast<std::int32_t>(words[i]));
      }
    }
  }
};

/// The window of values of a dozen binades; others go to the sums one by one. `Sums` is one of the above.
template <class T, class Sums>
class bucket_window : public window_table<T, Sums> {
public:
  using value = T;
  using inner_table = window_table<T, Sums>;
  static constexpr std::size_t bin_bytes = inner_table::words * sizeof(std::uint32_t);

  struct of_bucket {
    typename inner_table::description inner;
    __device__ bucket_window make(uint4* shared) const {
      return bucket_window(*this, reinterpret_cast<std::uint32_t*>(shared));
    }
  };
  struct description {
    window_facts const* facts;
    Sums sums;
    __device__ bool is_idle() const { return facts->wide != 0; }
    __device__ of_bucket at(std::uint64_t first_bin, std::uint32_t bins) const {
      return {{{bins, 0}, facts, sums.from(first_bin), nullptr}};
    }
  };

  __device__ bucket_window(of_bucket const& d, std::uint32_t* data)
      : inner_table(d.inner, data), d_(d.inner), data_(data) {}

  __device__ void deliver(bool alone) const {
    int const base = d_.facts->base;
    for (std::uint32_t i = threadIdx.x; i < d_.layout.bins; i += blockDim.x) {
      std::uint32_t const bin = alone ? i : (i + blockIdx.x * blockDim.x) % d_.layout.bins;
      auto const total = window<T>::read(data_ + bin * inner_table::words, 1);
      if (total != 0) {
        d_.outside.add_total(bin, total, base, alone);
      }
    }
  }

private:
  typename inner_table::description const d_;
  std::uint32_t* data_;
};

/// Limbs for values of all exponents.
template <class T, class Sums>
class bucket_limbs : public limb_table<T, Sums> {
public:
  using value = T;
  using inner_table = limb_table<T, Sums>;
  static constexpr std::size_t bin_bytes = inner_table::words * sizeof(std::uint32_t);

  struct of_bucket {
    typename inner_table::description inner;
    __device__ bucket_limbs make(uint4* shared) const {
      return bucket_limbs(*this, reinterpret_cast<std::uint32_t*>(shared));
    }
  };
  struct description {
    window_facts const* facts;
    Sums sums;
    __device__ bool is_idle() const { return facts->wide == 0; }
    __device__ of_bucket at(std::uint64_t first_bin, std::uint32_t bins) const {
      return {{{bins, 0}, facts, sums.from(first_bin)}};
    }
  };

  __device__ bucket_limbs(of_bucket const& d, std::uint32_t* data)
      : inner_table(d.inner, data), d_(d.inner), data_(data) {}

  __device__ void deliver(bool alone) const {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.bins; i += blockDim.x) {
      std::uint32_t const bin = alone ? i : (i + blockIdx.x * blockDim.x) % d_.layout.bins;
      d_.sums.add_digits(
          bin, data_ + bin * inner_table::words, inner_table::words, limb_shape<T>::radix, alone);
    }
  }

private:
  typename inner_table::description const d_;
  std::uint32_t* data_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
