// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Numbers of 8 bytes folded by u32 key, as folds.cu has it for sums of floats: sums of f64, plain
/// and exact(), and of i64. `fold_wide f64` runs a part.
///   --log2 K   2^K pairs (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/fold_wide.cu

#include "fold_cases.cuh"
#include "roof.cuh"

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "fold_wide [f64] [i64] [--log2 K] [--ours] [--quick]", {"--ours", "--quick"},
      {"--log2"});
  perf::report rows(a);
  perf::fold_settings const s = perf::settings_of(a);
  perf::print_origin("fold_wide");
  std::uint64_t const most_bins = std::uint64_t{1} << 20;
  if (a.chosen("f64")) {
    perf::pairs_memory<double> const m(s.n, most_bins);
    perf::compare_folds(
        rows, perf::sum_of<double>("f64"), s, m, {16, 256, 2048, 8192, 65536, most_bins});
  }
  if (a.chosen("i64")) {
    perf::pairs_memory<std::int64_t> const m(s.n, most_bins);
    perf::compare_folds(
        rows, perf::sum_of<std::int64_t>("i64"), s, m, {16, 256, 2048, 8192, 65536, most_bins});
  }
  return rows.status();
}
