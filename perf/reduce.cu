// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// reduce beside thrust::reduce, and beside CUB's Sum plus the copy of its result, which is what a
/// caller of CUB does to learn it. Prints one row a case as JSON, times on the host's clock.

#include "measure.cuh"
#include <thrust_hist/reduce.h>

#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

namespace {

template <class T>
void compare(char const* type) {
  std::uint64_t const most = (std::uint64_t{1} << 32) / sizeof(T);
  perf::buffer const samples(most * sizeof(T)), temp(16 << 20), result(64);
  auto* const in = samples.as<T>();
  perf::fill<<<2048, 256>>>(in, most, 100, perf::distribution::uniform);
  for (std::uint64_t n = 1; n <= most; n *= n < 1024 ? 1024 : n < (1 << 26) ? 4 : 8) {
    int const repeats = n < (1 << 24) ? 101 : 11;
    T ours{}, thrusts{}, cubs{};
    double const our_us = perf::call_microseconds(
        [&] { ours = thrust_hist::reduce(thrust::device, in, in + n); }, repeats);
    double const thrust_us = perf::call_microseconds(
        [&] { thrusts = thrust::reduce(thrust::device, in, in + n); }, repeats);
    double const cub_us = perf::call_microseconds(
        [&] {
          std::size_t bytes = 16 << 20;
          cub::DeviceReduce::Sum(
              temp.as<void>(), bytes, in, result.as<T>(), static_cast<std::int64_t>(n));
          cudaMemcpy(&cubs, result.as<T>(), sizeof(T), cudaMemcpyDeviceToHost);
        },
        repeats);
    bool const exact = std::is_integral_v<T>;
    perf::row()("type", type)("n", n)("ours_us", our_us)("thrust_us", thrust_us)(
        "cub_and_copy_us",
        cub_us)("bytes", sizeof(T))("equal", !exact || (ours == thrusts && ours == cubs));
  }
}

}  // namespace

int main() {
  {
    std::size_t const bytes = std::size_t{1} << 30;
    perf::buffer const memory(bytes);
    perf::warm_up([&] { perf::read_roof(memory.as<void>(), bytes); });
    perf::print_origin("reduce", perf::read_roof(memory.as<void>(), bytes));
  }
  compare<std::uint8_t>("u8");
  compare<std::uint32_t>("u32");
  compare<float>("f32");
  compare<double>("f64");
}
