// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Pairs of keys and values that each lie side by side in memory: each thread gets four neighbours
/// at a time.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/fold.h>
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
  /// Whether some of it is left to whoever comes first, if so many threads share it out.
  THRUST_HIST_HOST_DEVICE bool deals(std::uint64_t threads) const noexcept {
    return rounds(threads) >= rounds_worth_dealing;
  }

private:
  using quads_of_keys = quads_behind<Keys>;
  static constexpr std::size_t pair_bytes = quads_of_keys::bytes + sizeof(V);
  /// In flight while those before are folded, where registers suffice.
  static constexpr unsigned loads = pair_bytes <= 8 ? 2 : 1;

  template <class Table, class Rule>
  __device__ void fold_into(Table& table, sharing const& share, Rule const& rule) const {
    quad_stretch mine = {share.thread, quads_to_share_out(share), share.threads};
    std::uint64_t const first_dealt = mine.end;
    do {
      fold_stretch(table, mine, rule);
    } while (first_dealt < quads_ && is_dealt(mine, first_dealt, share.dealt));
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

  /// Quads `first`, `first + step` ... below `end`.
  struct quad_stretch {
    std::uint64_t first;
    std::uint64_t end;
    std::uint64_t step;
  };
  /// Of each thread; of less, nothing is dealt out.
  static constexpr unsigned rounds_worth_dealing = 48;
  THRUST_HIST_HOST_DEVICE std::uint64_t rounds(std::uint64_t threads) const noexcept {
    return quads_ / (loads * threads);
  }
  __device__ std::uint64_t quads_to_share_out(sharing const& share) const {
    std::uint64_t const all = rounds(share.threads);
    return share.dealt != nullptr && deals(share.threads)
               ? (all - all / dealt_part) * loads * share.threads
               : quads_;
  }
  /// Gets the next piece for this warp, whose lanes call it together, if there is one.
  __device__ bool is_dealt(quad_stretch& to, std::uint64_t first_dealt, unsigned* dealt) const {
    constexpr unsigned piece = 128 * loads;
    unsigned const lane = threadIdx.x % 32;
    unsigned const ticket = __shfl_sync(~0u, lane == 0 ? atomicAdd(dealt, 1u) : 0, 0);
    std::uint64_t const first = first_dealt + std::uint64_t{ticket} * piece;
    to = {first + lane, min(first + piece, quads_), 32};
    return first < quads_;
  }
  /// All lanes of a warp go round equally often.
  template <class Table, class Rule>
  __device__ void fold_stretch(Table& table, quad_stretch const& of, Rule const& rule) const {
    unsigned const lane = threadIdx.x % 32;
    std::uint64_t i = of.first;
    std::uint64_t const last = (loads - 1) * of.step + 31 - lane;  // of the warp
    if constexpr (pair_bytes < 16) {
      loaded_quads<loads> next;
      if (i + last < of.end) {
        load(next, i, of.step);
      }
      while (i + last < of.end) {
        loaded_quads<loads> const now = next;
        i += loads * of.step;
        if (i + last < of.end) {
          load(next, i, of.step);
        }
        fold(table, now, rule);
        rejoin<Table>();
      }
    }
    for (; i - lane < of.end; i += of.step) {
      if (i < of.end) {
        loaded_quads<1> now;
        load(now, i, of.step);
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
  /// `has...`: nothing, or for a table that is given pairs by whole warps, whether this lane has
  /// any.
  template <unsigned Count, class Table, class Rule, class... Has>
  __device__ void fold(
      Table& table, loaded_quads<Count> const& loaded, Rule const& rule, Has... has) const {
#pragma unroll
    for (unsigned j = 0; j < Count; ++j) {
      Bin bins[pairs_of_group];
      Value values[pairs_of_group];
#pragma unroll
      for (unsigned i = 0; i < pairs_of_group; ++i) {
        bins[i] = cuda::candidate<Bin>(rule, loaded.keys[j].x[i]);
        values[i] = detail::convert<Value>(loaded.values[j].x[i]);
      }
      table.add_four(bins, values, has...);
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
