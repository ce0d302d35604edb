// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Whether additions to global memory, with places in shared memory for frequent bins, take less
/// than buckets do, by what some samples are like. No CUDA headers; tested with g++.
///
/// Times are of a warp's 32 samples, in clock cycles of a multiprocessor of the one GPU on which
/// they were measured (docs/decisions/0056). What is asked is which of two is less.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/system/cuda/device_facts.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What is seen of rows of 32 samples side by side, each as a warp adds it.
struct seen_rows {
  std::uint32_t rare;     ///< samples of a bin that fewer than `frequent` rows have
  std::uint32_t crowded;  ///< of these, beside others: not so few rows have its line of bins
  std::uint32_t near;     ///< pairs of rows, half a tile apart, whose bins lie near each other
  std::uint32_t narrow;   ///< rows whose bins lie within `narrow_bins`
};

/// Of samples of 1 or 2 bytes that are counted by their values, no plan has a look.
template <class Sample>
inline constexpr bool may_be_looked_at = !has_values_of<Sample, 1> && !has_values_of<Sample, 2>;

/// What a look says: how to count.
enum class advice : std::uint32_t {
  buckets,
  additions,           ///< with places for frequent bins
  additions_in_order,  ///< without: no bin is frequent
};

/// A look at samples before buckets take them.
struct look_at_bins {
  static constexpr unsigned pairs = 32;
  static constexpr unsigned rows = 2 * pairs;
  static constexpr unsigned frequent = 3;
  static constexpr unsigned line_log2 = 5;  ///< bins whose additions wait for each other
  static constexpr unsigned narrow_bins = 128;

  bool is_worth;           ///< whether to look at all
  bool takes_ordered;      ///< samples in order, few of a bin: additions take less then, too
  float most_rare;         ///< of a row, with which additions take less than buckets
  float rare_for_crowded;  ///< a crowded sample takes as long as so many others, more

  /// Of scratch memory, for what comes of it. Whole lines, so that what lies behind lies as it
  /// would without them: 16 bytes cost buckets 1 to 8 % of their time.
  std::size_t scratch_bytes() const noexcept { return is_worth ? 256 : 0; }

  /// What takes least. Where all lie near each other buckets have no work: their tiles
  /// are counted as they come; unless all are in order, and few of a bin. More are rare than are
  /// seen to be: some share a counter.
  THRUST_HIST_HOST_DEVICE advice advise(seen_rows const& seen) const noexcept {
    if (seen.near == pairs) {
      bool const in_order = seen.narrow == rows && seen.rare >= rows * 24 && seen.crowded <= rows;
      return takes_ordered && in_order ? advice::additions_in_order : advice::buckets;
    }
    float const rare =
        static_cast<float>(seen.rare) + rare_for_crowded * static_cast<float>(seen.crowded);
    return rare <= most_rare * rows ? advice::additions : advice::buckets;
  }
  THRUST_HIST_HOST_DEVICE bool prefers_additions(seen_rows const& seen) const noexcept {
    return advise(seen) != advice::buckets;
  }
};

/// How buckets take samples: so many at a time, which all batches but the first add to what stands
/// in the output, or in a byte for each bin.
struct bucket_batches {
  std::uint64_t samples = ~std::uint64_t{0};
  bool into_bytes = false;
};

/// How much of so many bytes stays in the second-level cache while others pass through it.
inline double part_in_cache(double bytes, device_facts const& facts) noexcept {
  return (std::min)(1., 0.6 * static_cast<double>(facts.l2_bytes) / bytes);
}

/// Of so many samples that buckets would take, in so many bins.
inline look_at_bins plan_look(
    std::uint64_t samples, std::uint64_t bins, device_facts const& facts,
    bucket_batches const& batches = {}) noexcept {
  auto const all = static_cast<double>(bins);
  double const of_sample = all / static_cast<double>(samples);  // bins
  double const within = (std::min)(of_sample, 1.);
  // What each batch takes beside its samples, and each that is left out: launches, first and last
  // blocks, 25 us and 6 of all multiprocessors.
  auto const batch = static_cast<double>((std::min)(batches.samples, samples));
  constexpr double clocks_of_us = 1755;
  double const of_us = 32 * clocks_of_us * facts.multiprocessors / batch;
  bool const is_one = batches.samples >= samples;
  double const of_batch = is_one ? 0 : 25 * of_us;
  double const of_batch_left_out = is_one ? 0 : 6 * of_us;
  // Bins that are added to once more, by samples.
  double const again = all / batch - of_sample;
  double const bytes = batches.into_bytes ? all : 4 * all;
  double const by_batches = of_batch + again * (10 + 25 * (1 - cuda::part_in_cache(bytes, facts)));
  // The more buckets there are, the longer it takes to sort tiles; then all bins are written.
  double const by_buckets =
      17.4 + 0.9 * (std::log2(all) - 18) + 50 * within + 25 * (of_sample - within) + by_batches;
  // Bins that were set to 0, then frequent ones, which are added to as fast as samples come.
  double const by_places = 17 + 6.5 * of_sample + of_batch_left_out;
  // Others are added to in memory, where the second-level cache has no room for them. Half of one
  // in each warp takes no time: it is added meanwhile.
  double const of_rare = 1.2 + 11.5 * (1 - cuda::part_in_cache(4 * all, facts));
  constexpr double of_crowded = 5;
  // A look in vain takes 6 to 15 us. Buckets take 450 for so many samples, of which one takes as
  // long as two fifths of a bin.
  constexpr std::uint64_t least = 5u << 25;
  double const most = 0.95 * by_buckets;
  look_at_bins look = {};
  look.is_worth = most > 1.15 * by_places && samples + bins / 2 * 5 >= least;
  // Where hardly any bin comes again some 29 samples of a row are seen to be rare.
  look.most_rare = static_cast<float>((std::min)((most - by_places) / of_rare + 0.5, 24.));
  look.rare_for_crowded = static_cast<float>(of_crowded / of_rare);
  // Tiles whose bins are near each other (a batch takes twice as long as others do, beside its
  // samples), and additions whose neighbours meet at few lines.
  double const by_tiles = 8.4 + 31 * of_sample + 2 * of_batch;
  double const in_order = 17 + 17 * of_sample + of_batch_left_out;
  look.takes_ordered = of_sample > 0.2 && 0.95 * by_tiles > in_order;
  return look;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
