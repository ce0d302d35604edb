// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "counter_on.h"

#include <thrust/system/omp/execution_policy.h>

#include <omp.h>

namespace {
struct openmp : host_memory {
  auto policy() const { return thrust::omp::par; }
};
}  // namespace

available_system openmp_system() {
  std::string const threads = std::to_string(omp_get_max_threads());
  return {"omp", "OpenMP (thrust::omp::par), threads: " + threads, "", [] {
            return std::unique_ptr<counter>(new counter_on<openmp>);
          }};
}
