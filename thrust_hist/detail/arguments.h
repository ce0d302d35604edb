// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What arguments have to be. Each `require_...` says in one sentence what is wrong and how to put
/// it right; the `is_...` beside it lets the algorithm end there, so that no other error hides the
/// sentence.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/overload.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

// --- inputs ---------------------------------------------------------------------------------

template <class Iterator, bool = is_indexed<Iterator>>
inline constexpr bool is_input = false;
template <class Iterator>
inline constexpr bool is_input<Iterator, true> = std::is_convertible_v<
    typename thrust::iterator_traversal<Iterator>::type, thrust::random_access_traversal_tag>;

template <class Iterator>
constexpr void require_input() {
  static_assert(
      is_input<Iterator>,
      "thrust_hist: the input must be random-access iterators; copy the range to a vector first.");
}

template <class Iterator, bool = is_input<Iterator>>
struct input_value {
  using type = int;  // it will be refused
};
template <class Iterator>
struct input_value<Iterator, true> {
  using type = value_t<Iterator>;
};
template <class Iterator>
using input_value_t = typename input_value<Iterator>::type;

// --- outputs --------------------------------------------------------------------------------

template <class Out, bool = is_indexed<Out>>
inline constexpr bool is_read_only = false;
template <class Out>
inline constexpr bool is_read_only<Out, true> =
    std::is_const_v<std::remove_reference_t<element_t<Out>>>;

#if defined(__CUDACC__)
/// A proxy may call a __device__ lambda, and the host cannot say what that takes.
template <class Out>
inline constexpr bool can_be_asked = std::is_reference_v<element_t<Out>>;
#else
template <class Out>
inline constexpr bool can_be_asked = true;
#endif

/// Whether `out[i] = x` does what one expects. A string takes a number as a character: what is made
/// of text must be constructible from x, too.
template <class Out, class X>
constexpr bool takes() {
  using value = value_t<Out>;
  if constexpr (!can_be_asked<Out>) {
    return true;
  } else {
    constexpr bool is_text = std::is_convertible_v<element_t<Out>, value> &&
                             std::is_constructible_v<value, char const*> &&
                             !std::is_constructible_v<value, X>;
    return std::is_assignable_v<element_t<Out>, X> && !is_text;
  }
}

template <class Out, bool = is_indexed<Out> && !is_read_only<Out>>
inline constexpr bool takes_counts = false;
template <class Out>
inline constexpr bool takes_counts<Out, true> = takes<Out, counter_t<Out>>();

/// `V` are the values that are folded.
template <class Out, class V, bool = is_indexed<Out> && !is_read_only<Out>>
inline constexpr bool takes_folds = false;
template <class Out, class V>
inline constexpr bool takes_folds<Out, V, true> = takes<Out, typename folded_of<Out, V>::type>();

/// Says what is no output at all.
template <class Out>
constexpr void require_writable() {
  static_assert(
      is_indexed<Out>,
      "thrust_hist: the output must be a random-access iterator, out.begin() or a pointer, "
      "with room for the bins; where bins are discovered, it may be a container that resize() "
      "can change.");
  static_assert(
      !is_read_only<Out>,
      "thrust_hist: the output is const: pass begin(), not cbegin(), of a container that is not.");
}

template <class Out>
constexpr void require_takes_counts() {
  require_writable<Out>();
  static_assert(
      takes_counts<Out> || !is_indexed<Out> || is_read_only<Out>,
      "thrust_hist: the output must take counts: make its elements integers or floating-point "
      "numbers.");
}

template <class Out>
constexpr void require_no_container() {
  static_assert(
      !is_container<Out>,
      "thrust_hist: with a given number of bins the output is an iterator: pass out.begin(), with "
      "room for the bins.");
}

template <class Out>
inline constexpr bool is_count_output = !is_container<Out> && takes_counts<Out>;
/// An output of counts, with a given number of bins.
template <class Out>
constexpr void require_count_output() {
  require_no_container<Out>();
  if constexpr (!is_container<Out>) {
    require_takes_counts<Out>();
  }
}

template <class Out, class V>
inline constexpr bool is_fold_output = !is_container<Out> && takes_folds<Out, V>;
/// An output of folded values, with a given number of bins.
template <class Out, class V>
constexpr void require_fold_output() {
  require_no_container<Out>();
  if constexpr (!is_container<Out>) {
    require_writable<Out>();
    static_assert(
        takes_folds<Out, V> || !is_indexed<Out> || is_read_only<Out>,
        "thrust_hist: the output must take the folded values: make its elements of the type of the "
        "values.");
  }
}

// --- rows of sparse histograms ----------------------------------------------------------------

template <class KeysOut, class ValuesOut>
inline constexpr bool is_same_kind = is_container<KeysOut> == is_container<ValuesOut>;
template <class KeysOut, class ValuesOut>
constexpr void require_same_kind() {
  static_assert(
      is_same_kind<KeysOut, ValuesOut> || !is_indexed<output_iterator_t<KeysOut>> ||
          !is_indexed<output_iterator_t<ValuesOut>>,
      "thrust_hist: the outputs of a sparse histogram are two containers, which are resized, or "
      "two iterators with room for every input: not one of each.");
}

/// Rows are cast to what the output holds.
template <class Out, class X>
constexpr bool takes_cast() {
  using held = typename folded_of<Out, X>::type;
  if constexpr (!can_be_asked<Out>) {
    return true;
  } else {
    return (std::is_constructible_v<held, X> || std::is_enum_v<held> ||
            (std::is_enum_v<X> && std::is_arithmetic_v<held>)) &&
           std::is_assignable_v<element_t<Out>, held>;
  }
}
template <class Out, class X, bool = is_indexed<Out> && !is_read_only<Out>>
inline constexpr bool takes_rows = false;
template <class Out, class X>
inline constexpr bool takes_rows<Out, X, true> = takes_cast<Out, X>();

/// Whether rows of keys and of values can be written: counts, or what values of type V are folded
/// to.
template <class KeysOut, class ValuesOut, class Key, class V, bool Counts>
inline constexpr bool is_rows_output = takes_rows<KeysOut, Key> &&
                                       (Counts ? takes_rows<ValuesOut, std::uint64_t>
                                               : takes_folds<ValuesOut, V>);

template <class KeysOut, class ValuesOut, class Key, class V, bool Counts>
constexpr void require_rows_output() {
  constexpr bool both = is_indexed<KeysOut> && is_indexed<ValuesOut>;
  constexpr bool read_only = is_read_only<KeysOut> || is_read_only<ValuesOut>;
  static_assert(
      both, "thrust_hist: the outputs must be two random-access iterators, keys.begin() or "
            "pointers, with room for every input, or two containers that resize() can change.");
  static_assert(
      !read_only,
      "thrust_hist: an output is const: pass begin(), not cbegin(), of containers that are not.");
  static_assert(
      !both || read_only || takes_rows<KeysOut, Key>,
      "thrust_hist: the output of keys must take keys: make its elements of their type.");
  static_assert(
      !both || read_only || !takes_rows<KeysOut, Key> ||
          is_rows_output<KeysOut, ValuesOut, Key, V, Counts>,
      "thrust_hist: the second output must take the counts, or the folded values: make its "
      "elements numbers, or of the type of the values.");
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
