// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// CUB's sorts, with memory of a policy: numbers by the bits in which they differ, other keys by comparing.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/mend_order.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/sorted_bits.h>
#include <thrust_hist/system/cuda/standing_keys.h>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Nothing is sorted beside codes.
using nothing_beside = cub::NullType;

/// Codes and words that stand elsewhere and are to be left as they are; null where there are none.
template <class Code, class Beside>
struct sorting_input {
  Code const* codes;
  Beside const* beside;
};

/// Two arrays of codes, and of words that travel with them. Sorting may leave the result in either, or in the
/// first ones where there is an input beside.
template <class Code, class Beside>
struct sorting_arrays {
  cub::DoubleBuffer<Code> codes;
  cub::DoubleBuffer<Beside> beside;
  sorting_input<Code, Beside> from;
  std::uint64_t size;
  int first_bit;  ///< of those in which numbers differ
  int end_bit;
};

/// What CUB knows as numbers, so many that N can count them.
template <class N, class Code, class Beside>
cudaError_t sort_counted_by(
    void* memory, std::size_t& bytes, sorting_arrays<Code, Beside>& arrays, cudaStream_t stream) {
  using sort = cub::DeviceRadixSort;
  auto const n = static_cast<N>(arrays.size);
  int const first_bit = arrays.first_bit;
  int const end_bit = arrays.end_bit;
  auto const& from = arrays.from;
  if constexpr (std::is_same_v<Beside, nothing_beside>) {
    return from.codes == nullptr
               ? sort::SortKeys(memory, bytes, arrays.codes, n, first_bit, end_bit, stream)
               : sort::SortKeys(
                     memory, bytes, from.codes, arrays.codes.Current(), n, first_bit, end_bit,
                     stream);
  } else {
    return from.codes == nullptr
               ? sort::SortPairs(
                     memory, bytes, arrays.codes, arrays.beside, n, first_bit, end_bit, stream)
               : sort::SortPairs(
                     memory, bytes, from.codes, arrays.codes.Current(), from.beside,
                     arrays.beside.Current(), n, first_bit, end_bit, stream);
  }
}
/// The same of any number. `memory` null: only says how many bytes it has to have. Of codes of 4 bytes by themselves,
/// those that are not many are sorted faster where their number has 32 bits; others are not.
template <class Code, class Beside>
std::size_t sort_by_bits(
    void* memory, std::size_t bytes, sorting_arrays<Code, Beside>& arrays, cudaStream_t stream) {
  char const* const what = "cub::DeviceRadixSort";
  if constexpr (sizeof(Code) == 4 && std::is_same_v<Beside, nothing_beside>) {
    if (arrays.size < std::uint64_t{1} << 28) {
      require(cuda::sort_counted_by<std::uint32_t>(memory, bytes, arrays, stream), what);
      return bytes;
    }
  }
  require(cuda::sort_counted_by<std::uint64_t>(memory, bytes, arrays, stream), what);
  return bytes;
}

template <class Code, class Beside>
std::size_t sort_codes(
    number_keys<Code> const&, void* memory, std::size_t bytes, sorting_arrays<Code, Beside>& arrays,
    cudaStream_t stream) {
  return cuda::sort_by_bits(memory, bytes, arrays, stream);
}
template <class Key, class Beside>
std::size_t sort_codes(
    standing_keys<Key> const&, void* memory, std::size_t bytes, sorting_arrays<Key, Beside>& arrays,
    cudaStream_t stream) {
  return cuda::sort_by_bits(memory, bytes, arrays, stream);
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

/// Keys of other types, in the first arrays.
template <class Key, class Operators, class Beside>
std::size_t sort_codes(
    user_keys<Key, Operators> const& keys, void* memory, std::size_t bytes,
    sorting_arrays<Key, Beside>& arrays, cudaStream_t stream) {
  auto* const codes = reinterpret_cast<bytes_of_key<Key>*>(arrays.codes.Current());
  auto const n = static_cast<std::int64_t>(arrays.size);
  less_by<user_keys<Key, Operators>> const less = {keys};
  if constexpr (std::is_same_v<Beside, nothing_beside>) {
    require(
        cub::DeviceMergeSort::StableSortKeys(memory, bytes, codes, n, less, stream),
        "cub::DeviceMergeSort");
  } else {
    require(
        cub::DeviceMergeSort::StableSortPairs(
            memory, bytes, codes, arrays.beside.Current(), n, less, stream),
        "cub::DeviceMergeSort");
  }
  return bytes;
}

/// The bits in which codes differ, where somebody has looked at them.
template <class Kind>
uint128 differing_bits(sparse_findings const& found) {
  if constexpr (is_number_kind<Kind>) {
    return static_cast<uint128>(found.differing_high) << 64 | found.differing;
  } else {
    return ~uint128{};
  }
}

/// Codes with words beside them, or none, in memory of a policy.
template <class Policy, class Kind, class Beside>
class code_arrays {
public:
  using code = typename Kind::code;
  using input = sorting_input<code, Beside>;
  static constexpr bool has_beside = !std::is_same_v<Beside, nothing_beside>;
  /// Whether CUB sorts them by their bits; and the kernels that mend what high bits leave compare as it does.
  static constexpr bool has_bits = is_number_kind<Kind> || is_standing_kind<Kind>;
  static constexpr bool can_be_mended = has_bits && !std::is_floating_point_v<code>;

  code_arrays(Policy& policy, Kind const& kind)
      : policy_(policy), kind_(kind), codes_(policy), beside_(policy) {}

  void take(std::uint64_t size) {
    codes_.take(size);
    beside_.take(has_beside ? size : 0);
  }
  void give_back() noexcept {
    codes_.give_back();
    beside_.give_back();
  }
  code* codes() const noexcept { return codes_.data(); }
  Beside* beside() const noexcept { return beside_.data(); }

  /// Sorts the first `size`. `differing`: the bits in which not all of them are equal, where they are numbers.
  /// `tell_apart(low_bits, may_look)`: whether nearly all codes that differ do so without their low bits, too; then
  /// these need no sorting. Or numbers that stand elsewhere are sorted to here.
  template <class TellApart>
  void sort(
      std::uint64_t size, uint128 differing, cudaStream_t stream, TellApart tell_apart,
      input const& from = {}) {
    bool const is_here = from.codes == nullptr;
    if (is_here && (size < 2 || differing == 0)) {
      return;
    }
    bit_parts parts = parts_of(differing);
    if (size < codes_worth_mending) {
      parts = {{parts.all()}, 1};
    }
    if constexpr (can_be_mended && sizeof(code) >= 8) {
      bit_range const all = parts.all();
      int const low_bits = all.end - high_bits_for(size);
      bool const is_shorter =
          low_bits >= all.first + 8 && bit_range{low_bits, all.end}.passes() < parts.passes();
      if (size >= codes_worth_mending && is_shorter &&
          tell_apart(low_bits, size >= codes_worth_looking)) {
        sort_by({low_bits, all.end}, size, stream, from);
        if (!mend(low_bits, size, stream)) {
          sort_by_parts(parts, size, stream, {});
        }
        return;
      }
    }
    sort_by_parts(parts, size, stream, from);
  }
  /// What CUB takes to sort so many.
  std::size_t sort_bytes(std::uint64_t size, cudaStream_t stream) const {
    auto arrays = described(size, parts_of(~uint128{}).all());
    return cuda::sort_codes(kind_, nullptr, 0, arrays, stream);
  }

private:
  /// Less are sorted by all bits at once: to mend what high ones leave, or to sort part by part, would take as long.
  static constexpr std::uint64_t codes_worth_mending = std::uint64_t{1} << 19;
  /// And for less nobody looks whether these suffice, but what is known tells.
  static constexpr std::uint64_t codes_worth_looking = std::uint64_t{1} << 22;

  static bit_parts parts_of(uint128 differing) {
    constexpr int bits = 8 * sizeof(code);
    if constexpr (has_bits) {
      uint128 const among_them = differing & (~uint128{} >> (128 - bits));
      return parts_that_differ(among_them != 0 ? among_them : 1);
    } else {
      return {{{0, bits}}, 1};
    }
  }
  /// So many bits tell so many random codes apart, but for one pair in some thousands. As many as CUB sorts by in
  /// passes of 8.
  static int high_bits_for(std::uint64_t size) {
    int bits = 13;
    for (; size > 0; size /= 2) {
      ++bits;
    }
    return (bits + 7) / 8 * 8;
  }

  /// By the lowest part first: equal numbers keep their order. Numbers that stand elsewhere are copied, so that all parts
  /// are sorted from one pair of arrays to the other.
  void sort_by_parts(
      bit_parts const& parts, std::uint64_t size, cudaStream_t stream, input const& from) {
    if (parts.size == 1) {
      sort_by(parts.all(), size, stream, from);
      return;
    }
    if (from.codes != nullptr) {
      copy_here(from.codes, codes_.data(), size, stream);
      if constexpr (has_beside) {
        copy_here(from.beside, beside_.data(), size, stream);
      }
    }
    held_array<code, Policy> other_codes(policy_);
    held_array<Beside, Policy> other_beside(policy_);
    auto arrays = described(size, parts.all());
    arrays.codes = {codes_.data(), other_codes.take(size)};
    arrays.beside = {beside_.data(), other_beside.take(has_beside ? size : 0)};
    std::size_t const bytes = cuda::sort_codes(kind_, nullptr, 0, arrays, stream);
    held_array<unsigned char, Policy> memory(policy_);
    memory.take((std::max<std::size_t>)(bytes, 1));
    for (int i = 0; i < parts.size; ++i) {
      arrays.first_bit = parts.parts[i].first;
      arrays.end_bit = parts.parts[i].end;
      cuda::sort_codes(kind_, memory.data(), bytes, arrays, stream);
    }
    if (waits(policy_)) {  // the allocator may hand the memory to any other stream
      synchronize(stream);
    }
    keep_current(arrays, other_codes, other_beside);
  }
  template <class T>
  static void copy_here(T const* from, T* to, std::uint64_t size, cudaStream_t stream) {
    require(
        cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToDevice, stream),
        "cudaMemcpyAsync of keys");
  }
  /// Those arrays that a sort has left its result in.
  void keep_current(
      sorting_arrays<code, Beside>& arrays, held_array<code, Policy>& other_codes,
      held_array<Beside, Policy>& other_beside) {
    if (arrays.codes.Current() != codes_.data()) {
      codes_.swap(other_codes);
    }
    if (has_beside && arrays.beside.Current() != beside_.data()) {
      beside_.swap(other_beside);
    }
  }
  void sort_by(bit_range const& bits, std::uint64_t size, cudaStream_t stream, input const& from) {
    held_array<code, Policy> other_codes(policy_);
    held_array<Beside, Policy> other_beside(policy_);
    auto arrays = described(size, bits);
    arrays.from = from;
    if (has_bits && from.codes == nullptr) {  // else CUB takes as much
      arrays.codes = {codes_.data(), other_codes.take(size)};
      arrays.beside = {beside_.data(), other_beside.take(has_beside ? size : 0)};
    }
    std::size_t const bytes = cuda::sort_codes(kind_, nullptr, 0, arrays, stream);
    held_array<unsigned char, Policy> memory(policy_);
    cuda::sort_codes(kind_, memory.take((std::max<std::size_t>)(bytes, 1)), bytes, arrays, stream);
    if (waits(policy_)) {  // the allocator may hand the memory to any other stream
      synchronize(stream);
    }
    keep_current(arrays, other_codes, other_beside);
  }

  /// Sorts codes that differ in their low bits alone. Returns false where they are too many.
  bool mend(int low_bits, std::uint64_t size, cudaStream_t stream) {
    held_array<disorder, Policy> memory(policy_);
    held_array<std::uint64_t, Policy> begins(policy_);
    disorder* const found = memory.take(1);
    begins.take(disorder::room);
    require(cudaMemsetAsync(found, 0, sizeof *found, stream), "cudaMemsetAsync of a count");
    std::uint32_t const most =
        size >= codes_worth_looking ? disorder::most_codes : disorder::most_codes_of_few;
    cuda::launch(
        "find_disorder", find_disorder<code>, blocks_for(size), 256, 0, stream, codes_.data(), size,
        low_bits, most, found, begins.data());
    disorder const seen = copy_to_host(cuda_system{}, policy_, found, 1)[0];
    if (!seen.is_small() || seen.groups == 0) {
      return seen.is_small();
    }
    cuda::launch(
        "mend_order", mend_order<code, Beside>, blocks_for(seen.groups), 256, 0, stream,
        codes_.data(), beside_.data(), size, low_bits, most, found, begins.data());
    return copy_to_host(cuda_system{}, policy_, found, 1)[0].is_small();
  }

  sorting_arrays<code, Beside> described(std::uint64_t size, bit_range const& bits) const {
    return {{codes_.data(), nullptr}, {beside_.data(), nullptr}, {}, size, bits.first, bits.end};
  }

  Policy& policy_;
  Kind kind_;
  held_array<code, Policy> codes_;
  held_array<Beside, Policy> beside_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
