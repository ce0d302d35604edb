// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The plan of a CUDA count is a pure function: tested with g++, for GPUs large and small, far
// beyond the problems that the GPU tests can run.

#include "../support/boost_test.h"
#include "../support/messages.h"
#include <thrust_hist/system/cuda/plan.h>

#include <initializer_list>

BOOST_AUTO_TEST_SUITE(plan_of_a_count)

namespace {

using namespace thrust_hist;
using namespace thrust_hist::detail::cuda;

constexpr std::size_t kilobyte = 1024;
constexpr device_facts h200{132, 227 * kilobyte, 228 * kilobyte, 60 * kilobyte* kilobyte};
constexpr device_facts t4{40, 64 * kilobyte, 64 * kilobyte, 4 * kilobyte* kilobyte};
constexpr device_facts refused_opt_in{20, 48 * kilobyte, 64 * kilobyte, kilobyte* kilobyte};
constexpr device_facts jetson{2, 96 * kilobyte, 128 * kilobyte, 512 * kilobyte};
constexpr device_facts all_devices[] = {h200, t4, refused_opt_in, jetson};

constexpr std::uint64_t sample_counts[] = {
    1, 31, 8192, 8193, 1 << 17, 1 << 28, std::uint64_t{1} << 33, std::uint64_t{1} << 62};
constexpr std::uint64_t bin_counts[] = {
    1,
    2,
    4,
    5,
    8,
    9,
    16,
    100,
    255,
    256,
    257,
    2048,
    6007,
    12288,
    12289,
    16384,
    32768,
    58112,
    58113,
    65536,
    116224,
    116225,
    1 << 20,
    std::uint64_t{1} << 31,
    std::uint64_t{1} << 33,
    std::uint64_t{1} << 62};

template <class Check>
void for_every_problem(Check check) {
  for (device_facts const& facts : all_devices)
    for (std::uint64_t samples : sample_counts)
      for (std::uint64_t bins : bin_counts)
        for (unsigned width : {1U, 2U, 4U})
          for (bool direct : {false, true})
            BOOST_TEST_CONTEXT(
                samples << " samples of " << width << " bytes, " << bins << " bins, "
                        << facts.shared_bytes_block << " bytes of shared memory")
  check(facts, counting_problem{samples, bins, width == 1, direct, width == 2});
}

void check_launchable(
    counting_plan const& p, device_facts const& facts, counting_problem const& problem) {
  BOOST_REQUIRE(p.taken != route::automatic);
  BOOST_REQUIRE(p.why != nullptr);
  BOOST_REQUIRE(p.blocks >= 1U);
  BOOST_REQUIRE(p.blocks <= 16 * facts.multiprocessors);
  BOOST_REQUIRE(p.threads >= 32U);
  BOOST_REQUIRE(p.threads <= 1024U);
  BOOST_REQUIRE(p.threads % 32 == 0U);
  BOOST_REQUIRE(p.shared_bytes <= facts.shared_bytes_block);
  if (p.by_value)
    BOOST_REQUIRE((problem.byte_samples || problem.short_samples));
  if (!problem.direct)  // counts of 32 or 64 bits, and their sum
    BOOST_REQUIRE(p.table_bytes >= problem.bins * (problem.samples >> 32 == 0 ? 4 : 8) + 8);
  const bool holds_tables =
      p.taken == route::shared || p.taken == route::shared_lanes || p.taken == route::shared_packed;
  if (holds_tables)
    BOOST_REQUIRE(p.shared_bytes >= (p.by_value ? 256 * 4 : problem.bins * 2));
  if (p.taken == route::shared_split) {
    const std::uint64_t parts = std::uint64_t{1} << p.parts_log2;
    BOOST_REQUIRE(p.blocks % parts == 0U);
    BOOST_REQUIRE(p.shared_bytes * parts >= (p.by_value ? 65536 : problem.bins) * 4);
  }
  if (p.taken == route::partitioned) {  // unit/buckets.cpp knows more
    BOOST_REQUIRE(p.buckets.tiles > 0U);
    BOOST_REQUIRE(p.buckets.tile_shared_bytes() <= facts.shared_bytes_block);
    BOOST_REQUIRE(p.scratch_bytes == p.table_bytes + p.look.scratch_bytes() + p.buckets.bytes());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_problem_has_a_plan_that_the_device_can_launch) {
  for_every_problem([](device_facts const& facts, counting_problem const& problem) {
    if (problem.bins > (std::uint64_t{1} << 60))
      return;  // its scratch is beyond size_t
    check_launchable(plan_counting(problem, facts, options{}), facts, problem);
  });
}

// A forced route is planned for no samples, too.
BOOST_AUTO_TEST_CASE(no_samples_have_a_plan_on_every_route) {
  for (std::uint64_t bins : {1, 1000, 1 << 20})
    for (route forced : {route::shared_split, route::partitioned, route::global}) {
      const counting_problem problem = {0, bins, false, true};
      BOOST_TEST((plan_counting(problem, h200, options{}.force(forced)).taken == forced));
    }
}

BOOST_AUTO_TEST_CASE(a_table_has_wide_counts_where_narrow_ones_may_run_over) {
  const auto table = [](std::uint64_t samples, bool direct, bool is_summed) {
    counting_problem problem = {samples, 1001, false, direct};
    problem.is_summed = is_summed;
    return plan_counting(problem, h200, options{}).table_bytes;
  };
  constexpr std::uint64_t most = (std::uint64_t{1} << 32) - 1;
  BOOST_TEST(table(most, false, false) == 4016U);
  BOOST_TEST(table(most + 1, false, false) == 8016U);
  BOOST_TEST(table(most, false, true) == 4016U);
  BOOST_TEST(table(most, true, true) == 16U);
  BOOST_TEST(table(most, true, false) == 0U);
}

BOOST_AUTO_TEST_CASE(a_forced_route_is_taken_or_refused_by_name) {
  for (route forced :
       {route::registers, route::shared, route::shared_lanes, route::shared_packed,
        route::shared_split, route::partitioned, route::global, route::serial,
        route::private_tables})
    for_every_problem([&](device_facts const& facts, counting_problem const& problem) {
      if (problem.bins > (std::uint64_t{1} << 60))
        return;
      try {
        const counting_plan p = plan_counting(problem, facts, options{}.force(forced));
        BOOST_REQUIRE(p.taken == forced);
        check_launchable(p, facts, problem);
      } catch (std::invalid_argument const& refusal) {
        BOOST_REQUIRE(std::string(refusal.what()).find(to_string(forced)) != std::string::npos);
        BOOST_REQUIRE(forced != route::global);
        if (problem.bins <= 4)
          BOOST_REQUIRE((forced == route::serial || forced == route::private_tables));
      }
    });
}

BOOST_AUTO_TEST_CASE(each_shared_route_holds_as_many_bins_as_fit_and_not_one_more) {
  const auto fits = [](route forced, std::uint64_t bins) {
    try {
      plan_counting({1 << 28, bins, false, true}, h200, options{}.force(forced));
      return true;
    } catch (std::invalid_argument const&) {
      return false;
    }
  };
  for (auto [forced, bytes_per_bin] :
       {std::pair<route, std::uint64_t>{route::shared, 4},
        {route::shared_packed, 2},
        {route::shared_lanes, 128}}) {
    const std::uint64_t most = h200.shared_bytes_block / bytes_per_bin;
    std::uint64_t low = 1, high = 4 * most;  // the first number of bins that does not fit
    while (high - low > 1)
      (fits(forced, (low + high) / 2) ? low : high) = (low + high) / 2;
    BOOST_TEST_CONTEXT(forced << " holds " << low << " bins") {
      BOOST_TEST(low <= most);
      BOOST_TEST(low + 64 >= most);  // what little a kernel needs for itself
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cap_on_memory_is_kept_or_names_the_smallest_that_works) {
  for_every_problem([](device_facts const& facts, counting_problem const& problem) {
    if (problem.bins > (std::uint64_t{1} << 60))
      return;
    std::size_t cap = 0;
    try {
      const counting_plan p = plan_counting(problem, facts, options{}.max_temporary_bytes(0));
      BOOST_REQUIRE(p.scratch_bytes == 0U);
      return;
    } catch (memory_limit_error const& refusal) {
      cap = refusal.smallest();
    }
    BOOST_REQUIRE(cap > 0U);
    BOOST_REQUIRE(
        plan_counting(problem, facts, options{}.max_temporary_bytes(cap)).scratch_bytes <= cap);
    BOOST_REQUIRE_THROW(
        plan_counting(problem, facts, options{}.max_temporary_bytes(cap - 1)), memory_limit_error);
  });
}

BOOST_AUTO_TEST_CASE(a_cap_too_small_for_buckets_takes_another_route_unless_they_are_forced) {
  for (bool direct : {false, true}) {
    const counting_problem problem{1 << 28, 1 << 20, false, direct};
    const counting_plan free = plan_counting(problem, h200, options{});
    BOOST_TEST((free.taken == route::partitioned));
    for (std::size_t cap = free.table_bytes; cap < free.scratch_bytes; cap += cap / 4 + 1000) {
      const counting_plan p = plan_counting(problem, h200, options{}.max_temporary_bytes(cap));
      BOOST_TEST((p.taken == route::partitioned || p.taken == route::global));
      BOOST_TEST(p.scratch_bytes <= cap);
    }
    const auto forced = options{}.force(route::partitioned);
    const auto plan_with = [&](std::size_t cap) {
      return plan_counting(problem, h200, options{forced}.max_temporary_bytes(cap));
    };
    try {
      plan_with(free.table_bytes + 1000);
      BOOST_ERROR("1000 bytes hold no tiles");
    } catch (memory_limit_error const& refusal) {
      const std::size_t least = refusal.smallest();
      BOOST_TEST(plan_with(least).scratch_bytes == least);
      BOOST_CHECK_THROW(plan_with(least - 1), memory_limit_error);
    }
  }
}

BOOST_AUTO_TEST_CASE(bins_beyond_the_shared_memory_of_a_block_are_split_or_partitioned) {
  const auto taken = [](std::uint64_t bins, std::uint64_t samples) {
    return plan_counting({samples, bins, false, true}, h200, options{}).taken;
  };
  BOOST_TEST((taken(58000, 1 << 28) == route::shared));
  BOOST_TEST((taken(59000, 1 << 28) == route::shared_split));
  BOOST_TEST((taken(4 * 58000, 1 << 28) == route::shared_split));
  BOOST_TEST((taken(4 * 59000, 1 << 28) == route::partitioned));
  BOOST_TEST((taken(1 << 25, 1 << 28) == route::partitioned));
  BOOST_TEST((taken((1 << 28) + 1, 1 << 28) == route::partitioned));
  BOOST_TEST((taken(std::uint64_t{1} << 31, 1 << 28) == route::global));
  BOOST_TEST((taken(1 << 28, 1 << 23) == route::global));
  BOOST_TEST((taken(1 << 28, (1 << 23) + 1) == route::partitioned));
  BOOST_TEST((taken(1 << 20, 1 << 19) == route::global));
  BOOST_TEST((taken(1 << 20, (1 << 19) + 1) == route::partitioned));
  BOOST_TEST((taken(1 << 16, 1 << 18) == route::global));
  BOOST_TEST((taken(1 << 16, (1 << 18) + 1) == route::shared_split));
}

BOOST_AUTO_TEST_CASE(atomics_on_the_output_come_with_places_for_frequent_bins_in_two_blocks) {
  for (device_facts const& facts : all_devices)
    for (std::uint64_t samples : sample_counts) {
      const counting_plan p =
          plan_counting({samples, 1 << 20, false, true}, facts, options{}.force(route::global));
      BOOST_TEST((p.hot_entries > 0U) == (samples >= 1 << 14));
      BOOST_TEST(p.shared_bytes == p.hot_entries * std::size_t{8});
      BOOST_TEST(
          plan_counting({samples, 8, false, true}, facts, options{}.force(route::registers))
              .shared_bytes == 0U);
      BOOST_TEST(
          (p.hot_entries == 0 || 2 * (p.shared_bytes + 1024) <= facts.shared_bytes_processor));
      if (samples >= 1 << 26)
        BOOST_TEST(p.blocks == 2 * facts.multiprocessors);
    }
}

// A table is folded for two inputs a bin, or for one in four by up to so many blocks side by side;
// never for less than a block has to do.
BOOST_AUTO_TEST_CASE(few_blocks_fold_their_tables_for_few_inputs) {
  using thrust_hist::detail::cuda::blocks_worth;
  BOOST_TEST(blocks_worth(1, 4096, 0, 2, 66) == 1U);
  BOOST_TEST(blocks_worth(1 << 20, 4096, 256, 2, 66) == 256U);
  BOOST_TEST(blocks_worth(1 << 20, 8192, 16384, 2, 66) == 66U);
  BOOST_TEST(blocks_worth(1 << 20, 8192, 16384, 2, 0) == 32U);
  BOOST_TEST(blocks_worth(1 << 22, 8192, 16384, 2, 66) == 128U);
  BOOST_TEST(blocks_worth(1 << 16, 4096, 16384, 2, 33) == 16U);
  BOOST_TEST(blocks_worth(1 << 16, 4096, 16384, 2, 5) == 5U);
  for (std::uint64_t bins : {0, 100, 16384, 112000}) {
    std::uint64_t before = 1;
    for (std::uint64_t inputs = 1; inputs < 1 << 24; inputs = inputs * 9 / 8 + 1) {
      const std::uint64_t blocks = blocks_worth(inputs, 4096, bins, 2, 66);
      BOOST_TEST(blocks >= before);
      before = blocks;
    }
  }
}

BOOST_AUTO_TEST_CASE(values_of_two_bytes_fill_the_gpu_however_many_bins_there_are) {
  for (std::uint64_t bins :
       {std::uint64_t{60000}, std::uint64_t{1} << 24, std::uint64_t{1} << 33}) {
    const counting_plan p = plan_counting({1 << 28, bins, false, true, true}, h200, options{});
    BOOST_TEST((p.taken == route::shared_split && p.by_value));
    BOOST_TEST(p.blocks == 132U);
    BOOST_TEST(plan_counting({1 << 20, bins, false, true, true}, h200, options{}).by_value);
  }
}

BOOST_AUTO_TEST_CASE(the_last_numbers_of_bins_of_the_routes_are_those_of_the_documentation) {
  const auto taken = [](std::uint64_t bins) {
    return plan_counting({1 << 28, bins, false, true}, h200, options{}).taken;
  };
  BOOST_TEST((taken(256) == route::shared_lanes && taken(257) == route::shared));
  BOOST_TEST((taken(58111) == route::shared && taken(58112) == route::shared_split));
  BOOST_TEST((taken(232444) == route::shared_split && taken(232445) == route::partitioned));
  const std::uint64_t most = (std::uint64_t{1} << 31) - 2;
  BOOST_TEST((taken(most) == route::partitioned && taken(most + 1) == route::global));
}

BOOST_AUTO_TEST_CASE(few_bins_of_an_output_that_takes_atomics_need_no_scratch) {
  for (std::uint64_t bins : {1, 4, 256, 6007})
    for (std::uint64_t samples : sample_counts)
      BOOST_TEST(plan_counting({samples, bins, false, true}, h200, options{}).scratch_bytes == 0U);
}

BOOST_AUTO_TEST_CASE(a_rule_gets_its_memory_where_there_is_room_and_enough_to_do) {
  const auto plan_of = [](std::uint64_t samples, std::uint64_t bins, std::size_t bytes,
                          options const& o = {}) {
    return plan_counting({samples, bins, false, true, false, {bytes, 0}}, h200, o);
  };
  const counting_plan p = plan_of(1 << 28, 1000, 40000);
  BOOST_TEST(p.rule_begin >= 1001 * 4U);
  BOOST_TEST(p.rule_begin % 16 == 0U);
  BOOST_TEST(p.shared_bytes == p.rule_begin + 40000);
  BOOST_TEST(plan_of(1 << 28, 16, 40000).rule_begin >= 17 * 128U);
  BOOST_TEST(plan_of(1 << 28, 1000, 0).rule_begin == 0U);
  BOOST_TEST(plan_of(1 << 10, 1000, 40000).rule_begin == 0U);
  BOOST_TEST(plan_of(1 << 10, 1000, 40000, options{}.force(route::shared)).rule_begin > 0U);
  BOOST_TEST(plan_of(1 << 28, 50000, 40000).rule_begin == 0U);  // no room
  BOOST_TEST(plan_of(1 << 28, 60000, 40000).rule_begin == 0U);  // another route
  BOOST_TEST(
      plan_counting({1 << 28, 1000, true, true, false, {40000, 0}}, h200, options{}).rule_begin ==
      0U);
}

BOOST_AUTO_TEST_CASE(a_rule_that_looks_up_in_memory_gets_a_table_and_buckets) {
  const auto plan_of = [](std::uint64_t samples, std::uint64_t bins, std::size_t cells,
                          options const& o = {}) {
    return plan_counting({samples, bins, false, true, false, {40000, 0}, false, cells}, h200, o);
  };
  constexpr std::size_t table = 1 << 20;
  const counting_plan p = plan_of(1 << 28, 1 << 16, table);
  BOOST_TEST(p.cells_bytes == table);
  BOOST_TEST((p.taken == route::partitioned));
  BOOST_TEST(p.scratch_bytes == p.look.scratch_bytes() + p.buckets.bytes() + table);
  BOOST_TEST((plan_of(1 << 28, 1 << 16, 0).taken == route::shared_split));

  // Bins whose counters leave too little of shared memory for the 40 000 bytes.
  BOOST_TEST(plan_of(1 << 28, 50000, table).cells_bytes == table);
  BOOST_TEST((plan_of(1 << 28, 50000, table).taken == route::shared));
  BOOST_TEST(plan_of(1 << 28, 40000, table).cells_bytes == 0U);

  // Where edges fit shared memory, but samples are too few for it, nothing is worth a table.
  BOOST_TEST(plan_of(1 << 17, 300, table).cells_bytes == 0U);
  BOOST_TEST(plan_of(1 << 17, 300, table).rule_begin == 0U);
  // Few samples, others that are counted by value, atomics, and little memory have none.
  BOOST_TEST(plan_of(1 << 15, 50000, table).cells_bytes == 0U);
  BOOST_TEST(plan_of(1 << 18, 1 << 24, table).cells_bytes == 0U);
  BOOST_TEST(plan_of(1 << 15, 50000, table, options{}.force(route::shared)).cells_bytes == table);
  BOOST_TEST(plan_of(1 << 28, 1 << 16, table, options{}.force(route::global)).cells_bytes == 0U);
  BOOST_TEST(
      plan_counting({1 << 28, 1 << 16, false, true, true, {}, false, table}, h200, options{})
          .cells_bytes == 0U);
  const counting_plan capped =
      plan_of(1 << 28, 1 << 16, table, options{}.max_temporary_bytes(4 * table - 1));
  BOOST_TEST(capped.cells_bytes == 0U);
  BOOST_TEST((capped.taken == route::shared_split));
  // Cells give way to buckets that are forced: the smallest cap is the same.
  const auto forced = [&](std::size_t cells, std::size_t cap) {
    return plan_of(
        1 << 24, 1000, cells, options{}.force(route::partitioned).max_temporary_bytes(cap));
  };
  try {
    forced(0, 1);
    BOOST_ERROR("no memory for buckets");
  } catch (thrust_hist::memory_limit_error const& limit) {
    BOOST_TEST(forced(limit.smallest() / 4, limit.smallest()).cells_bytes == 0U);
    BOOST_TEST(forced(limit.smallest() / 4, 2 * limit.smallest()).cells_bytes > 0U);
  }
  for (std::size_t cap = 4 * table; cap < std::size_t{1} << 32; cap += cap / 3) {
    const counting_plan q = plan_of(1 << 28, 1 << 16, table, options{}.max_temporary_bytes(cap));
    BOOST_TEST((q.taken != route::global && q.scratch_bytes <= cap));
    BOOST_TEST(q.cells_bytes == table);
  }
}

BOOST_AUTO_TEST_CASE(more_samples_never_turn_buckets_into_atomics) {
  for (device_facts const& facts : all_devices)
    for (unsigned log2 = 17; log2 < 31; ++log2)
      for (bool fresh : {false, true}) {
        bool before = false;
        for (unsigned n = 17; n < 40; ++n) {
          const counting_problem problem{
              std::uint64_t{1} << n, (std::uint64_t{1} << log2) + 1, false, true, false, {}, fresh};
          const bool global = plan_counting(problem, facts, options{}).taken == route::global;
          BOOST_REQUIRE_MESSAGE(
              !(before && global), "2^" << log2 << " + 1 bins, 2^" << n << " samples");
          before = !global;
        }
      }
}

// Keys in memory are asked nothing: up to sixteen blocks look at each.
BOOST_AUTO_TEST_CASE(few_keys_are_counted_by_blocks_that_share_many_bins) {
  const auto shares = [](device_facts const& facts, std::uint64_t keys, std::uint64_t bins,
                         bool in_memory = true, bool are_short = false) {
    counting_problem problem = {keys, bins, false, true, are_short};
    problem.keys_in_memory = in_memory;
    const counting_plan p = plan_counting(problem, facts, options{});
    return p.taken == route::shared_split && !p.by_value;
  };
  for (std::uint64_t bins : {58113, 232444, 232445, 1 << 19, 929776}) {
    BOOST_TEST(!shares(h200, (1 << 16) - 1, bins), bins);
    BOOST_TEST(shares(h200, 1 << 16, bins), bins);
    BOOST_TEST(shares(h200, 1 << 20, bins), bins);
    BOOST_TEST(shares(h200, (1 << 20) + 1, bins) == (bins <= 232444), bins);  // as any samples
    BOOST_TEST(!shares(h200, 1 << 17, bins, false), bins);
    BOOST_TEST(!shares(h200, 1 << 17, bins, true, true), bins);
    BOOST_TEST(
        !shares(jetson, 1 << 17, bins), bins);  // whose multiprocessors would read all keys in turn
  }
  BOOST_TEST(!shares(h200, 1 << 18, 929777));
  BOOST_TEST(!shares(h200, 1 << 18, 1000));
  BOOST_TEST(shares(t4, 1 << 18, 8 * 16000));
  BOOST_TEST(!shares(t4, 1 << 18, 16 * 16000));
}

BOOST_AUTO_TEST_CASE(memory_that_is_allocated_afresh_is_little) {
  const auto bytes = [](std::uint64_t samples, bool fresh) {
    return plan_counting({samples, 1 << 20, false, true, false, {}, fresh}, h200, options{})
        .scratch_bytes;
  };
  BOOST_TEST(bytes(1 << 28, true) < bytes(1 << 28, false) / 3);
  BOOST_TEST(bytes(1 << 28, true) == bytes(1 << 30, true));
  BOOST_TEST(bytes(1 << 24, true) == bytes(1 << 24, false));
}

// A batch reads and writes all bins, so it has eight samples for each of them if a batch may be so
// large.
BOOST_AUTO_TEST_CASE(batches_are_larger_where_bins_are_many) {
  const auto batch = [](std::uint64_t bins, bool waits = true) {
    const auto p =
        plan_counting({1 << 30, bins, false, true, false, {}, true, 0, waits}, h200, options{});
    return std::uint64_t{p.buckets.tiles} * p.buckets.samples_of_tile();
  };
  const auto is_about = [](std::uint64_t n, std::uint64_t wanted) {
    return n > wanted - wanted / 8 && n < wanted + wanted / 8;
  };
  BOOST_TEST(is_about(batch(1 << 20), 1 << 26));
  BOOST_TEST(is_about(batch(1 << 23), 1 << 26));
  BOOST_TEST(is_about(batch(1 << 24), 1 << 27));
  BOOST_TEST(is_about(batch(1 << 26), 1 << 28));
  BOOST_TEST(is_about(batch(1 << 28), 1 << 28));
  BOOST_TEST(is_about(batch(1 << 24, false), 1 << 26));
}

// Several batches whose scratch is kept from call to call, unless they would be many.
BOOST_AUTO_TEST_CASE(batches_fit_memory_that_is_kept) {
  constexpr std::size_t mega = std::size_t{1} << 20;
  const auto plan = [](std::uint64_t bins, std::size_t kept, options const& o = {}) {
    return plan_counting({1 << 28, bins, false, true, false, {}, true, 0, true, kept}, h200, o);
  };
  for (std::uint64_t bins : {1 << 20, 1 << 24, 1 << 25}) {
    const std::size_t wanted = plan(bins, 0).scratch_bytes;
    BOOST_TEST_CONTEXT(bins << " bins, which want " << wanted << " bytes") {
      BOOST_TEST(plan(bins, wanted + mega).scratch_bytes == wanted);
      BOOST_TEST(plan(bins, wanted * 4).scratch_bytes == wanted);
      for (std::size_t kept : {wanted - mega, wanted / 2, wanted * 7 / 20}) {
        const std::size_t taken = plan(bins, kept).scratch_bytes;
        BOOST_TEST((taken <= kept && taken > kept * 9 / 10));
      }
      BOOST_TEST(plan(bins, wanted * 3 / 10).scratch_bytes == wanted);
      // A cap comes first.
      const options capped = options{}.max_temporary_bytes(wanted / 8);
      BOOST_TEST(
          plan(bins, 0, capped).scratch_bytes == plan(bins, wanted / 2, capped).scratch_bytes);
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_that_is_kept_changes_no_route) {
  constexpr std::size_t mega = std::size_t{1} << 20;
  for (std::uint64_t samples : {1 << 24, 1 << 26, 1 << 28})
    for (std::uint64_t bins = 1 << 17; bins <= 1 << 30; bins *= 2)
      for (bool direct : {false, true})
        for (std::size_t kept : {4 * mega, 55 * mega, 82 * mega, 278 * mega, 512 * mega}) {
          const auto plan = [&](std::size_t bytes) {
            return plan_counting(
                {samples, bins, false, direct, false, {}, true, 0, true, bytes}, h200, options{});
          };
          BOOST_TEST_CONTEXT(samples << " samples, " << bins << " bins, kept " << kept) {
            BOOST_TEST(plan(kept).taken == plan(0).taken);
            // All of it is kept, with a table for an output that takes no atomics, or as much is
            // taken as before.
            const std::size_t taken = plan(kept).scratch_bytes;
            BOOST_TEST((taken <= kept || taken == plan(0).scratch_bytes));
          }
        }
}

BOOST_AUTO_TEST_CASE(the_same_problem_has_the_same_plan) {
  const counting_problem problem{1 << 20, 1000, false, true};
  const counting_plan a = plan_counting(problem, h200, options{});
  const counting_plan b = plan_counting(problem, h200, options{});
  BOOST_TEST((a.taken == b.taken && a.blocks == b.blocks && a.threads == b.threads));
  BOOST_TEST(a.shared_bytes == b.shared_bytes);
}

BOOST_AUTO_TEST_SUITE_END()
