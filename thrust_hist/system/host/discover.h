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
  static constexpr std::uint64_t size = 1 << 9;

  Iterator first;
  std::uint64_t n;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint64_t chunk) const {
    std::uint64_t const begin = chunk * size;
    return in(begin, n - begin < size ? n : begin + size);
  }

  /// Of the keys [begin, end).
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE std::uint64_t in(std::uint64_t begin, std::uint64_t end) const {
    using integer = integer_t<value_t<Iterator>>;
    constexpr unsigned at_once = 8;  // to wait for one after the other takes twice as long
    integer largest[at_once];
    for (integer& x : largest) {
      x = std::numeric_limits<integer>::lowest();
    }
    std::uint64_t i = begin;
    for (; i + at_once <= end; i += at_once) {
      for (unsigned j = 0; j < at_once; ++j) {
        integer const x = key(i + j);
        largest[j] = largest[j] < x ? x : largest[j];
      }
    }
    for (; i < end; ++i) {
      integer const x = key(i);
      largest[0] = largest[0] < x ? x : largest[0];
    }
    for (integer const x : largest) {
      largest[0] = largest[0] < x ? x : largest[0];
    }
    return begin == end ? 0 : one_past<integer>{}(largest[0]);
  }

private:
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE integer_t<value_t<Iterator>> key(std::uint64_t i) const {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    value_t<Iterator> const x = *(first + static_cast<difference>(i));
    return static_cast<integer_t<value_t<Iterator>>>(x);
  }
};

/// One past the largest of `looks` keys from all over, of n < 2^32. Their distances are irregular:
/// what is regular in an input, as columns are, must not hide from them.
template <class Iterator>
std::uint64_t one_past_some(Iterator first, std::uint64_t n, std::uint64_t looks) {
  constexpr std::uint32_t golden_section = 0x9E3779B9;  // of 2^32
  one_past_chunk<Iterator> const past{first, n};
  std::uint64_t most = 0;
  for (std::uint64_t look = 0; look < looks; ++look) {
    std::uint64_t const place = static_cast<std::uint32_t>(look * golden_section) * n >> 32;
    most = (std::max)(most, past.in(place, place + 1));
  }
  return most;
}

/// For how many bins n < 2^32 keys are worth counters before the largest one is known: three times
/// as many as some of them need, less where that would be much memory beside that of the keys; as
/// many as there can be of keys of one byte. None where keys are so few that the largest is found
/// at once, or where they seem to need more bins than counting is fast with: then to look for the
/// largest takes little beside it.
template <class Iterator>
std::uint64_t room_for_keys(Iterator first, std::uint64_t n) {
  constexpr std::uint64_t fewest_keys = 1 << 12;
  constexpr std::uint64_t most_looks = 1 << 12;
  constexpr std::uint64_t keys_of_look = 64;
  constexpr std::uint64_t least_more = 64;
  constexpr std::uint64_t most_bins = 1 << 20;  // so that the room stays below 2^22; see partition
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
  return some > (std::min)(n / 4, most_bins) ? 0
         : are_short                         ? (std::min)(room, std::uint64_t{1} << 16)
                                             : room;
}

/// Of how many of n keys it is seen first whether there is room for all of them: where many are
/// far beyond most others, some of the first ones are. 0 where n is so small that it is not asked.
inline std::uint64_t keys_to_try(std::uint64_t n) noexcept {
  constexpr std::uint64_t fewest_keys = 1 << 17;
  return n < fewest_keys ? 0 : n / 16;
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
