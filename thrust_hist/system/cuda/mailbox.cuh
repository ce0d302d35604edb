// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where a kernel leaves a single value for the host: page-locked memory that both can reach, with
/// room for the partial results of its blocks. Kept for the next call, since to allocate it would
/// cost more than a small call does. One for each call that waits for its result at the same time.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/launch.cuh>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct mailbox {
  static constexpr std::size_t letter_bytes = 4096;         ///< for the host
  static constexpr std::size_t partial_bytes = 256 * 1024;  ///< for the blocks

  void* letter;      ///< page-locked host memory, mapped
  void* partials;    ///< device memory
  unsigned* ticket;  ///< device memory, 0 between calls
  cudaEvent_t sent;  ///< for those who wait for a letter while more is under way on the stream
};

/// Lends a mailbox of the current device for the time of a call that waits for its result.
class mailbox_loan {
public:
  /// For work on `stream`, on which a new mailbox is made ready.
  explicit mailbox_loan(cudaStream_t stream) : stream_(stream) {
    require(cudaGetDevice(&device_), "cudaGetDevice: is there a GPU, and does its driver fit?");
    if (!take_idle()) {
      make(stream);
    }
  }
  /// Where something was thrown before it was given back: it is once no kernel may be writing to
  /// it. After a failed one the ticket is unknown, and the box is not lent again.
  ~mailbox_loan() {
    if (is_lent_ && cudaStreamSynchronize(stream_) == cudaSuccess) {
      give_back();
    }
  }
  mailbox_loan(mailbox_loan const&) = delete;
  mailbox_loan& operator=(mailbox_loan const&) = delete;

  mailbox const& box() const noexcept { return box_; }
  /// What has been launched so far sends the letter.
  void expect_letter() { require(cudaEventRecord(box_.sent, stream_), "cudaEventRecord"); }
  /// Waits for that, and for nothing that was launched later.
  void await_letter() { require(cudaEventSynchronize(box_.sent), "cudaEventSynchronize"); }
  /// To be called once the kernel has been waited for, so that nobody has to wait again.
  void give_back() noexcept {
    if (!is_lent_) {
      return;
    }
    is_lent_ = false;
    std::lock_guard<std::mutex> const lock(pool().guard);
    try {
      pool().idle[device_].push_back(box_);
    } catch (std::bad_alloc const&) {
      cudaFreeHost(box_.letter);
      cudaFree(box_.partials);
      cudaEventDestroy(box_.sent);
    }
  }

private:
  struct shared_pool {
    std::mutex guard;
    std::map<int, std::vector<mailbox>> idle;
  };
  static shared_pool& pool() {
    // Never destroyed: at exit the CUDA runtime may be gone before static objects are.
    static auto* const the_pool = new shared_pool;
    return *the_pool;
  }

  bool take_idle() {
    std::lock_guard<std::mutex> const lock(pool().guard);
    auto& idle = pool().idle[device_];
    if (idle.empty()) {
      return false;
    }
    box_ = idle.back();
    idle.pop_back();
    return true;
  }

  void make(cudaStream_t stream) {
    void* letter = nullptr;
    require(
        cudaHostAlloc(&letter, mailbox::letter_bytes, cudaHostAllocMapped),
        "cudaHostAlloc of a mailbox");
    std::unique_ptr<void, cudaError_t (*)(void*)> held_letter(letter, cudaFreeHost);
    void* memory = nullptr;
    require(
        cudaMalloc(&memory, mailbox::partial_bytes + sizeof(unsigned)), "cudaMalloc of a mailbox");
    std::unique_ptr<void, cudaError_t (*)(void*)> held_memory(memory, cudaFree);
    auto* const ticket =
        reinterpret_cast<unsigned*>(static_cast<char*>(memory) + mailbox::partial_bytes);
    require(cudaMemsetAsync(ticket, 0, sizeof(unsigned), stream), "cudaMemsetAsync of a mailbox");
    synchronize(stream);  // whoever is lent it next may use another stream
    cudaEvent_t sent = nullptr;
    require(cudaEventCreateWithFlags(&sent, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    box_ = {held_letter.release(), held_memory.release(), ticket, sent};
  }

  cudaStream_t stream_;
  int device_ = 0;
  bool is_lent_ = true;
  mailbox box_ = {};
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
