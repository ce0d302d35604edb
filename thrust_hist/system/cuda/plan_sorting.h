// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: how much memory that takes. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/run_tiles.h>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/settled_pieces.h>
#include <thrust_hist/system/cuda/sparse_problem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Bytes to find the begins of at most `most` runs among `codes` codes, and what is done with them. Keys that
/// equal no other one take as much as runs do.
inline std::size_t bytes_of_begins(
    sparse_problem const& p, std::uint64_t codes, std::uint64_t most, bool folds) noexcept {
  std::size_t const word_bytes = (std::max<std::size_t>)(p.values.beside_code, 4);
  std::size_t const state_bytes = (std::max<std::size_t>)(p.values.state, 8);
  std::size_t const kept_bytes = p.is_number ? p.code_bytes : 2;
  std::size_t const tiles =
      (folds ? (std::max)(
                   folded_tiles::of(kept_bytes, word_bytes, state_bytes).most(codes),
                   counted_tiles(kept_bytes).count(codes))
             : listed_tiles.count(codes)) +
      1;
  std::size_t const by_cub = 16 * (codes / 768 + 64);  // of its smallest tiles
  std::size_t const alone = p.may_be_alone ? bytes_of_alone(p.inputs) : 0;
  std::size_t const to_fold = (std::max)(by_cub, tiles * (8 + 2 * state_bytes));
  std::size_t const once_more =
      p.values.long_sum == 0 ? 0 : settled_pieces::bytes(codes, p.values.long_sum);
  return (folds ? (std::max)(to_fold, once_more != 0 ? 8 * most : 0) + once_more
                : 8 * most + p.values.row_codes) +
         8 * tiles + alone + p.staged_bytes + 64;
}

/// Codes twice, with what moves with them, and where runs of them begin.
inline sparse_plan plan_sorting(sparse_problem const& p, char const* why) noexcept {
  sparse_plan plan = {};
  plan.taken = route::sorted;
  plan.why = why;
  std::size_t const codes = p.inputs * (p.code_bytes + p.values.beside_code);
  plan.bytes = bytes_kept + codes +
               (std::max)(
                   codes + p.sort_bytes + 512,  // CUB aligns arrays to 256 bytes
                   bytes_of_begins(p, p.inputs, p.most_keys, !p.values.any || p.values.sorted));
  return plan;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
