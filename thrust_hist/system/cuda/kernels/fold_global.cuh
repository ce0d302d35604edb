// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route global of folds: each pair goes to its bin in global memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/atomic_states.cuh>
#include <thrust_hist/system/cuda/kernels/fold_shared.cuh>
#include <thrust_hist/system/cuda/kernels/hot_limbs.cuh>
#include <thrust_hist/system/cuda/kernels/hot_states.cuh>
#include <thrust_hist/system/cuda/kernels/hot_words.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lock_tables.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/rows_of_sums.cuh>
#include <thrust_hist/system/cuda/kernels/windows.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// What tables in global memory share: they take pairs one by one.
template <class Derived>
class global_table {
public:
  template <class Bin, class Value>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], Value const (&x)[pairs_of_group]) {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      static_cast<Derived*>(this)->add(bins[i], x[i]);
    }
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

protected:
  std::uint32_t dropped_ = 0;
};

/// States that the hardware's atomics fold: integers; real sums, rounded at each addition. And more
/// of them in shared memory for frequent bins.
template <class Fold>
class global_words : public global_table<global_words<Fold>> {
public:
  using value = typename Fold::value;
  struct description {
    std::uint64_t bins;
    value* states;
    Fold fold;
    std::uint32_t hot_entries;
    __device__ bool is_idle() const { return false; }
    __device__ global_words make(uint4* shared) const {
      return {*this, cuda::make_hot_words(fold, hot_entries, cuda::shared_address(shared))};
    }
  };
  using places = hot_places<hot_words<Fold>>;
  __device__ global_words(description const& d, places const& hot) : d_(d), hot_(hot) {}

  __device__ void begin() { hot_.begin(); }
  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    if (bin >= d_.bins) {
      ++this->dropped_;
    } else if (!hot_.add(bin, x)) {
      cuda::fold_atomically<Fold>(d_.states + bin, x);
    }
  }
  __device__ void deliver() {
    hot_.flush([&](std::uint64_t bin, value const& x) {
      cuda::fold_atomically<Fold>(d_.states + bin, x);
    });
  }

private:
  description const& d_;
  places hot_;
};

/// The same of real numbers that a look found too wide for windows, and else nothing.
template <class Fold>
struct global_wide_words : global_words<Fold>::description {
  window_facts const* facts;
  __device__ bool is_idle() const { return facts->wide == 0; }
};

/// Long accumulators. And more of them in shared memory for frequent bins.
template <class T>
class global_limbs : public global_table<global_limbs<T>> {
public:
  struct description {
    std::uint64_t bins;
    rows_of_sums<T> sums;
    std::uint32_t hot_entries;
    __device__ bool is_idle() const { return false; }
    __device__ global_limbs make(uint4* shared) const {
      return {*this, cuda::make_hot_limbs<T>(hot_entries, cuda::shared_address(shared))};
    }
  };
  using places = hot_places<hot_limbs<T>>;
  __device__ global_limbs(description const& d, places const& hot) : d_(d), hot_(hot) {}

  __device__ void begin() { hot_.begin(); }
  template <class Bin>
  __device__ void add(Bin bin, T x) {
    if (bin >= d_.bins) {
      ++this->dropped_;
    } else if (detail::order_key(x) != 0 && !hot_.add(bin, x)) {  // zero adds nothing
      cuda::add_to_sum(d_.sums + bin, x);
    }
  }
  __device__ void deliver() { cuda::flush_limbs<T>(hot_, d_.sums); }

private:
  description const& d_;
  places hot_;
};

/// States with locks, and more of them in shared memory for bins that many want at once.
template <class Fold>
class global_locks : public lock_table<Fold, true, false> {
public:
  using state = typename Fold::state;
  using hot = hot_states<Fold>;
  using base = lock_table<Fold, true, false>;
  struct description {
    std::uint64_t bins;
    Fold fold;
    state* states;
    unsigned* locks;
    std::uint32_t hot_entries;
    __device__ bool is_idle() const { return false; }
    __device__ global_locks make(uint4* shared) const {
      auto* const behind = shared + (hot_entries * 8 + 15) / 16;
      return global_locks(
          *this, {hot_entries, cuda::shared_address(shared),
                  cuda::shared_address(cuda::aligned_for<state>(behind))});
    }
  };
  __device__ global_locks(description const& d, hot const& places)
      : base(d.bins, d.fold, {d.states, d.locks}, places) {}

  __device__ void begin() { this->hot_.begin(this->fold_); }
  __device__ void deliver() {
    this->hot_.flush([&](std::uint64_t bin, state const& x) { this->merge_locked(bin, x); });
  }
};

/// Unless another kernel has found that this one has nothing to do.
template <class Input, class Description>
__launch_bounds__(1024, 1) __global__ void fold_global(
    __grid_constant__ Input const input, Description const description,
    dropped_counter const dropped) {
  cuda::take_turn();
  if (description.is_idle()) {
    return;
  }
  extern __shared__ uint4 shared[];
  auto table = description.make(shared);
  table.begin();
  __syncthreads();
  cuda::fold_input(input, table, among_grid());
  __syncthreads();
  table.deliver();
  dropped.add(table.dropped());
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
