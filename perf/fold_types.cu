// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Numbers of 4 bytes folded by u32 key, as folds.cu has it for sums of floats: sums of i32, minima
/// and maxima of u32. `fold_types i32` runs a part.
///   --log2 K   2^K pairs (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/fold_types.cu

#include "fold_cases.cuh"
#include "roof.cuh"

#include <limits>

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "fold_types [i32] [u32] [--log2 K] [--ours] [--quick]", {"--ours", "--quick"},
      {"--log2"});
  perf::report rows(a);
  perf::fold_settings const s = perf::settings_of(a);
  perf::print_origin("fold_types");
  std::uint64_t const most_bins = std::uint64_t{1} << 20;
  if (a.chosen("i32")) {
    perf::pairs_memory<std::int32_t> const m(s.n, most_bins);
    perf::compare_folds(
        rows, perf::sum_of<std::int32_t>("i32"), s, m,
        {16, 256, 4096, 16384, 32768, 65536, most_bins});
  }
  if (a.chosen("u32")) {
    using number = std::uint32_t;
    perf::pairs_memory<number> const m(s.n, most_bins);
    perf::number_fold<number, thrust::minimum<number>> const minimum = {
        "min", "u32", {}, std::numeric_limits<number>::max()};
    perf::number_fold<number, thrust::maximum<number>> const maximum = {"max", "u32", {}, 0};
    perf::compare_folds(rows, minimum, s, m, {16, 256, 4096, 32768, most_bins});
    perf::compare_folds(rows, maximum, s, m, {16, 256, 4096, 32768, most_bins});
  }
  return rows.status();
}
