// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting in the output itself, where it is an array of integers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/count_chunk.h>
#include <thrust_hist/system/sequential/worker_tables.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Whether the output can be the table: an array of 32-bit integers that may be read as unsigned (wider
/// ones would take more of a cache), and nothing that may throw half-way, since a thrown exception leaves
/// outputs as they were; but where tasks of TBB are cancelled while they count.
template <class Iterator, class Rule, class Out>
constexpr bool may_count_in_output() {
  if constexpr (is_counter_array<Out> && is_contiguous<Iterator>) {
    using counter = value_t<Out>;
    using sample = value_t<Iterator>;
    using bound = decltype(detail::bind_rule<sample, bin_index>(std::declval<Rule const&>()));
    constexpr bool is_plain = std::is_same_v<counter, std::make_signed_t<counter>> ||
                              std::is_same_v<counter, std::make_unsigned_t<counter>>;
    constexpr bool may_throw =
        !noexcept(std::declval<bound const&>()(std::declval<sample const&>()));
    return sizeof(counter) == 4 && is_plain && !may_throw;
  }
  return false;
}

/// The output as counters, which wrap modulo 2^bits as those of a table would.
template <class Out>
auto* counters_of_output(Out out) {
  using counter = std::make_unsigned_t<value_t<Out>>;
  return reinterpret_cast<counter*>(detail::raw_pointer(out));
}

/// Whether a call counts there: bins have one counter each, and nobody asks how many samples had none.
template <class Iterator, class Rule, class Out>
bool counts_in_output(worker_tables const& layout, options const& o) noexcept {
  return may_count_in_output<Iterator, Rule, Out>() && layout.ways() == 1 && o.dropped_ == nullptr;
}

/// What check() has to find in tests (see corrupt_for_test).
template <class Out>
void corrupt_output_for_test([[maybe_unused]] std::uint64_t bins, [[maybe_unused]] Out out) {
  if constexpr (is_counter_array<Out>) {
    corrupt_for_test(
        bins, [&](std::uint64_t wrong) { ++sequential::counters_of_output(out)[wrong]; });
  }
}

/// Counts into the output itself; its counters wrap modulo 2^bits as those of a table would.
template <class Iterator, class Rule, class Out>
void count_in_output(
    worker_tables const& layout, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    bool accumulate) {
  auto* const counters = sequential::counters_of_output(out);
  if (!accumulate) {
    std::fill_n(counters, layout.bins(), 0);
  }
  sequential::count_into(counters, layout, first, n, rule);
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
