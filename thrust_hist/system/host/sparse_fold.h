// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on several host threads, written once over an executor (see count.h).

#include <thrust_hist/config.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/sparse_fold.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {

template <class Executor, class Policy, class Source, class Fold, class Output>
std::uint64_t sparse_fold(
    Executor executor, Policy& policy, Source const& source, Fold const& fold, Output const& output,
    options const& o) {
  return sequential::form_rows(
      Executor::name, executor.workers(),
      [&](unsigned workers, sequential::chunk_function chunk) {
        executor.run(policy, workers, chunk);
      },
      policy, source, fold, output, o);
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
