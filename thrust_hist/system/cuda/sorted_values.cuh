// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: which values are sorted with their keys, and as what.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/code_kinds.cuh>
#include <thrust_hist/system/cuda/kernels/double_double.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/sorting.cuh>
#include <thrust_hist/system/cuda/standing_keys.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Fold>
inline constexpr bool counts_keys = std::is_same_v<Fold, count_fold>;

/// Whether values are sorted: what they are folded into is one of them, and not too large for
/// registers, or exact sums of numbers. Other long accumulators have rows instead (see
/// sparse_rows.cuh). Keys that are counted need no values.
template <class Fold>
inline constexpr bool folds_runs = counts_keys<Fold> || may_lose_bits<Fold> ||
                                   (std::is_same_v<typename Fold::state, typename Fold::value> &&
                                    sizeof(typename Fold::state) <= 64);

/// A fold of numbers that come in a narrower type: sorted, they move as they come, and are
/// converted when they are folded.
template <class Fold, class Value>
struct fold_of_narrow : Fold {
  using value = Value;
  using state = typename Fold::state;

  THRUST_HIST_HOST_DEVICE state start(value const& x) const {
    return detail::started(
        static_cast<Fold const&>(*this), detail::convert<typename Fold::value>(x));
  }
};
template <class Fold, class Value>
inline constexpr bool comes_narrow = [] {
  if constexpr (
      std::is_arithmetic_v<Value> && std::is_arithmetic_v<typename Fold::value> &&
      sizeof(typename Fold::value) <= 8 &&
      std::is_same_v<typename Fold::state, typename Fold::value>) {
    return sizeof(Value) < sizeof(typename Fold::value);
  } else {
    return false;
  }
}();
/// What values of a source are folded by when they are sorted with their keys.
template <class Fold, class Source>
using sorting_fold_t = std::conditional_t<
    comes_narrow<Fold, value_t<std::decay_t<decltype(std::declval<Source>().values)>>>,
    fold_of_narrow<Fold, value_t<std::decay_t<decltype(std::declval<Source>().values)>>>, Fold>;

/// What is sorted beside a key: nothing, a value of up to 8 bytes, or its number.
template <class Fold>
inline constexpr bool carries_value = sizeof(typename Fold::value) <= 8;
struct no_words {
  using type = nothing_beside;
};
template <class Fold>
struct carried_words {
  using type = std::conditional_t<
      counts_keys<Fold>, nothing_beside,
      std::conditional_t<
          carries_value<Fold> && (sizeof(typename Fold::value) > 4), std::uint64_t, std::uint32_t>>;
};

/// The same beside a key that is sorted as it stands: the value as it stands, one word or two
/// neighbours. Of more, which are copied one by one, words are made first.
template <class Fold>
inline constexpr bool value_stands = carries_value<Fold> && sizeof(typename Fold::value) <=
                                                                2 * alignof(typename Fold::value);
template <std::size_t Bytes, std::size_t Alignment>
struct standing_words {
  struct type {
    typename code_of_size<Alignment>::type words[Bytes / Alignment];
  };
};
template <std::size_t Bytes>
struct standing_words<Bytes, Bytes> : code_of_size<Bytes> {};
template <class Fold, bool Stands>
struct words_beside : carried_words<Fold> {};
template <class Fold>
struct words_beside<Fold, true>
    : std::conditional_t<
          counts_keys<Fold>, carried_words<Fold>,
          standing_words<sizeof(typename Fold::value), alignof(typename Fold::value)>> {};

template <class Iterator>
inline constexpr bool refers_to_volatile = std::is_volatile_v<
    std::remove_reference_t<typename thrust::iterator_traits<Iterator>::reference>>;

/// Whether keys in memory may be sorted as they stand, with values beside them, if any, that are
/// carried as they are.
template <class Source, class Kind, class Fold>
inline constexpr bool may_stand = [] {
  using keys = std::decay_t<decltype(std::declval<Source>().first)>;
  using values = std::decay_t<decltype(std::declval<Source>().values)>;
  using value = typename Fold::value;
  constexpr bool are_keys = is_contiguous<keys> && !refers_to_volatile<keys> &&
                            (std::is_same_v<value_t<keys>, typename Kind::code> ||
                             (is_number_kind<Kind> && can_stand<value_t<keys>>));
  if constexpr (!are_keys || counts_keys<Fold>) {
    return are_keys;
  } else {
    return is_contiguous<values> && !refers_to_volatile<values> &&
           std::is_same_v<value_t<values>, value> && value_stands<Fold>;
  }
}();
/// Whether they always are: all but real numbers.
template <class Source, class Kind, class Fold>
inline constexpr bool always_stand =
    may_stand<Source, Kind, Fold> && !has_alone_keys<Kind, typename Source::key>;

/// Whether keys may be sorted bucket by bucket, with values beside them.
template <class Kind, class Fold>
inline constexpr bool may_be_bucketed =
    !counts_keys<Fold> && folds_runs<Fold> && is_hashed_kind<Kind>;

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
