// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Counting in the output itself, where it is an array of numbers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/count_chunk.h>
#include <thrust_hist/system/sequential/count_samples.h>
#include <thrust_hist/system/sequential/worker_tables.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Numbers that can be counters: integers that may be read as unsigned ones, and real numbers.
template <class T>
inline constexpr bool is_counter = [] {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return std::is_same_v<T, std::make_signed_t<T>> || std::is_same_v<T, std::make_unsigned_t<T>>;
  }
  return std::is_same_v<T, float> || std::is_same_v<T, double>;
}();
/// Whether such a number, which is 0 at first, can be added to so often. Integers may wrap.
template <class Counter>
constexpr bool is_exact_counter(std::uint64_t additions) noexcept {
  if constexpr (std::is_floating_point_v<Counter>) {
    return additions <= std::uint64_t{1} << std::numeric_limits<Counter>::digits;
  }
  return true;
}

/// Whether the output can be the table: an array of numbers, and nothing that may throw half-way,
/// since a thrown exception leaves outputs as they were; but where tasks of TBB are cancelled while
/// they count.
template <class Iterator, class Rule, class Out>
constexpr bool may_count_in_output() {
  if constexpr (is_contiguous<Out> && is_in_memory<Iterator>) {
    using reference = typename thrust::iterator_traits<Out>::reference;
    using sample = value_t<Iterator>;
    using bound = decltype(detail::bind_rule<sample, bin_index>(std::declval<Rule const&>()));
    constexpr bool may_throw =
        !std::is_nothrow_copy_constructible_v<sample> ||
        !noexcept(std::declval<bound const&>()(std::declval<sample const&>()));
    return is_counter<value_t<Out>> && !std::is_volatile_v<std::remove_reference_t<reference>> &&
           !may_throw;
  }
  return false;
}
/// Whether it can be one for workers that share it: integers of 32 bits.
template <class Iterator, class Rule, class Out>
constexpr bool may_share_output() {
  return sequential::may_count_in_output<Iterator, Rule, Out>() && is_counter_array<Out> &&
         sizeof(value_t<Out>) == 4;
}

/// The output as counters, which wrap modulo 2^bits as those of a table would.
template <class Out>
auto* counters_of_output(Out out) {
  using type = value_t<Out>;
  if constexpr (std::is_integral_v<type>) {
    return reinterpret_cast<std::make_unsigned_t<type>*>(detail::raw_pointer(out));
  } else {
    return detail::raw_pointer(out);
  }
}

/// Whether a call counts there: bins have one counter each, and are integers of 32 bits or less, or
/// samples are so few that beginning a table of these and bringing it to the output would take the
/// time. Equal samples wait longer for real numbers, which hold other things, too, to be
/// accumulated. Where samples are few, dropped() is told.
template <class Iterator, class Rule, class Out>
bool counts_in_output(worker_tables const& layout, std::uint64_t n, options const& o) noexcept {
  if constexpr (sequential::may_count_in_output<Iterator, Rule, Out>()) {
    using counter = value_t<Out>;
    constexpr bool is_integer = std::is_integral_v<counter>;
    bool const are_few = is_integer ? n / 4 < layout.bins() : n < layout.bins() / 2;
    bool const is_exact =
        is_integer || (!o.accumulate_ && sequential::is_exact_counter<counter>(n));
    bool const is_told = o.dropped_ == nullptr || (are_few && !counts_by_value<value_t<Iterator>>);
    return layout.ways() == 1 && is_exact && is_told &&
           (are_few || (is_integer && sizeof(counter) <= 4));
  }
  return false;
}
/// Whether that is faster than narrow counters may be: of 32 bits, since wider ones take more of a
/// cache.
template <class Out>
bool is_fast_output(bool in_output) noexcept {
  return in_output && sizeof(value_t<Out>) == 4;
}

/// What check() has to find in tests (see corrupt_for_test).
template <class Out>
void corrupt_output_for_test([[maybe_unused]] std::uint64_t bins, [[maybe_unused]] Out out) {
  if constexpr (is_contiguous<Out> && is_counter<value_t<Out>>) {
    corrupt_for_test(
        bins, [&](std::uint64_t wrong) { ++sequential::counters_of_output(out)[wrong]; });
  }
}

/// A table, one counter for each bin, that knows how many samples it has. See count_samples().
template <class Counter>
class told_counters : public counters_in_turn<Counter, 1> {
  using table = counters_in_turn<Counter, 1>;

public:
  using table::table;

  void count(std::uint64_t bin, unsigned turn) noexcept {
    table::count(bin, turn);
    ++counted_;
  }
  template <unsigned Samples>
  void count_equal(std::uint64_t bin) noexcept {
    table::template count_equal<Samples>(bin);
    counted_ += Samples;
  }
  std::uint64_t counted() const noexcept { return counted_; }

private:
  std::uint64_t counted_ = 0;
};

/// Counts into the output itself. Returns how many samples had a bin, if options ask for that.
template <class Iterator, class Rule, class Out>
std::uint64_t count_in_output(
    worker_tables const& layout, Iterator first, std::uint64_t n, Rule const& rule, Out out,
    options const& o) {
  auto* const counters = sequential::counters_of_output(out);
  using counter = std::remove_pointer_t<decltype(counters)>;
  if (!o.accumulate_) {
    std::fill_n(counters, layout.bins(), counter{});
  }
  if (o.dropped_ == nullptr) {
    sequential::count_into(counters, layout, first, n, rule);
    return 0;
  }
  return sequential::count_samples<4>(
             told_counters<counter>(counters), layout.bins(), first, n,
             detail::bind_rule<value_t<Iterator>, bin_index>(rule))
      .counted();
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
