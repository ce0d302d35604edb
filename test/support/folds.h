// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Folds on one system, by every route, compared bit by bit with a loop over the pairs.

#include "checks.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

// A value of any size and alignment, whose bytes are added one by one.
template <std::size_t Size, std::size_t Alignment = 1>
struct alignas(Alignment) blob {
  unsigned char byte[Size];

  friend bool operator==(blob const& a, blob const& b) {
    return std::memcmp(a.byte, b.byte, Size) == 0;
  }
};
template <class Blob>
Blob make_blob(std::size_t seed) {
  Blob b{};
  for (std::size_t i = 0; i < sizeof b.byte; ++i)
    b.byte[i] = static_cast<unsigned char>(seed * 31 + i * (seed % 7));
  return b;
}
struct add_bytes {
  template <class Blob>
  THRUST_HIST_HOST_DEVICE Blob operator()(Blob a, Blob const& b) const {
    for (std::size_t i = 0; i < sizeof a.byte; ++i)
      a.byte[i] = static_cast<unsigned char>(a.byte[i] + b.byte[i]);
    return a;
  }
};

// The value and where it was: the smallest place of the largest value. Fields in no good order.
struct best {
  std::uint16_t weight;
  double value;
  std::uint32_t place;
};
struct pick_best {
  THRUST_HIST_HOST_DEVICE best operator()(best const& a, best const& b) const {
    return a.value > b.value || (!(b.value > a.value) && a.place <= b.place) ? a : b;
  }
};

// Pairs folded one after the other.
template <class A, class Keys, class Values, class Op>
std::vector<A> fold(Keys const& keys, Values const& values, bin bins, A identity, Op op) {
  std::vector<A> folded(static_cast<std::size_t>(bins), identity);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto key = static_cast<bin>(keys[i]);
    if (key >= 0 && key < bins)
      folded[static_cast<std::size_t>(key)] = op(folded[static_cast<std::size_t>(key)], values[i]);
  }
  return folded;
}

// Whether a route may say no: one thread has one table, and a GPU may lack what a route needs.
template <class System>
bool fold_may_be_refused(thrust_hist::route forced) {
  using thrust_hist::route;
  if (System::is_cuda)
    return forced != route::automatic;
  return !System::is_parallel && (forced == route::private_tables || forced == route::partitioned);
}

// `call(keys, values, out, options)` with pointers, by every route of a system.
template <class System, class A, class Key, class Value, class Call>
void check_fold(
    samples<Key> const& keys, samples<Value> const& values, std::vector<A> const& expected,
    Call const& call) {
  auto keys_there = buffer_of<System>(keys);
  auto values_there = buffer_of<System>(values);
  Key const* const first = keys_there.data();
  Value const* const with = values_there.data();
  for (thrust_hist::route forced : System::every_route())
    BOOST_TEST_CONTEXT(
        "route " << forced << ", " << keys.size() << " pairs, " << expected.size() << " bins") {
      output<System, A> out(expected.size());
      try {
        A* const end = call(
            first, first + keys.size(), with, out.data(), thrust_hist::options{}.force(forced));
        BOOST_TEST(end - out.data() == static_cast<std::ptrdiff_t>(expected.size()));
        out.check_equals(expected);
      } catch (std::invalid_argument const& refusal) {
        const std::string why = refusal.what();
        BOOST_TEST(why.find(thrust_hist::to_string(forced)) != std::string::npos, why);
        BOOST_TEST(fold_may_be_refused<System>(forced), why);
        out.check_untouched();
      }
    }
}

// Keys of which some have no bin, and the values beside them.
inline samples<int> keys_for(std::size_t n, bin bins, distribution d = distribution::uniform) {
  const keys k = generate(d, n, static_cast<std::uint64_t>(bins) + 3, n + 7);
  return samples<int>(n, [&](std::size_t i) { return static_cast<std::int64_t>(k[i]) - 1; });
}

}  // namespace test
