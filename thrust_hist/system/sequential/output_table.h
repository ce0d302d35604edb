// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting in the output itself, where it is an array of integers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>

#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Whether the output can be the table: an array of integers that may be read as unsigned, and nothing
/// that may throw half-way (a thrown exception leaves outputs as they were).
template <class Iterator, class Rule, class Out>
constexpr bool may_count_in_output() {
  if constexpr (is_counter_array<Out> && is_contiguous<Iterator>) {
    using counter = value_t<Out>;
    using sample = value_t<Iterator>;
    using bound = decltype(detail::bind_rule<sample, bin_index>(std::declval<Rule const&>()));
    return (
        std::is_same_v<counter, std::make_signed_t<counter>> ||
        std::is_same_v<
            counter,
            std::make_unsigned_t<
                counter>>)&& noexcept(std::declval<bound const&>()(std::declval<sample const&>()));
  }
  return false;
}

/// The output as counters, which wrap modulo 2^bits as those of a table would.
template <class Out>
auto* counters_of_output(Out out) {
  using counter = std::make_unsigned_t<value_t<Out>>;
  return reinterpret_cast<counter*>(raw_pointer(out));
}

/// Counters wider than needed would only take more of the cache.
template <class Out>
bool has_counters_of_width(bool wide) noexcept {
  return sizeof(value_t<Out>) == 4 || wide;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
