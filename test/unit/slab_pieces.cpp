// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pieces of slabs that are taken and given back: none overlaps another, and what is free is found.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/slab_pieces.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace slab_pieces_setup {

using thrust_hist::detail::cuda::slab;
using thrust_hist::detail::cuda::slab_pieces;

// Nobody touches the memory, so that there need be none.
inline char* address(std::size_t i) {
  static std::vector<char> all(std::size_t{1} << 20);
  return all.data() + i;
}

}  // namespace slab_pieces_setup

BOOST_AUTO_TEST_SUITE(slabs_and_pieces)
using namespace slab_pieces_setup;

BOOST_AUTO_TEST_CASE(a_slab_is_used_up_and_free_again) {
  slab_pieces p;
  BOOST_TEST(p.take(1) == nullptr);
  BOOST_TEST(p.remove_free().data == nullptr);
  p.add({address(0), 1024, 1}, true);
  BOOST_TEST((p.has(1024) && !p.has(1025)));
  char* const a = p.take(1);
  char* const b = p.take(512);
  char* const c = p.take(256);
  BOOST_TEST((a == address(0) && b == address(256) && c == address(768)));
  BOOST_TEST(p.take(1) == nullptr);
  p.give_back(b);
  BOOST_TEST((p.has(512) && !p.has(513)));
  p.give_back(a);
  BOOST_TEST(p.has(768));
  BOOST_TEST(p.remove_free().data == nullptr);  // the last piece is in use
  p.give_back(c);
  BOOST_TEST(p.has(1024));
  const slab gone = p.remove_free();
  BOOST_TEST((gone.data == address(0) && gone.bytes == 1024));
  BOOST_TEST(!p.has(1));
  BOOST_TEST(p.remove_free().data == nullptr);
}

BOOST_AUTO_TEST_CASE(neighbouring_slabs_are_not_joined) {
  slab_pieces p;
  p.add({address(0), 512, 1}, true);
  p.add({address(512), 512, 1}, true);
  BOOST_TEST(!p.has(513));
  char* const a = p.take(512);
  char* const b = p.take(512);
  p.give_back(b);
  p.give_back(a);
  BOOST_TEST(!p.has(513));
  BOOST_TEST((p.remove_free().bytes == 512 && p.remove_free().bytes == 512));
}

BOOST_AUTO_TEST_CASE(the_smallest_piece_that_fits_is_taken) {
  slab_pieces p;
  p.add({address(0), 4096, 1}, true);
  p.add({address(8192), 1024, 1}, true);
  BOOST_TEST(p.take(700) == address(8192));
  BOOST_TEST(p.take(300) == address(0));
}

// As a whole, of any size: it goes back as it came.
BOOST_AUTO_TEST_CASE(a_slab_may_be_one_piece) {
  slab_pieces p;
  p.add({address(100), 77, 7}, false);
  BOOST_TEST(p.take(1) == nullptr);
  BOOST_TEST(p.remove_free().data == nullptr);
  p.give_back(address(100));
  const slab gone = p.remove_free();
  BOOST_TEST((gone.data == address(100) && gone.bytes == 77 && gone.unit == 7));
}

BOOST_AUTO_TEST_CASE(no_piece_overlaps_another) {
  std::mt19937 rng(7);
  slab_pieces p;
  std::size_t added = 0, free_bytes = 0;
  std::vector<slab> used;
  for (int step = 0; step < 20000; ++step) {
    const std::size_t bytes = 1 + rng() % (rng() % 8 == 0 ? 9000 : 700);
    if (rng() % 5 < 3) {
      char* const begin = p.take(bytes);
      if (begin == nullptr) {
        BOOST_TEST(!p.has(slab_pieces::rounded(bytes)));
        if (added < 20) {
          p.add({address(added * 20480), 20480, 16}, true);
          ++added;
          free_bytes += 20480;
        }
        continue;
      }
      const std::size_t taken = slab_pieces::rounded(bytes);
      BOOST_TEST_REQUIRE(static_cast<std::size_t>(begin - address(0)) % 256 == 0);
      const std::size_t of_slab = static_cast<std::size_t>(begin - address(0)) % 20480;
      BOOST_TEST_REQUIRE(of_slab + taken <= 20480);
      for (slab const& other : used)
        BOOST_TEST_REQUIRE((begin + taken <= other.data || other.data + other.bytes <= begin));
      used.push_back({begin, taken, 1});
      free_bytes -= taken;
    } else if (!used.empty()) {
      const std::size_t i = rng() % used.size();
      p.give_back(used[i].data);
      free_bytes += used[i].bytes;
      used.erase(used.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  for (slab const& one : used) {
    p.give_back(one.data);
    free_bytes += one.bytes;
  }
  BOOST_TEST(free_bytes == added * 20480);
  std::size_t removed = 0;
  while (p.remove_free().data != nullptr)
    ++removed;
  BOOST_TEST(removed == added);
}

BOOST_AUTO_TEST_SUITE_END()
