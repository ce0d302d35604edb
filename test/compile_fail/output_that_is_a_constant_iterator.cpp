// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the output is const: pass begin(), not cbegin(), of a container that is not.

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram_even(keys.begin(), keys.end(), out.cbegin(), 4, 0, 4);
#else
  thrust_hist::histogram_even(keys.begin(), keys.end(), out.begin(), 4, 0, 4);
#endif
}
