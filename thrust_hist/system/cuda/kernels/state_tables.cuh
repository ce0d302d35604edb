// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables in shared memory for values of any type and any operator: a table for each thread, where bins are
/// few, or one for the block with a lock for each bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/pair_input.cuh>

#include <cstdint>
#include <new>

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

/// Runs of equal bins among four neighbours as one pair each.
template <class Table, class Bin, class Value>
__device__ inline void add_runs(
    Table& table, Bin const (&bins)[pairs_of_group], Value const (&x)[pairs_of_group]) {
  Value run = x[0];
#pragma unroll
  for (unsigned i = 1; i < pairs_of_group; ++i) {
    if (bins[i] == bins[i - 1]) {
      typename std::decay_t<decltype(table.fold())>::state sum = run;
      table.fold().add(sum, x[i]);
      run = sum;
    } else {
      table.add(bins[i - 1], run);
      run = x[i];
    }
  }
  table.add(bins[pairs_of_group - 1], run);
}

/// States, each with a lock; in shared or in global memory.
///
/// Where lanes of a warp want the same bin, they wait for each other. Once that has happened, a warp folds
/// the values of equal bins first, until they are all different again.
template <class Fold, bool Global>
class lock_table {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;

  __device__ lock_table(std::uint64_t bins, Fold const& fold, state* states, unsigned* locks)
      : bins_(bins), fold_(fold), states_(states), locks_(locks) {}

  template <class Bin>
  __device__ void add(Bin bin, value x) {
    if (bin >= bins_) {
      ++dropped_;
      return;
    }
    if (__any_sync(__activemask(), crowded_)) {
      unsigned const here = static_cast<unsigned>(__popc(__activemask()));
      bool const leads = cuda::fold_equals(fold_, bin, x);
      auto const groups = static_cast<unsigned>(__popc(__ballot_sync(__activemask(), leads)));
      crowded_ = groups * 2 < here;
      if (!leads) {
        return;
      }
    }
    add_locked(static_cast<std::uint64_t>(bin), x);
  }
  template <class Bin>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
    cuda::add_runs(*this, bins, x);
  }
  __device__ Fold const& fold() const { return fold_; }
  __device__ std::uint32_t dropped() const { return dropped_; }

private:
  __device__ void add_locked(std::uint64_t bin, value const& x) {
    unsigned tries = 0;
    for (bool done = false; !done; ++tries) {
      if (atomicCAS(locks_ + bin, 0u, 1u) == 0) {
        fence();
        fold_.add(states_[bin], x);
        fence();
        atomicExch(locks_ + bin, 0u);
        done = true;
      }
    }
    crowded_ |= tries > 4;
  }
  __device__ static void fence() {
    if constexpr (Global) {
      __threadfence();
    } else {
      __threadfence_block();
    }
  }

  std::uint64_t bins_;
  Fold const& fold_;
  state* states_;
  unsigned* locks_;
  bool crowded_ = false;
  std::uint32_t dropped_ = 0;
};

/// The table of a block.
template <class Fold>
class shared_lock_table : public lock_table<Fold, false> {
public:
  using base = lock_table<Fold, false>;
  using state = typename Fold::state;

  struct description {
    std::uint32_t bins;
    Fold fold;
    state* partial;
    __device__ bool is_idle() const { return false; }
    __device__ shared_lock_table make(uint4* shared) const {
      auto* const locks = reinterpret_cast<unsigned*>(shared);
      auto* const behind = shared + (bins * sizeof(unsigned) + 15) / 16;
      return shared_lock_table(*this, cuda::aligned_for<state>(behind), locks);
    }
  };

  __device__ shared_lock_table(description const& d, state* states, unsigned* locks)
      : base(d.bins, d.fold, states, locks), d_(d), states_(states), locks_(locks) {}
  __device__ void begin() {
    for (std::uint32_t bin = threadIdx.x; bin < d_.bins; bin += blockDim.x) {
      ::new (static_cast<void*>(states_ + bin)) state(d_.fold.empty());
      locks_[bin] = 0;
    }
  }
  __device__ void deliver() {
    for (std::uint32_t bin = threadIdx.x; bin < d_.bins; bin += blockDim.x) {
      d_.partial[std::uint64_t{blockIdx.x} * d_.bins + bin] = states_[bin];
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
