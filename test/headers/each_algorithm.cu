// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A call of each algorithm: what CI compiles for every architecture, from the oldest to the newest.

#include <thrust_hist/thrust_hist.h>

#include <thrust/complex.h>
#include <thrust/execution_policy.h>

#include <cstddef>
#include <cstdint>

namespace {

struct to_bin {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(float x, Sink sink) const {
    sink(x < 0 ? 0 : 1, x);
  }
};

}  // namespace

void call_each_algorithm(
    std::uint32_t const* keys, float const* values, thrust::complex<float> const* structs,
    std::ptrdiff_t n, std::uint32_t* counts, float* sums, thrust::complex<float>* struct_sums) {
  using namespace thrust_hist;
  auto const policy = thrust::device;
  histogram(policy, keys, keys + n, counts, 256);
  histogram_even(policy, values, values + n, counts, 256, -1.f, 1.f);
  histogram_range(policy, values, values + n, counts, sums, sums + 100);
  histogram_by_key(policy, keys, keys + n, values, sums, 256);
  histogram_by_key(policy, keys, keys + n, structs, struct_sums, 256);
  transform_histogram(policy, values, values + n, sums, 2, to_bin{});
  sparse_histogram(policy, keys, keys + n, counts, counts + n);
  sums[0] = reduce(policy, values, values + n);
  release_scratch();
}
