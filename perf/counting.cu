// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting: histogram_even and histogram beside CUB's HistogramEven and thrust::sort +
/// reduce_by_key, in one run on one GPU. CUB gets its scratch before the clock starts, sorting its
/// copy of the input. Prints one row a case as JSON, figures in Gkeys/s; `counting TYPE...` runs only these types, `--no-sort`
/// leaves the sort out, `--log2 K` sets the bytes of an input to 2^K.
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I.. counting.cu

#include "measure.cuh"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>

#include <cub/device/device_histogram.cuh>
#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <cstring>
#include <set>

namespace {

struct settings {
  std::set<std::string> types;
  bool sort = true;
  int log2_bytes = 30;
};

std::vector<std::uint64_t> const bin_counts = {4,    5,    16,    100,   256,  257,
                                               2048, 6007, 16384, 57345, 65536};

template <class T>
void compare(char const* type, settings const& s) {
  if (!s.types.empty() && s.types.count(type) == 0) {
    return;
  }
  // 2^30 samples of a byte, 2^28 of 4 bytes, and as many bytes of the others.
  std::uint64_t const n = (std::uint64_t{1} << s.log2_bytes) / sizeof(T);
  std::size_t const scratch = std::size_t{6} << 30;  // more than CUB ever asks for
  perf::buffer const samples(n * sizeof(T)), copy(s.sort ? n * sizeof(T) : 1), temp(scratch);
  perf::buffer const ours(65536 * 4), theirs(65536 * 4), unique(s.sort ? n * sizeof(T) : 1),
      counts(s.sort ? n * 4 : 1);
  auto* const in = samples.as<T>();
  auto const policy = thrust::cuda::par_nosync;
  perf::warm_up([&] { perf::fill<<<2048, 256>>>(in, n, 256, perf::distribution::uniform); });
  for (std::uint64_t const bins : bin_counts) {
    if (sizeof(T) == 1 && bins > 256) {
      continue;  // a byte has no more values
    }
    for (auto const d : {perf::distribution::uniform, perf::distribution::constant}) {
      if (d == perf::distribution::constant && bins > 16384) {
        continue;
      }
      perf::fill<<<2048, 256>>>(in, n, bins, d);
      auto const even = [&] {
        thrust_hist::histogram_even(policy, in, in + n, ours.as<unsigned>(), bins, 0, bins);
      };
      auto const cub_even = [&] {
        std::size_t bytes = scratch;
        using level = std::conditional_t<sizeof(T) <= 2, int, T>;
        perf::require(
            cub::DeviceHistogram::HistogramEven(
                temp.as<void>(), bytes, in, theirs.as<int>(), static_cast<int>(bins) + 1, level(0),
                static_cast<level>(bins), static_cast<std::int64_t>(n)),
            "HistogramEven");
      };
      auto const [even_ms, cub_ms] = perf::milliseconds_in_turn(even, cub_even);
      std::vector<unsigned> a(bins), b(bins);
      cudaMemcpy(a.data(), ours.as<void>(), bins * 4, cudaMemcpyDeviceToHost);
      cudaMemcpy(b.data(), theirs.as<void>(), bins * 4, cudaMemcpyDeviceToHost);
      double keys_ms = 0;
      if constexpr (std::is_integral_v<T>) {
        keys_ms = perf::milliseconds(
            [&] { thrust_hist::histogram(policy, in, in + n, ours.as<unsigned>(), bins); });
      }
      double sort_ms = 0;
      if (s.sort && (bins == 256 || bins == 16384 || bins == 65536)) {
        sort_ms = perf::milliseconds(
            [&] {
              thrust::sort(thrust::device, copy.as<T>(), copy.as<T>() + n);
              thrust::reduce_by_key(
                  thrust::device, copy.as<T>(), copy.as<T>() + n,
                  thrust::constant_iterator<unsigned>(1), unique.as<T>(), counts.as<unsigned>());
            },
            [&] { cudaMemcpy(copy.as<T>(), in, n * sizeof(T), cudaMemcpyDeviceToDevice); }, 2);
      }
      auto const rate = [&](double ms) { return ms > 0 ? static_cast<double>(n) / ms / 1e6 : 0; };
      perf::row()("type", type)("n", n)("bins", bins)("distribution", perf::name_of(d))(
          "even", rate(even_ms))("keys", rate(keys_ms))("cub_even", rate(cub_ms))(
          "thrust_sort_and_reduce", rate(sort_ms))("bytes", sizeof(T))("equal", a == b);
    }
  }
}

/// What a call costs for small inputs.
void call_times() {
  std::uint64_t const most = 1 << 22;
  std::size_t const scratch = std::size_t{6} << 30;
  perf::buffer const samples(most * 4), temp(scratch), out(65536 * 4);
  auto* const in = samples.as<unsigned>();
  for (std::uint64_t const bins : {16, 256, 2048, 65536}) {
    perf::fill<<<2048, 256>>>(in, most, bins, perf::distribution::uniform);
    for (int const log2 : {0, 10, 16, 20, 22}) {
      std::uint64_t const n = std::uint64_t{1} << log2;
      double const ours = perf::call_microseconds([&] {
        thrust_hist::histogram_even(
            thrust::cuda::par_nosync, in, in + n, out.as<unsigned>(), bins, 0, bins);
      });
      double const cub = perf::call_microseconds([&] {
        std::size_t bytes = scratch;
        cub::DeviceHistogram::HistogramEven(
            temp.as<void>(), bytes, in, out.as<int>(), static_cast<int>(bins) + 1, 0u,
            static_cast<unsigned>(bins), static_cast<int>(n));
      });
      perf::row()("call", "histogram_even")("type", "u32")("n", n)("bins", bins)("ours_us", ours)(
          "cub_even_us", cub);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  settings s;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--no-sort") == 0) {
      s.sort = false;
    } else if (std::strcmp(argv[i], "--log2") == 0 && i + 1 < argc) {
      s.log2_bytes = std::atoi(argv[++i]);
    } else {
      s.types.insert(argv[i]);
    }
  }
  {
    perf::buffer const memory(std::size_t{1} << s.log2_bytes);
    auto const roof = [&] {
      return perf::read_roof(memory.as<void>(), std::size_t{1} << s.log2_bytes);
    };
    perf::warm_up([&] { roof(); });
    perf::print_origin("counting", roof());
  }
  if (s.types.empty() || s.types.count("call") != 0) {
    call_times();
  }
  compare<std::uint8_t>("u8", s);
  compare<std::uint16_t>("u16", s);
  compare<std::uint32_t>("u32", s);
  compare<std::uint64_t>("u64", s);
  compare<float>("f32", s);
  compare<double>("f64", s);
}
