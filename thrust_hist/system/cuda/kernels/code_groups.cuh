// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned where most keys are distinct: the group of a code in its
/// slice. Groups are equally wide; or where a sample says that codes crowd in parts of the slice,
/// those of a piece between wide gaps are, or if that is not enough, those of a segment between two
/// codes of the sample.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/code_pieces.cuh>
#include <thrust_hist/system/cuda/kernels/code_scale.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/ordered_slices.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

template <class Code>
class code_groups {
public:
  using description = bounded_slices<Code>;
  /// How groups are found.
  enum class by { slice, piece, segment };

  /// In shared memory from this address on.
  __device__ code_groups(description const& slices, std::uint32_t job, std::uint32_t memory)
      : slices_(slices), memory_(memory), job_(job), first_(slices.first(job)),
        widest_(slices.last(job) - first_), scale_(scale::of(widest_, slices.groups())) {}

  /// All threads must call it, and wait for each other afterwards.
  __device__ void prepare() {
    if (slices_.sample == nullptr || !crowd([this](Code code) { return evenly(code); })) {
      return;
    }
    bool const is_cut =
        threadIdx.x < 32 && pieces().cut(
                                first_, static_cast<Code>(first_ + widest_), slices_.of_bucket,
                                [this](std::uint32_t i) { return knot(i); }, slices_.groups());
    found_ = by::piece;
    if (__syncthreads_or(is_cut ? 1 : 0) == 0 ||
        crowd([this](Code code) { return pieces().group_of(code); })) {
      found_ = by::segment;
      for (std::uint32_t i = threadIdx.x; i < slices_.of_bucket; i += blockDim.x) {
        write_segment(i);
      }
    }
  }
  __device__ by how() const { return found_; }
  __device__ bool has(Code code) const { return static_cast<Code>(code - first_) <= widest_; }
  /// Of codes, if they belong to the slice.
  template <unsigned Count>
  __device__ void find(Code const (&codes)[Count], std::uint32_t (&groups)[Count]) const {
    if (found_ == by::segment) {
      by_segment(codes, groups);
      return;
    }
    if (found_ == by::piece) {
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        groups[i] = pieces().group_of(codes[i]);
      }
      return;
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      groups[i] = evenly(codes[i]);
    }
  }

private:
  using scale = code_scale<Code>;
  /// Part of a slice between two neighbours of the sample.
  struct alignas(8) segment {  // of short codes read as one
    Code first;
    packed_scale<Code> scale;  ///< of codes above that
  };
  static_assert(sizeof(segment) == description::segment_bytes);
  /// Whether, with groups as group_of(code) has them, much of the sample lies in few, or in one two
  /// neighbours that it has four times: a warp would have to tell all apart that equal them. All
  /// threads must call it.
  template <class GroupOf>
  __device__ bool crowd(GroupOf group_of) const {
    // Codes of the sample in parts of the slice, and in smaller ones.
    constexpr unsigned parts_log2 = 5, small_log2 = 8;
    constexpr std::uint32_t often = 4;
    constexpr std::uint32_t all = (1u << parts_log2) + (1u << small_log2);
    static_assert(all * sizeof(std::uint32_t) <= ordered_slices::bytes_of_list);
    static_assert(small_log2 <= ordered_slices::least_groups_log2);
    auto* const parts = shared_pointer<std::uint32_t>(memory_ + slices_.list_offset());
    for (std::uint32_t i = threadIdx.x; i < all; i += blockDim.x) {
      parts[i] = 0;
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < slices_.of_bucket; i += blockDim.x) {
      if (i != 0 && knot(i) == knot(i - 1)) {
        continue;  // equal ones need no sort, however many there are
      }
      // Some may be the code behind the slice.
      std::uint32_t const group = min(group_of(knot(i)), slices_.groups() - 1);
      // Neither is the code before the slice, nor one behind it.
      bool const are_frequent = i > often && i + often <= slices_.of_bucket &&
                                knot(i) == knot(i + often - 1) && knot(i - 1) == knot(i - often) &&
                                knot(i - 1) != first_ && has(knot(i));
      bool const share_group = are_frequent && group_of(knot(i - 1)) == group;
      atomicAdd(
          parts + (group >> (slices_.groups_log2 - parts_log2)),
          share_group ? slices_.of_bucket : 1u);
      atomicAdd(parts + (1u << parts_log2) + (group >> (slices_.groups_log2 - small_log2)), 1u);
    }
    __syncthreads();
    // Six times the average, and 24 times that of small ones: all blocks wait for the slowest one,
    // so that chance must not make one of it.
    std::uint32_t const most = slices_.of_bucket * 6 / 32;
    std::uint32_t const most_of_small = slices_.of_bucket * 24 / 256;
    bool are_many = false;
    for (std::uint32_t i = threadIdx.x % 32; i < all; i += 32) {
      are_many = are_many || parts[i] > (i < 1u << parts_log2 ? most : most_of_small);
    }
    return __any_sync(~0u, are_many) != 0;
  }
  __device__ std::uint32_t evenly(Code code) const {
    return scale_.group_of(static_cast<Code>(code - first_));
  }
  /// They stand where segments would.
  __device__ code_pieces<Code> pieces() const {
    return code_pieces<Code>(memory_ + slices_.segment_offset());
  }

  /// The i-th code of the bucket's sample, where the i-th segment begins.
  __device__ Code knot(std::uint32_t i) const {
    Code const drawn = slices_.sample[std::uint64_t{job_} * slices_.of_bucket + i];
    return i == 0 ? first_ : max(first_, drawn);
  }
  __device__ unsigned steps() const {
    return static_cast<unsigned>(__ffs(static_cast<int>(slices_.of_bucket))) - 1;
  }
  __device__ segment* segments() const {
    return shared_pointer<segment>(memory_ + slices_.segment_offset());
  }
  /// The two nodes below the i-th one are the 2 i-th and the next; the first one is the root.
  __device__ Code* tree() const {
    return shared_pointer<Code>(memory_ + slices_.tree_offset());
  }
  __device__ void write_segment(std::uint32_t i) const {
    Code const first = knot(i);
    Code const end =
        i + 1 < slices_.of_bucket ? knot(i + 1) : static_cast<Code>(first_ + widest_ + 1);
    auto const widest =
        static_cast<Code>(end - first - (end != first ? 1 : 0));  // else nothing is in it
    segments()[i] = {first, packed_scale<Code>(scale::of(widest, slices_.groups() >> steps()))};
    if (i != 0) {
      unsigned const below = static_cast<unsigned>(__ffs(static_cast<int>(i))) - 1;
      tree()[(slices_.of_bucket + i) >> (below + 1)] = first;
    }
  }
  template <unsigned Count>
  __device__ void by_segment(Code const (&codes)[Count], std::uint32_t (&at)[Count]) const {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      at[i] = 1;
    }
#pragma unroll 1
    for (unsigned step = steps(); step > 0; --step) {
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        at[i] = 2 * at[i] + (codes[i] >= tree()[at[i]] ? 1 : 0);
      }
    }
    std::uint32_t const groups = slices_.groups() >> steps();
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      std::uint32_t const which = at[i] - slices_.of_bucket;
      segment const here = segments()[which];
      at[i] = which * groups + here.scale.group_of(static_cast<Code>(codes[i] - here.first));
    }
  }

  description const& slices_;
  std::uint32_t memory_;
  std::uint32_t job_;
  Code first_;   // of the slice
  Code widest_;  // how far its last one lies above that
  scale scale_;
  by found_ = by::slice;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
