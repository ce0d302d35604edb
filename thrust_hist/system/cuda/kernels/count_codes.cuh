// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed, second kernel: the codes of each bucket are counted in a hash table, or their
/// values folded. And the only kernel where distinct keys are so few that every block has room for
/// all of them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/code_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/code_table.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/padded_units.cuh>
#include <thrust_hist/system/cuda/kernels/segments.cuh>
#include <thrust_hist/system/cuda/kernels/tile_pairs.cuh>
#include <thrust_hist/system/cuda/kernels/work_line.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The keys of a thread in a tile, where they are counted as they come in: 16-byte loads of bytes
/// at least.
inline constexpr unsigned keys_of_thread = 16;

/// Which codes of a bucket belong to one of its tables: by bits that tell neither the bucket nor
/// the slot.
struct codes_of_table {
  unsigned shift;
  std::uint32_t mask;  ///< 0 where there is one table
  std::uint32_t bits;

  /// The bits in `present` of those codes that do.
  template <class Code, unsigned Count>
  __device__ std::uint32_t among(Code const (&codes)[Count], std::uint32_t present) const {
    if (mask != 0) {
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        std::uint32_t const own = static_cast<std::uint32_t>(codes[i]) >> shift & mask;
        present &= own == bits ? ~0u : ~(1u << i);
      }
    }
    return present;
  }
};

/// Enters those codes of a bucket that lie in some groups of tiles. All threads of the block must
/// call it. Long segments are left to one warp, for they have few distinct codes: all warps
/// together would wait for each other at the same slots. `taken`: a word in shared memory.
template <class Code, class Table>
__device__ inline void enter_segments(
    bucket_segments const& segments, std::uint32_t stride, Code padding,
    code_memory<Code, typename Table::beside> const& memory, codes_of_table const& own,
    Table const& table, typename Table::rows const& rows, std::uint32_t* taken) {
  using beside = typename Table::beside;
  constexpr unsigned of_unit = 16 / sizeof(Code);
  constexpr unsigned mine = lane_units::size * of_unit;
  dealt_walk const walk(padded_segments(segments, stride, of_unit), taken);
  cuda::for_units(walk, [&](lane_units const& units) {
    Code codes[mine];
    units.load(memory.codes(), padding, codes);
    if (table.is_hopeless()) {
      return;
    }
    beside x[mine] = {};
    if constexpr (!std::is_empty_v<beside>) {
      units.load(memory.values, beside{}, x);
    }
    std::uint32_t present = 0;
#pragma unroll
    for (unsigned i = 0; i < mine; ++i) {
      present |= codes[i] != padding ? 1u << i : 0;
    }
    table.template add<new_codes::often>(codes, x, own.among(codes, present), rows);
  });
}

/// Counts the tiles of a batch, or folds their values, and writes rows.
template <class Code, class Table>
__launch_bounds__(1024, 1) __global__ void count_codes(
    bucket_layout const layout, std::uint32_t const stride,
    code_memory<Code, typename Table::beside> const memory,
    typename Table::description const description, typename Table::rows const rows) {
  cuda::take_turn();
  extern __shared__ uint4 shared[];
  std::uint32_t const tiles = *memory.tiles;
  // In units of 16 codes: a table is cleared, filled and written, and of a warp's segments the last
  // codes are few.
  std::uint32_t const own_work = tiles / 16 + 1536;
  work_line line(reinterpret_cast<std::uint32_t*>(shared), layout, own_work);
  Table const table = description.make(shared + (layout.tables() + 2 + 32 + 3) / 4);

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
        std::uint32_t const bucket = t >> layout.tables_log2();
        std::uint32_t const mask = (1u << layout.tables_log2()) - 1;
        table.clear();
        cuda::enter_segments(
            bucket_segments(layout, memory, bucket, groups, tiles), stride,
            cuda::padding_of<Code>(bucket), memory,
            codes_of_table{description.slots_log2, mask, t & mask}, table, rows, line.beside());
        __syncthreads();
        if (!table.deliver(rows)) {
          return;  // all keys are going to be sorted
        }
        __syncthreads();
      }
    }
    if (!line.has_light()) {
      return;
    }
  }
}

/// Counts keys as they come in.
template <class Samples, class Encode, class Code>
__launch_bounds__(1024, 1) __global__ void count_keys_by_hash(
    Samples const samples, Encode const encode,
    typename code_table<Code>::description const description, std::uint64_t const tiles,
    code_rows<Code> const rows) {
  cuda::take_turn();
  constexpr unsigned at_once = 4;
  extern __shared__ uint4 shared[];
  code_table<Code> const table = description.make(shared);
  table.clear();
  __syncthreads();
  std::uint32_t alone = 0;
  for (std::uint64_t tile = blockIdx.x; tile < tiles && !table.is_hopeless(); tile += gridDim.x) {
    Code mixed[keys_of_thread / at_once][at_once] = {};
    std::uint32_t present = 0;
    samples.template for_tile<keys_of_thread>(tile, [&](unsigned i, auto const& key) {
      Code code;
      if (encode(key, code)) {
        mixed[i / at_once][i % at_once] = code;
        present |= 1u << i;
      } else {
        ++alone;
      }
    });
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < keys_of_thread / at_once; ++i) {
      no_value const beside[at_once] = {};
      table.template add<new_codes::seldom>(
          mixed[i], beside, present >> i * at_once & ((1u << at_once) - 1), rows);
    }
  }
  __syncthreads();
  table.deliver(rows);
  cuda::add_alone(rows.findings, alone);
}

/// Pairs of a tile of those that are folded as they come in.
inline constexpr unsigned fold_tile = 8 * 1024;

/// Folds the values of keys as they come in, four pairs of a thread at a time.
template <class Keys, class Encode, class Carried, class Code, class Table>
__launch_bounds__(1024, 1) __global__ void fold_keys_by_hash(
    Keys const keys, Encode const encode, Carried const carried,
    typename Table::description const description, std::uint32_t const tiles,
    typename Table::rows const rows) {
  cuda::take_turn();
  constexpr unsigned mine = fold_tile / 1024;
  constexpr unsigned at_once = 4;
  extern __shared__ uint4 shared[];
  Table const table = description.make(shared);
  table.clear();
  __syncthreads();
  std::uint32_t alone = 0;
  for (std::uint32_t t = blockIdx.x; t < tiles && !table.is_hopeless(); t += gridDim.x) {
    tile_of_batch const where = {0, t, tiles};
    Code mixed[mine / at_once][at_once] = {};
    typename Table::beside x[mine / at_once][at_once] = {};
    std::uint32_t present = 0;
    keys.template for_tile<0, mine>(where, [&](unsigned i, auto const& key) {
      Code code;
      if (encode(key, code)) {
        mixed[i / at_once][i % at_once] = code;
        present |= 1u << i;
      } else {
        ++alone;
      }
    });
    carried.template for_tile<mine>(
        where, [&](unsigned i, auto const& value) { x[i / at_once][i % at_once] = value; });
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < mine / at_once; ++i) {
      table.template add<new_codes::seldom>(
          mixed[i], x[i], present >> i * at_once & ((1u << at_once) - 1), rows);
    }
  }
  __syncthreads();
  table.deliver(rows);
  cuda::add_alone(rows.rows.findings, alone);
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
