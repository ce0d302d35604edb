// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms, route sorted: codes of 8 bytes, with what lies beside them, go to the stretch
/// of codes in which they lie. Each warp has a strip of neighbours. A kernel counts what each strip
/// has for each stretch, and when these are summed up another one writes. Codes of a stretch stay
/// in their order.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/code_stretches.h>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// With which code each stretch but the first one begins.
struct stretch_begins {
  std::uint64_t first[code_stretches::most - 1];
  unsigned size;
};

/// What each lane of a warp takes of its strip at a time.
struct strip_step {
  static constexpr unsigned codes = 8;
  static constexpr unsigned size = 32 * codes;
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_of_processor = 3;
};

/// The strip of each warp of a grid.
struct code_strips {
  std::uint64_t n;
  std::uint64_t of_warp;  ///< a multiple of a step

  __device__ static std::uint64_t warp() {
    return (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  }
  __device__ std::uint64_t begin() const { return warp() * of_warp; }
  __device__ std::uint64_t end() const {
    std::uint64_t const end = begin() + of_warp;
    return end < n ? end : n;
  }
};

/// Reads what a lane has of a step; `here`: which of them there are.
template <class Code>
__device__ inline unsigned read_step(
    Code const* codes, std::uint64_t first, std::uint64_t end, Code (&mine)[strip_step::codes]) {
  unsigned here = 0;
#pragma unroll
  for (unsigned i = 0; i < strip_step::codes; ++i) {
    std::uint64_t const at = first + i * 32 + threadIdx.x % 32;
    here |= at < end ? 1u << i : 0;
    mine[i] = at < end ? codes[at] : Code{};
  }
  return here;
}

/// counts[s * warps + w]: how many codes strip w has in stretch s.
template <class Code>
__launch_bounds__(strip_step::threads) __global__ void count_stretches(
    Code const* const codes, code_strips const strips, stretch_begins const begins,
    unsigned long long* const counts) {
  cuda::take_turn();
  std::uint64_t const warps = std::uint64_t{gridDim.x} * blockDim.x / 32;
  unsigned const lane = threadIdx.x % 32;
  std::uint32_t not_below[code_stretches::most - 1] = {};  // of this lane: for each begin
  std::uint64_t const end = strips.end();
  for (std::uint64_t first = strips.begin(); first < end; first += strip_step::size) {
    Code mine[strip_step::codes];
    unsigned const here = cuda::read_step(codes, first, end, mine);
#pragma unroll
    for (unsigned b = 0; b < code_stretches::most - 1; ++b) {
      if (b < begins.size) {
#pragma unroll
        for (unsigned i = 0; i < strip_step::codes; ++i) {
          bool const is =
              (here >> i & 1) != 0 && number_code<Code>::encode(mine[i]) >= begins.first[b];
          not_below[b] += is ? 1 : 0;
        }
      }
    }
  }
  std::uint64_t above = strips.begin() < end ? end - strips.begin() : 0;
#pragma unroll
  for (unsigned b = 0; b < code_stretches::most - 1; ++b) {
    if (b < begins.size) {
      std::uint32_t const next = cuda::add_over_lanes(~0u, not_below[b]);
      if (lane == 0) {
        counts[b * warps + strips.warp()] = above - next;
      }
      above = next;
    }
  }
  if (lane == 0) {
    counts[begins.size * warps + strips.warp()] = above;
  }
}

/// Two pairs of arrays, and which stretches go to the second one.
template <class Code, class Beside>
struct split_arrays {
  Code* codes[2];
  Beside* beside[2];
  unsigned in_second;
};

/// The stretch of each code that a lane has of a step.
template <class Code>
__device__ inline void find_stretches(
    stretch_begins const& begins, Code const (&codes)[strip_step::codes],
    unsigned (&stretches)[strip_step::codes]) {
#pragma unroll
  for (unsigned i = 0; i < strip_step::codes; ++i) {
    stretches[i] = 0;
  }
#pragma unroll
  for (unsigned b = 0; b < code_stretches::most - 1; ++b) {
    if (b < begins.size) {
#pragma unroll
      for (unsigned i = 0; i < strip_step::codes; ++i) {
        stretches[i] += number_code<Code>::encode(codes[i]) >= begins.first[b] ? 1 : 0;
      }
    }
  }
}

/// What a warp has of a step, stretch by stretch, in shared memory.
template <class Code, class Beside>
struct split_step {
  static constexpr bool has_beside = !std::is_empty_v<Beside>;
  using word = std::conditional_t<has_beside, Beside, unsigned char>;

  Code codes[strip_step::size];
  word words[has_beside ? strip_step::size : 1];
  unsigned char stretches[strip_step::size];
};

/// `sums[s * warps + w]`: where the first code goes that strip w has in stretch s. The first
/// strip's are copied to `firsts`.
template <class Code, class Beside>
__launch_bounds__(strip_step::threads, strip_step::blocks_of_processor) __global__ void split_codes(
    Code const* const codes, Beside const* const beside, code_strips const strips,
    stretch_begins const begins, unsigned long long const* const sums,
    unsigned long long* const firsts, split_arrays<Code, Beside> const to) {
  cuda::take_turn();
  using step_type = split_step<Code, Beside>;
  __shared__ step_type steps[strip_step::threads / 32];
  step_type& step = steps[threadIdx.x / 32];
  std::uint64_t const warps = std::uint64_t{gridDim.x} * blockDim.x / 32;
  unsigned const lane = threadIdx.x % 32;
  // Lane s knows of stretch s: where it goes on, and with how many codes.
  unsigned long long next = lane <= begins.size ? sums[lane * warps + strips.warp()] : 0;
  if (strips.warp() == 0 && lane <= begins.size) {
    firsts[lane] = next;
  }
  std::uint64_t const end = strips.end();
  for (std::uint64_t first = strips.begin(); first < end; first += strip_step::size) {
    Code mine[strip_step::codes];
    unsigned const here = cuda::read_step(codes, first, end, mine);
    typename step_type::word words[strip_step::codes];
    if constexpr (step_type::has_beside) {
#pragma unroll
      for (unsigned i = 0; i < strip_step::codes; ++i) {
        words[i] = (here >> i & 1) != 0 ? beside[first + i * 32 + lane] : Beside{};
      }
    }
    unsigned stretches[strip_step::codes];
    cuda::find_stretches(begins, mine, stretches);
    unsigned places[strip_step::codes];  // among those of the same stretch
    unsigned count = 0;
#pragma unroll
    for (unsigned i = 0; i < strip_step::codes; ++i) {
      unsigned mates =
          __ballot_sync(~0u, (here >> i & 1) != 0);  // lanes with a code of this stretch
      unsigned of_lane = mates;                      // and with one of stretch `lane`
      for (unsigned bit = 1; bit <= begins.size; bit *= 2) {
        bool const is_set = (stretches[i] & bit) != 0;
        unsigned const with = __ballot_sync(~0u, is_set);
        mates &= is_set ? with : ~with;
        of_lane &= (lane & bit) != 0 ? with : ~with;
      }
      places[i] = __shfl_sync(~0u, count, static_cast<int>(stretches[i])) +
                  __popc(mates & ((1u << lane) - 1));
      count += lane <= begins.size ? __popc(of_lane) : 0;
    }
    unsigned const behind = cuda::sum_up_to_lane(count);
    unsigned const before = behind - count;
#pragma unroll
    for (unsigned i = 0; i < strip_step::codes; ++i) {
      unsigned const at = places[i] + __shfl_sync(~0u, before, static_cast<int>(stretches[i]));
      if ((here >> i & 1) != 0) {
        step.codes[at] = mine[i];
        step.stretches[at] = static_cast<unsigned char>(stretches[i]);
        if constexpr (step_type::has_beside) {
          step.words[at] = words[i];
        }
      }
    }
    __syncwarp();
    unsigned const all = __shfl_sync(~0u, behind, 31);
    unsigned long long const base = next - before;
#pragma unroll
    for (unsigned i = 0; i < strip_step::codes; ++i) {
      unsigned const at = i * 32 + lane;
      unsigned const stretch = at < all ? step.stretches[at] : 0;
      std::uint64_t const place = cuda::from_lane(~0u, base, stretch) + at;
      if (at < all) {
        bool const is_second = (to.in_second >> stretch & 1) != 0;
        (is_second ? to.codes[1] : to.codes[0])[place] = step.codes[at];
        if constexpr (step_type::has_beside) {
          (is_second ? to.beside[1] : to.beside[0])[place] = step.words[at];
        }
      }
    }
    next += count;
    __syncwarp();
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
