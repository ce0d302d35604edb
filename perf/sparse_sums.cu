// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Sums of floats by sparse u64 and u32 keys, and calls with f32 keys, too, and minima:
/// sparse_histogram_by_key beside thrust::sort_by_key + reduce_by_key and CUB's radix sort of the
/// bits in use + ReduceByKey, as sparse.cu has it for counts. Figures in G pairs per second.
/// `sparse_sums table`, `sparse_sums calls` and `sparse_sums sweep` run a part.
///   --log2 K   2^K pairs (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/sparse_sums.cu

#include "roof.cuh"
#include "sparse_cases.cuh"

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "sparse_sums [table] [calls] [sweep] [--log2 K] [--ours] [--quick]",
      {"--ours", "--quick"}, {"--log2"});
  perf::report rows(a);
  perf::sparse_settings const s = perf::sparse_settings_of(a);
  perf::sparse_types const sums = {"sum", "u64 -> f32"};
  perf::print_origin("sparse_sums");
  if (a.chosen("table")) {
    perf::compare_table<std::uint64_t, float>(rows, sums, s);
    perf::compare_table<std::uint32_t, float>(rows, {"sum", "u32 -> f32"}, s);
  }
  if (a.chosen("calls")) {
    perf::compare_calls<std::uint64_t, float>(rows, sums, s);
    perf::compare_calls<std::uint32_t, float>(rows, {"sum", "u32 -> f32"}, s);
    perf::compare_calls<float, float>(rows, {"sum", "f32 -> f32"}, s);
    perf::compare_calls<std::uint32_t, float, thrust::minimum<float>>(
        rows, {"min", "u32 -> f32"}, s);
  }
  if (a.chosen("sweep")) {
    perf::compare_sweep<std::uint64_t, float>(rows, sums, s);
  }
  return rows.status();
}
