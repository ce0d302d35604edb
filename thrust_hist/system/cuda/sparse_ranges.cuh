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
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/range_buckets.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

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
    Kind const& kind = facts_.kind();
    auto const range = plan.whole_range ? std::make_pair(kind.lowest, kind.span) : facts_.range();
    if (range.second > plan.widest) {
      return false;
    }
    lowest_ = range.first;
    buckets_ = plan_range_buckets(
        range.second, plan.distinct, plan.density, facts_.size(), current_facts());
    if (!buckets_.has_room) {
      return false;
    }
    code_buckets const& b = buckets_.codes;
    // All memory is taken before kernels are under way that use it; slices may be halved once.
    code_memory<std::uint32_t, no_value> const memory(b, batch_.take(b.bytes()));
    line_.take(tile_line::size(2 * std::uint64_t{buckets_.jobs()}));
    is_idle_ = false;
    auto const samples = cuda::make_samples(facts_.keys(), facts_.size());
    using samples_type = std::decay_t<decltype(samples)>;
    using encoder = code_in_range<Kind, code>;
    auto const tiles = static_cast<std::uint32_t>(samples.tiles(b.codes_of_tile()));
    require(
        cudaMemsetAsync(memory.totals, 0, b.layout.total_bytes(), facts_.stream()),
        "cudaMemsetAsync of the totals");
    cuda::launch(
        "partition_codes", partition_codes<samples_type, encoder, std::uint32_t>,
        (std::min)(tiles, b.tile_blocks), b.layout.threads, b.tile_shared_bytes(), facts_.stream(),
        samples, encoder{{facts_.kind()}, lowest_}, b.layout,
        1u << (32 - buckets_.slices.bucket_log2), b.stride_of_tile(), memory, std::uint64_t{0},
        tiles, facts_.begin_findings());
    if (!at_once) {
      count(nowhere{});
    }
    return at_once || has_all();
  }
  std::uint64_t rows() const { return found_ + alone_; }
  /// Writes a row for each, unless they had no room. Returns how many there are.
  template <class Source, class Writer>
  std::uint64_t write(Source const& source, Writer const& writer) {
    count(writer);
    batch_.give_back();
    if (has_all()) {
      facts_.list_alone(alone_, alone_places_);
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
  /// Where distinct codes turn out to be more than was expected, slices are halved.
  template <class Writer>
  void count(Writer const& writer) {
    range_findings found = count_slices(writer);
    if (found.rows >= rows_are_lost && found.is_frequent == 0 && !is_halved_) {
      is_halved_ = true;
      found = buckets_.halve_slices(current_facts()) ? count_slices(writer) : found;
    }
    found_ = found.rows;
    alone_ = has_alone_keys<Kind, key> ? facts_.findings().alone : 0;
  }
  template <class Writer>
  range_findings count_slices(Writer const& writer) {
    code_buckets const& b = buckets_.codes;
    code_memory<std::uint32_t, no_value> const memory(b, batch_.data());
    tile_line const line = {line_.data()};
    require(
        cudaMemsetAsync(
            line.words, 0, tile_line::size(buckets_.jobs()) * sizeof *line.words, facts_.stream()),
        "cudaMemsetAsync of a line of slices");
    auto* const findings = static_cast<range_findings*>(loan_.box().letter);
    *findings = {};
    is_idle_ = false;
    cuda::launch(
        "count_ranges", count_ranges<code, Writer>, buckets_.jobs(), 1024,
        buckets_.slices.shared_bytes(), facts_.stream(), b.layout, b.stride_of_tile(), memory,
        buckets_.slices, lowest_, writer, line, findings);
    synchronize(facts_.stream());
    is_idle_ = true;
    return *findings;
  }

  facts& facts_;
  held_array<unsigned char, Policy> batch_;
  held_array<unsigned long long, Policy> line_;
  held_array<std::uint64_t, Policy> alone_places_;
  range_buckets buckets_ = {};
  code lowest_ = 0;
  std::uint64_t found_ = 0;  // rows
  std::uint64_t alone_ = 0;
  bool is_halved_ = false;
  mailbox_loan loan_;
  bool is_idle_ = true;  // no kernel may be writing to the mailbox
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
