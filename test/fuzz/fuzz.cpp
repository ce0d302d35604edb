// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random levels, numbers of bins, types, options and samples against the reference; bad arguments
// have to throw std::invalid_argument and to write nothing. Prints its seed; `fuzz [seed [cases]]`
// repeats it.

#include "../support/reference.h"
#include "fuzzing.h"
#include <thrust_hist/thrust_hist.h>

#include <string>

namespace {

using fuzz::rng;

template <class T>
T any_number() {
  if constexpr (test::is_float<T>) {
    switch (rng() % 8) {
    case 0:
      return test::from_bits<T>(rng());
    case 1:
      return T(0);
    case 2:
      return test::from_bits<T>(rng() % 100);  // denormals
    case 3:
      return static_cast<T>(1e30) * static_cast<T>(rng() % 5);
    default:
      return static_cast<T>(
          static_cast<double>(static_cast<std::int64_t>(rng() % 20001) - 10000) / 64);
    }
  } else
    switch (rng() % 8) {
    case 0:
      return static_cast<T>(rng());
    case 1:
      return std::numeric_limits<T>::min();
    case 2:
      return std::numeric_limits<T>::max();
    case 3:
      return static_cast<T>(rng() >> (rng() % 64));
    default:
      return static_cast<T>(rng() % 300 - 100);
    }
}

test::bin any_bins() {
  switch (rng() % 10) {
  case 0:
    return 0;
  case 1:
    return -static_cast<test::bin>(rng() % 100) - 1;
  case 2:
    return static_cast<test::bin>(rng() % 20000);
  default:
    return static_cast<test::bin>(1 + rng() % 50);
  }
}

template <class T>
std::string text(T x) {
  char buffer[64];
  if constexpr (test::is_float<T>)
    std::snprintf(buffer, sizeof buffer, "%a", static_cast<double>(x));
  else if constexpr (std::is_signed_v<T>)
    std::snprintf(buffer, sizeof buffer, "%lld", static_cast<long long>(x));
  else
    std::snprintf(buffer, sizeof buffer, "%llu", static_cast<unsigned long long>(x));
  return buffer;
}

[[noreturn]] void fail(std::string const& what) {
  fuzz::fail("random levels", what);
}

template <class Sample>
bool levels_are_legal(test::level const& lower, test::level const& upper, bool inclusive) {
  const auto image = [](test::level const& l) {
    return l.is_integer ? test::order_of_integer(l.integer) : test::order_of(l.real);
  };
  for (test::level const* l : {&lower, &upper})
    if (!l->is_integer && test::anatomy<double>(l->real).is_special())
      return false;
  if (inclusive ? image(upper) < image(lower) : image(upper) <= image(lower))
    return false;
  if (lower.is_integer && upper.is_integer && !test::is_float<Sample>)
    return true;
  // Edges are computed in double, and rounded to the samples where those are real.
  auto a = test::order_of(lower.real), b = test::order_of(upper.real);
  if constexpr (test::is_float<Sample>) {
    a = test::order_of(test::round_to<Sample>(lower.real));
    b = test::order_of(test::round_to<Sample>(upper.real));
  }
  return inclusive ? a <= b : a < b;
}

// Samples near the edges, where mistakes live, and anywhere.
template <class Sample>
std::vector<Sample> some_samples(
    std::size_t n, test::level const& lower, test::level const& upper) {
  std::vector<Sample> samples(n);
  for (Sample& x : samples)
    if (rng() % 3 == 0)
      x = any_number<Sample>();
    else if constexpr (test::is_float<Sample>) {
      const double at = static_cast<double>(rng() % 1025) / 1024;
      x = test::round_to<Sample>(lower.real * (1 - at) + upper.real * at);
      x = rng() % 3 == 0 ? test::next_up(x) : rng() % 3 == 0 ? test::next_down(x) : x;
    } else
      x = static_cast<Sample>(
          static_cast<std::uint64_t>(rng() % 2 == 0 ? lower.integer : upper.integer) + rng() % 7 -
          3);
  return samples;
}

template <class Sample, class Lower, class Upper, class Policy>
void fuzz_even(Policy const& policy) {
  const test::bin bins = any_bins();
  const Lower lower = any_number<Lower>();
  const Upper upper = any_number<Upper>();
  const bool inclusive = rng() % 4 == 0;
  const std::string what = "even<" + std::to_string(sizeof(Sample)) +
                           (test::is_float<Sample> ? "f" : "i") + "> " + std::to_string(bins) +
                           " bins over [" + text(lower) + ", " + text(upper) +
                           (inclusive ? "]" : ")");
  const bool legal = bins >= 0 && levels_are_legal<Sample>(lower, upper, inclusive);
  const std::vector<Sample> samples = some_samples<Sample>(rng() % 200, lower, upper);
  const std::vector<std::uint32_t> junk(
      static_cast<std::size_t>(bins > 0 ? bins : 0) + 2, 0xa5a5a5a5);
  std::vector<std::uint32_t> out = junk;
  std::uint64_t dropped = 0;
  try {
    const auto options = thrust_hist::options{}.dropped(&dropped).check(rng() % 8 == 0);
    const auto end =
        inclusive
            ? thrust_hist::histogram(
                  policy, samples.begin(), samples.end(), out.begin() + 1,
                  thrust_hist::even_bins(bins, lower, upper, thrust_hist::upper_edge::inclusive),
                  options)
            : thrust_hist::histogram_even(
                  policy, samples.begin(), samples.end(), out.begin() + 1, bins, lower, upper,
                  options);
    if (!legal)
      fail(what + " should have been refused");
    if (end != out.end() - 1)
      fail(what + " returned another end");
  } catch (std::invalid_argument const& refusal) {
    if (legal)
      fail(what + " was refused: " + refusal.what());
    if (out != junk)
      fail(what + " was refused, but something was written");
    return;
  }
  const auto expected =
      test::count(samples, test::even_reference<Sample>(bins, lower, upper, inclusive));
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    counted += expected[i];
    if (out[i + 1] != expected[i])
      fail(
          what + ": bin " + std::to_string(i) + " holds " + std::to_string(out[i + 1]) +
          " instead of " + std::to_string(expected[i]));
  }
  if (out.front() != junk.front() || out.back() != junk.back())
    fail(what + " wrote beside its output");
  if (dropped != samples.size() - counted)
    fail(what + ": dropped is " + std::to_string(dropped));
}

template <class Sample, class Edge, class Policy>
void fuzz_range(Policy const& policy) {
  std::vector<Edge> edges(rng() % 20);
  for (Edge& edge : edges)
    edge = any_number<Edge>();
  if (rng() % 8 != 0)
    std::sort(edges.begin(), edges.end(), [](Edge a, Edge b) {
      return test::order_of(a) < test::order_of(b);
    });
  bool legal = !edges.empty();
  for (std::size_t i = 0; i < edges.size(); ++i)
    legal = legal && test::order_of(edges[i]) != test::no_order &&
            (i == 0 || test::order_of(edges[i - 1]) <= test::order_of(edges[i]));
  std::vector<Sample> samples(rng() % 200);
  for (Sample& x : samples)
    x = any_number<Sample>();
  const std::vector<std::uint64_t> junk(edges.size() + 2, 0xa5a5a5a5a5a5a5a5);
  std::vector<std::uint64_t> out = junk;
  std::string what = "range of";
  for (Edge edge : edges)
    what += " " + text(edge);
  try {
    thrust_hist::histogram_range(
        policy, samples.begin(), samples.end(), out.begin() + 1, edges.begin(), edges.end());
    if (!legal)
      fail(what + " should have been refused");
  } catch (std::invalid_argument const& refusal) {
    if (legal)
      fail(what + " was refused: " + refusal.what());
    if (out != junk)
      fail(what + " was refused, but something was written");
    return;
  }
  const auto expected = test::count(samples, test::range_reference(edges));
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (out[i + 1] != expected[i])
      fail(
          what + ": bin " + std::to_string(i) + " holds " + std::to_string(out[i + 1]) +
          " instead of " + std::to_string(expected[i]));
}

template <class Policy>
void fuzz_one(Policy const& policy) {
  switch (rng() % 12) {
  case 0:
    return fuzz_even<float, double, double>(policy);
  case 1:
    return fuzz_even<float, float, int>(policy);
  case 2:
    return fuzz_even<double, double, double>(policy);
  case 3:
    return fuzz_even<double, std::int64_t, float>(policy);
  case 4:
    return fuzz_even<std::int8_t, std::int8_t, std::int8_t>(policy);
  case 5:
    return fuzz_even<std::uint8_t, int, unsigned>(policy);
  case 6:
    return fuzz_even<std::int32_t, std::int32_t, std::uint64_t>(policy);
  case 7:
    return fuzz_even<std::uint64_t, std::int64_t, std::uint64_t>(policy);
  case 8:
    return fuzz_even<std::int64_t, std::int64_t, double>(policy);
  case 9:
    return fuzz_range<float, double>(policy);
  case 10:
    return fuzz_range<std::int64_t, double>(policy);
  default:
    return fuzz_range<std::uint32_t, std::int16_t>(policy);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return fuzz::main(argc, argv, 20000, [] {
#ifdef _OPENMP
    if (rng() % 50 == 0) {
      fuzz_one(thrust::omp::par);
      return;
    }
#endif
    fuzz_one(thrust::seq);
  });
}
