// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables of a bucket in shared memory for what the hardware's atomics fold, and how they are folded into
/// the states of all bins in global memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/fold_global.cuh>
#include <thrust_hist/system/cuda/kernels/word_tables.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A table of words, one a bin or two for sums of 64 bits.
///
/// Tables of buckets are described twice: `description` is of all, and `at(first_bin, bins)` of one.
template <class Fold>
class bucket_words : public word_table_for<Fold> {
public:
  using value = typename Fold::value;
  using inner_table = word_table_for<Fold>;
  using word_of = atomic_word<value, Fold::kind>;
  using word = std::conditional_t<sums_in_two_words<Fold>, unsigned, typename word_of::type>;
  static constexpr std::size_t bin_bytes = sizeof(value);

  struct of_bucket {
    typename inner_table::description inner;
    value* states;  // of its bins
    __device__ bucket_words make(uint4* shared) const {
      return bucket_words(*this, reinterpret_cast<word*>(shared));
    }
  };
  struct description {
    Fold fold;
    value* states;
    __device__ bool is_idle() const { return false; }
    __device__ of_bucket at(std::uint64_t first_bin, std::uint32_t bins) const {
      return {{{bins, 0}, fold, nullptr}, states + first_bin};
    }
  };

  __device__ bucket_words(of_bucket const& d, word* data)
      : inner_table(d.inner, data), d_(d), data_(data) {}

  __device__ void deliver(bool alone) const {
    Fold const& fold = d_.inner.fold;
    std::uint32_t const bins = d_.inner.layout.bins;
    typename global_words<Fold>::description const all = {bins, d_.states, fold};
    global_words<Fold> states(all);
    for (std::uint32_t i = threadIdx.x; i < bins; i += blockDim.x) {
      // Blocks that share a table begin at different bins, so as not to meet at the same address.
      std::uint32_t const bin = alone ? i : (i + blockIdx.x * blockDim.x) % bins;
      value const x = value_of(bin);
      if (x == fold.empty()) {
        continue;
      }
      if (alone) {
        fold.merge(d_.states[bin], x);
      } else {
        states.add(bin, x);
      }
    }
  }

private:
  __device__ value value_of(std::uint32_t bin) const {
    if constexpr (sums_in_two_words<Fold>) {
      return static_cast<value>(
          data_[bin * 2] + (static_cast<std::uint64_t>(data_[bin * 2 + 1]) << 32));
    } else {
      return word_of::decode(data_[bin]);
    }
  }

  of_bucket const d_;
  word* data_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
