// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys whose codes are few, or lie near each other, have a bin each, in which their values are
// folded: wherever they lie, for as many as blocks have room to mark in shared memory and for more,
// and where some lie elsewhere after all.

#include "../support/containers.h"
#include "../support/fewer.h"
#include "../support/neighbours.h"
#include "../support/pretended_gpu.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace sparse_dense_values_setup {

using System = test::main_system;
using test::mixed;
using test::neighbours;
using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::sparse_histogram_by_key;
namespace detail = thrust_hist::detail;
namespace on_cuda = detail::cuda;

// For a look without being forced.
template <class Key>
constexpr std::size_t enough = (sizeof(Key) == 8 ? std::size_t{1} << 22 : std::size_t{1} << 23) + 5;

// Sums of such values are exact, and not all of one sign.
template <class Value>
test::samples<Value> values_for(std::size_t n) {
  return test::samples<Value>(
      n, [](std::size_t i) { return static_cast<Value>(static_cast<int>(mixed(i) % 8) - 3); });
}

// What a sort would give, by a table, for keys of which the highest lies less than a hundred
// million above the lowest.
template <class A, class Key, class Value, class Op>
test::rows<Key, A> fold_by_table(
    test::samples<Key> const& keys, test::samples<Value> const& values, Op op) {
  Key lowest = std::numeric_limits<Key>::max(), highest = std::numeric_limits<Key>::min();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    lowest = std::min(lowest, keys[i]);
    highest = std::max(highest, keys[i]);
  }
  const auto place = [lowest](Key key) {
    using code = std::make_unsigned_t<Key>;
    return static_cast<std::size_t>(
        static_cast<code>(static_cast<code>(key) - static_cast<code>(lowest)));
  };
  std::vector<char> occurs(place(highest) + 1);
  std::vector<A> folded(occurs.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t at = place(keys[i]);
    const A value = static_cast<A>(values[i]);
    folded[at] = occurs[at] ? static_cast<A>(op(folded[at], value)) : value;
    occurs[at] = 1;
  }
  test::rows<Key, A> rows;
  for (std::size_t at = 0; at < occurs.size(); ++at)
    if (occurs[at]) {
      rows.keys.push_back(static_cast<Key>(lowest + static_cast<Key>(at)));
      rows.values.push_back(folded[at]);
    }
  return rows;
}

// Whether values are folded in bins of their keys by a call without options, or where that is
// forced, and whether all keys have one: what the algorithm does, up to that.
template <class Value, class Key>
bool have_bins(test::samples<Key> const& keys, route forced = route::automatic) {
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values_for<Value>(keys.size()));
  Key const* const first = keys_there.data();
  Value const* const values = values_there.data();
  const auto numbers = detail::keys_by<Key>(detail::no_key_operators{});
  const detail::sparse_pairs<Key const*, Value const*, std::remove_const_t<decltype(numbers)>>
      source = {first, values, keys.size(), numbers};
  using fold = detail::plain_fold<Value, detail::known_operator<detail::operator_kind::sum>>;
  const fold sum = {{}, Value{}};
  auto policy = System::policy();
  using policy_type = decltype(policy);
  const auto kind = on_cuda::widen(numbers);
  using kind_type = std::remove_const_t<decltype(kind)>;
  on_cuda::call_memory<policy_type> memory(policy);
  on_cuda::key_facts<policy_type, Key const*, kind_type> facts(memory, first, keys.size(), kind);
  Key* const no_keys = nullptr;
  Value* const no_values = nullptr;
  const detail::rows_by_iterators<Key*, Value*> output(no_keys, no_values);
  auto problem = on_cuda::describe_sparse<fold>(policy, source, kind, output, false);
  const auto guess =
      forced != route::automatic
          ? keys.size()
          : facts.guess(on_cuda::most_worth_guessing(problem), on_cuda::asks_for_ranges(problem));
  on_cuda::tell_sample(problem, facts.seen());
  const auto plan =
      on_cuda::plan_sparse(problem, guess, on_cuda::current_facts(), options{}.force(forced));
  on_cuda::dense_values<policy_type, std::remove_const_t<decltype(source)>, kind_type, fold> bins(
      facts, source, sum);
  return plan.taken == route::shared && bins.run(plan, false);
}

// `A`: of results. As it is chosen, and forced where keys are not too far apart for that: then
// those that are are sorted.
template <class A, class Value, class Key, class Reference = test::by_plus, class... Op>
void check(
    test::samples<Key> const& keys, test::rows<Key, A> const& expected,
    test::samples<Value> const& values, Op... op) {
  auto keys_there = test::buffer_of<System>(keys);
  auto values_there = test::buffer_of<System>(values);
  Key const* const first = keys_there.data();
  Value const* const with = values_there.data();
  for (route forced : {route::automatic, route::shared})
    BOOST_TEST_CONTEXT("route " << forced << ", " << keys.size() << " keys") {
      test::sparse_output<System, Key, A> out(keys.size());
      const auto ends = sparse_histogram_by_key(
          System::policy(), first, first + keys.size(), with, out.keys(), out.values(), op...,
          options{}.force(forced));
      out.check_ends(ends, expected.keys.size());
      out.check_equals(expected);
    }
}
template <class Value, class Key>
void check_sums(test::samples<Key> const& keys) {
  const auto values = values_for<Value>(keys.size());
  check<Value>(keys, fold_by_table<Value>(keys, values, test::by_plus{}), values);
}

template <class Key>
void check_ranges() {
  using limits = std::numeric_limits<Key>;
  for (std::uint64_t wide : test::fewer({1, 2, 1000, 20000, 300000}, {1, 20000, 300000})) {
    const auto last = static_cast<Key>(wide - 1);
    const auto middle = static_cast<Key>(std::is_signed_v<Key> ? 0 - last : limits::max() / 3);
    for (Key first : {limits::min(), static_cast<Key>(limits::max() - last), middle})
      BOOST_TEST_CONTEXT(wide << " keys from " << first << " on") {
        const auto keys = neighbours<Key>(enough<Key>, first, wide);
        check_sums<float>(keys);
        BOOST_TEST(have_bins<float>(keys));
      }
  }
}

struct smaller {
  int operator()(int a, int b) const { return b < a ? b : a; }
};
struct shifted {
  __host__ __device__ std::uint32_t operator()(std::uint64_t i) const {
    return static_cast<std::uint32_t>(i >> 31) + 7;
  }
};

}  // namespace sparse_dense_values_setup

BOOST_AUTO_TEST_SUITE(sparse_dense_values, THRUST_HIST_TEST_LARGE)
using namespace sparse_dense_values_setup;

BOOST_AUTO_TEST_CASE(every_value_of_one_and_two_bytes) {
  for (std::size_t n : {1, 257, 8191, 8192, 65536, 300000, 3 << 20}) {
    check_sums<float>(
        test::samples<std::uint8_t>(n, [](std::size_t i) { return std::uint8_t(i * 7); }));
    check_sums<float>(test::samples<std::int16_t>(
        n, [](std::size_t i) { return static_cast<std::int16_t>(i * 5 - 9); }));
  }
  BOOST_TEST(have_bins<float>(neighbours<std::uint8_t>(8192, 0, 256)));
  BOOST_TEST(!have_bins<float>(neighbours<std::uint8_t>(8191, 0, 256)));
  BOOST_TEST(!have_bins<float>(neighbours<std::int16_t>(8192, -3, 2)));
  BOOST_TEST(!have_bins<float>(neighbours<std::int16_t>((3 << 20) - 1, -3, 2)));
  BOOST_TEST(have_bins<float>(neighbours<std::int16_t>(3 << 20, -3, 2)));
}
BOOST_AUTO_TEST_CASE(ranges_of_keys_of_4_bytes) {
  check_ranges<std::uint32_t>();
  check_ranges<std::int32_t>();
}
BOOST_AUTO_TEST_CASE(ranges_of_keys_of_8_bytes) {
  check_ranges<std::uint64_t>();
  check_ranges<std::int64_t>();
}
BOOST_AUTO_TEST_CASE(integers_and_wider_numbers) {
  const auto keys = neighbours<int>(enough<int>, -1000, 50000);
  check_sums<double>(keys);
  check_sums<std::int64_t>(keys);
  const auto values = values_for<int>(keys.size());
  check<int>(keys, fold_by_table<int>(keys, values, smaller{}), values, thrust::minimum<int>{});
}

// Most codes between two keys do not occur, and get no row.
BOOST_AUTO_TEST_CASE(keys_with_gaps) {
  for (std::uint32_t gap : {3U, 15U})
    for (std::uint64_t wide : {std::uint64_t{1000}, std::uint64_t{60000}}) {
      const auto close = neighbours<std::uint32_t>(enough<std::uint32_t>, 0, wide);
      const test::samples<std::uint32_t> keys(
          close.size(), [&](std::size_t i) { return close[i] * gap + 77; });
      BOOST_TEST(have_bins<float>(keys));
      check_sums<float>(keys);
    }
}

// Each key has values of one magnitude, of which all are seen: in bins that fit shared memory, and
// in more.
BOOST_AUTO_TEST_CASE(values_of_any_magnitude) {
  for (std::uint64_t wide : {std::uint64_t{1000}, std::uint64_t{300000}}) {
    const auto keys = neighbours<std::uint32_t>(enough<std::uint32_t>, 3, wide);
    const test::samples<float> values(keys.size(), [&](std::size_t i) {
      const int kind = static_cast<int>(keys[i] % 200);
      return kind == 199 ? (i % 2 == 0 ? 1.0f : std::numeric_limits<float>::infinity())
                         : std::ldexp(1.0f, kind - 100);
    });
    BOOST_TEST(have_bins<float>(keys));
    check<float>(keys, fold_by_table<float>(keys, values, test::by_plus{}), values);
  }
}

// A fold has the type of its output, if that is wider; values become that first.
BOOST_AUTO_TEST_CASE(results_of_another_type) {
  const auto keys = neighbours<std::uint32_t>(enough<std::uint32_t>, 3, 50000);
  const auto shorts = values_for<std::int16_t>(keys.size());
  check<int>(keys, fold_by_table<int>(keys, shorts, test::by_plus{}), shorts);
  const auto ints = values_for<int>(keys.size());
  check<float>(keys, fold_by_table<float>(keys, ints, test::by_plus{}), ints);
}

// Keys begin one element behind an aligned address, values two.
BOOST_AUTO_TEST_CASE(inputs_that_are_not_aligned) {
  const auto keys = neighbours<std::uint32_t>(enough<std::uint32_t> + 1, 3, 50000);
  const auto values = values_for<float>(keys.size() + 1);
  const test::samples<std::uint32_t> used_keys(
      keys.size() - 1, [&](std::size_t i) { return keys[i + 1]; });
  const test::samples<float> used_values(
      used_keys.size(), [&](std::size_t i) { return values[i + 2]; });
  const auto expected = fold_by_table<float>(used_keys, used_values, test::by_plus{});
  const thrust::device_vector<std::uint32_t> keys_there(keys.begin(), keys.end());
  const thrust::device_vector<float> values_there(values.begin(), values.end());
  std::uint32_t const* const first = keys_there.data().get() + 1;
  float const* const with = values_there.data().get() + 2;
  test::sparse_output<System, std::uint32_t, float> out(used_keys.size());
  const auto ends = sparse_histogram_by_key(
      System::policy(), first, first + used_keys.size(), with, out.keys(), out.values(), options{});
  out.check_ends(ends, expected.keys.size());
  out.check_equals(expected);
}

// Under a cap a fold in bins of narrow keys does with less, also where they would be sorted without
// one, and others take what they did.
BOOST_AUTO_TEST_CASE(caps) {
  const auto run = [](auto const& keys, options const& o) {
    using key = std::decay_t<decltype(keys[0])>;
    const auto values = values_for<float>(keys.size());
    const auto expected = fold_by_table<float>(keys, values, test::by_plus{});
    auto keys_there = test::buffer_of<System>(keys);
    auto values_there = test::buffer_of<System>(values);
    key const* const first = keys_there.data();
    float const* const with = values_there.data();
    test::sparse_output<System, key, float> out(keys.size());
    const auto ends = sparse_histogram_by_key(
        System::policy(), first, first + keys.size(), with, out.keys(), out.values(), o);
    if (o.explain_ == nullptr) {
      out.check_ends(ends, expected.keys.size());
      out.check_equals(expected);
    }
  };
  // So many that they go through buckets, which half the memory makes smaller.
  const auto narrow = neighbours<std::int16_t>(4300000, -30000, 60000);
  const auto few_narrow = neighbours<std::int16_t>(1100000, -30000, 60000);
  const auto near = neighbours<std::uint32_t>(enough<std::uint32_t>, 1000, 50000);
  thrust_hist::plan of_narrow, of_near;
  run(narrow, options{}.explain(&of_narrow));
  run(near, options{}.explain(&of_near));
  BOOST_TEST((of_narrow.taken == route::shared));
  for (std::size_t cap :
       {of_narrow.scratch_bytes, of_narrow.scratch_bytes / 2, std::size_t{1300000}})
    run(narrow, options{}.max_temporary_bytes(cap));
  thrust_hist::plan of_few;
  run(few_narrow, options{}.explain(&of_few));
  BOOST_TEST((of_few.taken == route::sorted));
  run(few_narrow, options{}.max_temporary_bytes(1300000).explain(&of_few));
  BOOST_TEST((of_few.taken == route::shared));
  run(few_narrow, options{}.max_temporary_bytes(1300000));
  run(near, options{}.max_temporary_bytes(of_near.scratch_bytes));
}

// Keys in order have their bits in one block after another, and one key is all there is.
BOOST_AUTO_TEST_CASE(orders_and_hot_keys) {
  const std::size_t n = enough<std::uint32_t>;
  check_sums<float>(test::samples<std::uint32_t>(
      n, [](std::size_t i) { return static_cast<std::uint32_t>(i / 10); }));
  check_sums<float>(test::samples<std::uint32_t>(n, [](std::size_t) { return 12345u; }));
  check_sums<float>(test::samples<std::uint32_t>(n, [](std::size_t i) {
    return static_cast<std::uint32_t>(mixed(i) % 2 == 0 ? 77 : mixed(i) / 2 % 400000);
  }));
}

// With little shared memory one, two and four blocks share bits out, and then they lie in memory of
// all.
BOOST_AUTO_TEST_CASE(bits_shared_out_among_blocks) {
  auto facts = on_cuda::current_facts();
  facts.shared_bytes_block = std::size_t{48} << 10;
  const test::pretended_gpu gpu(facts);
  const std::uint64_t of_block = 8 * facts.shared_bytes_block;
  for (std::uint64_t wide :
       {of_block - 40, of_block + 40, 2 * of_block + 70, 4 * of_block - 200, 4 * of_block + 200})
    BOOST_TEST_CONTEXT(wide << " keys") {
      // What is marked are a few more codes than those of the keys: exactly these where that is
      // forced.
      const auto keys = neighbours<std::uint32_t>(5 * wide + 1000, 1000000, wide);
      BOOST_TEST(have_bins<float>(keys, route::shared));
      check_sums<float>(keys);
    }
}
// Bits in memory of all, of which blocks keep some that they have seen: some keys come often, in a
// word of bits with rare ones, and words are many more than a block keeps.
BOOST_AUTO_TEST_CASE(frequent_keys_of_bits_in_memory) {
  auto facts = on_cuda::current_facts();
  facts.shared_bytes_block = std::size_t{48} << 10;
  const test::pretended_gpu gpu(facts);
  const std::uint64_t wide = 4 * 8 * facts.shared_bytes_block + 30000;
  const test::samples<std::uint32_t> keys(5 * wide + 1000, [=](std::size_t i) {
    const std::uint64_t key = i % 3 == 0   ? mixed(i) % wide
                              : i % 3 == 1 ? mixed(i) % 100 * 32
                                           : mixed(i) % (wide / 20) * 20 + 3;
    return static_cast<std::uint32_t>(5 + key);
  });
  BOOST_TEST(have_bins<float>(keys, route::shared));
  check_sums<float>(keys);
}
BOOST_AUTO_TEST_CASE(few_processors) {
  const test::pretended_gpu gpu(test::with_processors(1));
  const auto keys = neighbours<std::uint64_t>(enough<std::uint64_t>, 5, 1000000);
  BOOST_TEST(have_bins<float>(keys));
  check_sums<float>(keys);
}

// One that the sample has not seen: far away all begins again by another route, and near by with
// the ends of all keys.
BOOST_AUTO_TEST_CASE(a_key_outside) {
  for (std::size_t at : {std::size_t{0}, enough<std::int64_t> / 3, enough<std::int64_t> - 1})
    // There is room for a quarter more codes than 20 000 and a 32nd.
    for (std::int64_t key :
         {std::int64_t{-3000}, std::int64_t{20100}, std::int64_t{25700}, std::int64_t{26000}}) {
      const test::samples<std::int64_t> keys(enough<std::int64_t>, [=](std::size_t i) {
        return i == at ? key : static_cast<std::int64_t>(mixed(i) % 20000);
      });
      check_sums<float>(keys);
      BOOST_TEST(have_bins<float>(keys) == (key < 26000));
    }
  const std::int64_t far = std::int64_t{1} << 62;
  auto keys = neighbours<std::int64_t>(enough<std::int64_t>, 0, 20000);
  const test::samples<std::int64_t> with_far(
      keys.size(), [&](std::size_t i) { return i == keys.size() / 2 ? far : keys[i]; });
  BOOST_TEST(!have_bins<float>(with_far));
}

BOOST_AUTO_TEST_CASE(containers_get_as_many_rows_as_there_are) {
  const auto keys = neighbours<int>(enough<int>, -300, 777);
  const auto values = values_for<float>(keys.size());
  const auto expected = fold_by_table<float>(keys, values, test::by_plus{});
  const test::vector_of<System, int> in(keys.begin(), keys.end());
  const test::vector_of<System, float> with(values.begin(), values.end());
  test::vector_of<System, int> unique(2, 7);
  test::vector_of<System, float> sums(3, 8);
  sparse_histogram_by_key(System::policy(), in.begin(), in.end(), with.begin(), unique, sums);
  BOOST_TEST((std::vector<int>(unique.begin(), unique.end()) == expected.keys));
  BOOST_TEST((std::vector<float>(sums.begin(), sums.end()) == expected.values));
  BOOST_CHECK_THROW(
      sparse_histogram_by_key(
          System::policy(), in.begin(), in.end(), with.begin(), unique, sums,
          options{}.max_bins(776)),
      std::length_error);
  BOOST_TEST(unique.size() == 777U);
  std::vector<int> unique_here;
  std::vector<float> sums_here;
  sparse_histogram_by_key(
      System::policy(), in.begin(), in.end(), with.begin(), unique_here, sums_here);
  BOOST_TEST((unique_here == expected.keys));
  BOOST_TEST((sums_here == expected.values));
}

BOOST_AUTO_TEST_CASE(inputs_that_are_no_pointers_and_more_than_2_to_the_32) {
  constexpr std::size_t n = (std::size_t{1} << 32) + 7;
  thrust::device_vector<std::uint32_t> unique(8);
  thrust::device_vector<std::int64_t> sums(8);
  const auto numbers =
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), shifted{});
  const thrust::constant_iterator<std::int64_t> threes(3);
  const auto ends = sparse_histogram_by_key(
      System::policy(), numbers, numbers + n, threes, unique.data().get(), sums.data().get(),
      options{}.max_bins(8));
  BOOST_TEST((ends.first - unique.data().get()) == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(static_cast<std::uint32_t>(unique[i]) == i + 7);
    const std::int64_t expected = i < 2 ? std::int64_t{3} << 31 : 21;
    BOOST_TEST(static_cast<std::int64_t>(sums[i]) == expected);
  }
}

BOOST_AUTO_TEST_SUITE_END()
