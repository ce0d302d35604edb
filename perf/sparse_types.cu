// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting sparse keys of other types, as sparse.cu has it for u32 and u64: f32, and integers of
/// 128 bits. `sparse_types table` and `sparse_types calls` run a part.
///   --log2 K   2^K keys (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/sparse_types.cu

#include "roof.cuh"
#include "sparse_cases.cuh"

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "sparse_types [table] [calls] [--log2 K] [--ours] [--quick]",
      {"--ours", "--quick"}, {"--log2"});
  perf::report rows(a);
  perf::sparse_settings const s = perf::sparse_settings_of(a);
  perf::print_origin("sparse_types");
  perf::sparse_types const f32 = {"count", "f32"};
  perf::sparse_types const u128 = {"count", "u128"};
  if (a.chosen("table")) {
    perf::compare_table<float, perf::no_values>(rows, f32, s);
    perf::compare_table<perf::uint128, perf::no_values>(rows, u128, s);
  }
  if (a.chosen("calls")) {
    perf::compare_calls<float, perf::no_values>(rows, f32, s);
    perf::compare_calls<perf::uint128, perf::no_values>(rows, u128, s);
  }
  return rows.status();
}
