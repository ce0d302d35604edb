// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the plan chooses for a grid of problems on three GPUs, as a table: a change of plan.h or of
// a threshold shows here what else it moved. Nothing says that the old line is better; who means
// the change writes the table anew (test_unit with
// THRUST_HIST_WRITE_GOLDEN=test/unit/plan_golden.txt) and commits what differs.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/plan.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(plans_of_a_grid_of_problems)

namespace {

using namespace thrust_hist;
using namespace thrust_hist::detail::cuda;

// A raw string, so that the program finds it wherever it runs.
constexpr char const* golden =
#include "plan_golden.txt"
    ;

struct pretended_gpu {
  char const* name;
  device_facts facts;
};
constexpr std::size_t mebibyte = 1024 * 1024;
constexpr pretended_gpu gpus[] = {
    {"H200", {132, 232448, 233472, 60 * mebibyte}},
    {"A100", {108, 166912, 167936, 40 * mebibyte}},
    {"4090", {128, 101376, 102400, 72 * mebibyte}}};
// 4 stands for all wider ones; keys are bins, side by side in memory.
constexpr char const* samples[] = {"1", "2", "4", "keys"};
constexpr std::uint64_t bin_counts[] = {
    1,      5,      16,     256,    257,     2048,    6007,    16384,   57344,   58112,   65536,
    112001, 200000, 232448, 232449, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 25, 1 << 26, 1 << 28};
constexpr std::uint64_t sample_counts[] = {1, 1 << 10, 1 << 16, 1 << 20, 1 << 22, 1 << 28, 1 << 30};

// Widths of the columns. The problem is the key of a line, the rest is what was chosen.
template <class... Columns>
std::string line(Columns const&... columns) {
  constexpr int widths[] = {4, 6, 10, 11, 13, 7, 7, 8, 6, 13, 12, 6};
  std::ostringstream text;
  int const* width = widths;
  ((text << std::setw(*width++) << columns << ' '), ...);
  std::string whole = text.str();
  return whole.erase(whole.find_last_not_of(' ') + 1);
}

std::string planned(
    pretended_gpu const& gpu, std::string const& sample, std::uint64_t bins, std::uint64_t n) {
  counting_problem problem = {n, bins, sample == "1", true, sample == "2"};
  problem.keys_in_memory = sample == "keys";
  try {
    const counting_plan p = plan_counting(problem, gpu.facts, options{});
    return line(
        gpu.name, sample, bins, n, to_string(p.taken), p.by_value ? "values" : "bins", p.blocks,
        p.threads, 1U << p.parts_log2, p.shared_bytes, p.scratch_bytes, p.buckets.tiles);
  } catch (std::exception const& refusal) {
    return line(gpu.name, sample, bins, n, "refused:") + " " + refusal.what();
  }
}

std::vector<std::string> planned_table() {
  std::vector<std::string> table{line(
      "GPU", "sample", "bins", "samples", "route", "counts", "blocks", "threads", "parts",
      "shared bytes", "scratch", "tiles")};
  for (pretended_gpu const& gpu : gpus)
    for (char const* const sample : samples)
      for (std::uint64_t bins : bin_counts)
        for (std::uint64_t n : sample_counts)
          table.push_back(planned(gpu, sample, bins, n));
  return table;
}

std::vector<std::string> golden_table() {
  std::istringstream text(golden);
  std::vector<std::string> table;
  for (std::string next; std::getline(text, next);)
    if (!next.empty())
      table.push_back(next);
  return table;
}

void write(std::vector<std::string> const& table, char const* path) {
  std::ofstream file(path);
  file << "R\"golden(\n";
  for (std::string const& row : table)
    file << row << '\n';
  file << ")golden\"\n";
  BOOST_TEST_REQUIRE(file.flush().good(), "cannot write " << path);
}

}  // namespace

BOOST_AUTO_TEST_CASE(are_those_of_plan_golden_txt) {
  const std::vector<std::string> now = planned_table(), before = golden_table();
  if (char const* const path = std::getenv("THRUST_HIST_WRITE_GOLDEN")) {
    write(now, path);
    BOOST_TEST_MESSAGE("written: " << path);
    return;
  }
  std::size_t differing = 0;
  std::string report;
  for (std::size_t i = 0; i < std::max(now.size(), before.size()); ++i) {
    const std::string is = i < now.size() ? now[i] : "", was = i < before.size() ? before[i] : "";
    if (is != was && ++differing <= 40)
      report += "\n- " + was + "\n+ " + is;
  }
  BOOST_TEST(
      differing == 0U, differing << " of " << now.size() << " lines differ:\n  " << now[0] << report
                                 << (differing > 40 ? "\n  ..." : "")
                                 << "\nIf that is meant: THRUST_HIST_WRITE_GOLDEN="
                                    "test/unit/plan_golden.txt build/test/test/test_unit "
                                    "--run_test=plans_of_a_grid_of_problems");
}

BOOST_AUTO_TEST_SUITE_END()
