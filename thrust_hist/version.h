// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The version of thrust_hist: semantic versioning, see docs/changelog.md.

#define THRUST_HIST_VERSION_MAJOR 0
#define THRUST_HIST_VERSION_MINOR 1
#define THRUST_HIST_VERSION_PATCH 0
