// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which cases a benchmark measures, by its command line.

#include "../../perf/report.h"
#include "../support/boost_test.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(reports_of_the_benchmarks)

namespace {

perf::arguments arguments_of(std::vector<std::string> words) {
  std::vector<char*> argv;
  words.insert(words.begin(), "benchmark");
  for (std::string& word : words)
    argv.push_back(word.data());
  return {static_cast<int>(argv.size()), argv.data(), "", {}, {}};
}

/// Whether a case is to be measured; prints nothing.
bool wants(perf::report& rows, int bins, char const* distribution) {
  perf::row r;
  r("type", "f32")("bins", bins)("distribution", distribution);
  const bool wanted = rows.wants(r);
  r.drop();
  return wanted;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_cases_are_wanted_unless_the_command_line_says_otherwise) {
  perf::report rows(arguments_of({}));
  BOOST_TEST(wants(rows, 16, "uniform"));
  BOOST_TEST(!rows.stopped());
  BOOST_TEST(rows.status() == 0);
}

BOOST_AUTO_TEST_CASE(only_selects_by_a_part_of_the_words_of_a_case) {
  perf::report few(arguments_of({"--only", "bins=16 "}));
  BOOST_TEST(wants(few, 16, "uniform"));
  BOOST_TEST(!wants(few, 16384, "uniform"));
  perf::report last(arguments_of({"--only", "distribution=zipf "}));
  BOOST_TEST(wants(last, 16, "zipf"));
  BOOST_TEST(!wants(last, 16, "zipf_1.5"));
  perf::report two(arguments_of({"--only", " type=f32 bins=16 "}));
  BOOST_TEST(wants(two, 16, "zipf"));
}

BOOST_AUTO_TEST_CASE(cases_that_have_a_row_are_left_out) {
  const std::string path = "perf_report_rows.jsonl";
  std::ofstream(path) << R"({"type": "f32", "bins": 16, "distribution": "zipf", "ours": 1})"
                      << '\n';
  perf::report rows(arguments_of({"--rows", path}));
  std::remove(path.c_str());
  BOOST_TEST(!wants(rows, 16, "zipf"));
  BOOST_TEST(wants(rows, 16, "uniform"));
  BOOST_TEST(wants(rows, 160, "zipf"));
}

BOOST_AUTO_TEST_CASE(a_wrong_result_is_named_and_changes_the_exit_status) {
  perf::report rows(arguments_of({}));
  perf::row right, wrong;
  rows.judge(right, true);
  BOOST_TEST(right.members() == R"("equal": true)");
  BOOST_TEST(rows.status() == 0);
  rows.judge(wrong, false);
  BOOST_TEST(wrong.members() == R"("equal": false, "result": "WRONG")");
  BOOST_TEST(rows.status() == 1);
  right.drop();
  wrong.drop();
}

BOOST_AUTO_TEST_CASE(an_exception_is_a_row_and_changes_the_exit_status) {
  perf::report rows(arguments_of({}));
  perf::row r;
  rows.failed(r, R"(no "room")");
  BOOST_TEST(r.members() == R"("failed": "no 'room'")");
  BOOST_TEST(rows.status() == 1);
  r.drop();
}

BOOST_AUTO_TEST_SUITE_END()
