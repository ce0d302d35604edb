// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Keys as codes that tables hold, and that are thrown into buckets: as they are, mixed, or by
/// their place in a range.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/detail/sparse_keys.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// A key as a code that a table can hold: of 32 bits at least.
template <class Kind, class Code>
struct wide_code {
  Kind keys;

  /// Whether there is one; `code` is it then.
  template <class Key>
  __device__ bool operator()(Key const& key, Code& code) const {
    auto const c = Kind::template encode<Key>(key);
    code = static_cast<Code>(c);
    if constexpr (has_alone_keys<Kind, Key>) {
      return !keys.is_alone(c);
    } else {  // to ask takes a branch for each key
      return true;
    }
  }
};

/// The same with its bits mixed, for hash tables.
template <class Kind, class Code>
struct mixed_code {
  wide_code<Kind, Code> encode;

  template <class Key>
  __device__ bool operator()(Key const& key, Code& code) const {
    Code plain;
    bool const has_code = encode(key, plain);
    code = detail::mix_code(plain);
    return has_code;
  }
};

/// The same as how far it lies above the lowest one, at most `last`, else it counts as none: in 4
/// bytes, or in 8 and shifted to the left.
template <class Kind, class Code, class Placed>
struct code_in_range {
  wide_code<Kind, Code> encode;
  Code lowest;
  Code last;
  unsigned shift;

  template <class Key>
  __device__ bool operator()(Key const& key, Placed& code) const {
    Code plain;
    bool const has_code = encode(key, plain);
    plain -= lowest;
    code = static_cast<Placed>(plain);
    if constexpr (sizeof(Placed) > 4) {
      code <<= shift;
    }
    return has_code && plain <= last;
  }
};

/// And back.
template <class Code, class Placed>
struct code_from_range {
  Code lowest;
  unsigned shift;

  __device__ Code operator()(Placed code) const {
    if constexpr (sizeof(Placed) > 4) {
      code >>= shift;
    }
    return lowest + static_cast<Code>(code);
  }
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
