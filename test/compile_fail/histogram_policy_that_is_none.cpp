// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist::histogram takes ([policy,] first, last, out or container [, options]) or

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

#ifdef THRUST_HIST_WRONG
void call() {
  thrust_hist::histogram(7, keys.begin(), keys.end(), out.begin(), 4);
}
#else
void call() {
  thrust_hist::histogram(thrust::host, keys.begin(), keys.end(), out.begin(), 4);
}
#endif
