// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted, exact sums: runs of sorted values are folded in registers, and the few rows
/// that need more than that in long accumulators.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/fold_sorted.cuh>
#include <thrust_hist/system/cuda/kernels/double_double.cuh>
#include <thrust_hist/system/cuda/kernels/look_back.cuh>
#include <thrust_hist/system/cuda/kernels/settle_rows.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/settled_pieces.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Blocks of 256 threads whose long accumulators, one each, fit the first-level caches.
template <class Sum>
unsigned blocks_with_sums(std::uint64_t threads) {
  constexpr std::size_t cache = 192 * 1024;
  constexpr auto at_once = static_cast<unsigned>(cache / (256 * sizeof(Sum)));
  return (std::min)(blocks_for(threads), (std::max)(at_once, 1u) * current_facts().multiprocessors);
}

/// Sums rows that are not known after fold_sorted(), and writes them.
template <class Policy, class Begins, class States, class Fold, class Writer>
void settle_rows(
    call_memory<Policy>& memory, Begins const& begins, std::uint64_t n, States const& values,
    unsettled_rows const& unsettled, Fold const& fold, Writer const& writer) {
  using sum = typename Fold::state;
  cudaStream_t const stream = memory.stream();
  held_array<std::uint64_t, Policy> places(memory);
  std::uint64_t const rows = marked_places<Policy>(memory).find(begins, n, places);
  std::uint64_t const most_sums = settled_pieces::sums(n);
  held_array<row_piece, Policy> pieces(memory);
  held_array<std::uint64_t, Policy> rows_of_sums(memory);
  held_array<sum, Policy> sums(memory);
  held_array<unsigned, Policy> number(memory);
  long_rows<sum> const others = {
      pieces.take(settled_pieces::pieces(n)), rows_of_sums.take(most_sums), sums.take(most_sums),
      number.take(2)};
  require(cudaMemsetAsync(others.number, 0, 8, stream), "cudaMemsetAsync of numbers of rows");
  if (most_sums > 0) {
    require(
        cudaMemsetAsync(others.sums, 0, most_sums * sizeof(sum), stream),
        "cudaMemsetAsync of long accumulators");
  }
  cuda::launch(
      "settle_short_rows", settle_short_rows<States, Fold, Writer, sum>,
      blocks_with_sums<sum>(rows), 256, 0, stream, row_bounds{places.data(), rows, n}, values,
      unsettled, fold, writer, others);
  if (n > settled_pieces::most_of_thread) {
    cuda::launch(
        "settle_long_rows", settle_long_rows<States, Fold, Writer, sum>,
        blocks_with_sums<sum>(n / 2), 256, 0, stream, values, fold, writer, others);
  }
  if (most_sums > 0) {
    cuda::launch(
        "write_long_rows", write_long_rows<Writer, sum>, blocks_for(most_sums), 256, 0, stream,
        others, writer);
  }
  synchronize(stream);  // before the memory goes back: the allocator may be anybody's
}

/// As fold_sorted(), with exact sums; `values`: as states of double_double_fold.
template <class Policy, class Begins, class States, class Fold, class Writer>
std::uint64_t fold_sorted_exactly(
    call_memory<Policy>& memory, Begins const& begins, std::uint64_t n, States const& values,
    Fold const& fold, Writer const& writer) {
  if (n == 0) {
    return 0;
  }
  cudaStream_t const stream = memory.stream();
  constexpr std::uint64_t before = sizeof(std::uint32_t);  // of whether any is set
  held_array<std::uint32_t, Policy> flags(memory);
  flags.take(1 + (n + before - 1) / before);
  require(cudaMemsetAsync(flags.data(), 0, before + n, stream), "cudaMemsetAsync of flags of rows");
  mailbox_loan loan(stream);
  auto* const told = static_cast<std::uint32_t volatile*>(loan.box().letter);
  *told = 0;
  unsettled_rows const unsettled = {
      reinterpret_cast<unsigned char*>(flags.data() + 1), flags.data(), told};
  auto const rows_that_are_known = writer.with(values.fold);
  using rows_writer = std::remove_const_t<decltype(rows_that_are_known)>;
  using values_fold = std::remove_const_t<decltype(values.fold)>;
  std::uint64_t const rows = cuda::fold_sorted(
      memory, begins, n, values,
      settling_writer<rows_writer, values_fold>{values.fold, rows_that_are_known, unsettled});
  bool const is_settled = *told == 0;
  loan.give_back();
  if (!is_settled && rows < rows_are_lost) {
    cuda::settle_rows(memory, begins, n, values, unsettled, fold, writer);
  }
  return rows;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
