// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How bins become buckets and where tiles lie, for GPUs with much and little shared memory and for
// more samples than the GPU tests can count.

#include "../support/boost_test.h"
#include <thrust_hist/system/cuda/buckets.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

BOOST_AUTO_TEST_SUITE(buckets)

namespace {

using namespace thrust_hist::detail::cuda;

constexpr std::size_t no_cap = (std::numeric_limits<std::size_t>::max)();

// Shared memory of a block, in KiB, and how many bins a GPU with it has to count in one slice.
struct gpu {
  std::size_t kibibytes;
  std::uint64_t bins;
};
constexpr gpu gpus[] = {{227, 1 << 28}, {163, 1 << 28}, {99, 1 << 26},
                        {64, 1 << 24},  {48, 1 << 24},  {20, 1 << 19}};

device_facts facts_of(gpu const& g) {
  return {100, g.kibibytes * 1024, (g.kibibytes + 1) * 1024, std::size_t{40} << 20};
}

std::vector<std::uint64_t> around_powers_of_two(unsigned most) {
  std::vector<std::uint64_t> numbers;
  for (unsigned bit = 0; bit <= most; ++bit)
    for (int more : {-1, 0, 1})
      if (const auto number = (std::int64_t{1} << bit) + more; number > 0)
        numbers.push_back(static_cast<std::uint64_t>(number));
  return numbers;
}

const std::uint64_t sample_counts[] = {
    1,
    31,
    8191,
    8192,
    8193,
    16385,
    1 << 17,
    1 << 20,
    (1 << 20) + 1,
    5000000,
    (1 << 28) - 1,
    1 << 28,
    (1 << 28) + 1,
    std::uint64_t{1} << 32,
    std::uint64_t{1} << 33};

template <class Check>
void for_every_problem(Check check) {
  for (gpu const& g : gpus)
    for (std::uint64_t bins : around_powers_of_two(31)) {
      const device_facts facts = facts_of(g);
      if (!fits_buckets(bins)) {
        BOOST_REQUIRE(bins >= (std::uint64_t{1} << 31) - 1);
        continue;
      }
      const bucket_layout layout = plan_buckets(bins, 1, facts, no_cap);
      BOOST_REQUIRE_MESSAGE(
          layout.bins == bins || bins > g.bins,
          bins << " bins are one slice with " << g.kibibytes << " KiB");
      for (std::uint64_t samples : sample_counts)
        BOOST_TEST_CONTEXT(
            samples << " samples, " << bins << " bins, " << g.kibibytes << " KiB of shared memory")
      check(bins, samples, facts);
    }
}

std::uint64_t samples_of_batch(bucket_layout const& layout) {
  return std::uint64_t{layout.tiles} * layout.samples_of_tile();
}

bool is_padded(bucket_layout const& layout) {
  return layout.granule_log2 != 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_bin_has_a_slice_a_bucket_and_a_rest_of_16_bits) {
  for_every_problem([](std::uint64_t bins, std::uint64_t samples, device_facts const& facts) {
    const bucket_layout all = plan_buckets(bins, samples, facts, no_cap);
    BOOST_REQUIRE(all.all_bins == bins);
    BOOST_REQUIRE(all.buckets >= 1U);
    BOOST_REQUIRE(all.buckets <= bucket_layout::most_buckets);
    const std::uint64_t largest_rest = (std::uint64_t{1} << all.rest_bits) - 1;
    BOOST_REQUIRE(largest_rest <= 0xffffU);
    if (is_padded(all))
      BOOST_REQUIRE(largest_rest < 0xffffU);  // which is padding
    std::uint64_t end = 0;
    for (std::uint64_t first = 0; first < bins; first += all.bins) {
      const bucket_layout slice = all.slice_at(static_cast<std::uint32_t>(first));
      BOOST_REQUIRE(slice.first_bin == end);
      BOOST_REQUIRE(slice.bins >= 1U);
      BOOST_REQUIRE((std::uint64_t{slice.buckets} << slice.rest_bits) >= slice.bins);
      end += slice.bins;
    }
    BOOST_REQUIRE(end == bins);
    // Tables have all bins of a bucket between them, and no more of them than needed.
    BOOST_REQUIRE(all.table_bits <= all.rest_bits);
    BOOST_REQUIRE((std::uint64_t{all.tables()} << all.table_bits) >= all.bins);
    BOOST_REQUIRE((std::uint64_t{all.tables()} - 1) << all.table_bits < all.bins);
    BOOST_REQUIRE(all.tables() <= all.buckets << all.tables_log2());
    if (is_padded(all))
      BOOST_REQUIRE(all.tables_log2() == 0U);  // a table takes padding for a rest of its neighbour
    // No slice is much smaller than the others, and none has a bucket that none of them needs.
    const std::uint64_t slices = (bins + all.bins - 1) / all.bins;
    BOOST_REQUIRE(((std::uint64_t{all.buckets} - 1) << all.rest_bits) * slices < bins);
  });
}

BOOST_AUTO_TEST_CASE(both_kernels_find_their_shared_memory) {
  for_every_problem([](std::uint64_t bins, std::uint64_t samples, device_facts const& facts) {
    const bucket_layout layout = plan_buckets(bins, samples, facts, no_cap);
    BOOST_REQUIRE(layout.tile_shared_bytes() <= facts.shared_bytes_block);
    BOOST_REQUIRE(layout.table_shared_bytes() <= facts.shared_bytes_block);
    BOOST_REQUIRE(
        layout.table_shared_bytes() >=
        (std::size_t{4} << layout.table_bits) + (layout.tables() + 1) * std::size_t{4});
    BOOST_REQUIRE((layout.threads == 256 || layout.threads == 512 || layout.threads == 1024));
  });
}

BOOST_AUTO_TEST_CASE(few_buckets_have_more_cursors_where_there_is_room) {
  const auto cursors = [](std::uint64_t bins, gpu const& g) {
    return plan_buckets(bins, 1 << 28, facts_of(g), no_cap).cursors;
  };
  BOOST_TEST(cursors(1 << 20, gpus[0]) == 8U);
  BOOST_TEST(cursors(1 << 28, gpus[0]) == 4U);
  BOOST_TEST(cursors((1 << 18) - 1, gpus[5]) == 4U);
}

BOOST_AUTO_TEST_CASE(a_tile_has_room_for_padding_and_its_places_fit_their_numbers) {
  for_every_problem([](std::uint64_t bins, std::uint64_t samples, device_facts const& facts) {
    const bucket_layout layout = plan_buckets(bins, samples, facts, no_cap);
    const std::uint64_t units = layout.units_of_tile();
    // Every padded bucket may end with a unit that holds one rest only.
    const std::uint64_t padding = is_padded(layout) ? std::uint64_t{7} * layout.buckets : 0;
    BOOST_REQUIRE(units * 8 >= layout.samples_of_tile() + padding);
    BOOST_REQUIRE(layout.granules(static_cast<std::uint32_t>(units * 8)) < 65536U);
    BOOST_REQUIRE(layout.rests(layout.granules(1)) == (is_padded(layout) ? 8U : 1U));
    BOOST_REQUIRE(layout.tiles * units < std::uint64_t{1} << 32);
    BOOST_REQUIRE(
        std::uint64_t{layout.buckets + 1} * layout.begins_of_bucket() < std::uint64_t{1} << 32);
    BOOST_REQUIRE(layout.begins_of_bucket() >= layout.tiles);
    BOOST_REQUIRE(layout.rest_bytes() % 16 == 0U);
    BOOST_REQUIRE(layout.begin_bytes() % 4 == 0U);  // the totals come next
  });
}

BOOST_AUTO_TEST_CASE(a_near_tile_has_a_counter_for_each_of_its_bins) {
  for_every_problem([](std::uint64_t bins, std::uint64_t samples, device_facts const& facts) {
    const bucket_layout layout = plan_buckets(bins, samples, facts, no_cap);
    BOOST_REQUIRE(layout.near_bins >= layout.samples_of_tile() / 2 || !is_padded(layout));
    BOOST_REQUIRE(layout.near_bins >= 1024U);
    // They take the place of cursors and rests; one more is for what has no bin.
    const std::size_t before = (layout.total_units() + bucket_layout::warp_units) * std::size_t{16};
    BOOST_REQUIRE(before + (layout.near_bins + std::size_t{1}) * 4 <= layout.tile_shared_bytes());
  });
}

BOOST_AUTO_TEST_CASE(neighbouring_numbers_of_bins_have_tiles_of_about_the_same_size) {
  const device_facts facts = facts_of(gpus[0]);
  for (std::uint32_t buckets : {256, 512, 768, 1024, 2048, 4096})
    for (std::uint64_t more : {0, 1}) {
      const bucket_layout layout =
          plan_buckets((std::uint64_t{buckets} << 15) + more, 1 << 28, facts, no_cap);
      BOOST_TEST(
          layout.threads == (buckets + more <= 512 ? 512U : 1024U),
          layout.threads << " threads for " << buckets << " buckets and " << more << " bins");
      BOOST_TEST(is_padded(layout) == (buckets + more <= 2048));
      BOOST_TEST(layout.tables_log2() == (buckets + more <= 4096 ? 0U : 1U));
    }
}

BOOST_AUTO_TEST_CASE(groups_of_tiles_are_visited_once_each) {
  for_every_problem([](std::uint64_t bins, std::uint64_t samples, device_facts const& facts) {
    const bucket_layout layout = plan_buckets(bins, samples, facts, no_cap);
    BOOST_REQUIRE(layout.tiles % bucket_layout::tiles_of_group == 0U);
    BOOST_REQUIRE(std::gcd(layout.stride, layout.groups()) == 1U);
    // The last thread of a block may be this far beyond the last group, asking ahead for another
    // turn.
    const std::uint64_t most = layout.groups() + 2 * 1024 / bucket_layout::tiles_of_group;
    BOOST_REQUIRE(most * layout.stride < std::uint64_t{1} << 32);
  });
  for (std::uint32_t groups = 1; groups < 5000; ++groups) {
    const std::uint32_t stride = visiting_stride(groups);
    BOOST_REQUIRE_MESSAGE(
        std::gcd(stride, groups) == 1, "stride " << stride << " for " << groups << " groups");
  }
}

BOOST_AUTO_TEST_CASE(a_cap_is_kept_and_a_larger_one_leaves_no_less_room) {
  for_every_problem([](std::uint64_t bins, std::uint64_t samples, device_facts const& facts) {
    const bucket_layout free = plan_buckets(bins, samples, facts, no_cap);
    const std::size_t least = smallest_bytes(free);
    const std::size_t most = free.bytes();
    std::vector<std::size_t> caps{0,         1,        1000,      least - 1, least,
                                  least + 1, 1 << 20,  2 * least, 64 << 20,  most - 1,
                                  most,      most + 1, most / 2,  no_cap};
    std::sort(caps.begin(), caps.end());
    std::uint32_t before = 0;
    for (std::size_t cap : caps) {
      const bucket_layout layout = plan_buckets(bins, samples, facts, cap);
      BOOST_REQUIRE(layout.buckets == free.buckets);
      BOOST_REQUIRE((layout.tiles == 0) == (cap < least));
      if (layout.tiles == 0)
        continue;
      BOOST_REQUIRE(layout.bytes() <= cap);
      BOOST_REQUIRE(layout.tiles % bucket_layout::tiles_of_group == 0U);
      BOOST_REQUIRE(std::gcd(layout.stride, layout.groups()) == 1U);
      BOOST_REQUIRE(layout.tiles >= before);
      before = layout.tiles;
    }
    BOOST_REQUIRE(before == free.tiles);
    BOOST_REQUIRE(plan_buckets(bins, samples, facts, most).tiles == free.tiles);
  });
}

BOOST_AUTO_TEST_CASE(a_batch_is_as_large_as_the_samples_need_and_no_larger) {
  for_every_problem([](std::uint64_t bins, std::uint64_t samples, device_facts const& facts) {
    const bucket_layout layout = plan_buckets(bins, samples, facts, no_cap);
    // Head and tail of an unaligned range take the place of a load of up to 16 samples each.
    const std::uint64_t needed = (std::min)(samples, bucket_layout::most_samples) + 2 * 16;
    BOOST_REQUIRE(samples_of_batch(layout) >= needed);
    const std::uint64_t spare =
        std::uint64_t{layout.samples_of_tile()} * (bucket_layout::tiles_of_group + 1);
    BOOST_REQUIRE(samples_of_batch(layout) <= needed + spare);
  });
}

BOOST_AUTO_TEST_CASE(scratch_memory_is_little_more_than_the_rests) {
  for_every_problem([](std::uint64_t bins, std::uint64_t samples, device_facts const& facts) {
    if (samples < 1 << 20 || samples > bucket_layout::most_samples)
      return;
    // With little shared memory, tiles are small and padding takes up to half of them.
    const double of_key = facts.shared_bytes_block >= 160 * 1024 ? 2.5 : 4.5;
    const std::size_t bytes = plan_buckets(bins, samples, facts, no_cap).bytes();
    BOOST_REQUIRE(
        static_cast<double>(bytes) <=
        of_key * static_cast<double>(samples) + 16 * static_cast<double>(bins) + (1 << 20));
  });
}

BOOST_AUTO_TEST_SUITE_END()
