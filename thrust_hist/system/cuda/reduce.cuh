// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding a range on CUDA with one launch and no allocation.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/operators.h>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/reduce.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>

#include <thrust/reduce.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// The fold of n > 0 samples, through a mailbox.
template <class Policy, class Iterator, class T, class Op>
T reduce_by_mailbox(
    Policy& policy, Iterator first, std::uint64_t n, T init, Op op, unsigned blocks) {
  using fold = cuda::fold_t<T, Op>;
  using state = typename fold::state;
  auto const samples = cuda::make_samples(first, n);
  cudaStream_t const stream = stream_of(policy);
  cuda::mailbox_loan loan(stream);
  cuda::mailbox const& box = loan.box();
  cuda::launch(
      "reduce_samples", cuda::reduce_samples<std::decay_t<decltype(samples)>, T, fold>, blocks,
      cuda::reduce_threads, 0, stream, samples, init, fold{op}, static_cast<state*>(box.partials),
      box.ticket, static_cast<T*>(box.letter));
  cuda::synchronize(stream);
  std::memcpy(&init, box.letter, sizeof init);
  loan.give_back();
  return init;
}

template <class Policy, class Iterator, class T, class Op>
T reduce_range(
    cuda_system, Policy& policy, Iterator first, std::uint64_t n, T init, Op op, options const& o) {
  cuda::require_device_input<Iterator>();
  if (o.force_ != route::automatic) {
    refuse_route(o.force_, "reduce has one way on CUDA");
  }
  using state = typename cuda::fold_t<T, Op>::state;
  std::uint64_t const full =
      (std::min<
          std::
              uint64_t>)(2 * cuda::current_facts().multiprocessors, cuda::mailbox::partial_bytes / sizeof(state));
  std::uint64_t const bytes_worth_a_block = 32 * 1024;
  auto const blocks = static_cast<unsigned>(
      std::clamp<std::uint64_t>(n * sizeof(value_t<Iterator>) / bytes_worth_a_block, 1, full));
  if (o.explain_ != nullptr) {
    *o.explain_ = {
        route::registers,
        "one launch, a fold in each thread",
        "cuda",
        blocks,
        cuda::reduce_threads,
        0,
        0,
        is_exact_fold<T, Op>};
    return init;
  }
  require_not_captured(cuda_system{}, policy, "reduce waits for its result");
  if (n == 0) {
    return init;
  }
  if constexpr (std::is_trivially_copyable_v<T> && sizeof(state) <= 256) {
    return detail::reduce_by_mailbox(policy, first, n, init, op, blocks);
  } else  // Thrust's own way for values that a plain copy does not carry
  {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    return thrust::reduce(policy, first, first + static_cast<difference>(n), init, op);
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
