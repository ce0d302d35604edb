// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Temporary memory from the policy, given back in any case.

#include <thrust_hist/config.h>

#include <thrust/memory.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// An uninitialised array of `size` objects that need no destruction, in memory of the policy's
/// system. Throws what the policy's allocator throws, or std::bad_alloc.
template <class T, class Policy>
class temporary_array {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  temporary_array(Policy& policy, std::uint64_t size) : policy_(policy) {
    if (size == 0) {
      return;
    }
    auto const buffer = thrust::get_temporary_buffer<T>(policy_, static_cast<std::ptrdiff_t>(size));
    data_ = thrust::raw_pointer_cast(buffer.first);
    size_ = buffer.second;
    if (size_ < static_cast<std::ptrdiff_t>(size)) {
      release();
      throw std::bad_alloc();
    }
  }
  /// Memory that was handed over by hand_over().
  temporary_array(Policy& policy, T* data, std::uint64_t size) noexcept
      : policy_(policy), data_(data), size_(static_cast<std::ptrdiff_t>(size)) {}
  ~temporary_array() { release(); }
  temporary_array(temporary_array const&) = delete;
  temporary_array& operator=(temporary_array const&) = delete;

  T* data() const noexcept { return data_; }
  /// The array from now on belongs to the caller, who gives it back by way of another
  /// temporary_array.
  T* hand_over() noexcept { return std::exchange(data_, nullptr); }

private:
  using pointer =
      decltype(thrust::get_temporary_buffer<T>(std::declval<Policy&>(), std::ptrdiff_t{}).first);

  void release() noexcept {
    if (data_ != nullptr) {
      thrust::return_temporary_buffer(policy_, pointer(data_), size_);
      data_ = nullptr;
    }
  }

  Policy& policy_;
  T* data_ = nullptr;
  std::ptrdiff_t size_ = 0;
};

}  // namespace detail
THRUST_HIST_NAMESPACE_END
