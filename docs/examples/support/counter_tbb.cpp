// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "counter_on.h"

#include <thrust/system/tbb/execution_policy.h>

#include <tbb/task_arena.h>

namespace {
struct tbb_threads : host_memory {
  auto policy() const { return thrust::tbb::par; }
};
}  // namespace

available_system tbb_system() {
  std::string const threads = std::to_string(tbb::this_task_arena::max_concurrency());
  return {"tbb", "TBB (thrust::tbb::par), threads: " + threads, "", [] {
            return std::unique_ptr<counter>(new counter_on<tbb_threads>);
          }};
}
