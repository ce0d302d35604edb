// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the second output must take the counts, or the folded values

#include <thrust_hist/thrust_hist.h>

#include <string>
#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<std::string> words(3);
static std::vector<int> unique(3), counts(3);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), unique.begin(), words.begin());
#else
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), unique.begin(), counts.begin());
#endif
}
