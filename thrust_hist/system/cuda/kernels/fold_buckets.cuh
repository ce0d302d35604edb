// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned of folds, second kernel: the pairs of each bucket are folded into a table in
/// shared memory, and that into the states of its bins.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/partition_pairs.cuh>
#include <thrust_hist/system/cuda/kernels/segments.cuh>
#include <thrust_hist/system/cuda/kernels/work_line.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Eight rests and what they carry.
template <class Payload>
class pair_unit {
public:
  __device__ static pair_unit nothing() {
    pair_unit u = {};
    u.rests_ = make_uint4(~0u, ~0u, ~0u, ~0u);
    return u;
  }
  __device__ static pair_unit load(pair_memory<Payload> const& memory, std::uint32_t at) {
    pair_unit u;
    u.rests_ = __ldcs(memory.rests + at);
    auto const* const from =
        reinterpret_cast<uint4 const*>(memory.payloads) + std::uint64_t{at} * words;
#pragma unroll
    for (unsigned i = 0; i < words; ++i) {
      u.payloads_.w[i] = __ldcs(from + i);
    }
    return u;
  }
  /// Rests that are none, or of another table than the one that `flip` makes begin at 0, are beyond
  /// all bins.
  template <class Table>
  __device__ void fold_into(Table& table, std::uint32_t flip) const {
    using value = typename Table::value;
    std::uint32_t const pairs[4] = {rests_.x, rests_.y, rests_.z, rests_.w};
    auto const payloads = detail::bit_cast<elements>(payloads_);
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      std::uint32_t bins[pairs_of_group];
      value values[pairs_of_group];
#pragma unroll
      for (unsigned i = 0; i < pairs_of_group; ++i) {
        unsigned const at = half * pairs_of_group + i;
        std::uint32_t const pair = pairs[at / 2];
        bins[i] = (at % 2 == 0 ? pair & 0xffff : pair >> 16) ^ flip;
        values[i] = detail::bit_cast<value>(payloads.x[at]);
      }
      table.add_four(bins, values);
    }
  }

private:
  static constexpr unsigned words = bucket_layout::rests_of_unit * sizeof(Payload) / 16;
  struct loaded {
    uint4 w[words];
  };
  struct elements {
    Payload x[bucket_layout::rests_of_unit];
  };
  uint4 rests_;
  loaded payloads_;
};

/// Folds the units of the segments of a warp, all lanes together.
template <class Payload, class Table>
__device__ inline void fold_units(
    joined_segments const& segments, pair_memory<Payload> const& memory, Table& table,
    std::uint32_t flip) {
  constexpr unsigned loads = sizeof(Payload) == 4 ? 2 : 1;  // registers for no more
  for (std::uint32_t unit = 0; unit < segments.size(); unit += loads * 32) {
    pair_unit<Payload> loaded[loads];
#pragma unroll
    for (unsigned j = 0; j < loads; ++j) {
      std::uint32_t const mine = unit + j * 32 + threadIdx.x % 32;
      std::uint32_t const at = segments.unit(mine);
      loaded[j] = mine < segments.size() ? pair_unit<Payload>::load(memory, at)
                                         : pair_unit<Payload>::nothing();
    }
#pragma unroll
    for (unsigned j = 0; j < loads; ++j) {
      loaded[j].fold_into(table, flip);
    }
  }
}

/// Folds those pairs of a bucket that lie in some groups of tiles.
template <class Payload, class Table>
__device__ inline void fold_segments(
    bucket_segments const& segments, bucket_layout const& layout,
    pair_memory<Payload> const& memory, Table& table, std::uint32_t flip) {
  segment next = segments.after(0);
  for (std::uint32_t done = 0; done < segments.visits(); done += blockDim.x) {
    segment const s = next;
    next = segments.after(done + blockDim.x);  // asked for ahead
    std::uint32_t const units = (s.end - s.begin) / bucket_layout::rests_of_unit;
    cuda::fold_units(
        {s.tile * layout.units_of_tile() + s.first_unit(), units}, memory, table, flip);
  }
}

/// Folds the tiles of a batch. A description makes a table of each bucket, with `begin()`,
/// `add_four()`, and `deliver(alone)`, which folds it into the states of its bins; `alone`: no
/// other block does that.
template <class Payload, class Description>
__launch_bounds__(1024, 1) __global__ void fold_buckets_of(
    bucket_layout const layout, pair_memory<Payload> const memory, Description const description) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  if (description.is_idle()) {
    return;
  }
  std::uint32_t const tiles = *memory.tiles;
  work_line line(reinterpret_cast<std::uint32_t*>(shared), layout, cuda::work_of_table(tiles));
  uint4* const behind = shared + line_units(layout.tables());
  std::uint32_t const size = 1u << layout.table_bits;

#pragma unroll 1
  for (int turn = 0; turn < 2; ++turn) {
    line.lay_out(memory.totals, turn == 0 ? weight::heavy : weight::light);
    for (std::uint32_t job = blockIdx.x; job < line.jobs();
         job = line.after(job, memory.light_jobs)) {
      line.take(job);
      for (std::uint32_t t = line.first_table(); line.reaches(t); ++t) {
        group_interval const groups = line.groups_of(t, layout.groups());
        if (groups.count == 0) {
          continue;
        }
        std::uint32_t const skipped = t << layout.table_bits;
        std::uint32_t const bucket = t >> layout.tables_log2();
        std::uint32_t const part = t - (bucket << layout.tables_log2());
        std::uint64_t const first_bin = std::uint64_t{layout.first_bin} + skipped;
        auto const bucket_description = description.at(first_bin, min(size, layout.bins - skipped));
        auto table = bucket_description.make(behind);
        table.begin();
        __syncthreads();
        cuda::fold_segments(
            bucket_segments(layout, memory, bucket, groups, tiles), layout, memory, table,
            part << layout.table_bits);
        __syncthreads();
        table.deliver(groups.count == layout.groups());
        __syncthreads();
      }
    }
    if (!line.has_light()) {
      return;
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
