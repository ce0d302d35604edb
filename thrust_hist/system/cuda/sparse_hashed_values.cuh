// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The values of a sparse histogram on CUDA that are folded in the slots of hash tables, where keys are found. What
/// blocks leave for a key is folded when the rows are sorted.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/fold_partitioned.cuh>
#include <thrust_hist/system/cuda/kernels/code_states.cuh>
#include <thrust_hist/system/cuda/kernels/count_codes.cuh>
#include <thrust_hist/system/cuda/kernels/folded_runs.cuh>
#include <thrust_hist/system/cuda/kernels/partition_codes.cuh>
#include <thrust_hist/system/cuda/kernels/probe_values.cuh>
#include <thrust_hist/system/cuda/kernels/slot_states.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/sorting.cuh>
#include <thrust_hist/system/cuda/sparse_plan.h>
#include <thrust_hist/system/cuda/sparse_runs.cuh>
#include <thrust_hist/system/cuda/sparse_sorted_values.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether values are folded in slots.
template <class Fold, class Kind>
inline constexpr bool folds_in_slots =
    is_hashed_kind<Kind> && !std::is_void_v<typename slots_of_fold<Fold>::type>;

/// Values as probe_values() looks at them.
template <class Column, class Value>
struct probed_values {
  Column column;
  std::uint64_t n;

  __device__ std::uint64_t size() const { return n; }
  template <class Table>
  __device__ void visit(std::uint64_t i, Table& table) const {
    table.add(0, detail::convert<Value>(column.at(i)));
  }
};

template <class Policy, class Source, class Kind, class Fold>
class value_hasher {
public:
  using code = typename Kind::code;
  using keys = std::decay_t<decltype(std::declval<Source>().first)>;
  using values = std::decay_t<decltype(std::declval<Source>().values)>;
  using facts = key_facts<Policy, keys, Kind>;
  using value = typename Fold::value;
  using slots = typename slots_of_fold<Fold>::type;
  using table = code_states<code, slots>;

  value_hasher(facts& f, Source const& source, Fold const& fold)
      : facts_(f), source_(source), fold_(fold), window_(f.policy()), pairs_(f.policy(), f.kind()),
        states_(f.policy()), begins_(f.policy()), alone_places_(f.policy()) {}

  /// Looks at some values. Returns whether most of them fit slots.
  bool fit_slots() {
    if constexpr (sums_reals) {
      using probed = probed_values<values_column, value>;
      probed const input = {cuda::make_column(source_.values, facts_.size()), facts_.size()};
      cuda::launch(
          "probe_values", probe_values<value, probed>, 1, probe_threads, 0, facts_.stream(), input,
          8u, 1u, true, window_.take(1));
      return copy_to_host(cuda_system{}, facts_.policy(), window_.data(), 1)[0].wide == 0;
    } else {
      return true;
    }
  }

  /// Finds the rows by the route of a plan. Returns false where there was no room for all of them.
  bool run(sparse_plan const& plan) {
    pairs_.take(plan.room);
    typename table::rows const rows = {
        {pairs_.codes(), pairs_.beside(), facts_.begin_findings(), plan.room},
        states_.take(plan.room)};
    held_array<unsigned char, Policy> batch(facts_.policy());
    if (plan.direct) {
      fold_as_they_come(plan, rows);
    } else {
      fold_buckets_of_codes(plan.buckets, batch, rows);
    }
    sparse_findings const found = facts_.findings();
    if (found.rows > plan.room) {
      pairs_.give_back();
      states_.give_back();
      return false;
    }
    batch.give_back();
    size_ = found.rows;
    alone_ = found.alone;
    pairs_.sort(size_, ~std::uint64_t{}, facts_.stream(), facts_.by_high_bits());
    runs_ = begins_.count(begins(), size_);
    facts_.list_alone(alone_, alone_places_);
    return true;
  }
  std::uint64_t rows() const { return runs_ + alone_; }

  template <class KeysOut, class ValuesOut>
  void write(KeysOut keys_out, ValuesOut values_out) {
    using state = typename Fold::state;
    row_writer<Kind, value_t<keys>, Fold, KeysOut, ValuesOut> const writer = {
        fold_, keys_out, values_out};
    states_of_rows<state> const states = {states_.data(), pairs_.beside()};
    cuda::fold_sorted(facts_.policy(), begins(), size_, begins_.before(), states, writer);
    cuda::write_alone_rows(facts_, source_, alone_places_.data(), alone_, runs_, writer);
  }

private:
  static constexpr bool sums_reals = std::is_same_v<slots, slot_window<Fold>>;
  using encoder = wide_code<Kind, code>;
  using keys_column = decltype(cuda::make_column(std::declval<keys const&>(), std::uint64_t{}));
  using values_column = decltype(cuda::make_column(std::declval<values const&>(), std::uint64_t{}));
  using carried = converted_values<values_column, value>;

  typename table::description describe(unsigned slots_log2) const {
    if constexpr (sums_reals) {
      return {slots_log2, {window_.data()}};
    } else {
      return {slots_log2, {fold_}};
    }
  }
  keys_column keys_of_input() const { return cuda::make_column(source_.first, facts_.size()); }
  carried values_of_input() const { return {cuda::make_column(source_.values, facts_.size())}; }

  void fold_as_they_come(sparse_plan const& plan, typename table::rows const& rows) {
    std::uint64_t const tiles = (facts_.size() + fold_tile - 1) / fold_tile;
    auto const blocks =
        static_cast<unsigned>(std::clamp<std::uint64_t>(tiles, 1, current_facts().multiprocessors));
    cuda::launch(
        "fold_keys_by_hash", fold_keys_by_hash<keys_column, encoder, carried, code, table>, blocks,
        1024, plan.direct_bytes, facts_.stream(), keys_of_input(), encoder{facts_.kind()},
        values_of_input(), describe(plan.slots_log2), static_cast<std::uint32_t>(tiles), rows);
  }

  void fold_buckets_of_codes(
      code_buckets const& b, held_array<unsigned char, Policy>& batch,
      typename table::rows const& rows) {
    code_memory<code, value> const memory(b, batch.take(b.bytes()));
    std::uint64_t const of_batch = std::uint64_t{b.layout.tiles} * b.codes_of_tile();
    for (std::uint64_t done = 0; done < facts_.size(); done += of_batch) {
      std::uint64_t const n = (std::min)(of_batch, facts_.size() - done);
      auto const tiles =
          static_cast<std::uint32_t>((n + b.codes_of_tile() - 1) / b.codes_of_tile());
      require(
          cudaMemsetAsync(memory.totals, 0, b.layout.total_bytes(), facts_.stream()),
          "cudaMemsetAsync of the totals");
      cuda::launch(
          "partition_code_values", partition_code_values<keys_column, encoder, carried, code>,
          (std::min)(tiles, b.tile_blocks), b.layout.threads, b.tile_shared_bytes(),
          facts_.stream(), keys_of_input(), encoder{facts_.kind()}, values_of_input(), b.layout,
          memory, done, tiles, rows.rows.findings);
      cuda::launch(
          "count_codes", count_codes<code, table>, current_facts().multiprocessors, 1024,
          b.count_shared_bytes(), facts_.stream(), b.layout, b.codes_of_tile(), memory,
          describe(b.slots_log2), rows);
    }
  }
  run_begins<Kind> begins() const { return {facts_.kind(), pairs_.codes()}; }

  facts& facts_;
  Source const& source_;
  Fold const& fold_;
  held_array<window_facts, Policy> window_;
  code_arrays<Policy, Kind, std::uint32_t> pairs_;  // codes and numbers of rows
  held_array<typename Fold::state, Policy> states_;
  marked_places<Policy> begins_;
  held_array<std::uint64_t, Policy> alone_places_;
  std::uint64_t size_ = 0;  // rows, of which several may have one key
  std::uint64_t runs_ = 0;
  std::uint64_t alone_ = 0;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
