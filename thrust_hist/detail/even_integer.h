// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Even bins over integers: floor((x - lower) * bins / (upper - lower)), exact for every range of
/// every width, with multiplications only.
///
/// Let r = upper - lower and bins = whole * r + rest. Then the bin of d = x - lower is
/// d * whole + floor(d * rest / r), and with m = ceil(rest * 2^k / r) the floor is
/// (d * m) >> k as long as d * r <= 2^k: m exceeds the true ratio by less than 2^-k, so the
/// product by less than d / 2^k <= 1 / r, while d * rest / r is a multiple of 1 / r and so misses
/// the next integer by at least that (Granlund and Montgomery, 1994, for a fraction).

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/by_search.h>
#include <thrust_hist/detail/compare.h>
#include <thrust_hist/detail/levels.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The upper 64 bits of a 64 x 64 bit product.
THRUST_HIST_HOST_DEVICE inline std::uint64_t multiply_high(
    std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  return static_cast<std::uint64_t>((static_cast<uint128>(a) * b) >> 64);
#endif
}

/// distance * whole + (distance * fraction) >> 128.
THRUST_HIST_HOST_DEVICE inline std::uint64_t wide_scaled(
    std::uint64_t distance, std::uint64_t whole, std::uint64_t fraction_low,
    std::uint64_t fraction_high) noexcept {
  std::uint64_t const low = multiply_high(distance, fraction_low);
  std::uint64_t const middle = distance * fraction_high;
  std::uint64_t const carry = low + middle < low ? 1 : 0;
  return distance * whole + multiply_high(distance, fraction_high) + carry;
}

// Out of line: they are long, rarely run, and stand in a loop that is unrolled.
THRUST_HIST_NOINLINE THRUST_HIST_HOST_DEVICE inline std::uint64_t rarely_wide_scaled(
    std::uint64_t distance, std::uint64_t whole, std::uint64_t fraction_low,
    std::uint64_t fraction_high) noexcept {
  return wide_scaled(distance, whole, fraction_low, fraction_high);
}
THRUST_HIST_NOINLINE THRUST_HIST_HOST_DEVICE inline std::uint64_t rarely_divided(
    uint128 distance, std::uint64_t bins, uint128 range) noexcept {
  return static_cast<std::uint64_t>(distance * bins / range);
}

/// Even bins over distances below 2^narrow_bits, where a few products of 32 bits will do: what
/// loops over samples run whenever they can.
template <class S>
class narrow_even_bins {
public:
  // One 32-bit product is enough where samples have no more than 16 bits.
  static constexpr int narrow_bits = sizeof(S) <= 2 ? 16 : 32;

  /// The smallest sample that has a bin, how far the largest lies from there, the distance of the
  /// smallest from the lower level, and what distances are multiplied by.
  THRUST_HIST_HOST_DEVICE narrow_even_bins(
      S first, std::uint64_t span, std::uint64_t offset, std::uint64_t whole,
      std::uint64_t fraction, std::uint64_t last) noexcept
      : first_(static_cast<word>(first)), span_(static_cast<word>(span)),
        offset_(static_cast<std::uint32_t>(offset)), whole_(whole), fraction_(fraction),
        last_(last) {}

  template <class Unsigned>
  THRUST_HIST_HOST_DEVICE Unsigned candidate(S x) const noexcept {
    word const from_first = static_cast<word>(x) - first_;
    std::uint32_t const distance = static_cast<std::uint32_t>(from_first) + offset_;
    auto const bin = static_cast<Unsigned>(
        static_cast<Unsigned>(distance) * static_cast<Unsigned>(whole_) +
        static_cast<Unsigned>(scaled(distance, fraction_)));
    auto const last = static_cast<Unsigned>(last_);  // x == upper, inclusive
    constexpr Unsigned none = static_cast<Unsigned>(-1);
    return from_first > span_ ? none : bin < last ? bin : last;
  }

  /// (distance * fraction) >> (2 * narrow_bits).
  THRUST_HIST_HOST_DEVICE static std::uint32_t scaled(
      std::uint32_t distance, std::uint64_t fraction) noexcept {
    std::uint64_t const low = std::uint64_t{distance} * static_cast<std::uint32_t>(fraction);
    if constexpr (narrow_bits == 16) {
      return static_cast<std::uint32_t>(low >> 32);
    } else {
      std::uint64_t const high =
          std::uint64_t{distance} * static_cast<std::uint32_t>(fraction >> 32);
      return static_cast<std::uint32_t>((high + (low >> 32)) >> 32);
    }
  }

private:
  using word = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;

  word first_;
  word span_;
  std::uint32_t offset_;
  std::uint64_t whole_;
  std::uint64_t fraction_;
  std::uint64_t last_;
};

/// Even bins with integer levels, for samples of the integer type S.
template <class S, class Index>
class even_integer_bins {
public:
  using unsigned_sample = std::make_unsigned_t<S>;

  THRUST_HIST_HOST_DEVICE
  even_integer_bins(bin_index bins, level const& lower, level const& upper, bool inclusive) noexcept
      : bins_(static_cast<Index>(bins)), lower_(lower.exact()),
        range_(static_cast<uint128>(upper.exact() - lower_)) {
    int128 const first = lower_ > min_of<S> ? lower_ : static_cast<int128>(min_of<S>);
    int128 const end = upper.exact() + (inclusive ? 1 : 0);
    int128 const past = end <= max_of<S> ? end : static_cast<int128>(max_of<S>) + 1;
    if (first >= past || bins == 0) {
      return;  // no sample of this type has a bin
    }
    first_ = static_cast<S>(first);
    span_ = static_cast<unsigned_sample>(past - 1 - first);
    auto const offset = static_cast<uint128>(first - lower_);
    offset_ = static_cast<std::uint64_t>(offset);
    if (range_ == 0)  // one point, inclusive: all edges are equal, the last bin has it
    {
      offset_ = 1;
      whole_ = static_cast<std::uint64_t>(bins - 1);
      scale_ = scaling::narrow;
      return;
    }
    uint128 const largest = offset + span_;
    if (largest >> narrow_bits == 0 && range_ <= uint128{1} << narrow_bits) {
      scale_ = scaling::narrow;
    } else if (largest >> 32 == 0 && range_ >> 32 == 0) {
      scale_ = scaling::medium;
    } else {
      scale_ = largest >> 64 == 0 && range_ >> 64 == 0 ? scaling::wide : scaling::divide;
    }
    whole_ = static_cast<std::uint64_t>(static_cast<uint128>(bins) / range_);
    set_fraction(static_cast<uint128>(bins) % range_);
  }

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }

  THRUST_HIST_HOST_DEVICE Index operator()(S x) const noexcept {
    auto const from_first = distance_from_first(x);
    if (from_first > span_ || scale_ == scaling::none) {
      return outside(x);
    }
    auto const bin = static_cast<Index>(scaled(from_first));
    return bin < bins_ ? bin : bins_ - 1;  // x == upper, inclusive
  }

  /// Whether narrow() will do.
  THRUST_HIST_HOST_DEVICE bool is_narrow() const noexcept { return scale_ == scaling::narrow; }
  THRUST_HIST_HOST_DEVICE narrow_even_bins<S> narrow() const noexcept {
    return {first_, span_, offset_, whole_, fraction_low_, static_cast<std::uint64_t>(bins_ - 1)};
  }

  /// The bin, or a number that is not less than the number of bins: see candidate.h.
  template <class Unsigned>
  THRUST_HIST_HOST_DEVICE Unsigned candidate(S x) const noexcept {
    if (is_narrow()) {
      return narrow().template candidate<Unsigned>(x);
    }
    if constexpr (sizeof(S) == 8) {
      return static_cast<Unsigned>((*this)(x));
    } else {
      return static_cast<Unsigned>(out_of_line(x));
    }
  }

  /// The bin by searching the integers at which bins begin: lower + ceil(i * range / bins).
  THRUST_HIST_HOST_DEVICE bin_index search(S x) const noexcept {
    auto const key = static_cast<int128>(x);
    if (key < first_ || key > static_cast<int128>(first_) + span_ || scale_ == scaling::none) {
      return outside(x);
    }
    auto const bins = static_cast<uint128>(bins_);
    return count_reached(
               bins_,
               [&](bin_index i) {
                 uint128 const begin = (static_cast<uint128>(i) * range_ + (bins - 1)) / bins;
                 return lower_ + static_cast<int128>(begin) <= key;
               }) -
           1;
  }

private:
  static constexpr int narrow_bits = narrow_even_bins<S>::narrow_bits;

  enum class scaling {
    none,    // there is nothing to scale
    narrow,  // distances below 2^narrow_bits, range no larger: k = 2 * narrow_bits
    medium,  // below 2^32, of samples with fewer bits: k = 64
    wide,    // below 2^64: k = 128
    divide   // levels of mixed types may lie 2^65 apart
  };

  THRUST_HIST_HOST_DEVICE Index outside(S x) const noexcept {
    return static_cast<int128>(x) < lower_ ? static_cast<Index>(no_bin::below) : above_of<Index>;
  }

  /// fraction = ceil(rest * 2^k / range), by long division.
  THRUST_HIST_HOST_DEVICE void set_fraction(uint128 rest) noexcept {
    uint128 quotient = 0;
    int const bits = scale_ == scaling::narrow   ? 2 * narrow_bits
                     : scale_ == scaling::medium ? 64
                                                 : 128;
    uint128 remainder = rest;
    for (int i = 0; i < bits && scale_ != scaling::divide; ++i) {
      remainder <<= 1;
      quotient = (quotient << 1) | (remainder >= range_ ? 1 : 0);
      remainder -= remainder >= range_ ? range_ : 0;
    }
    quotient += remainder != 0 ? 1 : 0;
    fraction_low_ = static_cast<std::uint64_t>(quotient);
    fraction_high_ = static_cast<std::uint64_t>(quotient >> 64);
  }

  THRUST_HIST_HOST_DEVICE unsigned_sample distance_from_first(S x) const noexcept {
    return static_cast<unsigned_sample>(
        static_cast<unsigned_sample>(x) - static_cast<unsigned_sample>(first_));
  }

  /// For samples of up to 32 bits, whose levels are rarely so far apart.
  THRUST_HIST_NOINLINE THRUST_HIST_HOST_DEVICE Index out_of_line(S x) const noexcept {
    return (*this)(x);
  }

  THRUST_HIST_HOST_DEVICE std::uint64_t scaled(unsigned_sample from_first) const noexcept {
    std::uint64_t const distance = from_first + offset_;
    if (scale_ == scaling::narrow) {
      return distance * whole_ +
             narrow_even_bins<S>::scaled(static_cast<std::uint32_t>(distance), fraction_low_);
    }
    if (narrow_bits < 32 && scale_ == scaling::medium) {
      return distance * whole_ + narrow_even_bins<std::uint32_t>::scaled(
                                     static_cast<std::uint32_t>(distance), fraction_low_);
    }
    if (scale_ == scaling::wide) {
      if constexpr (sizeof(S) == 8) {
        return wide_scaled(distance, whole_, fraction_low_, fraction_high_);
      } else {
        return rarely_wide_scaled(distance, whole_, fraction_low_, fraction_high_);
      }
    }
    uint128 const exact = static_cast<uint128>(static_cast<int128>(first_) - lower_) + from_first;
    return rarely_divided(exact, static_cast<std::uint64_t>(bins_), range_);
  }

  Index bins_;
  scaling scale_ = scaling::none;
  S first_ = 0;               // the smallest sample that has a bin
  unsigned_sample span_ = 0;  // from there to the largest
  std::uint64_t offset_ = 0;  // first_ - lower
  std::uint64_t whole_ = 0;
  std::uint64_t fraction_low_ = 0;
  std::uint64_t fraction_high_ = 0;
  int128 lower_;
  uint128 range_;
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
