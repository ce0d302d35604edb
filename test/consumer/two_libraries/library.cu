// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust_hist/histogram.h>

#include <thrust/device_vector.h>

#include <vector>

// How often 6 occurs; -1 where there is no GPU that this library was built for.
int LIBRARY_FUNCTION() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return -1;
  std::vector<int> const rolls{3, 1, 6, 4, 3, 6, 6};
  thrust::device_vector<int> const keys(rolls.begin(), rolls.end());
  thrust::device_vector<int> counts(7);
  thrust_hist::histogram(keys.begin(), keys.end(), counts.begin(), 7);
  return counts[6];
}
