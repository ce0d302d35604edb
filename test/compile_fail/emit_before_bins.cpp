// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: num_bins or rule, emit [, op [, identity]] [, options]

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

struct itself {
  template <class Sink>
  void operator()(int key, Sink sink) const {
    sink(key);
  }
};

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::transform_histogram(
      thrust::host, keys.begin(), keys.end(), out.begin(), itself{}, 4);
#else
  thrust_hist::transform_histogram(
      thrust::host, keys.begin(), keys.end(), out.begin(), 4, itself{});
#endif
}
