// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The last step of every count: a 64-bit count becomes a value of the output, once.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/errors.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// What a count is converted to before it is written: the output's value type where that is a
/// number, else (discard_iterator and the like) std::uint64_t.
template <class Out, class = void>
struct counter_of {
  using type = std::uint64_t;
  static constexpr bool readable = false;
};
template <class Out>
struct counter_of<
    Out, std::enable_if_t<std::is_arithmetic_v<value_t<Out>> || is_real_sample<value_t<Out>>>> {
  using type = value_t<Out>;
  // A transform_output_iterator has a value type, but what it refers to can only be written.
  static constexpr bool readable =
      std::is_convertible_v<typename thrust::iterator_traits<Out>::reference, type>;
};
template <class Out>
using counter_t = typename counter_of<Out>::type;

template <class Out, bool = is_contiguous<Out>>
inline constexpr bool is_counter_array = false;
/// Whether an output is an array of integers of 4 or 8 bytes, as tables of counters are.
template <class Out>
inline constexpr bool is_counter_array<Out, true> =
    std::is_integral_v<value_t<Out>> && (sizeof(value_t<Out>) == 4 || sizeof(value_t<Out>) == 8) &&
    !std::is_volatile_v<std::remove_reference_t<typename thrust::iterator_traits<Out>::reference>>;

/// A type as an argument.
template <class T>
struct element {};

/// A count as a counter: integers wrap modulo 2^bits, floating-point numbers are rounded once.
template <class Counter>
THRUST_HIST_HOST_DEVICE inline Counter to_counter(std::uint64_t count) noexcept {
  if constexpr (std::is_arithmetic_v<Counter>) {
    return static_cast<Counter>(count);
  } else {
    return real_format<Counter>::from_double(static_cast<double>(count));
  }
}

template <class Counter>
THRUST_HIST_HOST_DEVICE inline Counter add_counters(Counter a, Counter b) noexcept {
  if constexpr (std::is_integral_v<Counter>) {
    return static_cast<Counter>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return static_cast<Counter>(a + b);
  }
}

/// Writes the counts of bins to an output: `out[bin] = count`, or `+= count` to accumulate.
template <class Out>
struct count_writer {
  Out out;
  bool accumulate;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE void operator()(std::uint64_t bin, std::uint64_t count) const {
    using counter = counter_t<Out>;
    auto const place = out + static_cast<std::ptrdiff_t>(bin);
    if constexpr (counter_of<Out>::readable) {
      if (accumulate) {
        if (count == 0) {  // adding nothing would still change -0 and signalling NaNs
          return;
        }
        *place = add_counters<counter>(static_cast<counter>(*place), to_counter<counter>(count));
        return;
      }
    }
    *place = to_counter<counter>(count);
  }
};

/// A counter as text, for messages.
template <class Counter>
std::string counter_text(Counter value) {
  if constexpr (std::is_arithmetic_v<Counter>) {
    return to_text(value);
  } else {
    return to_text(real_format<Counter>::to_double(value));
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
