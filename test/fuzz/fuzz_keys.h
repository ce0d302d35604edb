// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys of every type that sparse histograms know, made from a number, and what is one key in which
// order.

#include "../support/exact.h"
#include "fuzzing.h"
#include <thrust_hist/config.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace fuzz {

__extension__ typedef __int128 int128;

struct name {
  unsigned char letters[11];
};
struct hash_of_name {
  std::uint64_t mask;  // how many hashes there are: with 0 all names have the same
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(name const& a) const {
    std::uint64_t hash = 0;
    for (unsigned char letter : a.letters)
      hash = hash * 31 + letter;
    return hash & mask;
  }
};
struct name_before {
  THRUST_HIST_HOST_DEVICE bool operator()(name const& a, name const& b) const {
    std::size_t i = 0;
    while (i + 1 < sizeof a.letters && a.letters[i] == b.letters[i])
      ++i;
    return a.letters[i] < b.letters[i];
  }
};
struct same_name {
  THRUST_HIST_HOST_DEVICE bool operator()(name const& a, name const& b) const {
    return !name_before{}(a, b) && !name_before{}(b, a);
  }
};

inline std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 31)) * 0x7fb5d329728ea185u;
  return number ^ (number >> 27);
}

// The number-th key of a type, whatever it is.
template <class Key>
Key key_of(std::uint64_t number) {
  if constexpr (std::is_floating_point_v<Key>) {
    // Zeros of both signs, infinities, NaNs and the smallest numbers are there, too.
    const std::uint64_t sign = (number / 64 & 1) << (8 * sizeof(Key) - 1);
    const std::uint64_t infinity = std::uint64_t{test::anatomy<Key>::special}
                                   << test::anatomy<Key>::fraction;
    switch (number % 64) {
    case 0:
      return test::from_bits<Key>(sign);
    case 1:
      return test::from_bits<Key>(sign | infinity);
    case 2:
      return test::from_bits<Key>(sign | infinity | (1 + number % 1000));
    case 3:
      return test::from_bits<Key>(sign | number % 3);
    default:
      return test::from_bits<Key>(mixed(number) >> (64 - 8 * sizeof(Key)));
    }
  } else if constexpr (std::is_same_v<Key, int128>) {
    return static_cast<int128>(mixed(number)) << 64 | mixed(number + 1);
  } else if constexpr (std::is_same_v<Key, name>) {
    name made = {};
    std::memcpy(made.letters + number % 4, &number, sizeof number - 1);
    return made;
  } else {
    return static_cast<Key>(number % 3 == 0 ? number : mixed(number));
  }
}

// The same, but numbers lie side by side.
template <class Key>
Key neighbour_of(std::uint64_t number) {
  if constexpr (std::is_same_v<Key, name>)
    return key_of<Key>(number);
  else
    return static_cast<Key>(number);
}

template <class Key>
bool is_nan(Key const& key) {
  if constexpr (std::is_floating_point_v<Key>)
    return key != key;
  return false;
}
template <class Key>
bool before(Key const& a, Key const& b) {
  if constexpr (std::is_same_v<Key, name>)
    return name_before{}(a, b);
  else
    return !is_nan(a) && (is_nan(b) || a < b);
}
template <class Key>
bool one_key(Key const& a, Key const& b) {
  return !is_nan(a) && !is_nan(b) && !before(a, b) && !before(b, a);
}
template <class Key>
Key as_written(Key const& key) {
  if constexpr (std::is_floating_point_v<Key>)
    return key == 0 ? Key{0} : key;
  return key;
}

}  // namespace fuzz
