// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "counter_on.h"

#include <thrust/execution_policy.h>

namespace {
struct sequential : host_memory {
  auto policy() const { return thrust::seq; }
};
}  // namespace

available_system sequential_system() {
  return {"seq", "sequential (thrust::seq)", "", [] {
            return std::unique_ptr<counter>(new counter_on<sequential>);
          }};
}
