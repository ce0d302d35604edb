// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "counter_on.h"

#include <thrust/system/cuda/execution_policy.h>

#include <cstdint>

using cuda_policy = std::decay_t<decltype(thrust::cuda::par)>;

// A type of numbers takes nvcc seconds: those with a sign are compiled beside the others, in
// counter_cuda_signed.cu.
#define COUNT_NUMBERS_ON_CUDA(T)               \
  template void count_numbers<cuda_policy, T>( \
      cuda_policy const&, T const*, T const*, std::uint64_t*, job const&)

extern COUNT_NUMBERS_ON_CUDA(std::int8_t);
extern COUNT_NUMBERS_ON_CUDA(std::int16_t);
extern COUNT_NUMBERS_ON_CUDA(std::int32_t);
extern COUNT_NUMBERS_ON_CUDA(std::int64_t);
extern COUNT_NUMBERS_ON_CUDA(float);
extern COUNT_NUMBERS_ON_CUDA(double);
