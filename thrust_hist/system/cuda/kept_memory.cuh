// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Scratch memory of calls whose policy has no allocator: kept for the next one, up to 1/256 of the
/// GPU's memory, since Thrust's default, cudaMalloc and cudaFree, takes longer than many a call
/// does.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/cuda/kept_slabs.h>
#include <thrust_hist/system/cuda/launch.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What fails there is nobody's last error: the policy is asked next, and says what it has to say.
struct memory_of_device {
  char* take(std::size_t bytes) const noexcept {
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes) != cudaSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    return static_cast<char*>(memory);
  }
  void give_back(char* memory) const noexcept {
    if (cudaFree(memory) != cudaSuccess) {
      cudaGetLastError();
    }
  }
};

/// That of a device. All threads take from it.
class kept_memory {
public:
  static constexpr std::size_t part_of_memory = 256;
  static constexpr std::size_t least_limit = std::size_t{4} << 20;

  explicit kept_memory(std::size_t limit) : slabs_(memory_of_device{}, limit) {}

  /// That of the current device, if it is for calls under such a policy: null where the policy has
  /// an allocator, or a call does not wait for its work, so that nobody knows when memory is free
  /// again.
  template <class Policy>
  static kept_memory* if_serves(Policy& policy) {
    if constexpr (allocates_by_default<Policy>) {
      if (waits(policy) && !cuda::is_capturing(stream_of(policy))) {
        return &on_current_device();
      }
    }
    return nullptr;
  }
  /// What a call under a policy should be content with, if it can: a little less than the limit,
  /// since it may take small pieces, too. 0 where none is kept.
  template <class Policy>
  static std::size_t bytes_to_plan_with(Policy& policy) {
    kept_memory const* const kept = if_serves(policy);
    return kept != nullptr ? kept->limit() / 8 * 7 : 0;
  }
  static kept_memory& on_current_device() {
    int const device = current_device();
    std::lock_guard<std::mutex> const lock(devices().guard);
    auto const found = devices().memory.find(device);
    if (found != devices().memory.end()) {
      return found->second;
    }
    std::size_t idle = 0;
    std::size_t total = 0;
    require(cudaMemGetInfo(&idle, &total), "cudaMemGetInfo");
    return devices()
        .memory.try_emplace(device, (std::max)(total / part_of_memory, least_limit))
        .first->second;
  }
  /// Gives back what no call is using, if anything has been kept.
  static void release_on_current_device() {
    int const device = current_device();
    std::lock_guard<std::mutex> const lock(devices().guard);
    auto const found = devices().memory.find(device);
    if (found != devices().memory.end()) {
      found->second.release();
    }
  }

  /// Of what may be kept at a time.
  std::size_t limit() const noexcept { return slabs_.limit(); }
  /// What a call may take now, unless another one is faster.
  std::size_t room() noexcept {
    std::lock_guard<std::mutex> const lock(guard_);
    return slabs_.room();
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
  /// The same for what `stream` may still be using. If that cannot be waited for, nobody gets it
  /// any more.
  void give_back_after(cudaStream_t stream, char const* piece, std::size_t bytes) noexcept {
    if (cudaStreamSynchronize(stream) == cudaSuccess) {
      give_back(piece, bytes);
    } else {
      cudaGetLastError();  // one that stays is reported by the next call
    }
  }
  void release() noexcept {
    std::lock_guard<std::mutex> const lock(guard_);
    slabs_.release();
  }
  std::size_t bytes() noexcept {
    std::lock_guard<std::mutex> const lock(guard_);
    return slabs_.bytes();
  }

private:
  struct memory_of_devices {
    std::mutex guard;
    std::map<int, kept_memory> memory;
  };
  static memory_of_devices& devices() {
    // Never destroyed: at exit the CUDA runtime may be gone before static objects are.
    static auto* const all = new memory_of_devices;
    return *all;
  }
  static int current_device() {
    int device = 0;
    require(cudaGetDevice(&device), "cudaGetDevice: is there a GPU, and does its driver fit?");
    return device;
  }

  std::mutex guard_;
  kept_slabs<memory_of_device> slabs_;
};

/// Temporary memory of a policy; if there is none, what is kept and idle makes room.
template <class T, class Policy>
temporary_array<T, Policy> take_from_policy(Policy& policy, std::uint64_t size, kept_memory* kept) {
  try {
    return temporary_array<T, Policy>(policy, size);
  } catch (std::bad_alloc const&) {
    if (kept == nullptr) {
      throw;
    }
  }
  kept->release();
  return temporary_array<T, Policy>(policy, size);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
