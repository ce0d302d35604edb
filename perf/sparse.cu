// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting u32 and u64 keys of which nobody knows the range: sparse_histogram with scratch memory
/// from a caching allocator, beside thrust::sort + reduce_by_key and CUB's radix sort of the bits
/// in use + run-length encoding. Peers get their scratch before the clock starts; Thrust sorts a
/// copy that is not timed. Every result is checked before the clock starts; a wrong one makes the
/// row say WRONG and the program end with 1. Prints one row a case as JSON, figures in Gkeys/s;
/// `sparse table`, `sparse calls`, the times of calls on the host's clock in microseconds, and
/// `sparse sweep`, many numbers of distinct keys without peers, run a part.
///   --log2 K   2^K keys (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/sparse.cu

#include "roof.cuh"
#include "sparse_cases.cuh"

namespace {

using perf::no_values;

constexpr perf::sparse_types u32 = {"count", "u32"};
constexpr perf::sparse_types u64 = {"count", "u64"};

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "sparse [table] [calls] [sweep] [--log2 K] [--ours] [--quick]",
      {"--ours", "--quick"}, {"--log2"});
  perf::report rows(a);
  perf::sparse_settings const s = perf::sparse_settings_of(a);
  perf::print_origin("sparse");
  if (a.chosen("table")) {
    perf::compare_table<std::uint32_t, no_values>(rows, u32, s);
    perf::compare_table<std::uint64_t, no_values>(rows, u64, s);
  }
  if (a.chosen("calls")) {
    perf::compare_calls<std::uint32_t, no_values>(rows, u32, s);
    perf::compare_calls<std::uint64_t, no_values>(rows, u64, s);
  }
  if (a.chosen("sweep")) {
    perf::compare_sweep<std::uint32_t, no_values>(rows, u32, s);
    perf::compare_sweep<std::uint64_t, no_values>(rows, u64, s);
  }
  return rows.status();
}
