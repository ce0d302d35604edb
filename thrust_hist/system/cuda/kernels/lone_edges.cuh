// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Range bins whose edges are lone: cells of shared memory can be cut so that none has two edges
/// that differ. A sample's cell tells how many edges lie before it, and one comparison, with the
/// edge in it or the next one, the rest. No sample takes a branch. Why that is exact see
/// range_lookup.cuh.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/system/cuda/kernels/cell_steps.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The bins between lone edges, cells cut by `Steps`.
template <class Steps, class S>
struct lone_edge_bins {
  using value = typename Steps::value;

  /// See candidate.h.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    value const v = Steps::of(x);
    std::uint32_t const cell = steps.cell(v);
    std::uint32_t const before = cells[cell];
    std::uint32_t const behind = has_equal ? cells[cell + 1] : before + 1;
    return static_cast<Unsigned>(cuda::reaches(v, edges[before]) ? behind : before) - 1;
  }
  /// As a bound rule has it: there are less than 2^16 bins.
  __device__ std::int32_t operator()(S x) const {
    return static_cast<std::int32_t>(candidate<std::uint32_t>(x));
  }

  Steps steps;
  value const* edges;          ///< and one that no sample reaches
  std::uint16_t const* cells;  ///< how many edges lie before each, and before what lies behind all
  bool has_equal;              ///< whether a cell may have several edges that are equal
};

using detail::candidate;  // beside the one of this rule

template <class Unsigned, class Steps, class S>
__device__ inline Unsigned candidate(lone_edge_bins<Steps, S> const& rule, S x) {
  return rule.template candidate<Unsigned>(x);
}

/// Looks whether the edges of a rule are lone, and lays cells out if so. All threads of a block do
/// that together.
template <class Iterator, class S, class Index>
class lone_edges {
public:
  using search = range_search<Iterator, S, Index>;
  using edge_type = typename search::edge_type;
  using even_steps = typename steps_for<edge_type, S>::even;
  using uneven_steps = typename steps_for<edge_type, S>::uneven;

  __device__ lone_edges(search const& rule, rule_memory const& memory)
      : rule_(rule), edges_(static_cast<std::uint32_t>(rule.size()) + 1),
        words_(static_cast<std::uint32_t*>(memory.begin)) {
    std::uint32_t const copies = (edges_ + 2) * sizeof(typename even_steps::value) / 8 * 2;
    std::uint32_t const words = memory.bytes / sizeof(std::uint32_t);
    cells_ = reinterpret_cast<std::uint16_t*>(words_ + head_words + copies);
    room_ = words > head_words + copies ? (words - head_words - copies) * 2 : 0;
  }

  /// Calls `loop(bins)`, unless edges are not lone. Many edges take long to look at: that pays for
  /// many samples, whose rule has more room.
  template <class Loop>
  __device__ bool try_with(Loop loop) {
    constexpr std::uint32_t many_edges = 1024, room_for_many = fine_cells / 4 * 3;
    bool const pays = edges_ <= many_edges || room_ >= room_for_many;
    bool const may_be = pays && edges_ > 1 && edges_ < 0xffff;
    if (may_be && (try_steps<even_steps>(loop) || try_steps<uneven_steps>(loop))) {
      return true;
    }
    __syncthreads();  // until all have read what was found
    return false;
  }

private:
  // One for each warp, one for all, and one without which copies were not aligned.
  static constexpr std::uint32_t head_words = 34;

  template <class Steps, class Loop>
  __device__ bool try_steps(Loop& loop) {
    auto* const copies = reinterpret_cast<typename Steps::value*>(words_ + head_words);
    if (!copy_edges<Steps>(copies)) {
      return false;
    }
    Steps steps(copies, edges_ - 1);
    unsigned const bits = bits_between(steps, copies);
    if (bits == 0) {
      return false;
    }
    steps.coarsen(bits - 1, steps.cell(copies[max(edges_ - 2, 1u)]));
    if (steps.last + 2 > room_ || !lay_out(steps, copies)) {
      return false;
    }
    loop(lone_edge_bins<Steps, S>{steps, copies, cells_, has_equal_});
    return true;
  }

  /// Whether edges can be told as steps have them.
  template <class Steps>
  __device__ bool copy_edges(typename Steps::value* copies) const {
    bool can = true;
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < edges_; i += blockDim.x) {
      auto const edge = rule_.edge(static_cast<Index>(i));
      bool const is_closed = i == edges_ - 1 && rule_.inclusive;
      copies[i] = is_closed ? Steps::of_closed(edge, can) : Steps::of_edge(edge);
    }
    if (threadIdx.x == 0) {
      copies[edges_] = Steps::never();
      words_[32] = 16;
    }
    return __syncthreads_and(can ? 1 : 0) != 0;
  }

  /// The least number of low bits of which some neighbours need the highest to lie in different
  /// cells, so that one bit less may be dropped; 0 if some lie in one cell anyhow.
  template <class Steps>
  __device__ unsigned bits_between(Steps const& steps, typename Steps::value const* copies) {
    unsigned mine = 16;
    bool equal = false;
    for (std::uint32_t i = threadIdx.x + 1; i < edges_; i += blockDim.x) {
      if (cuda::reaches(copies[i - 1], copies[i])) {
        equal = true;
      } else if (i >= Steps::first_pair) {
        std::uint32_t const differ = steps.cell(copies[i - 1]) ^ steps.cell(copies[i]);
        mine = min(mine, 32 - static_cast<unsigned>(__clz(static_cast<int>(differ))));
      }
    }
    mine = cuda::over_warp(mine, [](unsigned a, unsigned b) { return min(a, b); });
    if (threadIdx.x % 32 == 0) {
      atomicMin(words_ + 32, mine);
    }
    has_equal_ = __syncthreads_or(equal ? 1 : 0) != 0;
    return words_[32];
  }

  /// Numbers cells. Whether edges are lone in them: rounding might have it otherwise.
  template <class Steps>
  __device__ bool lay_out(Steps const& steps, typename Steps::value const* copies) const {
    std::uint32_t const pairs = (steps.last + 3) / 2;  // of cells, and what lies behind all
    for (std::uint32_t i = threadIdx.x; i < pairs; i += blockDim.x) {
      words_of_cells()[i] = 0;
    }
    __syncthreads();
    bool shares = false;
    for (std::uint32_t i = threadIdx.x; i < edges_; i += blockDim.x) {
      bool const is_last = i == edges_ - 1;
      if (is_last || !cuda::reaches(copies[i], copies[i + 1])) {  // of some that are equal
        std::uint32_t const cell = steps.cell(copies[i]);
        shares = shares || (!is_last && cell == steps.cell(copies[i + 1]));
        cells_[cell + 1] = static_cast<std::uint16_t>(i + 1);
      }
    }
    if (__syncthreads_or(shares ? 1 : 0) != 0) {
      return false;
    }
    fill_gaps(pairs);
    return true;
  }

  /// Gives each cell the largest number of those before it, and its own. A warp has a stretch.
  __device__ void fill_gaps(std::uint32_t pairs) const {
    std::uint32_t* const words = words_of_cells();
    auto const larger = [](std::uint32_t a, std::uint32_t b) { return max(a, b); };
    unsigned const lane = threadIdx.x % 32;
    std::uint32_t const stretch = (pairs - 1) / (blockDim.x / 32) + 1;
    std::uint32_t const first = threadIdx.x / 32 * stretch;
    std::uint32_t const end = min(first + stretch, pairs);
    std::uint32_t most = 0;
    for (std::uint32_t i = first + lane; i < end; i += 32) {
      most = max(most, max(words[i] & 0xffff, words[i] >> 16));
    }
    words_[threadIdx.x / 32] = cuda::over_warp(most, larger);
    __syncthreads();
    std::uint32_t before = 0;
    for (std::uint32_t w = 0; w < threadIdx.x / 32; ++w) {
      before = max(before, words_[w]);
    }
    for (std::uint32_t i = first; i < end; i += 32) {
      std::uint32_t const pair = i + lane < end ? words[i + lane] : 0;
      std::uint32_t upper = max(pair & 0xffff, pair >> 16);
#pragma unroll
      for (unsigned d = 1; d < 32; d *= 2) {
        upper = max(upper, __shfl_up_sync(~0u, upper, d));  // lanes that have none get their own
      }
      upper = max(upper, before);
      std::uint32_t const of_lane_before = __shfl_up_sync(~0u, upper, 1);
      std::uint32_t const lower = max(pair & 0xffff, lane > 0 ? of_lane_before : before);
      if (i + lane < end) {
        words[i + lane] = lower | upper << 16;
      }
      before = __shfl_sync(~0u, upper, 31);
    }
    __syncthreads();
  }
  __device__ std::uint32_t* words_of_cells() const {
    return reinterpret_cast<std::uint32_t*>(cells_);
  }

  search const& rule_;
  std::uint32_t edges_;
  std::uint32_t* words_;
  std::uint16_t* cells_;
  std::uint32_t room_;  // for cells
  bool has_equal_ = false;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
