// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory that is kept: what serves again, what goes back, and where the limit is.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/kept_slabs.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace kept_slabs_setup {

constexpr std::size_t mega = std::size_t{1} << 20;

// Hands out addresses that nobody touches, and knows which are out.
struct ledger {
  std::map<char*, std::size_t> out;
  std::size_t taken = 0;
  std::size_t left = ~std::size_t{};

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (auto const& slab : out)
      sum += slab.second;
    return sum;
  }
};
struct source {
  ledger* l;

  char* take(std::size_t bytes) const {
    if (bytes > l->left)
      return nullptr;
    char* const memory = reinterpret_cast<char*>((++l->taken) << 32);
    l->out[memory] = bytes;
    return memory;
  }
  void give_back(char* memory) const { l->out.erase(memory); }
};
using kept = thrust_hist::detail::cuda::kept_slabs<source>;

}  // namespace kept_slabs_setup

BOOST_AUTO_TEST_SUITE(kept_memory_of_calls)
using namespace kept_slabs_setup;

BOOST_AUTO_TEST_CASE(what_is_given_back_serves_again) {
  ledger l;
  kept k({&l}, 64 * mega);
  BOOST_TEST(k.bytes() == 0U);
  char* const a = k.take(1000);
  char* const b = k.take(mega);
  BOOST_TEST((a != nullptr && b != nullptr && a != b));
  BOOST_TEST(l.taken == 1U);
  BOOST_TEST(k.bytes() == 2 * mega);
  k.give_back(a, 1000);
  k.give_back(b, mega);
  char* const c = k.take(2 * mega);
  BOOST_TEST((c == a));
  BOOST_TEST(l.taken == 1U);
  k.give_back(c, 2 * mega);
}

BOOST_AUTO_TEST_CASE(idle_slabs_that_are_too_small_go_back) {
  ledger l;
  kept k({&l}, 64 * mega);
  k.give_back(k.take(3 * mega), 3 * mega);
  char* const b = k.take(5 * mega);
  BOOST_TEST((l.out.size() == 1 && l.bytes() == 6 * mega && k.bytes() == 6 * mega));
  char* const c = k.take(7 * mega);  // the other one is in use
  BOOST_TEST((l.out.size() == 2 && l.bytes() == 14 * mega && k.bytes() == 14 * mega));
  k.give_back(b, 5 * mega);
  k.give_back(c, 7 * mega);
  BOOST_TEST((k.take(9 * mega) != nullptr));
  BOOST_TEST((l.out.size() == 1 && k.bytes() == 10 * mega));
}

// Else the small piece of a call would stand in the way of its large one, call after call.
BOOST_AUTO_TEST_CASE(small_pieces_do_not_break_large_slabs) {
  ledger l;
  kept k({&l}, 64 * mega);
  k.give_back(k.take(60 * mega), 60 * mega);
  char* const small = k.take(mega);
  char* const large = k.take(60 * mega);
  BOOST_TEST((small != nullptr && large != nullptr));
  BOOST_TEST((l.taken == 2U && k.bytes() == 62 * mega));
  char* const other = k.take(mega);  // of the same slab
  BOOST_TEST((other != nullptr && l.taken == 2U));
  k.give_back(small, mega);
  k.release();
  BOOST_TEST(k.bytes() == 62 * mega);  // all are in use
  k.give_back(large, 60 * mega);
  k.release();
  BOOST_TEST(k.bytes() == 2 * mega);
  k.give_back(other, mega);
  k.release();
  BOOST_TEST((k.bytes() == 0U && l.out.empty()));
}

// As above, where the small piece has a few megabytes.
BOOST_AUTO_TEST_CASE(large_slabs_are_not_cut_for_little) {
  ledger l;
  kept k({&l}, 318 * mega);
  k.give_back(k.take(200 * mega), 200 * mega);
  for (int call = 0; call < 3; ++call) {
    char* const little = k.take(4 * mega);
    char* const large = k.take(200 * mega);
    BOOST_TEST((little != nullptr && large != nullptr));
    k.give_back(little, 4 * mega);
    k.give_back(large, 200 * mega);
  }
  BOOST_TEST((l.taken == 2U && k.bytes() == 204 * mega));
}

BOOST_AUTO_TEST_CASE(large_slabs_are_cut_for_little_where_there_is_no_other_room) {
  ledger l;
  kept k({&l}, 202 * mega);
  k.give_back(k.take(200 * mega), 200 * mega);
  BOOST_TEST((k.take(4 * mega) != nullptr));
  BOOST_TEST((l.taken == 1U && k.bytes() == 200 * mega));
}

BOOST_AUTO_TEST_CASE(an_idle_small_slab_stays_where_a_large_one_fits_beside_it) {
  ledger l;
  kept k({&l}, 64 * mega);
  k.give_back(k.take(mega), mega);
  k.give_back(k.take(62 * mega), 62 * mega);
  BOOST_TEST((k.bytes() == 64 * mega && l.taken == 2U));
}

// Whatever the order in which pieces are taken from the two slabs that were made for them, each
// finds room.
BOOST_AUTO_TEST_CASE(pieces_of_two_slabs_are_not_mistaken_for_each_other) {
  using thrust_hist::detail::cuda::bytes_to_keep;
  using thrust_hist::detail::cuda::slab_pieces;
  BOOST_TEST(bytes_to_keep(10, {}) == 0U);
  BOOST_TEST(bytes_to_keep(10, {4, 0, 6}) == 10U);
  BOOST_TEST(bytes_to_keep(10, {11}) == 0U);
  BOOST_TEST(bytes_to_keep(318, {268, 271, 1}) == 269U);
  BOOST_TEST(bytes_to_keep(318, {134, 134, 1, 255}) == 0U);
  std::mt19937 random(1);
  int both = 0;
  for (int turn = 0; turn < 20000; ++turn) {
    std::vector<std::size_t> sizes(4);
    std::size_t all = 0;
    for (std::size_t& size : sizes) {
      size = (1 + random() % (random() % 2 == 0 ? 100 : 8)) * slab_pieces::alignment;
      all += size;
    }
    const std::size_t room = random() % 200 * slab_pieces::alignment;
    const std::size_t first = bytes_to_keep(room, {sizes[0], sizes[1], sizes[2], sizes[3]});
    BOOST_TEST_REQUIRE((first <= room && first <= all));
    both += first > 0 && first < all;
    slab_pieces pieces;
    if (first > 0)
      pieces.add({reinterpret_cast<char*>(std::size_t{1} << 40), first, 1}, true);
    if (first < all)
      pieces.add({reinterpret_cast<char*>(std::size_t{2} << 40), all - first, 1}, true);
    std::shuffle(sizes.begin(), sizes.end(), random);
    for (std::size_t size : sizes)
      BOOST_TEST_REQUIRE((pieces.take(size) != nullptr));
  }
  BOOST_TEST(both > 1000);
}

BOOST_AUTO_TEST_CASE(nothing_is_kept_above_the_limit) {
  ledger l;
  kept k({&l}, 9 * mega - 1);  // four small slabs
  BOOST_TEST(k.limit() == 8 * mega);
  k.give_back(k.take(3 * mega), 3 * mega);
  BOOST_TEST((k.take(8 * mega + 1) == nullptr));
  BOOST_TEST((k.take(~std::size_t{}) == nullptr));
  BOOST_TEST(k.bytes() == 4 * mega);  // what is too much for it is no reason to give anything back
  char* const a = k.take(8 * mega);
  BOOST_TEST((a != nullptr && k.bytes() == 8 * mega));
  BOOST_TEST((k.take(1) == nullptr));
  k.give_back(a, 8 * mega);
  BOOST_TEST((k.take(1) != nullptr));  // instead of the idle large one
  BOOST_TEST(k.bytes() == 2 * mega);
}

BOOST_AUTO_TEST_CASE(idle_small_slabs_do_not_stand_in_the_way_of_a_large_one) {
  ledger l;
  kept k({&l}, 16 * mega);
  std::vector<char*> pieces;
  for (int i = 0; i < 8; ++i)
    pieces.push_back(k.take(2 * mega));
  BOOST_TEST((l.out.size() == 8 && k.take(3 * mega) == nullptr));
  BOOST_TEST(k.room() == 0U);
  k.give_back(pieces[0], 2 * mega);
  BOOST_TEST(k.room() == 2 * mega);
  BOOST_TEST((l.out.size() == 8 && k.take(3 * mega) == nullptr));
  BOOST_TEST(l.out.size() == 8U);  // for nothing nothing goes back
  for (int i = 1; i < 7; ++i)
    k.give_back(pieces[static_cast<std::size_t>(i)], 2 * mega);
  BOOST_TEST((k.take(14 * mega) != nullptr));
  BOOST_TEST((l.out.size() == 2 && k.bytes() == 16 * mega));
}

BOOST_AUTO_TEST_CASE(without_memory_there_is_no_piece) {
  ledger l;
  kept k({&l}, 64 * mega);
  k.give_back(k.take(3 * mega), 3 * mega);
  l.left = 0;
  BOOST_TEST((k.take(8 * mega) == nullptr));
  BOOST_TEST((k.bytes() == 0 && l.out.empty()));
  l.left = 8 * mega;
  BOOST_TEST((k.take(8 * mega) != nullptr));
}

BOOST_AUTO_TEST_CASE(no_piece_overlaps_another_and_each_lies_in_a_slab) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    ledger l;
    constexpr std::size_t most = 50 * mega;
    kept k({&l}, most);
    std::vector<std::pair<char*, std::size_t>> pieces;
    for (int step = 0; step < 300; ++step) {
      if (random() % 2 == 0 && !pieces.empty()) {
        std::swap(pieces[random() % pieces.size()], pieces.back());
        k.give_back(pieces.back().first, pieces.back().second);
        pieces.pop_back();
      } else {
        const std::size_t bytes = 1 + random() % (mega << random() % 5);
        char* const piece = k.take(bytes);
        if (piece != nullptr)
          pieces.push_back({piece, bytes});
      }
      if (random() % 50 == 0)
        k.release();
      std::sort(pieces.begin(), pieces.end());
      bool apart = true, inside = true;
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        apart = apart && (i == 0 || pieces[i - 1].first + pieces[i - 1].second <= pieces[i].first);
        auto slab = l.out.upper_bound(pieces[i].first);
        inside = inside && slab != l.out.begin();
        if (inside) {
          --slab;
          inside = pieces[i].first + pieces[i].second <= slab->first + slab->second;
        }
      }
      BOOST_TEST_CONTEXT("seed " << seed << ", step " << step) {
        BOOST_TEST_REQUIRE((apart && inside));
        BOOST_TEST_REQUIRE((k.bytes() == l.bytes() && k.bytes() <= most));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
