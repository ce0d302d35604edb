// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Options and plans as values: defaults, chaining, printing.

#include "../support/boost_test.h"
#include <thrust_hist/options.h>

#include <sstream>
#include <type_traits>

BOOST_AUTO_TEST_SUITE(options_and_plans)

namespace {

using namespace thrust_hist;

template <class T>
std::string text(T const& x) {
  std::ostringstream stream;
  stream << x;
  return stream.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(options_are_an_aggregate_whose_default_changes_nothing) {
  static_assert(std::is_aggregate_v<options>);
  static_assert(std::is_trivially_copyable_v<options>);
  BOOST_TEST(text(options{}) == "options{}");
}

BOOST_AUTO_TEST_CASE(setters_chain_on_temporaries_and_on_named_objects) {
  std::uint64_t dropped = 0;
  plan what;
  const options chained = options{}
                              .accumulate()
                              .force(route::shared)
                              .explain(&what)
                              .check()
                              .max_temporary_bytes(1000)
                              .max_bins(17)
                              .dropped(&dropped)
                              .unordered();
  const std::string all = text(chained);
  for (char const* part :
       {".accumulate()", ".force(route::shared)", ".explain(", ".check()",
        ".max_temporary_bytes(1000)", ".max_bins(17)", ".dropped(", ".unordered()"})
    BOOST_TEST(all.find(part) != std::string::npos, all << " lacks " << part);

  options named;
  named.accumulate();
  named.max_bins(3);
  BOOST_TEST(text(named) == "options{}.accumulate().max_bins(3)");
}

BOOST_AUTO_TEST_CASE(setters_can_take_back_what_they_set) {
  options o = options{}.accumulate().check().force(route::global);
  o.accumulate(false).check(false).force(route::automatic).dropped(nullptr).explain(nullptr);
  BOOST_TEST(text(o) == "options{}");
}

BOOST_AUTO_TEST_CASE(options_are_usable_in_constant_expressions) {
  constexpr options o = options{}.accumulate().max_bins(5);
  static_assert(o.accumulate_ && o.max_bins_ == 5);
  BOOST_TEST(o.accumulate_);
}

BOOST_AUTO_TEST_CASE(every_route_has_a_name_of_its_own) {
  const std::pair<route, char const*> names[] = {
      {route::automatic, "automatic"},
      {route::serial, "serial"},
      {route::private_tables, "private_tables"},
      {route::registers, "registers"},
      {route::shared, "shared"},
      {route::shared_lanes, "shared_lanes"},
      {route::shared_packed, "shared_packed"},
      {route::shared_split, "shared_split"},
      {route::partitioned, "partitioned"},
      {route::global, "global"},
      {route::hashed, "hashed"},
      {route::sorted, "sorted"}};
  for (auto [r, name] : names)
    BOOST_TEST(text(r) == name);
}

BOOST_AUTO_TEST_CASE(a_plan_prints_as_a_sentence_with_all_that_it_holds) {
  plan p;
  p.taken = route::shared_packed;
  p.why = "16-bit counters fit where 32-bit ones do not";
  p.system = "cuda";
  p.blocks = 132;
  p.threads = 1024;
  p.shared_bytes = 131072;
  p.scratch_bytes = 4096;
  const std::string sentence = text(p);
  for (char const* part :
       {"cuda", "shared_packed", p.why.c_str(), "132", "1024", "131072", "4096", "exact"})
    BOOST_TEST(sentence.find(part) != std::string::npos, sentence << " lacks " << part);
  BOOST_TEST(sentence.find('\n') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_plan_of_a_host_system_says_nothing_of_blocks) {
  plan p;
  p.taken = route::private_tables;
  p.why = "a table for each worker";
  p.system = "omp";
  p.blocks = 2;
  p.threads = 1;
  p.scratch_bytes = 768;
  BOOST_TEST(
      text(p) == "omp: route private_tables (a table for each worker) on 2 threads, 768 bytes of "
                 "scratch, result exact");
}

BOOST_AUTO_TEST_SUITE_END()
