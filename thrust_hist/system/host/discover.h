// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Keys whose number of bins nobody has given, on the host systems: for how many bins there is room
/// while they are counted, so that they need not be read for the largest one first; and how that is
/// found where they must be.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/one_past.h>
#include <thrust_hist/detail/samples.h>

#include <algorithm>
#include <cstdint>
#include <limits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {

/// One past the largest key of a chunk of n keys; 0 for none.
template <class Iterator>
struct one_past_chunk {
  static constexpr std::uint64_t size = 1 << 14;

  Iterator first;
  std::uint64_t n;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint64_t chunk) const {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    using integer = integer_t<value_t<Iterator>>;
    constexpr unsigned at_once = 8;  // to wait for one after the other takes twice as long
    std::uint64_t const begin = chunk * size;
    std::uint64_t const left = begin < n ? n - begin : 0;
    std::uint64_t const keys = left < size ? left : size;
    Iterator const here = first + static_cast<difference>(begin);
    integer largest[at_once];
    for (integer& x : largest) {
      x = std::numeric_limits<integer>::lowest();
    }
    std::uint64_t i = 0;
    for (; i + at_once <= keys; i += at_once) {
      for (unsigned j = 0; j < at_once; ++j) {
        auto const key = static_cast<integer>(here[static_cast<difference>(i + j)]);
        largest[j] = largest[j] < key ? key : largest[j];
      }
    }
    for (; i < keys; ++i) {
      auto const key = static_cast<integer>(here[static_cast<difference>(i)]);
      largest[0] = largest[0] < key ? key : largest[0];
    }
    for (integer const x : largest) {
      largest[0] = largest[0] < x ? x : largest[0];
    }
    return keys == 0 ? 0 : one_past<integer>{}(largest[0]);
  }
};

/// One past the largest of `looks` keys from all over, of n < 2^32. Their distances are irregular:
/// what is regular in an input, as columns are, must not hide from them.
template <class Iterator>
std::uint64_t one_past_some(Iterator first, std::uint64_t n, std::uint64_t looks) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  constexpr std::uint32_t golden_section = 0x9E3779B9;  // of 2^32
  std::uint64_t most = 0;
  for (std::uint64_t look = 0; look < looks; ++look) {
    std::uint64_t const place = static_cast<std::uint32_t>(look * golden_section) * n >> 32;
    one_past<value_t<Iterator>> const past;
    most = (std::max)(most, past(first[static_cast<difference>(place)]));
  }
  return most;
}

/// For how many bins n < 2^32 keys are worth counters before the largest one is known: three times
/// as many as some of them need, in which most tails end, fewer where that would be much memory
/// beside that of the keys; as many as there can be of keys of one byte. None where keys are so few
/// that the largest is found at once, or where they seem to need a bin for each four of them: then
/// it is to count them that takes the time.
template <class Iterator>
std::uint64_t room_for_keys(Iterator first, std::uint64_t n) {
  constexpr std::uint64_t fewest_keys = 1 << 12;
  constexpr std::uint64_t most_looks = 1 << 12;
  constexpr std::uint64_t keys_of_look = 64;
  constexpr std::uint64_t least_more = 64;
  if (n < fewest_keys) {
    return 0;
  }
  if constexpr (sizeof(value_t<Iterator>) == 1) {
    return 256;
  }
  std::uint64_t const some =
      host::one_past_some(first, n, (std::min)(most_looks, n / keys_of_look));
  std::uint64_t const room = some + (std::min)(2 * some, n / 16) + least_more;
  bool const are_short = sizeof(value_t<Iterator>) == 2;
  return some > n / 4 ? 0 : are_short ? (std::min)(room, std::uint64_t{1} << 16) : room;
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
