// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Iterators over samples that do not lie side by side: one channel of an interleaved image, the
/// pixels of padded rows. Random access, readable and writable like what they are made from.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/errors.h>

#include <thrust/iterator/iterator_facade.h>
#include <thrust/iterator/iterator_traits.h>

#include <cstddef>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN

namespace detail {

/// A bare pointer belongs to no system: it follows the policy, or the output where there is none.
template <class Base>
using base_system_t = std::conditional_t<
    std::is_pointer_v<Base>, thrust::any_system_tag, typename thrust::iterator_system<Base>::type>;

template <class Derived, class Base>
using index_facade = thrust::iterator_facade<
    Derived, typename thrust::iterator_traits<Base>::value_type, base_system_t<Base>,
    thrust::random_access_traversal_tag, typename thrust::iterator_traits<Base>::reference,
    std::ptrdiff_t>;

/// An iterator that is an index; Derived says what lies there with `at(index)`.
template <class Derived, class Base>
class indexed : public index_facade<Derived, Base> {
public:
  /// The position of this iterator in its range.
  THRUST_HIST_HOST_DEVICE std::ptrdiff_t index() const noexcept { return index_; }

private:
  friend class thrust::iterator_core_access;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE typename index_facade<Derived, Base>::reference dereference() const {
    return static_cast<Derived const*>(this)->at(index_);
  }
  THRUST_HIST_HOST_DEVICE bool equal(indexed const& other) const noexcept {
    return index_ == other.index_;
  }
  THRUST_HIST_HOST_DEVICE void increment() noexcept { ++index_; }
  THRUST_HIST_HOST_DEVICE void decrement() noexcept { --index_; }
  THRUST_HIST_HOST_DEVICE void advance(std::ptrdiff_t n) noexcept { index_ += n; }
  THRUST_HIST_HOST_DEVICE std::ptrdiff_t distance_to(indexed const& other) const noexcept {
    return other.index_ - index_;
  }

  std::ptrdiff_t index_ = 0;
};

}  // namespace detail

/// Every `stride`-th element from `base` on. Made by strided().
template <class Base>
class strided_iterator : public detail::indexed<strided_iterator<Base>, Base> {
public:
  strided_iterator() = default;
  THRUST_HIST_HOST_DEVICE strided_iterator(Base base, std::ptrdiff_t stride)
      : base_(base), stride_(stride) {}
  THRUST_HIST_HOST_DEVICE Base base() const { return base_; }
  THRUST_HIST_HOST_DEVICE std::ptrdiff_t stride() const noexcept { return stride_; }

  /// The element at position i.
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE typename thrust::iterator_traits<Base>::reference at(
      std::ptrdiff_t i) const {
    return *(base_ + i * stride_);
  }

private:
  Base base_{};
  std::ptrdiff_t stride_ = 1;
};

namespace detail {
template <class Base>
inline constexpr bool is_in_memory<strided_iterator<Base>> = is_in_memory<Base>;
}  // namespace detail

/// base[0], base[stride], base[2 * stride], ...: `strided(rgba + 2, 4)` is the third channel of an
/// interleaved image. `stride` counts elements and may be negative. The end is `+ n`.
template <class Base>
strided_iterator<Base> strided(Base base, std::ptrdiff_t stride) {
  return {base, stride};
}

/// The elements of rows that begin `pitch_bytes` apart. Made by pitched().
template <class T>
class pitched_iterator : public detail::indexed<pitched_iterator<T>, T*> {
public:
  using byte = std::conditional_t<std::is_const_v<T>, char const, char>;

  pitched_iterator() = default;
  THRUST_HIST_HOST_DEVICE pitched_iterator(T* base, std::size_t width, std::size_t pitch_bytes)
      : base_(base), width_(width), pitch_bytes_(pitch_bytes) {}
  THRUST_HIST_HOST_DEVICE T* base() const noexcept { return base_; }
  THRUST_HIST_HOST_DEVICE std::size_t width() const noexcept { return width_; }
  THRUST_HIST_HOST_DEVICE std::size_t pitch_bytes() const noexcept { return pitch_bytes_; }

  /// The element at position i, counted along the rows.
  THRUST_HIST_HOST_DEVICE T& at(std::ptrdiff_t i) const {
    std::size_t const row = static_cast<std::size_t>(i) / width_;
    std::size_t const column = static_cast<std::size_t>(i) - row * width_;
    return reinterpret_cast<T*>(reinterpret_cast<byte*>(base_) + row * pitch_bytes_)[column];
  }

private:
  T* base_ = nullptr;
  std::size_t width_ = 1;
  std::size_t pitch_bytes_ = sizeof(T);
};

namespace detail {
template <class T>
inline constexpr bool is_in_memory<pitched_iterator<T>> = true;
}  // namespace detail

/// The elements of an image with padded rows, as cudaMallocPitch makes it: row r begins
/// `r * pitch_bytes` bytes after `pointer` and has `width` elements. The end is `+ width * height`.
/// Throws std::invalid_argument for a pitch that is shorter than a row or breaks the alignment of
/// T.
template <class T>
pitched_iterator<T> pitched(
    T* pointer, std::size_t width, std::size_t height, std::size_t pitch_bytes) {
  if (height > 1 && pitch_bytes < width * sizeof(T)) {
    detail::throw_invalid("pitch_bytes", pitch_bytes, "is less than a row of width elements");
  }
  if (height > 1 && pitch_bytes % alignof(T) != 0) {
    detail::throw_invalid(
        "pitch_bytes", pitch_bytes, "is no multiple of the alignment of an element");
  }
  return {pointer, width, pitch_bytes};
}

THRUST_HIST_NAMESPACE_END
