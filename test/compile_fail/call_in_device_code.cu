// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: calling a __host__ function
// errors: 2, since nvcc has one about the call and one about the name of what is called

#include <thrust_hist/thrust_hist.h>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>

#include <vector>

#ifdef THRUST_HIST_WRONG
__global__ void kernel(int* keys, int* out) {
  thrust_hist::histogram(thrust::seq, keys, keys + 3, out, 4);
}
#else
void call(int* keys, int* out) {
  thrust_hist::histogram(thrust::seq, keys, keys + 3, out, 4);
}
#endif
