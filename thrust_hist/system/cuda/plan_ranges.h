// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse counts on CUDA, route partitioned: when keys are counted range by range, and how much
/// memory that takes. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/device_facts.h>
#include <thrust_hist/system/cuda/drawn_rounds.h>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/ordered_buckets.h>
#include <thrust_hist/system/cuda/paired_buckets.h>
#include <thrust_hist/system/cuda/range_buckets.h>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/sparse_problem.h>
#include <thrust_hist/system/cuda/wide_buckets.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Less keys than this are not thrown into buckets by their order, to be counted there.
inline constexpr std::uint64_t inputs_worth_ranges(std::size_t code_bytes) noexcept {
  return std::uint64_t{1} << (code_bytes > 4 ? 22 : 23);
}

/// How far codes may lie apart that are.
inline constexpr std::uint64_t widest_range = 0xffffffff;

/// Whether it is worth while to look where codes lie.
inline bool may_have_ranges(sparse_problem const& p) noexcept {
  return p.has_ranges && !p.is_skewed && p.inputs >= inputs_worth_ranges(p.code_bytes) &&
         p.inputs <= code_buckets::most_codes;
}

/// The widest range that codes of a problem may have.
inline std::uint64_t widest_of(sparse_problem const& p) noexcept {
  return p.code_bytes > 4 ? ~std::uint64_t{0} : widest_range;
}

/// Whether keys that were looked at had better be counted range by range.
inline bool pays_by_ranges(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts) {
  std::uint64_t const last = p.ranges.last;
  if (!may_have_ranges(p) || !p.ranges.is_even()) {
    return false;
  }
  std::uint64_t const most = (std::uint64_t{p.most_seen} + 1) * p.inputs / key_sample::size;
  if (last > widest_range) {
    wide_buckets const b = plan_wide_buckets(last, guess, p.ranges.density(), p.inputs, facts);
    return !p.is_much_crowded && b.has_room && most >> b.slices.count_bits() == 0 &&
           guess >= p.inputs / 512 && b.slices.slices_log2 <= (p.counts_rows_first ? 0 : 2);
  }
  range_buckets const b = plan_range_buckets(last, guess, p.ranges.density(), p.inputs, facts);
  if (!b.has_room || most >= range_slices::most_of_code) {
    return false;
  }
  std::uint64_t const of_job = p.inputs / b.jobs();
  if (!b.slices.has_marks) {  // few jobs, or more counters than keys, take as long as hash tables
    return b.slices.of_bucket_log2() == 0 && b.jobs() >= 96 && guess >= last / 16;
  }
  // To clear marks takes as long as some ten thousand keys do, whatever their number: where that
  // pays was measured for 2^26 and 2^27 of them. Each slice of a bucket reads all of it, and twice
  // where rows are counted first.
  std::uint64_t const many = p.inputs / 24 + (std::uint64_t{11} << 19);
  unsigned const slices_log2 = b.slices.of_bucket_log2();
  bool const is_worth = slices_log2 == 0 ? of_job >= 3u << 13 && guess >= many
                                         : of_job >= 1u << 15 && slices_log2 == 1;
  return !p.counts_rows_first && is_worth;
}

/// How far codes are taken to reach, of which a sample was seen: all over their type if nearly so,
/// else a margin more.
inline std::uint64_t expected_reach(sparse_problem const& p) noexcept {
  std::uint64_t const widest = widest_of(p);
  std::uint64_t const margin = 2 * p.ranges.margin();
  bool const reaches_all = p.ranges.last > widest / 5 * 4;
  return reaches_all || widest - p.ranges.last < margin ? widest : p.ranges.last + margin;
}

/// Whether half of the keys that were looked at, but for the most frequent one, are among the
/// others, too: they make long groups in a bucket, which take longer than a sort of 4-byte codes.
inline bool come_again(sparse_problem const& p) noexcept {
  double const drawn = key_sample::size * p.ranges.with_code();
  auto const others = static_cast<std::uint32_t>((std::max)(0.0, drawn - p.most_seen));
  return p.most_seen != 0 && p.seen_once < others / 2;
}

/// Whether most keys are distinct, and lie so evenly that they had better be put in order bucket by
/// bucket.
inline bool pays_by_order(sparse_problem const& p, std::uint64_t guess, device_facts const& facts) {
  // A bucket would have much of one that occurs more often. One that does not may be seen three
  // times in a sample.
  constexpr std::uint64_t most = 4096;
  std::uint64_t const often =
      std::uint64_t{(std::max)(p.most_seen, 3u) - 3} * (p.inputs / key_sample::size);
  if (!p.has_ranges || p.is_skewed || p.is_crowded || !p.ranges.is_even() || often > most) {
    return false;
  }
  if (p.code_bytes <= 4 && come_again(p)) {
    return false;
  }
  std::uint64_t const last = expected_reach(p);
  double const density =
      p.ranges.density() * static_cast<double>(last) / static_cast<double>(p.ranges.last);
  bool const has_tables = pays_by_ranges(p, guess, facts);
  double const share = static_cast<double>(guess) / static_cast<double>(p.inputs);
  if (last > widest_range) {
    auto const b = plan_ordered_buckets<std::uint64_t>(last, density, p.inputs, facts);
    double const least = p.inputs <= std::uint64_t{1} << 22 ? 0.015
                         : !has_tables                      ? 0.25
                         : b.is_paired                      ? 0.4
                                                            : 0.7;
    return b.has_room && share > least;
  }
  auto const b = plan_ordered_buckets<std::uint32_t>(last, density, p.inputs, facts);
  double const least = p.code_bytes > 4 ? 0.08 : p.inputs > std::uint64_t{1} << 23 ? 0.15 : 0.11;
  return b.has_room && b.is_paired && !has_tables && share > least;
}

/// So many are put in order in drawn buckets without a look; less have not been measured.
inline constexpr std::uint64_t inputs_worth_drawing = std::uint64_t{1} << 16;

/// Of so many short pairs CUB's sort takes less than one bucket by bucket, where one key in some
/// thousand is distinct: a little later where more are. Those that hash tables have slots for are
/// looked at from there on.
inline std::uint64_t short_pairs_worth_sorting(sparse_problem const& p) noexcept {
  return std::uint64_t{!p.values.in_slots ? 15u : p.values.beside_code > 4 ? 19u : 17u} << 18;
}
/// Of more keys with values it does; of codes of 8 bytes that do not crowd, of which it needs not
/// all bits, sooner.
inline std::uint64_t most_by_buckets(sparse_problem const& p, bool are_crowded) noexcept {
  return p.code_bytes > 4 ? std::uint64_t{1} << (are_crowded ? 25 : 23)
                          : short_pairs_worth_sorting(p) - 1;
}
/// How much anybody asks of how the codes of a sample lie: who counts them, or puts them in
/// buckets, all; and where they have 8 bytes who sorts them, or their rows. Who has bins for them
/// asks between which ones they lie.
inline asked_of_range asks_for_ranges(sparse_problem const& p) noexcept {
  bool const all = !p.values.any || p.code_bytes > 4 || p.inputs <= most_by_buckets(p, true);
  return all ? asked_of_range::all : p.has_places ? asked_of_range::ends : asked_of_range::nothing;
}

/// Whether keys with values had better be sorted bucket by bucket than by CUB, whatever they are.
inline bool pays_by_buckets(sparse_problem const& p, device_facts const& facts) {
  std::uint64_t const most = most_by_buckets(p, p.is_crowded);
  // Those of 1 and 2 bytes are sorted in one pass or two.
  if (!p.values.any || !p.values.sorted || !p.is_number || p.narrow_codes != 0 ||
      p.inputs < inputs_worth_drawing || p.inputs > most) {
    return false;
  }
  std::size_t const beside = p.values.beside_code;
  return p.code_bytes > 4 ? plan_paired_buckets<std::uint64_t>(p.inputs, beside, facts).has_room
                          : plan_paired_buckets<std::uint32_t>(p.inputs, beside, facts).has_room;
}

/// So many are looked at (see inputs_worth_a_look()) where they may be put in order in drawn
/// buckets. Those of 8 bytes are in about the time of the best that a look could find for them, up
/// to twice as many.
inline constexpr std::uint64_t drawn_worth_a_look(std::size_t code_bytes) noexcept {
  return inputs_worth_a_look(code_bytes) * (code_bytes == 8 ? 2 : 1);
}
/// The same of a problem: not all GPUs have room for such buckets. Short pairs take longer to sort
/// than to hash, if hash tables hold what their values are folded into.
inline std::uint64_t least_looked_at(sparse_problem const& p, device_facts const& facts) {
  bool const are_short_pairs =
      p.code_bytes == 4 && p.values.in_slots && p.values.sorted && p.narrow_codes == 0;
  std::uint64_t const least = inputs_worth_a_look(p.code_bytes) / (are_short_pairs ? 2 : 1);
  std::uint64_t const of_drawn = drawn_worth_a_look(p.code_bytes);
  if (p.inputs < least || p.inputs >= of_drawn) {
    return least;
  }
  bool const are_drawn =
      p.values.any ? pays_by_buckets(p, facts)
                   : p.has_ranges && plan_drawn_buckets<std::uint64_t>(p.inputs, facts).has_room;
  return !are_drawn ? least : are_short_pairs ? short_pairs_worth_sorting(p) : of_drawn;
}

/// Whether codes that have no room in drawn buckets at once may be put in order in several rounds:
/// else they would be sorted by all bits. A frequent one with which a round begins would fill a
/// bucket, and nobody knows which are left out for good.
inline bool may_take_rounds(sparse_problem const& p) noexcept {
  return p.needs_all_bits && !p.may_be_alone && !p.counts_rows_first && !p.is_skewed &&
         p.most_seen <= 3;
}

/// In how many rounds keys had better be put in order in buckets that are drawn, wherever they lie
/// and however frequent some are: that is faster than a sort, where keys of 4 bytes do not lie in
/// spikes, but not than hash tables where nobody has looked whether these would do. 0: in none.
inline unsigned rounds_by_drawing(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts) {
  if (!p.has_ranges || p.inputs < inputs_worth_drawing) {
    return 0;
  }
  bool const may_be_hashed = p.inputs >= least_looked_at(p, facts);
  bool const is_short = p.code_bytes <= 4;
  bool const are_too_many = p.most_seen != 0 && guess > p.inputs / 128 * (is_short ? 21 : 29);
  if (may_be_hashed && (!are_too_many || (is_short && (p.has_spikes || come_again(p))))) {
    return 0;
  }
  if (!is_short) {
    unsigned const rounds =
        drawn_rounds<std::uint64_t>::number_for(p.inputs, facts, [&](std::uint64_t n) {
          return plan_drawn_buckets<std::uint64_t>(n, facts);
        });
    return rounds <= 1 || may_take_rounds(p) ? rounds : 0;
  }
  auto const b = plan_drawn_buckets<std::uint32_t>(p.inputs, facts);
  return b.has_room && b.is_paired ? 1 : 0;
}
inline bool pays_by_drawing(
    sparse_problem const& p, std::uint64_t guess, device_facts const& facts) {
  return rounds_by_drawing(p, guess, facts) != 0;
}

/// Any range is welcome where that is forced, or nobody has looked; else one that is about as wide
/// as that of the sample. Where there is no room, all keys are sorted after all.
inline sparse_plan plan_ranges(
    sparse_problem const& p, sparse_plan const& sorting, std::uint64_t guess, bool is_forced,
    device_facts const& facts) {
  sparse_plan plan = sorting;
  plan.taken = route::partitioned;
  plan.shared_bytes = facts.shared_bytes_block;
  plan.distinct = guess;
  plan.reach = p.ranges.last;
  plan.density = plan.reach != 0 ? p.ranges.density() : 1;
  bool const is_known = !is_forced && plan.reach != 0;
  std::uint64_t const widest = widest_of(p);
  bool const reaches_all = plan.reach > widest / 5 * 4;
  bool const is_even = is_known && pays_by_order(p, guess, facts);
  bool const may_be_uneven = !is_forced && !is_even && !pays_by_ranges(p, guess, facts);
  plan.rounds = may_be_uneven ? rounds_by_drawing(p, guess, facts) : 0;
  plan.is_uneven = plan.rounds != 0;
  plan.is_chosen = is_known || plan.is_uneven;
  plan.is_ordered = is_even || plan.is_uneven;
  plan.whole_range = (is_known && reaches_all) || plan.is_uneven;
  plan.widest = !is_known || plan.whole_range ? widest : plan.reach / 4 * 5;
  unsigned const placed_bytes = plan.widest > widest_range ? 8 : 4;
  std::size_t const of_ranges = plan.is_uneven ? 0 : bytes_of_ranges(p.inputs, placed_bytes, facts);
  std::size_t const of_regions =
      plan.is_ordered || (!is_known && !is_forced) ? 2 * p.inputs * placed_bytes : 0;
  std::size_t const alone = bytes_of_alone(p);
  bool const has_looked = !plan.is_uneven || p.inputs >= least_looked_at(p, facts);
  plan.bytes = (std::max)(
      {plan.bytes, has_looked ? bytes_kept + bytes_of_sample : 0,
       bytes_kept + 64 + (std::max)(of_ranges, of_regions) + alone + p.staged_bytes});
  return plan;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
