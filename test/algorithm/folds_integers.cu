// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of integers on CUDA, of every width, into outputs of the same and other types.

#include "fold_cases.h"

#include <limits>
#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(folds_integers, THRUST_HIST_TEST_SMALL_LOCKS)

namespace {

template <class V, class A>
using from_to = std::pair<V, A>;
using sums = std::tuple<
    from_to<std::int8_t, std::int8_t>, from_to<std::uint8_t, std::uint64_t>,
    from_to<std::int16_t, std::int16_t>, from_to<std::int32_t, std::int32_t>,
    from_to<std::uint32_t, std::int64_t>, from_to<std::int64_t, std::uint32_t>,
    from_to<std::uint64_t, std::uint64_t>>;

// Any, the least and the greatest: sums wrap.
template <class V>
test::samples<V> integers(std::size_t n) {
  return test::samples<V>(n, [](std::size_t i) {
    return i % 7 == 0   ? std::numeric_limits<V>::min()
           : i % 7 == 1 ? std::numeric_limits<V>::max()
                        : static_cast<V>(test::scrambled(i));
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_wrap_and_never_lose_a_carry, Types, sums) {
  using V = typename Types::first_type;
  using A = typename Types::second_type;
  for (auto d :
       {test::distribution::uniform, test::distribution::constant, test::distribution::runs})
    for (std::int64_t bins : {1, 19, 1000}) {
      BOOST_TEST_CONTEXT(
          test::name_of(d) << ", " << bins << " bins, " << sizeof(V) << " to " << sizeof(A)
                           << " bytes")
      BOOST_TEST(
          test::check_fold<A>(
              test::keys_of(d, 50021, static_cast<std::uint64_t>(bins)), integers<V>(50021),
              bins) >= 2);
    }
}

BOOST_AUTO_TEST_SUITE_END()
