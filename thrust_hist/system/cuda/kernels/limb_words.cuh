// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Long accumulators in shared memory, as words of 32 bits that carry.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Limbs of so few bits in words of 32 that one in a hundred additions carries.
template <class T>
struct limb_shape;
template <>
struct limb_shape<float> {
  static constexpr int radix = 24;
  static constexpr int digits = 2;
  static constexpr unsigned words = 13;
};
template <>
struct limb_shape<double> {
  static constexpr int radix = 26;
  static constexpr int digits = 3;
  static constexpr unsigned words = 82;
};

/// Hands a carry on from word to word. Out of line: that the first word carries, too, is once in
/// millions.
template <int Radix>
__device__ THRUST_HIST_NOINLINE void carry_further(
    std::uint32_t address, std::uint32_t step, int carry) {
  for (; carry != 0; address += step) {
    carry = cuda::add_signed(address, carry * (1 << (32 - Radix)));
  }
}
/// The same. The first word stands in the kernel itself and in no loop: compilers let other lanes
/// overtake those in a call, or in a loop around an atomic, and lanes that are apart stay so to the
/// end of the kernel.
template <int Radix>
__device__ inline void carry_on(std::uint32_t address, std::uint32_t step, int carry) {
  carry = cuda::add_signed(address, carry * (1 << (32 - Radix)));
  if (carry != 0) {
    cuda::carry_further<Radix>(address + step, step, carry);
  }
}

/// The words of a table's bins, as a lane finds them.
template <class T>
class limb_words {
public:
  using shape = limb_shape<T>;
  using significand = typename limb_format<T>::significand;

  __device__ limb_words(word_layout const& layout, void const* data) : words_(layout, data) {}

  /// Adds m * 2^position units to the sum of a bin.
  __device__ void add(std::uint32_t bin, significand m, int position) const {
    int const limb = position / shape::radix;
    int const shift = position - limb * shape::radix;
    std::uint32_t address = words_.address(bin, static_cast<std::uint32_t>(limb));
    using bits = std::make_unsigned_t<significand>;
#pragma unroll
    for (int k = 0; k < shape::digits; ++k, address += words_.step()) {
      std::int32_t digit;
      if (k == 0) {
        digit = static_cast<std::int32_t>(static_cast<bits>(m) << shift) & mask;
      } else {
        significand const rest = m >> (k * shape::radix - shift);
        digit = static_cast<std::int32_t>(rest);
        digit = k + 1 < shape::digits ? digit & mask : digit;
      }
      int const carry = cuda::add_signed(address, digit);
      if (carry != 0) {
        cuda::carry_on<shape::radix>(address + words_.step(), words_.step(), carry);
      }
    }
  }

private:
  static constexpr std::int32_t mask = (1 << shape::radix) - 1;
  lane_words words_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
