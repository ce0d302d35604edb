// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route hashed: which tables, when they pay, and how much memory that
/// takes. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/plan_ranges.h>
#include <thrust_hist/system/cuda/plan_sorting.h>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/sorted_bits.h>
#include <thrust_hist/system/cuda/sparse_problem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Of a slot beside its code.
inline unsigned slot_bytes(sparse_problem const& p) noexcept {
  return p.values.in_slots ? static_cast<unsigned>(p.values.slot) : sizeof(std::uint32_t);
}

/// How many keys each block may have a table of its own for: fuller ones take longer than buckets,
/// which take longer with values.
inline std::uint64_t direct_keys(sparse_problem const& p, unsigned slots_log2) noexcept {
  return (std::uint64_t{1} << slots_log2) / 16 * (p.values.in_slots ? 11 : 10);
}

/// Rows that all blocks leave where each has a full table of its own.
inline std::uint64_t rows_of_blocks(sparse_problem const& p, device_facts const& facts) noexcept {
  unsigned const code_bytes = static_cast<unsigned>(p.code_bytes);
  return direct_keys(p, slots_log2_for(code_bytes, slot_bytes(p), facts)) * facts.multiprocessors;
}
/// The same where tables are those of buckets. Where slots hold values, rows may be half as many
/// again as is guessed.
inline std::uint64_t rows_of_buckets(sparse_problem const& p) noexcept {
  return p.inputs / (p.values.in_slots ? 3 : 4);
}
/// Rows that there is room for: at least so many.
inline std::uint64_t room_for_rows(sparse_problem const& p, device_facts const& facts) noexcept {
  std::uint64_t const most = std::uint64_t{1} << 32;  // rows have numbers of 32 bits
  return (std::min)({p.inputs, most, (std::max)(rows_of_buckets(p), rows_of_blocks(p, facts))});
}
/// The same for so many distinct keys, by a guess: few leave few rows, and buckets less than half
/// of the inputs.
inline std::uint64_t room_for_rows_of(
    std::uint64_t guess, sparse_problem const& p, device_facts const& facts) noexcept {
  std::uint64_t const all = rows_of_blocks(p, facts);
  std::uint64_t const few = (2 * guess + 64) * facts.multiprocessors;
  std::uint64_t const most = guess * facts.multiprocessors <= all ? p.inputs : p.inputs / 2;
  return (std::min)(
      {room_for_rows(p, facts), most, (std::max)(rows_of_buckets(p), (std::min)(all, few))});
}

/// Whether a sort moves three times as much as short codes: with words of 8 bytes.
inline bool are_wide_pairs(sparse_problem const& p) noexcept {
  return p.code_bytes == 4 && p.values.any && p.values.beside_code > 4;
}
/// Distinct keys that are worth tables with values in their slots, in 128th of all.
struct worth_slots {
  unsigned most;
  unsigned most_at_first;  ///< by the first guess at skewed ones, which is too high
};
/// More where a sort moves more, and of skewed ones, up to where that was measured. Sums of doubles
/// take longer in slots.
inline worth_slots worth_slots_of(sparse_problem const& p, bool are_skewed) noexcept {
  constexpr std::uint64_t part = std::uint64_t{1} << 18;
  bool const are_many = p.inputs >= 32 * part;
  if (p.code_bytes != 4) {
    return {29, 29};
  }
  if (!are_wide_pairs(p) || p.inputs >= 128 * part) {
    unsigned const most = !are_skewed && p.inputs < 24 * part ? 9 : 18;
    return {most, are_many ? 32 : most};
  }
  if (!are_skewed) {
    unsigned const most = p.inputs < 21 * part ? 11 : are_many ? 21 : 18;
    return {most, most};
  }
  bool const are_doubles = p.values.slot > 8;
  return !are_doubles || are_many ? worth_slots{26, 43}
         : p.inputs >= 24 * part  ? worth_slots{26, 34}
         : p.inputs >= 21 * part  ? worth_slots{18, 31}
                                  : worth_slots{12, 22};
}
/// How many these are. Of tens of millions a sample tells little: tables that turn out to be too
/// few take twice as long as sorting at once.
inline std::uint64_t most_worth_slots(sparse_problem const& p) noexcept {
  return (std::min)(p.inputs / 128 * worth_slots_of(p, p.is_skewed).most, std::uint64_t{1} << 25);
}
/// Distinct keys that are worth hashing: beyond, sorting all keys takes less. Codes of 4 bytes by
/// themselves are sorted fastest. Values that are folded row by row look their rows up in a table
/// that had better fit a cache, and so had their long accumulators; states had better fit the
/// shared memory of a block.
inline std::uint64_t most_worth_hashing(sparse_problem const& p) noexcept {
  constexpr std::uint64_t one = 1;
  std::uint64_t const part = p.inputs / 128;
  bool const is_short = p.code_bytes == 4;
  if (!p.values.any) {
    return part * (is_short ? 21 : 29);
  }
  if (p.values.long_sum != 0 && p.values.sorted) {
    return !is_short ? (std::min)(2 * part, one << 19)
                     : (std::min)(part / (p.inputs < one << 25 ? 32 : 8), one << 15);
  }
  if (!p.values.in_slots && p.values.sorted) {
    // A guess may be too low, and without room for all their states rows take much longer.
    std::uint64_t const few = (std::min)(one << 14, p.values.rows_of_block / 4 * 3);
    return is_short ? (std::min)({part / 128, one << 13, few}) : few;
  }
  return !p.values.in_slots ? part * 29 : most_worth_slots(p);
}
/// Less pairs than this are sorted in less time than they are folded row by row, where their values
/// have no slots.
inline std::uint64_t least_by_row(sparse_problem const& p) noexcept {
  constexpr std::uint64_t one = 1;
  return !p.values.sorted || p.code_bytes > 4 ? 0
         : p.values.long_sum != 0             ? 5 * one << 21
         : p.values.beside_code > 4           ? one << 24
                                              : one << 25;
}
/// Up to so many distinct keys a guess that takes a look at a part is worth its time: where keys
/// are hashed, and where tables that keep the order of long codes read a bucket the more often the
/// more there are.
inline std::uint64_t most_worth_guessing(sparse_problem const& p) noexcept {
  bool const may_be_wide = !p.values.any && p.code_bytes == 8 && p.has_ranges;
  return may_be_wide ? p.inputs / 8 * 7 : most_worth_hashing(p);
}
/// Whether tables hold so many keys. Pairs of short codes are sorted before it pays to read each
/// bucket twice.
inline bool have_slots(
    sparse_problem const& p, code_buckets const& buckets, std::uint64_t guess) noexcept {
  bool const are_short_pairs = p.values.any && p.code_bytes == 4;
  return guess <= buckets.capacity() && !(are_short_pairs && buckets.layout.tables_log2() > 0);
}

/// Whether values are sorted with keys of 1 or 2 bytes, in one pass or two, whatever these are.
inline bool sorts_narrow_keys(sparse_problem const& p) noexcept {
  return p.narrow_codes != 0 && p.values.any && p.values.sorted && !p.values.in_slots;
}

inline bool may_hash(sparse_problem const& p, options const& o, device_facts const& facts) {
  return p.is_number && (o.force_ == route::automatic || o.force_ == route::hashed) &&
         (o.force_ == route::hashed ||
          (!sorts_narrow_keys(p) && p.inputs >= least_looked_at(p, facts)));
}

/// What somebody who looks at keys asks as soon as he may: whether the rest is in vain.
struct vain_look {
  bool may_be = false;            ///< else nobody asks
  std::uint64_t most = 0;         ///< distinct keys for which tables may be of use
  std::uint64_t most_skewed = 0;  ///< the same by the first guess at skewed ones, which is too high

  /// Whether more of n seem to be distinct, which lie too far apart for bins, and in so many bits
  /// that a sort spares no pass; of less than may be sorted by less nobody asks that.
  bool is(key_sample const& seen, std::uint64_t n) const noexcept {
    return seen.guess(n) > (seen.is_skewed() ? most_skewed : most) && seen.ends.reach(n / 4) &&
           (n < inputs_worth_a_look(4) || parts_that_differ(seen.differing).passes() >= 4);
  }
};
/// He does where all of it would be what CUB's sort takes less than anybody's: of short pairs, of
/// which buckets do not take so many. Where values have slots by a twentieth less than tables are
/// worth, since the rest may tell otherwise.
inline vain_look ask_for_vain(sparse_problem const& p, options const& o) noexcept {
  bool const are_short = p.code_bytes == 4 && p.values.any && p.values.sorted;
  bool const may_be = are_short && p.narrow_codes == 0 && p.inputs < std::uint64_t{1} << 25 &&
                      o.force_ == route::automatic;
  std::uint64_t most = most_worth_hashing(p);
  if (!p.values.in_slots) {
    most = p.inputs < least_by_row(p) ? 0 : most;
    return {may_be, most, most};
  }
  most = (std::max)(most - most / 20, p.inputs / 16);
  return {may_be, most, (std::max)(most, p.inputs / 128 * worth_slots_of(p, true).most_at_first)};
}
/// Whether it matters if keys come in order: where these would be folded row by row.
inline bool asks_for_order(sparse_problem const& p) noexcept {
  return are_wide_pairs(p) && p.values.sorted && !p.values.in_slots && p.values.long_sum == 0 &&
         p.inputs >= least_by_row(p);
}

/// Whether as many blocks make tiles as without a table of frequent codes.
inline bool has_room_for_hot(sparse_plan const& plan, device_facts const& facts) noexcept {
  std::size_t const blocks = plan.buckets.tile_blocks / facts.multiprocessors;
  return plan.tile_shared_bytes() <= facts.shared_bytes_block &&
         blocks * (plan.tile_shared_bytes() + 1024) <= facts.shared_bytes_processor;
}

/// Whether frequent keys are a sixteenth of all, and if each block leaves rows of them, these are
/// few.
inline bool has_use_for_hot(sparse_plan const& plan, sparse_problem const& p) noexcept {
  bool const is_worth_it = p.hot.all >= key_sample::size / 16;
  std::uint64_t const rows = std::uint64_t{p.hot.size()} * plan.buckets.tile_blocks;
  return is_worth_it && (!p.values.any || (p.values.in_slots && rows <= plan.room / 16));
}

/// How full tables may be.
inline table_fullness fullness_of(sparse_problem const& p) noexcept {
  return p.is_skewed && !p.is_skewed_by_few ? table_fullness::half
         : p.are_in_order                   ? table_fullness::fifth
                                            : table_fullness::fifth_if_few;
}

/// With room for so many rows.
inline sparse_plan plan_hashing_into(
    std::uint64_t room, sparse_problem const& p, std::uint64_t guess, device_facts const& facts,
    char const* why) {
  auto const code_bytes = static_cast<unsigned>(p.code_bytes);
  sparse_plan plan = {};
  plan.taken = route::hashed;
  plan.why = why;
  unsigned const in_slot = slot_bytes(p);
  plan.slots_log2 = slots_log2_for(code_bytes, in_slot, facts);
  // What a table counts, or adds up, is limited.
  std::uint64_t const of_block = p.inputs / facts.multiprocessors;
  plan.direct = guess <= direct_keys(p, plan.slots_log2) &&
                of_block < (p.values.any ? code_buckets::most_values : code_buckets::most_codes);
  plan.room = room;
  std::size_t const moved = plan.room * (code_bytes + sizeof(std::uint32_t));
  std::size_t const rows = moved + (p.values.in_slots ? plan.room * p.values.state : 0);
  std::size_t batch = 0;
  if (plan.direct) {
    code_buckets b = {};
    b.code_bytes = code_bytes;
    b.state_bytes = in_slot;
    b.slots_log2 = plan.slots_log2;
    plan.shared_bytes = b.table_bytes();
  } else {
    plan.buckets = plan_code_buckets(
        guess, fullness_of(p), p.inputs, code_bytes,
        p.values.in_slots ? static_cast<unsigned>(p.values.in_bucket) : 0, in_slot, facts);
    plan.shared_bytes = plan.buckets.count_shared_bytes();
    batch = plan.buckets.bytes();
    plan.hot = has_use_for_hot(plan, p) ? p.hot.size() : 0;
    plan.hot = has_room_for_hot(plan, facts) ? plan.hot : 0;
  }
  std::size_t const after = (std::max)(
      moved + p.rows_bytes,
      bytes_of_begins(
          p, plan.room, (std::min)(plan.room, p.most_keys), !p.values.any || p.values.in_slots) +
          bytes_of_alone(p));
  // Where there is no room for all rows, all keys are sorted after all.
  plan.bytes = (std::max)(
      {bytes_kept + rows + (std::max)(batch, after), plan_sorting(p, why).bytes,
       bytes_kept + bytes_of_sample});
  return plan;
}
/// What a call may take: twice the input, 64 bytes a distinct key, or what a sort takes. Places of
/// keys that equal no other one come besides: there are only those of such keys.
inline std::size_t promised_bytes(sparse_problem const& p, std::uint64_t guess) noexcept {
  std::size_t const inputs =
      2 * p.inputs * (p.code_bytes + p.values.beside_code + p.values.narrowed);
  return (std::max)(inputs + 64 * guess, plan_sorting(p, "").bytes) + bytes_of_alone(p);
}
/// `is_free`: nobody is told, or says, how much memory this takes.
inline sparse_plan plan_hashing(
    sparse_problem const& p, std::uint64_t guess, bool is_free, device_facts const& facts,
    char const* why) {
  if (!is_free) {
    return plan_hashing_into(room_for_rows(p, facts), p, guess, facts, why);
  }
  std::uint64_t const room = room_for_rows_of(guess, p, facts);
  sparse_plan const plan = plan_hashing_into(room, p, guess, facts, why);
  // Where tables are small, buckets take much.
  std::uint64_t const less = (std::max)(4 * guess, p.inputs / 8);
  return plan.bytes <= promised_bytes(p, guess) || plan.direct || less >= room
             ? plan
             : plan_hashing_into(less, p, guess, facts, why);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
