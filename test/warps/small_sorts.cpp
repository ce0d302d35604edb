// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Some few numbers, sorted by a simulated thread, a warp or a block: of all sizes, with equal ones, and nothing is
// touched beside them.
//   small_sorts [SEED [CASES]]

#include "warps.h"
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using thrust_hist::detail::cuda::small_sort;
using warps::below;

template <class Number, class Sort>
void check(char const* by, unsigned threads, std::uint32_t size, Sort sort) {
  std::vector<Number> numbers(size + 2);
  const std::uint64_t distinct = below(2) == 0 ? ~std::uint64_t{0} : 1 + below(size + 1);
  for (Number& x : numbers)
    x = below(9) == 0 ? static_cast<Number>(~Number{0}) : static_cast<Number>(below(distinct));
  std::vector<Number> expected = numbers;
  std::sort(expected.begin() + 1, expected.end() - 1);
  // What threads find where others have written, who have waited for each other.
  std::vector<Number> found = expected;
  warps::block::run(threads, [&] {
    sort(numbers.data() + 1, size);
    for (std::uint32_t i = threadIdx.x; i < size; i += threads)
      found[size - i] = numbers[size - i];
  });
  if (numbers != expected || found != expected) {
    std::printf("FAILED: %u numbers by %s of %u threads\n", size, by, threads);
    std::exit(1);
  }
}

template <class Number>
void check_all(std::uint32_t size) {
  const auto some = std::min<std::uint32_t>(size, small_sort::most);
  check<Number>("thread 0", 32, some, [](Number* first, std::uint32_t n) {
    if (threadIdx.x == 0)
      small_sort::by_thread<small_sort::most>(first, n);
    __syncwarp();
  });
  check<Number>(
      "a warp", 32, size, [](Number* first, std::uint32_t n) { small_sort::by_warp(first, n); });
  check<Number>("a block", 32u << below(5), size, [](Number* first, std::uint32_t n) {
    small_sort::by_block(first, n);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const auto seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::random_device{}();
  const auto cases = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  warps::rng.seed(seed);
  for (unsigned long long i = 0; i < cases; ++i) {
    const std::uint64_t most = i % 8 == 0 ? 5000 : i % 4 == 0 ? 1500 : i % 4 == 1 ? 300 : 140;
    const auto size = static_cast<std::uint32_t>(1 + below(most));
    check_all<std::uint32_t>(size);
    check_all<std::uint64_t>(size);
  }
  std::printf("%llu cases\n", cases);
}
