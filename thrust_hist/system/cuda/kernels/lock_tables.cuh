// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables for values of any type and any operator: states with a lock for each bin, those of all blocks or those of
/// one block, in shared memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/bin_locks.cuh>
#include <thrust_hist/system/cuda/kernels/hot_states.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// States, each with a lock.
///
/// Where lanes of a warp want the same bin, they wait for each other. So a warp folds the values of equal
/// bins first, as long as it has many of them: nearly all of its lanes are different then.
template <class Fold, bool Global, class Hot = no_hot_states<Fold>>
class lock_table {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  using lock = bin_lock<Global>;
  /// Where they are not, as in exact sums of complex numbers, values cannot be folded before they meet the
  /// state of their bin.
  static constexpr bool by_warps = std::is_same_v<state, value>;

  __device__ lock_table(
      std::uint64_t bins, Fold const& fold, locked_states<Fold, Global> const& places,
      Hot const& hot = {})
      : bins_(bins), fold_(fold), places_(places), hot_(hot) {}

  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    if (bin < bins_) {
      add_locked(static_cast<std::uint64_t>(bin), x);
    } else {
      ++dropped_;
    }
  }
  /// All lanes call it, some of them perhaps without having a pair.
  template <class Bin>
  __device__ void add_by_warp(Bin bin, value x, bool has) {
    bool mine = has && bin < bins_;
    dropped_ += has && !mine ? 1 : 0;
    if (look_at_equals()) {
      if (!mine) {
        x = fold_.empty();  // the operator sees no value without a bin
      }
      bool const leads = cuda::fold_equals(~0u, fold_, mine ? bin : static_cast<Bin>(-1), x);
      has_equals_ = __popc(__ballot_sync(~0u, leads)) < enough_groups;
      mine &= leads;
    }
    if (mine) {
      add_locked(static_cast<std::uint64_t>(bin), x);
    }
    __syncwarp();
  }
  template <class Bin>
  __device__ void add_four(
      Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group], bool has) {
    bool const equal = bins[0] == bins[1] && bins[0] == bins[2] && bins[0] == bins[3];
    if (__all_sync(~0u, !has || (equal && bins[0] < bins_)) != 0) {
      add_by_warp(bins[0], has ? cuda::fold_some<0, 1>(fold_, x) : fold_.empty(), has);
    } else {
#pragma unroll
      for (unsigned i = 0; i < pairs_of_group; ++i) {
        add_by_warp(bins[i], x[i], has);
      }
    }
  }
  template <class Bin>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      add(bins[i], x[i]);
    }
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  /// Of a warp. With fewer, some lock is wanted so often that all wait for it in turn.
  static constexpr int enough_groups = 28;
  /// As long as there are many, and every 16th time.
  __device__ bool look_at_equals() {
    ++turn_;
    return has_equals_ || turn_ % 16 == 0;
  }
  __device__ void add_locked(std::uint64_t bin, value const& x) {
    [[maybe_unused]] unsigned pause = 64;  // nanoseconds
    for (bool done = false; !done;) {
      if constexpr (Global && Hot::exists) {
        if (hot_.has(bin)) {
          done = hot_.try_add(fold_, bin, x);
          continue;
        }
      }
      if (lock::try_take(places_.lock(bin))) {
        fold_.add(places_.at(bin), x);
        lock::release(places_.lock(bin));
        done = true;
        continue;
      }
      if constexpr (Hot::exists) {
        if (hot_.claim(bin)) {
          done = hot_.try_add(fold_, bin, x);
          continue;
        }
      }
      if constexpr (Global) {
        // Thousands of warps that ask at once hold up the one that has the lock.
        __nanosleep(pause);
        pause = pause < 16384 ? 2 * pause : pause;
      }
    }
  }

protected:
  /// Folds a state into that of a bin.
  __device__ void merge_locked(std::uint64_t bin, state const& x) const {
    cuda::merge_with_lock<Global>(fold_, places_, bin, x);
  }

  std::uint64_t bins_;
  Fold const& fold_;
  locked_states<Fold, Global> places_;
  Hot hot_;

private:
  bool has_equals_ = true;  // the same in all lanes of a warp
  unsigned turn_ = 0;
  std::uint32_t dropped_ = 0;
};

/// The tables of a block: some copies, shared out among its warps, so that fewer wait for a lock.
template <class Fold>
class shared_lock_table : public lock_table<Fold, false> {
public:
  using base = lock_table<Fold, false>;
  using state = typename Fold::state;

  struct description {
    std::uint32_t bins;
    unsigned copies_log2;
    Fold fold;
    state* partial;
    __device__ bool is_idle() const { return false; }
    __device__ std::uint32_t size() const { return bins << copies_log2; }
    __device__ shared_lock_table make(uint4* shared) const {
      auto* const behind = shared + (size() * sizeof(unsigned) + 15) / 16;
      return shared_lock_table(
          *this,
          {cuda::shared_address(cuda::aligned_for<state>(behind)), cuda::shared_address(shared)});
    }
    /// The copy of this warp.
    __device__ locked_states<Fold, false> mine(locked_states<Fold, false> const& all) const {
      std::uint32_t const first = (threadIdx.x / 32 & ((1u << copies_log2) - 1)) * bins;
      return {all.states + static_cast<std::uint32_t>(first * sizeof(state)), all.lock(first)};
    }
  };

  __device__ shared_lock_table(description const& d, locked_states<Fold, false> const& all)
      : base(d.bins, d.fold, d.mine(all)), d_(d), all_(all) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.size(); i += blockDim.x) {
      all_.begin(i, d_.fold);
    }
  }
  __device__ void deliver() {
    for (std::uint32_t bin = threadIdx.x; bin < d_.bins; bin += blockDim.x) {
      state sum = all_.at(bin);
      for (std::uint32_t i = bin + d_.bins; i < d_.size(); i += d_.bins) {
        d_.fold.merge(sum, all_.at(i));
      }
      d_.partial[std::uint64_t{blockIdx.x} * d_.bins + bin] = sum;
    }
  }

private:
  description const& d_;
  locked_states<Fold, false> all_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
