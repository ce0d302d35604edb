// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Exact sums of complex numbers, whose states no atomic folds: bins that many pairs have must not
// crawl.

#include "crowded.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/tabulate.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace folds_crowded_setup {

using complex = thrust::complex<float>;
using test::in_turn;

struct make_complex {
  __host__ __device__ complex operator()(std::uint64_t i) const {
    const std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    return {static_cast<float>(x >> 40) * 0x1p-24F, static_cast<float>(x & 0xffffff) * 0x1p-24F};
  }
};

}  // namespace folds_crowded_setup

BOOST_AUTO_TEST_SUITE(folds_crowded, THRUST_HIST_TEST_LARGE)
using namespace folds_crowded_setup;

// Which are sums of their parts.
BOOST_AUTO_TEST_CASE(exact_sums_of_complex_numbers) {
  constexpr std::size_t n = std::size_t{1} << 21;
  thrust::device_vector<complex> values(n);
  thrust::tabulate(values.begin(), values.end(), make_complex{});
  thrust::device_vector<std::uint32_t> keys(n);
  for (std::uint32_t bins : {300U, 20011U})
    BOOST_TEST_CONTEXT(bins << " bins") {
      thrust::device_vector<complex> sums(bins);
      const auto measure = [&](in_turn const& which) {
        thrust::tabulate(keys.begin(), keys.end(), which);
        return std::vector<float>{test::least_ms([&] {
          thrust_hist::histogram_by_key(
              thrust::cuda::par, keys.begin(), keys.end(), values.begin(), sums.begin(), bins,
              thrust_hist::options{}.exact());
        })};
      };
      test::check_crowds_take_no_longer(
          measure, {1, bins, n}, {{1, bins}, {2, bins}, {1, bins, n / 2}, {5, bins, n / 2}});
    }
}

BOOST_AUTO_TEST_SUITE_END()
