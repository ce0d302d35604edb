// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: many keys of 16 bytes of which few are distinct are sorted in two portions, one
/// after the other in the same memory, and their rows are folded once more. Sorted at once, with what CUB has beside, they
/// would take more than twice the input.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/fold_sorted.cuh>
#include <thrust_hist/system/cuda/kernels/double_double.cuh>
#include <thrust_hist/system/cuda/kernels/merge_rows.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/sorted_values.cuh>
#include <thrust_hist/system/cuda/sparse_sorted.cuh>

#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether what is sorted with numbers of 16 bytes takes as much as they and their values do.
template <class Kind, class Fold>
inline constexpr bool may_be_portioned = [] {
  if constexpr (is_number_kind<Kind>) {
    return sizeof(typename Kind::code) == 16 && folds_runs<Fold> && carries_value<Fold>;
  } else {
    return false;
  }
}();
/// Whether keys are so many and so few of them distinct that they are sorted in portions: 64 bytes a distinct key would be
/// less than what CUB has beside. If there are not so many, they are compared, for which it has nearly nothing.
template <class Facts>
bool pays_by_portions(Facts& facts) {
  if (!facts.looks() || facts.size() > max_of<std::uint32_t>) {
    return false;
  }
  std::uint64_t const guess = facts.guess_seen();  // too high where keys are skewed
  if (guess > facts.size() / (facts.seen().is_skewed() ? 16 : 32)) {
    return false;
  }
  if (facts.size() < 2 * inputs_worth_a_look(sizeof(typename Facts::code))) {
    facts.leave_unseen();
    return false;
  }
  return true;
}

template <class Policy, class Source, class Kind, class Fold>
class sorted_portions {
public:
  using code = typename Kind::code;
  using keys = std::decay_t<decltype(std::declval<Source>().first)>;
  using values = std::decay_t<decltype(std::declval<Source>().values)>;
  using facts = key_facts<Policy, keys, Kind>;
  /// What values are folded by as they come; exact sums of reals in registers.
  using sorting = run_fold_t<sorting_fold_t<Fold, Source>>;
  using state = typename sorting::state;

  sorted_portions(facts& f, Source const& source, Fold const& fold)
      : facts_(f), memory_(f.memory()), source_(source), fold_(sorting_by(fold)), codes_(memory_),
        states_(memory_) {}

  /// Sorts and folds both. Returns false if there turn out to be many rows in the first one, or has_lost_bits().
  bool run() {
    std::uint64_t const n = source_.n;
    std::uint64_t const half = n - n / 2;
    std::uint64_t const few = n / 16;
    held_array<code, Policy> codes(memory_);
    held_array<state, Policy> states(memory_);
    memory_.reserve((few + half) * sizeof(code), (few + half) * sizeof(state));
    codes.take(few + half);
    states.take(few + half);
    mailbox_loan loan(memory_.stream());
    auto* const unknown = static_cast<std::uint32_t volatile*>(loan.box().letter);
    *unknown = 0;
    kept const rows = {fold_, codes.data(), states.data(), unknown};
    std::uint64_t const first = fold_portion(0, half, rows);
    if (first <= few) {
      std::uint64_t const second = fold_portion(half, n - half, behind(rows, first));
      merge(rows, first, second);
      has_lost_bits_ = *unknown != 0;
    }
    loan.give_back();
    return first <= few && !has_lost_bits_;
  }
  /// Whether exact sums have more bits than are held while they are folded.
  bool has_lost_bits() const noexcept { return has_lost_bits_; }

  std::uint64_t rows() const noexcept { return rows_; }
  template <class Writer>
  std::uint64_t write(Source const&, Writer const& writer) const {
    auto const known = [&] {
      if constexpr (may_lose_bits<Fold>) {
        return writer.with(fold_);
      } else {
        return writer;
      }
    }();
    using known_rows = std::remove_const_t<decltype(known)>;
    cuda::launch(
        "write_kept_rows", write_kept_rows<code, state, known_rows>, blocks_for(rows_), 256, 0,
        memory_.stream(), codes_.data(), states_.data(), rows_, known);
    synchronize(memory_.stream());  // before the memory goes back: the allocator may be anybody's
    return rows_;
  }

private:
  using kept = kept_rows<Kind, sorting>;
  using route = sorted_route<Policy, Source, Kind, sorting, may_stand<Source, Kind, sorting>>;

  static sorting sorting_by(Fold const& fold) {
    if constexpr (may_lose_bits<Fold>) {
      return {};
    } else {
      return {fold};
    }
  }
  static kept behind(kept const& rows, std::uint64_t number) {
    return {rows.fold, rows.codes + number, rows.states + number, rows.unknown};
  }
  std::uint64_t fold_portion(std::uint64_t begin, std::uint64_t size, kept const& rows) const {
    Source const portion = {
        source_.first + static_cast<difference_t<keys>>(begin),
        source_.values + static_cast<difference_t<values>>(begin), size, source_.keys};
    facts of_portion(facts_, begin, size);
    route sorted(of_portion, facts_, portion, fold_);
    sorted.run();
    return sorted.write(portion, rows);
  }
  /// Folds those of equal codes.
  void merge(kept const& rows, std::uint64_t first, std::uint64_t second) {
    std::uint64_t const all = first + second;
    memory_.reserve(
        all * sizeof(code), all * sizeof(std::uint32_t), all * sizeof(code), all * sizeof(state));
    held_array<code, Policy> merged(memory_);
    held_array<std::uint32_t, Policy> numbers(memory_);
    merged.take(all);
    numbers.take(all);
    codes_.take(all);
    states_.take(all);
    cuda::launch(
        "merge_rows", merge_rows<Kind>, blocks_for(all), 256, 0, memory_.stream(), facts_.kind(),
        rows.codes, first, second, merged.data(), numbers.data());
    rows_ = cuda::fold_sorted(
        memory_, run_begins<Kind>{facts_.kind(), merged.data()}, all,
        states_of_rows<state>{rows.states, numbers.data()},
        kept{fold_, codes_.data(), states_.data(), rows.unknown});
  }

  facts& facts_;
  call_memory<Policy>& memory_;
  Source const& source_;
  sorting fold_;
  held_array<code, Policy> codes_;
  held_array<state, Policy> states_;
  std::uint64_t rows_ = 0;
  bool has_lost_bits_ = false;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
