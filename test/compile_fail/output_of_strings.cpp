// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the output must take counts: make its elements integers or floating-point numbers.

#include <thrust_hist/thrust_hist.h>

#include <string>
#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<std::string> words(4);
static std::vector<int> out(4);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram(keys.begin(), keys.end(), words.begin(), 4);
#else
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), 4);
#endif
}
