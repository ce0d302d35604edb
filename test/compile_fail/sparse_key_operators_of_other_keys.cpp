// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: are called with keys of the input

#include <thrust_hist/thrust_hist.h>

#include <vector>

struct pixel {
  short x, y;
};

static std::vector<pixel> keys(3), unique;
static std::vector<int> counts;

void call() {
  const auto equal = [](pixel a, pixel b) { return a.x == b.x && a.y == b.y; };
  const auto less = [](pixel a, pixel b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
#ifdef THRUST_HIST_WRONG
  const auto hash = [](int k) { return k; };
#else
  const auto hash = [](pixel p) { return p.x * 3 + p.y; };
#endif
  thrust_hist::sparse_histogram(
      keys.begin(), keys.end(), unique, counts, thrust_hist::key_operators{hash, equal, less});
}
