// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Problems of sparse histograms and GPUs, of which plans are asked.

#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/sparse_problem.h>

#include <cstddef>
#include <cstdint>

namespace sparse_problems {

using thrust_hist::options;
using thrust_hist::route;
using namespace thrust_hist::detail::cuda;
using thrust_hist::detail::mix_code;

constexpr device_facts h200 = {132, 232448, 233472, 62914560};
constexpr device_facts small_gpu = {20, 49152, 65536, 4194304};
constexpr std::uint64_t million = std::uint64_t{1} << 20;

inline sparse_problem problem_of(
    std::uint64_t n, std::size_t code_bytes = 4, bool is_number = true) {
  sparse_problem p = {};
  p.inputs = p.most_keys = n;
  p.code_bytes = code_bytes;
  p.is_number = is_number;
  p.sort_bytes = p.rows_bytes = 1000;
  return p;
}

// Keys of which some were looked at: evenly in [0, last].
inline sparse_problem even_problem(
    std::uint64_t n, std::uint64_t last, std::size_t code_bytes = 4) {
  sparse_problem p = problem_of(n, code_bytes);
  p.has_ranges = true;
  p.ranges.last = last;
  p.ranges.heaviest = 16;
  p.ranges.densest = 300;
  p.ranges.codes = range_sample::size;
  p.seen_once = key_sample::size;
  return p;
}

}  // namespace sparse_problems
