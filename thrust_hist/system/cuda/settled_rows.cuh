// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted, exact sums: runs of sorted values are folded in
/// registers, and the few rows that need more than that in long accumulators.

#include <thrust_hist/config.h>
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

/// Rows that are not known after fold_sorted(), of n > 0 values. All memory for them is taken
/// before anything is written.
template <class Policy, class Sum>
class row_settling {
public:
  row_settling(call_memory<Policy>& memory, std::uint64_t n)
      : memory_(memory), n_(n), begins_(memory), tiles_(memory), other_(memory),
        loan_(memory.stream()) {
    static_assert(sizeof(Sum) % 8 == 0 && sizeof(row_piece) == settled_pieces::bytes_of_piece);
    static_assert(alignof(Sum) <= 8 && alignof(row_piece) <= 8);
    std::uint64_t const sums = settled_pieces::sums(n);
    begins_.take(settled_pieces::words_of_begins(n));
    tiles_.take(n);
    std::uint64_t* const sum_words = other_.take(settled_pieces::other_bytes(n, sizeof(Sum)) / 8);
    std::uint64_t* const rows = sum_words + sums * (sizeof(Sum) / 8);
    auto* const pieces = reinterpret_cast<row_piece*>(rows + sums);
    auto* const number = reinterpret_cast<unsigned*>(pieces + settled_pieces::pieces(n));
    long_ = {pieces, rows, reinterpret_cast<Sum*>(sum_words), number};
    std::uint32_t* const any = number + 2;
    marks_ = {
        reinterpret_cast<unsigned char*>(any + 1), any,
        static_cast<std::uint32_t volatile*>(loan_.box().letter)};
    *marks_.told = 0;
    clear(number, settled_pieces::bytes_of_marks(n));
  }

  unsettled_rows marks() const { return marks_; }
  /// Once the stream has been waited for.
  bool has_any() const { return *marks_.told != 0; }
  /// Once it has been waited for, and nothing more comes.
  void end() { loan_.give_back(); }

  /// Sums them once more, and writes them.
  template <class Begins, class States, class Fold, class Writer>
  void run(Begins const& begins, States const& values, Fold const& fold, Writer const& writer) {
    cudaStream_t const stream = memory_.stream();
    std::uint64_t const rows = tiles_.count(begins, n_);
    place_list const places = {begins_.data(), places_are_short(n_)};
    tiles_.list(begins, n_, places);
    std::uint64_t const most_sums = settled_pieces::sums(n_);
    clear(long_.sums, most_sums * sizeof(Sum));
    cuda::launch(
        "settle_short_rows", settle_short_rows<States, Fold, Writer, Sum>,
        blocks_with_sums<Sum>(rows), 256, 0, stream, row_bounds{places, rows, n_}, values, marks_,
        fold, writer, long_);
    if (n_ > settled_pieces::most_of_thread) {
      cuda::launch(
          "settle_long_rows", settle_long_rows<States, Fold, Writer, Sum>,
          blocks_with_sums<Sum>(n_ / 2), 256, 0, stream, values, fold, writer, long_);
    }
    if (most_sums > 0) {
      cuda::launch(
          "write_long_rows", write_long_rows<Writer, Sum>, blocks_for(most_sums), 256, 0, stream,
          long_, writer);
    }
    synchronize(stream);  // before the memory goes back: the allocator may be anybody's
  }

private:
  void clear(void* to, std::size_t bytes) const {
    if (bytes > 0) {
      require(cudaMemsetAsync(to, 0, bytes, memory_.stream()), "cudaMemsetAsync of rows");
    }
  }

  call_memory<Policy>& memory_;
  std::uint64_t n_;
  held_array<std::uint64_t, Policy> begins_;
  marked_places<Policy> tiles_;
  held_array<std::uint64_t, Policy> other_;  // sums, pieces and marks
  long_rows<Sum> long_ = {};
  unsettled_rows marks_ = {};
  mailbox_loan loan_;
};

/// As fold_sorted(), with exact sums; `values`: as states of double_double_fold.
template <class Policy, class Begins, class States, class Fold, class Writer>
std::uint64_t fold_sorted_exactly(
    call_memory<Policy>& memory, Begins const& begins, std::uint64_t n, States const& values,
    Fold const& fold, Writer const& writer) {
  if (n == 0) {
    return 0;
  }
  row_settling<Policy, typename Fold::state> settling(memory, n);
  auto const known = writer.with(values.fold);
  using known_rows = std::remove_const_t<decltype(known)>;
  std::uint64_t const rows = cuda::fold_sorted(
      memory, begins, n, values, settling_writer<known_rows>{known, settling.marks()});
  if (settling.has_any() && rows < rows_are_lost) {
    settling.run(begins, values, fold, writer);
  }
  settling.end();
  return rows;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
