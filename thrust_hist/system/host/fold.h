// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding on several host threads, written once over an executor.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/fold.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
