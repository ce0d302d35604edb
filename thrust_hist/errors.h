// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What the algorithms throw beyond the standard exceptions.
///
/// A bad value is std::invalid_argument with the parameter and the value in its text, too many
/// discovered bins std::length_error, memory that is not to be had std::bad_alloc (or what the
/// allocator of the policy throws), a failed CUDA call thrust::system_error naming the operation.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

THRUST_HIST_TYPES_BEGIN

/// Thrown by options::check(): a bin differs from what sort + reduce_by_key finds.
class mismatch_error : public std::runtime_error {
public:
  mismatch_error(std::int64_t bin, std::string const& expected, std::string const& got)
      : std::runtime_error(
            "thrust_hist: check() found a difference in bin " + std::to_string(bin) +
            ": sort + reduce_by_key gives " + expected + ", got " + got),
        bin_(bin), expected_(expected), got_(got) {}
  /// The first bin that differs.
  std::int64_t bin() const noexcept { return bin_; }
  /// What sort + reduce_by_key gives for it, as text.
  std::string const& expected() const noexcept { return expected_; }
  /// What the algorithm wrote, as text.
  std::string const& got() const noexcept { return got_; }

private:
  std::int64_t bin_;
  std::string expected_;
  std::string got_;
};

/// Thrown where options::max_temporary_bytes() leaves no way; nothing has been written then.
class memory_limit_error : public std::runtime_error {
public:
  memory_limit_error(std::size_t limit, std::size_t smallest)
      : std::runtime_error(
            "thrust_hist: max_temporary_bytes = " + std::to_string(limit) +
            " is too small; the smallest cap that works is " + std::to_string(smallest)),
        smallest_(smallest) {}
  /// The smallest cap with which the call would work, in bytes.
  std::size_t smallest() const noexcept { return smallest_; }

private:
  std::size_t smallest_;
};

THRUST_HIST_TYPES_END

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class T>
std::string to_text(T const& value) {
  std::ostringstream text;
  text.precision(17);
  if constexpr (std::is_integral_v<T>) {  // characters too are meant as numbers
    using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    text << static_cast<wide>(value);
  } else {
    text << value;
  }
  return text.str();
}

template <class T>
[[noreturn]] void throw_invalid(char const* parameter, T const& value, char const* rule) {
  throw std::invalid_argument(
      std::string("thrust_hist: ") + parameter + " = " + to_text(value) + " " + rule);
}

}  // namespace detail

THRUST_HIST_NAMESPACE_END
