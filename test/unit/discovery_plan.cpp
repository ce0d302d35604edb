// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many bins there is room for while nobody knows how many there are.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/discovery_plan.h>

BOOST_AUTO_TEST_SUITE(discovery_plans)

using namespace thrust_hist::detail::cuda;

namespace {

constexpr device_facts h200 = {132, 232448, 233472, 60u << 20};
constexpr device_facts small = {40, 49152, 65536, 4u << 20};
constexpr std::uint64_t most = 65532;

}  // namespace

BOOST_AUTO_TEST_CASE(tables_fit_shared_memory_and_the_memory_for_counts) {
  for (device_facts const& facts : {h200, small})
    for (std::size_t bytes : {1, 2, 4, 8})
      for (std::uint64_t keys : {1ull, 4097ull, 1ull << 20, (1ull << 32) - 1}) {
        const auto p = plan_discovery(keys, bytes, most, facts);
        const std::size_t table =
            bytes == 1 ? lane_bytes(std::uint64_t{p.room}) : plain_bytes(std::uint64_t{p.room});
        BOOST_TEST(p.shared_bytes >= discovery_plan::warp_bytes + table);
        BOOST_TEST(p.shared_bytes <= facts.shared_bytes_block);
        BOOST_TEST(p.shared_bytes % 16 == 0U);
        BOOST_TEST(p.room <= most);
        BOOST_TEST(p.threads == 1024U);
        BOOST_TEST(p.blocks >= 1U);
        BOOST_TEST(p.blocks <= facts.multiprocessors * (bytes == 1 ? 2 : 1));
      }
}

BOOST_AUTO_TEST_CASE(keys_have_as_much_room_as_there_is_if_they_are_many) {
  BOOST_TEST(plan_discovery(1000, 4, most, h200).room == 4096U);
  BOOST_TEST(plan_discovery(5000, 4, most, h200).room == 5000U);
  BOOST_TEST(plan_discovery(1 << 20, 4, most, h200).room == 58047U);
  BOOST_TEST(plan_discovery(1 << 20, 4, 50000, h200).room == 50000U);
  BOOST_TEST(plan_discovery(1 << 20, 4, most, small).room == 12223U);
  BOOST_TEST(plan_discovery(1000, 1, most, h200).room == 256U);
}

BOOST_AUTO_TEST_CASE(blocks_are_worth_starting) {
  BOOST_TEST(plan_discovery(1, 4, most, h200).blocks == 1U);
  BOOST_TEST(plan_discovery(8193, 4, most, h200).blocks == 2U);
  BOOST_TEST(plan_discovery(1 << 28, 4, most, h200).blocks == 132U);
  BOOST_TEST(plan_discovery(1 << 28, 1, most, h200).blocks == 264U);
}

BOOST_AUTO_TEST_SUITE_END()
