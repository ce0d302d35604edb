// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys of types of the user's on CUDA, with good hashes and with bad ones.

#include "../support/containers.h"
#include "../support/folds.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparse_structs_setup {

using System = test::main_system;

// A key of Size times T without padding. Where `kinds` is 0, hashes are good.
template <class T, std::size_t Size>
struct pieces {
  T piece[Size];
};
struct hash_pieces {
  std::uint64_t kinds;
  template <class Key>
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(Key const& key) const {
    std::uint64_t hash = 0;
    for (auto const& piece : key.piece)
      hash = hash * 1000003 + static_cast<std::uint64_t>(piece);
    return kinds == 0 ? hash : hash % kinds;
  }
};
struct same_pieces {
  template <class Key>
  THRUST_HIST_HOST_DEVICE bool operator()(Key const& a, Key const& b) const {
    for (std::size_t i = 0; i < sizeof a.piece / sizeof a.piece[0]; ++i)
      if (a.piece[i] != b.piece[i])
        return false;
    return true;
  }
};
// The last piece first: an order that no bits have.
struct less_pieces {
  template <class Key>
  THRUST_HIST_HOST_DEVICE bool operator()(Key const& a, Key const& b) const {
    for (std::size_t i = sizeof a.piece / sizeof a.piece[0]; i-- > 0;)
      if (a.piece[i] != b.piece[i])
        return a.piece[i] < b.piece[i];
    return false;
  }
};
using operators = thrust_hist::key_operators<hash_pieces, same_pieces, less_pieces>;

// All zeros and all ones are keys like any others.
template <class Key>
test::samples<Key> keys_of_pieces(std::size_t n, std::size_t distinct) {
  using piece = std::decay_t<decltype(Key{}.piece[0])>;
  return test::samples<Key>(n, [&](std::size_t i) {
    Key key{};
    const std::size_t which = i * 7919 % distinct;
    std::size_t j = 0;
    for (piece& p : key.piece)
      p = static_cast<piece>(which < 2 ? -static_cast<int>(which) : which * 37 >> 5 * j++);
    return key;
  });
}

template <class Key>
void check_keys(std::size_t n, std::uint64_t kinds) {
  for (std::size_t distinct : {std::size_t{2}, std::size_t{700}, n})
    BOOST_TEST_CONTEXT("keys of " << sizeof(Key) << " bytes, " << kinds << " hashes") {
      const auto keys = keys_of_pieces<Key>(n, distinct);
      const auto expected = test::reduce_sorted<unsigned>(
          keys, std::vector<int>(n, 1), less_pieces{}, test::by_plus{});
      test::check_sparse<System>(
          keys, keys, expected, [&](auto first, auto last, auto, auto to, auto out, auto const& o) {
            return thrust_hist::sparse_histogram(
                System::policy(), first, last, to, out, operators{{kinds}, {}, {}}, o);
          });
    }
}

using of_3_bytes = pieces<std::uint8_t, 3>;
using of_12_bytes = pieces<std::int32_t, 3>;
using of_16_bytes = pieces<std::uint64_t, 2>;

// Reals in an order of the user's, and a key that nobody makes from nothing.
struct hash_of_real {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(float x) const {
    return static_cast<std::uint64_t>(x * 4 + 100);
  }
};
struct same_real {
  THRUST_HIST_HOST_DEVICE bool operator()(float a, float b) const { return a == b; }
};
struct greater_real {
  THRUST_HIST_HOST_DEVICE bool operator()(float a, float b) const { return b < a; }
};
struct named {
  THRUST_HIST_HOST_DEVICE explicit named(int n) : name(n) {}
  int name;
};
struct to_named {
  THRUST_HIST_HOST_DEVICE named operator()(int n) const { return named(n % 7); }
};
struct hash_of_name {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(named const& x) const {
    return static_cast<std::uint64_t>(x.name);
  }
};
struct same_name {
  THRUST_HIST_HOST_DEVICE bool operator()(named const& a, named const& b) const {
    return a.name == b.name;
  }
};
struct less_name {
  THRUST_HIST_HOST_DEVICE bool operator()(named const& a, named const& b) const {
    return a.name < b.name;
  }
};

}  // namespace sparse_structs_setup

BOOST_AUTO_TEST_SUITE(sparse_structs, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace sparse_structs_setup;

BOOST_AUTO_TEST_CASE(keys_of_the_users) {
  for (std::uint64_t kinds : {0, 1, 50}) {
    check_keys<of_3_bytes>(1500, kinds);
    check_keys<of_12_bytes>(1500, kinds);
    check_keys<of_16_bytes>(1500, kinds);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_structs_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_structs_setup;

BOOST_AUTO_TEST_CASE(many_keys_of_the_users) {
  check_keys<of_3_bytes>(300007, 0);
  check_keys<of_12_bytes>(300007, 0);
  check_keys<of_16_bytes>(300007, 0);
}

BOOST_AUTO_TEST_CASE(keys_that_collide_cost_time_only) {
  for (std::uint64_t kinds : {1, 50}) {
    check_keys<of_3_bytes>(70001, kinds);
    check_keys<of_12_bytes>(70001, kinds);
    check_keys<of_16_bytes>(70001, kinds);
  }
}

BOOST_AUTO_TEST_CASE(values_of_keys_of_the_users) {
  for (std::uint64_t kinds : {0, 1}) {
    const auto keys = keys_of_pieces<of_12_bytes>(70001, 5000);
    const test::samples<double> values(keys.size(), [](std::size_t i) { return i % 1001 - 500.0; });
    test::check_sparse<System>(
        keys, values, test::reduce_sorted<double>(keys, values, less_pieces{}, test::by_plus{}),
        [&](auto first, auto last, auto with, auto to, auto out, auto const& o) {
          return thrust_hist::sparse_histogram_by_key(
              System::policy(), first, last, with, to, out, operators{{kinds}, {}, {}}, o);
        });
  }
}

BOOST_AUTO_TEST_CASE(reals_in_an_order_of_the_users) {
  const thrust::host_vector<float> list = std::vector<float>{0.5F, -2, 8, -2, 0.5F, 0.5F};
  const test::vector_of<System, float> keys = list;
  test::vector_of<System, float> unique;
  test::vector_of<System, int> counts;
  thrust_hist::sparse_histogram(
      System::policy(), keys.begin(), keys.end(), unique, counts,
      thrust_hist::key_operators<hash_of_real, same_real, greater_real>{});
  BOOST_TEST(test::contents(unique) == (std::vector<float>{8, 0.5F, -2}));
  BOOST_TEST(test::contents(counts) == (std::vector<int>{1, 3, 2}));
}

BOOST_AUTO_TEST_CASE(keys_without_default_constructor) {
  auto const first = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), to_named{});
  test::vector_of<System, int> names(7);
  test::vector_of<System, int> counts(7);
  auto* const out = reinterpret_cast<named*>(thrust::raw_pointer_cast(names.data()));
  auto const ends = thrust_hist::sparse_histogram(
      System::policy(), first, first + 16, out, thrust::raw_pointer_cast(counts.data()),
      thrust_hist::key_operators<hash_of_name, same_name, less_name>{});
  BOOST_TEST(ends.first - out == 7);
  BOOST_TEST(test::contents(names) == (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  BOOST_TEST(test::contents(counts) == (std::vector<int>{3, 3, 2, 2, 2, 2, 2}));
}

BOOST_AUTO_TEST_SUITE_END()
