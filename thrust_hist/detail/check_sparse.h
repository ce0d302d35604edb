// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// options::check() for sparse histograms.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/check_folds.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
template <class Policy, class Source, class Fold, class Output>
void check_rows(Policy&, Source const&, Fold const&, Output const&, std::uint64_t, options const&) {
}
}  // namespace detail
THRUST_HIST_NAMESPACE_END
