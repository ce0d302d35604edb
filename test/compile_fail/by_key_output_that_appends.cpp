// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: the output must be a random-access iterator, out.begin() or a pointer

#include <thrust_hist/thrust_hist.h>

#include <iterator>
#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram_by_key(keys.begin(), keys.end(), keys.begin(), std::back_inserter(out), 4);
#else
  thrust_hist::histogram_by_key(keys.begin(), keys.end(), keys.begin(), out.begin(), 4);
#endif
}
