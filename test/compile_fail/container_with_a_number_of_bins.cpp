// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: with a given number of bins the output is an iterator: pass out.begin()

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

#ifdef THRUST_HIST_WRONG
void call() {
  thrust_hist::histogram(keys.begin(), keys.end(), out, 4);
}
#else
void call() {
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), 4);
}
#endif
