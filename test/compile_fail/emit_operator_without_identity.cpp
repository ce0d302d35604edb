// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the operator, plus if none is given, has no known identity

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

struct larger {
  int operator()(int a, int b) const { return a < b ? b : a; }
};
struct itself {
  template <class Sink>
  void operator()(int key, Sink sink) const {
    sink(key, key);
  }
};

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::transform_histogram(
      thrust::host, keys.begin(), keys.end(), out.begin(), 4, itself{}, larger{});
#else
  thrust_hist::transform_histogram(
      thrust::host, keys.begin(), keys.end(), out.begin(), 4, itself{}, larger{}, 0);
#endif
}
