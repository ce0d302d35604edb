// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: takes init before op

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>
#include <thrust/functional.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

#ifdef THRUST_HIST_WRONG
void call() {
  thrust_hist::reduce(thrust::host, keys.begin(), keys.end(), thrust::plus<int>{}, 0);
}
#else
void call() {
  thrust_hist::reduce(thrust::host, keys.begin(), keys.end(), 0, thrust::plus<int>{});
}
#endif
