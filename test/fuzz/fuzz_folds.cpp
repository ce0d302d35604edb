// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random folds against a loop over the pairs, bit by bit: types, operators, sizes, distributions,
// routes, systems, options. Prints its seed; `fuzz_folds [seed [cases]]` repeats it, and
// `fuzz_folds --seconds 3600` takes new cases for an hour.

#include "../support/big_sum.h"
#include "../support/distributions.h"
#include "fuzzing.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/functional.h>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

using thrust_hist::options;
using thrust_hist::route;

using fuzz::any_bits;
using fuzz::any_value;
using fuzz::below;
using fuzz::blob;
using fuzz::rng;
using fuzz::same;

// What all values of one case have in common, and what was drawn for it.
struct drawn {
  std::size_t n;
  std::int64_t bins;
  test::distribution keys_like;
  bool accumulate, check, capped;
  route forced;
  int workers;
  std::string what;
};

drawn draw() {
  constexpr route routes[] = {
      route::automatic, route::automatic, route::serial, route::private_tables, route::partitioned};
  drawn d{};
  d.n = below(8) == 0 ? below(200000) : below(50) == 0 ? 0 : below(3000);
  d.bins = static_cast<std::int64_t>(
      below(10) == 0  ? below(3)
      : below(6) == 0 ? below(300000)
                      : 1 + below(600));
  d.keys_like = test::all_distributions[below(std::size(test::all_distributions))];
  d.accumulate = below(3) == 0;
  d.check = below(16) == 0;
  d.capped = below(6) == 0;
  d.forced = routes[below(std::size(routes))];
  d.workers = static_cast<int>(1 + below(5));
  std::ostringstream text;
  text << d.n << " pairs, " << d.bins << " bins, keys " << test::name_of(d.keys_like) << ", route "
       << d.forced << ", " << d.workers << " workers" << (d.accumulate ? ", accumulate" : "")
       << (d.check ? ", check" : "") << (d.capped ? ", capped" : "");
  d.what = text.str();
  return d;
}

[[noreturn]] void fail(drawn const& d, std::string const& what) {
  fuzz::fail(d.what, what);
}

// Some 2 % have no bin, at both ends.
std::vector<std::int64_t> draw_keys(drawn const& d) {
  const auto distinct = static_cast<std::uint64_t>(d.bins + d.bins / 50 + 2);
  const test::keys drawn_keys = test::generate(d.keys_like, d.n, distinct, rng());
  std::vector<std::int64_t> keys(drawn_keys.begin(), drawn_keys.end());
  for (auto& key : keys)
    key -= 1;
  return keys;
}

// The call itself, under the options that were drawn; a cap is answered by the one that works.
template <class Policy, class A, class V, class... Op>
void run(
    Policy const& policy, drawn const& d, std::vector<std::int64_t> const& keys,
    std::vector<V> const& values, std::vector<A>& out, options o, Op... op) {
  const auto call = [&](options const& how) {
    const auto end = thrust_hist::histogram_by_key(
        policy, keys.begin(), keys.end(), values.begin(), out.begin() + 1, d.bins, op..., how);
    if (end != out.begin() + 1 + d.bins)
      fail(d, "another end was returned");
  };
  if (d.capped)
    try {
      call(options{o}.max_temporary_bytes(below(2) == 0 ? 0 : rng() % 1000000));
      return;
    } catch (thrust_hist::memory_limit_error const& refusal) {
      o.max_temporary_bytes(refusal.smallest());
    }
  call(o);
}

// `fold(a, value)` is the loop's operator; `identity` what its bins begin with.
template <class A, class V, class W, class Fold, class Policy, class... Op>
void fuzz_case(Policy const& policy, drawn const& d, W identity, Fold const& fold, Op... op) {
  const auto keys = draw_keys(d);
  std::vector<V> values(d.n);
  for (V& x : values)
    x = any_value<V>();
  std::vector<A> out(static_cast<std::size_t>(d.bins) + 2);
  for (A& x : out)
    x = any_value<A>();
  const std::vector<A> before = out;
  std::vector<W> folded(static_cast<std::size_t>(d.bins), identity);
  std::uint64_t none = 0, dropped = 0;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] >= 0 && keys[i] < d.bins) {
      W& x = folded[static_cast<std::size_t>(keys[i])];
      x = fold(x, static_cast<W>(values[i]));
    } else
      ++none;
  try {
    run(policy, d, keys, values, out,
        options{}.force(d.forced).accumulate(d.accumulate).check(d.check).dropped(&dropped), op...);
  } catch (std::invalid_argument const& refusal) {
    if (d.forced != route::private_tables && d.forced != route::partitioned)
      fail(d, refusal.what());
    if (std::memcmp(out.data(), before.data(), out.size() * sizeof(A)) != 0)
      fail(d, "refused, but something was written");
    return;
  }
  if (dropped != none)
    fail(d, "dropped is " + std::to_string(dropped));
  if (!same(out.front(), before.front()) || !same(out.back(), before.back()))
    fail(d, "something was written beside the output");
  for (std::size_t i = 0; i < folded.size(); ++i) {
    const W all = d.accumulate ? fold(static_cast<W>(before[i + 1]), folded[i]) : folded[i];
    // To the bit where nothing is folded; the library knows the identities of all but the user's
    // operators.
    const bool is_known = sizeof...(op) < 2;
    const bool keeps = d.accumulate && (d.n == 0 || (is_known && same(folded[i], identity)));
    if (!same(out[i + 1], keeps ? before[i + 1] : static_cast<A>(all)))
      fail(d, "bin " + std::to_string(i) + " is wrong");
  }
}

template <class Value, class Policy>
void fuzz_exact(Policy const& policy, drawn const& d) {
  const auto keys = draw_keys(d);
  std::vector<Value> values(d.n);
  for (Value& x : values)
    x = any_bits<Value>();
  std::vector<Value> out(static_cast<std::size_t>(d.bins) + 2);
  for (Value& x : out)
    x = any_bits<Value>();
  std::vector<test::big_sum> sums(static_cast<std::size_t>(d.bins));
  const std::vector<Value> before = out;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] >= 0 && keys[i] < d.bins)
      sums[static_cast<std::size_t>(keys[i])].add(values[i]);
  try {
    run(policy, d, keys, values, out,
        options{}.force(d.forced).accumulate(d.accumulate).check(d.check).exact());
  } catch (std::invalid_argument const& refusal) {
    if (d.forced != route::private_tables && d.forced != route::partitioned)
      fail(d, refusal.what());
    return;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    Value expected = sums[i].template value<Value>();
    if (d.accumulate && same(expected, Value{})) {
      expected = before[i + 1];  // to the bit where nothing is added
    } else if (d.accumulate) {
      sums[i].add(before[i + 1]);
      expected = sums[i].template value<Value>();
    }
    if (!same(out[i + 1], expected))
      fail(d, "the exact sum of bin " + std::to_string(i) + " is wrong");
  }
}

template <class Policy>
void fuzz_one(Policy const& policy, drawn const& d) {
  const auto add = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
  switch (below(10)) {
  case 0:
    return fuzz_case<std::uint32_t, std::uint32_t>(policy, d, std::uint32_t{0}, add);
  case 1:
    return fuzz_case<std::int64_t, std::int8_t>(policy, d, std::int64_t{0}, add);
  case 2:
    return fuzz_case<std::uint8_t, std::uint64_t>(policy, d, std::uint8_t{0}, add);
  case 3:
    return fuzz_case<float, float>(policy, d, 0.F, add, thrust::plus<float>{});
  case 4:
    return fuzz_case<double, std::int16_t>(policy, d, 0., add);
  case 5:
    return fuzz_case<std::int32_t, std::int32_t>(
        policy, d, std::int32_t{-5}, fuzz::larger{}, fuzz::larger{}, std::int32_t{-5});
  case 6:
    return fuzz_case<blob<13>, blob<13>>(
        policy, d, blob<13>{}, fuzz::add_bytes{}, fuzz::add_bytes{}, blob<13>{});
  case 7:
    return fuzz_case<blob<64>, blob<64>>(
        policy, d, blob<64>{}, fuzz::add_bytes{}, fuzz::add_bytes{}, blob<64>{});
  case 8:
    return fuzz_exact<float>(policy, d);
  default:
    return fuzz_exact<double>(policy, d);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return fuzz::main(argc, argv, 500, [] {
    const drawn d = draw();
#ifdef _OPENMP
    if (below(4) != 0) {
      omp_set_num_threads(d.workers);
      fuzz_one(thrust::omp::par, d);
      return;
    }
#endif
    fuzz_one(thrust::seq, d);
  });
}
