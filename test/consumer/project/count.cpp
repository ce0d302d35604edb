// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program of somebody else. Built as C++ and as CUDA, on whatever thrust::device is there.
#include <thrust_hist/histogram.h>

#include <thrust/device_vector.h>

#include <iostream>
#include <vector>

#ifdef EXPECTED_DEVICE_SYSTEM
static_assert(THRUST_DEVICE_SYSTEM == EXPECTED_DEVICE_SYSTEM, "the consumer's choice is kept");
#endif

int main() {
  std::vector<int> const rolls{3, 1, 6, 4, 3, 6, 6};
  thrust::device_vector<int> const keys(rolls.begin(), rolls.end());
  thrust::device_vector<int> counts;
  thrust_hist::histogram(keys.begin(), keys.end(), counts);
  std::cout << counts.size() << " bins, 6 occurs " << counts[6] << " times\n";
  return counts.size() == 7 && counts[6] == 3 ? 0 : 1;
}
