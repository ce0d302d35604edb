// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Four neighbours at a time, from an array or from several that are zipped.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/system/cuda/kernels/loads.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>

#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Four neighbours, loaded by as few instructions as there can be.
template <class T>
struct quad {
  static constexpr std::size_t bytes = pairs_of_group * sizeof(T);
  static constexpr std::size_t alignment = bytes < 16 ? bytes : 16;
  using word = std::conditional_t<
      (bytes >= 16), uint4,
      std::conditional_t<bytes == 8, uint2, std::conditional_t<bytes == 4, unsigned, void>>>;
  static constexpr unsigned words = bytes / alignment;
  struct elements {
    T x[pairs_of_group];
  };

  /// `Again`: other blocks read the same, so that it stays in the second-level cache.
  template <bool Again = false>
  __device__ static elements load(T const* from) {
    struct {
      word w[words];
    } loaded;
#pragma unroll
    for (unsigned i = 0; i < words; ++i) {
      auto const* const at = reinterpret_cast<word const*>(from) + i;
      loaded.w[i] = Again ? __ldcg(at) : __ldcs(at);
    }
    return detail::bit_cast<elements>(loaded);
  }
};

/// Whether four neighbours of type T are whole words, and not too many for a thread's registers.
template <class T>
inline constexpr bool fits_quads =
    std::is_trivially_copyable_v<T>&& std::is_default_constructible_v<T> &&
    (sizeof(T) == 1 || sizeof(T) == 2 || (sizeof(T) % 4 == 0 && sizeof(T) <= 40));

/// Pointers that go together: element i is a tuple of what each of them has there.
template <class Tuple, class... T>
class zipped_pointers {
public:
  explicit zipped_pointers(thrust::tuple<T const*...> const& columns) : columns_(columns) {}

  THRUST_HIST_HOST_DEVICE Tuple operator[](std::uint64_t i) const {
    return element(i, std::index_sequence_for<T...>{});
  }
  THRUST_HIST_HOST_DEVICE zipped_pointers operator+(std::uint64_t i) const {
    return moved(i, std::index_sequence_for<T...>{});
  }
  template <std::size_t Column>
  THRUST_HIST_HOST_DEVICE auto column() const {
    return thrust::get<Column>(columns_);
  }

private:
  template <std::size_t... Column>
  THRUST_HIST_HOST_DEVICE Tuple element(std::uint64_t i, std::index_sequence<Column...>) const {
    return Tuple(column<Column>()[i]...);
  }
  template <std::size_t... Column>
  THRUST_HIST_HOST_DEVICE zipped_pointers
  moved(std::uint64_t i, std::index_sequence<Column...>) const {
    auto to = *this;
    to.columns_ = thrust::tuple<T const*...>(column<Column>() + i...);
    return to;
  }

  thrust::tuple<T const*...> columns_;
};

/// The quads behind a pointer, or behind several.
template <class Pointer>
struct quads_behind;

template <class T>
struct quads_behind<T const*> {
  using element = T;
  using elements = typename quad<T>::elements;
  static constexpr std::size_t bytes = sizeof(T);  ///< of an element

  static bool may_begin_at(T const* p) noexcept {
    return reinterpret_cast<std::uintptr_t>(p) % quad<T>::alignment == 0;
  }
  /// The elements before the first one that a quad may begin with.
  static std::uint64_t head(T const* p) noexcept {
    auto const misaligned = reinterpret_cast<std::uintptr_t>(p) % quad<T>::alignment;
    return (quad<T>::alignment - misaligned) % quad<T>::alignment / sizeof(T);
  }
  template <bool Again = false>
  __device__ static elements load(T const* from) {
    return quad<T>::template load<Again>(from);
  }
  /// Asks for so many elements ahead of time, from the first one of a quad on.
  __device__ static void fetch(T const* first, std::uint32_t size) {
    if (reinterpret_cast<std::uintptr_t>(first) % 16 == 0) {
      cuda::fetch_ahead(first, size * static_cast<std::uint32_t>(sizeof(T)));
    }
  }
};

template <class Tuple, class... T>
struct quads_behind<zipped_pointers<Tuple, T...>> {
  using pointer = zipped_pointers<Tuple, T...>;
  using columns = std::index_sequence_for<T...>;
  using element = Tuple;
  struct elements {
    Tuple x[pairs_of_group];
  };
  static constexpr std::size_t bytes = (sizeof(T) + ...);

  static bool may_begin_at(pointer const& p) noexcept { return may_begin_at(p, columns{}); }
  /// 0 where no quads begin together.
  static std::uint64_t head(pointer const& p) noexcept {
    std::uint64_t i = 0;
    while (i < pairs_of_group && !may_begin_at(p + i)) {
      ++i;
    }
    return i % pairs_of_group;
  }
  template <bool Again = false>
  __device__ static elements load(pointer const& from) {
    return load<Again>(from, columns{});
  }
  __device__ static void fetch(pointer const& first, std::uint32_t size) {
    fetch(first, size, columns{});
  }

private:
  template <std::size_t... Column>
  static bool may_begin_at(pointer const& p, std::index_sequence<Column...>) noexcept {
    return (quads_behind<T const*>::may_begin_at(p.template column<Column>()) && ...);
  }
  template <bool Again, std::size_t... Column>
  __device__ static elements load(pointer const& from, std::index_sequence<Column...>) {
    thrust::tuple<typename quad<T>::elements...> const loaded(
        quad<T>::template load<Again>(from.template column<Column>())...);
    return {
        {Tuple(thrust::get<Column>(loaded).x[0]...), Tuple(thrust::get<Column>(loaded).x[1]...),
         Tuple(thrust::get<Column>(loaded).x[2]...), Tuple(thrust::get<Column>(loaded).x[3]...)}};
  }
  template <std::size_t... Column>
  __device__ static void fetch(
      pointer const& first, std::uint32_t size, std::index_sequence<Column...>) {
    (quads_behind<T const*>::fetch(first.template column<Column>(), size), ...);
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
