// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random sparse histograms against a stable sort and a loop over its runs, bit by bit: types of keys and
// values, operators, sizes, distributions, routes, options; on OpenMP where there is one. Prints its seed;
// `fuzz_sparse [seed [cases]]` repeats it, and `fuzz_sparse --seconds 3600` takes new cases for an hour.

#include "../support/big_sum.h"
#include "../support/distributions.h"
#include "fuzz_keys.h"
#include "fuzz_rows.h"
#include "fuzzing.h"
#include <thrust_hist/sparse_histogram.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using fuzz::as_written;
using fuzz::before;
using fuzz::below;
using fuzz::int128;
using fuzz::key_of;
using fuzz::name;
using fuzz::one_key;
using fuzz::rng;
using fuzz::rows;
using fuzz::same;
using thrust_hist::options;
using thrust_hist::route;

struct drawn {
  std::size_t n;
  std::uint64_t distinct;
  test::distribution keys_like;
  bool check, capped, unordered, limited, containers;
  route forced;
  int workers;
  std::string what;
};

drawn draw() {
  constexpr route routes[] = {route::automatic, route::automatic, route::hashed, route::sorted};
  drawn d{};
  d.n = below(6) == 0 ? below(300000) : below(50) == 0 ? 0 : below(6000);
  d.distinct = below(3) == 0 ? 1 + below(10) : below(3) == 0 ? 1 + d.n : 1 + below(20000);
  d.keys_like = test::all_distributions[below(std::size(test::all_distributions))];
  d.check = below(16) == 0;
  d.capped = below(6) == 0;
  d.unordered = below(4) == 0;
  d.limited = below(8) == 0;
  d.containers = below(2) == 0;
  d.forced = routes[below(std::size(routes))];
  d.workers = static_cast<int>(1 + below(5));
  std::ostringstream text;
  text << d.n << " keys, " << d.distinct << " distinct, " << test::name_of(d.keys_like)
       << ", route " << d.forced << ", " << d.workers << " workers" << (d.check ? ", check" : "")
       << (d.capped ? ", capped" : "") << (d.unordered ? ", unordered" : "")
       << (d.limited ? ", limited" : "") << (d.containers ? ", containers" : "");
  d.what = text.str();
  return d;
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
template <class Key, class A, class Call>
void fuzz_rows(drawn const& d, options o, rows<Key, A> const& expected, Call const& call) {
  fuzz::outputs<Key, A> out(d.n, d.containers, d.what);
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
      fuzz::fail(d.what, "refused, but there are few keys enough");
    return;
  }
  if (d.limited && expected.size() > most)
    fuzz::fail(d.what, "more keys than max_bins");
  const auto found = fuzz::rows_of(out.keys(), out.values(), d.unordered);
  if (found.size() != expected.size() || out.keys().size() != out.values().size())
    fuzz::fail(
        d.what,
        std::to_string(found.size()) + " rows instead of " + std::to_string(expected.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!same(found[i].first, expected[i].first))
      fuzz::fail(d.what, "the key of row " + std::to_string(i) + " is wrong");
    if (!same(found[i].second, expected[i].second))
      fuzz::fail(d.what, "the value of row " + std::to_string(i) + " is wrong");
  }
}

// Values of type V into A; `op` as for the call, none for sums, and `fold` the same for the loop.
template <class A, class V, class Key, class Policy, class Fold, class KeyOps, class... Op>
void fuzz_values(
    Policy const& policy, drawn const& d, std::vector<Key> const& keys, options const& o,
    KeyOps key_ops, Fold fold, Op... op) {
  std::vector<V> values(d.n);
  for (V& x : values)
    x = fuzz::any_value<V>();
  const auto expected =
      fold_sorted<Key, A>(keys, [&](std::size_t const* first, std::size_t const* last) {
        A sum = static_cast<A>(values[*first]);
        while (++first != last)
          sum = static_cast<A>(fold(sum, static_cast<A>(values[*first])));
        return sum;
      });
  fuzz_rows(d, o, expected, [&](auto&& keys_out, auto&& values_out, options const& how) {
    return std::apply(
        [&](auto... own) {
          return thrust_hist::sparse_histogram_by_key(
              policy, keys.begin(), keys.end(), values.begin(), keys_out, values_out, op..., own...,
              how);
        },
        key_ops);
  });
}

template <class V, class Key, class Policy, class KeyOps>
void fuzz_exact(
    Policy const& policy, drawn const& d, std::vector<Key> const& keys, options o, KeyOps key_ops) {
  std::vector<V> values(d.n);
  for (V& x : values)
    x = fuzz::any_bits<V>();
  const auto expected =
      fold_sorted<Key, V>(keys, [&](std::size_t const* first, std::size_t const* last) {
        test::big_sum sum;
        for (; first != last; ++first)
          sum.add(values[*first]);
        return sum.template value<V>();
      });
  fuzz_rows(d, o.exact(), expected, [&](auto&& keys_out, auto&& values_out, options const& how) {
    return std::apply(
        [&](auto... own) {
          return thrust_hist::sparse_histogram_by_key(
              policy, keys.begin(), keys.end(), values.begin(), keys_out, values_out, own..., how);
        },
        key_ops);
  });
}

template <class A, class Key, class Policy, class KeyOps>
void fuzz_counts(
    Policy const& policy, drawn const& d, std::vector<Key> const& keys, options const& o,
    KeyOps key_ops) {
  const auto expected =
      fold_sorted<Key, A>(keys, [](std::size_t const* first, std::size_t const* last) {
        return static_cast<A>(last - first);
      });
  fuzz_rows(d, o, expected, [&](auto&& keys_out, auto&& counts_out, options const& how) {
    return std::apply(
        [&](auto... own) {
          return thrust_hist::sparse_histogram(
              policy, keys.begin(), keys.end(), keys_out, counts_out, own..., how);
        },
        key_ops);
  });
}

template <class Key, class Policy, class... KeyOps>
void fuzz_keys(Policy const& policy, drawn const& d, KeyOps... key_ops) {
  const test::keys numbers = test::generate(d.keys_like, d.n, d.distinct, rng());
  std::vector<Key> keys;
  for (std::uint64_t number : numbers)
    keys.push_back(key_of<Key>(number));
  const auto own = std::make_tuple(key_ops...);
  const options o = options{}.force(d.forced).check(d.check).unordered(d.unordered);
  const auto add = [](auto a, auto b) { return a + b; };
  switch (below(5)) {
  case 0:
    return fuzz_counts<std::uint8_t>(policy, d, keys, o, own);
  case 1:
    return fuzz_values<std::uint64_t, std::uint32_t>(policy, d, keys, o, own, add);
  case 2:
    return fuzz_values<int, int>(policy, d, keys, o, own, fuzz::larger{}, fuzz::larger{});
  case 3:
    return fuzz_values<fuzz::blob<13>, fuzz::blob<13>>(
        policy, d, keys, o, own, fuzz::add_bytes{}, fuzz::add_bytes{});
  default:
    return fuzz_exact<float>(policy, d, keys, o, own);
  }
}

template <class Policy>
void fuzz_one(Policy const& policy, drawn const& d) {
  switch (below(5)) {
  case 0:
    return fuzz_keys<std::int8_t>(policy, d);
  case 1:
    return fuzz_keys<std::int64_t>(policy, d);
  case 2:
    return fuzz_keys<int128>(policy, d);
  case 3:
    return fuzz_keys<float>(policy, d);
  default:
    constexpr std::uint64_t masks[] = {~std::uint64_t{0}, 1023, 3, 0};
    return fuzz_keys<name>(
        policy, d,
        thrust_hist::key_operators{
            fuzz::hash_of_name{masks[below(4)]}, fuzz::same_name{}, fuzz::name_before{}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  return fuzz::main(argc, argv, 1000, [] {
    const drawn d = draw();
#ifdef _OPENMP
    omp_set_num_threads(d.workers);
    fuzz_one(thrust::omp::par, d);
#else
    fuzz_one(thrust::seq, d);
#endif
  });
}
