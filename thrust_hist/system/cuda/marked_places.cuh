// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How many places of a range are marked, and which ones.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/launch.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Policy>
class marked_places {
public:
  explicit marked_places(call_memory<Policy>& memory) : memory_(memory), sums_(memory) {}

  /// What it takes to count in so many places.
  static std::size_t bytes(std::uint64_t n) noexcept {
    return n == 0 ? 0 : (marked_tile::count(n) + 1) * sizeof(unsigned long long);
  }
  /// Takes it, which count() does else.
  void take(std::uint64_t n) {
    room_ = bytes(n) / sizeof(unsigned long long);
    sums_.take(room_);
  }
  /// Counts the marks of [0, n). Waits for the stream.
  template <class Marks>
  std::uint64_t count(Marks const& marks, std::uint64_t n) {
    if (n == 0) {
      return 0;
    }
    cudaStream_t const stream = memory_.stream();
    std::uint64_t const tiles = marked_tile::count(n);
    if (room_ <= tiles) {
      take(n);
    }
    unsigned long long* const sums = sums_.data();
    cuda::launch(
        "count_marked", count_marked<Marks>, static_cast<unsigned>(tiles), marked_tile::threads, 0,
        stream, marks, n, sums);
    if (tiles > 1) {
      cuda::launch(
          "sum_up_tiles", sum_up_tiles<unsigned long long>, 1, 1024, 0, stream, sums, tiles);
    }
    return copy_to_host(cuda_system{}, memory_.policy(), sums + tiles, 1)[0];
  }
  /// Writes the places, once they were counted.
  template <class Marks>
  void list(Marks const& marks, std::uint64_t n, place_list const& places) {
    if (places.are_short) {
      list_in(marks, n, places.short_words());
    } else {
      list_in(marks, n, places.words());
    }
  }
  /// Counts and lists.
  template <class Marks>
  std::uint64_t find(
      Marks const& marks, std::uint64_t n, held_array<std::uint64_t, Policy>& places) {
    std::uint64_t const found = count(marks, n);
    list_in(marks, n, places.take(found));
    return found;
  }

private:
  template <class Marks, class Word>
  void list_in(Marks const& marks, std::uint64_t n, Word* places) {
    if (n > 0) {
      cuda::launch(
          "list_marked", list_marked<Marks, Word>, static_cast<unsigned>(marked_tile::count(n)),
          marked_tile::threads, 0, memory_.stream(), marks, n, sums_.data(), places);
    }
  }

  call_memory<Policy>& memory_;
  held_array<unsigned long long, Policy> sums_;
  std::uint64_t room_ = 0;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
