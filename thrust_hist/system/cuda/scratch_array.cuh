// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Temporary memory of a call on CUDA: from the policy's allocator, or where it has none from what
/// is kept.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/cuda/kept_memory.cuh>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// An uninitialised array of `size` objects that need no destruction. Throws what the policy's
/// allocator throws, or std::bad_alloc.
template <class T, class Policy>
class scratch_array {
  static_assert(alignof(T) <= slab_pieces::alignment);

public:
  scratch_array(Policy& policy, std::uint64_t size)
      : stream_(stream_of(policy)), bytes_(size * sizeof(T)),
        kept_(size > 0 ? kept_memory::if_serves(policy) : nullptr),
        piece_(kept_ != nullptr ? kept_->take(bytes_) : nullptr),
        own_(cuda::take_from_policy<T>(policy, piece_ == nullptr ? size : 0, kept_)) {}
  ~scratch_array() {
    if (piece_ != nullptr && is_idle_) {
      kept_->give_back(piece_, bytes_);
    } else if (piece_ != nullptr) {
      kept_->give_back_after(stream_, piece_, bytes_);
    }
  }
  scratch_array(scratch_array const&) = delete;
  scratch_array& operator=(scratch_array const&) = delete;

  T* data() const noexcept {
    return piece_ != nullptr ? reinterpret_cast<T*>(piece_) : own_.data();
  }
  /// The stream has been waited for.
  void is_done() noexcept { is_idle_ = true; }

private:
  cudaStream_t stream_;
  std::size_t bytes_;
  kept_memory* kept_;
  char* piece_;
  temporary_array<T, Policy> own_;
  bool is_idle_ = false;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
