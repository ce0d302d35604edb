// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The inputs of sparse histograms: which of the distinct keys comes i-th, and which value of its
/// type that key has. Both are pure functions. Without CUDA headers; tested with g++
/// (test/unit/perf_sparse_keys.cpp).

#include "distributions.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace perf {

__extension__ typedef unsigned __int128 uint128;

/// How the distinct keys follow one another.
enum class key_order {
  uniform,
  zipf,       ///< exponent 1
  sorted,     ///< those of uniform, sorted afterwards
  runs,       ///< of 1 024 equal keys
  clustered,  ///< each of 64 keys whose window moves over all of them, as stamps of time do
  half_few    ///< half of them few_of(n), uniform, the others all different: a sample hardly tells
};

inline constexpr key_order all_orders[] = {
    key_order::uniform, key_order::zipf, key_order::sorted, key_order::runs, key_order::clustered};

/// Of n keys, half are of so many.
PERF_HOST_DEVICE constexpr std::uint64_t few_of(std::uint64_t n) {
  return n / 4 < 1 << 18 ? n / 4 : 1 << 18;
}
/// Distinct ones among n keys of which half are few.
constexpr std::uint64_t distinct_of_half_few(std::uint64_t n) {
  return n / 2 + few_of(n);
}

inline char const* name_of(key_order o) {
  constexpr char const* names[] = {"uniform", "zipf", "sorted", "runs", "clustered", "half few"};
  return names[static_cast<int>(o)];
}

/// Which values of their type the distinct keys have.
enum class key_layout {
  spread,      ///< any, by an invertible mix of their index
  dense,       ///< neighbouring ones
  octaves,     ///< as many in each of five, of which each is half as wide as the one above
  clustered,   ///< neighbouring ones in each of 1 000 places
  half_narrow  ///< half of them neighbours, the others all over the upper half of the range
};

inline char const* name_of(key_layout l) {
  constexpr char const* names[] = {"spread", "dense", "octaves", "clusters", "half narrow"};
  return names[static_cast<int>(l)];
}

/// How many bits tell so many numbers apart.
inline int width_of(std::uint64_t distinct) {
  int bits = 1;
  while (bits < 64 && distinct > std::uint64_t{1} << bits) {
    ++bits;
  }
  return bits;
}

/// A permutation of the numbers below n, which is a power of two; 2^`bits` at most.
PERF_HOST_DEVICE inline std::uint64_t shuffled(std::uint64_t i, std::uint64_t n) {
  for (int round = 0; round < 3; ++round) {
    i = (i * 0x9E3779B97F4A7C15ull + 0x94D049BB133111EBull) & (n - 1);
    std::uint64_t const half = i >> 7;
    i ^= (half ^ half >> 7) & (n - 1);
  }
  return i;
}

/// The index, below `distinct`, of key i of n. Where n keys are distinct, n is a power of two, each
/// index comes once, and the order is uniform, sorted or clustered. Where half are few, n is a
/// power of two from 4 on, and `distinct` is distinct_of_half_few(n).
PERF_HOST_DEVICE inline std::uint64_t index_at(
    std::uint64_t i, std::uint64_t n, std::uint64_t distinct, key_order o) {
  constexpr std::uint64_t window = 64;
  bool const all = distinct == n;
  switch (o) {
  case key_order::zipf:
    return perf::key_at(i, n, distinct, distribution::zipf);
  case key_order::runs:
    return perf::key_at(i, n, distinct, distribution::runs);
  case key_order::clustered: {
    if (all) {
      return n < window ? i : i ^ (mix(i / window) % window);
    }
    std::uint64_t const first = perf::key_at(i, n, distinct, distribution::sorted);
    return (first + mix(i) % window) % distinct;
  }
  case key_order::half_few: {
    std::uint64_t const place = perf::shuffled(i, n);
    return place < n / 2 ? mix(place) % few_of(n) : few_of(n) + (place - n / 2);
  }
  case key_order::uniform:
  case key_order::sorted:
    break;
  }
  return all ? perf::shuffled(i, n) : perf::key_at(i, n, distinct, distribution::uniform);
}

/// A permutation of the words of 32 bits (C. Wellons 2018).
PERF_HOST_DEVICE inline std::uint32_t mix_32(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  return x ^ (x >> 16);
}

/// A finite float that is not -0, from an index below 2^31 - 2^23: the mix is repeated until its
/// bits are those of one, which is a permutation of these.
PERF_HOST_DEVICE inline float spread_float(std::uint32_t index) {
  std::uint32_t bits = index;
  do {
    bits = perf::mix_32(bits);
  } while ((bits & 0x7F800000u) == 0x7F800000u || bits == 0x80000000u);
  float key = 0;
  std::memcpy(&key, &bits, sizeof key);
  return key;
}

/// The float that comes so many after 2.
PERF_HOST_DEVICE inline float dense_float(std::uint32_t index) {
  std::uint32_t const bits = 0x40000000u + index;
  float key = 0;
  std::memcpy(&key, &bits, sizeof key);
  return key;
}

/// A word of so many bits, 30 at least, for a layout that is neither spread nor dense, from an
/// index below 2^27.
PERF_HOST_DEVICE inline std::uint64_t uneven_word(std::uint64_t index, key_layout l, int bits) {
  if (l == key_layout::clustered) {
    return ((index % 1000) << (bits - 10)) + index / 1000;
  }
  bool const halves = l == key_layout::half_narrow;
  if (halves && index % 2 != 0) {
    return (std::uint64_t{1} << (bits - 2)) + index / 2;
  }
  unsigned const octaves = halves ? 2 : 5;
  int const place_bits = halves ? 26 : 25;
  int const octave = bits - 1 - static_cast<int>(index % octaves);
  std::uint64_t const place = perf::shuffled(index / octaves, std::uint64_t{1} << place_bits)
                              << (octave - place_bits);
  std::uint64_t const below = mix(index) & ((std::uint64_t{1} << (octave - place_bits)) - 1);
  return (std::uint64_t{1} << octave) + place + below;
}

/// The key of an index below 2^28; different indices have different keys.
template <class T>
PERF_HOST_DEVICE T key_of(std::uint64_t index, key_layout l) {
  bool const spread = l == key_layout::spread;
  if (l != key_layout::spread && l != key_layout::dense) {
    constexpr bool is_float = std::is_same_v<T, float>;
    constexpr int bits = is_float ? 30 : 8 * static_cast<int>(sizeof(T) < 8 ? sizeof(T) : 8);
    std::uint64_t const word = perf::uneven_word(index, l, bits);
    if constexpr (is_float) {
      auto const bits_of = static_cast<std::uint32_t>(word);
      float key = 0;
      std::memcpy(&key, &bits_of, sizeof key);
      return key;
    } else {
      return static_cast<T>(word);
    }
  }
  if constexpr (std::is_same_v<T, float>) {
    auto const word = static_cast<std::uint32_t>(index);
    return spread ? perf::spread_float(word) : perf::dense_float(word);
  } else if constexpr (sizeof(T) == 16) {
    return spread ? static_cast<T>(mix(index)) << 64 | static_cast<T>(mix(~index))
                  : static_cast<T>(index);
  } else if constexpr (sizeof(T) == 8) {
    return spread ? mix(index) : index;
  } else {
    static_assert(sizeof(T) == 4, "keys have 4, 8 or 16 bytes");
    auto const word = static_cast<std::uint32_t>(index);
    return spread ? perf::mix_32(word) : word;
  }
}

/// The bits, from the lowest one, in which keys differ.
template <class T>
int bits_in_use(std::uint64_t distinct, key_layout l) {
  return l == key_layout::dense ? width_of(distinct) : 8 * static_cast<int>(sizeof(T));
}

}  // namespace perf
