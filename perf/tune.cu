// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Where one route of a count should give way to another on this GPU. A row is one point near a
/// threshold of thrust_hist/system/cuda/tuning.h: the time of the route below it and of the one
/// above. tune.py makes the thresholds of them.
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/tune.cu

#include "report.h"
#include "roof.cuh"
#include <thrust_hist/histogram.h>
#include <thrust_hist/system/cuda/tuning.h>

#include <thrust/execution_policy.h>

#include <initializer_list>

namespace {

using thrust_hist::options;
using thrust_hist::route;

constexpr std::uint64_t most_keys = std::uint64_t{1} << 28;
constexpr std::uint64_t most_bins = std::uint64_t{1} << 22;

struct memory {
  perf::buffer keys{most_keys * 4}, out{most_bins * 4};
};

/// A threshold: its name in tuning_row, the value it would have if this point were the last below
/// it.
struct point {
  char const* threshold;
  std::uint64_t value;
  std::uint64_t n, bins;
  route below, above;
};

/// Uniform keys, and equal ones, which are the worst for most routes.
void measure(perf::report& report, memory const& m, point const& p) {
  for (auto const d : {perf::distribution::uniform, perf::distribution::constant}) {
    perf::row row;
    row("threshold", p.threshold)("value", p.value)("n", p.n)("bins", p.bins)(
        "distribution", perf::name_of(d))("below", to_string(p.below))("above", to_string(p.above));
    if (!report.wants(row)) {
      continue;
    }
    auto* const keys = m.keys.as<std::uint32_t>();
    perf::fill<<<2048, 256>>>(keys, p.n, p.bins, d);
    perf::caching_allocator cache;
    auto const policy = thrust::cuda::par_nosync(cache);
    auto const by = [&](route r) {
      return [&, r] {
        thrust_hist::histogram(
            policy, keys, keys + p.n, m.out.as<unsigned>(), p.bins, options{}.force(r));
      };
    };
    auto const ms = perf::milliseconds_in_turn(
        p.n < (1 << 24) ? 51 : 11, [] {}, by(p.below), by(p.above));
    row("below_us", ms[0] * 1e3)("above_us", ms[1] * 1e3);
  }
}

/// A table for each lane while it is small, one for a block from there on.
void tune_lanes(perf::report& report, memory const& m, std::uint64_t shared_bytes) {
  for (std::uint64_t const bins :
       {16, 32, 64, 100, 128, 192, 256, 320, 384, 448, 512, 640, 800, 1000, 1200, 1400, 1600,
        1800}) {
    std::uint64_t const bytes = (bins + 1) * 128;
    if (bytes <= shared_bytes) {
      measure(
          report, m, {"lanes_bytes", bytes, most_keys, bins, route::shared_lanes, route::shared});
    }
  }
}

/// Atomics on the output for few samples of many bins.
void tune_global(perf::report& report, memory const& m, std::uint64_t bins, route above) {
  for (std::uint64_t n = 1 << 10; n <= 1 << 21; n *= 2) {
    measure(report, m, {"global_samples", n, n, bins, route::global, above});
  }
}

/// Blocks that share the bins out, as many bins as 2^log2 of them hold, and buckets.
void tune_split(perf::report& report, memory const& m, std::uint64_t shared_bytes) {
  for (unsigned log2 = 1; log2 <= 4; ++log2) {
    std::uint64_t const bins = (shared_bytes / 4 - 1) << log2;
    measure(
        report, m,
        {"split_parts_log2", log2, most_keys, bins, route::shared_split, route::partitioned});
  }
}

/// What tune.py keeps where nothing was measured.
void print_defaults() {
  auto const& row = thrust_hist::detail::cuda::default_tuning;
  perf::row()("default", true)("block_threads", row.block_threads)("lanes_bytes", row.lanes_bytes)(
      "samples_per_block", row.samples_per_block)("fold_ratio", row.fold_ratio)(
      "global_samples", row.global_samples)("global_bins", row.global_bins)(
      "global_pairs", row.global_pairs)("global_pair_bins", row.global_pair_bins)(
      "split_parts_log2", row.split_parts_log2)("rule_samples", row.rule_samples)(
      "more_rule_samples", row.more_rule_samples)("cells_samples", row.cells_samples)(
      "fresh_batch", row.fresh_batch)("fresh_ratio", row.fresh_ratio)("lone_pairs", row.lone_pairs);
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "tune", {}, {});
  perf::report report(a);
  perf::print_origin("tune");
  print_defaults();
  std::uint64_t const shared_bytes = perf::shared_bytes_of_block();
  memory const m;
  tune_lanes(report, m, shared_bytes);
  tune_global(report, m, shared_bytes / 2, route::shared_split);
  tune_global(report, m, std::uint64_t{1} << 20, route::partitioned);
  tune_split(report, m, shared_bytes);
}
