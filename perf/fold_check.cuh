// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Whether folds by key are right: sums of real numbers beside sums in double, with a tolerance
/// that follows from the number of additions; integers beside integers of 64 bits; exact sums, for
/// some bins, beside the long accumulator on the host, bit for bit.

#include "fold_peers.cuh"
#include <thrust_hist/values.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace perf {

/// A part of a value as a number: a number is its only part.
template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
__device__ double part_of(T const& x, int) {
  return static_cast<double>(x);
}

/// What the bins of a sum hold: a reference that knows its own error.
struct bin_sum {
  double sum, magnitude;  ///< of the values, and of their absolute values
  unsigned long long count;
};

/// Each thread adds up equal neighbours of 64 pairs before it needs an atomic.
template <class V>
__global__ void add_up(
    std::uint32_t const* keys, V const* values, std::uint64_t n, int part, bin_sum* bins) {
  constexpr std::uint64_t piece = 64;
  std::uint64_t const thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t const first = thread * piece < n ? thread * piece : n;
  std::uint64_t const last = n - first < piece ? n : first + piece;
  bin_sum run = {};
  for (std::uint64_t i = first; i < last; ++i) {
    double const x = part_of(values[i], part);
    run.sum += x;
    run.magnitude += std::fabs(x);
    ++run.count;
    if (i + 1 == last || keys[i + 1] != keys[i]) {
      bin_sum& bin = bins[keys[i]];
      atomicAdd(&bin.sum, run.sum);
      atomicAdd(&bin.magnitude, run.magnitude);
      atomicAdd(&bin.count, run.count);
      run = {};
    }
  }
}

/// How the sums that are judged were rounded.
enum class rounding {
  each_addition,
  once,             ///< and the reference itself is rounded
  once_of_the_same  ///< the reference is not rounded
};

/// How many bins are wrong, and the largest error relative to the sum of absolute values.
struct verdict {
  unsigned long long wrong;
  unsigned long long error;  ///< the bits of a double
};

/// Whether a number is this sum, rounded.
template <class V>
__device__ bool is_rounded(V const& x, double sum) {
  if constexpr (std::is_arithmetic_v<V>) {
    return x == static_cast<V>(sum);
  } else {
    return false;
  }
}

template <class V>
__global__ void judge_sums(
    V const* got, bin_sum const* reference, std::uint64_t bins, int part, rounding r,
    double unit_roundoff, double smallest_normal, double smallest, verdict* v) {
  std::uint64_t const bin = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (bin >= bins) {
    return;
  }
  bin_sum const expected = reference[bin];
  double const sum = part_of(got[bin], part);
  // Roundings that are not all in one direction (N. Higham, T. Mary 2019), at worst that are.
  auto const count = static_cast<double>(expected.count);
  double const additions = fmin(count, 8 * sqrt(count));
  double const of_reference = additions * 0x1p-53 * expected.magnitude;
  // Atomics on floats in global memory take subnormal numbers for zero.
  double const of_sum =
      r == rounding::each_addition
          ? additions * unit_roundoff * expected.magnitude + count * smallest_normal
          : unit_roundoff * std::fabs(expected.sum) + smallest;
  double const error = std::fabs(sum - expected.sum);
  bool const right = r == rounding::once_of_the_same ? perf::is_rounded(got[bin], expected.sum)
                                                     : error <= of_sum + of_reference;
  if (!right) {  // also where it is NaN
    atomicAdd(&v->wrong, 1ull);
  }
  if (expected.magnitude > 0) {
    atomicMax(
        &v->error,
        static_cast<unsigned long long>(__double_as_longlong(error / expected.magnitude)));
  }
}

/// Sums of real numbers, or of structs of them, as they should be.
class sum_reference {
public:
  explicit sum_reference(std::uint64_t most_bins) : bins_(most_bins * sizeof(bin_sum)) {}

  template <class V>
  void make(
      std::uint32_t const* keys, V const* values, std::uint64_t n, std::uint64_t bins,
      int part = 0) const {
    require(cudaMemsetAsync(bins_.as<void>(), 0, bins * sizeof(bin_sum)), "cudaMemsetAsync");
    auto const blocks = static_cast<unsigned>((n + 64 * 256 - 1) / (64 * 256));
    add_up<<<blocks, 256>>>(keys, values, n, part, bins_.as<bin_sum>());
  }

  /// Whether sums that were formed in T are right; adds to what is known of the largest error.
  template <class T, class V>
  bool judge(
      V const* got, std::uint64_t bins, rounding r, double* error = nullptr, int part = 0) const {
    require(cudaMemsetAsync(verdict_.as<void>(), 0, sizeof(verdict)), "cudaMemsetAsync");
    judge_sums<<<static_cast<unsigned>((bins + 255) / 256), 256>>>(
        got, bins_.as<bin_sum>(), bins, part, r,
        static_cast<double>(std::numeric_limits<T>::epsilon()) / 2,
        static_cast<double>(std::numeric_limits<T>::min()),
        static_cast<double>(std::numeric_limits<T>::denorm_min()), verdict_.as<verdict>());
    verdict v;
    require(cudaMemcpy(&v, verdict_.as<verdict>(), sizeof v, cudaMemcpyDeviceToHost), "cudaMemcpy");
    double found = 0;
    std::memcpy(&found, &v.error, sizeof found);
    if (error != nullptr && !(found <= *error)) {
      *error = found;
    }
    return v.wrong == 0;
  }

private:
  buffer bins_, verdict_{sizeof(verdict)};
};

/// A minimum or maximum of integers, or a sum modulo 2^64, in 64 bits and global memory.
template <class V, class Op>
__global__ void fold_wide(
    std::uint32_t const* keys, V const* values, std::uint64_t n, unsigned long long* bins, Op) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    auto const x = static_cast<unsigned long long>(values[i]);
    if constexpr (std::is_same_v<Op, thrust::minimum<V>>) {
      atomicMin(bins + keys[i], x);
    } else if constexpr (std::is_same_v<Op, thrust::maximum<V>>) {
      atomicMax(bins + keys[i], x);
    } else {
      atomicAdd(bins + keys[i], x);
    }
  }
}

template <class V>
__global__ void judge_integers(
    V const* got, unsigned long long const* expected, std::uint64_t bins,
    unsigned long long* wrong) {
  std::uint64_t const bin = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (bin < bins && got[bin] != static_cast<V>(expected[bin])) {
    atomicAdd(wrong, 1ull);
  }
}

/// Folds of integers as they should be.
class integer_reference {
public:
  explicit integer_reference(std::uint64_t most_bins) : bins_(most_bins * 8) {}

  template <class V, class Op>
  void make(
      std::uint32_t const* keys, V const* values, std::uint64_t n, std::uint64_t bins, Op op,
      V identity) const {
    auto* const table = bins_.as<unsigned long long>();
    thrust::fill(thrust::device, table, table + bins, static_cast<unsigned long long>(identity));
    fold_wide<<<multiprocessors() * 8, 256>>>(keys, values, n, table, op);
  }

  template <class V>
  bool judge(V const* got, std::uint64_t bins) const {
    require(cudaMemsetAsync(wrong_.as<void>(), 0, 8), "cudaMemsetAsync");
    judge_integers<<<static_cast<unsigned>((bins + 255) / 256), 256>>>(
        got, bins_.as<unsigned long long>(), bins, wrong_.as<unsigned long long>());
    unsigned long long wrong = 0;
    require(cudaMemcpy(&wrong, wrong_.as<void>(), 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return wrong == 0;
  }

private:
  buffer bins_, wrong_{8};
};

/// Gathers the values of one key, in any order; each thread those of 64 pairs, with one atomic.
template <class T>
__global__ void gather(
    std::uint32_t const* keys, T const* values, std::uint64_t n, std::uint32_t key, T* out,
    unsigned long long* number) {
  constexpr std::uint64_t piece = 64;
  std::uint64_t const thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t const first = thread * piece < n ? thread * piece : n;
  std::uint64_t const last = n - first < piece ? n : first + piece;
  unsigned found = 0;
  for (std::uint64_t i = first; i < last; ++i) {
    found += keys[i] == key;
  }
  if (found > 0) {
    out += atomicAdd(number, static_cast<unsigned long long>(found));
    for (std::uint64_t i = first; i < last; ++i) {
      if (keys[i] == key) {
        *out++ = values[i];
      }
    }
  }
}

/// The sum of numbers, rounded once, on all cores of the host.
template <class T>
T exact_sum_on_host(std::vector<T> const& numbers) {
  std::size_t const workers = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
  std::vector<thrust_hist::exact_sum<T>> sums(workers);
  std::vector<std::thread> threads;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&, worker] {
      thrust_hist::exact_sum<T> sum;
      std::size_t const last = numbers.size() * (worker + 1) / workers;
      for (std::size_t i = numbers.size() * worker / workers; i < last; ++i) {
        sum += numbers[i];
      }
      sums[worker] = sum;
    });
  }
  thrust_hist::exact_sum<T> sum;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    threads[worker].join();
    sum += sums[worker];
  }
  return sum.value();
}

/// Whether some bins, among them those of constant and alternating keys, hold the exact sums of
/// their values, bit for bit. `spare` has room for n values.
template <class T>
bool are_exact_sums(
    std::uint32_t const* keys, T const* values, std::uint64_t n, T const* got, std::uint64_t bins,
    T* spare) {
  buffer const number(8);
  std::vector<std::uint64_t> sample = {0, bins / 5, bins / 3, bins / 2, bins - 1, mix(bins) % bins};
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return std::all_of(sample.begin(), sample.end(), [&](std::uint64_t bin) {
    require(cudaMemset(number.as<void>(), 0, 8), "cudaMemset");
    gather<<<static_cast<unsigned>((n + 64 * 256 - 1) / (64 * 256)), 256>>>(
        keys, values, n, static_cast<std::uint32_t>(bin), spare, number.as<unsigned long long>());
    std::uint64_t found = 0;
    require(cudaMemcpy(&found, number.as<void>(), 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
    std::vector<T> numbers(found);
    require(
        cudaMemcpy(numbers.data(), spare, found * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    T sum;
    require(cudaMemcpy(&sum, got + bin, sizeof sum, cudaMemcpyDeviceToHost), "cudaMemcpy");
    T const expected = perf::exact_sum_on_host(numbers);
    return std::memcmp(&sum, &expected, sizeof sum) == 0;
  });
}

}  // namespace perf
