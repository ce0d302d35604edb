// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scratch of calls whose policy has no allocator: it is kept, up to a limit, and never serves two
// at once.

#include "../support/allocators.h"
#include "../support/slow_work.cuh"
#include "../support/systems.h"
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kept_memory.cuh>
#include <thrust_hist/system/cuda/scratch_array.cuh>
#include <thrust_hist/thrust_hist.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace kept_memory_setup {

using thrust_hist::detail::cuda::kept_memory;

std::size_t kept_bytes() {
  return kept_memory::on_current_device().bytes();
}

// Keys (7 i) % distinct, each with a value of 1: 3 inputs for each distinct one.
struct tripled_keys {
  thrust::device_vector<unsigned> keys;
  thrust::device_vector<int> values;

  explicit tripled_keys(unsigned distinct) : keys(3 * distinct), values(3 * distinct, 1) {
    thrust::host_vector<unsigned> k(3 * distinct);
    for (unsigned i = 0; i < k.size(); ++i)
      k[i] = i * 7U % distinct * 1000003U;  // 7 divides no distinct number of these tests
    keys = k;
  }
  template <class Policy>
  bool are_counted(Policy const& policy) const {
    thrust::device_vector<unsigned> rows(keys.size());
    thrust::device_vector<int> sums(keys.size());
    auto const ends = thrust_hist::sparse_histogram_by_key(
        policy, keys.begin(), keys.end(), values.begin(), rows.begin(), sums.begin());
    auto const found = static_cast<std::size_t>(ends.first - rows.begin());
    thrust::host_vector<int> const said(sums.begin(), sums.begin() + found);
    return found == keys.size() / 3 && said == thrust::host_vector<int>(found, 3);
  }
};

}  // namespace kept_memory_setup

BOOST_AUTO_TEST_SUITE(cuda_kept_memory, THRUST_HIST_TEST_SMALL)
using namespace kept_memory_setup;

BOOST_AUTO_TEST_CASE(the_next_call_takes_what_the_last_one_took) {
  thrust_hist::release_scratch();
  BOOST_TEST(kept_bytes() == 0U);
  tripled_keys const input(40009);
  BOOST_TEST(input.are_counted(thrust::cuda::par));
  std::size_t const kept = kept_bytes();
  BOOST_TEST(kept > 0U);
  BOOST_TEST(input.are_counted(thrust::cuda::par));
  BOOST_TEST(input.are_counted(thrust::device));
  BOOST_TEST(kept_bytes() == kept);
}

BOOST_AUTO_TEST_CASE(who_has_an_allocator_or_does_not_wait_leaves_it_alone) {
  thrust_hist::release_scratch();
  tripled_keys const input(40009);
  test::ledger ledger;
  test::counting_allocator<test::cuda> allocator(ledger);
  BOOST_TEST(input.are_counted(thrust::cuda::par(allocator)));
  BOOST_TEST(input.are_counted(thrust::cuda::par_nosync));
  BOOST_TEST(kept_bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(more_than_the_limit_is_not_kept) {
  std::size_t idle = 0, total = 0;
  BOOST_TEST_REQUIRE(cudaMemGetInfo(&idle, &total) == cudaSuccess);
  std::size_t const above = std::max(total / 255, std::size_t{5} << 20);
  kept_memory& memory = kept_memory::on_current_device();
  memory.release();
  BOOST_TEST((memory.take(above) == nullptr));
  BOOST_TEST(memory.bytes() == 0U);
  char* const piece = memory.take(4 << 20);
  BOOST_TEST((piece != nullptr));
  BOOST_TEST((memory.limit() == 4 << 20 || memory.limit() + (2 << 20) >= total / 256));
  BOOST_TEST((memory.bytes() >= std::size_t{4} << 20 && memory.bytes() < above));
  BOOST_TEST(cudaMemset(piece, 1, 4 << 20) == cudaSuccess);
  memory.give_back(piece, 4 << 20);
}

BOOST_AUTO_TEST_CASE(it_is_given_back_when_somebody_wants_it) {
  tripled_keys const input(40009);
  BOOST_TEST(input.are_counted(thrust::cuda::par));
  BOOST_TEST(kept_bytes() > 0U);
  thrust_hist::release_scratch();
  BOOST_TEST(kept_bytes() == 0U);
  BOOST_TEST(input.are_counted(thrust::cuda::par));
}

BOOST_AUTO_TEST_CASE(of_pieces_that_are_too_much_together_some_are_kept) {
  kept_memory& memory = kept_memory::on_current_device();
  memory.release();
  auto policy = thrust::cuda::par;
  std::size_t const half = memory.limit() / 2;
  std::size_t const sizes[] = {half, 256, half + (4 << 20)};
  {
    thrust_hist::detail::cuda::call_memory<decltype(policy)> call(policy);
    call.reserve(sizes[0], sizes[1], sizes[2]);
    BOOST_TEST((memory.bytes() > half && memory.bytes() <= half + (2 << 20)));
    std::vector<char*> pieces;
    for (std::size_t size : sizes) {
      pieces.push_back(call.take<char>(size));
      BOOST_TEST_REQUIRE((pieces.back() != nullptr));
      BOOST_TEST(cudaMemset(pieces.back(), 1, size) == cudaSuccess);
    }
    BOOST_TEST(memory.room() < half);
    for (char* piece : pieces)
      call.give_back(piece);
  }
  char* const again = memory.take(memory.limit());
  BOOST_TEST((again != nullptr));
  memory.give_back(again, memory.limit());
}

// Else it would serve another call while the GPU still works on this one's.
BOOST_AUTO_TEST_CASE(it_is_given_back_when_the_stream_is_done) {
  test::stream const s;
  auto policy = thrust::cuda::par.on(s.get());
  for (bool is_done : {false, true}) {
    void* first = nullptr;
    {
      thrust_hist::detail::cuda::scratch_array<int, decltype(thrust::cuda::par.on(s.get()))> piece(
          policy, 1000);
      first = piece.data();
      test::delay(s.get());
      if (is_done) {
        s.wait();
        piece.is_done();
      }
    }
    BOOST_TEST(s.is_done());
    char* const again = kept_memory::on_current_device().take(1000 * sizeof(int));
    BOOST_TEST((again == first));
    kept_memory::on_current_device().give_back(again, 1000 * sizeof(int));
  }
}

// Sums in bins, counts behind an output that takes no atomics, and rows, all with scratch.
BOOST_AUTO_TEST_CASE(threads_do_not_meet_in_it) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (unsigned t = 0; t < wrong.size(); ++t)
    threads.emplace_back([t, &wrong] {
      const test::stream s;
      tripled_keys const rows(2011 + 1001 * t);
      std::size_t const bins = 10000 + t;
      thrust::device_vector<unsigned> keys(8 * bins);
      thrust::host_vector<unsigned> k(keys.size());
      for (std::size_t i = 0; i < k.size(); ++i)
        k[i] = static_cast<unsigned>(i % bins);
      keys = k;
      thrust::device_vector<int> values(keys.size(), static_cast<int>(t) + 1), sums(bins);
      thrust::device_vector<double> counts(bins);
      for (int turn = 0; turn < 8; ++turn) {
        auto const policy = thrust::cuda::par.on(s.get());
        thrust_hist::histogram_by_key(
            policy, keys.begin(), keys.end(), values.begin(), sums.begin(), bins);
        thrust_hist::histogram(policy, keys.begin(), keys.end(), counts.begin(), bins);
        thrust::host_vector<int> const s_host = sums;
        thrust::host_vector<double> const c_host = counts;
        wrong[t] += s_host != thrust::host_vector<int>(bins, 8 * (static_cast<int>(t) + 1));
        wrong[t] += c_host != thrust::host_vector<double>(bins, 8);
        wrong[t] += !rows.are_counted(policy);
      }
    });
  for (std::thread& t : threads)
    t.join();
  for (int count : wrong)
    BOOST_TEST(count == 0);
}

BOOST_AUTO_TEST_SUITE_END()
