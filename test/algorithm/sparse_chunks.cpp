// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counts of chunks, put one behind the other and added up, are those of all of them at once.

#include "../support/containers.h"
#include "sparse_reals.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparse_chunks_setup {

template <class System, class Key>
void check_chunks(test::samples<Key> const& keys, test::rows<Key, std::uint64_t> const& expected) {
  using keys_of = test::vector_of<System, Key>;
  using counts_of = test::vector_of<System, std::uint64_t>;
  const keys_of in(keys.begin(), keys.end());
  std::vector<Key> rows;
  std::vector<std::uint64_t> counts;
  std::size_t begin = 0;
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3000}, keys.size() - 3001}) {
    keys_of unique;
    counts_of counted;
    const auto first = in.begin() + static_cast<std::ptrdiff_t>(begin);
    thrust_hist::sparse_histogram(
        System::policy(), first, first + static_cast<std::ptrdiff_t>(size), unique, counted);
    for (Key key : test::contents(unique))
      rows.push_back(key);
    for (std::uint64_t count : test::contents(counted))
      counts.push_back(count);
    begin += size;
  }
  BOOST_TEST(begin == keys.size());
  test::check_sparse<System>(
      test::samples<Key>(rows), test::samples<std::uint64_t>(counts), expected,
      [](auto from, auto last, auto with, auto to, auto out, auto const& o) {
        return thrust_hist::sparse_histogram_by_key(System::policy(), from, last, with, to, out, o);
      });
}

}  // namespace sparse_chunks_setup

BOOST_AUTO_TEST_SUITE(sparse_chunks, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace sparse_chunks_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(counts_of_integers_are_added_up, System, test::systems) {
  for (std::size_t distinct : {1, 500, 50000}) {
    const test::samples<std::uint64_t> keys(
        70001, [&](std::size_t i) { return i * 7919 % distinct * 0x9e3779b97f4a7c15U; });
    check_chunks<System>(keys, test::count_sorted<std::uint64_t>(keys));
  }
}

// Of chunks in the order of the input: NaN rows stay in it.
BOOST_AUTO_TEST_CASE_TEMPLATE(counts_of_reals_are_added_up, System, test::systems) {
  const auto keys = test::any_reals<double>(70000);
  check_chunks<System>(keys, test::count_reals(keys));
}

BOOST_AUTO_TEST_SUITE_END()
