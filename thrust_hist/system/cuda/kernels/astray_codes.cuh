// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: how many codes found no room near the place where they belong. A sample cannot
/// tell few keys that come again from very many beside some that do; where tables turn out to be
/// much too few, the rest is not worth the time.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

class astray_codes {
public:
  /// A word of shared memory, and how much is too much.
  __device__ astray_codes(std::uint32_t address, std::uint32_t most)
      : address_(address), most_(most) {}

  /// One thread calls it.
  __device__ void clear() const { cuda::store_shared(address_, 0); }
  __device__ void add_one() const { cuda::increase_shared(address_, 1); }
  __device__ bool are_too_many() const { return cuda::load_shared(address_) > most_; }
  /// The same answer for all lanes of a warp, all of which must call it.
  __device__ bool are_too_many_for_warp() const { return __any_sync(~0u, are_too_many()) != 0; }

private:
  std::uint32_t address_;
  std::uint32_t most_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
