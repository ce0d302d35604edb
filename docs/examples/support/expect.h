// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <cstdlib>

/// Every example checks what it prints: a check that fails ends it with an exit code.
/// Not the macro assert, which goes away in optimised builds.
inline void expect(bool true_claim, char const* claim) {
  if (!true_claim) {
    std::fprintf(stderr, "FAILED: %s\n", claim);
    std::exit(EXIT_FAILURE);
  }
}
