// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the input of a CUDA policy must be in device memory; copy it to a

#include <thrust_hist/thrust_hist.h>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>

#include <vector>

#ifdef THRUST_HIST_WRONG
void call(thrust::host_vector<int>& keys, thrust::device_vector<int>& out) {
  thrust_hist::histogram(thrust::cuda::par, keys.begin(), keys.end(), out.begin(), 4);
}
#else
void call(thrust::host_vector<int>& keys, thrust::device_vector<int>& out) {
  const thrust::device_vector<int> there = keys;
  thrust_hist::histogram(thrust::cuda::par, there.begin(), there.end(), out.begin(), 4);
}
#endif
