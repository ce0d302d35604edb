// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How many distinct keys an input has, guessed from a sample of it. No CUDA headers; tested with
/// g++.

#include <thrust_hist/config.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Of less keys than this nobody looks at some first: that takes 35 us, and what comes of it not
/// much more. Where a sort moves more it pays sooner: see least_looked_at().
inline constexpr std::uint64_t inputs_worth_a_look(std::size_t code_bytes) noexcept {
  return std::uint64_t{1} << (code_bytes == 4 ? 23 : code_bytes == 8 ? 21 : 20);
}

/// How much is asked of where codes lie: nothing, between which ones and in which parts, or all
/// that follows.
enum class asked_of_range { nothing, ends, all };

/// The complement of the lowest code and the highest one, both 0 where there is none.
struct code_ends {
  unsigned long long not_lowest;
  unsigned long long highest;

  /// Whether codes reach so far, or further.
  bool reach(unsigned long long far) const noexcept {
    return highest >= ~not_lowest && highest - ~not_lowest >= far;
  }
};

/// What is seen in a smaller sample of where codes lie.
struct range_sample {
  static constexpr unsigned threads = 1024;
  static constexpr std::uint32_t size = 8 * threads;
  static constexpr unsigned parts_log2 = 11;
  static constexpr std::uint32_t parts = 1u << parts_log2;  ///< of the range, equally wide

  static constexpr std::uint32_t parts_of_stretch = 64;

  unsigned long long lowest;  ///< code
  unsigned long long last;    ///< how far the highest code lies above that
  std::uint32_t heaviest;     ///< how many codes lie in the part where most do
  std::uint32_t densest;      ///< and in the stretch of so many parts
  std::uint32_t codes;        ///< in the sample: not all keys need have one
  /// Bits below the highest `high_bits` of those in which codes differ, 0 if few.
  std::uint32_t low_bits;
  /// Of `tagged` codes, those that differ from another one in low bits alone.
  std::uint32_t sharing;
  /// Of as many, those that differ from another one in less than the highest `near_bits` of the
  /// bits that their distance from the lowest one has: 8 to 16 where codes lie evenly, and so many
  /// times more as they are denser where they lie.
  std::uint32_t near_others;
  /// Cells, one of 2^`cell_bits` or up to half as many, that have two codes of as many or more, and
  /// none around but next to it: 140 where codes lie evenly, 160 on average where most are twice as
  /// dense, fewer where they are denser, and some 300 where they lie in as many narrow places.
  std::uint32_t spikes;
  std::uint32_t cells;  ///< that have any code of as many

  static constexpr unsigned high_bits = 40;
  static constexpr unsigned near_bits = 20;
  static constexpr unsigned cell_bits = 15;
  static constexpr unsigned tagged = size / 2;

  /// Whether codes crowd in some places, five times as dense as even ones, or more than fifty
  /// times.
  bool is_crowded() const noexcept { return near_others > 40; }
  bool is_much_crowded() const noexcept { return near_others > 512; }
  /// Whether a sixteenth of them may lie in a place that is narrower than a part.
  bool may_crowd() const noexcept { return codes != 0 && heaviest >= codes / 16; }
  /// Whether they lie in places apart from each other, and in so many that a drawn bucket of 8 000
  /// codes, of 2^23, has parts of more than four: to look for groups then takes longer than to sort
  /// codes of 4 bytes. A thousand places that are as wide as a cell make 1 700.
  bool has_spikes() const noexcept { return spikes > 250 && cells > 1800; }
  /// Whether codes that differ do so without so many low bits. If of 2^21 of them each has one
  /// neighbour with the same high bits, four pairs of these are expected in the sample.
  bool tells_apart(unsigned without) const noexcept {
    return low_bits != 0 && without <= low_bits && sharing == 0;
  }
  /// Whether so many do not that nobody need look at more. Two codes that are taken for such by
  /// their hashes make one, one time in 30.
  bool surely_shares(unsigned without) const noexcept {
    return surely_share() && without >= low_bits;
  }
  /// The same without those that were left out here.
  bool surely_share() const noexcept { return low_bits != 0 && sharing > 16; }
  /// A part holds 2^this codes, so that there are half of `parts` at least, and not more.
  THRUST_HIST_HOST_DEVICE static unsigned log2_of_part(unsigned long long last) noexcept {
    unsigned log2 = 0;
    while (last >> log2 >= parts) {
      ++log2;
    }
    return log2;
  }
  /// By how much more codes may reach beyond either end: one in 10^7 times not all do that are like
  /// these.
  unsigned long long margin() const noexcept { return last / (size / 16); }
  /// The lowest code that is expected, and how far the highest one lies above it, of codes in
  /// [lowest_code, lowest_code + span]: a little beyond those of the sample, so that nobody has to
  /// read all keys to find them.
  template <class Code>
  std::pair<Code, Code> widened(Code lowest_code, Code span) const noexcept {
    auto const more = static_cast<Code>(margin());
    auto const low = static_cast<Code>(lowest - lowest_code);
    auto const high = static_cast<Code>(low + last);
    Code const first = low < more ? 0 : low - more;
    Code const end = span - high < more ? span : high + more;
    return {static_cast<Code>(lowest_code + first), static_cast<Code>(end - first)};
  }
  /// How large a part of all keys has a code.
  double with_code() const noexcept { return codes == 0 ? 1 : codes / static_cast<double>(size); }
  /// Codes of a part on average.
  double mean() const noexcept {
    return static_cast<double>(codes) / static_cast<double>((last >> log2_of_part(last)) + 1);
  }
  /// Whether no part has many times more codes than others.
  bool is_even() const noexcept {
    return last > parts && heaviest <= 3 * mean() + 5 * std::sqrt(mean());
  }
  /// How many times as dense codes are as on average, where they are densest, less what chance
  /// makes of that: in a stretch, or in a part that has more codes than chance gives to one of such
  /// a stretch.
  double density() const noexcept {
    double const seen = densest - 3 * std::sqrt(static_cast<double>(densest));
    double const of_stretch = (std::max)(1.0, seen / (parts_of_stretch * mean()));
    double const of_its_parts = mean() * of_stretch;
    bool const is_denser = heaviest > of_its_parts + 6 * std::sqrt(of_its_parts);
    return is_denser ? heaviest / mean() : of_stretch;
  }
};

/// Codes that are frequent, by a sample. Those that are so most of all stand at the begin of the
/// list, all of them, and others at its end, while there is room.
struct hot_sample {
  static constexpr std::uint32_t least = 32;   ///< how often each occurs in the sample
  static constexpr std::uint32_t often = 256;  ///< and each of those at the begin
  static constexpr std::uint32_t half = 256;   ///< of the list: no more can be so frequent
  static constexpr std::uint32_t slots =
      1024;  ///< of the table in shared memory in which they are counted, or values folded

  std::uint32_t at_begin;
  std::uint32_t at_end;  ///< there may have been no room for all
  std::uint32_t all;     ///< how often all together occur in the sample

  std::uint32_t size() const noexcept { return at_begin + (at_end < half ? at_end : half); }
  /// Where the i-th of them stands.
  THRUST_HIST_HOST_DEVICE static std::uint32_t place(std::uint32_t i, std::uint32_t at_begin) {
    return i < at_begin ? i : 2 * half - 1 - (i - at_begin);
  }
  /// Shared memory that a block takes for their table.
  static std::size_t table_bytes(std::size_t code_bytes, std::size_t state_bytes) noexcept {
    return slots * (code_bytes + state_bytes);
  }
};

/// How many more distinct keys there will be among so many times more keys, where so many were seen
/// once and twice.
inline double more_keys(double once, double twice, double times_more) noexcept {
  double const unseen = 0.5 * once * once / (twice + 1);
  return once > 0 ? unseen * (1 - std::exp(-times_more * once / unseen)) : 0;
}

/// What is seen in a sample of `size` keys.
struct alignas(16) key_sample {
  static constexpr std::uint32_t size = 1u << 16;
  static constexpr std::uint32_t slots = size * 2;  ///< of the table in which they are counted
  static constexpr std::uint32_t bytes_of_slot = 12;
  static constexpr std::uint32_t together = 256;  ///< that a block draws
  static constexpr unsigned low_bits_of_near = 8;

  std::uint32_t distinct;
  std::uint32_t once;              ///< keys that occur once in the sample
  std::uint32_t twice;             ///< keys that occur twice
  std::uint32_t distinct_in_half;  ///< of the sample
  std::uint32_t most;              ///< how often the most frequent one occurs
  /// Of codes of 4 bytes, drawn 256 at a time: those that differ from another one of these in their
  /// lowest 8 bits alone.
  std::uint32_t near_by;
  hot_sample hot;                     ///< those that are listed
  unsigned long long differing;       ///< bits in which not all codes of the sample are equal
  unsigned long long differing_high;  ///< of these, those from the 65th on
  /// Of the smaller sample, of which `ranges` tells more; all 0 where nobody asked for that one, or
  /// codes have 16 bytes.
  code_ends ends;
  range_sample ranges;  ///< all 0 for keys without codes of up to 8 bytes
  std::uint32_t
      side_by_side;  ///< where keys were read side by side: those that equal one of three near by
  std::uint32_t
      far_apart;  ///< and those that equal one of three that are far away, or less near the end

  /// Whether some keys are much more frequent than others.
  bool is_skewed() const { return most > 8.0 * size / (std::max)(1u, distinct) + 8; }

  /// Whether one may be a quarter of a drawn bucket, of 4 096: four of these on average. Or nobody
  /// has looked.
  bool may_fill_quarter() const { return distinct == 0 || most > 2; }

  /// Whether keys that are not listed are not skewed, either: then those that occur once and twice
  /// tell about how many they are. Half of them may come some times as often as the others: a
  /// sample has next to all of these once.
  bool is_even_beside_hot() const {
    if (once < 64) {
      return false;
    }
    double const others = size * ranges.with_code() - hot.all;
    double const told = once * std::exp(2.0 * twice / once);
    return told > 0.85 * others && told < 1.15 * others;
  }

  /// Whether no key comes so often that codes with its high bits are too many to be put in order by
  /// a block: some thousands; nor all of them so often that most groups take one.
  bool comes_rarely(std::uint64_t n) const {
    constexpr std::uint64_t many = 2048;
    std::uint64_t const of_most = most <= 2 ? 0 : n / size * most;
    return distinct != 0 && of_most <= many && n / (std::max<std::uint64_t>)(1, guess(n)) <= 128;
  }
  /// Whether codes have the high bits of four others on average, or of fewer, if so many of the
  /// sample have those of another one: of all pairs of the sample, 4 / n then.
  bool share_little(std::uint64_t sharing, std::uint64_t n) const {
    std::uint64_t const expected = (std::uint64_t{size} * size) / n * 2;
    return sharing <= expected + 16;
  }
  /// Whether codes of 4 bytes that are sorted by their highest 24 bits leave groups that are put in
  /// order in less than another pass: two others on average, or some more by chance.
  bool has_short_groups(std::uint64_t n) const {
    std::uint64_t const expected = (std::uint64_t{size} * together) / n;
    return comes_rarely(n) && near_by <= expected + 4;
  }
  /// Whether there are more that occur again than there were if all of n keys came sixteen times.
  bool come_often(std::uint64_t n) const {
    double const drawn = size * ranges.with_code();
    return distinct != 0 && once < drawn * std::exp(-16.0 * size / static_cast<double>(n));
  }
  /// Of the keys that occur twice, those of which not one place was drawn twice, as it may be: they
  /// are drawn from anywhere among `n`.
  double pairs(std::uint64_t n) const {
    return (std::max)(0.0, twice - 0.5 * once * size / static_cast<double>(n));
  }
  /// A guess at the distinct keys among `n` if all are about equally frequent: those that were
  /// seen, and how many more there will be, by how many were seen once and twice (A. Chao 1984; R.
  /// K. Colwell et al. 2012). Else there are more.
  double guess_even(std::uint64_t n) const {
    double const times_more = (std::max)(0.0, static_cast<double>(n) / size - 1);
    return distinct + more_keys(once, pairs(n), times_more);
  }
  /// As many at least, but for one time in a thousand: few that were seen twice tell little.
  double surely_even(std::uint64_t n) const {
    double const times_more = (std::max)(0.0, static_cast<double>(n) / size - 1);
    double const twice_at_most = pairs(n) + 3 * std::sqrt(pairs(n) + 1);
    return distinct + more_keys(once, twice_at_most, times_more);
  }
  /// The same whatever they are. Where some are much more frequent than others, the more keys occur
  /// once the more there are; how the number of distinct keys grew with the sample tells what is
  /// too high.
  std::uint64_t guess(std::uint64_t n) const {
    if (once == 0) {
      return distinct;
    }
    double const seen = distinct;
    double const even = guess_even(n);
    double const growth = std::log2(seen / (std::max)(1.0, 1.0 * distinct_in_half));
    double const by_growth = seen * std::pow(static_cast<double>(n) / size, growth);
    double const rare = once / seen;
    double const all = !is_skewed() ? even : (std::min)(by_growth, even * (1 + 39 * rare * rare));
    return static_cast<std::uint64_t>((std::min)(all, static_cast<double>(n)));
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
