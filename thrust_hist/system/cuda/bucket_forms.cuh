// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route partitioned: the kinds of buckets. How each is planned, how
/// codes are thrown into them, where these lie then, and what counts them.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/count_ranges.cuh>
#include <thrust_hist/system/cuda/kernels/fill_regions.cuh>
#include <thrust_hist/system/cuda/kernels/ordered_table.cuh>
#include <thrust_hist/system/cuda/kernels/partition_codes.cuh>
#include <thrust_hist/system/cuda/kernels/range_table.cuh>
#include <thrust_hist/system/cuda/kernels/wide_table.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/ordered_buckets.h>
#include <thrust_hist/system/cuda/range_buckets.h>
#include <thrust_hist/system/cuda/sparse_problem.h>
#include <thrust_hist/system/cuda/wide_buckets.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Of codes that lie in [0, last], and where they are densest so many times as dense as on average.
struct range_of_codes {
  std::uint64_t last;
  double density;
  std::uint64_t distinct;
  std::uint64_t size;
  bool is_uneven;
};

/// Codes in tiles, sorted by bucket.
template <class Buckets, class Table>
struct tiled_form {
  using table = Table;
  using code = typename Table::code;
  using source = codes_in_tiles<code>;
  static constexpr bool may_be_drawn = false;

  static std::size_t bytes(Buckets const& buckets) { return buckets.codes.bytes(); }
  static source source_in(Buckets const& buckets, unsigned char* memory) {
    code_buckets const& b = buckets.codes;
    return {b.layout, b.stride_of_tile(), code_memory<code, no_value>(b, memory)};
  }
  template <class Samples, class Encode>
  static void throw_codes(
      Samples const& samples, Encode const& encode, Buckets const& buckets, source const& to,
      sparse_findings* findings, cudaStream_t stream) {
    code_buckets const& b = buckets.codes;
    auto const tiles = static_cast<std::uint32_t>(samples.tiles(b.codes_of_tile()));
    require(
        cudaMemsetAsync(to.tiles.totals, 0, b.layout.total_bytes(), stream),
        "cudaMemsetAsync of the totals");
    cuda::launch(
        "partition_codes", partition_codes<Samples, Encode, code, none_hot>,
        (std::min)(tiles, b.tile_blocks), b.layout.threads, b.tile_shared_bytes(), stream, samples,
        encode, b.layout, buckets.factor(), b.stride_of_tile(), to.tiles, std::uint64_t{0}, tiles,
        findings, none_hot{}, 0u);
  }
};

template <class Buckets>
struct form_of;

template <>
struct form_of<range_buckets> : tiled_form<range_buckets, range_table> {
  static range_buckets plan(range_of_codes const& r, device_facts const& facts) {
    return plan_range_buckets(r.last, r.distinct, r.density, r.size, facts);
  }
};

template <>
struct form_of<wide_buckets> : tiled_form<wide_buckets, wide_table> {
  static wide_buckets plan(range_of_codes const& r, device_facts const& facts) {
    return plan_wide_buckets(r.last, r.distinct, r.density, r.size, facts);
  }
};

/// Each bucket has a region of memory.
template <class Code>
struct form_of<ordered_buckets<Code>> {
  using buckets_type = ordered_buckets<Code>;
  using table = ordered_table<Code>;
  using source = codes_in_regions<Code>;
  static constexpr bool may_be_drawn = true;

  static buckets_type plan(range_of_codes const& r, device_facts const& facts) {
    return r.is_uneven ? plan_drawn_buckets<Code>(r.size, facts)
                       : plan_ordered_buckets<Code>(r.last, r.density, r.size, facts);
  }
  static std::size_t bytes(buckets_type const& buckets) { return buckets.bytes(); }
  static source source_in(buckets_type const& buckets, unsigned char* memory) {
    auto const misaligned = reinterpret_cast<std::uintptr_t>(memory) % bucket_layout::alignment;
    auto* const sizes = memory + (misaligned == 0 ? 0 : bucket_layout::alignment - misaligned);
    return {
        {reinterpret_cast<Code*>(sizes + buckets.all_number_bytes()),
         reinterpret_cast<std::uint32_t*>(sizes), buckets.slices.room}};
  }
  /// How many codes are between buckets, behind how many these have.
  static std::uint32_t* between(buckets_type const& buckets, source const& in) {
    return in.regions.sizes + buckets.number_bytes() / sizeof(std::uint32_t);
  }
  template <class Samples, class Encode>
  static void throw_codes(
      Samples const& samples, Encode const& encode, buckets_type const& buckets, source const& to,
      sparse_findings* findings, cudaStream_t stream) {
    require(
        cudaMemsetAsync(to.regions.sizes, 0, buckets.all_number_bytes(), stream),
        "cudaMemsetAsync of the sizes");
    if (buckets.are_drawn()) {
      fill(
          samples, encode, buckets,
          drawn_bounds<Code>{buckets.slices, buckets.steps(), between(buckets, to)}, to, findings,
          stream);
    } else {
      fill(samples, encode, buckets, even_bounds<Code>{buckets.factor()}, to, findings, stream);
    }
  }

private:
  template <class Samples, class Encode, class Bounds>
  static void fill(
      Samples const& samples, Encode const& encode, buckets_type const& buckets,
      Bounds const& bounds, source const& to, sparse_findings* findings, cudaStream_t stream) {
    auto const tiles = static_cast<std::uint32_t>(samples.tiles(buckets.codes_of_tile()));
    cuda::launch(
        "fill_regions", fill_regions<Samples, Encode, Bounds>,
        (std::min)(tiles, buckets.tile_blocks(current_facts())), buckets.threads,
        buckets.tile_shared_bytes(), stream, samples, encode, buckets.buckets, bounds, tiles,
        to.regions, findings);
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
