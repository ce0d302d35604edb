// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Parts of the keys: ranges of about as many inputs each, found by a sample of them. Parts are in
/// the order of the keys, so what comes of them needs no merging.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/sequential/promised_memory.h>
#include <thrust_hist/system/sequential/sparse_call.h>
#include <thrust_hist/system/sequential/uneven_intervals.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

template <class Keys>
class key_ranges {
public:
  using code = typename Keys::code;

  /// `parts`: a power of 2.
  template <class Fold>
  key_ranges(promised_memory& memory, sparse_call<Keys, Fold> const& call, std::uint32_t parts)
      : keys_(call.keys), parts_(parts), splitters_(memory, parts),
        splitters_at_(splitters_.data()) {
    if (parts == 1) {
      return;
    }
    using input = typename sparse_call<Keys, Fold>::input;
    promised_array<input> sample(memory, std::uint64_t{parts} * samples_of_part);
    std::uint64_t const size = take_sample(call, sample.data());
    std::sort(sample.data(), sample.data() + size, by_code<Keys>{call.keys});
    for (std::uint32_t part = 1; part < parts && size > 0; ++part) {
      ::new (static_cast<void*>(splitters_at_ + part - 1))
          code(sample.data()[size * part / parts].code);
    }
    parts_ = size > 0 ? parts : 1;  // all keys may be NaN
    if constexpr (is_number_kind<Keys>) {
      tabulate();
    }
  }

  std::uint32_t parts() const noexcept { return parts_; }

  std::uint32_t part_of(code const& c) const {
    if constexpr (is_number_kind<Keys>) {
      if (table_is_ == table_kind::even) {
        return table_[interval_of(c)];
      }
      if (table_is_ == table_kind::uneven) {
        return uneven_.part_of(c);
      }
    }
    return search(c);
  }

private:
  static constexpr std::uint32_t samples_of_part = 16;
  static constexpr std::uint32_t intervals = 4096;
  enum class table_kind { none, even, uneven };
  struct nothing {};

  /// How many splitters are not greater than a key: no branch, since none could be foreseen.
  std::uint32_t search(code const& c) const {
    std::uint32_t part = 0;
    for (std::uint32_t step = parts_ / 2; step > 0; step /= 2) {
      part +=
          step & (static_cast<std::uint32_t>(keys_.less(c, splitters_at_[part + step - 1])) - 1U);
    }
    return part;
  }

  /// Intervals of equal width between the least and the greatest splitter; outer keys are in the
  /// outer ones.
  std::uint32_t interval_of(code c) const {
    code const from = splitters_at_[0];
    auto const distance = static_cast<code>(static_cast<code>(c - from) >> shift_);
    return c < from
               ? 0
               : static_cast<std::uint32_t>((std::min)(distance, static_cast<code>(intervals - 1)));
  }

  /// Where splitters lie evenly enough, an interval tells the part: of all keys in it the same, so
  /// ranges begin a little below the splitters.
  void tabulate() {
    std::uint32_t const splitters = parts_ - 1;
    if (splitters == 0) {
      return;
    }
    auto const span = static_cast<code>(splitters_at_[splitters - 1] - splitters_at_[0]);
    shift_ = 0;
    while (static_cast<code>(span >> shift_) >= intervals) {
      ++shift_;
    }
    auto const interval = [this](code c) { return interval_of(c); };
    if (!uneven_intervals<code>::are_few_in_each(splitters_at_, splitters, interval)) {
      table_is_ = uneven_.divide(splitters_at_, splitters) ? table_kind::uneven : table_kind::none;
      return;
    }
    table_is_ = table_kind::even;
    for (std::uint32_t i = 0, part = 0; i < intervals; ++i) {
      while (part < splitters && interval_of(splitters_at_[part]) <= i) {
        ++part;
      }
      table_[i] = static_cast<std::uint16_t>(part);
    }
  }

  /// From each of as many stretches of the input an input somewhere in it. Returns how many have a
  /// place among others.
  template <class Fold>
  std::uint64_t take_sample(
      sparse_call<Keys, Fold> const& call, typename sparse_call<Keys, Fold>::input* sample) const {
    std::uint64_t const wanted = std::uint64_t{parts_} * samples_of_part;
    std::uint64_t size = 0;
    for (std::uint64_t i = 0; i < wanted; ++i) {
      stretch const from = share_of(call.n, wanted, i);
      if (from.size() > 0) {
        call.read(from.begin + detail::mix_code(std::uint64_t{i}) % from.size(), 1, sample + size);
        size += keys_.is_alone(sample[size].code) ? 0 : 1;
      }
    }
    return size;
  }

  Keys keys_;
  std::uint32_t parts_;
  promised_array<code> splitters_;
  code* splitters_at_;
  table_kind table_is_ = table_kind::none;
  unsigned shift_ = 0;
  std::uint16_t table_[intervals];
  std::conditional_t<is_number_kind<Keys>, uneven_intervals<code>, nothing> uneven_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
