// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: even bins and range bins need samples that are integers or floating-point numbers

#include <thrust_hist/thrust_hist.h>

#include <vector>

static std::vector<int> keys{1, 2, 3};
static std::vector<int> out(4);
struct word {
  char letters[8];
};
static std::vector<word> words(3);

#ifdef THRUST_HIST_WRONG
void call() {
  thrust_hist::histogram(words.begin(), words.end(), out.begin(), thrust_hist::even_bins(4, 0, 4));
}
#else
struct length {
  int operator()(word const& w) const { return w.letters[0] == 0 ? 0 : 1; }
};
void call() {
  thrust_hist::histogram(
      words.begin(), words.end(), out.begin(), thrust_hist::make_bins(4, length{}));
}
#endif
