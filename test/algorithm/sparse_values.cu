// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers as values of keys that nobody knows, on CUDA: sums, minima, maxima, operators of users.
// Sums of real numbers are compared bit by bit, of whole numbers so small that none of them is
// rounded.

#include "../support/exact.h"
#include "../support/folds.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/complex.h>
#include <thrust/functional.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sparse_values_setup {

using System = test::main_system;
using thrust_hist::sparse_histogram_by_key;

// Few distinct keys, many, one only, none twice; with one key among them that has half of the
// values.
inline std::vector<std::pair<std::string, test::samples<int>>> key_lists(bool large) {
  const std::size_t n = large ? 300007 : 3001;
  const auto spread = [](std::size_t i) { return static_cast<int>(i * 0x9e3779b9U); };
  std::vector<std::pair<std::string, test::samples<int>>> lists;
  lists.emplace_back("none", test::samples<int>());
  lists.emplace_back("few", test::samples<int>(n, [](std::size_t i) {
                       return static_cast<int>(i * i % 300) - 150;
                     }));
  lists.emplace_back(
      "many", test::samples<int>(n, [&](std::size_t i) { return spread(i % (n / 3)); }));
  lists.emplace_back("one", test::samples<int>(n, [](std::size_t) { return -1; }));
  lists.emplace_back("distinct", test::samples<int>(n, spread));
  lists.emplace_back("half of them one", test::samples<int>(n, [&](std::size_t i) {
                       return i % 2 == 0 ? 5 : spread(i % 5000);
                     }));
  return lists;
}

// Of 4-byte values 300 000 are many; each list of keys, with values made by `make`.
template <class A, class Value, class Make, class Reference, class... Op>
void check_all(bool large, Make make, Reference reference, Op... op) {
  for (auto const& [name, keys] : key_lists(large))
    BOOST_TEST_CONTEXT(name << " keys") {
      const test::samples<Value> values(keys.size(), make);
      test::check_sparse<System>(
          keys, values, test::reduce_sorted<A>(keys, values, test::by_less{}, reference),
          [&](auto first, auto last, auto with, auto to, auto out, auto const& o) {
            return sparse_histogram_by_key(System::policy(), first, last, with, to, out, op..., o);
          });
    }
}

inline std::uint64_t scrambled(std::size_t i) {
  return (i + 1) * 0x9e3779b97f4a7c15U >> 7;
}
inline int whole(std::size_t i) {
  return static_cast<int>(scrambled(i) % 17) - 8;
}

struct smaller {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T const& a, T const& b) const {
    return b < a ? b : a;
  }
};
struct larger {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T const& a, T const& b) const {
    return a < b ? b : a;
  }
};
// Products of odd numbers modulo 2^32, which the library does not know and which have no zero.
struct odd_product {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return (a | 1) * (b | 1);
  }
};

}  // namespace sparse_values_setup

BOOST_AUTO_TEST_SUITE(sparse_values, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace sparse_values_setup;

BOOST_AUTO_TEST_CASE(sums_of_integers_by_default) {
  check_all<std::int64_t, int>(false, whole, test::by_plus{});
  // Wide sums of values that a 32-bit one does not hold, and those that wrap.
  check_all<std::uint64_t, std::uint64_t>(false, scrambled, test::by_plus{});
}

BOOST_AUTO_TEST_CASE(an_operator_without_identity) {
  check_all<std::uint32_t, std::uint32_t>(
      false, [](std::size_t i) { return scrambled(i) | 1; }, odd_product{}, odd_product{});
}

// What reduce_by_key gives: an operator needs two values.
BOOST_AUTO_TEST_CASE(a_single_value_is_written_as_it_is) {
  const test::samples<int> keys{1, 1, 2, 3};
  const test::samples<int> truth{5, 0, 7, 0};
  const auto either = [](int a, int b) { return a != 0 || b != 0 ? 1 : 0; };
  test::check_values<System, int>(keys, truth, thrust::logical_or<int>{}, either);
  const float nan = test::from_bits<float>(0xffc00001U);
  const test::samples<float> values{nan, 2.F, nan, test::from_bits<float>(0xff800000U)};
  test::check_sparse<System>(
      keys, values, test::rows<int, float>{{1, 2, 3}, {2.F, nan, values[3]}},
      [](auto first, auto last, auto with, auto to, auto out, auto const& o) {
        return sparse_histogram_by_key(
            System::policy(), first, last, with, to, out, thrust::minimum<float>{}, o);
      });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_values_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_values_setup;

BOOST_AUTO_TEST_CASE(many_sums_of_integers_by_default) {
  check_all<std::int64_t, int>(true, whole, test::by_plus{});
  check_all<std::uint64_t, std::uint64_t>(true, scrambled, test::by_plus{});
}

BOOST_AUTO_TEST_CASE(many_values_by_an_operator_without_identity) {
  check_all<std::uint32_t, std::uint32_t>(
      true, [](std::size_t i) { return scrambled(i) | 1; }, odd_product{}, odd_product{});
}

// 300 007 values of up to 8 stay below 2^24.
BOOST_AUTO_TEST_CASE(sums_of_real_numbers_by_default) {
  check_all<float, float>(true, whole, test::by_plus{});
  check_all<double, double>(
      true, [](std::size_t i) { return whole(i) * 1048575.0; }, test::by_plus{});
}

BOOST_AUTO_TEST_CASE(narrow_values_are_added_in_the_type_of_the_output) {
  check_all<std::uint64_t, std::uint8_t>(true, scrambled, test::by_plus{});
}

BOOST_AUTO_TEST_CASE(minima_and_maxima) {
  check_all<int, int>(
      true, [](std::size_t i) { return scrambled(i) >> 20; }, smaller{}, thrust::minimum<int>{});
  check_all<double, double>(
      true, [](std::size_t i) { return whole(i) * 0x1p900 + 0x1p880; }, larger{},
      thrust::maximum<double>{});
}

// A NaN counts for nothing beside a number.
BOOST_AUTO_TEST_CASE(minima_leave_nan_out) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto make = [&](std::size_t i) {
    return scrambled(i) % 7 == 0 ? nan : static_cast<float>(whole(i)) + 0.5F;
  };
  const auto reference = [](float a, float b) {
    return test::anatomy<float>(a).is_nan() ? b : test::anatomy<float>(b).is_nan() || a < b ? a : b;
  };
  check_all<float, float>(true, make, reference, thrust::minimum<float>{});
}

BOOST_AUTO_TEST_CASE(complex_numbers_are_added) {
  using complex = thrust::complex<float>;
  check_all<complex, complex>(
      true,
      [](std::size_t i) {
        return complex(static_cast<float>(whole(i)), static_cast<float>(i % 5));
      },
      test::by_plus{}, thrust::plus<complex>{});
}

// Results are compared byte by byte, and kernels need not copy padding: this type has none.
struct best_of_all {
  double value;
  std::uint64_t place;
  std::uint64_t weight;
};
struct pick_best_of_all {
  THRUST_HIST_HOST_DEVICE best_of_all operator()(best_of_all const& a, best_of_all const& b) const {
    return a.value > b.value || (!(b.value > a.value) && a.place <= b.place) ? a : b;
  }
};

BOOST_AUTO_TEST_CASE(the_best_value_and_where_it_was) {
  const auto make = [](std::size_t i) {
    return best_of_all{static_cast<double>(whole(i)), i, i % 1000};
  };
  check_all<best_of_all, best_of_all>(false, make, pick_best_of_all{}, pick_best_of_all{});
}

// Which is a sum of no integers, minimum or maximum: exact() is refused, with nothing written.
BOOST_AUTO_TEST_CASE(exact_is_refused_where_it_cannot_be_kept) {
  const test::samples<int> keys{3, 1, 3};
  const test::samples<std::uint32_t> values{1, 3, 5};
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  int const* const first = keys_there.data();
  std::uint32_t const* const with = values_there.data();
  test::sparse_output<System, int, std::uint32_t> out(3);
  BOOST_CHECK_THROW(
      sparse_histogram_by_key(
          System::policy(), first, first + 3, with, out.keys(), out.values(), odd_product{},
          thrust_hist::options{}.exact()),
      std::invalid_argument);
  out.check_untouched();
}

#ifdef __CUDACC__
// Nobody may ask for the return type of a plain __device__ lambda on the host.
BOOST_AUTO_TEST_CASE(device_lambdas_are_operators_of_values_and_of_keys) {
  const test::samples<int> keys(70001, [](std::size_t i) { return static_cast<int>(i * i % 901); });
  const test::samples<int> values(keys.size(), whole);
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  int const* const first = keys_there.data();
  int const* const with = values_there.data();
  const auto expected = test::reduce_sorted<int>(keys, values, test::by_less{}, larger{});
  test::sparse_output<System, int, int> out(keys.size());
  const auto ends = sparse_histogram_by_key(
      System::policy(), first, first + keys.size(), with, out.keys(), out.values(),
      [] __device__(int a, int b) { return a < b ? b : a; },
      thrust_hist::key_operators{
          [] __device__(int k) { return static_cast<unsigned>(k) * 7U; },
          [] __device__(int a, int b) { return a == b; },
          [] __device__(int a, int b) { return a < b; }});
  out.check_ends(ends, expected.keys.size());
  out.check_equals(expected);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
