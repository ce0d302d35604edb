// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: op comes before key_operators

#include <thrust_hist/thrust_hist.h>

#include <functional>
#include <vector>

static std::vector<int> keys{1, 2, 3}, unique, sums;
static const thrust_hist::key_operators by_value{
    [](int k) { return k; }, [](int a, int b) { return a == b; },
    [](int a, int b) { return a < b; }};

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::sparse_histogram_by_key(
      keys.begin(), keys.end(), keys.begin(), unique, sums, by_value, std::plus<int>{});
#else
  thrust_hist::sparse_histogram_by_key(
      keys.begin(), keys.end(), keys.begin(), unique, sums, std::plus<int>{}, by_value);
#endif
}
