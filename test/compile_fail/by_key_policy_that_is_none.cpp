// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a policy is one of Thrust's or derived from one

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

struct parallel {};

void call() {
#ifdef THRUST_HIST_WRONG
  parallel const policy;
#else
  auto const policy = thrust::host;
#endif
  thrust_hist::histogram_by_key(policy, keys.begin(), keys.end(), keys.begin(), out.begin(), 4);
}
