// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Streams, work that takes its time, and graphs, for the cases about ordering.

#include "buffers.h"
#include "systems.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace test {

// A stream that does not wait for the legacy default stream.
class stream {
public:
  stream() { check_cuda(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "a stream"); }
  ~stream() { cudaStreamDestroy(handle_); }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;

  cudaStream_t get() const { return handle_; }
  void wait() const { check_cuda(cudaStreamSynchronize(handle_), "work on a test stream"); }
  bool is_done() const { return cudaStreamQuery(handle_) == cudaSuccess; }

private:
  cudaStream_t handle_ = nullptr;
};

static __global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// About 50 ms of work on one processor.
inline void delay(cudaStream_t on) {
  spin<<<1, 1, 0, on>>>(100000000);
  check_cuda(cudaGetLastError(), "launch of the delay");
}

// Holds a stream up until it is opened, or for two seconds: a call that waits for its stream comes
// back late, and finds the stream done.
class gate {
public:
  explicit gate(stream const& s) : stream_(s) {
    check_cuda(cudaLaunchHostFunc(s.get(), wait, this), "cudaLaunchHostFunc");
  }
  ~gate() {
    open();
    cudaStreamSynchronize(stream_.get());
  }
  gate(gate const&) = delete;
  gate& operator=(gate const&) = delete;

  void open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    opened_ = true;
    changed_.notify_all();
  }

private:
  static void CUDART_CB wait(void* self) {
    auto& me = *static_cast<gate*>(self);
    std::unique_lock<std::mutex> lock(me.mutex_);
    me.changed_.wait_for(lock, std::chrono::seconds(2), [&] { return me.opened_; });
  }

  stream const& stream_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool opened_ = false;
};

inline boost::test_tools::assertion_result has_two_devices(boost::unit_test::test_unit_id) {
  int devices = 0;
  boost::test_tools::assertion_result answer(
      cudaGetDeviceCount(&devices) == cudaSuccess && devices > 1);
  if (!answer)
    answer.message() << "there is no second GPU";
  return answer;
}

}  // namespace test
