// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a bin rule must return an integer, the number of the bin

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

#ifdef THRUST_HIST_WRONG
struct halve {
  double operator()(int x) const { return x / 2.0; }
};
void call() {
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), thrust_hist::make_bins(4, halve{}));
}
#else
struct halve {
  int operator()(int x) const { return x / 2; }
};
void call() {
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), thrust_hist::make_bins(4, halve{}));
}
#endif
