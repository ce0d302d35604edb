// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: key_operators{hash, equal, less} after the outputs

#include <thrust_hist/thrust_hist.h>

#include <vector>

struct pixel {
  short x, y;
};

static std::vector<pixel> keys(3), unique;
static std::vector<int> counts;

void call() {
#ifdef THRUST_HIST_WRONG
  thrust_hist::sparse_histogram(keys.begin(), keys.end(), unique, counts);
#else
  thrust_hist::sparse_histogram(
      keys.begin(), keys.end(), unique, counts,
      thrust_hist::key_operators{
          [](pixel p) { return p.x * 3 + p.y; },
          [](pixel a, pixel b) { return a.x == b.x && a.y == b.y; },
          [](pixel a, pixel b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }});
#endif
}
