// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Folds as calls on CUDA: memory, caps, streams, graphs, outputs on the host, other GPUs.

#include "../support/allocators.h"
#include "../support/containers.h"
#include "../support/pretended_gpu.h"
#include "../support/slow_work.cuh"
#include "fold_cases.h"

#include <thrust/system/cuda/execution_policy.h>

#include <map>

BOOST_AUTO_TEST_SUITE(folds_calls, THRUST_HIST_TEST_SMALL_LOCKS)

namespace {

using thrust_hist::options;
using thrust_hist::plan;
using thrust_hist::route;

constexpr std::size_t n = 60013;

// A fold of each kind of scratch memory: tables of blocks, long accumulators, states with locks.
struct second {
  __host__ __device__ std::int16_t operator()(std::int16_t a, std::int16_t b) const {
    return a > b ? a : b;
  }
};
struct floats {
  using value = float;
  template <class Policy, class K, class... Options>
  static void fold(Policy const& p, K keys, float const* values, float* out, int bins, options o) {
    thrust_hist::histogram_by_key(p, keys, keys + n, values, out, bins, o.exact());
  }
};
struct longs {
  using value = std::int64_t;
  template <class Policy, class K>
  static void fold(Policy const& p, K keys, value const* values, value* out, int bins, options o) {
    thrust_hist::histogram_by_key(p, keys, keys + n, values, out, bins, o);
  }
};
struct shorts {
  using value = std::int16_t;
  template <class Policy, class K>
  static void fold(Policy const& p, K keys, value const* values, value* out, int bins, options o) {
    thrust_hist::histogram_by_key(p, keys, keys + n, values, out, bins, second{}, value{-32768}, o);
  }
};
using kinds = std::tuple<floats, longs, shorts>;

template <class Kind>
struct problem {
  using value = typename Kind::value;
  explicit problem(int bins)
      : bins(bins),
        keys(test::keys_of(test::distribution::zipf, n, static_cast<std::uint64_t>(bins))),
        values(test::whole_numbers<value>(n)), k(test::buffer_of<test::cuda>(keys)),
        v(test::buffer_of<test::cuda>(values)), expected(static_cast<std::size_t>(bins)) {
    Kind::fold(thrust::seq, keys.data(), values.data(), expected.data(), bins, {});
  }
  template <class Policy>
  void fold(Policy const& p, value* out, options const& o = {}) {
    std::uint32_t const* const first = k.data();
    value const* const weights = v.data();
    Kind::fold(p, first, weights, out, bins, o);
  }
  test::output<test::cuda, value> make_output() const {
    return test::output<test::cuda, value>(static_cast<std::size_t>(bins));
  }

  int bins;
  test::samples<std::uint32_t> keys;
  test::samples<value> values;
  test::cuda_buffer<std::uint32_t> k;
  test::cuda_buffer<value> v;
  std::vector<value> expected;
};

constexpr int some_bins[] = {1, 300, 5000, 60000, 70000};  // shorts are sorted for 60 000

// Keeps what it gave out until it ends, as memory of a graph must be kept.
class keeping_allocator {
public:
  using value_type = char;
  explicit keeping_allocator(test::ledger& book) : book_(&book) {}
  char* allocate(std::ptrdiff_t bytes) {
    return static_cast<char*>(book_->take<test::cuda_heap>(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t bytes) { kept().emplace_back(memory, bytes); }
  static std::vector<std::pair<void*, std::size_t>>& kept() {
    static std::vector<std::pair<void*, std::size_t>> memory;
    return memory;
  }
  static void release(test::ledger& book) {
    for (auto const& [memory, bytes] : kept())
      book.give_back<test::cuda_heap>(memory, bytes);
    kept().clear();
  }

private:
  test::ledger* book_;
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_least_cap_is_kept_and_one_byte_less_refused, Kind, kinds) {
  for (int bins : some_bins)
    for (route forced : {route::automatic, route::global})
      BOOST_TEST_CONTEXT(bins << " bins, route " << forced) {
        problem<Kind> p(bins);
        auto out = p.make_output();
        auto const cap = [&](std::size_t bytes) {
          return options{}.force(forced).max_temporary_bytes(bytes);
        };
        std::size_t least = 0;
        try {
          p.fold(test::cuda::policy(), out.data(), cap(1));
        } catch (thrust_hist::memory_limit_error const& refusal) {
          least = refusal.smallest();
        }
        BOOST_TEST_REQUIRE(least > 0U);
        BOOST_CHECK_THROW(
            p.fold(test::cuda::policy(), out.data(), cap(least - 1)),
            thrust_hist::memory_limit_error);
        out.check_untouched();
        test::ledger book;
        test::counting_allocator<test::cuda> allocator(book);
        p.fold(thrust::cuda::par(allocator), out.data(), cap(least));
        out.check_equals(p.expected);
        BOOST_TEST(book.peak() <= least);
        BOOST_TEST(book.outstanding() == 0U);
      }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_allocation_that_fails_leaks_nothing, Kind, kinds) {
  problem<Kind> p(300);
  for (int healthy : {0, 1, 2}) {
    test::ledger book(healthy);
    test::counting_allocator<test::cuda> allocator(book);
    auto out = p.make_output();
    try {
      p.fold(thrust::cuda::par(allocator), out.data());
      out.check_equals(p.expected);
    } catch (test::allocation_refused const&) {
      out.check_untouched();
    }
    BOOST_TEST(book.outstanding() == 0U);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(work_on_a_stream_is_in_order, Kind, kinds) {
  using value = typename Kind::value;
  for (int bins : some_bins) {
    problem<Kind> p(bins);
    const test::stream s;
    auto out = p.make_output(), copy = p.make_output();
    // The keys come late, and only in this stream.
    const test::samples<std::uint32_t> none(n, [](std::size_t) { return ~0u; });
    auto late = test::buffer_of<test::cuda>(none);
    std::swap(late, p.k);
    test::delay(s.get());
    cudaMemcpyAsync(
        p.k.data(), late.data(), n * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice, s.get());
    p.fold(thrust::cuda::par_nosync.on(s.get()), out.data());
    cudaMemcpyAsync(
        copy.data(), out.data(), static_cast<std::size_t>(bins) * sizeof(value),
        cudaMemcpyDeviceToDevice, s.get());
    s.wait();
    BOOST_TEST_CONTEXT(bins << " bins") copy.check_equals(p.expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_waiting_policy_returns_with_its_work_done, Kind, kinds) {
  problem<Kind> p(300);
  const test::stream s;
  auto out = p.make_output();
  test::delay(s.get());
  p.fold(thrust::cuda::par.on(s.get()), out.data());
  BOOST_TEST(s.is_done());
  out.check_equals(p.expected);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_graph_folds_at_each_replay, Kind, kinds) {
  for (int bins : some_bins) {
    problem<Kind> p(bins);
    const test::stream s;
    auto out = p.make_output();
    test::ledger book;
    {
      keeping_allocator allocator(book);
      cudaGraph_t graph = nullptr;
      cudaGraphExec_t ready = nullptr;
      test::check_cuda(
          cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeRelaxed), "begin of a capture");
      BOOST_CHECK_THROW(
          p.fold(thrust::cuda::par_nosync.on(s.get()), out.data()), thrust::system_error);
      BOOST_CHECK_THROW(
          p.fold(thrust::cuda::par(allocator).on(s.get()), out.data()), thrust::system_error);
      p.fold(thrust::cuda::par_nosync(allocator).on(s.get()), out.data());
      test::check_cuda(cudaStreamEndCapture(s.get(), &graph), "end of a capture");
      test::check_cuda(cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
      out.check_untouched();
      for (int replay = 0; replay < 2; ++replay) {
        test::check_cuda(cudaGraphLaunch(ready, s.get()), "cudaGraphLaunch");
        s.wait();
        BOOST_TEST_CONTEXT(bins << " bins, replay " << replay) out.check_equals(p.expected);
      }
      cudaGraphExecDestroy(ready);
      cudaGraphDestroy(graph);
    }
    keeping_allocator::release(book);
    BOOST_TEST(book.outstanding() == 0U);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_output_in_a_host_container_is_filled, Kind, kinds) {
  using value = typename Kind::value;
  problem<Kind> p(300);
  std::uint32_t const* const first = p.k.data();
  value const* const weights = p.v.data();
  thrust::host_vector<value> out(300);
  if constexpr (std::is_same_v<Kind, longs>)
    thrust_hist::histogram_by_key(
        test::cuda::policy(), first, first + n, weights, out.begin(), 300);
  else
    thrust_hist::histogram_by_key(
        test::cuda::policy(), first, first + n, weights, out.begin(), 300, second{}, value(-32768));
  thrust::host_vector<value> expected(300);
  if constexpr (std::is_same_v<Kind, longs>)
    std::copy(p.expected.begin(), p.expected.end(), expected.begin());
  else
    thrust_hist::histogram_by_key(
        thrust::seq, p.keys.begin(), p.keys.end(), p.values.begin(), expected.begin(), 300,
        second{}, value(-32768));
  BOOST_TEST((out == expected));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_gpus_have_other_plans_and_the_same_result, Kind, kinds) {
  for (std::size_t kibibytes : {48, 64, 99, 163})
    for (unsigned processors : {1U, 20U})
      for (int bins : {1, 100, 300, 1000, 3000, 5000, 12000, 16000, 40000}) {
        problem<Kind> p(bins);
        auto out = p.make_output();
        {
          const test::pretended_gpu other(
              {processors, kibibytes * 1024, kibibytes * 1024 + 1024, std::size_t{4} << 20});
          p.fold(test::cuda::policy(), out.data());
        }
        BOOST_TEST_CONTEXT(kibibytes << " KB, " << bins << " bins") out.check_equals(p.expected);
      }
}

BOOST_AUTO_TEST_SUITE_END()
