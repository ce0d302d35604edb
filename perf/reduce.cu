// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// reduce beside thrust::reduce, and beside CUB's Sum plus the copy of its result, which is what a
/// caller of CUB does to learn it. Prints one row a case as JSON, times on the host's clock;
/// `reduce TYPE...` runs only these types.
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/reduce.cu

#include "report.h"
#include "roof.cuh"
#include <thrust_hist/reduce.h>

#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

namespace {

struct memory {
  perf::buffer samples, temp{16 << 20}, result{64};
};

template <class T>
void compare(perf::report& report, memory const& m, char const* type, std::uint64_t n) {
  perf::row row;
  row("type", type)("n", n);
  if (!report.wants(row)) {
    return;
  }
  auto const* const in = m.samples.as<T>();
  T ours{}, thrusts{}, cubs{};
  auto const [our_us, thrust_us, cub_us] = perf::call_microseconds_in_turn(
      n < (1 << 24) ? 101 : 11, [&] { ours = thrust_hist::reduce(thrust::device, in, in + n); },
      [&] { thrusts = thrust::reduce(thrust::device, in, in + n); },
      [&] {
        std::size_t bytes = 16 << 20;
        perf::require(
            cub::DeviceReduce::Sum(
                m.temp.as<void>(), bytes, in, m.result.as<T>(), static_cast<std::int64_t>(n)),
            "Sum");
        cudaMemcpy(&cubs, m.result.as<T>(), sizeof(T), cudaMemcpyDeviceToHost);
      });
  bool const exact = std::is_integral_v<T>;
  row("ours_us", our_us)("thrust_us", thrust_us)("cub_and_copy_us", cub_us)("bytes", sizeof(T))(
      "equal", !exact || (ours == thrusts && ours == cubs));
}

template <class T>
void compare_all(
    perf::arguments const& a, perf::report& report, memory const& m, char const* type) {
  if (!a.chosen(type)) {
    return;
  }
  std::uint64_t const most = (std::uint64_t{1} << 32) / sizeof(T);
  perf::fill<<<2048, 256>>>(m.samples.as<T>(), most, 100, perf::distribution::uniform);
  for (std::uint64_t n = 1; n <= most; n *= n < 1024 ? 1024 : n < (1 << 26) ? 4 : 8) {
    compare<T>(report, m, type, n);
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(argc, argv, "reduce [u8] [u32] [f32] [f64]", {}, {});
  perf::report report(a);
  perf::print_origin("reduce");
  memory const m{perf::buffer(std::size_t{1} << 32)};
  compare_all<std::uint8_t>(a, report, m, "u8");
  compare_all<std::uint32_t>(a, report, m, "u32");
  compare_all<float>(a, report, m, "f32");
  compare_all<double>(a, report, m, "f64");
}
