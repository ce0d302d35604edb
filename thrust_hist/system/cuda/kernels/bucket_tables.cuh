// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables of a bucket in shared memory for what the hardware's atomics fold, and how they are
/// folded into the states of all bins in global memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/atomic_states.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/word_tables.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Blocks that share a table begin at different bins, so as not to meet at the same address.
__device__ inline std::uint32_t bin_in_turn(std::uint32_t i, std::uint32_t bins, bool alone) {
  return alone ? i : (i + blockIdx.x * blockDim.x) % bins;
}

/// Gives four neighbours to a table, as one pair where their bins are equal. Each lane decides for
/// itself: the lanes of a warp have neighbours of many tiles.
template <class Table, class Value>
__device__ inline void add_four_of_lane(
    Table& table, std::uint32_t const (&bins)[pairs_of_group], Value const (&x)[pairs_of_group]) {
  static_assert(pairs_of_group == 4);
  bool const are_equal = bins[0] == bins[1] && bins[2] == bins[3] && bins[0] == bins[2];
  if (are_equal && bins[0] < table.bins()) {
    table.template add_equals<0, 1>(bins[0], x);
    return;
  }
#pragma unroll
  for (unsigned i = 0; i < pairs_of_group; ++i) {
    table.add(bins[i], x[i]);
  }
}

/// A table of words, one a bin or two for sums of 64 bits.
///
/// Tables of buckets are described twice: `description` is of all, and `at(first_bin, bins)` of
/// one.
template <class Fold>
class bucket_words : public word_table_for<Fold> {
public:
  using value = typename Fold::value;
  using inner_table = word_table_for<Fold>;
  using word_of = atomic_word<value, Fold::kind>;
  using word = std::conditional_t<sums_in_two_words<Fold>, unsigned, typename word_of::type>;
  static constexpr std::size_t bin_bytes = sizeof(value);
  static constexpr bool keeps_frequent = false;  // threads go on by themselves

  struct of_bucket {
    typename inner_table::description inner;
    value* states;  // of its bins
    __device__ bucket_words make(uint4* shared) const { return bucket_words(*this, shared); }
  };
  struct description {
    Fold fold;
    value* states;
    __device__ bool is_idle() const { return false; }
    __device__ of_bucket at(std::uint64_t first_bin, std::uint32_t bins) const {
      return {{{bins, inner_table::layout_words, 0}, fold, nullptr}, states + first_bin};
    }
  };

  __device__ bucket_words(of_bucket const& d, uint4* shared)
      : inner_table(d.inner, shared), d_(d), data_(cuda::shared_address(shared)) {}

  __device__ void add_four(
      std::uint32_t const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
    cuda::add_four_of_lane(static_cast<inner_table&>(*this), bins, x);
  }

  __device__ void deliver(bool alone) const {
    Fold const& fold = d_.inner.fold;
    std::uint32_t const bins = d_.inner.layout.bins;
    for (std::uint32_t i = threadIdx.x; i < bins; i += blockDim.x) {
      std::uint32_t const bin = cuda::bin_in_turn(i, bins, alone);
      if (has_nothing(bin)) {
        continue;
      }
      value const x = value_of(bin);
      if (alone) {
        fold.merge(d_.states[bin], x);
      } else {
        cuda::fold_atomically<Fold>(d_.states + bin, x);
      }
    }
  }

private:
  /// Asked of words: of real numbers, fast arithmetic takes those next to 0 for it.
  __device__ bool has_nothing(std::uint32_t bin) const {
    if constexpr (sums_in_two_words<Fold>) {
      return value_of(bin) == d_.inner.fold.empty();
    } else {
      return cuda::shared_pointer<word const>(data_)[bin] == word_of::encode(d_.inner.fold.empty());
    }
  }
  __device__ value value_of(std::uint32_t bin) const {
    auto const* const data = cuda::shared_pointer<word const>(data_);
    if constexpr (sums_in_two_words<Fold>) {
      return static_cast<value>(
          data[bin * 2] + (static_cast<std::uint64_t>(data[bin * 2 + 1]) << 32));
    } else {
      return word_of::decode(data[bin]);
    }
  }

  of_bucket const d_;
  std::uint32_t data_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
