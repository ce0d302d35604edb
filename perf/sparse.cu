// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting u32 and u64 keys of which nobody knows the range: sparse_histogram with scratch memory from a
/// caching allocator, beside thrust::sort + reduce_by_key and CUB's radix sort of the bits in use +
/// run-length encoding. Peers get their scratch before the clock starts; Thrust sorts a copy that is not
/// timed. Every result is checked before the clock starts; a wrong one makes the row say WRONG and the
/// program end with 1. Prints one row a case as JSON, figures in Gkeys/s; `sparse table`, `sparse calls`,
/// the times of calls on the host's clock in microseconds, and `sparse sweep`, many numbers of distinct
/// keys without peers, run a part.
///   --log2 K   2^K keys (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/sparse.cu

#include "roof.cuh"
#include "sparse_cases.cuh"

namespace {

using perf::key_layout;
using perf::key_order;
using perf::no_values;

constexpr perf::sparse_types u32 = {"count", "u32"};
constexpr perf::sparse_types u64 = {"count", "u64"};

/// What a call costs, 1 000 keys distinct.
template <class Key>
void compare_calls(perf::report& rows, perf::sparse_types const& t, bool peers, bool quick) {
  constexpr std::uint64_t most = std::uint64_t{1} << 26;
  perf::sparse_memory<Key, no_values> const m(most, peers);
  for (int const log2 : {0, 10, 14, 18, 22, 26}) {
    perf::sparse_case const c = {
        std::uint64_t{1} << log2, 1000, key_layout::spread, key_order::uniform};
    perf::row r;
    r("call", "sparse_histogram");
    perf::name_case(r, t, c);
    if ((quick && log2 != 14) || !rows.wants(r)) {
      r.drop();
      continue;
    }
    m.fill(c);
    try {
      bool const right = m.is_right(c);
      perf::caching_allocator cache;
      auto const cached = thrust::cuda::par_nosync(cache);
      int const repeats = log2 < 18 ? 501 : log2 < 24 ? 101 : 15;
      r("ours_cached_us", perf::call_microseconds([&] { m.ours(cached, c.n); }, repeats));
      if (peers) {
        r("thrust_sort_and_reduce_us",
          perf::call_microseconds_in_turn_after(
              [&] { m.prepare_sort(c.n); }, repeats, [&] { m.by_thrust(cached, c.n); })[0]);
      }
      rows.judge(r, right);
    } catch (std::exception const& e) {
      rows.failed(r, e.what());
    }
  }
}

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
    compare_calls<std::uint32_t>(rows, u32, s.peers, s.quick);
    compare_calls<std::uint64_t>(rows, u64, s.peers, s.quick);
  }
  if (a.chosen("sweep")) {
    perf::compare_sweep<std::uint32_t, no_values>(rows, u32, s);
    perf::compare_sweep<std::uint64_t, no_values>(rows, u64, s);
  }
  return rows.status();
}
