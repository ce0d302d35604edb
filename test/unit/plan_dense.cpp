// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans of a counter for each code, where codes are few.

#include "../support/boost_test.h"
#include "sparse_problems.h"
#include <thrust_hist/errors.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

BOOST_AUTO_TEST_SUITE(plans_of_a_counter_for_each_code)

using namespace sparse_problems;

// Codes from `lowest` to `lowest` + `last`, as a sample has seen them.
static sparse_problem dense_problem(
    std::uint64_t n, std::uint64_t lowest, std::uint64_t last, std::size_t code_bytes = 4) {
  sparse_problem p = problem_of(n, code_bytes);
  p.has_ranges = p.has_places = true;
  p.ranges.lowest = lowest;
  p.ranges.last = last;
  p.ranges.codes = range_sample::size;
  return p;
}

BOOST_AUTO_TEST_CASE(codes_that_are_few_have_a_counter_each) {
  const auto taken = [](sparse_problem const& p, options const& o = {}) {
    return plan_sparse(p, 1000, h200, o).taken;
  };
  for (std::uint64_t last : {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{231500}})
    BOOST_TEST(taken(dense_problem(128 * million, 5, last)) == route::shared, last);
  BOOST_TEST(taken(dense_problem(128 * million, 5, 232000)) == route::hashed);
  BOOST_TEST(taken(dense_problem(128 * million, 5, 115500, 8)) == route::shared);
  BOOST_TEST(taken(dense_problem(128 * million, 5, 116000, 8)) == route::hashed);
  BOOST_TEST(taken(dense_problem(million - 1, 5, 100)) == route::shared);
  // Not where some keys are alone, nobody has looked, or the cap has no room for another route.
  auto p = dense_problem(128 * million, 5, 1000);
  p.has_places = false;
  BOOST_TEST(taken(p) == route::hashed);
  p = dense_problem(128 * million, 5, 1000);
  p.ranges = {};
  BOOST_TEST(taken(p) == route::hashed);
  const auto free = plan_sparse(dense_problem(128 * million, 5, 1000), 1000, h200, {});
  BOOST_TEST(
      taken(dense_problem(128 * million, 5, 1000), options{}.max_temporary_bytes(free.bytes)) ==
      route::shared);
  BOOST_CHECK_THROW(
      plan_sparse(problem_of(5), 5, h200, options{}.force(route::shared)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(counted_codes_are_those_of_the_sample_and_some_on_either_side) {
  for (std::size_t kibibytes : {48, 99, 163, 227}) {
    const device_facts facts = {100, kibibytes * 1024, (kibibytes + 1) * 1024, 40U << 20};
    for (std::size_t bytes : {4, 8}) {
      const std::uint64_t highest = bytes == 4 ? 0xffffffff : ~std::uint64_t{0};
      for (std::uint64_t last = 0; last < 300000; last = last * 3 / 2 + 1)
        for (std::uint64_t lowest :
             {std::uint64_t{0}, std::uint64_t{7}, highest / 3, highest - last - 7,
              highest - last}) {
          const auto p = dense_problem(million, lowest, last, bytes);
          const dense_codes d = dense_range(p, facts);
          const unsigned parts = parts_log2_for(last + 2 * p.ranges.margin() + 2, facts);
          BOOST_TEST((d.codes != 0) == (parts <= most_dense_parts_log2(p)));
          const device_facts three = {3, facts.shared_bytes_block, facts.shared_bytes_processor, 0};
          BOOST_TEST((dense_range(p, three).codes == 0 || parts < 2));
          if (d.codes == 0)
            continue;
          BOOST_TEST(d.first <= lowest);
          BOOST_TEST(d.codes - 1 <= highest - d.first);
          BOOST_TEST(lowest - d.first + last < d.codes);
          BOOST_TEST((lowest - d.first >= p.ranges.margin() || d.first == 0));
          BOOST_TEST(
              (d.first + (d.codes - 1) - lowest - last >= p.ranges.margin() ||
               d.first + (d.codes - 1) == highest));
          BOOST_TEST(parts_log2_for(std::uint64_t{d.codes} + 1, facts) == parts);
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(narrow_keys_have_a_counter_each) {
  const auto narrow = [](std::uint64_t n, std::uint64_t codes, options const& o = {}) {
    auto p = dense_problem(n, 0, 0);
    p.narrow_codes = codes;
    p.most_keys = std::min(n, codes);
    return plan_sparse(p, n, h200, o);
  };
  for (std::uint64_t n : {std::uint64_t{1}, million, 128 * million}) {
    BOOST_TEST((narrow(n, 256).taken == route::shared && narrow(n, 256).dense.codes == 256U));
    BOOST_TEST(narrow(n, 256).bytes < 12000U);
  }
  BOOST_TEST(narrow(1 << 18, 65536).taken == route::shared);
  BOOST_TEST(narrow((1 << 18) - 1, 65536).taken == route::partitioned);
  BOOST_TEST(narrow((1 << 16) - 1, 65536).taken == route::sorted);
  // The smallest cap is told that works, whatever the route.
  for (std::uint64_t n : {std::uint64_t{1}, std::uint64_t{5000}, million})
    for (std::uint64_t codes : {256, 65536}) {
      std::size_t smallest = 0;
      try {
        narrow(n, codes, options{}.max_temporary_bytes(10));
      } catch (thrust_hist::memory_limit_error const& e) {
        smallest = e.smallest();
      }
      BOOST_TEST(narrow(n, codes, options{}.max_temporary_bytes(smallest)).bytes == smallest);
      BOOST_CHECK_THROW(
          narrow(n, codes, options{}.max_temporary_bytes(smallest - 1)),
          thrust_hist::memory_limit_error);
    }
}

// --- values, folded in bins of their codes -------------------------------------------------------

// 4 bytes beside codes, and a fold that takes 6 bytes a pair, or less, and 8 bytes a bin.
static std::size_t bytes_to_fold(std::uint64_t pairs, std::uint64_t bins, std::size_t most) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(most, 8 * bins + 1000, 8 * bins + 6 * pairs));
}
static sparse_problem with_values(
    std::uint64_t n, std::uint64_t lowest, std::uint64_t last, std::size_t code_bytes = 4) {
  sparse_problem p = dense_problem(n, lowest, last, code_bytes);
  p.has_ranges = false;
  p.values = {true, true, true, 4, 8, 4, 4, 8, 1000, 1000};
  p.bytes_to_fold = bytes_to_fold;
  return p;
}
static sparse_plan planned(
    sparse_problem const& p, std::uint64_t guess, options const& o = {},
    device_facts const& facts = h200) {
  return plan_sparse(p, guess, facts, o);
}
static bool have_bins(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts = h200) {
  return planned(p, guess, {}, facts).taken == route::shared;
}

BOOST_AUTO_TEST_CASE(values_are_folded_in_bins_where_codes_are_near) {
  const std::uint64_t n = 128 * million;
  // Where bins fit shared memory, however few occur; else where hash tables would take buckets, and
  // one in 16 occurs.
  for (std::uint64_t guess : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{20000}})
    BOOST_TEST(have_bins(with_values(n, 5, 20000), guess));
  const std::uint64_t direct = direct_keys(with_values(n, 5, 40000), slots_log2_for(4, 8, h200));
  BOOST_TEST(!have_bins(with_values(n, 5, 40000), direct));
  BOOST_TEST(have_bins(with_values(n, 5, 40000), direct + 1));
  BOOST_TEST(have_bins(with_values(n, 5, million), million / 15));
  BOOST_TEST(!have_bins(with_values(n, 5, million), million / 16));
  for (std::size_t code_bytes : {4, 8}) {
    const std::uint64_t most = n / (code_bytes == 4 ? 5 : 4);
    BOOST_TEST(have_bins(with_values(n, 5, most / 33 * 31, code_bytes), most / 2));
    BOOST_TEST(!have_bins(with_values(n, 5, most, code_bytes), most / 2));
  }
  // Not where nobody has looked, or can; nor where that takes more than is promised, or explain()
  // tells.
  auto p = with_values(n, 5, million);
  p.ranges = {};
  BOOST_TEST(!have_bins(p, million));
  p = with_values(n, 5, million);
  p.has_places = false;
  BOOST_TEST(!have_bins(p, million));
  p = with_values(n, 5, million);
  p.bytes_to_fold = [](std::uint64_t pairs, std::uint64_t, std::size_t) {
    return std::size_t{24} * pairs;
  };
  BOOST_TEST(!have_bins(p, million));
  p.bytes_to_fold = nullptr;
  p.has_places = false;
  BOOST_CHECK_THROW(planned(p, million, options{}.force(route::shared)), std::invalid_argument);
  thrust_hist::plan told;
  const auto explained = planned(with_values(n, 5, million), n, options{}.explain(&told));
  for (std::uint64_t last : {std::uint64_t{1}, std::uint64_t{20000}, million, 20 * million}) {
    const auto plan = planned(with_values(n, 5, last), last);
    BOOST_TEST((plan.taken == route::shared));
    BOOST_TEST(plan.bytes <= explained.bytes);
    BOOST_TEST(plan.bytes <= promised_bytes(with_values(n, 5, last), last));
  }
  // Under a cap, where it has room for that, and for a sort if codes turn out to lie elsewhere.
  const auto capped = [&](std::size_t cap) {
    return planned(with_values(n, 5, million), million, options{}.max_temporary_bytes(cap));
  };
  const std::size_t bytes = planned(with_values(n, 5, million), million).bytes;
  BOOST_TEST(capped(bytes).taken == route::shared);
  BOOST_CHECK_THROW(capped(bytes - 1), thrust_hist::memory_limit_error);
}

BOOST_AUTO_TEST_CASE(bins_are_those_of_the_sample_and_some_on_either_side) {
  for (std::size_t bytes : {4, 8}) {
    const std::uint64_t highest = bytes == 4 ? 0xffffffff : ~std::uint64_t{0};
    for (std::uint64_t last = 0; last < 2 * million; last = last * 3 / 2 + 1)
      for (std::uint64_t lowest :
           {std::uint64_t{0}, std::uint64_t{7}, highest / 3, highest - last - 7, highest - last}) {
        const auto d = dense_range_of_values(with_values(64 * million, lowest, last, bytes));
        BOOST_TEST(d.first <= lowest);
        BOOST_TEST(d.codes - 1 <= highest - d.first);
        BOOST_TEST(lowest - d.first + last < d.codes);
        BOOST_TEST((lowest - d.first >= last / 64 || d.first == 0));
        BOOST_TEST(
            (d.first + (d.codes - 1) - lowest - last >= last / 64 ||
             d.first + (d.codes - 1) == highest));
        BOOST_TEST(d.codes <= std::max<std::uint64_t>(8192, last + 1 + last / 32));
      }
  }
  BOOST_TEST(dense_range_of_values(with_values(64 * million, 5, 64 * million)).codes == 0U);
}

BOOST_AUTO_TEST_CASE(narrow_keys_have_a_bin_each) {
  const auto narrow = [](std::uint64_t n, std::uint64_t codes, options const& o = {}) {
    auto p = with_values(n, 0, 0);
    p.ranges = {};
    p.narrow_codes = codes;
    p.most_keys = std::min(n, codes);
    return planned(p, n, o);
  };
  BOOST_TEST(narrow(8192, 256).taken == route::shared);
  BOOST_TEST(narrow(8191, 256).taken == route::sorted);
  // Where bins do not fit a block, a sort by 16 bits takes less.
  const std::uint64_t many = 3 << 20;
  for (std::uint64_t n : {std::uint64_t{8192}, std::uint64_t{1} << 19, many - 1}) {
    BOOST_TEST(narrow(n, 65536).taken == route::sorted);
    BOOST_TEST(!narrow(n, 65536).by_buckets);
    BOOST_TEST(narrow(n, 256).has_all_codes);
  }
  BOOST_TEST(narrow(many, 65536).dense.codes == 65536U);
  BOOST_TEST(narrow(many, 65536).has_all_codes);
  // Where a cap leaves no room for that, bins do with less, and the smallest cap that is named is
  // one that works.
  const auto less = options{}.max_temporary_bytes(narrow(million, 65536).bytes - 1);
  BOOST_TEST(narrow(million, 65536, less).taken == route::shared);
  BOOST_TEST(narrow(million, 65536, less).bytes <= less.max_temporary_bytes_);
  try {
    narrow(million, 65536, options{}.max_temporary_bytes(10));
    BOOST_ERROR("10 bytes are no memory");
  } catch (thrust_hist::memory_limit_error const& e) {
    const auto named = options{}.max_temporary_bytes(e.smallest());
    BOOST_TEST(narrow(million, 65536, named).bytes <= e.smallest());
  }
  // With less memory the fold does with less, down to the smallest cap, which is told where that is
  // forced.
  const auto forced = options{}.force(route::shared);
  const auto under = [&](std::size_t cap) {
    return narrow(million, 256, options{forced}.max_temporary_bytes(cap));
  };
  std::size_t smallest = 0;
  try {
    under(10);
  } catch (thrust_hist::memory_limit_error const& e) {
    smallest = e.smallest();
  }
  BOOST_TEST(smallest < 20000U);
  for (std::size_t cap : {smallest, smallest + 12345, narrow(million, 256).bytes})
    BOOST_TEST(under(cap).bytes == cap);
  BOOST_CHECK_THROW(under(smallest - 1), thrust_hist::memory_limit_error);
  // Then nobody looks at keys, where nothing is forced; and where there is no room, somebody may.
  for (std::size_t cap : {smallest, smallest - 1}) {
    auto p = with_values(million, 0, 0);
    p.ranges = {};
    p.narrow_codes = p.most_keys = 256;
    BOOST_TEST(
        have_places_unseen(p, h200, options{}.max_temporary_bytes(cap)) == (cap == smallest));
  }
}

BOOST_AUTO_TEST_SUITE_END()
