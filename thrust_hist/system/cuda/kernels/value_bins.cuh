// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Even bins of floating-point samples of 2 bytes by a table of all their values: to compute a bin
/// takes longer than to read them, since edges are rounded to numbers that have no arithmetic.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/even_real.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/system/cuda/rule_room.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class S>
class value_bins {
public:
  static constexpr std::uint32_t values = 1u << 16;
  static constexpr std::uint32_t most_bins = 0xffff;  ///< the number itself is no bin
  static constexpr std::size_t bytes = values * sizeof(std::uint16_t);

  /// Fills the memory. All threads of the block must call it.
  template <class Rule>
  __device__ value_bins(Rule const& rule, void* memory)
      : bins_(static_cast<std::uint16_t*>(memory)) {
    auto const bins = static_cast<std::uint32_t>(rule.size());
    for (std::uint32_t v = threadIdx.x; v < values; v += blockDim.x) {
      auto const x = detail::bit_cast<S>(static_cast<std::uint16_t>(v));
      auto const bin = detail::candidate<std::uint32_t>(rule, x);
      bins_[v] = static_cast<std::uint16_t>(bin < bins ? bin : most_bins);
    }
    __syncthreads();
  }

  /// See candidate.h.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    return bins_[detail::bit_cast<std::uint16_t>(x)];
  }

private:
  std::uint16_t* bins_;
};

using detail::candidate;  // beside the one of this table

template <class Unsigned, class S>
__device__ inline Unsigned candidate(value_bins<S> const& bins, S x) {
  return bins.template candidate<Unsigned>(x);
}

/// The table pays where millions of samples do without the rule.
template <class S, class Index>
wanted_bytes wanted_memory(even_real_bins<S, Index> const& rule) {
  bool const fits = sizeof(S) == 2 && rule.size() <= value_bins<S>::most_bins;
  return fits ? wanted_bytes{value_bins<S>::bytes, 0, default_tuning.value_samples}
              : wanted_bytes{};
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
