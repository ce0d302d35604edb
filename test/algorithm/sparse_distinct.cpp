// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// Keys most of which are distinct, as many as make the host systems do something else: up to 256
// are sorted on the stack, a look at some decides for more, from 2^16 on there are workers, and
// parts above 4 MiB.

#include "../support/folds.h"
#include "../support/sparse.h"
#include "sparse_exact.h"
#include "sparse_reals.h"
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(sparse_distinct, THRUST_HIST_TEST_LARGE)

namespace {

using test::check_sparse_counts;
using test::count_sorted;
using thrust_hist::options;
using thrust_hist::detail::mix_code;

constexpr std::size_t sizes[] = {1, 2, 100, 255, 256, 257, 1000, 10000, 65535, 65536};

// Each about so often.
template <class Key>
test::samples<Key> keys_of(std::size_t n, std::size_t often = 1) {
  return test::samples<Key>(n, [&](std::size_t i) {
    const std::uint64_t random = mix_code(i / often + 1);
    if constexpr (sizeof(Key) > 8)
      return static_cast<Key>(static_cast<Key>(random) << (i % 2 * 60) ^ static_cast<Key>(random));
    else
      return static_cast<Key>(random);
  });
}

template <class System, class Key>
void check_counts() {
  for (std::size_t n : sizes)
    BOOST_TEST_CONTEXT(n << " keys") {
      for (std::size_t often : {1, 7}) {
        const auto keys = keys_of<Key>(n, often);
        check_sparse_counts<System>(keys, count_sorted<unsigned>(keys));
      }
    }
}

// Sums of 64 bits of the numbers of the inputs.
template <class System, class Key>
void check_sums(std::size_t n) {
  const auto keys = keys_of<Key>(n, 2);
  const test::samples<std::uint32_t> values(n, [](std::size_t i) { return i * 2654435761U; });
  test::check_sparse<System>(
      keys, values,
      test::reduce_sorted<std::uint64_t>(keys, values, test::by_less{}, test::by_plus{}),
      [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return thrust_hist::sparse_histogram_by_key(
            System::policy(), first, last, with, to, out, o);
      });
}

template <class Real>
test::samples<Real> reals_with_nan(std::size_t n) {
  const auto nan = [](std::size_t i) {
    return test::from_bits<Real>(test::infinity_bits<Real>() + 1 + i % 100);
  };
  return test::samples<Real>(n, [&](std::size_t i) {
    return i % 37 == 5 ? nan(i) : static_cast<Real>(mix_code(i / 2) >> 40) - Real(5000000);
  });
}

struct refusing {
  int refused;
  int operator()(int a, int b) const {
    if (a == refused || b == refused)
      throw std::runtime_error("refused");
    return a + b;
  }
};

// What it has been made to hold.
template <class T>
struct recorded : std::vector<T> {
  std::size_t most = 0;
  void resize(std::size_t size) {
    most = (std::max)(most, size);
    std::vector<T>::resize(size);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(counts_of_every_width, System, test::systems) {
  check_counts<System, std::uint32_t>();
  check_counts<System, std::int64_t>();
}

BOOST_AUTO_TEST_CASE(counts_of_every_type) {
  using System = test::main_system;
  check_counts<System, char>();
  check_counts<System, signed char>();
  check_counts<System, std::int16_t>();
  check_counts<System, std::uint16_t>();
  check_counts<System, int>();
  check_counts<System, std::uint64_t>();
  check_counts<System, test::int128>();
  check_counts<System, test::uint128>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums, System, test::systems) {
  for (std::size_t n : sizes) {
    check_sums<System, std::uint16_t>(n);
    check_sums<System, std::uint32_t>(n);
    check_sums<System, std::int64_t>(n);
  }
}

// In one part, and in more.
BOOST_AUTO_TEST_CASE_TEMPLATE(millions, System, test::systems) {
  for (std::size_t n : {(std::size_t{1} << 20), (std::size_t{1} << 20) + 1}) {
    const auto keys = keys_of<std::uint32_t>(n);
    check_sparse_counts<System>(keys, count_sorted<unsigned>(keys));
  }
  check_sums<System, std::uint64_t>((std::size_t{1} << 18) + 1);
}

// Splitters that lie unevenly, and outside which there are keys, too.
BOOST_AUTO_TEST_CASE_TEMPLATE(parts_of_keys_that_lie_unevenly, System, test::systems) {
  constexpr std::size_t n = 1200000;
  const auto check = [](auto make) {
    const test::samples<std::uint64_t> keys(n, make);
    check_sparse_counts<System>(keys, count_sorted<unsigned>(keys));
  };
  check([](std::size_t i) { return mix_code(i) >> (i % 60); });
  check([](std::size_t i) { return i % 100000 == 77 ? ~std::uint64_t{i} : mix_code(i) >> 30; });
  check([](std::size_t i) { return i % 4 == 0 ? mix_code(i) : std::uint64_t{1} << 40; });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(reals_and_nan, System, test::systems) {
  for (std::size_t n : sizes) {
    const auto floats = reals_with_nan<float>(n);
    check_sparse_counts<System>(floats, test::count_reals(floats));
    const auto doubles = reals_with_nan<double>(n);
    const test::samples<int> values(n, [](std::size_t i) { return i; });
    test::check_sparse<System>(
        doubles, values, test::reduce_reals<std::int64_t>(doubles, values),
        [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
          return thrust_hist::sparse_histogram_by_key(
              System::policy(), first, last, with, to, out, o);
        });
  }
}

BOOST_AUTO_TEST_CASE(exact_sums) {
  for (std::size_t n : {100, 257, 70000})
    for (test::hardship h : {test::hardship::cancelling, test::hardship::specials})
      test::check_exact_rows<test::main_system, double>(h, n);
}

BOOST_AUTO_TEST_CASE(structs_by_an_operator_of_the_users) {
  using System = test::main_system;
  using blob = test::blob<40, 8>;
  for (std::size_t n : {100, 256, 257, 20000, 66000}) {
    const auto keys = keys_of<int>(n, 3);
    test::check_values<System, blob>(
        keys, test::values_for<blob>(keys, test::make_blob<blob>), test::add_bytes{},
        test::add_bytes{});
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_operator_may_throw, System, test::systems) {
  for (std::size_t n : {200, 5000, 70000}) {
    const auto keys = keys_of<int>(n, 2);
    const test::samples<int> values(n, [](std::size_t i) { return i; });
    test::sparse_output<System, int, int> out(n);
    const auto call = [&](int refused) {
      thrust_hist::sparse_histogram_by_key(
          System::policy(), keys.begin(), keys.end(), values.begin(), out.keys(), out.values(),
          refusing{refused});
    };
    BOOST_CHECK_THROW(call(static_cast<int>(n) / 2), std::runtime_error);
    out.check_untouched();
    call(-1);
    out.check_equals(test::reduce_sorted<int>(keys, values, test::by_less{}, refusing{-1}));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(containers_never_hold_more_than_the_rows, System, test::systems) {
  for (std::size_t n : {100, 1000, 70000})
    for (std::size_t often : {std::size_t{1}, std::size_t{2}, n}) {
      const auto keys = keys_of<int>(n, often);
      const auto expected = count_sorted<unsigned>(keys);
      recorded<int> unique;
      recorded<unsigned> counts;
      thrust_hist::sparse_histogram(System::policy(), keys.begin(), keys.end(), unique, counts);
      BOOST_TEST(unique == expected.keys);
      BOOST_TEST(counts == expected.values);
      BOOST_TEST(unique.most == expected.keys.size());
      BOOST_TEST(counts.most == expected.keys.size());
    }
}

BOOST_AUTO_TEST_SUITE_END()
