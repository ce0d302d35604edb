// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Telling arguments apart: a number of bins, a rule, a container; and what takes any wrong one.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/options.h>

#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Converts from everything, and so is the worst match of all: the parameter of catch-alls.
struct anything {
  anything() = default;
  template <class T>
  anything(T const&)  // NOLINT(google-explicit-constructor): to convert is its purpose
  {}
};

template <class T, class = void>
inline constexpr bool has_size = false;
template <class T>
inline constexpr bool has_size<T, std::void_t<decltype(std::declval<T const&>().size())>> = true;

/// A number of bins or a rule, as opposed to options.
template <class T>
inline constexpr bool is_bins = std::is_integral_v<T> || has_size<T>;

template <class T, class = void>
inline constexpr bool is_resizable = false;
template <class T>
inline constexpr bool is_resizable<
    T, std::void_t<decltype(std::declval<T&>().resize(0)), decltype(std::declval<T&>().begin())>> =
    true;

/// A container passed as a lvalue.
template <class Out>
inline constexpr bool is_container = is_resizable<std::remove_reference_t<Out>>;

/// Runs `count()` with a container of `bins` elements, or more to accumulate into. If it throws,
/// the container is as it was.
template <class Container, class Count>
void resized_for(Container& out, std::size_t bins, options const& o, Count count) {
  std::size_t const before = out.size();
  if (o.explain_ != nullptr || bins <= before) {
    count();
    if (o.explain_ == nullptr && !o.accumulate_) {
      out.resize(bins);
    }
    return;
  }
  out.resize(bins);
  try {
    count();
  } catch (...) {
    out.resize(before);
    throw;
  }
}

template <class Out, bool Container = is_container<Out>>
struct output_iterator {
  using type = std::decay_t<Out>;
};
template <class Out>
struct output_iterator<Out, true> {
  using type = decltype(std::declval<Out&>().begin());
};
template <class Out>
using output_iterator_t = typename output_iterator<Out>::type;

template <class Bins>
auto to_rule(Bins const& bins) {
  if constexpr (std::is_integral_v<Bins>) {
    return identity_bins(bins);
  } else {
    return bins;
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
