// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What tiles say while others look back at them, in every state that a look may meet.

#include "../support/boost_test.h"
#include "../support/systems.h"
#include <thrust_hist/system/cuda/kernels/look_back.cuh>

#include <thrust/device_vector.h>

#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(look_back, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::detail::cuda::tile_line;

__global__ void look_back_once(
    tile_line line, std::uint64_t tile, std::uint64_t mine, unsigned long long* sum) {
  sum[threadIdx.x] = thrust_hist::detail::cuda::sum_before_tile(line, tile, mine);
}

}  // namespace

// The last tile that knows the sum of all is the first one, or another.
BOOST_AUTO_TEST_CASE(tiles_before_say_what_they_have_or_the_sum) {
  for (std::size_t tile : {1, 2, 31, 32, 33, 64, 65, 100})
    for (std::size_t knows : {std::size_t{0}, tile / 2, tile - 1}) {
      BOOST_TEST_CONTEXT("tile " << tile << ", the sum is known by " << knows) {
        std::vector<unsigned long long> words(tile + 2);
        std::uint64_t expected = 0;
        for (std::size_t t = 0; t < tile; ++t) {
          const std::uint64_t has = t * t + (std::uint64_t{1} << 40);
          expected += has;
          words[t] =
              t == knows ? expected * 4 + tile_line::says_sum : has * 4 + tile_line::says_own;
        }
        thrust::device_vector<unsigned long long> line(words.begin(), words.end()), sums(32);
        look_back_once<<<1, 32>>>(
            {thrust::raw_pointer_cast(line.data()), tile + 1}, tile, 5,
            thrust::raw_pointer_cast(sums.data()));
        for (unsigned lane = 0; lane < 32; ++lane)
          BOOST_TEST(static_cast<std::uint64_t>(sums[lane]) == expected);
        const std::uint64_t said = line[tile];
        BOOST_TEST(said == (expected + 5) * 4 + tile_line::says_sum);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
