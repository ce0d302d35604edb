// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route hashed: keys are counted in hash tables in shared memory. What
/// blocks leave for a key is added up when the rows are sorted.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/code_arrays.cuh>
#include <thrust_hist/system/cuda/fold_sorted.cuh>
#include <thrust_hist/system/cuda/high_bits.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/count_codes.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/partition_codes.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Rows that hash tables have left, in the order of their codes; several may have one code.
template <class Policy, class Keys, class Kind>
class hashed_rows {
public:
  using code = typename Kind::code;
  using facts = key_facts<Policy, Keys, Kind>;

  explicit hashed_rows(facts& f)
      : facts_(f), pairs_(f.memory(), f.kind()), alone_places_(f.memory()) {}

  /// By a plan, with memory for states of so many bytes that the caller takes.
  code_rows<code> take(sparse_plan const& plan, std::size_t state_bytes) {
    std::uint64_t const room = plan.room;
    facts_.memory().reserve(
        room * sizeof(code), room * sizeof(std::uint32_t), room * state_bytes,
        plan.direct ? 0 : plan.buckets.bytes(), bytes_kept);
    pairs_.take(room);
    return {pairs_.codes(), pairs_.beside(), facts_.begin_findings(), room};
  }
  /// Sorts what kernels have written. Returns false where there was no room for all of it.
  bool sort(std::uint64_t room, held_array<unsigned char, Policy>& batch) {
    sparse_findings const found = facts_.findings();
    batch.give_back();
    if (found.rows > room) {
      pairs_.give_back();
      return false;
    }
    size_ = found.rows;
    alone_ = found.alone;
    // As much as the plan has for CUB's other arrays.
    if (!pairs_.sort_by_buckets(size_, room * (sizeof(code) + sizeof(std::uint32_t)))) {
      pairs_.sort(size_, found.ones & found.zeros, high_bits<facts>{facts_, false});
    }
    facts_.list_alone(alone_, {alone_places_.take(alone_), false});
    return true;
  }

  /// The code of each row, and what lies beside it.
  code const* codes() const { return pairs_.codes(); }
  std::uint32_t const* beside() const { return pairs_.beside(); }
  std::uint64_t size() const { return size_; }
  /// With those of keys that equal no other one, each distinct code once.
  std::uint64_t distinct() const {
    return marked_places<Policy>(facts_.memory()).count(begins(), size_) + alone_;
  }
  std::uint64_t alone() const { return alone_; }
  std::uint64_t const* alone_places() const { return alone_places_.data(); }

  /// Returns how many distinct ones there are.
  template <class Source, class States, class Writer>
  std::uint64_t write(Source const& source, States const& states, Writer const& writer) const {
    std::uint64_t const runs = cuda::fold_sorted(facts_.memory(), begins(), size_, states, writer);
    cuda::write_alone_rows(
        facts_, source, place_list{alone_places_.data(), false}, alone_, runs, writer);
    return runs + alone_;
  }

private:
  run_begins<Kind> begins() const { return {facts_.kind(), pairs_.codes()}; }

  facts& facts_;
  code_arrays<Policy, Kind, std::uint32_t> pairs_;
  held_array<std::uint64_t, Policy> alone_places_;
  std::uint64_t size_ = 0;
  std::uint64_t alone_ = 0;
};

/// Counts keys.
template <class Policy, class Keys, class Kind>
class hashed_counts {
public:
  using code = typename Kind::code;
  using facts = key_facts<Policy, Keys, Kind>;

  explicit hashed_counts(facts& f) : facts_(f), rows_(f), hot_counts_(f.memory()) {}

  /// By a plan. Returns false where there was no room for all rows.
  bool run(sparse_plan const& plan) {
    code_rows<code> const rows = rows_.take(plan, 0);
    held_array<unsigned char, Policy> batch(facts_.memory());
    auto const samples = cuda::make_samples(facts_.keys(), facts_.size());
    if (plan.direct) {
      count_as_they_come(plan, samples, rows);
    } else {
      count_buckets(plan, batch, samples, rows);
    }
    return rows_.sort(plan.room, batch);
  }
  /// With one for each of several tables that have seen a key.
  hashed_rows<Policy, Keys, Kind> const& found() const { return rows_; }
  std::uint64_t rows() const { return rows_.distinct(); }

  template <class Source, class Writer>
  std::uint64_t write(Source const& source, Writer const& writer) const {
    return rows_.write(source, counted_states{rows_.beside()}, writer);
  }

private:
  using encoder = mixed_code<Kind, code>;

  template <class Samples>
  void count_as_they_come(
      sparse_plan const& plan, Samples const& samples, code_rows<code> const& rows) {
    std::uint64_t const tiles = samples.tiles(keys_of_thread * 1024);
    auto const blocks =
        static_cast<unsigned>(std::clamp<std::uint64_t>(tiles, 1, current_facts().multiprocessors));
    cuda::launch(
        "count_keys_by_hash", count_keys_by_hash<Samples, encoder, code>, blocks, 1024,
        plan.shared_bytes, facts_.stream(), samples, encoder{{facts_.kind()}},
        typename code_table<code>::description{
            plan.slots_log2, code_buckets::most_astray(plan.slots_log2, facts_.size() / blocks)},
        tiles, rows);
  }

  template <class Samples>
  void count_buckets(
      sparse_plan const& plan, held_array<unsigned char, Policy>& batch, Samples const& samples,
      code_rows<code> const& rows) {
    if (plan.hot == 0) {
      count_buckets(plan, batch, samples, rows, none_hot{});
      return;
    }
    constexpr std::uint32_t most = 2 * hot_sample::half;
    hot_codes<code> const hot = {
        facts_.hot(), hot_counts_.take(most), facts_.seen().hot.at_begin, plan.hot};
    require(
        cudaMemsetAsync(hot.counts, 0, sizeof(std::uint32_t) * most, facts_.stream()),
        "cudaMemsetAsync of hot counts");
    count_buckets(plan, batch, samples, rows, hot);
  }
  template <class Samples, class Hot>
  void count_buckets(
      sparse_plan const& plan, held_array<unsigned char, Policy>& batch, Samples const& samples,
      code_rows<code> const& rows, Hot const& hot) {
    code_buckets const& b = plan.buckets;
    code_memory<code, no_value> const memory(b, batch.take(b.bytes()));
    std::uint64_t const all_tiles = samples.tiles(b.codes_of_tile());
    for (std::uint64_t done = 0; done < all_tiles; done += b.layout.tiles) {
      auto const tiles =
          static_cast<std::uint32_t>((std::min<std::uint64_t>)(b.layout.tiles, all_tiles - done));
      require(
          cudaMemsetAsync(memory.totals, 0, b.layout.total_bytes(), facts_.stream()),
          "cudaMemsetAsync of the totals");
      cuda::launch(
          "partition_codes", partition_codes<Samples, encoder, code, Hot>,
          (std::min)(tiles, b.tile_blocks), b.layout.threads, plan.tile_shared_bytes(),
          facts_.stream(), samples, encoder{{facts_.kind()}}, b.layout, b.layout.buckets,
          b.stride_of_tile(), memory, done, tiles, rows.findings, hot, plan.hot_offset());
      cuda::launch(
          "count_codes", count_codes<code, code_table<code>>, current_facts().multiprocessors, 1024,
          b.count_shared_bytes(), facts_.stream(), b.layout, b.stride_of_tile(), memory,
          typename code_table<code>::description{
              b.slots_log2,
              code_buckets::most_astray(
                  b.slots_log2, std::uint64_t{tiles} * b.codes_of_tile() / b.layout.tables())},
          rows);
      if constexpr (!std::is_same_v<Hot, none_hot>) {
        cuda::launch(
            "append_hot", append_hot<code>, 1, 2 * hot_sample::half, 0, facts_.stream(), hot, rows);
      }
    }
  }

  facts& facts_;
  hashed_rows<Policy, Keys, Kind> rows_;
  held_array<std::uint32_t, Policy> hot_counts_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
