// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// CUB's sorts: many numbers by some of their bits, few of them and other keys by comparing.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_keys.h>
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

/// Two arrays of codes, and of words that travel with them. Sorting may leave the result in either,
/// or in the first ones where there is an input beside.
template <class Code, class Beside>
struct sorting_arrays {
  cub::DoubleBuffer<Code> codes;
  cub::DoubleBuffer<Beside> beside;
  sorting_input<Code, Beside> from;
  std::uint64_t size;
  bit_range bits;  ///< by which numbers are sorted

  /// The first ones, and all bits.
  static sorting_arrays in(
      Code* codes, Beside* beside, std::uint64_t size, sorting_input<Code, Beside> const& from) {
    return {{codes, nullptr}, {beside, nullptr}, from, size, {0, 8 * sizeof(Code)}};
  }
};

/// What CUB knows as numbers, so many that N can count them.
template <class N, class Code, class Beside>
cudaError_t sort_counted_by(
    void* memory, std::size_t& bytes, sorting_arrays<Code, Beside>& arrays, cudaStream_t stream) {
  using sort = cub::DeviceRadixSort;
  auto const n = static_cast<N>(arrays.size);
  int const first_bit = arrays.bits.first;
  int const end_bit = arrays.bits.end;
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
/// How many, from `least` to below `end`, CUB sorts faster where their number has 32 bits: codes of
/// 4 bytes. By themselves, but of unsigned ones only few: many take an eighth more than with 64
/// bits (docs/decisions/0029). With as much beside them unless they are few.
struct count_range {
  std::uint64_t least;
  std::uint64_t end;
};
template <class Code, class Beside>
inline constexpr count_range counted_by_32_bits = [] {
  constexpr std::uint64_t one = 1;
  constexpr bool is_alone = std::is_same_v<Beside, nothing_beside>;
  return sizeof(Code) != 4     ? count_range{0, 0}
         : is_alone            ? count_range{0, one << (std::is_unsigned_v<Code> ? 23 : 31)}
         : sizeof(Beside) == 4 ? count_range{one << 17, one << 31}
                               : count_range{0, one << 31};
}();
/// The same of any number. `memory` null: only says how many bytes it has to have.
template <class Code, class Beside>
std::size_t sort_by_bits(
    void* memory, std::size_t bytes, sorting_arrays<Code, Beside>& arrays, cudaStream_t stream) {
  char const* const what = "cub::DeviceRadixSort";
  constexpr count_range few = counted_by_32_bits<Code, Beside>;
  if constexpr (few.end > 0) {
    if (arrays.size - few.least < few.end - few.least) {  // less wrap around
      require(cuda::sort_counted_by<std::uint32_t>(memory, bytes, arrays, stream), what);
      return bytes;
    }
  }
  require(cuda::sort_counted_by<std::uint64_t>(memory, bytes, arrays, stream), what);
  return bytes;
}

/// The bytes of a key, which has no default constructor: CUB makes arrays of what it sorts.
template <class Key>
struct bytes_of_key {
  alignas(Key) unsigned char bytes[sizeof(Key)];
};
/// What is sorted for a key. Itself, if it may: bytes are copied one by one.
template <class Key>
using sorted_key = std::conditional_t<
    std::is_trivially_default_constructible_v<Key> && std::is_trivially_copy_constructible_v<Key> &&
        std::is_trivially_copy_assignable_v<Key>,
    Key, bytes_of_key<Key>>;

template <class Kind>
struct less_by {
  using code = typename Kind::code;
  Kind keys;
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE bool operator()(
      sorted_key<code> const& a, sorted_key<code> const& b) const {
    return keys.less(reinterpret_cast<code const&>(a), reinterpret_cast<code const&>(b));
  }
};

/// To the first arrays: from where they stand, or in place. Equal ones stay in their order.
template <class Key, class Beside, class Less>
std::size_t sort_by_comparing(
    void* memory, std::size_t bytes, sorting_arrays<Key, Beside>& arrays, Less const& less,
    cudaStream_t stream) {
  using sort = cub::DeviceMergeSort;
  char const* const what = "cub::DeviceMergeSort";
  // Not constant, so that CUB has the same kernels for both.
  auto* const from = reinterpret_cast<sorted_key<Key>*>(const_cast<Key*>(arrays.from.codes));
  auto* const codes = reinterpret_cast<sorted_key<Key>*>(arrays.codes.Current());
  auto const n = static_cast<std::int64_t>(arrays.size);
  if constexpr (std::is_same_v<Beside, nothing_beside>) {
    require(
        from == nullptr ? sort::StableSortKeys(memory, bytes, codes, n, less, stream)
                        : sort::StableSortKeysCopy(memory, bytes, from, codes, n, less, stream),
        what);
  } else {
    auto* const beside_from = const_cast<Beside*>(arrays.from.beside);
    auto* const beside = arrays.beside.Current();
    require(
        from == nullptr ? sort::StableSortPairs(memory, bytes, codes, beside, n, less, stream)
                        : sort::SortPairsCopy(  // which is as stable
                              memory, bytes, from, beside_from, codes, beside, n, less, stream),
        what);
  }
  return bytes;
}

/// In the order in which CUB has their bits, both zeros as one.
template <class Number>
struct less_number {
  __device__ bool operator()(Number const& a, Number const& b) const {
    if constexpr (std::is_floating_point_v<Number>) {
      return detail::order_key(a) < detail::order_key(b);
    } else {
      return a < b;
    }
  }
};
/// So many numbers, up to `most`, are in order sooner by comparing, unless many of their bits are
/// known to be equal; and of 16 bytes more, if all bits are needed, most of all with words beside
/// them.
template <class Code, class Beside>
struct soon_compared {
  static constexpr std::uint64_t one = 1;
  static constexpr std::uint64_t least = sizeof(Code) == 4   ? (one << 12) + 1
                                         : sizeof(Code) == 8 ? (one << 11) + 1
                                                             : 0;
  static constexpr std::uint64_t most = (one
                                         << (sizeof(Code) == 4   ? 17
                                             : sizeof(Code) == 8 ? 18
                                                                 : 22)) -
                                        1;
  static constexpr std::uint64_t most_by_all_bits =
      sizeof(Code) != 16 ? 0 : one << (std::is_same_v<Beside, nothing_beside> ? 23 : 24);
  static bool are(std::uint64_t size, bit_range bits) noexcept {
    constexpr auto all_passes = static_cast<int>(sizeof(Code));
    bool const are_few = size - least <= most - least;  // less wrap around
    bool const need_all_bits =
        sizeof(Code) == 16 && size <= most_by_all_bits && bits.passes() == all_passes;
    return need_all_bits || (are_few && bits.passes() * 4 >= all_passes * 3);
  }
};
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
template <class Key, class Operators, class Beside>
std::size_t sort_codes(
    user_keys<Key, Operators> const& keys, void* memory, std::size_t bytes,
    sorting_arrays<Key, Beside>& arrays, cudaStream_t stream) {
  return cuda::sort_by_comparing(
      memory, bytes, arrays, less_by<user_keys<Key, Operators>>{keys}, stream);
}

/// What CUB takes to sort so many codes of a kind, by all bits or by comparing, with such words
/// beside them; beside other arrays for these, where they do not stand elsewhere.
template <class Beside, class Kind>
std::size_t sort_bytes(
    Kind const& kind, std::uint64_t size, cudaStream_t stream,
    sorting_input<typename Kind::code, Beside> const& from = {}) {
  using code = typename Kind::code;
  auto arrays = sorting_arrays<code, Beside>::in(nullptr, nullptr, size, from);
  std::size_t const bytes = cuda::sort_codes(kind, nullptr, 0, arrays, stream);
  if constexpr (is_number_kind<Kind> || is_standing_kind<Kind>) {
    if (soon_compared<code, Beside>::are(size, arrays.bits)) {
      constexpr std::size_t of_word = std::is_same_v<Beside, nothing_beside> ? 0 : sizeof(Beside);
      std::size_t const others = from.codes == nullptr ? size * (sizeof(code) + of_word) : 0;
      std::size_t const compared =
          cuda::sort_by_comparing(nullptr, 0, arrays, less_number<code>{}, stream);
      return (std::max)(bytes, compared - (std::min)(compared, others));
    }
  }
  return bytes;
}
/// The same of so many or less, for codes of up to 8 bytes.
template <class Beside, class Kind>
std::size_t sort_bytes_at_most(Kind const& kind, std::uint64_t size, cudaStream_t stream) {
  std::uint64_t const compared = (std::min)(size, soon_compared<typename Kind::code, Beside>::most);
  return (std::max)(
      cuda::sort_bytes<Beside>(kind, size, stream),
      cuda::sort_bytes<Beside>(kind, compared, stream));
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
