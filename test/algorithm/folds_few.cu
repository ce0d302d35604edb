// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds of few pairs on CUDA: one block, one launch, and no memory from anybody.

#include "../support/allocators.h"
#include "../support/slow_work.cuh"
#include "fold_cases.h"

#include <thrust/system/cuda/execution_policy.h>

#include <tuple>

BOOST_AUTO_TEST_SUITE(folds_few, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;

struct longest {
  std::int64_t length, which;
  friend bool operator==(longest const& a, longest const& b) {
    return a.length == b.length && a.which == b.which;
  }
  friend std::ostream& operator<<(std::ostream& s, longest const& x) {
    return s << x.length << " of " << x.which;
  }
};
struct longer {
  __host__ __device__ longest operator()(longest const& a, longest const& b) const {
    return a.length != b.length ? (a.length > b.length ? a : b) : a.which < b.which ? a : b;
  }
};

// A kind of table each: words, two words, limbs, a lock for each bin; of each thread where bins are
// few. One block alone takes so many pairs.
template <class V, std::size_t Most>
struct sums {
  using value = V;
  static constexpr std::size_t most = Most;
  static value at(std::size_t i) { return test::whole_number<V>(i); }
  template <class Policy, class K>
  static void fold(
      Policy const& p, K keys, std::size_t n, V const* v, V* out, int bins, options const& o) {
    thrust_hist::histogram_by_key(p, keys, keys + n, v, out, bins, o);
  }
};
struct arguments_of_maxima {
  using value = longest;
  static constexpr std::size_t most = 1 << 12;
  static value at(std::size_t i) {
    return {test::whole_number<std::int64_t>(i), static_cast<std::int64_t>(i)};
  }
  template <class Policy, class K>
  static void fold(
      Policy const& p, K keys, std::size_t n, value const* v, value* out, int bins,
      options const& o) {
    thrust_hist::histogram_by_key(p, keys, keys + n, v, out, bins, longer{}, value{-99, 0}, o);
  }
};
using kinds = std::tuple<
    sums<std::int32_t, 1 << 15>, sums<std::int64_t, 1 << 15>, sums<float, 1 << 14>,
    sums<double, 1 << 12>, arguments_of_maxima>;

template <class Kind>
struct problem {
  using value = typename Kind::value;
  explicit problem(std::size_t n, int bins = 300)
      : n(n), bins(bins),
        keys(test::keys_of(test::distribution::zipf, n, static_cast<std::uint64_t>(bins))),
        values(n, [](std::size_t i) { return Kind::at(i); }), k(test::buffer_of<test::cuda>(keys)),
        v(test::buffer_of<test::cuda>(values)), expected(static_cast<std::size_t>(bins)) {
    Kind::fold(thrust::seq, keys.data(), n, values.data(), expected.data(), bins, {});
  }
  template <class Policy>
  void fold(Policy const& p, value* out) {
    std::uint32_t const* const first = k.data();
    value const* const weights = v.data();
    Kind::fold(p, first, n, weights, out, bins, {});
  }

  std::size_t n;
  int bins;
  test::samples<std::uint32_t> keys;
  test::samples<value> values;
  test::cuda_buffer<std::uint32_t> k;
  test::cuda_buffer<value> v;
  std::vector<value> expected;
};

__global__ void late_copy(std::uint32_t const* from, std::uint32_t* to, std::size_t n) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
  const long long start = clock64();
  while (clock64() - start < 3000000) {
  }
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[i] = from[i];
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(take_no_memory_as_long_as_they_are_few, Kind, kinds) {
  for (std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1027}, Kind::most - 1,
        Kind::most, Kind::most + 1})
    BOOST_TEST_CONTEXT(n << " pairs") {
      problem<Kind> p(n);
      test::output<test::cuda, typename Kind::value> out(300);
      test::ledger nothing(0);
      test::counting_allocator<test::cuda> refusing(nothing);
      const auto call = [&] { p.fold(thrust::cuda::par(refusing), out.data()); };
      if (n <= Kind::most) {
        call();
        out.check_equals(p.expected);
      } else {
        BOOST_CHECK_THROW(call(), test::allocation_refused);
        out.check_untouched();
      }
    }
}

// Of so few bins some kinds have a table for each thread.
BOOST_AUTO_TEST_CASE_TEMPLATE(take_no_memory_where_bins_are_few, Kind, kinds) {
  for (int bins : {1, 4, 28})
    for (std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1027}, Kind::most})
      BOOST_TEST_CONTEXT(n << " pairs, " << bins << " bins") {
        problem<Kind> p(n, bins);
        test::output<test::cuda, typename Kind::value> out(static_cast<std::size_t>(bins));
        test::ledger nothing(0);
        test::counting_allocator<test::cuda> refusing(nothing);
        p.fold(thrust::cuda::par(refusing), out.data());
        out.check_equals(p.expected);
      }
}

// Kernels are sent off early; each waits for what came before, though that may have let others come
// at once.
BOOST_AUTO_TEST_CASE_TEMPLATE(wait_for_a_kernel_that_lets_others_come_early, Kind, kinds) {
  for (std::size_t n : {std::size_t{1027}, std::size_t{60013}, (std::size_t{1} << 20) + 7}) {
    problem<Kind> p(n);
    const test::stream s;
    test::output<test::cuda, typename Kind::value> out(300);
    const test::samples<std::uint32_t> none(n, [](std::size_t) { return ~0u; });
    auto late = test::buffer_of<test::cuda>(none);
    std::swap(late, p.k);
    p.fold(thrust::cuda::par_nosync.on(s.get()), out.data());  // compiled, and memory at hand
    late_copy<<<32, 256, 0, s.get()>>>(late.data(), p.k.data(), n);
    p.fold(thrust::cuda::par_nosync.on(s.get()), out.data());
    s.wait();
    BOOST_TEST_CONTEXT(n << " pairs") out.check_equals(p.expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(become_part_of_a_graph_without_an_allocator, Kind, kinds) {
  problem<Kind> p(1027);
  test::output<test::cuda, typename Kind::value> out(300);
  const test::stream s;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  test::check_cuda(
      cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeRelaxed), "begin of a capture");
  BOOST_CHECK_THROW(p.fold(thrust::cuda::par.on(s.get()), out.data()), thrust::system_error);
  p.fold(thrust::cuda::par_nosync.on(s.get()), out.data());
  test::check_cuda(cudaStreamEndCapture(s.get(), &graph), "end of a capture");
  test::check_cuda(cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
  out.check_untouched();
  for (int replay = 0; replay < 2; ++replay) {
    test::check_cuda(cudaGraphLaunch(ready, s.get()), "cudaGraphLaunch");
    s.wait();
    BOOST_TEST_CONTEXT("replay " << replay) out.check_equals(p.expected);
  }
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

BOOST_AUTO_TEST_SUITE_END()
