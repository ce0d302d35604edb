// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the output of keys must take keys: make its elements of their type.

#include <thrust_hist/thrust_hist.h>

#include <string>
#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<std::string> words;
static std::vector<int> unique, counts;

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), words, counts);
#else
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), unique, counts);
#endif
}
