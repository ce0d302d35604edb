// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random folds on a GPU against the same on one thread, bit by bit: types, operators, sizes,
// numbers of bins, distributions, addresses, routes, options. Prints its seed; `fuzz_folds_cuda
// [seed [seconds]]` repeats it, for as long as it is told to: an hour is 3600.

#include "../support/distributions.h"
#include "../support/exact.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/system/cuda/execution_policy.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using thrust_hist::options;
using thrust_hist::route;

std::mt19937_64 rng;

template <class T>
using vector = thrust::device_vector<T>;
template <class T>
T* address(vector<T>& v) {
  return thrust::raw_pointer_cast(v.data());
}
const auto policy = thrust::cuda::par;
constexpr route routes[] = {route::automatic,   route::automatic,    route::automatic,
                            route::registers,   route::shared,       route::global,
                            route::partitioned, route::shared_split, route::sorted};

// Nine bytes without alignment; the greatest of each.
struct nine {
  unsigned char byte[9];
};
struct greatest {
  THRUST_HIST_HOST_DEVICE nine operator()(nine const& a, nine const& b) const {
    nine r = a;
    for (int i = 0; i < 9; ++i)
      r.byte[i] = a.byte[i] > b.byte[i] ? a.byte[i] : b.byte[i];
    return r;
  }
};

struct problem {
  std::size_t n, offset;
  std::int64_t bins;
  test::distribution distribution;
  int values;
  options how;
};

std::string text(problem const& p, char const* what) {
  std::ostringstream s;
  s << what << ", n = " << p.n << ", " << p.bins << " bins, " << test::name_of(p.distribution)
    << ", values " << p.values << ", from " << p.offset << ", " << p.how;
  return s.str();
}

std::size_t any_size() {
  switch (rng() % 8) {
  case 0:
    return rng() % 40;
  case 1:
    return (std::size_t{1} << (rng() % 18)) + rng() % 3;
  case 2:
    return (1 << 20) - 2 + rng() % 5;
  case 3:
    return rng() % 3000000;
  default:
    return rng() % 60000;
  }
}
std::int64_t any_bins() {
  switch (rng() % 6) {
  case 0:
    return static_cast<std::int64_t>(rng() % 4);
  case 1:
    return static_cast<std::int64_t>(rng() % 70);
  case 2:
    return static_cast<std::int64_t>(rng() % 200000);
  case 3:
    return static_cast<std::int64_t>((std::uint64_t{1} << (rng() % 19)) + rng() % 3);
  default:
    return static_cast<std::int64_t>(rng() % 20000);
  }
}

problem any_problem() {
  problem p = {any_size(),
               rng() % 5,
               any_bins(),
               test::all_distributions[rng() % 10],
               static_cast<int>(rng() % 4),
               options{}};
  p.how.force(routes[rng() % std::size(routes)]).accumulate(rng() % 4 == 0);
  return p;
}

template <class V>
V any_value(int kind) {
  if constexpr (std::is_same_v<V, nine>) {
    nine x;
    for (auto& b : x.byte)
      b = static_cast<unsigned char>(rng());
    return x;
  } else if constexpr (std::is_floating_point_v<V>) {
    const double unit = static_cast<double>(rng() >> 11) * 0x1p-53 - 0.5;
    switch (kind) {
    case 0:
      return static_cast<V>(unit);
    case 1:
      return rng() % 9 == 0 ? test::from_bits<V>(rng()) : static_cast<V>(unit);
    case 2:
      return static_cast<V>(std::ldexp(unit, static_cast<int>(rng() % 30) - 20));
    default:
      return test::from_bits<V>(rng());
    }
  } else
    return static_cast<V>(kind == 0 ? rng() % 3 : rng());
}

// `op...` is what a call gets behind the bins. Returns whether the route was taken.
template <class A, class K, class V, class... Op>
bool fuzz(char const* what, problem p, Op... op) {
  const auto size = static_cast<std::size_t>(p.bins);
  const auto inside = test::generate(
      p.distribution, p.n, static_cast<std::uint64_t>(p.bins) + p.bins / 30 + 1, rng());
  std::vector<K> keys(p.n + p.offset);
  std::vector<V> values(p.n + p.offset);
  for (std::size_t i = 0; i < p.n; ++i)
    keys[i + p.offset] = rng() % 40 == 0 ? static_cast<K>(rng()) : static_cast<K>(inside[i]);
  for (V& x : values)
    x = any_value<V>(p.values);
  std::vector<A> expected(size), got(size);
  for (A& x : expected)
    x = p.how.accumulate_ ? any_value<A>(0) : A{};
  vector<A> out(expected.begin(), expected.end());
  vector<K> device_keys(keys.begin(), keys.end());
  vector<V> device_values(values.begin(), values.end());
  std::uint64_t dropped = 0, expected_dropped = 0;
  const auto offset = static_cast<std::ptrdiff_t>(p.offset);
  try {
    K const* const first = address(device_keys) + offset;
    V const* const weights = address(device_values) + offset;
    thrust_hist::histogram_by_key(
        policy, first, first + p.n, weights, address(out), p.bins, op...,
        options{p.how}.dropped(&dropped));
  } catch (std::invalid_argument const& refusal) {
    if (p.how.force_ != route::automatic)
      return false;
    std::printf("FAILED: %s: %s\n", text(p, what).c_str(), refusal.what());
    std::exit(1);
  }
  thrust_hist::histogram_by_key(
      thrust::seq, keys.begin() + offset, keys.end(), values.begin() + offset, expected.begin(),
      p.bins, op..., options{p.how}.force(route::automatic).dropped(&expected_dropped));
  thrust::copy(out.begin(), out.end(), got.begin());
  for (std::size_t i = 0; i < size; ++i)
    if (std::memcmp(&got[i], &expected[i], sizeof(A)) != 0) {
      std::printf("FAILED: %s: bin %zu differs\n", text(p, what).c_str(), i);
      std::exit(1);
    }
  if (dropped != expected_dropped) {
    std::printf(
        "FAILED: %s: %llu dropped instead of %llu\n", text(p, what).c_str(),
        static_cast<unsigned long long>(dropped),
        static_cast<unsigned long long>(expected_dropped));
    std::exit(1);
  }
  return true;
}

bool any_case() {
  problem p = any_problem();
  switch (rng() % 7) {
  case 0:
    p.how.exact();
    return fuzz<float, std::uint32_t, float>("exact sums of float", p);
  case 1:
    p.how.exact();
    return fuzz<double, std::int32_t, double>("exact sums of double", p);
  case 2:
    return fuzz<std::int32_t, std::uint16_t, std::int32_t>("sums of int32", p);
  case 3:
    return fuzz<std::int64_t, std::int64_t, std::int32_t>("sums of int32 in int64", p);
  case 4:
    return fuzz<float, std::uint32_t, float>("minima of float", p, thrust::minimum<float>{});
  case 5:
    return fuzz<std::uint64_t, std::uint8_t, std::uint64_t>(
        "bit_xor of uint64", p, thrust::bit_xor<std::uint64_t>{});
  default:
    return fuzz<nine, std::uint32_t, nine>("greatest of nine bytes", p, greatest{}, nine{});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::random_device{}();
  const double seconds = argc > 2 ? std::atof(argv[2]) : 20;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  rng.seed(seed);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t cases = 0, taken = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
         seconds) {
    ++cases;
    taken += any_case() ? 1 : 0;
  }
  std::printf(
      "%llu cases, %llu of them by a route that was possible: no difference\n",
      static_cast<unsigned long long>(cases), static_cast<unsigned long long>(taken));
  return taken > 0 ? 0 : 1;
}
