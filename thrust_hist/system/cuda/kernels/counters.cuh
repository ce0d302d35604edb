// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where the blocks of a count deliver what they found: counters in global memory.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/even_integer.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/rule.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Counters of 32 or 64 bits: an output that takes atomics, or a table of the call's own.
struct global_counters {
  void* data;
  bool wide;

  __device__ void add(std::uint64_t bin, std::uint32_t count) const {
    if (wide) {
      atomicAdd(
          static_cast<unsigned long long*>(data) + bin, static_cast<unsigned long long>(count));
    } else {
      atomicAdd(static_cast<unsigned*>(data) + bin, count);
    }
  }
  __device__ std::uint64_t count(std::uint64_t bin) const {
    return wide ? static_cast<unsigned long long const*>(data)[bin]
                : static_cast<unsigned const*>(data)[bin];
  }
  /// Where nobody else adds.
  __device__ void set(std::uint64_t bin, std::uint32_t count) const {
    if (wide) {
      static_cast<unsigned long long*>(data)[bin] = count;
    } else {
      static_cast<unsigned*>(data)[bin] = count;
    }
  }
};

/// What was counted is a bin.
struct deliver_bin {
  global_counters out;
  __device__ void operator()(std::uint32_t bin, std::uint32_t count) const { out.add(bin, count); }
};

/// The bits of a sample of 1 or 2 bytes.
template <class Sample>
using bits_of = std::conditional_t<sizeof(Sample) == 1, std::uint8_t, std::uint16_t>;

/// The bin of a value, or a number that is not less than the number of bins. Of integers in even
/// bins by the narrow form, wherever that will do: the general one takes several times as long.
template <class Rule, class X>
__device__ std::uint64_t bin_of_value(Rule const& rule, X const& x) {
  return static_cast<std::uint64_t>(rule(x));
}
template <class S, class Index>
__device__ std::uint64_t bin_of_value(even_integer_bins<S, Index> const& rule, S x) {
  return rule.is_narrow() ? rule.narrow().template candidate<std::uint64_t>(x)
                          : static_cast<std::uint64_t>(rule(x));
}

template <class Inner, class S, class X>
__device__ std::uint64_t bin_of_value(converted_for<Inner, S> const& rule, X const& x) {
  return cuda::bin_of_value(rule.inner, static_cast<S>(x));
}

/// What was counted is the value of a sample; the rule knows its bin.
template <class Sample, class Rule>
struct deliver_value {
  Rule rule;
  global_counters out;
  __device__ void operator()(std::uint32_t value, std::uint32_t count) const {
    std::uint64_t const bin =
        cuda::bin_of_value(rule, detail::bit_cast<Sample>(static_cast<bits_of<Sample>>(value)));
    if (bin < static_cast<std::uint64_t>(rule.size())) {
      out.add(bin, count);
    }
  }
};

/// The value of a sample, as the bin to count it in.
struct sample_value {
  template <class Sample>
  __device__ unsigned operator()(Sample const& x) const {
    return detail::bit_cast<bits_of<Sample>>(x);
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
