// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned: pieces of a slice with wide gaps between them, as a sample
/// has them. The groups of each are equally wide.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/code_scale.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Code>
class code_pieces {
public:
  static constexpr unsigned most = 4;

  /// In shared memory from this address on.
  __device__ explicit code_pieces(std::uint32_t memory) : memory_(memory) {}

  /// By one warp, for codes from `first` to `last`, of which `knot(i)` are some, in their order, i
  /// below `knots`: `first` itself to begin with, and perhaps the code behind `last` in the end.
  /// Whether there is a gap.
  template <class Knot>
  __device__ bool cut(
      Code first, Code last, std::uint32_t knots, Knot knot, std::uint32_t groups) const {
    auto const knot_or_end = [&](std::uint32_t i) {
      return i < knots ? knot(i) : static_cast<Code>(last + 1);
    };
    // Gaps that are eight times as wide as others are on average, the widest ones first.
    std::uint32_t gaps[most - 1];
    unsigned found = 0;
    std::uint64_t before = ~std::uint64_t{0};
    Code others = static_cast<Code>(last - first);
    for (; found < most - 1; ++found) {
      std::uint64_t mine = 0;
      for (std::uint32_t i = threadIdx.x % 32; i < knots; i += 32) {
        std::uint64_t const numbered = number_gap(knot(i), knot_or_end(i + 1), i);
        mine = numbered < before && numbered > mine ? numbered : mine;
      }
      before =
          cuda::over_warp(mine, [](std::uint64_t a, std::uint64_t b) { return a < b ? b : a; });
      if (before == 0) {
        break;
      }
      std::uint32_t const i = static_cast<std::uint32_t>(before) % number;
      Code const gap = static_cast<Code>(knot_or_end(i + 1) - knot(i));
      Code const rest = others > gap ? static_cast<Code>(others - gap) : 0;
      if (gap / 8 <= rest / knots) {
        break;
      }
      others = rest;
      gaps[found] = i;
    }
    if (found != 0 && threadIdx.x % 32 == 0) {
      sort(gaps, found);
      write(first, last, knots, knot_or_end, groups, gaps, found, others);
    }
    return found != 0;
  }
  __device__ std::uint32_t group_of(Code code) const {
    unsigned which = 0;
#pragma unroll
    for (unsigned i = 1; i < most; ++i) {
      which += code >= all().begins[i] ? 1 : 0;
    }
    piece const its = all().of[which];
    Code const above = code > its.first ? static_cast<Code>(code - its.first) : 0;
    return its.groups_before + its.scale.group_of(min(above, its.widest));
  }

private:
  struct alignas(16) piece {
    Code first;   ///< where groups begin; codes before are in the first one
    Code widest;  ///< how far they reach above that; codes beyond are in the last one
    packed_scale<Code> scale;
    std::uint32_t groups_before;
  };
  struct all_pieces {
    alignas(16) Code begins[most];  ///< codes from there on belong to it, or a later one
    piece of[most];
  };
  static constexpr std::uint32_t number = 1u << 8;  ///< of knots at most
  /// So many times the average distance of neighbouring knots there are codes beyond the last one
  /// of a piece, mostly.
  static constexpr std::uint32_t beyond = 3;

  __device__ all_pieces& all() const {
    return *shared_pointer<all_pieces>(memory_);
  }

  /// By width first, but for the widest of all, and different ones for different gaps.
  __device__ static std::uint64_t number_gap(Code from, Code to, std::uint32_t i) {
    std::uint64_t const width = static_cast<Code>(to - from);
    return min(width, ~std::uint64_t{0} / number) * number + i;
  }
  __device__ static void sort(std::uint32_t (&gaps)[most - 1], unsigned size) {
    for (unsigned end = size; end > 1; --end) {
      for (unsigned i = 0; i + 1 < end; ++i) {
        std::uint32_t const lower = min(gaps[i], gaps[i + 1]);
        gaps[i + 1] = max(gaps[i], gaps[i + 1]);
        gaps[i] = lower;
      }
    }
  }
  /// `gaps`: so many, by the knot before. `others`: how wide all is without them.
  template <class Knot>
  __device__ void write(
      Code first, Code last, std::uint32_t knots, Knot knot, std::uint32_t groups,
      std::uint32_t const* gaps, unsigned size, Code others) const {
    std::uint32_t const shares = knots + 2 * beyond * size;
    std::uint32_t used = 0;
    std::uint32_t from = 0;  // its first knot
    for (unsigned p = 0; p <= size; ++p) {
      std::uint32_t const end = p < size ? gaps[p] + 1 : knots;
      std::uint32_t const own = end - from;
      Code const apart = own > 3 ? static_cast<Code>((knot(end - 1) - knot(from)) / (own - 1))
                                 : static_cast<Code>(others / knots);
      Code const reach =
          apart > max_of_code / beyond ? max_of_code : static_cast<Code>(apart * beyond);
      piece its = {};
      its.first = first;
      if (p > 0) {
        Code const half = static_cast<Code>((knot(from) - knot(from - 1)) / 2);
        all().begins[p] = static_cast<Code>(knot(from) - half);
        its.first = static_cast<Code>(knot(from) - min(half, reach));
      }
      Code const half = p < size ? static_cast<Code>((knot(end) - knot(end - 1)) / 2) : 0;
      Code const behind = p < size ? static_cast<Code>(knot(end - 1) + min(half, reach)) : last;
      its.widest = static_cast<Code>(behind - its.first);
      std::uint32_t const share = own + (p > 0 ? beyond : 0) + (p < size ? beyond : 0);
      std::uint32_t const mine = max(groups * share / shares, 1u);
      its.scale = packed_scale<Code>(code_scale<Code>::of(its.widest, mine));
      its.groups_before = used;
      all().of[p] = its;
      used += mine;
      from = end;
    }
    for (unsigned p = size + 1; p < most; ++p) {
      all().begins[p] = max_of_code;
      all().of[p] = all().of[size];
    }
  }
  static constexpr Code max_of_code = static_cast<Code>(~Code{0});

  std::uint32_t memory_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
