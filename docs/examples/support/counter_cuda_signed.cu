// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "counter_cuda.cuh"

COUNT_NUMBERS_ON_CUDA(std::int8_t);
COUNT_NUMBERS_ON_CUDA(std::int16_t);
COUNT_NUMBERS_ON_CUDA(std::int32_t);
COUNT_NUMBERS_ON_CUDA(std::int64_t);
COUNT_NUMBERS_ON_CUDA(float);
COUNT_NUMBERS_ON_CUDA(double);
