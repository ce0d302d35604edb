// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: keys_out, values_out [, op] [, key_operators] [, options]

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>

#include <functional>
#include <vector>

static std::vector<int> keys{1, 2, 3}, unique, sums;

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::sparse_histogram_by_key(
      thrust::host, keys.begin(), keys.begin(), std::plus<int>{}, unique);
#else
  thrust_hist::sparse_histogram_by_key(
      thrust::host, keys.begin(), keys.end(), keys.begin(), unique, sums, std::plus<int>{});
#endif
}
