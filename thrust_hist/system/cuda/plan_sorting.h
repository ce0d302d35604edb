// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: how much memory that takes. No CUDA headers; tested
/// with g++.

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

/// Bytes to fold what lies beside so many sorted codes, run by run: ends of tiles, and which of
/// them are ready. `kept_bytes`: of a code, `word_bytes`: beside it, `state_bytes`: of what that is
/// folded to.
inline std::size_t bytes_to_fold_runs(
    std::uint64_t codes, std::size_t kept_bytes, std::size_t word_bytes,
    std::size_t state_bytes) noexcept {
  word_bytes = (std::max<std::size_t>)(word_bytes, 4);
  state_bytes = (std::max<std::size_t>)(state_bytes, 8);
  std::size_t const tiles = (std::max)(
                                folded_tiles::of(kept_bytes, word_bytes, state_bytes).most(codes),
                                counted_tiles(kept_bytes).count(codes)) +
                            1;
  std::size_t const by_cub = 16 * (codes / 768 + 64);  // of its smallest tiles
  return (std::max)(by_cub, tiles * (8 + 2 * state_bytes)) + 8 * tiles;
}

/// Bytes to find the begins of at most `most` runs among `codes` codes, and what is done with them.
inline std::size_t bytes_of_begins(
    sparse_problem const& p, std::uint64_t codes, std::uint64_t most, bool folds) noexcept {
  std::size_t const of_runs =
      folds ? bytes_to_fold_runs(
                  codes, p.is_number ? p.code_bytes : 2, p.values.beside_code, p.values.state) +
                  (p.values.long_sum == 0 ? 0 : settled_pieces::bytes(codes, p.values.long_sum))
            : 8 * (most + listed_tiles.count(codes) + 1) + p.values.row_codes;
  return of_runs + p.staged_bytes + 64;
}

/// Codes twice, with what moves with them, and where runs of them begin. Places of keys that equal
/// no other one, of 4 bytes each, come to where their codes would have been.
inline sparse_plan plan_sorting(sparse_problem const& p, char const* why) noexcept {
  sparse_plan plan = {};
  plan.taken = route::sorted;
  plan.why = why;
  std::size_t const codes = p.inputs * (p.code_bytes + p.values.beside_code);
  plan.bytes = bytes_kept + codes +
               (std::max)(
                   codes + p.sort_bytes + 512,  // CUB aligns arrays to 256 bytes
                   bytes_of_begins(p, p.inputs, p.most_keys, !p.values.any || p.values.sorted) +
                       (places_are_short(p.inputs) ? 0 : bytes_of_alone(p)));
  return plan;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
