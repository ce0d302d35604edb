// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: edges are given by two random-access iterators to integers or floating-point numbers: pass

#include <thrust_hist/thrust_hist.h>

#include <string>
#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<std::string> words{"1", "2"};
static std::vector<int> out(4);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram_range(keys.begin(), keys.end(), out.begin(), words.begin(), words.end());
#else
  std::vector<int> const edges{1, 2};
  thrust_hist::histogram_range(keys.begin(), keys.end(), out.begin(), edges.begin(), edges.end());
#endif
}
