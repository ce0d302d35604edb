// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Copies from the memory of a system to that of the host. The CUDA system adds its own overload.

#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// What a copy on the host is made of: std::vector<bool> holds no array of bool, so bytes take its
/// place.
template <class T>
using host_element = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

template <class System, class Policy, class T>
std::vector<host_element<T>> copy_to_host(System, Policy&, T const* data, std::uint64_t n) {
  return std::vector<host_element<T>>(data, data + n);
}

/// Makes copies at `to`, in memory of the host, of what a range refers to.
template <class System, class Policy, class Iterator, class T>
void copy_range_to_host(System, Policy&, Iterator first, std::uint64_t n, T* to) {
  for (std::uint64_t i = 0; i < n; ++i) {
    ::new (static_cast<void*>(to + i)) T(*(first + static_cast<std::ptrdiff_t>(i)));
  }
}

/// Whether work is being recorded into a graph instead of done: never on the host.
template <class System, class Policy>
bool is_captured(System, Policy&) {
  return false;
}

/// Throws where work is being recorded into a graph and this call cannot be: never on the host.
template <class System, class Policy>
void require_not_captured(System, Policy&, char const*) {}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
