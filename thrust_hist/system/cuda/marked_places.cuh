// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// How many places of a range are marked, and which ones.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/launch.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Policy>
class marked_places {
public:
  explicit marked_places(Policy& policy) : policy_(policy), sums_(policy) {}

  /// Counts the marks of [0, n). Waits for the stream.
  template <class Marks>
  std::uint64_t count(Marks const& marks, std::uint64_t n) {
    if (n == 0) {
      return 0;
    }
    cudaStream_t const stream = stream_of(policy_);
    std::uint64_t const tiles = marked_tile::count(n);
    unsigned long long* const sums = sums_.take(tiles + 1);
    cuda::launch(
        "count_marked", count_marked<Marks>, static_cast<unsigned>(tiles), marked_tile::threads, 0,
        stream, marks, n, sums);
    if (tiles > 1) {
      cuda::launch(
          "sum_up_tiles", sum_up_tiles<unsigned long long>, 1, 1024, 0, stream, sums, tiles);
    }
    return copy_to_host(cuda_system{}, policy_, sums + tiles, 1)[0];
  }
  /// Writes the places, once they were counted.
  template <class Marks>
  void list(Marks const& marks, std::uint64_t n, std::uint64_t* places) {
    if (n == 0) {
      return;
    }
    cudaStream_t const stream = stream_of(policy_);
    cuda::launch(
        "list_marked", list_marked<Marks>, static_cast<unsigned>(marked_tile::count(n)),
        marked_tile::threads, 0, stream, marks, n, sums_.data(), places);
  }
  /// Counts and lists.
  template <class Marks>
  std::uint64_t find(
      Marks const& marks, std::uint64_t n, held_array<std::uint64_t, Policy>& places) {
    std::uint64_t const found = count(marks, n);
    list(marks, n, places.take(found));
    if (waits(policy_)) {  // the allocator may hand the memory to any other stream
      synchronize(stream_of(policy_));
    }
    return found;
  }

private:
  Policy& policy_;
  held_array<unsigned long long, Policy> sums_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
