// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route sorted of folds: pairs are sorted by bin, and the runs of each bin folded. For values that
/// no atomics fold, in more bins than shared memory holds, as long as pairs are not so many that
/// buckets take less.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/bin_rows.cuh>
#include <thrust_hist/system/cuda/kernels/folded_runs.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/run_tiles.h>
#include <thrust_hist/system/cuda/sorting.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether keys are the numbers of rows, one for each distinct key of a sparse histogram, which has
/// sorted keys before where that pays, and says how much memory folding them takes.
template <class Keys>
inline constexpr bool are_rows = false;

/// Whether pairs of a source can be sorted for a fold that writes to `Out`: one to an input, states
/// that a block has room for, and an output in memory, to which bins are written before what is
/// folded into them is.
template <class Source, class Fold, class Out>
inline constexpr bool may_sort_bins = [] {
  if constexpr (Source::emits) {
    return false;
  } else if constexpr (are_rows<typename Source::iterator>) {
    return false;
  } else {
    return is_contiguous<Out> && sizeof(typename Fold::state) <= 64;
  }
}();

/// What is sorted and folded, and where it lies in scratch memory.
template <class Source, class Fold>
class sorted_bins {
public:
  using value = typename Fold::value;
  using state = typename Fold::state;
  using values = std::decay_t<decltype(std::declval<Source const&>().values)>;
  /// A value travels with its bin, or the number of its pair does: words of 4 bytes for all types,
  /// which CUB's sort is compiled for once. A state without values takes the place of values
  /// without a bin.
  static constexpr bool carries_values =
      sizeof(value) <= sizeof(std::uint32_t) && std::is_same_v<value, state>;
  using word = std::uint32_t;
  using kind = number_keys<std::uint32_t>;
  using begins = run_begins<kind>;
  using states =
      std::conditional_t<carries_values, values_in_words<Fold>, values_by_number<Fold, values>>;

  /// How much scratch memory that takes.
  static std::size_t bytes(std::uint64_t pairs, std::uint64_t bins, cudaStream_t stream) {
    sorted_bins none(pairs, bins, nullptr, stream);
    auto arrays = none.to_sort();
    return none.taken_ + cuda::sort_by_bits(nullptr, 0, arrays, stream);
  }
  sorted_bins(std::uint64_t pairs, std::uint64_t bins, unsigned char* memory, cudaStream_t stream)
      : pairs_(pairs), bins_(static_cast<std::uint32_t>(bins)),
        tiles_(folded_tiles{folded_tile<begins, states>::of_thread}.for_codes(pairs)),
        memory_(memory), stream_(stream) {
    for (auto& codes : codes_) {
      codes = take<std::uint32_t>(pairs);
    }
    for (auto& words : words_) {
      words = take<word>(pairs);
    }
    std::uint64_t const tiles = tiles_.count(pairs);
    std::uint64_t const rows = (std::min)(pairs, bins + 1);
    row_bins_ = take<std::uint32_t>(rows);
    row_states_ = take<state>(rows);
    line_ = {take<unsigned long long>(tile_line::size(tiles)), tiles};
    ends_ = {take<std::uint64_t>(tiles), take<state>(tiles), take<state>(tiles)};
  }

  template <class Writer>
  void run(
      folding_job const& job, Source const& source, Fold const& fold, Writer const& write,
      bool asks_dropped) {
    auto const input = cuda::make_input<value, std::int32_t>(source, 0, pairs_);
    cuda::launch(
        "begin_sorting",
        begin_sorting<carries_values, Fold, std::remove_const_t<decltype(input)>, Writer>,
        blocks_for((std::max<std::uint64_t>)(pairs_, write.accumulate ? 0 : bins_)), 256, 0,
        stream_, input, fold, bins_, codes_[0], words_[0], line_.words,
        tile_line::size(line_.tiles), job.counter(asks_dropped), write);
    if (pairs_ > 0) {
      auto arrays = to_sort();
      cuda::sort_by_bits(memory_ + taken_, job.plan.partial_bytes - taken_, arrays, stream_);
      fold_rows(job, source, fold, arrays, write);
    }
  }

private:
  sorting_arrays<std::uint32_t, word> to_sort() const {
    int bits = 0;
    while (bins_ >> bits != 0) {  // what has no bin has the code behind them
      ++bits;
    }
    return {{codes_[0], codes_[1]}, {words_[0], words_[1]}, {nullptr, nullptr}, pairs_, {0, bits}};
  }
  template <class Writer>
  void fold_rows(
      folding_job const& job, Source const& source, Fold const& fold,
      sorting_arrays<std::uint32_t, word>& sorted, Writer const& write) const {
    begins const runs = {kind{}, sorted.codes.Current()};
    bin_rows<Fold> const rows = {fold, row_bins_, row_states_};
    auto* const number = static_cast<unsigned long long*>(job.facts);
    cuda::launch(
        "fold_runs", fold_runs<begins, states, bin_rows<Fold>>, static_cast<unsigned>(line_.tiles),
        tiles_.threads, 0, stream_, runs, pairs_,
        states_beside(source, fold, sorted.beside.Current()), rows, line_, ends_, number);
    if (line_.tiles > 1) {
      cuda::launch(
          "join_runs", join_runs<state, bin_rows<Fold>>, blocks_for(line_.tiles * 32), 256, 0,
          stream_, ends_, line_.tiles, rows);
    }
    cuda::launch(
        "write_bin_rows", write_bin_rows<Fold, Writer>, blocks_for(pairs_), 256, 0, stream_, rows,
        number, bins_, write);
  }
  static states states_beside(Source const& source, Fold const& fold, word const* words) {
    if constexpr (carries_values) {
      return {fold, words};
    } else {
      return {fold, source.values, words};
    }
  }
  template <class T>
  T* take(std::uint64_t size) {
    auto* const here = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + taken_);
    taken_ += (static_cast<std::size_t>(size) * sizeof(T) + 63) / 64 * 64;
    return here;
  }

  std::uint64_t pairs_;
  std::uint32_t bins_;
  run_tiles tiles_;
  unsigned char* memory_;
  cudaStream_t stream_;
  std::size_t taken_ = 0;
  std::uint32_t* codes_[2];
  word* words_[2];
  std::uint32_t* row_bins_;
  state* row_states_;
  tile_line line_;
  tile_ends<state> ends_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
