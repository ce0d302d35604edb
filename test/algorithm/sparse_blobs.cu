// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values of any size and alignment by sparse keys on CUDA, folded by an operator without identity.

#include "../support/folds.h"
#include "../support/sparse.h"

#include <cstddef>
#include <vector>

namespace sparse_blobs_setup {

using System = test::main_system;

// Few keys, many, and one that has half of the values.
inline std::vector<test::samples<int>> key_lists(std::size_t n) {
  std::vector<test::samples<int>> lists;
  lists.emplace_back(n, [](std::size_t i) { return static_cast<int>(i * i % 300) - 150; });
  lists.emplace_back(n, [&](std::size_t i) { return static_cast<int>(i % (n / 2) * 0x9e3779b9U); });
  lists.emplace_back(n, [](std::size_t i) { return i % 2 == 0 ? -5 : static_cast<int>(i); });
  return lists;
}

template <std::size_t Size, std::size_t Alignment>
void check_blobs(std::size_t n) {
  using value = test::blob<Size, Alignment>;
  static_assert(sizeof(value) == Size && alignof(value) == Alignment);
  for (auto const& keys : key_lists(n))
    BOOST_TEST_CONTEXT("values of " << Size << " bytes")
  test::check_values<System, value>(
      keys, test::values_for<value>(keys, test::make_blob<value>), test::add_bytes{},
      test::add_bytes{});
}

}  // namespace sparse_blobs_setup

BOOST_AUTO_TEST_SUITE(sparse_blobs, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace sparse_blobs_setup;

BOOST_AUTO_TEST_CASE(values_of_any_size) {
  check_blobs<1, 1>(3001);
  check_blobs<12, 4>(3001);
  check_blobs<40, 8>(3001);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_blobs_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_blobs_setup;

BOOST_AUTO_TEST_CASE(many_small_values) {
  check_blobs<1, 1>(100003);
  check_blobs<3, 1>(100003);
  check_blobs<6, 2>(100003);
  check_blobs<7, 1>(100003);
  check_blobs<12, 4>(100003);
  check_blobs<17, 1>(100003);
}

BOOST_AUTO_TEST_CASE(many_large_values) {
  check_blobs<24, 8>(100003);
  check_blobs<40, 8>(100003);
  check_blobs<64, 16>(100003);
}

BOOST_AUTO_TEST_SUITE_END()
