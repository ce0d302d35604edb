// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the input of a CUDA policy must be in device memory

#include <thrust_hist/histogram_by_key.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

void call(
    thrust::device_vector<int> const& keys, thrust::host_vector<float> const& on_host,
    thrust::device_vector<float> const& on_device, thrust::device_vector<float>& out) {
#ifdef THRUST_HIST_WRONG
  auto const values = on_host.begin();
  static_cast<void>(on_device);
#else
  auto const values = on_device.begin();
  static_cast<void>(on_host);
#endif
  thrust_hist::histogram_by_key(
      thrust::cuda::par, keys.begin(), keys.end(), values, out.begin(), 4);
}
