// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables in shared memory for what the hardware's atomics fold: a word a bin, or two for sums of
/// 64 bits.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/atomic_words.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/places_of_blocks.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A word for each bin.
template <class Fold>
class word_table {
public:
  using value = typename Fold::value;
  using word_of = atomic_word<value, Fold::kind>;
  using word = typename word_of::type;
  static constexpr unsigned words = sizeof(word) / 4;  // of 32 bits
  static constexpr unsigned layout_words = 1;
  static constexpr std::uint32_t word_bytes = sizeof(word);

  struct description {
    word_layout layout;
    Fold fold;
    value* partial;  // of block b: partial[b * bins + bin]
    __device__ bool is_idle() const { return false; }
    __device__ word_table make(uint4* shared) const { return word_table(*this, shared); }
  };

  __device__ word_table(description const& d, uint4* shared)
      : d_(d), data_(cuda::shared_address(shared)),
        mine_(cuda::kept(data_ + (threadIdx.x & (d.layout.copies() - 1)) * word_bytes)),
        step_(cuda::kept(word_bytes << d.layout.copies_log2)),
        nowhere_(cuda::kept(data_ + d.layout.size() * word_bytes + threadIdx.x % 32 * 4)) {}
  __device__ void begin() {
    word const nothing = word_of::encode(d_.fold.empty());
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      words_of_table()[i] = nothing;
    }
    if (threadIdx.x < 32) {
      cuda::store_shared(nowhere_, 0);
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    bool const has = bin < d_.layout.bins;
    std::uint32_t const address = mine_ + static_cast<std::uint32_t>(bin) * step_;
    if constexpr (Fold::kind == operator_kind::sum) {
      // Without a branch, which would take longer than the addition.
      cuda::increase_shared(has ? address : nowhere_, has ? word_of::encode(x) : 1);
    } else if (!has) {
      cuda::increase_shared(nowhere_, 1);
    } else if (word_of::counts(x)) {
      word_of::fold_atomically(cuda::shared_pointer<word>(address), word_of::encode(x));
    }
  }
  template <class Bin, class... Kept>
  __device__ void add_four(
      Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group], Kept&... kept) {
    cuda::add_neighbours(*this, bins, x, true, kept...);
  }
  /// See frequent_bin.cuh.
  static constexpr bool keeps_frequent = true;
  __device__ bool lanes_meet() const { return d_.layout.copies_log2 < copies_log2_apart; }
  __device__ Fold const& fold() const { return d_.fold; }
  template <unsigned First, unsigned Stride, class Bin>
  __device__ void add_equals(Bin bin, value const (&x)[pairs_of_group]) {
    add(bin, cuda::fold_some<First, Stride>(d_.fold, x));
  }
  template <class Use>
  __device__ void for_each_bin(Use use) {
    for (std::uint32_t bin = threadIdx.x; bin < d_.layout.bins; bin += blockDim.x) {
      word folded = word_of::encode(d_.fold.empty());
      for (std::uint32_t i = 0; i < d_.layout.copies(); ++i) {
        folded = word_of::fold(
            folded, words_of_table()[d_.layout.place(bin, 0, d_.layout.copy_in_turn(i))]);
      }
      use(bin, word_of::decode(folded));
    }
  }
  __device__ void deliver() { for_each_bin(cuda::to_place_of_block(d_.partial, d_.layout.bins)); }
  __device__ std::uint32_t bins() const { return d_.layout.bins; }
  /// After all have added.
  __device__ std::uint32_t dropped() const {
    return threadIdx.x < 32 ? cuda::load_shared(nowhere_) : 0;
  }

private:
  __device__ word* words_of_table() const { return cuda::shared_pointer<word>(data_); }

  description const d_;
  std::uint32_t data_;
  std::uint32_t mine_;     // shared address of the copy of this lane
  std::uint32_t step_;     // bytes from bin to bin
  std::uint32_t nowhere_;  // shared address of this lane's count of pairs that have no bin
};

/// Sums of 64 bits in two words: the lower one tells by its old value whether it carries.
template <class Fold>
class long_table {
public:
  using value = typename Fold::value;
  static constexpr unsigned words = 2;
  static constexpr unsigned layout_words = words;

  struct description {
    word_layout layout;
    Fold fold;
    value* partial;
    __device__ bool is_idle() const { return false; }
    __device__ long_table make(uint4* shared) const { return long_table(*this, shared); }
  };

  __device__ long_table(description const& d, uint4* shared)
      : d_(d), data_(cuda::shared_address(shared)), mine_(d.layout, shared) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.size(); i += blockDim.x) {
      cuda::shared_pointer<unsigned>(data_)[i] = 0;
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, value x) {
    if (bin >= d_.layout.bins) {
      ++dropped_;
      return;
    }
    auto const low = static_cast<std::uint32_t>(x);
    std::uint32_t const address = mine_.address(static_cast<std::uint32_t>(bin), 0);
    std::uint32_t const before = cuda::add_shared(address, low);
    auto const high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(x) >> 32) +
                      (before + low < low ? 1 : 0);
    if (high != 0) {
      cuda::increase_shared(address + mine_.step(), high);
    }
  }
  template <class Bin, class... Kept>
  __device__ void add_four(
      Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group], Kept&... kept) {
    cuda::add_neighbours(*this, bins, x, true, kept...);
  }
  /// See frequent_bin.cuh.
  static constexpr bool keeps_frequent = true;
  __device__ bool lanes_meet() const { return d_.layout.copies_log2 < copies_log2_apart; }
  __device__ Fold const& fold() const { return d_.fold; }
  template <unsigned First, unsigned Stride, class Bin>
  __device__ void add_equals(Bin bin, value const (&x)[pairs_of_group]) {
    add(bin, cuda::fold_some<First, Stride>(d_.fold, x));
  }
  template <class Use>
  __device__ void for_each_bin(Use use) {
    for (std::uint32_t bin = threadIdx.x; bin < d_.layout.bins; bin += blockDim.x) {
      auto const* const data = cuda::shared_pointer<unsigned const>(data_);
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < d_.layout.copies(); ++i) {
        std::uint32_t const copy = d_.layout.copy_in_turn(i);
        sum += data[d_.layout.place(bin, 0, copy)];
        sum += std::uint64_t{data[d_.layout.place(bin, 1, copy)]} << 32;
      }
      use(bin, static_cast<value>(sum));
    }
  }
  __device__ void deliver() { for_each_bin(cuda::to_place_of_block(d_.partial, d_.layout.bins)); }
  __device__ std::uint32_t bins() const { return d_.layout.bins; }
  __device__ std::uint32_t dropped() const { return dropped_; }

private:
  description const d_;
  std::uint32_t data_;
  lane_words mine_;
  std::uint32_t dropped_ = 0;
};

/// Whether it takes the second of these tables.
template <class Fold>
inline constexpr bool sums_in_two_words =
    sizeof(typename Fold::value) == 8 && Fold::kind == operator_kind::sum;
template <class Fold>
using word_table_for =
    std::conditional_t<sums_in_two_words<Fold>, long_table<Fold>, word_table<Fold>>;

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
