// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: there is no predicate before it

#include <thrust_hist/thrust_hist.h>

#include <functional>
#include <vector>

static std::vector<int> keys{1, 2, 3}, unique, sums;

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::sparse_histogram_by_key(
      keys.begin(), keys.end(), keys.begin(), unique, sums, std::equal_to<int>{}, std::plus<int>{});
#else
  thrust_hist::sparse_histogram_by_key(
      keys.begin(), keys.end(), keys.begin(), unique, sums, std::plus<int>{});
#endif
}
