// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How a sparse histogram is formed on CUDA: which route, by what the keys look like, and how much memory
/// that takes. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/plan_dense.h>
#include <thrust_hist/system/cuda/plan_ranges.h>
#include <thrust_hist/system/cuda/run_tiles.h>
#include <thrust_hist/system/cuda/sorted_bits.h>
#include <thrust_hist/system/cuda/sparse_problem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// How many keys each block may have a table of its own for. Fuller ones take longer than buckets, and a little less
/// full ones do not take much less: there is no step.
inline std::uint64_t direct_keys(unsigned slots_log2) noexcept {
  return (std::uint64_t{1} << slots_log2) * 5 / 8;
}

/// Of a slot beside its code.
inline unsigned slot_bytes(sparse_problem const& p) noexcept {
  return p.values.in_slots ? static_cast<unsigned>(p.values.slot) : sizeof(std::uint32_t);
}

/// Rows that all blocks leave where each has a full table of its own.
inline std::uint64_t rows_of_blocks(sparse_problem const& p, device_facts const& facts) noexcept {
  return direct_keys(slots_log2_for(static_cast<unsigned>(p.code_bytes), slot_bytes(p), facts)) *
         facts.multiprocessors;
}
/// The same where tables are those of buckets. Where slots hold values, rows may be half as many again as is guessed.
inline std::uint64_t rows_of_buckets(sparse_problem const& p) noexcept {
  return p.inputs / (p.values.in_slots ? 3 : 4);
}
/// Rows that there is room for: at least so many.
inline std::uint64_t room_for_rows(sparse_problem const& p, device_facts const& facts) noexcept {
  std::uint64_t const most = std::uint64_t{1} << 32;  // rows have numbers of 32 bits
  return (std::min)({p.inputs, most, (std::max)(rows_of_buckets(p), rows_of_blocks(p, facts))});
}
/// The same for so many distinct keys, by a guess: few leave few rows, and buckets less than half of the inputs.
inline std::uint64_t room_for_rows_of(
    std::uint64_t guess, sparse_problem const& p, device_facts const& facts) noexcept {
  std::uint64_t const all = rows_of_blocks(p, facts);
  std::uint64_t const few = (2 * guess + 64) * facts.multiprocessors;
  std::uint64_t const most = guess * facts.multiprocessors <= all ? p.inputs : p.inputs / 2;
  return (std::min)(
      {room_for_rows(p, facts), most, (std::max)(rows_of_buckets(p), (std::min)(all, few))});
}

/// Distinct keys that are worth hashing: beyond, sorting all keys takes less. Values that are folded row by row
/// look their rows up in a table that had better fit a cache. Codes of 4 bytes by themselves are sorted fastest.
inline std::uint64_t most_worth_hashing(sparse_problem const& p) noexcept {
  constexpr std::uint64_t one = 1;
  std::uint64_t const part = p.inputs / 128;
  bool const is_short = p.code_bytes == 4;
  if (!p.values.any) {
    return part * (is_short ? 21 : 29);
  }
  if (!p.values.in_slots) {
    return p.values.sorted ? one << 19 : part * 29;
  }
  // Of tens of millions a sample tells little: tables that turn out to be too few take twice as long as sorting at once.
  return (std::min)(part * (is_short ? 18 : 29), one << 25);
}
/// Whether tables hold so many keys. Pairs of short codes are sorted before it pays to read each bucket twice.
inline bool have_slots(
    sparse_problem const& p, code_buckets const& buckets, std::uint64_t guess) noexcept {
  bool const are_short_pairs = p.values.any && p.code_bytes == 4;
  return guess <= buckets.capacity() && !(are_short_pairs && buckets.layout.tables_log2() > 0);
}

inline bool may_hash(sparse_problem const& p, options const& o, device_facts const& facts) {
  return p.is_number && (o.force_ == route::automatic || o.force_ == route::hashed) &&
         (o.force_ == route::hashed || p.inputs >= least_looked_at(p, facts));
}

/// Bytes to find the begins of at most `most` runs among `codes` codes, and what is done with them. Keys that
/// equal no other one take as much as runs do.
inline std::size_t bytes_of_begins(
    sparse_problem const& p, std::uint64_t codes, std::uint64_t most, bool folds) noexcept {
  std::size_t const tiles = run_tiles::most(codes, folds) + 1;
  std::size_t const by_cub = 16 * (codes / 768 + 64);  // of its smallest tiles
  std::size_t const alone = p.may_be_alone ? bytes_of_alone(p.inputs) : 0;
  return (folds ? (std::max)(by_cub, tiles * (8 + 2 * (std::max<std::size_t>)(p.values.state, 8)))
                : 8 * most + p.values.row_codes) +
         8 * tiles + alone + p.staged_bytes + 64;
}

/// Codes twice, with what moves with them, and where runs of them begin.
inline sparse_plan plan_sorting(sparse_problem const& p, char const* why) noexcept {
  sparse_plan plan = {};
  plan.taken = route::sorted;
  plan.why = why;
  std::size_t const codes = p.inputs * (p.code_bytes + p.values.beside_code);
  plan.bytes = bytes_kept + codes +
               (std::max)(
                   codes + p.sort_bytes + 512,  // CUB aligns arrays to 256 bytes
                   bytes_of_begins(p, p.inputs, p.most_keys, !p.values.any || p.values.sorted));
  return plan;
}

/// Whether as many blocks make tiles as without a table of frequent codes.
inline bool has_room_for_hot(sparse_plan const& plan, device_facts const& facts) noexcept {
  std::size_t const blocks = plan.buckets.tile_blocks / facts.multiprocessors;
  return plan.tile_shared_bytes() <= facts.shared_bytes_block &&
         blocks * (plan.tile_shared_bytes() + 1024) <= facts.shared_bytes_processor;
}

/// Whether frequent keys are a sixteenth of all, and if each block leaves rows of them, these are few.
inline bool has_use_for_hot(sparse_plan const& plan, sparse_problem const& p) noexcept {
  bool const is_worth_it = p.hot.all >= key_sample::size / 16;
  std::uint64_t const rows = std::uint64_t{p.hot.size()} * plan.buckets.tile_blocks;
  return is_worth_it && (!p.values.any || (p.values.in_slots && rows <= plan.room / 16));
}

/// `is_free`: nobody is told, or says, how much memory this takes.
inline sparse_plan plan_hashing(
    sparse_problem const& p, std::uint64_t guess, bool is_free, device_facts const& facts,
    char const* why) {
  auto const code_bytes = static_cast<unsigned>(p.code_bytes);
  sparse_plan plan = {};
  plan.taken = route::hashed;
  plan.why = why;
  unsigned const in_slot = slot_bytes(p);
  plan.slots_log2 = slots_log2_for(code_bytes, in_slot, facts);
  // What a table counts, or adds up, is limited.
  std::uint64_t const of_block = p.inputs / facts.multiprocessors;
  plan.direct = guess <= direct_keys(plan.slots_log2) &&
                of_block < (p.values.any ? code_buckets::most_values : code_buckets::most_codes);
  plan.room = is_free ? room_for_rows_of(guess, p, facts) : room_for_rows(p, facts);
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
        guess, p.is_skewed, p.inputs, code_bytes,
        p.values.in_slots ? static_cast<unsigned>(p.values.in_bucket) : 0, in_slot, facts);
    plan.shared_bytes = plan.buckets.count_shared_bytes();
    batch = plan.buckets.bytes();
    plan.hot = has_use_for_hot(plan, p) ? p.hot.size() : 0;
    plan.hot = has_room_for_hot(plan, facts) ? plan.hot : 0;
  }
  std::size_t const after = (std::max)(
      moved + p.rows_bytes,
      bytes_of_begins(
          p, plan.room, (std::min)(plan.room, p.most_keys), !p.values.any || p.values.in_slots));
  // Where there is no room for all rows, all keys are sorted after all.
  plan.bytes = (std::max)(
      {bytes_kept + rows + (std::max)(batch, after), plan_sorting(p, why).bytes,
       bytes_kept + bytes_of_sample});
  return plan;
}

/// Whether there is hope that of n codes so few bits differ that a sort has a pass less, or of 8 bytes and more that their
/// highest ones do not: to look at all codes takes a third of a pass. Of few keys there is none, nor where nobody has
/// drawn a sample.
inline bool may_be_sorted_by_less(
    std::uint64_t n, std::size_t code_bytes, key_sample const& seen) noexcept {
  if (n < inputs_worth_a_look(code_bytes) || seen.distinct == 0) {
    return false;
  }
  bit_parts const parts =
      parts_that_differ(static_cast<uint128>(seen.differing_high) << 64 | seen.differing);
  auto const bytes = static_cast<int>(code_bytes);
  return parts.size == 0 || parts.passes() < bytes ||
         (code_bytes > 4 && parts.all().end < 8 * bytes);
}

inline void tell_sample(sparse_problem& p, key_sample const& seen) noexcept {
  p.is_skewed = seen.is_skewed();
  p.most_seen = seen.most;
  p.hot = seen.hot;
  p.ranges = seen.ranges;
  p.is_crowded = seen.ranges.is_crowded();
  p.is_much_crowded = seen.ranges.is_much_crowded();
}

/// Whether values are folded row by row, when keys are known.
inline bool folds_by_row(sparse_plan const& plan, sparse_problem const& p) noexcept {
  return p.values.any && !(plan.taken == route::hashed ? p.values.in_slots : p.values.sorted);
}

/// The least cap with which a plan works.
inline std::size_t least_bytes(sparse_plan const& plan, sparse_problem const& p) noexcept {
  std::size_t const values = folds_by_row(plan, p) ? p.values.least : 0;
  return (std::max)(plan.bytes, values + p.staged_bytes);
}

/// Throws memory_limit_error, with the least that is enough, and std::invalid_argument for other routes.
/// `guess`: distinct keys, as a sample has it, or all of them where nobody has looked.
inline sparse_plan plan_sparse(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts, options const& o) {
  if (o.force_ != route::automatic && o.force_ != route::hashed && o.force_ != route::sorted &&
      o.force_ != route::partitioned && o.force_ != route::shared) {
    refuse_route(o.force_, "sparse histograms are shared, partitioned, hashed or sorted");
  }
  if (o.force_ == route::shared && !p.has_places) {
    refuse_route(o.force_, "on CUDA, only the counts of integers of up to 8 bytes are shared");
  }
  if (o.force_ == route::partitioned && !p.has_ranges) {
    refuse_route(o.force_, "on CUDA, only the counts of keys of up to 8 bytes are partitioned");
  }
  if (o.force_ == route::hashed && !p.is_number) {
    refuse_route(o.force_, "on CUDA, keys of more than 8 bytes and keys of users are sorted");
  }
  bool const is_forced = o.force_ != route::automatic;
  std::size_t const cap = o.max_temporary_bytes_;
  if (o.force_ == route::shared || (!is_forced && pays_by_places(p, facts))) {
    sparse_plan const sorting = plan_sorting(p, "");
    sparse_plan const places =
        plan_places(p, sorting, is_forced ? "forced" : "codes are few: each has a counter", facts);
    if (is_forced || places.bytes <= (std::max)(cap, sorting.bytes)) {
      require_memory(o, places.bytes);
      return places;
    }
  }
  bool const by_ranges =
      !is_forced && (pays_by_ranges(p, guess, facts) || pays_by_order(p, guess, facts));
  if (o.force_ == route::partitioned || by_ranges ||
      (!is_forced && pays_by_drawing(p, guess, facts))) {
    sparse_plan const sorting = plan_sorting(
        p, is_forced   ? "forced"
           : by_ranges ? "keys lie evenly in a range"
           : p.inputs < least_looked_at(p, facts)
               ? "keys are few: they are put in order bucket by bucket"
               : "most keys are distinct: they are put in order bucket by bucket");
    sparse_plan const ranges = plan_ranges(p, sorting, guess, is_forced, facts);
    if (is_forced || ranges.bytes <= cap) {
      require_memory(o, ranges.bytes);
      return ranges;
    }
  }
  if (may_hash(p, o, facts)) {
    bool const is_free = o.explain_ == nullptr && cap == options{}.max_temporary_bytes_;
    sparse_plan hashing = plan_hashing(
        p, guess, is_free, facts, is_forced ? "forced" : "distinct keys are sorted only");
    bool const has_slots = hashing.direct || have_slots(p, hashing.buckets, guess);
    bool const pays = (guess <= most_worth_hashing(p) && has_slots) || o.explain_ != nullptr;
    if (o.explain_ != nullptr && !is_forced && p.has_ranges &&
        p.inputs <= code_buckets::most_codes) {  // nobody has looked
      hashing.bytes =
          (std::max)(hashing.bytes, plan_ranges(p, plan_sorting(p, ""), guess, false, facts).bytes);
    }
    if (is_forced || (pays && least_bytes(hashing, p) <= cap)) {
      require_memory(o, least_bytes(hashing, p));
      return hashing;
    }
  }
  char const* const why = is_forced      ? "forced"
                          : !p.is_number ? "keys that hash tables do not hold"
                          : p.inputs < least_looked_at(p, facts) ? "few keys"
                                                                 : "most keys are distinct";
  sparse_plan sorting = plan_sorting(p, why);
  sorting.by_buckets = !is_forced && pays_by_buckets(p, facts);
  require_memory(o, least_bytes(sorting, p));
  return sorting;
}

/// Scratch memory of a call at most.
inline std::size_t bytes_at_most(sparse_plan const& plan, sparse_problem const& p) noexcept {
  std::size_t const values = folds_by_row(plan, p) ? p.values.least + p.values.tables : 0;
  return (std::max)(plan.bytes, values + p.staged_bytes);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
