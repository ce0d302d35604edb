// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Scratch memory of calls whose policy has no allocator: kept for the next one, up to 1/256 of the GPU's memory, since
/// Thrust's default, cudaMalloc and cudaFree, takes longer than many a call does.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/system/cuda/kept_slabs.h>
#include <thrust_hist/system/cuda/launch.cuh>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct memory_of_device {
  char* take(std::size_t bytes) const noexcept {
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes) != cudaSuccess) {
      cudaGetLastError();  // the policy is asked next, and says what it has to say
      return nullptr;
    }
    return static_cast<char*>(memory);
  }
  void give_back(char* memory) const noexcept { cudaFree(memory); }
};

/// That of a device. All threads take from it.
class kept_memory {
public:
  static constexpr std::size_t part_of_memory = 256;
  static constexpr std::size_t least_limit = std::size_t{4} << 20;

  explicit kept_memory(std::size_t most) : most_(most), slabs_(memory_of_device{}, most) {}

  /// Of the current device, for scratch of a call under this policy; null where the policy has an allocator, or the
  /// call does not wait for its work: then nobody knows when memory is free again.
  template <class Policy>
  static kept_memory* for_calls_of(Policy& policy) {
    if constexpr (allocates_by_default<Policy>) {
      if (waits(policy) && !cuda::is_capturing(stream_of(policy))) {
        return &of_current_device();
      }
    }
    return nullptr;
  }
  /// Of more bytes none of it is kept.
  template <class Policy>
  static std::size_t limit_for_calls_of(Policy& policy) {
    kept_memory const* const kept = for_calls_of(policy);
    return kept != nullptr ? kept->most_ : 0;
  }
  static kept_memory& of_current_device() {
    struct of_devices {
      std::mutex guard;
      std::map<int, kept_memory> memory;
    };
    // Never destroyed: at exit the CUDA runtime may be gone before static objects are.
    static auto* const all = new of_devices;
    int device = 0;
    require(cudaGetDevice(&device), "cudaGetDevice: is there a GPU, and does its driver fit?");
    std::lock_guard<std::mutex> const lock(all->guard);
    auto const found = all->memory.find(device);
    if (found != all->memory.end()) {
      return found->second;
    }
    std::size_t idle = 0;
    std::size_t total = 0;
    require(cudaMemGetInfo(&idle, &total), "cudaMemGetInfo");
    return all->memory.try_emplace(device, (std::max)(total / part_of_memory, least_limit))
        .first->second;
  }

  /// Null where there is no room.
  char* take(std::size_t bytes) {
    std::lock_guard<std::mutex> const lock(guard_);
    return slabs_.take(bytes);
  }
  /// To be called once the stream that used it has been waited for.
  void give_back(char const* piece, std::size_t bytes) noexcept {
    std::lock_guard<std::mutex> const lock(guard_);
    slabs_.give_back(piece, bytes);
  }
  /// Gives back what no call is using.
  void release() noexcept {
    std::lock_guard<std::mutex> const lock(guard_);
    slabs_.release();
  }
  std::size_t bytes() noexcept {
    std::lock_guard<std::mutex> const lock(guard_);
    return slabs_.bytes();
  }

private:
  std::size_t const most_;
  std::mutex guard_;
  kept_slabs<memory_of_device> slabs_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
