// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: num_bins or rule [, op [, identity]] [, options]

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>
#include <thrust/functional.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram_by_key(
      thrust::host, keys.begin(), keys.end(), keys.begin(), out.begin(), thrust::plus<int>{}, 4);
#else
  thrust_hist::histogram_by_key(
      thrust::host, keys.begin(), keys.end(), keys.begin(), out.begin(), 4, thrust::plus<int>{});
#endif
}
