// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Places that are marked, in ascending order, in words of 4 and of 8 bytes.

#include "../support/checks.h"
#include <thrust_hist/system/cuda/marked_places.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace marked_places_setup {

using System = test::main_system;
using namespace thrust_hist::detail::cuda;

struct every {
  std::uint64_t nth;
  THRUST_HIST_HOST_DEVICE bool operator()(std::uint64_t i) const { return i % nth == nth / 2; }
};

template <class Word>
std::vector<std::uint64_t> words_from(std::uint64_t const* there, std::size_t size) {
  std::vector<Word> words(size);
  BOOST_REQUIRE(
      cudaMemcpy(words.data(), there, size * sizeof(Word), cudaMemcpyDefault) == cudaSuccess);
  return {words.begin(), words.end()};
}

void check_places(std::uint64_t n, every marks) {
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < n; ++i)
    if (marks(i))
      expected.push_back(i);
  auto policy = System::policy();
  call_memory<decltype(policy)> memory(policy);
  marked_places<decltype(policy)> places(memory);
  const std::uint64_t found = places.count(marks, n);
  BOOST_REQUIRE(found == expected.size());
  for (bool are_short : {false, true}) {
    held_array<std::uint64_t, decltype(policy)> words(memory);
    const place_list list = {words.take(std::max<std::uint64_t>(found, 1)), are_short};
    places.list(marks, n, list);
    const auto there = are_short ? words_from<std::uint32_t>(list.words(), found)
                                 : words_from<std::uint64_t>(list.words(), found);
    BOOST_TEST(test::difference(there, expected) == "");
  }
}

}  // namespace marked_places_setup

BOOST_AUTO_TEST_SUITE(marked_places_in_order, THRUST_HIST_TEST_SMALL)
using namespace marked_places_setup;

BOOST_AUTO_TEST_CASE(words_of_4_and_of_8_bytes) {
  constexpr std::uint64_t tile = marked_tile::size;
  for (std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile, tile + 1, 70 * tile + 3})
    for (std::uint64_t nth : {1, 2, 33, 5000})
      BOOST_TEST_CONTEXT("every " << nth << " of " << n) {
        check_places(n, {nth});
      }
}

BOOST_AUTO_TEST_SUITE_END()
