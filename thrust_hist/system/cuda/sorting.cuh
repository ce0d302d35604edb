// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// CUB's sorts, with temporary memory of ours: numbers by the bits that are in use, other keys by comparing.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/launch.cuh>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Two arrays of codes, and counts that travel with them or none. Sorting may leave the result in either.
template <class Code>
struct sorting_arrays {
  cub::DoubleBuffer<Code> codes;
  cub::DoubleBuffer<std::uint32_t> counts;
  std::uint64_t size;
  bool has_counts;
};

/// Numbers. `memory` null: only says how many bytes it has to have.
template <class Code>
std::size_t sort_codes(
    number_keys<Code> const&, void* memory, std::size_t bytes, sorting_arrays<Code>& arrays,
    cudaStream_t stream) {
  constexpr int bits = 8 * sizeof(Code);
  auto const n = static_cast<std::int64_t>(arrays.size);
  require(
      !arrays.has_counts
          ? cub::DeviceRadixSort::SortKeys(memory, bytes, arrays.codes, n, 0, bits, stream)
          : cub::DeviceRadixSort::SortPairs(
                memory, bytes, arrays.codes, arrays.counts, n, 0, bits, stream),
      "cub::DeviceRadixSort");
  return bytes;
}

/// The bytes of a key: CUB makes arrays of what it sorts, and keys need no default constructor.
template <class Key>
struct bytes_of_key {
  alignas(Key) unsigned char bytes[sizeof(Key)];
};

template <class Kind>
struct less_by {
  using code = typename Kind::code;
  Kind keys;
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE bool operator()(
      bytes_of_key<code> const& a, bytes_of_key<code> const& b) const {
    return keys.less(
        *reinterpret_cast<code const*>(a.bytes), *reinterpret_cast<code const*>(b.bytes));
  }
};

/// Keys of other types, in the first array.
template <class Key, class Operators>
std::size_t sort_codes(
    user_keys<Key, Operators> const& keys, void* memory, std::size_t bytes,
    sorting_arrays<Key>& arrays, cudaStream_t stream) {
  require(
      cub::DeviceMergeSort::StableSortKeys(
          memory, bytes, reinterpret_cast<bytes_of_key<Key>*>(arrays.codes.Current()),
          static_cast<std::int64_t>(arrays.size), less_by<user_keys<Key, Operators>>{keys}, stream),
      "cub::DeviceMergeSort");
  return bytes;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
