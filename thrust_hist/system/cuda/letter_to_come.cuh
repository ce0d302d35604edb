// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What kernels have found out, on its way to the host while more is sent off.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/write_letter.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Letter>
class letter_to_come {
public:
  /// Before anything is under way that uses memory of the caller: there may be no mailbox.
  explicit letter_to_come(cudaStream_t stream) : stream_(stream), loan_(stream) {}
  letter_to_come(letter_to_come const&) = delete;
  letter_to_come& operator=(letter_to_come const&) = delete;

  /// Sends what is there once the stream comes to that. To be called once.
  void send(Letter const* from) {
    static_assert(sizeof(Letter) <= mailbox::letter_bytes);
    cuda::launch("write_letter", write_letter<Letter>, 1, 32, 0, stream_, from, letter());
    loan_.expect_letter();
  }
  /// Waits for it. To be called once.
  Letter get() {
    loan_.await_letter();
    Letter const copy = *letter();
    loan_.give_back();
    return copy;
  }

private:
  Letter* letter() const noexcept { return static_cast<Letter*>(loan_.box().letter); }

  cudaStream_t stream_;
  mailbox_loan loan_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
