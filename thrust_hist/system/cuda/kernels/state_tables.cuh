// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables in shared memory for values of any type and any operator: a table for each thread, where bins are
/// few, or one for the block with a lock for each bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The first place in shared memory that is aligned for T: dynamic memory itself is to 16 bytes.
template <class T>
__device__ inline T* aligned_for(uint4* shared) {
  auto const address = reinterpret_cast<std::uintptr_t>(shared);
  return reinterpret_cast<T*>((address + alignof(T) - 1) / alignof(T) * alignof(T));
}

/// A state for each bin and thread; no thread touches another's.
template <class Fold>
class private_table {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;

  struct description {
    std::uint32_t bins;
    Fold fold;
    state* partial;  // of block b: partial[b * bins + bin]
    __device__ bool is_idle() const { return false; }
    __device__ private_table make(uint4* shared) const {
      return private_table(*this, cuda::aligned_for<state>(shared));
    }
  };

  __device__ private_table(description const& d, state* data) : d_(d), data_(data) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.bins * blockDim.x; i += blockDim.x) {
      ::new (static_cast<void*>(data_ + i)) state(d_.fold.empty());
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    if (bin < d_.bins) {
      d_.fold.add(data_[static_cast<std::uint32_t>(bin) * blockDim.x + threadIdx.x], x);
    } else {
      ++dropped_;
    }
  }
  template <class Bin>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      add(bins[i], x[i]);
    }
  }
  __device__ void deliver() {
    unsigned const lane = threadIdx.x % 32;
    for (std::uint32_t bin = threadIdx.x / 32; bin < d_.bins; bin += blockDim.x / 32) {
      state sum = d_.fold.empty();
      for (std::uint32_t i = lane; i < blockDim.x; i += 32) {
        d_.fold.merge(sum, data_[bin * blockDim.x + i]);
      }
      cuda::fold_over_lanes(d_.fold, sum, 32);
      if (lane == 0) {
        d_.partial[std::uint64_t{blockIdx.x} * d_.bins + bin] = sum;
      }
    }
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  description const& d_;
  state* data_;
  std::uint32_t dropped_ = 0;
};

/// Locks in shared memory, or in global memory, where all must see what they protect.
template <bool Global>
struct bin_lock {
  __device__ static bool try_take(unsigned* lock) {
    if constexpr (Global) {
      bool const taken = atomicCAS(lock, 0u, 1u) == 0;
      __threadfence();
      return taken;
    } else {
      unsigned before;
      asm volatile("atom.acquire.cta.shared.cas.b32 %0, [%1], 0, 1;"
                   : "=r"(before)
                   : "r"(cuda::shared_address(lock))
                   : "memory");
      return before == 0;
    }
  }
  __device__ static void release(unsigned* lock) {
    if constexpr (Global) {
      __threadfence();
      atomicExch(lock, 0u);
    } else {
      asm volatile("st.release.cta.shared.b32 [%0], 0;" ::"r"(cuda::shared_address(lock))
                   : "memory");
    }
  }
};

/// States, each with a lock.
///
/// Where lanes of a warp want the same bin, they wait for each other. So a warp folds the values of equal
/// bins first, as long as it has many of them: nearly all of its lanes are different then.
template <class Fold, bool Global>
class lock_table {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  /// Where they are not, as in exact sums of complex numbers, values cannot be folded before they meet the
  /// state of their bin.
  static constexpr bool by_warps = std::is_same_v<state, value>;

  __device__ lock_table(std::uint64_t bins, Fold const& fold, state* states, unsigned* locks)
      : bins_(bins), fold_(fold), states_(states), locks_(locks) {}

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
    unsigned pause = 64;  // nanoseconds
    for (bool done = false; !done;) {
      if (bin_lock<Global>::try_take(locks_ + bin)) {
        fold_.add(states_[bin], x);
        bin_lock<Global>::release(locks_ + bin);
        done = true;
      } else if (Global) {
        // Thousands of warps that ask at once hold up the one that has the lock.
        __nanosleep(pause);
        pause = pause < 16384 ? 2 * pause : pause;
      }
    }
  }

  std::uint64_t bins_;
  Fold const& fold_;
  state* states_;
  unsigned* locks_;
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
      auto* const locks = reinterpret_cast<unsigned*>(shared);
      auto* const behind = shared + (size() * sizeof(unsigned) + 15) / 16;
      return shared_lock_table(*this, cuda::aligned_for<state>(behind), locks);
    }
    /// Where the copy of this warp begins.
    __device__ std::uint32_t my_copy() const {
      return (threadIdx.x / 32 & ((1u << copies_log2) - 1)) * bins;
    }
  };

  __device__ shared_lock_table(description const& d, state* states, unsigned* locks)
      : base(d.bins, d.fold, states + d.my_copy(), locks + d.my_copy()), d_(d), states_(states),
        locks_(locks) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.size(); i += blockDim.x) {
      ::new (static_cast<void*>(states_ + i)) state(d_.fold.empty());
      locks_[i] = 0;
    }
  }
  __device__ void deliver() {
    for (std::uint32_t bin = threadIdx.x; bin < d_.bins; bin += blockDim.x) {
      state sum = states_[bin];
      for (std::uint32_t i = bin + d_.bins; i < d_.size(); i += d_.bins) {
        d_.fold.merge(sum, states_[i]);
      }
      d_.partial[std::uint64_t{blockIdx.x} * d_.bins + bin] = sum;
    }
  }

private:
  description const& d_;
  state* states_;
  unsigned* locks_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
