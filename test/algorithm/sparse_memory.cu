// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What memory sparse histograms take on CUDA, and what is left when it runs out.

#include "../support/containers.h"
#include "../support/exact.h"
#include "../support/neighbours.h"
#include "sparse_calls.h"
#include "sparse_reals.h"
#include <thrust_hist/operators.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace sparse_memory_setup {

using namespace test::sparse_calls;

// Unsigned keys in memory are sorted as they stand, others are encoded first.
template <class Key>
void check_memory_is_as_explained() {
  for (std::size_t n : {1, 1000, 100003})
    for (std::size_t distinct : {std::size_t{1}, std::size_t{5000}, std::size_t{1} << 30})
      for (bool by_key : {false, true})
        for (route forced : test::all_sparse_routes) {
          const auto keys = keys_of<Key>(n, distinct);
          if (!has_route(forced, by_key, keys))
            continue;
          calls c(keys);
          thrust_hist::plan plan;
          c.call(by_key, options{}.force(forced).explain(&plan));
          BOOST_TEST(c.book().allocations() == 0U);
          c.check_untouched();
          c.call(by_key, options{}.force(forced));
          c.check_result(by_key);
          BOOST_TEST(c.book().peak() <= plan.scratch_bytes);
        }
}

using test::rows;
using test::samples;
using test::uint128;

// Keys and values in memory of the system, and what a call has to make of them. Outputs have room
// for every input.
template <class Key, class Value, class A, class Call>
class trial {
public:
  trial(samples<Key> const& keys, samples<Value> const& values, rows<Key, A> expected, Call call)
      : n_(keys.size()), keys_(test::buffer_of<System>(keys)),
        values_(test::buffer_of<System>(values)), expected_(std::move(expected)), call_(call) {
    renew();
  }

  void renew() { out_ = std::make_unique<test::sparse_output<System, Key, A>>(n_); }
  // Allocations after so many healthy ones fail; negative: none.
  void run(options const& o, int healthy = -1) {
    const auto ends = run_into(out_->keys(), out_->values(), o, healthy);
    found_ = ends.first - out_->keys();
  }
  // Keys, values: containers, or iterators.
  template <class Keys, class Values>
  auto run_into(Keys&& keys, Values&& values, options const& o, int healthy = -1) {
    test::ledger book(healthy);
    const closing_book closing = {book, *this};
    test::counting_allocator<System> allocator(book);
    Key const* const first = keys_.data();
    Value const* const with = values_.data();
    return call_(System::policy_with(allocator), first, first + n_, with, keys, values, o);
  }

  std::size_t size() const { return n_; }
  std::size_t peak() const { return peak_; }
  std::size_t allocations() const { return allocations_; }
  rows<Key, A> const& expected() const { return expected_; }
  void check_result() const {
    out_->check_equals(expected_);
    BOOST_TEST(found_ == static_cast<std::ptrdiff_t>(expected_.keys.size()));
  }
  void check_untouched() const { out_->check_untouched(); }

  bool has_route(route forced) {
    try {
      thrust_hist::plan plan;
      run(options{}.force(forced).explain(&plan));
      return true;
    } catch (std::invalid_argument const& refusal) {
      BOOST_TEST(test::sparse_may_be_refused<System>(forced), refusal.what());
      return false;
    }
  }

private:
  // Whatever happens, all is given back.
  struct closing_book {
    test::ledger const& book;
    trial& to;
    ~closing_book() {
      BOOST_TEST(book.outstanding() == 0U);
      to.peak_ = book.peak();
      to.allocations_ = book.allocations();
    }
  };

  std::size_t n_;
  System::buffer<Key> keys_;
  System::buffer<Value> values_;
  rows<Key, A> expected_;
  Call call_;
  std::unique_ptr<test::sparse_output<System, Key, A>> out_;
  std::ptrdiff_t found_ = -1;
  std::size_t peak_ = 0;
  std::size_t allocations_ = 0;
};

template <class Key, class A, class... KeyOps>
auto trial_of_counts(samples<Key> const& keys, rows<Key, A> const& expected, KeyOps... own) {
  return trial(
      keys, samples<char>(1, [](std::size_t) { return 0; }), expected,
      [=](auto policy, auto first, auto last, auto, auto&& to, auto&& out, options const& o) {
        return sparse_histogram(policy, first, last, to, out, own..., o);
      });
}
// `more`: an operator, operators of keys.
template <class Key, class Value, class A, class... More>
auto trial_of_values(
    samples<Key> const& keys, samples<Value> const& values, rows<Key, A> const& expected,
    bool exact, More... more) {
  return trial(
      keys, values, expected,
      [=](auto policy, auto first, auto last, auto with, auto&& to, auto&& out, options o) {
        return sparse_histogram_by_key(policy, first, last, with, to, out, more..., o.exact(exact));
      });
}

// The smallest cap that is named works, one byte less does not, and every cap between that and what
// is taken without one is kept. Where keys are `looked_at` if memory allows, that is the smallest
// for any such input, and some of these work with less: they are counted or refused.
template <class Trial>
void check_caps(Trial& t, route forced, bool looked_at = false) {
  t.renew();
  const auto how = options{}.force(forced);
  thrust_hist::plan plan;
  t.run(options{how}.explain(&plan));
  std::size_t smallest = 0;
  try {
    t.run(options{how}.max_temporary_bytes(0));
    t.check_result();
    t.renew();
  } catch (thrust_hist::memory_limit_error const& refusal) {
    smallest = refusal.smallest();
    BOOST_TEST(smallest > 0U);
    BOOST_TEST(smallest <= plan.scratch_bytes);
    const auto too_little = options{how}.max_temporary_bytes(smallest - 1);
    BOOST_CHECK_THROW(t.run(options{too_little}.explain(&plan)), thrust_hist::memory_limit_error);
    t.check_untouched();
    bool is_refused = false;
    try {
      t.run(too_little);
      t.check_result();
      BOOST_TEST(t.peak() < smallest);
      t.renew();
    } catch (thrust_hist::memory_limit_error const&) {
      is_refused = true;
      t.check_untouched();
    }
    BOOST_TEST((is_refused || looked_at));
  }
  for (std::size_t cap :
       {smallest, smallest + (plan.scratch_bytes - smallest) / 2, plan.scratch_bytes}) {
    t.run(options{how}.max_temporary_bytes(cap));
    t.check_result();
    BOOST_TEST(t.peak() <= cap);
    t.renew();
  }
  t.run(how);
  t.check_result();
  BOOST_TEST(t.peak() <= plan.scratch_bytes);
}

// The first allocation fails, then the second, and so on until a call needs no more.
template <class Trial>
void check_failures(Trial& t, route forced) {
  t.renew();
  int healthy = 0;
  for (bool done = false; !done && healthy < 500; healthy += done ? 0 : 1)
    try {
      t.run(options{}.force(forced), healthy);
      done = true;
      t.check_result();
    } catch (test::allocation_refused const&) {
      t.check_untouched();
    }
  BOOST_TEST((healthy > 0 || t.size() < 1000));  // scratch comes from the policy
  BOOST_TEST(healthy < 500);
}
// The same, with containers, which have to be as they were.
template <class Key, class Value, class A, class Call>
void check_containers(trial<Key, Value, A, Call>& t) {
  int healthy = 0;
  for (bool done = false; !done && healthy < 500; healthy += done ? 0 : 1) {
    const std::vector<Key> keys_before(2, test::junk<Key>());
    const std::vector<A> values_before(3, test::junk<A>());
    test::vector_of<System, Key> unique(keys_before.begin(), keys_before.end());
    test::vector_of<System, A> folded(values_before.begin(), values_before.end());
    try {
      t.run_into(unique, folded, {}, healthy);
      done = true;
      BOOST_TEST(test::difference(test::contents(unique), t.expected().keys) == "");
      BOOST_TEST(test::difference(test::contents(folded), t.expected().values) == "");
    } catch (test::allocation_refused const&) {
      BOOST_TEST(test::difference(test::contents(unique), keys_before) == "");
      BOOST_TEST(test::difference(test::contents(folded), values_before) == "");
    }
  }
  BOOST_TEST((healthy > 0 || t.size() < 1000));
  BOOST_TEST(healthy < 500);
}

// A key of a user's, in an order that its bytes do not have.
struct cell {
  std::int32_t x, y, z;
};
struct hash_of_cell {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(cell const& c) const {
    const auto mixed = [](std::int32_t part, std::uint32_t by) {
      return static_cast<std::uint32_t>(part) * by;
    };
    return mixed(c.x, 73856093) ^ mixed(c.y, 19349663) ^ mixed(c.z, 83492791);
  }
};
struct cell_before {
  THRUST_HIST_HOST_DEVICE bool operator()(cell const& a, cell const& b) const {
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
  }
};
struct same_cell {
  THRUST_HIST_HOST_DEVICE bool operator()(cell const& a, cell const& b) const {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};
using cell_operators = thrust_hist::key_operators<hash_of_cell, same_cell, cell_before>;

// Of products of odd numbers nobody knows an identity.
struct odd_product {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return (a | 1) * (b | 1);
  }
};

// Keys and values that go different ways.
enum class kind { integers, reals, structs, wide_keys, exact_sums, users_operator };
constexpr kind all_kinds[] = {kind::integers,  kind::reals,      kind::structs,
                              kind::wide_keys, kind::exact_sums, kind::users_operator};

// Calls `use(trial)` for each trial of a kind.
template <class Use>
void with_trials(kind which, std::size_t n, std::size_t distinct, Use use) {
  const auto number = [=](std::size_t i) { return i * 7919 % distinct; };
  const samples<int> keys(n, [&](std::size_t i) { return static_cast<int>(number(i)) * 1013; });
  const samples<float> small(n, [](std::size_t i) { return static_cast<float>(i % 8); });
  switch (which) {
  case kind::integers: {
    const samples<std::uint32_t> spread(
        n, [&](std::size_t i) { return static_cast<std::uint32_t>(number(i) * 0x9e3779b9U); });
    use(trial_of_counts(spread, test::count_sorted<int>(spread)));
    use(trial_of_values(
        keys, keys, test::reduce_sorted<std::int64_t>(keys, keys, test::by_less{}, test::by_plus{}),
        false));
    return;
  }
  case kind::reals: {
    const samples<double> reals(n, [&](std::size_t i) {
      return i % 7 == 3 ? test::from_bits<double>(test::infinity_bits<double>() + 1 + i)
                        : static_cast<double>(number(i)) - 5;
    });
    use(trial_of_counts(reals, test::count_reals(reals)));
    use(trial_of_values(reals, small, test::reduce_reals<float>(reals, small), false));
    return;
  }
  case kind::structs: {
    const samples<cell> cells(n, [&](std::size_t i) {
      const auto at = static_cast<std::int32_t>(number(i));
      return cell{at % 11, -at, at / 7};
    });
    use(trial_of_values(
        cells, keys, test::reduce_sorted<std::int64_t>(cells, keys, cell_before{}, test::by_plus{}),
        false, cell_operators{}));
    return;
  }
  case kind::wide_keys: {
    const samples<uint128> wide(
        n, [&](std::size_t i) { return uint128{number(i)} * 0x9e3779b97f4a7c15U << 31; });
    use(trial_of_counts(wide, test::count_sorted<unsigned>(wide)));
    return;
  }
  case kind::exact_sums: {
    use(trial_of_values(
        keys, small, test::reduce_sorted<float>(keys, small, test::by_less{}, test::by_plus{}),
        true));
    // Nearly all distinct, and a row that registers do not hold.
    const samples<int> lone(n, [](std::size_t i) { return i < 3 ? 0 : static_cast<int>(i) * 101; });
    const samples<float> wide(n, [](std::size_t i) {
      return i == 0 ? 1e30F : i == 1 ? 1e-30F : 1;
    });
    rows<int, float> sums = {{0}, {1e30F}};
    for (std::size_t i = 3; i < n; ++i) {
      sums.keys.push_back(lone[i]);
      sums.values.push_back(1);
    }
    use(trial_of_values(lone, wide, sums, true));
    return;
  }
  case kind::users_operator: {
    const samples<std::uint32_t> odd(n, [](std::size_t i) { return i * 2 + 1; });
    use(trial_of_values(
        keys, odd, test::reduce_sorted<std::uint32_t>(keys, odd, test::by_less{}, odd_product{}),
        false, odd_product{}));
  }
  }
}

template <class Use>
void for_all_kinds(std::initializer_list<std::size_t> sizes, Use use) {
  for (kind which : all_kinds)
    for (std::size_t n : sizes)
      BOOST_TEST_CONTEXT("kind " << static_cast<int>(which) << ", " << n << " keys")
  with_trials(which, n, n / 2 + 1, use);
}

constexpr std::size_t worth_a_look = (std::size_t{1} << 23) + 7;

}  // namespace sparse_memory_setup

BOOST_AUTO_TEST_SUITE(sparse_memory, THRUST_HIST_TEST_LARGE)
using namespace sparse_memory_setup;

BOOST_AUTO_TEST_CASE(memory_is_as_explained) {
  check_memory_is_as_explained<int>();
  check_memory_is_as_explained<std::uint32_t>();
  check_memory_is_as_explained<std::uint64_t>();
  check_memory_is_as_explained<std::uint16_t>();
}
BOOST_AUTO_TEST_CASE(a_cap_is_kept_or_refused_with_one_that_works) {
  for_all_kinds({1, 1000, 100003}, [](auto&& t) {
    for (route forced : test::all_sparse_routes)
      BOOST_TEST_CONTEXT("route " << forced)
    if (t.has_route(forced))
      check_caps(t, forced);
  });
}

BOOST_AUTO_TEST_CASE(any_allocation_may_fail) {
  for_all_kinds({700, 100003}, [](auto&& t) {
    for (route forced : test::all_sparse_routes)
      BOOST_TEST_CONTEXT("route " << forced)
    if (t.has_route(forced))
      check_failures(t, forced);
  });
}

BOOST_AUTO_TEST_CASE(containers_are_as_they_were_where_an_allocation_fails) {
  for_all_kinds({70001}, [](auto&& t) { check_containers(t); });
}

// So many that runs are folded by CUB; some reals are no numbers, of which those that stand know
// late.
BOOST_AUTO_TEST_CASE(half_a_million_pairs_are_sorted_or_nothing_is_written) {
  constexpr std::size_t n = (std::size_t{1} << 19) + 7;
  for (kind which : {kind::integers, kind::reals, kind::users_operator})
    for (route forced : {route::sorted, route::automatic})
      BOOST_TEST_CONTEXT("kind " << static_cast<int>(which) << ", route " << forced)
  with_trials(which, n, n / 2, [forced = forced](auto&& t) {
    check_caps(t, forced);
    check_failures(t, forced);
  });
}

// So many that keys are looked at, and hashed where that pays: few and many distinct ones.
BOOST_AUTO_TEST_CASE(any_allocation_of_an_automatic_route_may_fail) {
  const auto check = [](auto&& t) { check_failures(t, route::automatic); };
  with_trials(kind::integers, worth_a_look, 100000, check);
  with_trials(kind::reals, worth_a_look, 5000, check);
  with_trials(kind::exact_sums, worth_a_look, 2500, check);                 // sorted after all
  with_trials(kind::exact_sums, (std::size_t{10} << 20) + 7, 2500, check);  // row by row
}
BOOST_AUTO_TEST_CASE(containers_are_as_they_were_on_an_automatic_route) {
  with_trials(kind::integers, worth_a_look, 5000, [](auto&& t) { check_containers(t); });
}
// Of some millions the sort has less memory beside what it sorts.
BOOST_AUTO_TEST_CASE(exact_sums_take_what_was_explained) {
  for (std::size_t n : {std::size_t{1} << 20, std::size_t{1} << 22})
    with_trials(kind::exact_sums, n, n / 2, [](auto&& t) { check_caps(t, route::automatic); });
}
BOOST_AUTO_TEST_CASE(a_cap_of_an_automatic_route_is_kept) {
  with_trials(
      kind::integers, worth_a_look, 100000, [](auto&& t) { check_caps(t, route::automatic); });
}

// Most of them distinct and even, so that they are put in order bucket by bucket; reals of which
// many are no numbers, whose places take memory beside the buckets. In drawn ones, and in even ones
// where keys are looked at.
void check_keys_in_order(std::size_t n) {
  const auto check = [](auto&& t) {
    check_caps(t, route::automatic);
    check_failures(t, route::automatic);
  };
  const samples<std::uint64_t> integers(
      n, [](std::size_t i) { return test::mixed(test::mixed(i)); });
  check(trial_of_counts(integers, test::count_sorted<unsigned>(integers)));
  const samples<double> reals(n, [](std::size_t i) {
    const auto bits = test::mixed(test::mixed(i)) & ~(std::uint64_t{1} << 62);  // less than 2
    return i % 5 < 2 ? test::from_bits<double>(test::infinity_bits<double>() + 1 + i)
                     : test::from_bits<double>(bits);
  });
  check(trial_of_counts(reals, test::count_reals(reals)));
}
BOOST_AUTO_TEST_CASE(keys_that_are_put_in_order_take_what_was_explained) {
  check_keys_in_order((std::size_t{1} << 17) + 7);
  check_keys_in_order((std::size_t{1} << 22) + 7);
}

// By default each is a cudaMalloc and a cudaFree, which take as long as a small call: one for the
// look at keys, where there is one, and one for all else.
BOOST_AUTO_TEST_CASE(memory_is_taken_from_the_policy_once_or_after_a_look_twice) {
  for (auto [n, distinct, most] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{1, 1, 1},
        {1000, 1000, 1},
        {100003, 50000, 1},
        {(1 << 20) + 7, 1 << 20, 1},
        {worth_a_look, 1000, 2},
        {worth_a_look, 5000, 3},  // and one to sort a row for each block and key
        {worth_a_look, 100000, 2},
        {worth_a_look, worth_a_look, 2}})
    BOOST_TEST_CONTEXT(n << " keys, " << distinct << " distinct")
  with_trials(kind::integers, n, distinct, [most = most](auto&& t) {
    thrust_hist::plan plan;
    t.run(options{}.explain(&plan));
    t.run({});
    t.check_result();
    BOOST_TEST(t.allocations() <= most);
    BOOST_TEST(t.allocations() > 0U);
    BOOST_TEST(t.peak() <= plan.scratch_bytes);
  });
}

// Those that are no numbers are listed where their codes would be; in 8 bytes each that would take
// twice what codes of 4 bytes do.
BOOST_AUTO_TEST_CASE(keys_that_are_no_numbers_have_room_that_was_explained) {
  for (std::size_t n : {60001, 100003})
    for (std::uint64_t numbers : {1, 300, 1000})
      BOOST_TEST_CONTEXT(n << " keys, of 1000 " << numbers << " are numbers") {
        const samples<float> keys(n, [=](std::size_t i) {
          return test::mixed(i) % 1000 < numbers
                     ? static_cast<float>(test::mixed(i + 1) % 50021)
                     : test::from_bits<float>(test::infinity_bits<float>() + 1 + i);
        });
        const samples<float> values(n, [](std::size_t i) { return static_cast<float>(i % 8); });
        auto counts = trial_of_counts(keys, test::count_reals(keys));
        const auto expected = test::reduce_reals<float>(keys, values);
        auto sums = trial_of_values(keys, values, expected, false);
        auto exact_sums = trial_of_values(keys, values, expected, true);
        thrust_hist::plan said;
        sums.run(options{}.explain(&said));
        BOOST_TEST(said.scratch_bytes <= 17 * n + 40000);  // twice 4 + 4, and what CUB takes
        for (route forced : {route::automatic, route::sorted}) {
          check_caps(counts, forced);
          check_caps(sums, forced);
          check_caps(exact_sums, forced);
        }
        check_failures(sums, route::automatic);
        check_failures(exact_sums, route::automatic);
      }
}

// Each block may leave a row for each of so many keys, which explain() has not seen.
BOOST_AUTO_TEST_CASE(rows_of_all_blocks_have_room_that_was_explained) {
  for (kind which : {kind::integers, kind::reals})
    for (std::size_t distinct : {1000, 9000})
      BOOST_TEST_CONTEXT("kind " << static_cast<int>(which) << ", " << distinct << " distinct")
  with_trials(which, (std::size_t{1} << 20) + 7, distinct, [](auto&& t) {
    check_caps(t, route::hashed, true);
  });
}

BOOST_AUTO_TEST_SUITE_END()
