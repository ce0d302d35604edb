// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: values must be trivially copyable

#include <thrust_hist/thrust_hist.h>

#include <thrust/execution_policy.h>
#include <thrust/functional.h>

#include <string>
#include <vector>

static std::vector<int> keys{1, 2, 3};

void call() {
#ifdef THRUST_HIST_WRONG
  std::vector<std::string> words{"a", "b", "c"};
  std::vector<std::string> out(4);
  thrust_hist::histogram_by_key(
      thrust::host, keys.begin(), keys.end(), words.begin(), out.begin(), 4,
      thrust::plus<std::string>{}, std::string());
#else
  std::vector<char> letters{'a', 'b', 'c'};
  std::vector<char> out(4);
  thrust_hist::histogram_by_key(
      thrust::host, keys.begin(), keys.end(), letters.begin(), out.begin(), 4, thrust::plus<char>{},
      char());
#endif
}
