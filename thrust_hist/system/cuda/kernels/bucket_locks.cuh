// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables of a bucket for values of any type and any operator: a state and a lock for each bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/atomic_states.cuh>
#include <thrust_hist/system/cuda/kernels/bin_locks.cuh>
#include <thrust_hist/system/cuda/kernels/lock_tables.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/tile_pairs.cuh>

#include <cstdint>
#include <cstring>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The value itself travelled with its rest.
template <class Value>
struct unpacked_value {
  using value = Value;
  using payload = bytes_of_value<value>;

  /// Lanes without a pair get some bits that nobody looks at.
  __device__ value get(payload carried, bool) const {
    alignas(value) unsigned char bytes[sizeof(value)];
    memcpy(bytes, &carried, sizeof bytes);
    return *reinterpret_cast<value const*>(bytes);
  }
};

/// The number of its pair did, counted from the first of the batch.
template <class Value, class Values>
struct fetched_value {
  using value = Value;
  using payload = std::uint32_t;
  iterator_column<Values> column;
  std::uint64_t first;  ///< pair of the batch

  /// Lanes without a pair get the value of the first: there is one.
  __device__ value get(payload carried, bool has) const {
    return detail::convert<value>(column.at(first + (has ? carried : 0)));
  }
};

/// `Get` makes values of what travelled, which states may begin as (see lifted_fold). Bins that
/// many warps want at once have more places than one.
template <class Fold, class Get>
class bucket_locks : public lock_table<Fold, false, false> {
public:
  using base = lock_table<Fold, false, false>;
  using hot = typename base::hot;
  using state = typename Fold::state;
  using folded = typename Fold::value;
  using value = typename Get::payload;  ///< what the rests bring
  static constexpr std::size_t bin_bytes = sizeof(state) + sizeof(unsigned);

  struct of_bucket {
    Fold fold;
    Get get;
    locked_states<Fold, true> states;  // of its bins, in global memory
    std::uint32_t bins;
    std::uint32_t hot_entries;
    /// Names of hot bins, locks, then all states.
    __device__ bucket_locks make(uint4* shared) const {
      std::uint32_t const names = hot_entries * (blockDim.x / 32);
      auto* const behind = shared + ((names + bins) * sizeof(unsigned) + 15) / 16;
      std::uint32_t const begin = cuda::shared_address(shared);
      std::uint32_t const first = cuda::shared_address(cuda::aligned_for<state>(behind));
      return bucket_locks(
          *this, {first, begin + names * 4},
          {hot_entries, begin, first + bins * static_cast<std::uint32_t>(sizeof(state))});
    }
  };
  struct description {
    Fold fold;
    Get get;
    locked_states<Fold, true> states;
    std::uint32_t hot_entries;
    __device__ bool is_idle() const { return false; }
    __device__ of_bucket at(std::uint64_t first_bin, std::uint32_t bins) const {
      return {fold, get, {states.states + first_bin, states.locks + first_bin}, bins, hot_entries};
    }
  };

  __device__ bucket_locks(
      of_bucket const& d, locked_states<Fold, false> const& places, hot const& more)
      : base(d.bins, d.fold, places, more), d_(d) {}

  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.bins; i += blockDim.x) {
      this->places_.begin(i, d_.fold);
    }
    this->hot_.begin();
  }

  /// All lanes of a warp call it.
  __device__ void add_four(
      std::uint32_t const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
    static_assert(pairs_of_group == 4);
    if constexpr (base::by_warps) {
      bool const has = bins[0] < d_.bins;
      bool const equal = bins[0] == bins[1] && bins[2] == bins[3] && bins[0] == bins[2];
      if (__all_sync(~0u, equal) != 0) {
        state sum = get(bins[0], x[0]);
        if (has) {  // the operator sees no value without a bin
#pragma unroll
          for (unsigned i = 1; i < pairs_of_group; ++i) {
            d_.fold.add(sum, get(bins[i], x[i]));
          }
        }
        base::add_by_warp(bins[0], sum, has);
        return;
      }
    }
    if constexpr (sizeof(folded) <= 16) {
      folded const values[] = {
          get(bins[0], x[0]), get(bins[1], x[1]), get(bins[2], x[2]), get(bins[3], x[3])};
#pragma unroll
      for (unsigned i = 0; i < pairs_of_group; ++i) {
        add_one(bins[i], values[i]);
      }
    } else {  // registers for no more
#pragma unroll
      for (unsigned i = 0; i < pairs_of_group; ++i) {
        add_one(bins[i], get(bins[i], x[i]));
      }
    }
  }

  __device__ void deliver(bool alone) const {
    this->hot_.flush(
        [&](std::uint64_t bin, state const& x) { d_.fold.merge(this->places_.at(bin), x); });
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < d_.bins; i += blockDim.x) {
      // Blocks that share a table begin at different bins.
      std::uint32_t const bin = alone ? i : (i + blockIdx.x * blockDim.x) % d_.bins;
      if (!this->places_.is_touched(bin)) {
        continue;
      }
      state const& x = this->places_.at(bin);
      if (alone) {
        d_.fold.merge(d_.states.at(bin), x);
      } else if constexpr (can_swap<Fold>) {
        cuda::fold_by_swap(d_.fold, &d_.states.at(bin), x);
      } else {
        cuda::merge_with_lock<true>(d_.fold, d_.states, bin, x);
      }
    }
  }

private:
  __device__ folded get(std::uint32_t bin, value carried) const {
    return static_cast<folded>(d_.get.get(carried, bin < d_.bins));
  }
  __device__ void add_one(std::uint32_t bin, folded const& x) {
    if constexpr (base::by_warps) {
      base::add_by_warp(bin, x, bin < d_.bins);
    } else {
      if (bin < d_.bins) {
        base::add(bin, x);
      }
      __syncwarp();
    }
  }

  of_bucket const& d_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
