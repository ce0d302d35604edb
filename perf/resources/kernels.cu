// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every kernel of a count for the common samples and rules, with 32-bit counters, of a sum, of sums
// by key, rounded and exact, and of sparse keys: compiled to look at what ptxas says of them, never
// run. check.py compares that with bounds.txt.

#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_by_key.h>
#include <thrust_hist/histogram_even.h>
#include <thrust_hist/histogram_range.h>
#include <thrust_hist/reduce.h>
#include <thrust_hist/sparse_histogram.h>
#include <thrust_hist/system/cuda/kernels/mend_order.cuh>
#include <thrust_hist/transform_histogram.h>

#include <thrust/system/cuda/execution_policy.h>

#include <cstdint>
#include <type_traits>

namespace {

template <class Sample>
void count(Sample const* first, Sample const* last, std::uint32_t* out, double const* edges) {
  auto const policy = thrust::cuda::par_nosync;
  if constexpr (std::is_integral_v<Sample>) {
    thrust_hist::histogram(policy, first, last, out, 1000);
    thrust_hist::histogram(policy, first, last, out);
  }
  thrust_hist::histogram_even(policy, first, last, out, 1000, 0, 100);
  auto const* const own = reinterpret_cast<Sample const*>(edges);
  thrust_hist::histogram_range(policy, first, last, out, own, own + 1001);
  thrust_hist::reduce(thrust::cuda::par, first, last);
}

template <class... Values>
void fold_all(std::uint32_t const* keys, void const* values, void* out) {
  (thrust_hist::histogram_by_key(
       thrust::cuda::par_nosync, keys, keys + 1, static_cast<Values const*>(values),
       static_cast<Values*>(out), 1000),
   ...);
}

struct itself_and_the_next {
  template <class Sink>
  __device__ void operator()(std::uint32_t key, Sink const& sink) const {
    sink(key, 1.0f);
    sink(key + 1, 0.5f);
  }
};
void fold_emitted(std::uint32_t const* keys, void* out) {
  thrust_hist::transform_histogram(
      thrust::cuda::par, keys, keys + 1, static_cast<thrust_hist::exact_sum<float>*>(out), 256,
      itself_and_the_next{});
}

template <class... Keys>
void count_sparse(void const* keys, void* keys_out, std::uint32_t* counts) {
  (thrust_hist::sparse_histogram(
       thrust::cuda::par, static_cast<Keys const*>(keys), static_cast<Keys const*>(keys) + 1,
       static_cast<Keys*>(keys_out), counts),
   ...);
}

template <class... Values>
void sum_sparse(std::uint64_t const* keys, void const* values, void* keys_out, void* sums) {
  (thrust_hist::sparse_histogram_by_key(
       thrust::cuda::par, keys, keys + 1, static_cast<Values const*>(values),
       static_cast<std::uint64_t*>(keys_out), static_cast<Values*>(sums)),
   ...);
}

template <class... Samples>
void count_all(void const* first, std::uint32_t* out, double const* edges) {
  (count(static_cast<Samples const*>(first), static_cast<Samples const*>(first) + 1, out, edges),
   ...);
}

}  // namespace

// Keys of 16 bytes alone have these.
using wide = unsigned __int128;
template __global__ void thrust_hist::detail::cuda::find_disorder<wide>(
    wide const*, std::uint64_t, int, std::uint32_t, thrust_hist::detail::cuda::disorder*,
    std::uint64_t*);
template __global__ void thrust_hist::detail::cuda::mend_order<wide, std::uint64_t>(
    wide*, std::uint64_t*, std::uint64_t, int, std::uint32_t, thrust_hist::detail::cuda::disorder*,
    std::uint64_t const*);

void all_kernels(void const* first, std::uint32_t* out, double const* edges) {
  count_all<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float, double>(
      first, out, edges);
  fold_all<std::int32_t, float, double>(out, first, out);
  fold_emitted(out, out);
  count_sparse<std::uint32_t, std::uint64_t>(first, out, out);
  sum_sparse<float, double, std::int64_t>(
      static_cast<std::uint64_t const*>(first), first, out, out);
}
