// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: many keys of which few are distinct, and that no hash
/// tables take, are sorted in two portions, one after the other in the same memory, and their rows
/// are folded once more. Sorted at once, with what CUB has beside, they would take more than twice
/// the input.

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
#include <thrust_hist/system/cuda/sparse_hashed_values.cuh>
#include <thrust_hist/system/cuda/sparse_sorted.cuh>

#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether what is sorted takes as much as keys and values do, and is not what hash tables hold.
/// Keys of up to 4 bytes are sorted in four passes at most: two sorts of half take longer than
/// Thrust's one.
template <class Source, class Kind, class Fold>
inline constexpr bool may_be_portioned = [] {
  if constexpr (!is_number_kind<Kind> || !folds_runs<Fold> || !carries_value<Fold>) {
    return false;
  } else if constexpr (is_hashed_kind<Kind>) {
    return sizeof(typename Source::key) > 4 && !counts_keys<Fold> && !folds_in_slots<Fold, Kind>;
  } else {
    return true;
  }
}();
/// Whether keys are so many (rows have numbers of 32 bits) and so few of them distinct that they
/// are sorted in portions: 64 bytes a distinct key would be less than what CUB has beside, or may
/// be where keys are skewed and a guess is too high. Nobody draws a sample only for that. Less than
/// 2^25 of 8 bytes are sorted at once, since it takes some 170 us more to do so twice. Where there
/// are not so many of 16 bytes, nobody looks at them any more: then they are compared, for which
/// CUB has nearly nothing.
template <class Facts>
bool go_by_portions(Facts& facts) {
  constexpr bool are_wide = sizeof(typename Facts::code) > 8;
  constexpr std::uint64_t least = are_wide ? 1 : std::uint64_t{1} << 25;
  bool const has_seen = facts.looks() || facts.seen().distinct != 0;
  if (!has_seen || facts.size() < least || facts.size() > max_of<std::uint32_t>) {
    return false;
  }
  std::uint64_t const most = facts.size() / (facts.have_seen().is_skewed() ? 16
                                             : are_wide                    ? 32
                                                                           : 128);
  std::uint64_t const guess = facts.guess_seen(most);
  if (guess == 0 || guess > most) {  // none if no key of the sample equals itself
    return false;
  }
  if (are_wide && facts.size() < 2 * inputs_worth_a_look(16)) {
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

  /// Sorts and folds both. Returns false if there turn out to be many rows, of the first one or of
  /// both, or has_lost_bits(); or if there are keys that equal no other one.
  bool run() {
    if constexpr (facts::may_be_alone) {
      if (facts_.encode(nullptr).alone > 0) {
        return false;
      }
    }
    std::uint64_t const n = source_.n;
    std::uint64_t const half = n - n / 2;
    std::uint64_t const room = n / 8;
    held_array<code, Policy> codes(memory_);
    held_array<state, Policy> states(memory_);
    memory_.reserve(room * sizeof(code), room * sizeof(state));
    codes.take(room);
    states.take(room);
    mailbox_loan loan(memory_.stream());
    auto* const unknown = static_cast<std::uint32_t volatile*>(loan.box().letter);
    *unknown = 0;
    kept const rows = {fold_, codes.data(), states.data(), room, unknown};
    std::uint64_t const first = fold_portion(0, half, rows);
    bool are_few = first <= room / 2;
    if (are_few) {
      std::uint64_t const second = fold_portion(half, n - half, rows.behind(first));
      are_few = first + second <= room;
      if (are_few) {
        merge(rows, first, second);
      }
    }
    has_lost_bits_ = are_few && *unknown != 0;
    loan.give_back();
    return are_few && !has_lost_bits_;
  }
  /// Whether exact sums have more bits than are held while they are folded.
  bool has_lost_bits() const noexcept { return has_lost_bits_; }
  /// Whether what it takes to fold so many values row by row is less than what it takes to sort
  /// them, which is what was said of the call: 64 bytes a row for what finds it, and the tables of
  /// blocks.
  bool fit_by_row() const noexcept {
    device_facts const gpu = current_facts();
    std::size_t const of_row = sizeof(code) + sizeof(typename Fold::state) + 64;
    std::size_t const tables = 2 * gpu.multiprocessors * gpu.shared_bytes_block;
    return rows_ * of_row + tables < 2 * source_.n * (sizeof(code) + sizeof(std::uint32_t));
  }

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
  using route = sorted_route<Policy, Source, Kind, sorting, always_stand<Source, Kind, sorting>>;

  static sorting sorting_by(Fold const& fold) {
    if constexpr (may_lose_bits<Fold>) {
      return {};
    } else {
      return {fold};
    }
  }
  std::uint64_t fold_portion(std::uint64_t begin, std::uint64_t size, kept const& rows) {
    Source const portion = {
        source_.first + static_cast<difference_t<keys>>(begin),
        source_.values + static_cast<difference_t<values>>(begin), size, source_.keys};
    facts of_portion(facts_, begin, size);
    route sorted(of_portion, facts_, portion, fold_);
    sorted.run();
    return sorted.write_runs(rows);
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
        kept{fold_, codes_.data(), states_.data(), all, rows.unknown});
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
