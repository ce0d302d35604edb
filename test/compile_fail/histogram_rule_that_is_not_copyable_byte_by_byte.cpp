// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a bin rule must be trivially copyable

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

#ifdef THRUST_HIST_WRONG
struct rule {
  std::vector<int> bins;
  std::size_t size() const { return bins.size(); }
  int operator()(int x) const { return bins[static_cast<std::size_t>(x)]; }
};
void call() {
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), rule{keys});
}
#else
struct rule {
  int const* bins;
  std::size_t size() const { return 4; }
  int operator()(int x) const { return bins[x]; }
};
void call() {
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), rule{keys.data()});
}
#endif
