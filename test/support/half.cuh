// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CUDA's two short floating types, for the reference.

#include "exact.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace test {

template <>
struct float_format<__half> {
  static constexpr int fraction = 10, exponent = 5;
  using bits = std::uint16_t;
};
template <>
struct float_format<__nv_bfloat16> {
  static constexpr int fraction = 7, exponent = 8;
  using bits = std::uint16_t;
};

}  // namespace test
