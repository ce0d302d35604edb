// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What programs of random cases share: the numbers, the seed, how many cases, and what is drawn for
// each. Those of the host are built with THRUST_HIST_ENABLE_CHECK, since check() is one of the
// options.

#include "../support/exact.h"
#include <thrust_hist/config.h>

#include <thrust/execution_policy.h>
#ifdef _OPENMP
#  include <thrust/system/omp/execution_policy.h>

#  include <omp.h>
#endif

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace fuzz {

inline std::mt19937_64 rng;

inline std::uint64_t below(std::uint64_t limit) {
  return rng() % limit;
}

inline std::uint64_t cases_done = 0;

// `what` is the case.
[[noreturn]] inline void fail(std::string const& what, std::string const& found) {
  std::printf(
      "FAILED: case %llu, %s: %s\n", static_cast<unsigned long long>(cases_done), what.c_str(),
      found.c_str());
  std::exit(1);
}

template <class T>
bool same(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T>
T any_value() {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(static_cast<double>(below(2001)) - 1000) / 16;  // their sums are exact
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(rng() >> below(64));
  else {
    T x;
    for (auto& byte : x.byte)
      byte = static_cast<unsigned char>(rng());
    return x;
  }
}
template <class T>
T any_bits() {
  for (;;) {
    const T x = test::from_bits<T>(rng());
    if (below(500) == 0 || !test::anatomy<T>(x).is_special())
      return x;
  }
}

template <std::size_t Size>
struct blob {
  unsigned char byte[Size];
  friend bool operator==(blob const& a, blob const& b) {
    return std::memcmp(a.byte, b.byte, Size) == 0;
  }
};
struct add_bytes {
  template <class Blob>
  THRUST_HIST_HOST_DEVICE Blob operator()(Blob a, Blob const& b) const {
    for (std::size_t i = 0; i < sizeof a.byte; ++i)
      a.byte[i] = static_cast<unsigned char>(a.byte[i] + b.byte[i]);
    return a;
  }
};

struct larger {
  template <class T>
  THRUST_HIST_HOST_DEVICE T operator()(T const& a, T const& b) const {
    return a < b ? b : a;
  }
};

// `program [seed [cases]]` or `program --seconds N`: calls `one_case()` so often, or so long. A
// failure names its number: as many cases of the same seed meet it again.
template <class Case>
int main(int argc, char** argv, std::uint64_t usual, Case one_case) {
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0;
  std::vector<std::uint64_t> numbers;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else
      numbers.push_back(std::strtoull(argv[i], nullptr, 0));
  const std::uint64_t seed =
      !numbers.empty()
          ? numbers[0]
          : static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  const std::uint64_t cases = numbers.size() > 1 ? numbers[1]
                              : seconds > 0      ? ~std::uint64_t{0}
                                                 : usual;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  rng.seed(seed);
  while (cases_done < cases) {
    ++cases_done;
    const std::chrono::duration<double> past = std::chrono::steady_clock::now() - start;
    if (seconds > 0 && past.count() > seconds)
      break;
    one_case();
  }
  std::printf("passed %llu cases\n", static_cast<unsigned long long>(cases_done));
  return 0;
}

}  // namespace fuzz
