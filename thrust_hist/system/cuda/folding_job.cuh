// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// One fold on CUDA: its plan, its scratch memory, and its input as kernels read it.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/cells.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/fold_shared.cuh>
#include <thrust_hist/system/cuda/kernels/merged_parts.cuh>
#include <thrust_hist/system/cuda/kernels/pair_input.cuh>
#include <thrust_hist/system/cuda/kernels/range_lookup.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/plan_folds.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct folding_job {
  fold_plan plan;
  std::uint64_t bins;
  cudaStream_t stream;
  unsigned long long* dropped;  ///< in scratch memory, as all that follows; aligned to 64 bytes
  void* facts;                  ///< room for window_facts
  unsigned char* states;
  unsigned char* locks;
  unsigned char* partial;
  unsigned char* cells;  ///< of the rule, if there are any
  bool* lacks_rows;  ///< of the host: where to say that rows of exact sums did not suffice, or null

  folding_job(fold_plan const& p, unsigned char* memory, std::uint64_t bins, cudaStream_t stream)
      : plan(p), bins(bins), stream(stream), dropped(nullptr), facts(nullptr), states(nullptr),
        locks(nullptr), partial(nullptr), cells(nullptr), lacks_rows(nullptr) {
    if (memory == nullptr) {
      return;
    }
    auto const misaligned = reinterpret_cast<std::uintptr_t>(memory) % 64;
    unsigned char* const first = memory + (64 - misaligned) % 64;
    dropped = reinterpret_cast<unsigned long long*>(first);
    facts = first + 64;
    states = first + 128;
    partial = states + up(p.states_bytes);
    locks = partial + up(p.partial_bytes);
    cells = locks + up(p.locks_bytes);
  }
  dropped_counter counter(bool asked) const { return {asked ? dropped : nullptr}; }

private:
  static std::size_t up(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
};

/// What a fold may do besides, and most do not: atomics on the output itself, route sorted, to look
/// how many rows of exact sums it needs, and to have what functions emit written before.
struct means_alone {
  static constexpr bool lists_emitted = false;
  template <class Out>
  static bool in_output(bool) {
    return false;
  }
  template <class Source, class Out>
  static std::size_t sorting_bytes(Source const&, cudaStream_t) {
    return 0;
  }
  template <class Policy, class Source>
  static double expected_rows(Policy&, Source const&) {
    return 0;
  }
};

/// Whether keys and values each lie side by side in memory, as adjacent_pairs has them. `Value` is
/// what is folded.
template <class Source, class Value>
inline constexpr bool are_adjacent = false;
template <class Keys, class Values, class Rule, class Value>
inline constexpr bool are_adjacent<keyed_pairs<Keys, Values, Rule>, Value> =
    ((is_contiguous<Keys> && fits_loads<value_t<Keys>>) || zipped_input<Keys>::exists) &&
    is_contiguous<Values>&& fits_quads<value_t<Values>>&& std::is_default_constructible_v<Value>;

/// A pointer to n elements that lie so, or several; null for none.
template <class Iterator>
auto pointer_to(Iterator first, std::uint64_t n) {
  if constexpr (zipped_input<Iterator>::exists) {
    return zipped_input<Iterator>::get(first, n);
  } else {
    value_t<Iterator> const* const there = n == 0 ? nullptr : detail::raw_pointer(first);
    return there;
  }
}

/// The shared memory with which kernels find the bins of a source faster.
template <class Value, class Source>
wanted_bytes wanted_by_rule_of(Source const&) {
  return {};
}
template <class Value, class Keys, class Values, class Rule>
wanted_bytes wanted_by_rule_of(keyed_pairs<Keys, Values, Rule> const& source) {
  if constexpr (are_adjacent<keyed_pairs<Keys, Values, Rule>, Value>) {
    return cuda::wanted_by_finder(detail::bind_rule<value_t<Keys>, std::int32_t>(source.rule));
  } else {
    return {};
  }
}

/// The scratch memory with which route partitioned does.
template <class Source>
std::size_t wanted_cells_of(Source const&) {
  return 0;
}
template <class Keys, class Values, class Rule>
std::size_t wanted_cells_of(keyed_pairs<Keys, Values, Rule> const& source) {
  return cuda::wanted_cells(detail::bind_rule<value_t<Keys>, std::int32_t>(source.rule));
}

/// The pairs [first, first + n) of a source as kernels read them. `Index` numbers the bins.
template <class Value, class Index, class Keys, class Values, class Rule>
auto make_input(
    keyed_pairs<Keys, Values, Rule> const& source, std::uint64_t first, std::uint64_t n) {
  require_device_input<Values>();
  if constexpr (are_adjacent<keyed_pairs<Keys, Values, Rule>, Value>) {
    auto const rule = detail::bind_rule<value_t<Keys>, Index>(source.rule);
    auto const keys = cuda::pointer_to(source.keys, n) + first;
    return adjacent_pairs<
        Value, unsigned_of<Index>, std::remove_const_t<decltype(keys)>, value_t<Values>,
        std::remove_const_t<decltype(rule)>>(
        keys, cuda::pointer_to(source.values, n) + first, n, rule);
  } else {
    auto const bound = source.template bind<Index>();
    return visited_pairs<Value, std::remove_const_t<decltype(bound)>>(bound, first, n);
  }
}
template <class Value, class Index, class V, class Iterator, class Rule, class Emit>
auto make_input(
    emitted_pairs<V, Iterator, Rule, Emit> const& source, std::uint64_t first, std::uint64_t n) {
  auto moved = source;
  moved.first = source.first + static_cast<difference_t<Iterator>>(first);
  auto const bound = moved.template bind<Index>();
  auto const samples = cuda::make_samples(moved.first, n);
  return emitted_samples<
      Value, std::remove_const_t<decltype(samples)>, std::remove_const_t<decltype(bound)>>(
      samples, bound, n);
}

/// Blocks that merge the parts of bins, of merging_threads each, and whether their warps share
/// parts.
struct merging_grid {
  unsigned blocks;
  bool shares;
  std::size_t shared_bytes;
};
template <class State>
merging_grid grid_for_merging(std::uint64_t bins, unsigned parts) {
  std::size_t const shared_bytes = merging_threads * sizeof(State) + alignof(State);
  bool const shares = parts > 4 && shared_bytes <= std::size_t{40} << 10;
  unsigned const bins_of_block = shares ? 32 : merging_threads;
  std::uint64_t const blocks =
      (std::min<std::uint64_t>)((bins + bins_of_block - 1) / bins_of_block, 1u << 20);
  return {static_cast<unsigned>(blocks), shares, shares ? shared_bytes : 0};
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
