// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route sorted of folds, beside the sort and fold_runs(): pairs become codes with words beside
/// them, and rows, one for each run of a bin, go to the output.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/cuda/kernels/fold_shared.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>

#include <cstdint>
#include <cstring>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The number of no pair, in place of that of one without a bin: the operator sees no such value.
inline constexpr std::uint32_t no_pair = 0xffffffff;

/// Keeps the pair of an input: its bin, or the number of bins where it has none, and its value as a
/// word, if it is carried.
template <bool Carries, class Value>
struct kept_pair {
  std::uint32_t const bins;
  std::uint32_t code;
  std::uint32_t word;

  __device__ kept_pair(std::uint32_t bins, std::uint32_t without_bin)
      : bins(bins), code(bins), word(without_bin) {}
  template <class Bin>
  __device__ void add(Bin bin, Value const& value) {
    if (bin < bins) {
      code = static_cast<std::uint32_t>(bin);
      if constexpr (Carries) {
        memcpy(&word, &value, sizeof value);
      }
    }
  }
};

/// What is carried for a pair without a bin: a state without values, which changes no other.
template <bool Carries, class Fold>
__device__ inline std::uint32_t word_of_nothing(Fold const& fold) {
  std::uint32_t word = no_pair;
  if constexpr (Carries) {
    auto const nothing = fold.empty();
    memcpy(&word, &nothing, sizeof nothing);
  }
  return word;
}

/// What route sorted begins with, in one launch: each pair gets a code, and a word, which is its
/// value if these are carried, or else its number; words that tiles look back at are cleared, and
/// bins without pairs written, which are all of them at first, unless the output keeps what it has.
/// `Input`: of a fold of pairs that lie one to an input.
template <bool Carries, class Fold, class Input, class Writer>
__global__ void begin_sorting(
    Input const input, Fold const fold, std::uint32_t const bins, std::uint32_t* const codes,
    std::uint32_t* const words, unsigned long long* const line, std::uint64_t const line_size,
    dropped_counter const dropped, Writer const write) {
  cuda::take_turn();
  using value = typename Fold::value;
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t const first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t const n = input.size();
  std::uint32_t const nothing = cuda::word_of_nothing<Carries>(fold);
  std::uint32_t mine = 0;  // without a bin
#pragma unroll 4
  for (std::uint64_t i = first; i < n; i += stride) {
    kept_pair<Carries, value> pair(bins, nothing);
    input.visit(i, pair);
    codes[i] = pair.code;
    words[i] = Carries || pair.code == bins ? pair.word : static_cast<std::uint32_t>(i);
    mine += pair.code == bins ? 1 : 0;
  }
  dropped.add(mine);
  for (std::uint64_t i = first; i < line_size; i += stride) {
    line[i] = 0;
  }
  for (std::uint64_t bin = first; !write.accumulate && bin < bins; bin += stride) {
    write(bin, fold.empty());
  }
}

// --- what is folded: an empty state with each value, which may be more than the value ------------

/// Values that were sorted with their codes.
template <class Fold>
struct values_in_words {
  using state = typename Fold::state;
  using word = std::uint32_t;
  Fold fold;
  word const* words;

  __device__ state of(word const& word) const {
    using value = typename Fold::value;
    alignas(value) unsigned char bytes[sizeof(value)];
    memcpy(bytes, &word, sizeof(value));
    state x = fold.empty();
    fold.add(x, *reinterpret_cast<value const*>(bytes));
    return x;
  }
};
/// Values of which the numbers were sorted.
template <class Fold, class Values>
struct values_by_number {
  using state = typename Fold::state;
  using word = std::uint32_t;
  Fold fold;
  Values values;
  word const* words;

  __device__ state of(word number) const {
    state x = fold.empty();
    if (number == no_pair) {
      return x;
    }
    fold.add(
        x, detail::convert<typename Fold::value>(
               static_cast<value_t<Values>>(values[static_cast<difference_t<Values>>(number)])));
    return x;
  }
};

// --- rows ----------------------------------------------------------------------------------------

/// Where fold_runs() writes rows: bins and their states, in scratch memory.
template <class Fold>
struct bin_rows {
  using state = typename Fold::state;
  Fold fold;
  std::uint32_t* bins;
  state* states;

  __device__ void write_key(std::uint64_t row, std::uint32_t bin) const { bins[row] = bin; }
  __device__ void write_value(std::uint64_t row, state const& x) const {
    ::new (static_cast<void*>(states + row)) state(x);
  }
};

/// Writes bins with pairs: so many rows, but for that of what has no bin.
template <class Fold, class Writer>
__global__ void write_bin_rows(
    bin_rows<Fold> const rows, unsigned long long const* const number, std::uint32_t const bins,
    Writer const write) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t const n = *number;
  for (std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; row < n;
       row += stride) {
    std::uint32_t const bin = rows.bins[row];
    if (bin < bins) {
      write(bin, rows.states[row]);
    }
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
