// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route hashed: values are folded in hash tables in shared memory,
/// where keys are found.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/code_kinds.cuh>
#include <thrust_hist/system/cuda/fold_partitioned.cuh>
#include <thrust_hist/system/cuda/kernels/code_states.cuh>
#include <thrust_hist/system/cuda/kernels/count_codes.cuh>
#include <thrust_hist/system/cuda/kernels/hot_codes.cuh>
#include <thrust_hist/system/cuda/kernels/hot_values.cuh>
#include <thrust_hist/system/cuda/kernels/partition_code_values.cuh>
#include <thrust_hist/system/cuda/kernels/placed_codes.cuh>
#include <thrust_hist/system/cuda/kernels/probe_values.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/kernels/slot_states.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/letter_to_come.cuh>
#include <thrust_hist/system/cuda/sparse_hashed.cuh>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

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

/// A look at some values: where the windows of slots lie, and whether most values fit them. Slots
/// without windows hold any.
template <class Policy, class Source, class Fold>
class slot_windows {
public:
  using slots = typename slots_of_fold<Fold>::type;
  static constexpr bool are_needed = std::is_same_v<slots, slot_window<Fold>>;
  /// Of so many inputs they are looked at behind the keys, before anybody knows whether these are
  /// hashed: the host hears of keys meanwhile.
  static constexpr std::uint64_t worth_looking = std::uint64_t{1} << 24;

  slot_windows(call_memory<Policy>& memory, Source const& source)
      : memory_(memory), source_(source), found_(memory) {}

  bool is_worth_looking(bool is_capped) const noexcept {
    return are_needed && source_.n >= worth_looking && !is_capped;
  }
  /// Sends the look off.
  void look() {
    if constexpr (are_needed) {
      using value = typename Fold::value;
      auto const column = cuda::make_column(source_.values, source_.n);
      using probed = probed_values<std::remove_const_t<decltype(column)>, value>;
      answer_.emplace(memory_.stream());
      cuda::launch(
          "probe_values", probe_values<value, probed>, 1, probe_threads, 0, memory_.stream(),
          probed{column, source_.n}, 8u, 1u, true, found_.take(1), cleared_words{});
      answer_->send(found_.data());
    }
  }
  /// Waits for it, and looks if nobody has.
  bool fit() {
    if constexpr (are_needed) {
      if (!fit_.has_value()) {
        if (!answer_.has_value()) {
          look();
        }
        fit_ = answer_->get().wide == 0;
        answer_.reset();
      }
      return *fit_;
    } else {
      return true;
    }
  }
  window_facts const* data() const noexcept { return found_.data(); }

private:
  call_memory<Policy>& memory_;
  Source const& source_;
  held_array<window_facts, Policy> found_;
  std::optional<letter_to_come<window_facts>> answer_;
  std::optional<bool> fit_;
};

template <class Policy, class Source, class Kind, class Fold>
class hashed_values {
public:
  using windows = slot_windows<Policy, Source, Fold>;
  using code = typename Kind::code;
  using keys = std::decay_t<decltype(std::declval<Source>().first)>;
  using values = std::decay_t<decltype(std::declval<Source>().values)>;
  using facts = key_facts<Policy, keys, Kind>;
  using value = typename Fold::value;
  using slots = typename slots_of_fold<Fold>::type;
  using table = code_states<code, slots>;

  /// With windows for values of which most fit them.
  hashed_values(facts& f, Source const& source, Fold const& fold, windows const& w)
      : facts_(f), source_(source), fold_(fold), windows_(w), rows_(f), states_(f.memory()) {}

  /// By a plan. Returns false where there was no room for all rows.
  bool run(sparse_plan const& plan) {
    typename table::rows const rows = {
        rows_.take(plan, sizeof(typename Fold::state)), states_.take(plan.room)};
    held_array<unsigned char, Policy> batch(facts_.memory());
    if (plan.direct) {
      fold_as_they_come(plan, rows);
    } else {
      fold_buckets(plan, batch, rows);
    }
    if (!rows_.sort(plan.room, batch)) {
      states_.give_back();
      return false;
    }
    return true;
  }
  std::uint64_t rows() const { return rows_.distinct(); }

  template <class Writer>
  std::uint64_t write(Source const& source, Writer const& writer) const {
    using states = states_of_rows<typename Fold::state>;
    return rows_.write(source, states{states_.data(), rows_.beside()}, writer);
  }

private:
  using encoder = mixed_code<Kind, code>;
  using keys_column = decltype(cuda::make_column(std::declval<keys const&>(), std::uint64_t{}));
  using values_column = decltype(cuda::make_column(std::declval<values const&>(), std::uint64_t{}));
  using carried = converted_values<values_column, value>;

  /// Of tables to which so many codes come.
  typename table::description describe(unsigned slots_log2, std::uint64_t codes) const {
    std::uint32_t const most_astray = code_buckets::most_astray(slots_log2, codes);
    if constexpr (windows::are_needed) {
      return {slots_log2, {windows_.data()}, most_astray};
    } else {
      return {slots_log2, {fold_}, most_astray};
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
        1024, plan.shared_bytes, facts_.stream(), keys_of_input(), encoder{{facts_.kind()}},
        values_of_input(), describe(plan.slots_log2, facts_.size() / blocks),
        static_cast<std::uint32_t>(tiles), rows);
  }

  void fold_buckets(
      sparse_plan const& plan, held_array<unsigned char, Policy>& batch,
      typename table::rows const& rows) {
    if (plan.hot == 0) {
      fold_buckets(plan, batch, rows, none_folded{});
      return;
    }
    hot_codes<code> const hot = {facts_.hot(), nullptr, facts_.seen().hot.at_begin, plan.hot};
    using folded = typename hot_values<code, slots>::description;
    fold_buckets(plan, batch, rows, folded{hot, describe(plan.slots_log2, 0).states, rows});
  }
  template <class Hot>
  void fold_buckets(
      sparse_plan const& plan, held_array<unsigned char, Policy>& batch,
      typename table::rows const& rows, Hot const& hot) {
    code_buckets const& b = plan.buckets;
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
          "partition_code_values", partition_code_values<keys_column, encoder, carried, code, Hot>,
          (std::min)(tiles, b.tile_blocks), b.layout.threads, plan.tile_shared_bytes(),
          facts_.stream(), keys_of_input(), encoder{{facts_.kind()}}, values_of_input(), b.layout,
          b.layout.buckets, b.stride_of_tile(), memory, done, tiles, rows.rows.findings, hot,
          plan.hot_offset());
      cuda::launch(
          "count_codes", count_codes<code, table>, current_facts().multiprocessors, 1024,
          b.count_shared_bytes(), facts_.stream(), b.layout, b.stride_of_tile(), memory,
          describe(b.slots_log2, n / b.layout.tables()), rows);
    }
  }

  facts& facts_;
  Source const& source_;
  Fold const& fold_;
  windows const& windows_;
  hashed_rows<Policy, keys, Kind> rows_;
  held_array<typename Fold::state, Policy> states_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
