// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Graph capture: counts under par_nosync on a capturing stream, replayed after other work has
// reused the memory; and what cannot be captured says so before the first launch.

#include "../support/allocators.h"
#include "../support/checks.h"
#include "../support/messages.h"
#include "../support/slow_work.cuh"
#include <thrust_hist/thrust_hist.h>

BOOST_AUTO_TEST_SUITE(cuda_graphs, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::options;
using thrust_hist::route;

const test::samples<unsigned> keys(test::generate(test::distribution::zipf, 100003, 300));

class graph {
public:
  // Captures what `record` puts on the stream. Whatever it throws ends the capture first.
  template <class Record>
  graph(test::stream const& s, Record record) {
    test::check_cuda(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeThreadLocal), "capture");
    try {
      record();
    } catch (...) {
      cudaStreamEndCapture(s.get(), &graph_);
      release();
      throw;
    }
    test::check_cuda(cudaStreamEndCapture(s.get(), &graph_), "the end of the capture");
    test::check_cuda(cudaGraphInstantiate(&ready_, graph_, 0), "cudaGraphInstantiate");
  }
  ~graph() { release(); }
  graph(graph const&) = delete;
  graph& operator=(graph const&) = delete;

  void replay(test::stream const& s) const {
    test::check_cuda(cudaGraphLaunch(ready_, s.get()), "cudaGraphLaunch");
    s.wait();
  }

private:
  void release() {
    if (ready_ != nullptr)
      cudaGraphExecDestroy(ready_);
    if (graph_ != nullptr)
      cudaGraphDestroy(graph_);
  }
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};

// Nothing is freed before the graph is done with it: a pool that keeps all it has given.
struct pool {
  using value_type = char;
  test::cuda_buffer<char>* memory;
  std::size_t* used;
  char* allocate(std::ptrdiff_t bytes) {
    char* const at = memory->data() + *used;
    *used += (static_cast<std::size_t>(bytes) + 255) / 256 * 256;
    if (*used > memory->size())
      throw std::bad_alloc();
    return at;
  }
  void deallocate(char*, std::size_t) {}
};

// Takes and spoils as much memory as the calls before may have used.
void disturb() {
  const test::samples<unsigned> junk(1 << 20, [](std::size_t) { return 0xdeadbeefU; });
  for (int i = 0; i < 4; ++i)
    auto spoiled = test::buffer_of<test::cuda>(junk);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_captured_count_gives_the_right_bins_each_time_it_is_replayed) {
  int captured = 0;
  for (route forced : test::cuda::every_route())
    for (int bins : {1, 4, 257, 6007, 57000, 100000})
      BOOST_TEST_CONTEXT("route " << forced << ", " << bins << " bins") {
        const test::stream s;
        auto in = test::buffer_of<test::cuda>(keys);
        unsigned* const first = in.data();
        test::output<test::cuda, unsigned> out(static_cast<std::size_t>(bins));
        const auto how = options{}.force(forced);
        thrust_hist::plan plan;
        try {
          thrust_hist::histogram(
              thrust::cuda::par_nosync.on(s.get()), first, first + keys.size(), out.data(), bins,
              options{how}.explain(&plan));
        } catch (std::invalid_argument const&) {
          continue;
        }
        if (plan.scratch_bytes > 0)
          continue;
        const graph g(s, [&] {
          thrust_hist::histogram(
              thrust::cuda::par_nosync.on(s.get()), first, first + keys.size(), out.data(), bins,
              how);
        });
        out.check_untouched();  // capturing runs nothing
        ++captured;
        for (int round = 0; round < 3; ++round) {
          const test::samples<unsigned> other(
              test::generate(test::all_distributions[round], keys.size(), 300));
          cudaMemcpy(first, other.data(), other.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
          disturb();
          g.replay(s);
          out.check_equals(
              test::convert<unsigned>(test::count(other, test::identity_reference(bins))));
        }
      }
  BOOST_TEST(captured > 10);
}

// Buckets need memory that nobody would keep for the graph: without an allocator of the user's own
// a route is chosen that needs none.
BOOST_AUTO_TEST_CASE(a_captured_count_of_many_bins_does_without_buckets) {
  constexpr int bins = 1 << 20;
  const test::stream s;
  const auto policy = thrust::cuda::par_nosync.on(s.get());
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned* const first = in.data();
  unsigned* const last = first + keys.size();
  test::output<test::cuda, unsigned> out(bins);
  thrust_hist::plan plan;
  const auto explain_for_many_keys = [&] {
    thrust_hist::histogram(
        policy, first, first + (1 << 22), out.data(), bins, options{}.explain(&plan));
  };
  explain_for_many_keys();
  BOOST_TEST((plan.taken == route::partitioned));
  BOOST_TEST(plan.scratch_bytes > 0U);
  const graph g(s, [&] {
    explain_for_many_keys();
    BOOST_CHECK_THROW(
        thrust_hist::histogram(
            policy, first, last, out.data(), bins, options{}.force(route::partitioned)),
        thrust::system_error);
    thrust_hist::histogram(policy, first, last, out.data(), bins);
  });
  BOOST_TEST((plan.taken != route::partitioned));
  BOOST_TEST(plan.scratch_bytes == 0U);
  out.check_untouched();
  for (auto d : {test::distribution::uniform, test::distribution::constant}) {
    const test::samples<unsigned> other(test::generate(d, keys.size(), bins + 1000));
    cudaMemcpy(first, other.data(), other.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    disturb();
    g.replay(s);
    out.check_equals(test::convert<unsigned>(test::count(other, test::identity_reference(bins))));
  }
}

BOOST_AUTO_TEST_CASE(accumulating_in_a_graph_adds_at_each_replay) {
  const test::stream s;
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  test::output<test::cuda, unsigned> out(std::vector<unsigned>(300, 5));
  const graph g(s, [&] {
    thrust_hist::histogram(
        thrust::cuda::par_nosync.on(s.get()), first, first + keys.size(), out.data(), 300,
        options{}.accumulate());
  });
  auto expected = test::convert<unsigned>(test::count(keys, test::identity_reference(300)));
  for (unsigned& count : expected)
    count = 5 + 3 * count;
  for (int round = 0; round < 3; ++round)
    g.replay(s);
  out.check_equals(expected);
}

BOOST_AUTO_TEST_CASE(scratch_from_an_allocator_that_outlives_the_graph_can_be_captured) {
  const test::stream s;
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  test::output<test::cuda, std::uint8_t> out(300);
  const test::samples<char> zeros(1 << 20, [](std::size_t) { return 0; });
  auto memory = test::buffer_of<test::cuda>(zeros);
  std::size_t used = 0;
  pool allocator{&memory, &used};
  const graph g(s, [&] {
    thrust_hist::histogram(
        thrust::cuda::par_nosync(allocator).on(s.get()), first, first + keys.size(), out.data(),
        300);
  });
  for (int round = 0; round < 2; ++round) {
    cudaMemset(memory.data(), 0xa5, memory.size());
    cudaDeviceSynchronize();  // the stream of the graph does not wait for the default stream
    g.replay(s);
    out.check_equals(test::convert<std::uint8_t>(test::count(keys, test::identity_reference(300))));
  }
}

struct two_bins {
  int bins;
  template <class Sink>
  __host__ __device__ void operator()(unsigned key, Sink const& sink) const {
    sink(static_cast<int>(key), 0.5f);
    sink(bins - 1 - static_cast<int>(key), 1.f);
  }
};

// Elsewhere what functions emit is listed, which waits for the number of pairs.
BOOST_AUTO_TEST_CASE(what_functions_emit_is_folded_in_a_graph_without_waiting) {
  constexpr int bins = 200000;
  const test::stream s;
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  std::vector<float> expected(bins);
  thrust_hist::transform_histogram(
      thrust::seq, keys.begin(), keys.end(), expected.data(), bins, two_bins{bins},
      options{}.exact());
  test::output<test::cuda, float> out(bins);
  const test::samples<char> zeros(64 << 20, [](std::size_t) { return 0; });
  auto memory = test::buffer_of<test::cuda>(zeros);
  std::size_t used = 0;
  pool allocator{&memory, &used};
  thrust_hist::plan outside, inside;
  const auto record = [&](options const& o) {
    thrust_hist::transform_histogram(
        thrust::cuda::par_nosync(allocator).on(s.get()), first, first + keys.size(), out.data(),
        bins, two_bins{bins}, options{o}.exact());
  };
  record(options{}.explain(&outside));
  const graph g(s, [&] {
    record(options{}.explain(&inside));
    record({});
  });
  BOOST_TEST(outside.why.find("emitted") != std::string::npos);
  BOOST_TEST((inside.taken == route::global));
  for (int round = 0; round < 2; ++round) {
    disturb();
    g.replay(s);
    out.check_equals(expected);
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_captured_says_so_and_leaves_the_capture_usable) {
  const test::stream s;
  auto in = test::buffer_of<test::cuda>(keys);
  unsigned const* const first = in.data();
  test::output<test::cuda, unsigned> out(300);
  test::output<test::cuda, std::uint8_t> narrow(300);
  std::uint64_t dropped = 0;
  const auto policy = thrust::cuda::par_nosync.on(s.get());
  const graph g(s, [&] {
    BOOST_CHECK_THROW(
        thrust_hist::histogram(policy, first, first + keys.size(), out.data()),
        thrust::system_error);
    BOOST_CHECK_THROW(
        thrust_hist::histogram(policy, first, first + keys.size(), narrow.data(), 300),
        thrust::system_error);
    BOOST_CHECK_THROW(
        thrust_hist::histogram(
            policy, first, first + keys.size(), out.data(), 300, options{}.dropped(&dropped)),
        thrust::system_error);
    BOOST_CHECK_THROW(
        thrust_hist::reduce(policy, first, first + keys.size()), thrust::system_error);
    BOOST_CHECK_THROW(
        thrust_hist::histogram(
            thrust::cuda::par.on(s.get()), first, first + keys.size(), out.data(), 300),
        thrust::system_error);
    thrust_hist::histogram(policy, first, first + keys.size(), out.data(), 300);
  });
  g.replay(s);
  out.check_equals(test::convert<unsigned>(test::count(keys, test::identity_reference(300))));
  narrow.check_untouched();
}

BOOST_AUTO_TEST_SUITE_END()
