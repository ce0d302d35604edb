// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exceptions as values, and what rules throw where they are made.

#include "../support/boost_test.h"
#include "../support/messages.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/errors.h>

#include <limits>

BOOST_AUTO_TEST_SUITE(errors)

namespace {

using namespace thrust_hist;
using test::throws;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BOOST_AUTO_TEST_CASE(a_mismatch_holds_the_bin_and_both_counts) {
  const mismatch_error error(17, "3", "4");
  BOOST_TEST(error.bin() == 17);
  BOOST_TEST(error.expected() == "3");
  BOOST_TEST(error.got() == "4");
  for (char const* part : {"17", "3", "4"})
    BOOST_TEST(std::string(error.what()).find(part) != std::string::npos);
  std::runtime_error const& base = error;
  BOOST_TEST(base.what() != "");
}

BOOST_AUTO_TEST_CASE(a_memory_limit_names_the_smallest_cap_that_works) {
  const memory_limit_error error(100, 4096);
  BOOST_TEST(error.smallest() == 4096U);
  BOOST_TEST(std::string(error.what()).find("4096") != std::string::npos);
  BOOST_TEST(std::string(error.what()).find("100") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(rules_name_a_negative_number_of_bins) {
  BOOST_TEST(throws([] { identity_bins(-1); }, "num_bins", "-1"));
  BOOST_TEST(throws([] { even_bins(-7, 0, 1); }, "num_bins", "-7"));
  BOOST_TEST(throws([] { make_bins(-2, [](int x) { return x; }); }, "num_bins", "-2"));
  BOOST_TEST(throws([] { log_edges(-3, 1., 2.); }, "num_bins", "-3"));
  BOOST_TEST(throws([] { identity_bins(std::int8_t{-128}); }, "num_bins", "-128"));
  BOOST_TEST(
      throws([] { (void)identity_bins(std::numeric_limits<std::uint64_t>::max()); }, "num_bins"));
}

BOOST_AUTO_TEST_CASE(even_bins_name_levels_out_of_order) {
  BOOST_TEST(throws([] { even_bins(4, 5, 3); }, "lower = 5", "upper = 3"));
  BOOST_TEST(throws([] { even_bins(4, 5, 5); }, "lower = 5", "upper = 5"));
  BOOST_TEST(throws([] { even_bins(4, 0.5, 0.25F); }, "lower = 0.5", "upper = 0.25"));
  BOOST_TEST(throws([] { even_bins(4, 0U, -1); }, "lower = 0", "upper = -1"));
  BOOST_TEST(throws([] { even_bins(4, std::uint64_t{1} << 63, INT64_MIN); }, "lower", "upper"));
  BOOST_TEST(throws([] { even_bins(4, 3, 2.5); }, "lower = 3", "upper = 2.5"));
  BOOST_TEST(throws([] { even_bins(0, 5, 3); }, "lower", "upper"));
  BOOST_TEST(throws([] { even_bins(4, 5, 3, upper_edge::inclusive); }, "lower", "upper"));
  BOOST_CHECK_NO_THROW(even_bins(4, 5, 5, upper_edge::inclusive));
  BOOST_CHECK_NO_THROW(even_bins(4, 2.5, 2.5, upper_edge::inclusive));
  BOOST_CHECK_NO_THROW(even_bins(4, -1, 256U));
}

BOOST_AUTO_TEST_CASE(levels_of_mixed_types_are_judged_at_their_value) {
  const std::int64_t big = (std::int64_t{1} << 53) + 1;
  BOOST_CHECK_NO_THROW(even_bins(1, 0x1p53, big));
  BOOST_TEST(throws([&] { even_bins(1, big, 0x1p53); }, "lower", "upper"));
  BOOST_CHECK_NO_THROW(even_bins(1, INT64_MAX, 0x1p63));
  BOOST_CHECK_NO_THROW(even_bins(1, UINT64_MAX, 0x1p64));
  BOOST_TEST(throws([] { even_bins(1, 0x1p64, UINT64_MAX); }, "lower", "upper"));
}

BOOST_AUTO_TEST_CASE(even_bins_name_levels_that_are_not_finite) {
  BOOST_TEST(throws([] { even_bins(4, -infinity, 0); }, "lower", "inf"));
  BOOST_TEST(throws([] { even_bins(4, 0, infinity); }, "upper", "inf"));
  BOOST_TEST(throws([] { even_bins(4, not_a_number, 1.); }, "lower", "nan"));
  BOOST_TEST(throws([] { even_bins(4, 0.F, static_cast<float>(not_a_number)); }, "upper", "nan"));
}

BOOST_AUTO_TEST_CASE(range_bins_need_an_edge) {
  const int none = 0;
  BOOST_TEST(throws([&] { range_bins(&none, &none); }, "edges"));
}

BOOST_AUTO_TEST_CASE(logarithmic_edges_need_positive_finite_levels_in_order) {
  BOOST_TEST(throws([] { log_edges(3, 0., 1.); }, "lower = 0"));
  BOOST_TEST(throws([] { log_edges(3, -1., 1.); }, "lower = -1"));
  BOOST_TEST(throws([] { log_edges(3, 2., 1.); }, "lower = 2", "upper = 1"));
  BOOST_TEST(throws([] { log_edges(3, 1., infinity); }, "upper", "inf"));
  BOOST_TEST(throws([] { log_edges(3, not_a_number, 1.); }, "lower", "nan"));
}

BOOST_AUTO_TEST_SUITE_END()
