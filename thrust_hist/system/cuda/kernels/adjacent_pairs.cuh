// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Pairs of keys and values that each lie side by side in memory: each thread gets four neighbours
/// at a time.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/frequent_bin.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/quads.cuh>
#include <thrust_hist/system/cuda/kernels/rule_finder.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether lanes of a warp part in a table, each for another while. They would stay apart to the
/// end of the kernel, and come to the table one by one; so they wait for each other before and
/// behind it.
template <class Table, class = void>
inline constexpr bool parts_lanes = false;
template <class Table>
inline constexpr bool parts_lanes<Table, std::enable_if_t<Table::parts_lanes>> = true;

/// Keys and values that each lie side by side in memory. `Keys`: a pointer, or zipped_pointers.
template <class Value, class Bin, class Keys, class V, class Bound>
class adjacent_pairs {
public:
  adjacent_pairs(Keys keys, V const* values, std::uint64_t n, Bound const& rule) noexcept
      : keys_(keys), values_(values), n_(n), rule_(rule) {
    std::uint64_t const head = quads_of_keys::head(keys);
    bool const together = head <= n && quads_of_keys::may_begin_at(keys + head) &&
                          quads_behind<V const*>::may_begin_at(values + head);
    head_ = together ? head : n;
    quads_ = (n - head_) / pairs_of_group;
  }

  template <class Table>
  __device__ void fold_into(Table& table, sharing const share) const {
    cuda::with_finder(
        rule_, share.of_rule, [&](auto const& finder) { fold_into(table, share, finder); });
  }
  /// The same for a table that is given pairs by whole warps: lanes without one give none.
  template <class Table>
  __device__ void fold_by_warps(Table& table, sharing const share) const {
    cuda::with_finder(
        rule_, share.of_rule, [&](auto const& finder) { fold_by_warps(table, share, finder); });
  }

  template <class Table>
  __device__ void visit(std::uint64_t i, Table& table) const {
    visit(i, table, rule_);
  }
  __device__ std::uint64_t size() const { return n_; }

private:
  using quads_of_keys = quads_behind<Keys>;
  static constexpr std::size_t pair_bytes = quads_of_keys::bytes + sizeof(V);
  /// In flight while those before are folded, where registers suffice.
  static constexpr unsigned loads = pair_bytes <= 8 ? 2 : 1;
  /// Of a warp, until it looks again whether a bin is frequent.
  static constexpr unsigned steps_of_look = 32;

  template <class Table, class Rule>
  __device__ void fold_into(Table& table, sharing const& share, Rule const& rule) const {
    fold_quads(table, share, rule);
    // What stands before the quads, and behind them.
    std::uint64_t const loose = n_ - quads_ * pairs_of_group;
    for (std::uint64_t j = share.thread; j - threadIdx.x % 32 < loose; j += share.threads) {
      if (j < loose) {
        visit(loose_pair(j), table, rule);
      }
      rejoin<Table>();
    }
  }
  template <class Table, class Rule>
  __device__ void fold_by_warps(Table& table, sharing const& share, Rule const& rule) const {
    unsigned const lane = threadIdx.x % 32;
    for (std::uint64_t i = share.thread; i - lane < quads_; i += share.threads) {
      bool const has = i < quads_;
      loaded_quads<1> now = {};
      if (has) {
        load(now, i, share.threads);
      }
      fold(table, now, rule, has);
    }
    std::uint64_t const loose = n_ - quads_ * pairs_of_group;
    for (std::uint64_t j = share.thread; j - lane < loose; j += share.threads) {
      bool const has = j < loose;
      std::uint64_t const i = has ? loose_pair(j) : 0;
      table.add_by_warp(
          cuda::candidate<Bin>(rule, keys_[i]), detail::convert<Value>(values_[i]), has);
    }
  }
  template <class Table, class Rule>
  __device__ void visit(std::uint64_t i, Table& table, Rule const& rule) const {
    table.add(cuda::candidate<Bin>(rule, keys_[i]), detail::convert<Value>(values_[i]));
  }

  /// All lanes of a warp go round equally often: `i + last` is the same for all of them.
  template <class Table, class Rule>
  __device__ void fold_quads(Table& table, sharing const& share, Rule const& rule) const {
    unsigned const lane = threadIdx.x % 32;
    std::uint64_t i = share.thread;
    std::uint64_t const last = (loads - 1) * share.threads + 31 - lane;  // of the warp
    if constexpr (pair_bytes < 16) {
      loaded_quads<loads> next;
      if (i + last < quads_) {
        load(next, i, share.threads);
      }
      auto const fold_until = [&](std::uint64_t end, auto&... kept) {
        while (i + last < end) {
          loaded_quads<loads> const now = next;
          i += loads * share.threads;
          if (i + last < quads_) {
            load(next, i, share.threads);
          }
          fold(table, now, rule, kept...);
          rejoin<Table>();
        }
      };
      if constexpr (keeps_frequent<Table>) {
        frequent_bin frequent;
        while (i + last < quads_) {
          std::uint64_t const steps = steps_of_look * loads * share.threads;
          std::uint64_t const end = min(quads_, i + last + steps);
          std::uint32_t const bin =
              table.lanes_meet()
                  ? frequent.among(cuda::candidate<Bin>(rule, next.keys[0].x[0]), table.bins())
                  : frequent_bin::none;
          if (bin != frequent_bin::none) {
            auto kept = cuda::keep(table.fold(), bin);
            fold_until(end, kept);
            table.add(bin, kept.folded);
          } else {
            fold_until(end);
          }
        }
      } else {
        fold_until(quads_);
      }
    }
    for (; i - lane < quads_; i += share.threads) {
      if (i < quads_) {
        loaded_quads<1> now;
        load(now, i, share.threads);
        fold(table, now, rule);
      }
      rejoin<Table>();
    }
  }
  template <class Table>
  __device__ static void rejoin() {
    if constexpr (parts_lanes<Table>) {
      __syncwarp();
    }
  }

  template <unsigned Count>
  struct loaded_quads {
    typename quads_of_keys::elements keys[Count];
    typename quad<V>::elements values[Count];
  };
  template <unsigned Count>
  __device__ void load(loaded_quads<Count>& to, std::uint64_t first, std::uint64_t stride) const {
#pragma unroll
    for (unsigned j = 0; j < Count; ++j) {
      std::uint64_t const at = head_ + (first + j * stride) * pairs_of_group;
      to.keys[j] = quads_of_keys::load(keys_ + at);
      to.values[j] = quad<V>::load(values_ + at);
    }
  }
  /// The j-th of the pairs that belong to no quad.
  __device__ std::uint64_t loose_pair(std::uint64_t j) const {
    return j < head_ ? j : j + quads_ * pairs_of_group;
  }
  /// `more`: nothing; for a table that is given pairs by whole warps, whether this lane has any; or
  /// a kept_bin.
  template <unsigned Count, class Table, class Rule, class... More>
  __device__ void fold(
      Table& table, loaded_quads<Count> const& loaded, Rule const& rule, More&&... more) const {
#pragma unroll
    for (unsigned j = 0; j < Count; ++j) {
      Bin bins[pairs_of_group];
      Value values[pairs_of_group];
#pragma unroll
      for (unsigned i = 0; i < pairs_of_group; ++i) {
        bins[i] = cuda::candidate<Bin>(rule, loaded.keys[j].x[i]);
        values[i] = detail::convert<Value>(loaded.values[j].x[i]);
      }
      table.add_four(bins, values, more...);
    }
  }

  Keys keys_;
  V const* values_;
  std::uint64_t n_;
  std::uint64_t head_;  // pairs before the first quad
  std::uint64_t quads_;
  Bound rule_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
