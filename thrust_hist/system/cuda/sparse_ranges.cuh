// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route partitioned: keys that lie evenly between a lowest and a highest one are thrown
/// into buckets in their order, and counted there. Nothing is sorted.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/fold_sorted.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/count_ranges.cuh>
#include <thrust_hist/system/cuda/kernels/partition_codes.cuh>
#include <thrust_hist/system/cuda/kernels/range_table.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/kernels/wide_table.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/range_buckets.h>
#include <thrust_hist/system/cuda/sparse_plan.h>
#include <thrust_hist/system/cuda/wide_buckets.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The tables in which slices are counted.
template <class Buckets>
struct table_of;
template <>
struct table_of<range_buckets> {
  using type = range_table;
};
template <>
struct table_of<wide_buckets> {
  using type = wide_table;
};

/// Counts keys.
template <class Policy, class Keys, class Kind>
class counted_ranges {
public:
  using code = typename Kind::code;
  using key = value_t<Keys>;
  using facts = key_facts<Policy, Keys, Kind>;

  explicit counted_ranges(facts& f)
      : facts_(f), batch_(f.policy()), line_(f.policy()), alone_places_(f.policy()),
        loan_(f.stream()) {}
  ~counted_ranges() {
    if (is_idle_) {
      loan_.give_back();
    }
  }
  counted_ranges(counted_ranges const&) = delete;
  counted_ranges& operator=(counted_ranges const&) = delete;

  /// Throws keys into buckets, and where rows may not be written `at_once`, finds out how many there are. Returns
  /// false where the range of the keys is too wide, or is not what a sample of them made hope for.
  bool run(sparse_plan const& plan, bool at_once) {
    if (plan.is_chosen && plan.reach > widest_range && !are_spread(plan)) {
      return false;
    }
    Kind const& kind = facts_.kind();
    bool const is_guess = plan.is_chosen && !plan.whole_range && !has_alone;
    bool has_room = throw_keys(
        plan, plan.whole_range ? std::make_pair(kind.lowest, kind.span)
              : is_guess       ? expected_range()
                               : facts_.range());
    if (has_room && is_guess && facts_.findings().alone != 0) {  // some lie outside
      has_room = throw_keys(plan, facts_.range());
    }
    if (has_room && has_alone) {
      alone_ = facts_.findings().alone;
      facts_.list_alone(alone_, alone_places_);  // takes memory, so before rows are written
    }
    if (has_room && !at_once) {
      count(nowhere{});
    }
    return has_room && (at_once || has_all());
  }
  std::uint64_t rows() const { return found_ + alone_; }
  /// Writes a row for each, unless they had no room. Returns how many there are.
  template <class Source, class Writer>
  std::uint64_t write(Source const& source, Writer const& writer) {
    count(writer);
    batch_.give_back();
    if (has_all()) {
      cuda::write_alone_rows(facts_, source, alone_places_.data(), alone_, found_, writer);
    }
    return rows();
  }
  void give_back() {
    batch_.give_back();
    line_.give_back();
  }
  /// Whether there was room for all: slices may have more distinct codes than they have counters, and a
  /// code may occur more often than its counter can tell.
  bool has_all() const { return found_ < rows_are_lost; }

private:
  static constexpr bool has_alone = has_alone_keys<Kind, key>;

  /// That of the sample, and a little more: nobody has to read all keys to find it.
  std::pair<code, code> expected_range() const {
    range_sample const& seen = facts_.seen().ranges;
    Kind const& kind = facts_.kind();
    auto const margin = static_cast<code>(seen.margin());
    auto const low = static_cast<code>(seen.lowest - kind.lowest);
    auto const high = static_cast<code>(low + seen.last);
    code const first = low < margin ? 0 : low - margin;
    code const last = kind.span - high < margin ? kind.span : high + margin;
    return {static_cast<code>(kind.lowest + first), static_cast<code>(last - first)};
  }
  /// From the lowest code on, as far as the highest one. Returns whether there may be room.
  bool throw_keys(sparse_plan const& plan, std::pair<code, code> const& range) {
    if (range.second > plan.widest) {
      return false;
    }
    lowest_ = range.first;
    last_ = range.second;
    is_wide_ = range.second > widest_range;
    // Codes may be denser, compared with the average, than a sample had it that did not reach as far. It always stops
    // a little before the ends.
    double const reached = static_cast<double>(plan.reach) * (1 + 12.0 / range_sample::size);
    double const wider = static_cast<double>(range.second) / reached;
    double const density = plan.density * (plan.reach != 0 ? (std::max)(1.0, wider) : 1.0);
    if (is_wide_) {
      wide_buckets_ =
          plan_wide_buckets(range.second, plan.distinct, density, facts_.size(), current_facts());
    } else {
      buckets_ =
          plan_range_buckets(range.second, plan.distinct, density, facts_.size(), current_facts());
    }
    return with_form([&](auto const& buckets) {
      if (buckets.has_room) {
        throw_codes(buckets);
      }
      return buckets.has_room;
    });
  }
  /// Whether no row of a table for a wide range would get many more codes than others, by another look at the sample:
  /// the first one tells only how many there are in a bucket.
  bool are_spread(sparse_plan const& plan) const {
    wide_buckets const b =
        plan_wide_buckets(plan.reach, plan.distinct, plan.density, facts_.size(), current_facts());
    return b.low_bits() <= 0 ||
           b.are_spread(plan.reach, facts_.seen().distinct, facts_.sharing(b.low_bits()));
  }
  /// Calls `use(buckets)` with those that such a range has.
  template <class Use>
  auto with_form(Use use) {
    if constexpr (sizeof(code) == 8) {
      if (is_wide_) {
        return use(wide_buckets_);
      }
    }
    return use(buckets_);
  }
  template <class Buckets>
  void throw_codes(Buckets const& buckets) {
    using placed = typename table_of<Buckets>::type::code;
    code_buckets const& b = buckets.codes;
    // All memory is taken before kernels are under way that use it; slices may be halved once.
    code_memory<placed, no_value> const memory(b, batch_.take(b.bytes()));
    line_.take(tile_line::size(2 * std::uint64_t{buckets.jobs()}));
    sparse_findings* const findings = facts_.begin_findings();
    auto const samples = cuda::make_samples(facts_.keys(), facts_.size());
    using samples_type = std::decay_t<decltype(samples)>;
    using encoder = code_in_range<Kind, code, placed>;
    auto const tiles = static_cast<std::uint32_t>(samples.tiles(b.codes_of_tile()));
    require(
        cudaMemsetAsync(memory.totals, 0, b.layout.total_bytes(), facts_.stream()),
        "cudaMemsetAsync of the totals");
    cuda::launch(
        "partition_codes", partition_codes<samples_type, encoder, placed, none_hot>,
        (std::min)(tiles, b.tile_blocks), b.layout.threads, b.tile_shared_bytes(), facts_.stream(),
        samples, encoder{{facts_.kind()}, lowest_, last_, buckets.shift()}, b.layout,
        buckets.factor(), b.stride_of_tile(), memory, std::uint64_t{0}, tiles, findings, none_hot{},
        0u);
  }
  /// Where distinct codes turn out to be more than was expected, slices are halved.
  template <class Writer>
  void count(Writer const& writer) {
    with_form([&](auto& buckets) {
      range_findings found = count_slices(buckets, writer);
      if (found.rows >= rows_are_lost && found.is_hopeless == 0 && !is_halved_) {
        is_halved_ = true;
        found = buckets.halve_slices(current_facts()) ? count_slices(buckets, writer) : found;
      }
      found_ = found.rows;
    });
  }
  template <class Buckets, class Writer>
  range_findings count_slices(Buckets const& buckets, Writer const& writer) {
    using table = typename table_of<Buckets>::type;
    using placed = typename table::code;
    code_buckets const& b = buckets.codes;
    code_memory<placed, no_value> const memory(b, batch_.data());
    tile_line const line = {line_.data()};
    require(
        cudaMemsetAsync(
            line.words, 0, tile_line::size(buckets.jobs()) * sizeof *line.words, facts_.stream()),
        "cudaMemsetAsync of a line of slices");
    auto* const findings = static_cast<range_findings*>(loan_.box().letter);
    *findings = {};
    is_idle_ = false;
    using decoder = code_from_range<code, placed>;
    cuda::launch(
        "count_ranges", count_ranges<table, decoder, Writer>, buckets.jobs(), 1024,
        buckets.slices.shared_bytes(), facts_.stream(), b.layout, b.stride_of_tile(), memory,
        buckets.slices, decoder{lowest_, buckets.shift()}, writer, line, findings);
    synchronize(facts_.stream());
    is_idle_ = true;
    return *findings;
  }

  facts& facts_;
  held_array<unsigned char, Policy> batch_;
  held_array<unsigned long long, Policy> line_;
  held_array<std::uint64_t, Policy> alone_places_;
  range_buckets buckets_ = {};
  wide_buckets wide_buckets_ = {};
  bool is_wide_ = false;  // the last ones are used
  code lowest_ = 0;
  code last_ = 0;            // how far the highest one may lie above
  std::uint64_t found_ = 0;  // rows
  std::uint64_t alone_ = 0;
  bool is_halved_ = false;
  mailbox_loan loan_;
  bool is_idle_ = true;  // no kernel may be writing to the mailbox
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
