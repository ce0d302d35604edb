// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: emit is called as emit(x, sink)

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

struct returns_it {
  int operator()(int key) const { return key; }
};
struct sinks_it {
  template <class Sink>
  void operator()(int key, Sink& sink) const {
    sink(key, 1);
  }
};

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::transform_histogram(
      thrust::host, keys.begin(), keys.end(), out.begin(), 4, returns_it{});
#else
  thrust_hist::transform_histogram(
      thrust::host, keys.begin(), keys.end(), out.begin(), 4, sinks_it{});
#endif
}
