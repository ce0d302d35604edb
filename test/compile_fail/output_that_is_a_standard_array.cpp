// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the output must be a random-access iterator, out.begin() or a pointer

#include <thrust_hist/thrust_hist.h>

#include <array>
#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::array<int, 4> out;

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram(keys.begin(), keys.end(), out, 4);
#else
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), 4);
#endif
}
