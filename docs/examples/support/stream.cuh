// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "system_memory.h"

/// A stream of its own that does not wait for the default stream.
struct stream_owner {
  cudaStream_t stream = nullptr;

  stream_owner() {
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ~stream_owner() { cudaStreamDestroy(stream); }
  stream_owner(stream_owner const&) = delete;
  stream_owner& operator=(stream_owner const&) = delete;

  void wait() const { check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }
};
