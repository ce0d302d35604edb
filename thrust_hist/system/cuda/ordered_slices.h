// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route partitioned where most codes are distinct: what a block knows of the
/// buckets that it puts in order. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/range_buckets.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What a block knows of buckets, of which each is one slice.
struct ordered_slices {
  static constexpr unsigned threads = 512;  ///< of a block that puts one in order
  static constexpr unsigned blocks = 2;     ///< that a multiprocessor has registers for
  static constexpr std::uint32_t longest_of_warp = 256;  ///< group that a warp sorts by itself
  static constexpr std::uint32_t longest = 4096;         ///< and that a block does, of even buckets
  static constexpr std::uint32_t most_listed = 1024;     ///< longer groups than a thread sorts
  static constexpr std::uint32_t bytes_of_list = 16 + most_listed * sizeof(std::uint16_t);
  static constexpr unsigned least_groups_log2 = 11;  ///< each thread has four at least
  static constexpr unsigned most_groups_log2 = 15;

  unsigned bucket_bits;  ///< of a code, below those of its bucket, where these are equally wide
  unsigned groups_log2;  ///< of a bucket
  std::uint32_t room;    ///< of a bucket, for codes

  THRUST_HIST_HOST_DEVICE static constexpr unsigned of_bucket_log2() noexcept { return 0; }
  THRUST_HIST_HOST_DEVICE std::uint32_t groups() const noexcept { return 1u << groups_log2; }
};

/// The same, and where buckets lie. They are equally wide; or behind each so many codes of a sorted
/// sample, and the first one before them. Codes that are one of these come to no bucket, but are
/// counted: however many there are.
template <class Code>
struct bounded_slices : ordered_slices {
  /// Of what is known of a part of a bucket between two neighbours of the sample.
  static constexpr std::uint32_t segment_bytes = 2 * sizeof(Code);
  Code const* sample;
  std::uint32_t of_bucket;  ///< codes of the sample, a power of 2
  std::uint32_t buckets;
  std::uint32_t const* between;  ///< how many codes are that before a bucket
  bool may_be_frequent = true;   ///< whether one code may be much of a drawn bucket

  /// Shared memory: of each group where it begins, a list of groups, of a drawn bucket its
  /// segments, or its pieces, and a tree to find them, and codes.
  THRUST_HIST_HOST_DEVICE std::uint32_t list_offset() const noexcept {
    return groups() * static_cast<std::uint32_t>(sizeof(std::uint32_t));
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t segment_offset() const noexcept {
    return list_offset() + bytes_of_list;
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t tree_offset() const noexcept {
    return segment_offset() + of_bucket * segment_bytes;
  }
  THRUST_HIST_HOST_DEVICE std::uint32_t code_offset() const noexcept {
    return tree_offset() + of_bucket * static_cast<std::uint32_t>(sizeof(Code));
  }
  std::size_t shared_bytes() const noexcept {
    return bytes_beside_slice + code_offset() + std::size_t{room} * sizeof(Code);
  }

  THRUST_HIST_HOST_DEVICE Code first(std::uint32_t bucket) const noexcept {
    return sample == nullptr ? static_cast<Code>(Code{bucket} << bucket_bits)
           : bucket == 0     ? Code{0}
                             : static_cast<Code>(before(bucket) + 1);
  }
  /// Where nothing can be in the bucket it comes before the first one, so that has() of the table
  /// says anything: no code of another bucket must be shown to it then.
  THRUST_HIST_HOST_DEVICE Code last(std::uint32_t bucket) const noexcept {
    return sample == nullptr       ? first(bucket) + static_cast<Code>((Code{1} << bucket_bits) - 1)
           : bucket + 1 == buckets ? static_cast<Code>(~Code{0})
                                   : static_cast<Code>(before(bucket + 1) - 1);
  }
  /// The code of the sample before a bucket, if it is not the first one.
  THRUST_HIST_HOST_DEVICE Code before(std::uint32_t bucket) const noexcept {
    return sample[std::size_t{bucket} * of_bucket];
  }
};

/// A bucket that reaches over `of_bucket` codes of a sample has room for so many times as many
/// codes as buckets have on average: so many roots of `of_bucket` more. By chance one of 264
/// buckets has more codes than that one time in 18 000 with six roots, and one in 800 000 with
/// seven, which are taken wherever there is memory and shared memory for them.
inline double fullest_drawn(std::uint32_t of_bucket, double roots) noexcept {
  return 1 + roots / std::sqrt(static_cast<double>(of_bucket));
}
inline constexpr double roots_above_average[] = {7, 6};

/// With room for so many codes of a bucket, and at most so many in a group where they are densest.
inline ordered_slices plan_ordered_slices(
    unsigned bucket_bits, double densest, double room, unsigned codes_of_group) noexcept {
  ordered_slices s = {bucket_bits, ordered_slices::least_groups_log2, 0};
  while (s.groups_log2 < (std::min)(bucket_bits, ordered_slices::most_groups_log2) &&
         densest > codes_of_group * s.groups()) {
    ++s.groups_log2;
  }
  s.room = static_cast<std::uint32_t>((std::min)(room, 0x1p20)) / 4 * 4;
  return s;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
