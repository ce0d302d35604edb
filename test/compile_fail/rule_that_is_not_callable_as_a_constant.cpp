// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: this bin rule cannot be called with samples of this type: let it take

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

struct rule {
  int size() const { return 4; }
#ifdef THRUST_HIST_WRONG
  int operator()(int x) {
    return x;
  }
#else
  int operator()(int x) const {
    return x;
  }
#endif
};

void call() {
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), rule{});
}
