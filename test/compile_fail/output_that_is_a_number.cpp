// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the output must be a random-access iterator, out.begin() or a pointer

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> edges{0, 1, 2}, out(2);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram_range(keys.begin(), keys.end(), 5, edges.begin(), edges.end());
#else
  thrust_hist::histogram_range(keys.begin(), keys.end(), out.begin(), edges.begin(), edges.end());
#endif
}
