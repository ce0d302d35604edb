// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Addends that hurt: sums at and beside the middle between two numbers, cancellation, any bits.

#include "exact_reference.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace test {

template <class T>
inline constexpr int exponent_limit = 1 << (float_format<T>::exponent - 1);  // all are below 2^this

// +-integer * 2^exponent, which must be a number of type T.
template <class T>
T number(bool negative, std::uint64_t integer, int exponent) {
  return from_bits<T>(rounded_bits<T>(wide_integer(negative, integer, exponent + 1200), -1200));
}

template <class T>
T units(std::uint64_t integer, int exponent) {
  return number<T>(false, integer, exponent);
}

template <class T>
T infinite(bool negative = false) {
  return from_bits<T>(infinity_bits<T>() | std::uint64_t{negative} << (8 * sizeof(T) - 1));
}
template <class T>
T quiet_nan() {
  return from_bits<T>(infinity_bits<T>() | std::uint64_t{1} << (anatomy<T>::fraction - 1));
}
template <class T>
T negated(T x) {
  return from_bits<T>(bits_of(x) ^ std::uint64_t{1} << (8 * sizeof(T) - 1));
}
template <class T>
T least() {  // above 0
  return from_bits<T>(1);
}
template <class T>
T most() {
  return from_bits<T>(infinity_bits<T>() - 1);
}

inline constexpr std::size_t addends_of_case = 8;
template <class T>
using addends = std::array<T, addends_of_case>;  // in a random order, filled up with zeros

// m * 2^exponent + half of 2^exponent + tail, as numbers of type T; nothing where they do not
// exist.
template <class T, class To>
void add_tie(
    std::vector<addends<T>>& cases, std::mt19937_64& rng, std::uint64_t m, int exponent, int tail) {
  constexpr int lowest = anatomy<T>::lowest, digits = anatomy<T>::fraction + 1;
  if (exponent - 1 < lowest || exponent + anatomy<To>::fraction + 1 > exponent_limit<T>)
    return;
  const bool negative = (rng() & 1) != 0;
  addends<T> a{};
  std::size_t n = 0;
  for (int done = 0; done <= anatomy<To>::fraction; done += digits)
    a[n++] = number<T>(negative, m >> done & ((std::uint64_t{1} << digits) - 1), exponent + done);
  a[n++] = number<T>(negative, 1, exponent - 1);
  if (tail != 0) {
    const auto places = static_cast<std::uint64_t>(exponent - 1 - lowest);
    const int place = places == 0 || rng() % 2 == 0 ? 0 : static_cast<int>(rng() % places);
    a[n++] = number<T>((tail < 0) != negative, 1, lowest + place);
  }
  const T big = number<T>(
      false, 1,
      lowest + static_cast<int>(rng() % static_cast<unsigned>(exponent_limit<T> - lowest)));
  a[n++] = big;
  a[n++] = negated(big);
  std::shuffle(a.begin(), a.end(), rng);
  cases.push_back(a);
}

// Sums of Ts at and beside the middle between two numbers of type To, for every `step`-th exponent.
template <class T, class To>
void add_ties(std::vector<addends<T>>& cases, std::mt19937_64& rng, int step) {
  constexpr int fraction = anatomy<To>::fraction;
  constexpr std::uint64_t one = std::uint64_t{1} << fraction;
  const int end = exponent_limit<To> - fraction;
  for (int exponent = anatomy<To>::lowest; exponent < end; ++exponent) {
    const bool at_the_ends = exponent < anatomy<To>::lowest + 3 || exponent >= end - 3;
    if (!at_the_ends && exponent % step != 0)
      continue;
    for (int tail : {-1, 0, 1}) {
      for (std::uint64_t m : {one, one + 1, 2 * one - 1, one | (rng() & (one - 1))})
        add_tie<T, To>(cases, rng, m, exponent, tail);
      if (exponent == anatomy<To>::lowest)
        for (std::uint64_t m : {std::uint64_t{0}, std::uint64_t{1}, one / 2, one - 1})
          add_tie<T, To>(cases, rng, m, exponent, tail);
    }
  }
}

// Any bits, or exponents close to each other; with some addends that cancel others.
template <class T>
addends<T> random_addends(std::mt19937_64& rng) {
  addends<T> a{};
  const std::uint64_t kind = rng() % 4, centre = rng();
  for (std::size_t i = 0; i < addends_of_case; ++i) {
    std::uint64_t bits = rng();
    if (kind != 0) {  // exponents within 64 of each other
      constexpr int fraction = anatomy<T>::fraction;
      const std::uint64_t spread = (centre + (bits >> 5) % 64) % anatomy<T>::special;
      const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
      bits = (bits & sign) | spread << fraction | (rng() & ((std::uint64_t{1} << fraction) - 1));
    }
    a[i] = from_bits<T>(bits);
    if (kind == 2 && i % 2 == 1)
      a[i] = negated(a[i - 1]);
    if (kind == 3 && rng() % 2 == 0)
      a[i] = from_bits<T>(bits & ~std::uint64_t{0} << (rng() % anatomy<T>::fraction));
  }
  if (kind == 2)
    a[0] = from_bits<T>(rng());
  std::shuffle(a.begin(), a.end(), rng);
  return a;
}

template <class T>
bool same_bytes(T const& a, T const& b) {
  return std::memcmp(static_cast<void const*>(&a), static_cast<void const*>(&b), sizeof a) == 0;
}

template <class T>
std::vector<T> finite_numbers(std::size_t n) {
  std::mt19937_64 rng(n);
  std::vector<T> numbers;
  while (numbers.size() < n) {
    const T x = from_bits<T>(rng());
    if (!anatomy<T>(x).is_special())
      numbers.push_back(x);
  }
  return numbers;
}

}  // namespace test
