// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Random sparse histograms against a stable sort and a loop over its runs, bit by bit: types of
// keys and values, operators, sizes, distributions, routes, options. `Place` says in whose memory:
// Place::vector<T>, Place::policy().

#include "../support/big_sum.h"
#include "../support/distributions.h"
#include "fuzz_keys.h"
#include "fuzz_rows.h"
#include "fuzzing.h"
#include <thrust_hist/sparse_histogram.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fuzz {

using thrust_hist::options;
using thrust_hist::route;

struct drawn {
  std::size_t n, offset;
  std::uint64_t distinct;
  test::distribution keys_like;
  bool neighbours, check, capped, unordered, limited, containers;
  bool may_be_refused;  // the route
  route forced;
  int workers;
  std::string what;
};

// What does not depend on the system, for so many keys.
inline drawn draw(std::size_t n) {
  drawn d{};
  d.n = n;
  d.offset = below(5);
  d.distinct = below(3) == 0 ? 1 + below(10) : below(3) == 0 ? 1 + d.n : 1 + below(20000);
  d.keys_like = test::all_distributions[below(std::size(test::all_distributions))];
  d.neighbours = below(4) == 0;
  d.capped = below(6) == 0;
  d.unordered = below(4) == 0;
  d.limited = below(8) == 0;
  d.containers = below(2) == 0;
  d.workers = 1;
  return d;
}
inline void describe(drawn& d) {
  std::ostringstream text;
  text << d.n << " keys, " << d.distinct << " distinct, " << test::name_of(d.keys_like)
       << (d.neighbours ? ", neighbours" : "") << ", from " << d.offset << ", route " << d.forced
       << ", " << d.workers << " workers" << (d.check ? ", check" : "")
       << (d.capped ? ", capped" : "") << (d.unordered ? ", unordered" : "")
       << (d.limited ? ", limited" : "") << (d.containers ? ", containers" : "");
  d.what = text.str();
}

// `fold(first, last)` of the places of a key's values, in the order of the input.
template <class Key, class A, class Fold>
rows<Key, A> fold_sorted(std::vector<Key> const& keys, Fold fold) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return before(keys[a], keys[b]);
  });
  rows<Key, A> made;
  for (std::size_t i = 0, end = 0; i < order.size(); i = end) {
    for (end = i + 1; end < order.size() && one_key(keys[order[i]], keys[order[end]]);)
      ++end;
    made.emplace_back(as_written(keys[order[i]]), fold(order.data() + i, order.data() + end));
  }
  return made;
}

// Calls, under a cap that may be too small, and a limit of keys that may be exceeded.
template <class Place, class Key, class A, class Call>
void fuzz_rows(drawn const& d, options o, rows<Key, A> const& expected, Call const& call) {
  outputs<Place, Key, A> out(d.n, d.containers, d.what);
  const auto run = [&](options const& how) {
    out.take([&](auto&& keys, auto&& values) { return call(keys, values, how); });
  };
  const std::size_t most = expected.size() + 1 - below(3);
  if (d.limited)
    o.max_bins(most);
  try {
    try {
      run(d.capped ? options{o}.max_temporary_bytes(below(2) == 0 ? 0 : rng() % 1000000) : o);
    } catch (thrust_hist::memory_limit_error const& refusal) {
      if (!d.capped)
        throw;
      run(options{o}.max_temporary_bytes(refusal.smallest()));
    }
  } catch (std::length_error const&) {
    if (!d.limited || expected.size() <= most)
      fail(d.what, "refused, but there are few keys enough");
    return;
  } catch (std::invalid_argument const& refusal) {
    const std::string why = refusal.what();
    if (!d.may_be_refused || why.find(thrust_hist::to_string(d.forced)) == std::string::npos)
      fail(d.what, why);
    return;
  }
  if (d.limited && expected.size() > most)
    fail(d.what, "more keys than max_bins");
  const auto found = rows_of(out.keys(), out.values(), d.unordered);
  if (found.size() != expected.size() || out.keys().size() != out.values().size())
    fail(
        d.what,
        std::to_string(found.size()) + " rows instead of " + std::to_string(expected.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!same(found[i].first, expected[i].first))
      fail(d.what, "the key of row " + std::to_string(i) + " is wrong");
    if (!same(found[i].second, expected[i].second))
      fail(d.what, "the value of row " + std::to_string(i) + " is wrong");
  }
}

// What all folds of one case have in common: the keys, here and where they are folded, and
// operators of keys, if any.
template <class Place, class Key, class... KeyOps>
class sparse_case {
public:
  template <class T>
  using vector = typename Place::template vector<T>;

  sparse_case(drawn const& d, KeyOps... key_ops)
      : d_(d), o_(options{}.force(d.forced).check(d.check).unordered(d.unordered)),
        key_ops_(key_ops...) {
    for (std::uint64_t number : test::generate(d.keys_like, d.n, d.distinct, rng()))
      keys_.push_back(d.neighbours ? neighbour_of<Key>(number) : key_of<Key>(number));
    there_ = moved(keys_);
  }

  template <class A>
  void count() const {
    const auto expected =
        fold_sorted<Key, A>(keys_, [](std::size_t const* first, std::size_t const* last) {
          return static_cast<A>(last - first);
        });
    check(o_, expected, [&](auto&& keys_out, auto&& counts_out, options const& how, auto... own) {
      return thrust_hist::sparse_histogram(
          Place::policy(), first(), last(), keys_out, counts_out, own..., how);
    });
  }

  // Values of type V into A; `op` as for the call, none for sums, and `reference` the same for the
  // loop.
  template <class A, class V, class Reference, class... Op>
  void fold(Reference reference, Op... op) const {
    std::vector<V> values(d_.n);
    for (V& x : values)
      x = any_value<V>();
    const auto expected =
        fold_sorted<Key, A>(keys_, [&](std::size_t const* first, std::size_t const* last) {
          A sum = static_cast<A>(values[*first]);
          while (++first != last)
            sum = static_cast<A>(reference(sum, static_cast<A>(values[*first])));
          return sum;
        });
    check_values(o_, expected, values, op...);
  }

  template <class V>
  void add_exactly() const {
    std::vector<V> values(d_.n);
    for (V& x : values)
      x = any_bits<V>();
    const auto expected =
        fold_sorted<Key, V>(keys_, [&](std::size_t const* first, std::size_t const* last) {
          test::big_sum sum;
          for (; first != last; ++first)
            sum.add(values[*first]);
          return sum.template value<V>();
        });
    check_values(options{o_}.exact(), expected, values);
  }

private:
  // Inputs begin anywhere.
  template <class T>
  vector<T> moved(std::vector<T> list) const {
    list.insert(list.begin(), d_.offset, T{});
    return vector<T>(list.begin(), list.end());
  }
  auto first() const { return there_.begin() + static_cast<std::ptrdiff_t>(d_.offset); }
  auto last() const { return there_.end(); }

  template <class A, class V, class... Op>
  void check_values(
      options const& o, rows<Key, A> const& expected, std::vector<V> const& values,
      Op... op) const {
    const vector<V> with = moved(values);
    check(o, expected, [&](auto&& keys_out, auto&& values_out, options const& how, auto... own) {
      return thrust_hist::sparse_histogram_by_key(
          Place::policy(), first(), last(), with.begin() + static_cast<std::ptrdiff_t>(d_.offset),
          keys_out, values_out, op..., own..., how);
    });
  }
  template <class A, class Call>
  void check(options const& o, rows<Key, A> const& expected, Call const& call) const {
    fuzz_rows<Place>(d_, o, expected, [&](auto&& keys_out, auto&& values_out, options const& how) {
      return std::apply(
          [&](auto... own) { return call(keys_out, values_out, how, own...); }, key_ops_);
    });
  }

  drawn const& d_;
  options o_;
  std::tuple<KeyOps...> key_ops_;
  std::vector<Key> keys_;
  vector<Key> there_;
};

struct plus_for_the_loop {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};

// Operators of names, of which some or all have one hash.
inline auto name_operators() {
  constexpr std::uint64_t masks[] = {~std::uint64_t{0}, 1023, 3, 0};
  return thrust_hist::key_operators{hash_of_name{masks[below(4)]}, same_name{}, name_before{}};
}

}  // namespace fuzz
