// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding a range into one value: each thread its share, each block its threads, and the block
/// that ends last all blocks.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/system/cuda/kernels/counters.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/last_block.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <cub/block/block_reduce.cuh>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A fold by an operator without known identity: nothing yet, or a value.
template <class T, class Op>
struct optional_fold {
  struct state {
    T value;
    bool any;
  };
  Op op;

  __device__ state empty() const { return {T{}, false}; }
  template <class X>
  __device__ void add(state& s, X const& x) const {
    s.value = s.any ? static_cast<T>(op(s.value, static_cast<T>(x))) : static_cast<T>(x);
    s.any = true;
  }
  __device__ state operator()(state const& a, state const& b) const {
    return a.any && b.any ? state{static_cast<T>(op(a.value, b.value)), true} : a.any ? a : b;
  }
  __device__ T finish(T init, state const& s) const {
    return s.any ? static_cast<T>(op(init, s.value)) : init;
  }
};

/// A sum of numbers: begins at zero (-0 for floating-point numbers, which changes no sum).
template <class T, class Op>
struct sum_fold {
  using state = T;
  Op op;

  __device__ state empty() const {
    return std::is_floating_point_v<T> ? static_cast<T>(-0.0) : T{};
  }
  template <class X>
  __device__ void add(state& s, X const& x) const {
    s = static_cast<T>(op(s, static_cast<T>(x)));
  }
  __device__ state operator()(state a, state b) const { return static_cast<T>(op(a, b)); }
  __device__ T finish(T init, state s) const { return static_cast<T>(op(init, s)); }
};

template <class T, class Op>
using fold_t = std::conditional_t<
    std::is_arithmetic_v<T> && std::is_same_v<Op, plus_of<T>>, sum_fold<T, Op>,
    optional_fold<T, Op>>;

inline constexpr unsigned reduce_threads = 512;

template <class Samples, class T, class Fold>
__launch_bounds__(reduce_threads, 2) __global__ void reduce_samples(
    Samples const samples, T const init, Fold const fold, typename Fold::state* const partials,
    unsigned* const ticket, T* const result) {
  cuda::take_turn();
  using state = typename Fold::state;
  using block_fold = cub::BlockReduce<state, reduce_threads>;
  __shared__ typename block_fold::TempStorage storage;

  state mine = fold.empty();
  samples.for_each(
      among_grid(), [&](auto const& x) { fold.add(mine, x); }, [] {});
  state const of_block = block_fold(storage).Reduce(mine, fold);
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) {
      *result = fold.finish(init, of_block);
    }
    return;
  }

  if (threadIdx.x == 0) {
    partials[blockIdx.x] = of_block;
  }
  if (!cuda::is_last_block(ticket)) {
    return;
  }
  state rest = fold.empty();
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) {
    rest = fold(rest, partials[i]);
  }
  state const of_grid = block_fold(storage).Reduce(rest, fold);
  if (threadIdx.x == 0) {
    *result = fold.finish(init, of_grid);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
