// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: keys must be integers of up to 64 bits; for floating-point samples use

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);
static std::vector<float> reals{0.5F};

#ifdef THRUST_HIST_WRONG
void call() {
  thrust_hist::histogram(reals.begin(), reals.end(), out);
}
#else
void call() {
  thrust_hist::histogram(keys.begin(), keys.end(), out);
}
#endif
