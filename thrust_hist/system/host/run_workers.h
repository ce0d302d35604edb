// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Runs a chunk function on the threads of a Thrust host system.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/function_ref.h>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {

/// Calls `chunk(worker)` for each worker below `workers`, in parallel, and waits. An exception of a
/// chunk (a user's rule may throw) leaves no parallel region; the first one is thrown again here.
template <class Policy>
void run_workers(Policy& policy, unsigned workers, sequential::chunk_function chunk) {
  if (workers == 1) {
    chunk(0);
    return;
  }
  std::exception_ptr failure;
  std::mutex guard;
  std::atomic<unsigned> done{0};
  auto const guarded = [&](unsigned worker) {
    try {
      chunk(worker);
      ++done;
    } catch (...) {
      std::lock_guard<std::mutex> const lock(guard);
      failure = failure ? failure : std::current_exception();
    }
  };
  thrust::for_each(
      policy, thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(workers),
      guarded);
  if (failure) {
    std::rethrow_exception(failure);
  }
  if (done != workers) {  // a task group around this call was cancelled
    throw std::runtime_error("thrust_hist: the system has left out work that it was given");
  }
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
