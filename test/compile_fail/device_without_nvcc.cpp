// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: thrust::device means CUDA here, but nvcc does not compile this file: let
// expected: choose another system by -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP, ..._TBB or ..._CPP.
// wrong with: -UTHRUST_DEVICE_SYSTEM
// Thrust's own default is CUDA, whatever the compiler.

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

void call() {
  thrust_hist::histogram(thrust::seq, keys.begin(), keys.end(), out.begin(), 4);
#ifdef THRUST_HIST_WRONG
  thrust_hist::histogram(thrust::device, keys.begin(), keys.end(), out);
  thrust_hist::histogram(thrust::device, keys.begin(), keys.end(), out.begin(), 4);
  thrust_hist::histogram_by_key(
      thrust::device, keys.begin(), keys.end(), keys.begin(), out.begin(), 4);
  thrust_hist::reduce(thrust::device, keys.begin(), keys.end());
  thrust_hist::sparse_histogram(thrust::device, keys.begin(), keys.end(), keys, out);
#endif
}
