// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: thrust_hist: this bin rule cannot be called with samples of this type: let it take

#include <thrust_hist/thrust_hist.h>

#include <string>
#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);

void call() {
#ifdef THRUST_HIST_WRONG
  auto const f = [](std::string const& s) { return s.size(); };
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), thrust_hist::make_bins(4, f));
#else
  auto const f = [](int x) { return x; };
  thrust_hist::histogram(keys.begin(), keys.end(), out.begin(), thrust_hist::make_bins(4, f));
#endif
}
