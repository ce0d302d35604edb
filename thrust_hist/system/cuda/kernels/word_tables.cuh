// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables in shared memory for what the hardware's atomics fold: a word a bin, or two for sums of 64 bits.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/atomic_words.cuh>
#include <thrust_hist/system/cuda/kernels/pair_input.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Where the words of a table lie. A bin has `Words` of them, and 2^copies_log2 copies of each, side by side,
/// among which lanes choose: equal keys in a warp then meet at different addresses.
template <unsigned Words>
struct word_layout {
  std::uint32_t bins;
  unsigned copies_log2;

  __device__ std::uint32_t copies() const { return 1u << copies_log2; }
  __device__ std::uint32_t my_copy() const { return threadIdx.x & (copies() - 1); }
  __device__ std::uint32_t at(std::uint32_t bin, std::uint32_t word) const {
    return ((bin * Words + word) << copies_log2) + my_copy();
  }
  __device__ std::uint32_t size() const { return (bins * Words) << copies_log2; }
};

/// Four neighbours of equal bins as one pair, others one after another.
template <class Table, class Value, class Fold>
__device__ inline void add_neighbours(
    Table& table, std::uint32_t const (&bins)[pairs_of_group],
    Value const (&values)[pairs_of_group], Fold fold) {
  static_assert(pairs_of_group == 4);
  bool const first = bins[0] == bins[1];
  bool const second = bins[2] == bins[3];
  if (first && second && bins[0] == bins[2]) {
    table.add(bins[0], fold(fold(values[0], values[1]), fold(values[2], values[3])));
  } else {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      table.add(bins[i], values[i]);
    }
  }
}

/// A word for each bin.
template <class Fold>
class word_table {
public:
  using value = typename Fold::value;
  using word_of = atomic_word<value, Fold::kind>;
  using word = typename word_of::type;
  static constexpr unsigned words = sizeof(word) / 4;

  struct description {
    word_layout<1> layout;
    Fold fold;
    value* partial;  // of block b: partial[b * bins + bin]
    __device__ bool is_idle() const { return false; }
    __device__ word_table make(uint4* shared) const {
      return word_table(*this, reinterpret_cast<word*>(shared));
    }
  };

  __device__ word_table(description const& d, word* data) : d_(d), data_(data) {}
  __device__ void begin() {
    word const nothing = word_of::encode(d_.fold.empty());
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      data_[i] = nothing;
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    if (bin >= d_.layout.bins) {
      ++dropped_;
    } else if (word_of::counts(x)) {
      word_of::fold_atomically(
          data_ + d_.layout.at(static_cast<std::uint32_t>(bin), 0), word_of::encode(x));
    }
  }
  __device__ void add_four(
      std::uint32_t const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
    cuda::add_neighbours(*this, bins, x, d_.fold.op);
  }
  __device__ void deliver() {
    for (std::uint32_t bin = threadIdx.x; bin < d_.layout.bins; bin += blockDim.x) {
      word folded = word_of::encode(d_.fold.empty());
      for (std::uint32_t i = 0; i < d_.layout.copies(); ++i) {
        std::uint32_t const copy = (i + threadIdx.x) & (d_.layout.copies() - 1);
        folded = word_of::fold(folded, data_[(bin << d_.layout.copies_log2) + copy]);
      }
      d_.partial[std::uint64_t{blockIdx.x} * d_.layout.bins + bin] = word_of::decode(folded);
    }
  }
  __device__ std::uint32_t dropped() const { return dropped_; }

private:
  description const& d_;
  word* data_;
  std::uint32_t dropped_ = 0;
};

/// Sums of 64 bits in two words: the lower one tells by its old value whether it carries.
template <class Fold>
class long_table {
public:
  using value = typename Fold::value;
  static constexpr unsigned words = 2;

  struct description {
    word_layout<words> layout;
    Fold fold;
    value* partial;
    __device__ bool is_idle() const { return false; }
    __device__ long_table make(uint4* shared) const {
      return long_table(*this, reinterpret_cast<unsigned*>(shared));
    }
  };

  __device__ long_table(description const& d, unsigned* data) : d_(d), data_(data) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      data_[i] = 0;
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, value x) {
    if (bin >= d_.layout.bins) {
      ++dropped_;
      return;
    }
    auto const low = static_cast<unsigned>(x);
    auto const at = d_.layout.at(static_cast<std::uint32_t>(bin), 0);
    unsigned const old = atomicAdd(data_ + at, low);
    unsigned const high =
        static_cast<unsigned>(static_cast<std::uint64_t>(x) >> 32) + (old + low < low ? 1 : 0);
    if (high != 0) {
      atomicAdd(data_ + at + d_.layout.copies(), high);
    }
  }
  __device__ void add_four(
      std::uint32_t const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
    cuda::add_neighbours(*this, bins, x, d_.fold.op);
  }
  __device__ void deliver() {
    for (std::uint32_t bin = threadIdx.x; bin < d_.layout.bins; bin += blockDim.x) {
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < d_.layout.copies(); ++i) {
        std::uint32_t const at = ((bin * words) << d_.layout.copies_log2) +
                                 ((i + threadIdx.x) & (d_.layout.copies() - 1));
        sum += data_[at] + (std::uint64_t{data_[at + d_.layout.copies()]} << 32);
      }
      d_.partial[std::uint64_t{blockIdx.x} * d_.layout.bins + bin] = static_cast<value>(sum);
    }
  }
  __device__ std::uint32_t dropped() const { return dropped_; }

private:
  description const& d_;
  unsigned* data_;
  std::uint32_t dropped_ = 0;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
