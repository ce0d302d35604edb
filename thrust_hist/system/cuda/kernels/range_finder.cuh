// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Range bins where there is one loop for all ways to find them: each sample is asked for the way,
/// which is the same for all.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/system/cuda/kernels/range_lookup.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>

#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Iterator, class S, class Index>
class range_finder {
public:
  using search = range_search<Iterator, S, Index>;

  __device__ range_finder(search const& rule, rule_memory const& memory)
      : rule_(rule), has_cells_(memory.begin != nullptr) {
    if (has_cells_) {
      lookup_ = range_lookup<Iterator, S, Index>(rule, memory.begin);
    }
  }

  /// See candidate.h.
  template <class Unsigned>
  __device__ Unsigned candidate(S x) const {
    return has_cells_ ? lookup_.template candidate<Unsigned>(x) : static_cast<Unsigned>(rule_(x));
  }

  /// As a bound rule has it.
  __device__ Index operator()(S x) const {
    return static_cast<Index>(candidate<std::make_unsigned_t<Index>>(x));
  }

private:
  search const& rule_;
  bool has_cells_;
  range_lookup<Iterator, S, Index> lookup_ = {};
};

using detail::candidate;  // beside the one of this finder

template <class Unsigned, class Iterator, class S, class Index>
__device__ inline Unsigned candidate(range_finder<Iterator, S, Index> const& finder, S x) {
  return finder.template candidate<Unsigned>(x);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
