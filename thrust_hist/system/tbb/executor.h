// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The executor of TBB: its threads are reached through thrust::for_each under the caller's policy.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/host/count.h>
#include <thrust_hist/system/host/fold.h>
#include <thrust_hist/system/host/run_workers.h>
#include <thrust_hist/system/host/sparse_fold.h>

#include <thread>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

struct tbb_executor {
  static constexpr char const* name = "tbb";

  /// As many tables as processors; TBB itself decides how many threads share the work. Asked of the
  /// standard library, so that programs without TBB need none of its headers.
  static unsigned workers() noexcept {
    static unsigned const processors = std::thread::hardware_concurrency();  // it reads a file
    return processors > 0 ? processors : 1;
  }
  template <class Policy>
  static void run(Policy& policy, unsigned workers, sequential::chunk_function chunk) {
    host::run_workers(policy, workers, chunk);
  }
};

template <class... Arguments>
void count(tbb_system, Arguments&&... arguments) {
  host::count(tbb_executor{}, std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
void fold_pairs(tbb_system, Arguments&&... arguments) {
  host::fold_pairs(tbb_executor{}, std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
auto sparse_fold(tbb_system, Arguments&&... arguments) {
  return host::sparse_fold(tbb_executor{}, std::forward<Arguments>(arguments)...);
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
