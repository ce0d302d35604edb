// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which route a sparse histogram takes on CUDA, and in how much memory.

#include "../support/boost_test.h"
#include "sparse_problems.h"
#include <thrust_hist/errors.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

BOOST_AUTO_TEST_SUITE(plans_of_sparse_histograms)

using namespace sparse_problems;

BOOST_AUTO_TEST_CASE(routes) {
  const auto taken = [](sparse_problem const& p, std::uint64_t guess, options const& o = {}) {
    return plan_sparse(p, guess, h200, o).taken;
  };
  BOOST_TEST(taken(problem_of(8 * million - 1), 10) == route::sorted);
  BOOST_TEST(taken(problem_of(8 * million), 10) == route::hashed);
  BOOST_TEST(taken(problem_of(2 * million - 1, 8), 10) == route::sorted);
  BOOST_TEST(taken(problem_of(2 * million, 8), 10) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), 18 * million) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), 22 * million) == route::sorted);
  BOOST_TEST(taken(problem_of(128 * million, 8), 20 * million) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), 128 * million) == route::sorted);
  BOOST_TEST(taken(problem_of(128 * million, 16, false), 10) == route::sorted);
  BOOST_TEST(taken(problem_of(100), 10, options{}.force(route::hashed)) == route::hashed);
  BOOST_TEST(taken(problem_of(128 * million), 10, options{}.force(route::sorted)) == route::sorted);
  BOOST_CHECK_THROW(
      taken(problem_of(100, 16, false), 10, options{}.force(route::hashed)), std::invalid_argument);
  BOOST_CHECK_THROW(
      taken(problem_of(100), 10, options{}.force(route::shared)), std::invalid_argument);
  BOOST_TEST(plan_sparse(problem_of(128 * million), 1000, h200, {}).direct);
  // More keys than tables have slots for, and rows of all blocks.
  BOOST_TEST(taken(problem_of(512 * million), 60 * million) == route::sorted);
  BOOST_TEST(
      plan_sparse(problem_of(128 * million, 8), 20 * million, small_gpu, {}).taken ==
      route::sorted);
  for (std::uint64_t n : {million, 2 * million, 3 * million, 4 * million}) {
    const auto p = plan_sparse(problem_of(n), 5000, h200, options{}.force(route::hashed));
    BOOST_TEST((p.direct && p.room >= 5000 * h200.multiprocessors));
    // Few keys leave few rows.
    const auto few = plan_sparse(problem_of(n), 10, h200, options{}.force(route::hashed));
    BOOST_TEST((few.direct && few.room >= 20 * h200.multiprocessors && few.room <= n / 4));
    BOOST_TEST(!plan_sparse(problem_of(n), 10241, h200, options{}.force(route::hashed)).direct);
    BOOST_TEST(
        plan_sparse(problem_of(n), 10241, h200, options{}.force(route::hashed)).room <= n / 2);
  }
  BOOST_TEST(!plan_sparse(problem_of(128 * million), 100000, h200, {}).direct);
  // Where buckets take longer, tables of blocks may be fuller.
  const auto most_direct = [](sparse_problem const& p) {
    std::uint64_t most = 1;
    while (plan_sparse(p, most + 1, h200, {}).direct)
      ++most;
    return most;
  };
  BOOST_TEST(most_direct(problem_of(128 * million, 4)) == 16384U / 16 * 10);
  BOOST_TEST(most_direct(problem_of(128 * million, 8)) == 16384U / 16 * 10);
  auto sums = problem_of(128 * million, 8);
  sums.values.any = sums.values.in_slots = sums.values.sorted = true;
  sums.values.state = sums.values.in_bucket = sums.values.beside_code = 4;
  sums.values.slot = 12;
  BOOST_TEST(most_direct(sums) == 8192U / 16 * 11);
}

// Who explains does not look, and is told of what takes most.
BOOST_AUTO_TEST_CASE(no_number_of_distinct_keys_takes_more_than_is_explained) {
  for (auto const& forced : {options{}, options{}.force(route::hashed)})
    for (std::size_t bytes : {4, 8})
      for (std::uint64_t n = 1000; n < 100 * million; n += n / 3) {
        thrust_hist::plan told;
        const auto most =
            plan_sparse(problem_of(n, bytes), n, h200, options(forced).explain(&told));
        for (std::uint64_t guess = 1; guess <= n; guess += guess / 5 + 1)
          BOOST_TEST_REQUIRE(
              plan_sparse(problem_of(n, bytes), guess, h200, forced).bytes <= most.bytes,
              n << " keys, " << guess << " distinct");
      }
}

// Twice the input and 64 bytes a distinct key, with tables of any size, and a few bytes however
// many there are.
BOOST_AUTO_TEST_CASE(no_more_memory_is_taken_than_is_promised) {
  constexpr std::size_t few = 16384;
  for (std::size_t kibibytes : {48, 64, 99, 163, 227})
    for (unsigned processors : {20U, 132U})
      for (std::size_t code : {4, 8})
        for (std::size_t value : {0, 4, 8}) {
          const device_facts facts = {
              processors, kibibytes * 1024, (kibibytes + 1) * 1024, std::size_t{40} << 20};
          std::uint64_t hashed = 0;
          for (std::uint64_t n : {8 * million, 64 * million, 128 * million, 256 * million})
            for (std::uint64_t guess = 1; guess <= n; guess += guess / 3 + 1) {
              auto p = problem_of(n, code);
              if (value != 0)
                p.values = {true, true, true, value, value, 8, value, 0, 1000, 1000};
              const auto plan = plan_sparse(p, guess, facts, {});
              hashed += plan.taken == route::hashed ? 1 : 0;
              const std::size_t promised = 2 * n * (code + value) + 64 * guess + few;
              BOOST_TEST_REQUIRE(
                  plan.bytes <= promised, kibibytes << " KiB, " << processors << " processors, "
                                                    << code << " + " << value << " bytes, " << n
                                                    << " keys, " << guess << " distinct");
            }
          BOOST_TEST(hashed > 40U);
        }
}

// The cap that is told without a look works after one.
BOOST_AUTO_TEST_CASE(room_under_a_cap_is_that_of_any_number_of_distinct_keys) {
  for (std::uint64_t n : {million, 3 * million, 9 * million}) {
    const auto forced = options{}.force(route::hashed);
    const auto told = plan_sparse(
        problem_of(n), n, h200, options(forced).max_temporary_bytes(std::size_t{1} << 40));
    for (std::uint64_t guess : {std::uint64_t{10}, std::uint64_t{9000}, std::uint64_t{100000}})
      BOOST_TEST(
          plan_sparse(
              problem_of(n), guess, h200, options(forced).max_temporary_bytes(told.bytes + million))
              .room == told.room);
  }
}

BOOST_AUTO_TEST_CASE(memory_is_capped_or_refused) {
  for (auto const& facts : {h200, small_gpu})
    for (std::size_t bytes : {4, 8})
      for (std::uint64_t n : {std::uint64_t{1}, million, 128 * million})
        for (route forced : {route::automatic, route::hashed, route::sorted}) {
          const auto p = problem_of(n, bytes);
          const auto o = options{}.force(forced);
          std::size_t least = 0;
          try {
            plan_sparse(p, n / 8, facts, options{o}.max_temporary_bytes(0));
          } catch (thrust_hist::memory_limit_error const& error) {
            least = error.smallest();
          }
          BOOST_TEST(least > 2 * n * bytes);
          BOOST_CHECK_THROW(
              plan_sparse(p, n / 8, facts, options{o}.max_temporary_bytes(least - 1)),
              thrust_hist::memory_limit_error);
          BOOST_TEST(
              plan_sparse(p, n / 8, facts, options{o}.max_temporary_bytes(least)).bytes <= least);
          const auto free = plan_sparse(p, n / 8, facts, o);
          BOOST_TEST(free.bytes >= 2 * n * bytes);
          if (n >= million)  // twice the input and 64 bytes a distinct key, of which there may be n
            BOOST_TEST(free.bytes <= 2 * n * bytes + 64 * n);
        }
}

BOOST_AUTO_TEST_SUITE_END()
