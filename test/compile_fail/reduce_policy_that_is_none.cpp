// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist::reduce takes ([policy,] first, last

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

#ifdef THRUST_HIST_WRONG
struct not_a_policy {};
void call() {
  thrust_hist::reduce(not_a_policy{}, keys.begin(), keys.end());
}
#else
void call() {
  thrust_hist::reduce(thrust::host, keys.begin(), keys.end());
}
#endif
