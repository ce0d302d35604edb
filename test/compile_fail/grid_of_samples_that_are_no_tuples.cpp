// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the samples of a grid are tuples of coordinates

#include <thrust_hist/thrust_hist.h>

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <vector>

static std::vector<int> x{1, 2, 3}, y{1, 2, 3};
static std::vector<int> out(16);
static const thrust_hist::identity_bins four(4);

#ifdef THRUST_HIST_WRONG
void call() {
  thrust_hist::histogram(x.begin(), x.end(), out.begin(), thrust_hist::grid(four, four));
}
#else
void call() {
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
  thrust_hist::histogram(first, first + 3, out.begin(), thrust_hist::grid(four, four));
}
#endif
