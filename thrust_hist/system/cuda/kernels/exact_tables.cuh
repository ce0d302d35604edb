// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables in shared memory for exact sums of real numbers. Both take integers only, by the hardware's
/// atomics: the order of additions changes nothing.
///
/// A window_table has room for numbers of a dozen binades, one atomic each; what lies outside goes to the
/// long accumulators of the bins in global memory. A limb_table holds all of a long accumulator.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/word_tables.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The long accumulators of all bins.
template <class T>
struct long_accumulators {
  carry_save<T>* data;

  __device__ static void add_limb(std::int64_t* limb, std::int64_t x) {
    if (x != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(limb), static_cast<unsigned long long>(x));
    }
  }
  /// A number that no table has room for, or that is none.
  __device__ void add(std::uint64_t bin, dissected<T> const& x) const {
    carry_save<T>& sum = data[bin];
    if (x.kind != special::finite) {
      atomicOr(
          reinterpret_cast<unsigned long long*>(&sum.specials),
          static_cast<unsigned long long>(x.kind));
      return;
    }
    digit_run<T> const run = detail::digits_of(x);
#pragma unroll
    for (int k = 0; k < digit_run<T>::count; ++k) {
      add_limb(sum.limb + run.limb + k, run.digit[k]);
    }
  }
  /// x * 2^bit units; |x| < 2^37.
  __device__ void add_at(std::uint32_t bin, unsigned bit, std::int64_t x) const {
    std::int64_t* const limb = data[bin].limb + bit / 32;
    std::uint64_t const low = (static_cast<std::uint64_t>(x) & 0xffffffffu) << (bit % 32);
    std::int64_t const high = (x >> 32) * (std::int64_t{1} << (bit % 32));
    add_limb(limb, static_cast<std::int64_t>(low & 0xffffffffu));
    add_limb(limb + 1, static_cast<std::int64_t>(low >> 32) + high);
  }
};

/// What a probe of the values says: where the window lies, or that none will do.
struct window_facts {
  int base;       ///< position of the lowest bit
  unsigned wide;  ///< values are spread over more binades than a window has
};

/// Adds to a signed word in shared memory. Returns -1, 0 or 1: what is due to the 33rd bit.
__device__ inline int add_signed(std::uint32_t* word, std::int32_t x) {
  auto const before = static_cast<std::int32_t>(atomicAdd(word, static_cast<std::uint32_t>(x)));
  return detail::carry_of(before, x);
}

// --- windows --------------------------------------------------------------------------------

/// How a number within the window goes to the three words of its bin, and what they hold.
template <class T>
struct window;

/// Two words for binades 0 to 5 and 6 to 11 of the window, one for what these two carry.
template <>
struct window<float> {
  static constexpr int binades = 12;
  static constexpr int step = 6;
  using total = std::int64_t;
  using sum_of_four = std::int64_t;

  __device__ static void add(std::uint32_t* words, std::uint32_t stride, int m, int place) {
    int const upper = place >= step ? 1 : 0;
    int const carry = cuda::add_signed(words + upper * stride, m * (1 << (place - upper * step)));
    if (carry != 0) {
      atomicAdd(
          words + 2 * stride, static_cast<std::uint32_t>(carry * (upper != 0 ? 1 << step : 1)));
    }
  }
  __device__ static void add_sum(std::uint32_t* words, std::uint32_t stride, std::int64_t sum) {
    auto const low = static_cast<std::uint32_t>(sum) & ((1u << step) - 1);
    auto const high = static_cast<std::int32_t>(sum >> step);  // 24 + 12 + 2 - 6 bits and a sign
    int carry = low == 0 ? 0 : cuda::add_signed(words, static_cast<std::int32_t>(low));
    carry += high == 0 ? 0 : cuda::add_signed(words + stride, high) * (1 << step);
    if (carry != 0) {
      atomicAdd(words + 2 * stride, static_cast<std::uint32_t>(carry));
    }
  }
  __device__ static total read(std::uint32_t const* words, std::uint32_t stride) {
    auto const word = [&](unsigned i) {
      return std::int64_t{static_cast<std::int32_t>(words[i * stride])};
    };
    return word(0) + word(1) * (1 << step) + word(2) * (std::int64_t{1} << 32);
  }
};

/// 96 bits, the lowest word unsigned.
template <>
struct window<double> {
  static constexpr int binades = 10;
  using total = int128;
  using sum_of_four = int128;

  __device__ static void add(
      std::uint32_t* words, std::uint32_t stride, std::int64_t m, int place) {
    std::int64_t const x = m * (std::int64_t{1} << place);
    add_parts(words, stride, static_cast<std::uint32_t>(x), x >> 32);
  }
  __device__ static void add_sum(std::uint32_t* words, std::uint32_t stride, int128 sum) {
    add_parts(words, stride, static_cast<std::uint32_t>(sum), static_cast<std::int64_t>(sum >> 32));
  }
  __device__ static total read(std::uint32_t const* words, std::uint32_t stride) {
    return static_cast<int128>(words[0]) +
           static_cast<int128>(static_cast<std::int32_t>(words[stride])) *
               (static_cast<int128>(1) << 32) +
           static_cast<int128>(static_cast<std::int32_t>(words[2 * stride])) *
               (static_cast<int128>(1) << 64);
  }

private:
  __device__ static void add_parts(
      std::uint32_t* words, std::uint32_t stride, std::uint32_t low, std::int64_t rest) {
    if (low != 0) {
      std::uint32_t const before = atomicAdd(words, low);
      rest += before + low < low ? 1 : 0;
    }
    auto const middle = static_cast<std::int32_t>(rest);
    std::int64_t high = (rest - middle) >> 32;
    if (middle != 0) {
      high += cuda::add_signed(words + stride, middle);
    }
    if (high != 0) {
      atomicAdd(words + 2 * stride, static_cast<std::uint32_t>(high));
    }
  }
};

template <class T>
class window_table {
public:
  using shape = window<T>;
  using total = typename shape::total;
  static constexpr unsigned words = 3;

  struct description {
    word_layout<words> layout;
    window_facts const* facts;
    long_accumulators<T> outside;
    total* partial;  // of block b: partial[b * bins + bin], in units of the window's lowest bit
    __device__ bool is_idle() const { return facts->wide != 0; }
    __device__ window_table make(uint4* shared) const {
      return window_table(*this, reinterpret_cast<std::uint32_t*>(shared));
    }
  };

  __device__ window_table(description const& d, std::uint32_t* data)
      : d_(d), data_(data), base_(d.facts->base) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      data_[i] = 0;
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, T x) {
    if (bin < d_.layout.bins) {
      add_to(static_cast<std::uint32_t>(bin), detail::dissect(x));
    } else {
      ++dropped_;
    }
  }
  __device__ void add_four(
      std::uint32_t const (&bins)[pairs_of_group], T const (&x)[pairs_of_group]) {
    if (bins[0] == bins[1] && bins[2] == bins[3] && bins[0] == bins[2] &&
        bins[0] < d_.layout.bins) {
      dissected<T> parts[pairs_of_group];
      typename shape::sum_of_four sum = 0;
      bool fits = true;
#pragma unroll
      for (unsigned i = 0; i < pairs_of_group; ++i) {
        parts[i] = detail::dissect(x[i]);
        fits &= is_inside(parts[i]);
        sum += static_cast<typename shape::sum_of_four>(parts[i].significand)
               << (place_of(parts[i]) & 15);
      }
      if (fits) {
        shape::add_sum(data_ + d_.layout.at(bins[0], 0), d_.layout.copies(), sum);
        return;
      }
    }
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      add(bins[i], x[i]);
    }
  }
  __device__ void deliver() {
    for (std::uint32_t bin = threadIdx.x; bin < d_.layout.bins; bin += blockDim.x) {
      total sum = 0;
      for (std::uint32_t i = 0; i < d_.layout.copies(); ++i) {
        std::uint32_t const copy = (i + threadIdx.x) & (d_.layout.copies() - 1);
        sum += shape::read(
            data_ + ((bin * words) << d_.layout.copies_log2) + copy, d_.layout.copies());
      }
      d_.partial[std::uint64_t{blockIdx.x} * d_.layout.bins + bin] = sum;
    }
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  __device__ int place_of(dissected<T> const& x) const {
    return x.position - base_;
  }
  /// Zero is; infinities and NaN are not.
  __device__ bool is_inside(dissected<T> const& x) const {
    return static_cast<unsigned>(place_of(x)) < static_cast<unsigned>(shape::binades) &&
           x.kind == special::finite;
  }
  __device__ void add_to(std::uint32_t bin, dissected<T> const& x) {
    if (is_inside(x)) {
      shape::add(data_ + d_.layout.at(bin, 0), d_.layout.copies(), x.significand, place_of(x));
    } else if (x.significand != 0 || x.kind != special::finite) {
      d_.outside.add(bin, x);
    }
  }

  description const& d_;
  std::uint32_t* data_;
  int base_;
  std::uint32_t dropped_ = 0;
};

// --- limbs ----------------------------------------------------------------------------------

/// Limbs of so few bits in words of 32 that one in a hundred additions carries.
template <class T>
struct limb_shape;
template <>
struct limb_shape<float> {
  static constexpr int radix = 24;
  static constexpr int digits = 2;
  static constexpr unsigned words = 13;
};
template <>
struct limb_shape<double> {
  static constexpr int radix = 26;
  static constexpr int digits = 3;
  static constexpr unsigned words = 82;
};

template <class T>
class limb_table {
public:
  using shape = limb_shape<T>;
  static constexpr unsigned words = shape::words;
  static constexpr std::int32_t mask = (1 << shape::radix) - 1;

  struct description {
    word_layout<words> layout;
    window_facts const* facts;  // or null: this table takes all
    long_accumulators<T> sums;
    __device__ bool is_idle() const { return facts != nullptr && facts->wide == 0; }
    __device__ limb_table make(uint4* shared) const {
      return limb_table(*this, reinterpret_cast<std::uint32_t*>(shared));
    }
  };

  __device__ limb_table(description const& d, std::uint32_t* data) : d_(d), data_(data) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      data_[i] = 0;
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, T x) {
    if (bin >= d_.layout.bins) {
      ++dropped_;
      return;
    }
    dissected<T> const parts = detail::dissect(x);
    if (parts.significand != 0) {
      add_digits(static_cast<std::uint32_t>(bin), parts.significand, parts.position);
    } else if (parts.kind != special::finite) {
      d_.sums.add(static_cast<std::uint32_t>(bin), parts);
    }
  }
  __device__ void add_four(
      std::uint32_t const (&bins)[pairs_of_group], T const (&x)[pairs_of_group]) {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      add(bins[i], x[i]);
    }
  }
  __device__ void deliver() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.bins * words; i += blockDim.x) {
      std::int64_t sum = 0;
      for (std::uint32_t c = 0; c < d_.layout.copies(); ++c) {
        std::uint32_t const copy = (c + threadIdx.x) & (d_.layout.copies() - 1);
        sum += static_cast<std::int32_t>(data_[(i << d_.layout.copies_log2) + copy]);
      }
      if (sum != 0) {
        d_.sums.add_at(i / words, i % words * shape::radix, sum);
      }
    }
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  __device__ void add_digits(std::uint32_t bin, std::int64_t m, int position) {
    int const limb = position / shape::radix;
    int const shift = position % shape::radix;
    std::uint32_t* word = data_ + d_.layout.at(bin, static_cast<std::uint32_t>(limb));
    std::int32_t digit = static_cast<std::int32_t>(static_cast<std::uint64_t>(m) << shift) & mask;
#pragma unroll
    for (int k = 0; k < shape::digits; ++k, word += d_.layout.copies()) {
      if (k > 0) {
        std::int64_t const rest = m >> (k * shape::radix - shift);
        digit = k + 1 < shape::digits ? static_cast<std::int32_t>(rest) & mask
                                      : static_cast<std::int32_t>(rest);
      }
      int const carry = digit == 0 ? 0 : cuda::add_signed(word, digit);
      if (carry != 0) {
        carry_on(word + d_.layout.copies(), carry);
      }
    }
  }
  __device__ THRUST_HIST_NOINLINE void carry_on(std::uint32_t* word, int carry) const {
    constexpr std::int32_t unit = 1 << (32 - shape::radix);
    for (; carry != 0; word += d_.layout.copies()) {
      carry = cuda::add_signed(word, carry * unit);
    }
  }

  description const& d_;
  std::uint32_t* data_;
  std::uint32_t dropped_ = 0;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
