// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Reading pairs: each thread gets its share, four neighbours at a time where keys and values lie side by
/// side in memory.
///
/// An input calls `table.add(bin, value)` for a pair and `table.add_four(bins, values)` for four that are
/// neighbours; bins are candidates, and values of the type that is folded.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

inline constexpr unsigned pairs_of_group = 4;

/// Four neighbours, loaded by as few instructions as there can be.
template <class T>
struct quad {
  static constexpr std::size_t bytes = pairs_of_group * sizeof(T);
  static constexpr std::size_t alignment = bytes < 16 ? bytes : 16;
  using word = std::conditional_t<
      (bytes >= 16), uint4,
      std::conditional_t<bytes == 8, uint2, std::conditional_t<bytes == 4, unsigned, void>>>;
  static constexpr unsigned words = bytes / alignment;
  struct elements {
    T x[pairs_of_group];
  };

  __device__ static elements load(T const* from) {
    struct {
      word w[words];
    } loaded;
#pragma unroll
    for (unsigned i = 0; i < words; ++i) {
      loaded.w[i] = __ldcs(reinterpret_cast<word const*>(from) + i);
    }
    return detail::bit_cast<elements>(loaded);
  }
};

/// Keys and values that each lie side by side in memory.
template <class Value, class Bin, class K, class V, class Bound>
class adjacent_pairs {
public:
  adjacent_pairs(K const* keys, V const* values, std::uint64_t n, Bound const& rule) noexcept
      : keys_(keys), values_(values), n_(n), rule_(rule) {
    constexpr std::size_t alignment = quad<K>::alignment;
    auto const misaligned = reinterpret_cast<std::uintptr_t>(keys) % alignment;
    std::uint64_t const head = (alignment - misaligned) % alignment / sizeof(K);
    bool const apart = reinterpret_cast<std::uintptr_t>(values + head) % quad<V>::alignment != 0;
    head_ = apart || head > n ? n : head;
    quads_ = (n - head_) / pairs_of_group;
  }

  template <class Table>
  __device__ void fold_into(Table& table) const {
    sharing const share = among_grid();
    constexpr unsigned loads = sizeof(Value) <= 8 ? 2 : 1;
    std::uint64_t i = share.thread;
    for (; i + (loads - 1) * share.threads < quads_; i += loads * share.threads) {
      typename quad<K>::elements k[loads];
      typename quad<V>::elements v[loads];
#pragma unroll
      for (unsigned j = 0; j < loads; ++j) {
        std::uint64_t const at = head_ + (i + j * share.threads) * pairs_of_group;
        k[j] = quad<K>::load(keys_ + at);
        v[j] = quad<V>::load(values_ + at);
      }
#pragma unroll
      for (unsigned j = 0; j < loads; ++j) {
        fold_four(table, k[j], v[j]);
      }
    }
    if (i < quads_) {
      std::uint64_t const at = head_ + i * pairs_of_group;
      fold_four(table, quad<K>::load(keys_ + at), quad<V>::load(values_ + at));
    }
    // What stands before the quads, and behind them.
    std::uint64_t const behind = head_ + quads_ * pairs_of_group;
    std::uint64_t const loose = n_ - quads_ * pairs_of_group;
    for (std::uint64_t j = share.thread; j < loose; j += share.threads) {
      visit(j < head_ ? j : behind + (j - head_), table);
    }
  }

  template <class Table>
  __device__ void visit(std::uint64_t i, Table& table) const {
    table.add(bin_of(keys_[i]), detail::convert<Value>(values_[i]));
  }
  __device__ std::uint64_t size() const {
    return n_;
  }

private:
  __device__ Bin bin_of(K const& key) const {
    return detail::candidate<Bin>(rule_, key);
  }
  template <class Table>
  __device__ void fold_four(
      Table& table, typename quad<K>::elements const& k,
      typename quad<V>::elements const& v) const {
    Bin bins[pairs_of_group];
    Value values[pairs_of_group];
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      bins[i] = bin_of(k.x[i]);
      values[i] = detail::convert<Value>(v.x[i]);
    }
    table.add_four(bins, values);
  }

  K const* keys_;
  V const* values_;
  std::uint64_t n_;
  std::uint64_t head_;  // pairs before the first quad
  std::uint64_t quads_;
  Bound rule_;
};

/// What a bound source visits, with the values converted.
template <class Value, class Table>
struct table_sink {
  Table& table;
  template <class Bin, class V>
  __device__ void operator()(Bin bin, V const& value) const {
    table.add(bin, detail::convert<Value>(value));
  }
};

/// Any source of pairs, input by input.
template <class Value, class Bound>
class visited_pairs {
public:
  visited_pairs(Bound const& pairs, std::uint64_t first, std::uint64_t n)
      : pairs_(pairs), first_(first), n_(n) {}

  template <class Table>
  __device__ void fold_into(Table& table) const {
    sharing const share = among_grid();
    for (std::uint64_t i = share.thread; i < n_; i += share.threads) {
      visit(i, table);
    }
  }
  template <class Table>
  __device__ void visit(std::uint64_t i, Table& table) const {
    pairs_.visit(first_ + i, table_sink<Value, Table>{table});
  }
  __device__ std::uint64_t size() const { return n_; }

private:
  Bound pairs_;
  std::uint64_t first_;
  std::uint64_t n_;
};

/// Samples that lie in memory, and what a function of the user makes of each.
template <class Value, class Samples, class Bound>
class emitted_samples {
public:
  emitted_samples(Samples const& samples, Bound const& pairs, std::uint64_t n)
      : samples_(samples), pairs_(pairs), n_(n) {}

  template <class Table>
  __device__ void fold_into(Table& table) const {
    samples_.for_each(
        among_grid(),
        [&](auto const& x) { pairs_.visit_sample(x, table_sink<Value, Table>{table}); }, [] {});
  }
  template <class Table>
  __device__ void visit(std::uint64_t i, Table& table) const {
    pairs_.visit(i, table_sink<Value, Table>{table});
  }
  __device__ std::uint64_t size() const { return n_; }

private:
  Samples samples_;
  Bound pairs_;
  std::uint64_t n_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
