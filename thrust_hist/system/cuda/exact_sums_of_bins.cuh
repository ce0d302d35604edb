// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The exact sums of all bins in global memory, on routes partitioned and global.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/fold_global.cuh>
#include <thrust_hist/system/cuda/kernels/rows_of_sums.cuh>
#include <thrust_hist/system/cuda/kernels/windows.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/sum_rows.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// So many inputs the limbs of a long accumulator have room for, before they are normalised.
/// `any_number`: of pairs, of each.
template <class T>
constexpr std::uint64_t inputs_of_piece(bool any_number) {
  return carry_save<T>::room / (any_number ? 32 : 2);
}

template <class T>
class sums_of_bins {
public:
  /// It outlives the sums.
  explicit sums_of_bins(folding_job const& job) : job_(job) {}

  rows_of_sums<T> get() const { return {reinterpret_cast<sums_header*>(job_.states), 0}; }
  /// Before the first pair is added. Rows are cleared as well where there are no digits.
  void begin() const {
    sum_rows const& layout = job_.plan.sums;
    std::size_t const rows = layout.digits == 0 ? layout.rows_bytes(sizeof(carry_save<T>)) : 0;
    if (job_.bins > 0) {
      std::uint64_t const words = (layout.cleared_bytes() + rows) / sizeof(unsigned long long);
      cuda::launch(
          "begin_sums", begin_sums<T>, blocks_for(words), merging_threads, 0, job_.stream, get(),
          layout.header(), words);
    }
  }
  /// Between pieces of the input, each of which fills up the limbs.
  void make_room() const {
    if (job_.bins > 0) {
      cuda::launch(
          "normalize_rows", normalize_rows<T>, blocks_for(job_.plan.sums.rows), merging_threads, 0,
          job_.stream, get());
    }
  }
  /// Waits for them, and says so where a bin lacks a row.
  bool have_rows() const {
    auto const is =
        cuda::copy_from_device(reinterpret_cast<sums_header const*>(job_.states), job_.stream);
    *job_.lacks_rows = is.taken > is.rows;
    return !*job_.lacks_rows;
  }
  /// After the last pair. Words of bins are of the window that `facts` tell of.
  template <class Writer>
  void write(window_facts const* facts, Writer const& write) const {
    if (job_.bins > 0) {
      cuda::launch(
          "write_near_sums", write_near_sums<T, Writer>, blocks_for(job_.bins), merging_threads, 0,
          job_.stream, get(), facts, write);
      cuda::launch(
          "write_long_sums", write_long_sums<T, Writer>, blocks_for(job_.plan.sums.rows),
          merging_threads, 0, job_.stream, get(), facts, write);
    }
  }

private:
  folding_job const& job_;
};

/// Adds the pairs of a source by `Buckets`, or one by one, and writes the sums.
template <class T, class Buckets, class Source, class Writer>
void sum_in_global(
    folding_job const& job, Source const& source, Writer const& write, bool asks_dropped) {
  fold_plan const& p = job.plan;
  sums_of_bins<T> const sums(job);
  sums.begin();
  if constexpr (!Source::emits) {
    if (p.taken == route::partitioned) {
      Buckets::run(job, source, sums.get(), asks_dropped);
      if (job.lacks_rows != nullptr && !sums.have_rows()) {
        return;
      }
      sums.write(static_cast<window_facts const*>(job.facts), write);
      return;
    }
  }
  constexpr std::uint64_t piece = inputs_of_piece<T>(emits_any_number<Source>);
  for (std::uint64_t done = 0; done < source.size(); done += piece) {
    auto const input =
        cuda::make_input<T, bin_index>(source, done, (std::min)(piece, source.size() - done));
    using table = typename global_limbs<T>::description;
    if (done > 0) {
      sums.make_room();
    }
    cuda::launch(
        "fold_global", fold_global<std::remove_const_t<decltype(input)>, table>, p.blocks,
        p.threads, p.shared_bytes, job.stream, input, table{job.bins, sums.get(), p.hot_entries},
        job.counter(asks_dropped));
  }
  sums.write(nullptr, write);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
