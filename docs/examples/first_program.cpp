// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! [program]
#include <thrust_hist/histogram.h>

#include <thrust/device_vector.h>

#include <iostream>
#include <vector>

int main() {
  //! [count]
  thrust::device_vector<int> rolls(std::vector<int>{3, 1, 6, 4, 3, 6, 6}), counts;
  thrust_hist::histogram(rolls.begin(), rolls.end(), counts);
  //! [count]
  for (std::size_t face = 1; face < counts.size(); ++face)
    std::cout << face << ": " << counts[face] << '\n';
  return counts[6] == 3 ? 0 : 1;
}
//! [program]
