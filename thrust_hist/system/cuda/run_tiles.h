// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tiles of sorted codes, of which each block makes rows: one for each run. No CUDA headers; tested
/// with g++.

#include <thrust_hist/config.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct run_tiles {
  static constexpr unsigned most_threads = 256;
  static constexpr unsigned most_of_thread = 16;

  unsigned of_thread;  ///< codes
  unsigned threads;

  constexpr std::uint64_t size() const noexcept { return std::uint64_t{of_thread} * threads; }
  constexpr std::uint64_t count(std::uint64_t codes) const noexcept {
    return (codes + size() - 1) / size();
  }
};

/// Where places are listed.
inline constexpr run_tiles listed_tiles = {run_tiles::most_of_thread, run_tiles::most_threads};
/// Whether 4 bytes hold a place below n.
constexpr bool places_are_short(std::uint64_t n) noexcept {
  return n >> 32 == 0;
}

/// Where only the lengths of runs are wanted. `code_bytes`: of one that is kept where its run
/// begins.
constexpr run_tiles counted_tiles(std::size_t code_bytes) noexcept {
  return {
      code_bytes > 4 ? run_tiles::most_of_thread / 2 : run_tiles::most_of_thread,
      run_tiles::most_threads};
}

/// Tiles in which what lies beside codes is folded: of so many bytes, in registers, as their codes
/// are; and in shared memory there is room for the codes and states of all runs, with an eighth
/// that is left free.
struct folded_tiles {
  static constexpr std::uint64_t few_codes = std::uint64_t{1} << 19;
  static constexpr std::uint64_t some_codes = std::uint64_t{1} << 21;
  static constexpr std::size_t most_shared_bytes = 40 * 1024;

  unsigned of_thread;

  /// `code_bytes`: of one that is kept where its run begins.
  static constexpr folded_tiles of(
      std::size_t code_bytes, std::size_t word_bytes, std::size_t state_bytes) noexcept {
    std::size_t const in_registers = code_bytes > word_bytes ? code_bytes : word_bytes;
    unsigned most = run_tiles::most_of_thread;
    while (most > 1 &&
           (most * in_registers > 64 ||
            most * run_tiles::most_threads * (code_bytes + state_bytes) > most_shared_bytes)) {
      most /= 2;
    }
    return {most};
  }
  /// Few are folded soonest by many blocks.
  run_tiles for_codes(std::uint64_t codes) const noexcept {
    unsigned const size = codes <= few_codes ? 1024 : codes <= some_codes ? 2048 : 4096;
    return {of_thread, (std::min)(run_tiles::most_threads, size / of_thread)};
  }
  /// Of so many codes or less.
  std::uint64_t most(std::uint64_t codes) const noexcept {
    auto const with = [&](std::uint64_t n) { return for_codes(n).count(n); };
    return (std::max)(
        {with(codes), with((std::min)(codes, some_codes)), with((std::min)(codes, few_codes))});
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
