// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the output must be a random-access iterator, out.begin() or a pointer

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

void call() {
#ifdef THRUST_HIST_WRONG
  std::vector<int> const& counts = out;
  thrust_hist::histogram(keys.begin(), keys.end(), counts);
#else
  std::vector<int>& counts = out;
  thrust_hist::histogram(keys.begin(), keys.end(), counts);
#endif
}
