// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Sums of floats by u32 key: histogram_by_key, plain and exact(), with scratch memory from a
/// caching allocator, beside thrust::sort_by_key + reduce_by_key, CUB's radix sort of the bits in
/// use + ReduceByKey, and atomics in global memory. Peers get their scratch before the clock
/// starts, and sort a copy that is not timed. Every result is checked; a wrong one makes the row
/// say WRONG and the program end with 1. Prints one row a case as JSON, figures in G pairs/s;
/// `folds sums` and `folds calls`, the times of calls on the host's clock in microseconds, run a
/// part.
///   --log2 K   2^K pairs (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/folds.cu

#include "fold_cases.cuh"
#include "roof.cuh"

#include <vector>

namespace {

using perf::distribution;
using perf::value_kind;

using float_sum = perf::number_fold<float, thrust::plus<float>>;
constexpr float_sum sum = {"sum", "f32", {}, 0};
constexpr std::uint64_t most_bins = std::uint64_t{1} << 24;

/// Every distribution at some numbers of bins, three of them and other values at more.
std::vector<perf::fold_case> all_cases() {
  std::vector<perf::fold_case> cases;
  auto const is_basic = [](distribution d) {
    return d == distribution::uniform || d == distribution::zipf || d == distribution::constant;
  };
  for (std::uint64_t const bins :
       {4, 16, 256, 2048, 4096, 16384, 65536, 1 << 20, 1 << 22, 1 << 24}) {
    bool const has_all =
        bins == 16 || bins == 256 || bins == 16384 || bins == 65536 || bins == 1 << 20;
    for (distribution const d : perf::all_distributions) {
      if (has_all || is_basic(d)) {
        cases.push_back({bins, d, value_kind::unit});
      }
      if ((has_all || bins == 4096) && is_basic(d)) {
        cases.push_back({bins, d, value_kind::normal});
        cases.push_back({bins, d, value_kind::whole_range});
      }
    }
  }
  return cases;
}

std::vector<perf::fold_case> quick_cases() {
  std::vector<perf::fold_case> cases;
  for (std::uint64_t const bins : {256, 16384, 1 << 20}) {
    for (distribution const d :
         {distribution::uniform, distribution::zipf, distribution::constant}) {
      cases.push_back({bins, d, value_kind::unit});
    }
  }
  cases.push_back({256, distribution::uniform, value_kind::normal});
  cases.push_back({256, distribution::uniform, value_kind::whole_range});
  return cases;
}

/// What a call costs. Thrust sorts in place, which after the first call is sorted already.
void compare_calls(perf::report& rows, bool peers, std::uint64_t n, std::uint64_t bins) {
  perf::row r;
  r("call", "histogram_by_key")("fold", sum.name)("type", sum.type)("n", n)("bins", bins)(
      "distribution", "uniform");
  if (!rows.wants(r)) {
    return;
  }
  perf::pairs_memory<float> const m(n, bins);
  m.fill({bins, distribution::uniform, value_kind::unit});
  auto const* const keys = m.keys.as<std::uint32_t>();
  auto const* const values = m.values.as<float>();
  perf::caching_allocator cache;
  auto const cached = thrust::cuda::par_nosync(cache);
  int const repeats = n < (1 << 16) ? 1001 : 301;
  auto const call = [&](auto const& policy, thrust_hist::options const& o) {
    thrust_hist::histogram_by_key(policy, keys, keys + n, values, m.ours.as<float>(), bins, o);
  };
  auto const us = perf::call_microseconds_in_turn(
      repeats, [&] { call(thrust::device, {}); }, [&] { call(cached, {}); },
      [&] { call(cached, thrust_hist::options{}.exact()); });
  r("ours_us", us[0])("ours_cached_us", us[1])("exact_us", us[2]);
  // What ran last is exact, and the reference is not rounded.
  m.reference.make(keys, values, n, bins);
  bool const equal =
      m.reference.judge<float>(m.ours.as<float>(), bins, perf::rounding::once_of_the_same);
  if (peers) {
    m.sort.copy_input(keys, values);
    auto const theirs = perf::call_microseconds_in_turn(
        repeats, [&] { m.sort.by_radix(m.temp, keys, values, bins, sum.op); },
        [&] {
          perf::global_atomics(keys, values, n, m.theirs.as<float>(), bins, sum.op, sum.identity);
        });
    m.sort.copy_input(keys, values);
    r("sort_and_reduce_us", theirs[0])("global_atomics_us", theirs[1])(
        "thrust_sort_by_key_us",
        perf::call_microseconds([&] { m.sort.by_thrust(cached, sum.op); }, repeats));
  }
  rows.judge(r, equal);
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "folds [sums] [calls] [--log2 K] [--ours] [--quick]", {"--ours", "--quick"},
      {"--log2"});
  perf::report rows(a);
  perf::fold_settings const s = perf::settings_of(a);
  perf::print_origin("folds");
  if (a.chosen("sums")) {
    perf::pairs_memory<float> const m(s.n, most_bins);
    for (perf::fold_case const& c : s.quick ? quick_cases() : all_cases()) {
      perf::compare(rows, sum, s, m, c);
    }
  }
  for (std::uint64_t n = 1 << 10; a.chosen("calls") && n <= 1 << 22; n *= 4) {
    if (!s.quick || n == 1 << 16) {
      compare_calls(rows, s.peers, n, 256);
    }
  }
  return rows.status();
}
