// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Range bins with a table of cells in shared memory: a sample's cell says between which edges to
/// search.
///
/// Cells cut the line of numbers by a function that never falls: edges in cells before that of a
/// sample lie below it, edges in cells behind above it, however coarsely the function is computed.
/// Only the edges in its own cell are compared, exactly. Cells are equal steps of the value or,
/// where that leaves many edges in one cell, equal steps of the bits, which are logarithmic for
/// floating-point numbers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/cuda/kernels/block_sum.cuh>
#include <thrust_hist/system/cuda/rule_room.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// How many cells pay for so many edges.
THRUST_HIST_HOST_DEVICE constexpr std::uint32_t cells_for(std::uint64_t edges) {
  return edges <= 64 ? 1024 : edges <= 1024 ? 4096 : 8192;
}

inline constexpr std::uint32_t lookup_words = 34;  // sums of 32 warps, the fullest cell

/// Shared memory that a rule makes its loop faster with; most have no use for any.
template <class Rule>
wanted_bytes wanted_memory(Rule const&) {
  return {};
}

/// More is for lone edges (lone_edges.cuh), which may need finer cells.
template <class Iterator, class S, class Index>
wanted_bytes wanted_memory(range_search<Iterator, S, Index> const& rule) {
  using edge = typename range_search<Iterator, S, Index>::edge_type;
  auto const edges = static_cast<std::uint64_t>(rule.size()) + 1;
  if constexpr (have_common_key<edge, S>()) {
    using key = decltype(detail::common_key<edge, S>(S{}));
    std::size_t const bytes = (edges * sizeof(key) + 7) / 8 * 8;
    std::size_t const least = bytes + (lookup_words + cells_for(edges)) * sizeof(std::uint32_t);
    constexpr std::size_t more = std::size_t{1} << 15;
    return edges > 0xffff ? wanted_bytes{} : wanted_bytes{least, edges > 256 ? more : 0};
  } else {
    return {};
  }
}

/// The same for a rule that converts its samples.
template <class Inner, class S>
wanted_bytes wanted_memory(converted_for<Inner, S> const& rule) {
  return cuda::wanted_memory(rule.inner);
}

template <class Iterator, class S, class Index>
class range_lookup {
public:
  using search = range_search<Iterator, S, Index>;
  using edge_type = typename search::edge_type;
  using key = decltype(detail::common_key<edge_type, S>(S{}));
  using unsigned_key = std::make_unsigned_t<key>;

  range_lookup() = default;
  /// Fills the memory. All threads of the block must call it.
  __device__ range_lookup(search const& rule, void* memory)
      : bins_(static_cast<std::uint32_t>(rule.size())), inclusive_(rule.inclusive),
        keys_(static_cast<key*>(memory)) {
    std::uint32_t const edges = bins_ + 1;
    auto* const words = static_cast<std::uint32_t*>(memory) + (edges * sizeof(key) + 7) / 8 * 2;
    cells_ = words + lookup_words;
    last_cell_ = cells_for(edges) - 1;
    for (std::uint32_t i = threadIdx.x; i < edges; i += blockDim.x) {
      keys_[i] = detail::common_key<edge_type, S>(rule.edge(static_cast<Index>(i)));
    }
    __syncthreads();
    choose_cells(rule, words);
    number_edges(words);
  }

  /// See candidate.h. NaN lies beyond the infinities in the order of keys.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    key const k = detail::common_key<edge_type, S>(x);
    std::uint32_t const cell = cells_[cell_of(x, k)];
    std::uint32_t reached = cell & 0xffff;  // edges at or below x
    for (std::uint32_t left = cell >> 16; left > 0;) {
      std::uint32_t const half = left / 2;
      bool const above = keys_[reached + half] <= k;
      reached = above ? reached + half + 1 : reached;
      left = above ? left - half - 1 : half;
    }
    if (inclusive_ && reached > bins_ && bins_ > 0 && k <= keys_[bins_]) {
      reached = bins_;
    }
    return static_cast<Unsigned>(reached) - 1;
  }

  /// As a bound rule has it.
  __device__ Index operator()(S x) const {
    return static_cast<Index>(candidate<std::make_unsigned_t<Index>>(x));
  }

private:
  template <class X>
  __device__ static float approximately(X x) {
    if constexpr (std::is_same_v<X, float>) {
      return x;
    } else if constexpr (!is_real_sample<X>) {
      return __double2float_rn(static_cast<double>(static_cast<integer_t<X>>(x)));
    } else {
      return __double2float_rn(real_format<X>::to_double(x));
    }
  }

  template <class X>
  __device__ std::uint32_t cell_of(X x, key k) const {
    if constexpr (are_real_keys<edge_type, S>) {
      if (by_value_) {
        // The conversion saturates; NaN goes behind all edges or, like all that is too small,
        // before.
        std::uint32_t const cell =
            __float2uint_rz(__fmul_rn(__fsub_rn(approximately(x), lower_), scale_));
        return k > infinite_key<edge_type, S>() ? last_cell_ : min(cell, last_cell_);
      }
    }
    unsigned_key const distance = static_cast<unsigned_key>(
        static_cast<unsigned_key>(k) - static_cast<unsigned_key>(keys_[0]));
    auto const cell = static_cast<unsigned_key>(distance >> shift_);
    return k < keys_[0] ? 0 : cell < last_cell_ ? static_cast<std::uint32_t>(cell) : last_cell_;
  }

  __device__ void choose_cells(search const& rule, std::uint32_t* words) {
    unsigned_key const reach = static_cast<unsigned_key>(
        static_cast<unsigned_key>(keys_[bins_]) - static_cast<unsigned_key>(keys_[0]));
    while ((reach >> shift_) > last_cell_) {
      ++shift_;
    }
    if constexpr (are_real_keys<edge_type, S>) {
      constexpr float most = 0x1.fffffep127f;
      lower_ = fmaxf(approximately(rule.edge(0)), -most);
      float const width = fminf(approximately(rule.edge(static_cast<Index>(bins_))), most) - lower_;
      scale_ = width > 0 && width <= most ? static_cast<float>(last_cell_ + 1) / width : 0.f;
      scale_ = scale_ <= most ? scale_ : 0.f;
      by_value_ = true;
    }
    std::uint32_t const fullest = count_edges(rule, words);
    if constexpr (are_real_keys<edge_type, S>) {
      if (fullest > 4) {
        by_value_ = false;
        if (count_edges(rule, words) >= fullest) {
          by_value_ = true;
          count_edges(rule, words);
        }
      }
    }
  }

  /// Counts the edges in each cell and returns the most.
  __device__ std::uint32_t count_edges(search const& rule, std::uint32_t* words) {
    std::uint32_t& fullest = words[32];
    __syncthreads();
    for (std::uint32_t c = threadIdx.x; c <= last_cell_; c += blockDim.x) {
      cells_[c] = 0;
    }
    if (threadIdx.x == 0) {
      fullest = 0;
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i <= bins_; i += blockDim.x) {
      std::uint32_t const c = cell_of(rule.edge(static_cast<Index>(i)), keys_[i]);
      atomicMax(&fullest, atomicAdd(cells_ + c, 1u) + 1);
    }
    __syncthreads();
    return fullest;
  }

  /// Turns counts into the edges before a cell and, in the upper half, in it.
  __device__ void number_edges(std::uint32_t* of_warps) {
    std::uint32_t const share = (last_cell_ + blockDim.x) / blockDim.x;
    std::uint32_t const first = min(threadIdx.x * share, last_cell_ + 1);
    std::uint32_t const last = min(first + share, last_cell_ + 1);
    std::uint32_t mine = 0;
    for (std::uint32_t c = first; c < last; ++c) {
      mine += cells_[c];
    }
    std::uint32_t before = exclusive_sum_over_block(mine, of_warps);
    for (std::uint32_t c = first; c < last; ++c) {
      std::uint32_t const count = cells_[c];
      cells_[c] = before | count << 16;
      before += count;
    }
    __syncthreads();
  }

  std::uint32_t bins_ = 0;
  bool inclusive_ = false;
  bool by_value_ = false;
  unsigned shift_ = 0;
  std::uint32_t last_cell_ = 0;
  float lower_ = 0;
  float scale_ = 0;
  key* keys_ = nullptr;
  std::uint32_t* cells_ = nullptr;
};

using detail::candidate;  // beside the one of this rule

template <class Unsigned, class Iterator, class S, class Index>
__device__ inline Unsigned candidate(range_lookup<Iterator, S, Index> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
