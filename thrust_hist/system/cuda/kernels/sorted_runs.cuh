// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sorted codes: where runs of equal ones begin, how long they are, and what is written of them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>

#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The bits of a number; all of them where there are too many to look at.
template <class Code>
THRUST_HIST_HOST_DEVICE unsigned long long bits_of_code(Code const& code) {
  if constexpr (std::is_integral_v<Code>) {
    return code;
  } else {
    return ~0ull;
  }
}

/// Codes of keys. What equals no other key gets the last code of all, which no number has.
template <class Keys, class Kind>
__global__ void encode_keys(
    Keys const keys, std::uint64_t const n, Kind const kind, typename Kind::code* const codes,
    sparse_findings* const findings) {
  using key = value_t<Keys>;
  auto const code_of = [&](std::uint64_t i) {
    return Kind::template encode<key>(static_cast<key>(keys[static_cast<difference_t<Keys>>(i)]));
  };
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  auto const first = cuda::bits_of_code(code_of(0));
  unsigned long long alone = 0;
  unsigned long long differing = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    auto code = code_of(i);
    if constexpr (has_alone_keys<Kind, key>) {
      if (kind.is_alone(code)) {
        code = kind.last();
        ++alone;
      }
    }
    differing |= cuda::bits_of_code(code) ^ first;
    ::new (static_cast<void*>(codes + i)) typename Kind::code(code);
  }
  if (alone != 0) {
    atomicAdd(&findings->alone, alone);
  }
#pragma unroll
  for (unsigned d = 16; d > 0; d /= 2) {
    differing |= __shfl_xor_sync(~0u, differing, d);
  }
  if (threadIdx.x % 32 == 0 && differing != 0) {
    atomicOr(&findings->differing, differing);
  }
}

/// Marks where a run begins.
template <class Kind>
struct run_begins {
  Kind keys;
  typename Kind::code const* sorted;

  __device__ bool operator()(std::uint64_t i) const {
    return i == 0 || !keys.equal(sorted[i - 1], sorted[i]);
  }
};

/// Marks keys that equal no other one.
template <class Keys, class Kind>
struct alone_among {
  Keys keys;
  Kind kind;

  __device__ bool operator()(std::uint64_t i) const {
    using key = value_t<Keys>;
    return kind.is_alone(
        Kind::template encode<key>(static_cast<key>(keys[static_cast<difference_t<Keys>>(i)])));
  }
};

/// Runs of equal codes. Each code was counted `counts[i]` times, or once.
template <class Kind>
struct sorted_runs {
  using code = typename Kind::code;
  Kind keys;
  code const* sorted;
  std::uint32_t const* counts;  ///< or null
  std::uint64_t size;           ///< codes
  std::uint64_t const* begins;  ///< of each run, or null: each code is one
  std::uint64_t runs;

  __device__ code const& code_of(std::uint64_t run) const {
    return sorted[begins == nullptr ? run : begins[run]];
  }
  __device__ std::uint64_t end_of(std::uint64_t run) const {
    return run + 1 < runs ? begins[run + 1] : size;
  }
  /// How often the code of a run was counted, for each lane its own; has_run is false where there is none.
  /// All lanes of the warp must call it: they sum up long runs together.
  __device__ std::uint64_t count_of(std::uint64_t run, bool has_run) const {
    std::uint64_t const begin = has_run ? begins[run] : 0;
    std::uint64_t const end = has_run ? end_of(run) : 0;
    if (counts == nullptr) {
      return end - begin;
    }
    constexpr unsigned most_alone = 64;
    unsigned const lane = threadIdx.x % 32;
    bool const is_long = end - begin > most_alone;
    std::uint64_t sum = 0;
    if (!is_long) {
      for (std::uint64_t i = begin; i < end; ++i) {
        sum += counts[i];
      }
    }
    for (unsigned rest = __ballot_sync(~0u, is_long); rest != 0; rest &= rest - 1) {
      int const whose = __ffs(static_cast<int>(rest)) - 1;
      std::uint64_t const last = __shfl_sync(~0u, end, whose);
      unsigned long long part = 0;
      for (std::uint64_t i = __shfl_sync(~0u, begin, whose) + lane; i < last; i += 32) {
        part += counts[i];
      }
#pragma unroll
      for (unsigned d = 16; d > 0; d /= 2) {
        part += __shfl_xor_sync(~0u, part, d);
      }
      sum = lane == static_cast<unsigned>(whose) ? part : sum;
    }
    return sum;
  }
};

template <class Kind, class Keys, class KeysOut>
__device__ inline void write_key(
    sorted_runs<Kind> const& runs, Keys const& keys, std::uint64_t const* alone, std::uint64_t row,
    KeysOut const& out) {
  using key = value_t<Keys>;
  using written = typename folded_of<KeysOut, key>::type;
  key const k =
      row < runs.runs
          ? Kind::template decode<key>(runs.code_of(row))
          : static_cast<key>(keys[static_cast<difference_t<Keys>>(alone[row - runs.runs])]);
  *(out + static_cast<std::ptrdiff_t>(row)) = static_cast<written>(k);
}

/// Writes the key of each run, and then the keys that equal no other one as they stand in the input.
template <class Kind, class Keys, class KeysOut>
__global__ void write_keys(
    sorted_runs<Kind> const runs, Keys const keys, std::uint64_t const* const alone,
    std::uint64_t const rows, KeysOut const out) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t r = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; r < rows;
       r += stride) {
    cuda::write_key(runs, keys, alone, r, out);
  }
}

/// The same, and how often each key was counted.
template <class Kind, class Keys, class KeysOut, class Fold, class CountsOut>
__global__ void write_counted_keys(
    sorted_runs<Kind> const runs, Keys const keys, std::uint64_t const* const alone,
    std::uint64_t const rows, KeysOut const keys_out, Fold const fold, CountsOut const counts_out) {
  using written = typename folded_of<CountsOut, std::uint64_t>::type;
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t const first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint64_t r = first; r - threadIdx.x % 32 < rows; r += stride) {
    std::uint64_t const count = runs.count_of(r, r < runs.runs);
    if (r < rows) {
      cuda::write_key(runs, keys, alone, r, keys_out);
      *(counts_out + static_cast<std::ptrdiff_t>(r)) =
          fold.template finish<written>(r < runs.runs ? count : 1);
    }
  }
}

/// The codes of runs side by side.
template <class Kind>
__global__ void gather_codes(sorted_runs<Kind> const runs, typename Kind::code* const codes) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t r = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; r < runs.runs;
       r += stride) {
    ::new (static_cast<void*>(codes + r)) typename Kind::code(runs.code_of(r));
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
