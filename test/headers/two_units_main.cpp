// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc defines it for units of C++, too, which have the namespace that they have by g++.
#define __CUDA_ARCH_LIST__ 750
#include <thrust_hist/thrust_hist.h>

#include <vector>

int count_in_other_unit();

int main() {
  thrust_hist::v0_1_0::release_scratch();  // there is none
  std::vector<int> const keys{0, 2, 2};
  std::vector<unsigned> counts(3);
  thrust_hist::histogram(thrust::host, keys.begin(), keys.end(), counts.begin(), 3);
  return count_in_other_unit() == 2 && counts[2] == 2 ? 0 : 1;
}
