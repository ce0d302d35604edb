// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Reading pairs: each thread gets its share; those that lie side by side in memory see
/// adjacent_pairs.cuh.
///
/// An input calls `table.add(bin, value)` for a pair and `table.add_four(bins, values)` for four
/// that are neighbours; bins are candidates, and values of the type that is folded. Inputs that
/// have as many pairs as elements can also give them by whole warps.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/adjacent_pairs.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What a bound source visits, with the values converted.
template <class Value, class Table>
struct table_sink {
  Table& table;
  template <class Bin, class V>
  __device__ void operator()(Bin bin, V const& value) const {
    table.add(bin, detail::convert<Value>(value));
  }
};

/// The same for a table that is given pairs by whole warps.
template <class Value, class Table>
struct warp_sink {
  Table& table;
  bool has;
  template <class Bin, class V>
  __device__ void operator()(Bin bin, V const& value) const {
    table.add_by_warp(bin, detail::convert<Value>(value), has);
  }
};

/// A pair for later.
template <class Value, class Bin>
struct last_pair {
  Bin bin;
  alignas(Value) unsigned char bytes[sizeof(Value)];

  __device__ Value const& value() const { return *reinterpret_cast<Value const*>(bytes); }
};
template <class Value, class Bin>
struct keeping_sink {
  last_pair<Value, Bin>* last;
  template <class V>
  __device__ void operator()(Bin bin, V const& value) const {
    last->bin = bin;
    ::new (static_cast<void*>(last->bytes)) Value(detail::convert<Value>(value));
  }
};

/// Keys with values, behind any iterators.
template <class Value, class Bound>
class visited_pairs {
public:
  visited_pairs(Bound const& pairs, std::uint64_t first, std::uint64_t n)
      : pairs_(pairs), first_(first), n_(n) {}

  template <class Table>
  __device__ void fold_into(Table& table, sharing const share) const {
    if constexpr (parts_lanes<Table>) {
      for (std::uint64_t i = share.thread; i - threadIdx.x % 32 < n_; i += share.threads) {
        last_pair<Value, bin> last = {};
        if (i < n_) {
          pairs_.visit(first_ + i, keeping_sink<Value, bin>{&last});
        }
        __syncwarp();
        if (i < n_) {
          table.add(last.bin, last.value());
        }
        __syncwarp();
      }
    } else {
      std::uint64_t i = share.thread;
      for (; i + (at_once - 1) * share.threads < n_; i += at_once * share.threads) {
        add_some(i, share.threads, table);
      }
      for (; i < n_; i += share.threads) {
        visit(i, table);
      }
    }
  }
  /// The same for a table that is given pairs by whole warps.
  template <class Table>
  __device__ void fold_by_warps(Table& table, sharing const share) const {
    for (std::uint64_t i = share.thread; i - threadIdx.x % 32 < n_; i += share.threads) {
      bool const has = i < n_;
      pairs_.visit(first_ + (has ? i : 0), warp_sink<Value, Table>{table, has});
    }
  }
  template <class Table>
  __device__ void visit(std::uint64_t i, Table& table) const {
    pairs_.visit(first_ + i, table_sink<Value, Table>{table});
  }
  __device__ std::uint64_t size() const { return n_; }

private:
  using bin = typename Bound::candidate_type;
  static constexpr unsigned at_once = sizeof(Value) <= 8 ? 4 : sizeof(Value) <= 16 ? 2 : 1;

  /// All are read before the first is folded.
  template <class Table>
  __device__ void add_some(std::uint64_t i, std::uint64_t step, Table& table) const {
    last_pair<Value, bin> read[at_once];
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      pairs_.visit(first_ + i + j * step, keeping_sink<Value, bin>{&read[j]});
    }
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      table.add(read[j].bin, read[j].value());
    }
  }

  Bound pairs_;
  std::uint64_t first_;
  std::uint64_t n_;
};

/// Samples that lie in memory, and what a function of the user makes of each.
template <class Value, class Samples, class Bound>
class emitted_samples {
public:
  static constexpr bool emits = true;

  emitted_samples(Samples const& samples, Bound const& pairs, std::uint64_t n)
      : samples_(samples), pairs_(pairs), n_(n) {}

  template <class Table>
  __device__ void fold_into(Table& table, sharing const share) const {
    samples_.for_each(
        share, [&](auto const& x) { pairs_.visit_sample(x, table_sink<Value, Table>{table}); },
        [] {});
  }
  template <class Table>
  __device__ void visit(std::uint64_t i, Table& table) const {
    pairs_.visit(i, table_sink<Value, Table>{table});
  }
  __device__ std::uint64_t size() const { return n_; }

  /// Tiles of neighbours, for blocks of so many threads, and those of [first, last) to a table.
  std::uint64_t tiles(unsigned threads) const noexcept {
    return samples_.tiles(threads * of_thread);
  }
  template <class Table>
  __device__ void fold_tiles(Table& table, std::uint64_t first, std::uint64_t last) const {
    for (std::uint64_t tile = first; tile < last; ++tile) {
      samples_.template for_tile<of_thread>(tile, [&](unsigned, auto const& x) {
        pairs_.visit_sample(x, table_sink<Value, Table>{table});
      });
    }
  }

private:
  /// What is loaded at once, at least.
  static constexpr unsigned of_thread = sizeof(typename Samples::sample) >= 4   ? 4
                                        : sizeof(typename Samples::sample) >= 2 ? 8
                                                                                : 16;

  Samples samples_;
  Bound pairs_;
  std::uint64_t n_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
