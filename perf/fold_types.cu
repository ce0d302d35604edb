// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Other numbers folded by u32 key, as folds.cu has it for sums of floats: sums of i32, i64 and f64,
/// minima and maxima of u32. `fold_types TYPE...` runs only these types.
///   --log2 K   2^K pairs (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/fold_types.cu

#include "fold_cases.cuh"
#include "roof.cuh"

#include <limits>
#include <vector>

namespace {

using perf::distribution;
using perf::value_kind;

constexpr std::uint64_t most_bins = std::uint64_t{1} << 20;

/// All of one fold.
template <class Fold, class T>
void compare_all(
    perf::report& rows, Fold const& f, perf::fold_settings const& s, perf::pairs_memory<T> const& m,
    std::vector<std::uint64_t> const& bin_counts) {
  auto const values = std::is_integral_v<T> ? value_kind::bits : value_kind::unit;
  for (std::uint64_t const bins : bin_counts) {
    for (distribution const d :
         {distribution::uniform, distribution::zipf, distribution::constant}) {
      if (!s.quick || (bins == 256 && d != distribution::zipf)) {
        perf::compare(rows, f, s, m, {bins, d, values});
      }
    }
  }
}

template <class T>
perf::number_fold<T, thrust::plus<T>> sum_of(char const* type) {
  return {"sum", type, {}, 0};
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "fold_types [i32] [u32] [f64] [i64] [--log2 K] [--ours] [--quick]",
      {"--ours", "--quick"}, {"--log2"});
  perf::report rows(a);
  perf::fold_settings const s = perf::settings_of(a);
  perf::print_origin("fold_types");
  if (a.chosen("i32")) {
    perf::pairs_memory<std::int32_t> const m(s.n, most_bins);
    compare_all(
        rows, sum_of<std::int32_t>("i32"), s, m, {16, 256, 4096, 16384, 32768, 65536, most_bins});
  }
  if (a.chosen("u32")) {
    using number = std::uint32_t;
    perf::pairs_memory<number> const m(s.n, most_bins);
    perf::number_fold<number, thrust::minimum<number>> const minimum = {
        "min", "u32", {}, std::numeric_limits<number>::max()};
    perf::number_fold<number, thrust::maximum<number>> const maximum = {"max", "u32", {}, 0};
    compare_all(rows, minimum, s, m, {16, 256, 4096, 32768, most_bins});
    compare_all(rows, maximum, s, m, {16, 256, 4096, 32768, most_bins});
  }
  if (a.chosen("f64")) {
    perf::pairs_memory<double> const m(s.n, most_bins);
    compare_all(rows, sum_of<double>("f64"), s, m, {16, 256, 2048, 8192, 65536, most_bins});
  }
  if (a.chosen("i64")) {
    perf::pairs_memory<std::int64_t> const m(s.n, most_bins);
    compare_all(rows, sum_of<std::int64_t>("i64"), s, m, {16, 256, 2048, 8192, 65536, most_bins});
  }
  return rows.status();
}
