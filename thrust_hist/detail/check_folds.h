// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// options::check() for folds.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/check.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/pairs.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class Policy, class Source, class Fold, class Out, class Run>
void run_checked_fold(Policy&, Source const&, Fold const&, Out, options const&, Run run) {
  run();
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
