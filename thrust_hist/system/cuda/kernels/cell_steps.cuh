// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Cutting the line of numbers into cells, by functions of a number that never fall.
///
/// A kind of steps has a type `value` that samples and edges are compared as (see edge_values.cuh),
/// and:
///   Steps(edges, bins)   cuts the finest cells that a table may have, between edges 0 or 1 and the
///                        last but one: edges far outside do no harm, and lie in the outer cells
///   coarsen(by, cell)    makes one cell of each 2^by; `cell`: that of the last edge but one until
///                        then. The last edge may have a cell of its own behind that
///   cell(x)              the number of the cell of a value, `last` at most
///   first_pair           from this edge on, finest cells tell an edge from that before; where the
///                        line begins at edge 1, what lies before gets a cell once they are coarse
///
/// With edges 0, 1, 2 and 8, finest cells of a 2^15th of 2 are made coarser by 2^14: cells 0, 1, 2
/// begin at 0, 1 and 2, and `last`, 3, holds all from 3 on.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/system/cuda/kernels/edge_values.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// As many cells as steps cut at most, until they are made coarser.
inline constexpr std::uint32_t fine_cells = 1 << 15;

/// Equal steps of a real number. NaN lies in cell 0.
template <class Real>
class value_steps : public real_values<Real> {
public:
  static constexpr std::uint32_t first_pair = 1;

  __device__ value_steps(Real const* edges, std::uint32_t bins) {
    constexpr Real most_scale = 0x1p100f;
    Real const width = edges[max(bins - 1, 1u)] - edges[0];
    scale_ = width > 0 ? static_cast<Real>(fine_cells) / width : 0;
    scale_ = scale_ < most_scale ? scale_ : 0;
    offset_ = -edges[0] * scale_;
  }
  __device__ void coarsen(unsigned by, std::uint32_t last_but_one) {
    Real const factor = static_cast<Real>(1) / static_cast<Real>(1u << by);
    scale_ *= factor;
    offset_ *= factor;
    last = (last_but_one >> by) + 1;
  }
  /// Conversions of float saturate, and make 0 of NaN; those of double do not.
  __device__ std::uint32_t cell(Real x) const {
    if constexpr (std::is_same_v<Real, float>) {
      return min(__float2uint_rz(__fmaf_rn(x, scale_, offset_)), last);
    } else {
      return min(__float2uint_rz(__double2float_rz(__fma_rn(x, scale_, offset_))), last);
    }
  }

  std::uint32_t last = 2 * fine_cells;

private:
  Real scale_, offset_;
};

/// Equal steps of an integer.
template <class Key>
class shifted_steps {
public:
  static constexpr std::uint32_t first_pair = 2;

  __device__ shifted_steps(Key from, Key to) : first_(from) {
    distance const reach = to > from ? static_cast<distance>(to) - static_cast<distance>(from) : 0;
    while (reach >> shift_ >= fine_cells) {
      ++shift_;
    }
  }
  /// What lies before the first cell gets one of its own, if the type has room for it.
  __device__ void coarsen(unsigned by, std::uint32_t last_but_one) {
    shift_ += by;
    distance const room = static_cast<distance>(first_) - static_cast<distance>(min_of<Key>);
    distance const step = static_cast<distance>(distance{1} << shift_);
    first_ = static_cast<Key>(static_cast<distance>(first_) - min(step, room));
    last = (last_but_one >> by) + 2;
  }
  __device__ std::uint32_t cell(Key x) const {
    distance const from = static_cast<distance>(max(x, first_)) - static_cast<distance>(first_);
    return static_cast<std::uint32_t>(min(from >> shift_, static_cast<distance>(last)));
  }

  std::uint32_t last = 2 * fine_cells;

private:
  using distance = std::make_unsigned_t<Key>;
  Key first_;
  unsigned shift_ = 0;
};

template <class Key>
class integer_steps : public integer_values<Key>, public shifted_steps<Key> {
public:
  __device__ integer_steps(Key const* edges, std::uint32_t bins)
      : shifted_steps<Key>(edges[1], edges[max(bins - 1, 1u)]) {}
};

/// Equal steps of the bits of a real number, which are logarithmic.
template <class Real>
class bit_steps : public real_keys<Real>, public shifted_steps<typename real_keys<Real>::value> {
public:
  using value = typename real_keys<Real>::value;
  __device__ bit_steps(value const* edges, std::uint32_t bins)
      : shifted_steps<value>(edges[1], edges[max(bins - 1, 1u)]) {}
};

/// Logarithmic steps of the distance of an integer from the lowest edge.
template <class Key>
class distance_steps : public integer_values<Key>, public shifted_steps<std::int32_t> {
public:
  __device__ distance_steps(Key const* edges, std::uint32_t bins)
      : shifted_steps<std::int32_t>(
            bits(edges[1], edges[0]), bits(edges[max(bins - 1, 1u)], edges[0])),
        lowest_(edges[0]) {}
  __device__ std::uint32_t cell(Key x) const {
    return shifted_steps<std::int32_t>::cell(bits(x, lowest_));
  }

private:
  __device__ static std::int32_t bits(Key x, Key lowest) {
    using distance = std::make_unsigned_t<Key>;
    distance const d = static_cast<distance>(max(x, lowest)) - static_cast<distance>(lowest);
    if constexpr (sizeof(distance) == 4) {
      return __float_as_int(__uint2float_rz(d));
    } else {
      return __float_as_int(__ull2float_rz(d));
    }
  }

  Key lowest_;
};

/// Which steps cut cells: of few instructions, and where these crowd edges.
template <class Edge, class S>
struct steps_for {
  using value = compared_as<Edge, S>;
  static constexpr bool are_real = std::is_floating_point_v<value>;
  using even = std::conditional_t<are_real, value_steps<value>, integer_steps<value>>;
  using uneven = std::conditional_t<are_real, bit_steps<value>, distance_steps<value>>;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
