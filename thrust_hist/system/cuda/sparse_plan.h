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
#include <thrust_hist/system/cuda/range_buckets.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// How values are folded: in the slots of hash tables, when they are sorted with their keys, or row by row when
/// keys are known. Counts are always folded as values in slots and in sorted runs are.
struct value_bytes {
  bool any;                 ///< there are values
  bool in_slots;            ///< hashed: slots hold what they are folded into
  bool sorted;              ///< route sorted: they are sorted with their keys
  std::size_t in_bucket;    ///< hashed, in slots: of a value that travels with a code
  std::size_t slot;         ///< hashed, in slots: of what is in a slot
  std::size_t state;        ///< of what goes from a table to a row, and from a tile to the next
  std::size_t beside_code;  ///< sorted: what moves with each code
  std::size_t row_codes;    ///< by row: of the codes of all rows, taken while there are runs
  std::size_t least;        ///< by row: to fold them, when keys are known, at least
  std::size_t tables;       ///< by row: and what they get beside if there is no cap
};

struct sparse_problem {
  std::uint64_t inputs;
  std::uint64_t most_keys;  ///< that can be distinct
  std::size_t code_bytes;
  bool is_number;            ///< codes of 4 or 8 bytes, which hash tables can hold
  bool may_be_alone;         ///< there are keys that equal no other one
  bool is_skewed;            ///< some keys are much more frequent than others
  bool has_ranges;           ///< keys are counted, and their codes may lie in a narrow range
  bool counts_rows_first;    ///< before they are written
  std::uint32_t most_seen;   ///< how often the most frequent key of the sample occurs there
  range_sample ranges;       ///< as the last, 0 where nobody has looked
  std::size_t sort_bytes;    ///< that CUB takes to sort all codes
  std::size_t rows_bytes;    ///< that it takes to sort the rows of hash tables
  std::size_t staged_bytes;  ///< of outputs that go to host containers
  value_bytes values;
};

struct sparse_plan {
  route taken;
  char const* why;
  std::size_t shared_bytes;  ///< of a block that counts
  bool direct;               ///< hashed: the keys are counted as they come in
  code_buckets buckets;      ///< hashed, not direct
  unsigned slots_log2;       ///< hashed: of a table
  std::uint64_t room;        ///< hashed: for so many rows of a code and a count
  std::uint64_t distinct;    ///< partitioned: a guess at the distinct keys
  double density;            ///< partitioned: of these where they are densest, the average being 1
  bool whole_range;          ///< partitioned: codes may be any of their type
  std::uint64_t widest;      ///< partitioned: how far the highest code may lie above the lowest
  std::size_t bytes;         ///< of scratch memory at most
};

/// Less keys than this are sorted at once: to look at them first would take as long.
inline constexpr std::uint64_t inputs_worth_hashing = std::uint64_t{1} << 20;

/// And less than this are not thrown into buckets by their order.
inline constexpr std::uint64_t inputs_worth_ranges = std::uint64_t{1} << 23;

/// How far codes may lie apart that are.
inline constexpr std::uint64_t widest_range = 0xffffffff;

/// How many keys each block may have a table of its own for. Fuller ones take longer than buckets.
inline std::uint64_t direct_keys(unsigned slots_log2) noexcept {
  return (std::uint64_t{1} << slots_log2) * 9 / 16;
}

/// Of a slot beside its code.
inline unsigned slot_bytes(sparse_problem const& p) noexcept {
  return p.values.in_slots ? static_cast<unsigned>(p.values.slot) : sizeof(std::uint32_t);
}

/// Rows that there is room for: at least what all blocks leave that have a table each.
inline std::uint64_t room_for_rows(sparse_problem const& p, device_facts const& facts) noexcept {
  std::uint64_t const of_block =
      direct_keys(slots_log2_for(static_cast<unsigned>(p.code_bytes), slot_bytes(p), facts));
  std::uint64_t const most = std::uint64_t{1} << 32;  // rows have numbers of 32 bits
  return (std::min)({p.inputs, most, (std::max)(p.inputs / 4, of_block * facts.multiprocessors)});
}

/// Distinct keys that are worth hashing: beyond, sorting all keys takes less. Values that are folded row by row
/// look their rows up in a table that had better fit a cache. Codes of 4 bytes by themselves are sorted fastest.
inline std::uint64_t most_worth_hashing(sparse_problem const& p) noexcept {
  bool const by_row = p.values.any && !p.values.in_slots && p.values.sorted;
  bool const is_short = p.code_bytes == 4 && !p.values.any;
  return by_row ? std::uint64_t{1} << 19 : p.inputs / 64 * (is_short ? 9 : 12);
}

inline bool may_hash(sparse_problem const& p, options const& o) noexcept {
  return p.is_number && o.force_ != route::sorted && o.force_ != route::partitioned &&
         (o.force_ == route::hashed || p.inputs >= inputs_worth_hashing);
}

/// Whether it is worth while to look where codes lie.
inline bool may_have_ranges(sparse_problem const& p) noexcept {
  return p.has_ranges && !p.is_skewed && p.inputs >= inputs_worth_ranges &&
         p.inputs <= code_buckets::most_codes;
}

/// Bytes to find the begins of at most `most` runs among `codes` codes, and what is done with them. Keys that
/// equal no other one take as much as runs do.
inline std::size_t bytes_of_begins(
    sparse_problem const& p, std::uint64_t codes, std::uint64_t most, bool folds) noexcept {
  std::size_t const tiles = codes / 4096 + 1;
  std::size_t const alone = p.may_be_alone ? 8 * (p.inputs + p.inputs / 4096 + 2) : 0;
  return (folds ? tiles * (8 + 2 * (std::max<std::size_t>)(p.values.state, 8))
                : 8 * most + p.values.row_codes) +
         8 * tiles + alone + p.staged_bytes + 64;
}

/// Codes twice, with what moves with them, and where runs of them begin.
inline sparse_plan plan_sorting(sparse_problem const& p, char const* why) noexcept {
  sparse_plan plan = {};
  plan.taken = route::sorted;
  plan.why = why;
  std::size_t const codes = p.inputs * (p.code_bytes + p.values.beside_code);
  plan.bytes = 64 + codes +
               (std::max)(
                   codes + p.sort_bytes + 512,  // CUB aligns arrays to 256 bytes
                   bytes_of_begins(p, p.inputs, p.most_keys, !p.values.any || p.values.sorted));
  return plan;
}

inline sparse_plan plan_hashing(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts, char const* why) {
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
  plan.room = room_for_rows(p, facts);
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
  }
  std::size_t const after = (std::max)(
      moved + p.rows_bytes,
      bytes_of_begins(
          p, plan.room, (std::min)(plan.room, p.most_keys), !p.values.any || p.values.in_slots));
  // Where there is no room for all rows, all keys are sorted after all.
  plan.bytes = (std::max)(
      {64 + rows + (std::max)(batch, after), plan_sorting(p, why).bytes, bytes_of_sample});
  return plan;
}

inline void tell_sample(sparse_problem& p, key_sample const& seen) noexcept {
  p.is_skewed = seen.is_skewed();
  p.most_seen = seen.most;
  p.ranges = seen.ranges;
}

/// Any range is welcome where that is forced, or nobody has looked; else one that is about as wide as that of the
/// sample.
inline sparse_plan plan_ranges(
    sparse_problem const& p, std::uint64_t guess, bool is_forced, device_facts const& facts,
    char const* why) {
  sparse_plan plan = plan_sorting(p, why);  // where there is no room, all keys are sorted after all
  plan.taken = route::partitioned;
  plan.shared_bytes = facts.shared_bytes_block;
  plan.distinct = guess;
  plan.density = p.ranges.last != 0 ? p.ranges.density() : 1;
  bool const is_known = !is_forced && p.ranges.last != 0;
  std::uint64_t const expected = p.ranges.last / 4 * 5;
  plan.whole_range = is_known && p.code_bytes == 4 && expected >= widest_range;
  plan.widest = is_known ? (std::min)(widest_range, expected) : widest_range;
  plan.bytes = (std::max)(
      {plan.bytes, bytes_of_sample, 128 + bytes_of_ranges(p.inputs, facts) + p.staged_bytes});
  return plan;
}

/// Whether keys that were looked at had better be counted range by range.
inline bool pays_by_ranges(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts) {
  std::uint64_t const last = p.ranges.last;
  if (!may_have_ranges(p) || !p.ranges.is_even() || last > widest_range) {
    return false;
  }
  std::uint64_t const most = (std::uint64_t{p.most_seen} + 1) * p.inputs / key_sample::size;
  range_buckets const b = plan_range_buckets(last, guess, p.ranges.density(), p.inputs, facts);
  std::uint64_t const of_job = p.inputs / b.jobs();
  if (!b.has_room || most >= range_slices::most_of_code) {
    return false;
  }
  if (!b.slices.has_marks) {  // few jobs, or more counters than keys, take as long as hash tables
    return b.slices.of_bucket_log2() == 0 && b.jobs() >= 96 && guess >= last / 16;
  }
  // To clear marks takes as long as some ten thousand keys do. Each slice of a bucket reads all of it, and twice
  // where rows are counted first.
  unsigned const slices_log2 = b.slices.of_bucket_log2();
  bool const is_worth = slices_log2 == 0 ? of_job >= 3u << 13 && guess >= p.inputs / 16
                                         : of_job >= 1u << 15 && slices_log2 == 1;
  return !p.counts_rows_first && is_worth;
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
      o.force_ != route::partitioned) {
    refuse_route(o.force_, "sparse histograms are partitioned, hashed or sorted");
  }
  if (o.force_ == route::partitioned && !p.has_ranges) {
    refuse_route(o.force_, "on CUDA, only the counts of keys of up to 8 bytes are partitioned");
  }
  if (o.force_ == route::hashed && !p.is_number) {
    refuse_route(o.force_, "on CUDA, keys of more than 8 bytes and keys of users are sorted");
  }
  bool const is_forced = o.force_ != route::automatic;
  std::size_t const cap = o.max_temporary_bytes_;
  if (o.force_ == route::partitioned || (!is_forced && pays_by_ranges(p, guess, facts))) {
    sparse_plan const ranges = plan_ranges(
        p, guess, is_forced, facts, is_forced ? "forced" : "keys lie evenly in a range");
    if (is_forced || ranges.bytes <= cap) {
      require_memory(o, ranges.bytes);
      return ranges;
    }
  }
  if (may_hash(p, o)) {
    sparse_plan hashing =
        plan_hashing(p, guess, facts, is_forced ? "forced" : "distinct keys are sorted only");
    bool const has_slots = hashing.direct || guess <= hashing.buckets.capacity();
    bool const pays = (guess <= most_worth_hashing(p) && has_slots) || o.explain_ != nullptr;
    if (o.explain_ != nullptr && !is_forced && may_have_ranges(p)) {  // nobody has looked
      hashing.bytes = (std::max)(hashing.bytes, plan_ranges(p, guess, false, facts, "").bytes);
    }
    if (is_forced || (pays && least_bytes(hashing, p) <= cap)) {
      require_memory(o, least_bytes(hashing, p));
      return hashing;
    }
  }
  char const* const why = is_forced                         ? "forced"
                          : !p.is_number                    ? "keys that hash tables do not hold"
                          : p.inputs < inputs_worth_hashing ? "few keys"
                                                            : "most keys are distinct";
  sparse_plan const sorting = plan_sorting(p, why);
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
