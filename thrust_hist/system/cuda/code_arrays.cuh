// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Codes with words beside them, in memory of a call, and how they are sorted: by the bits in which
/// they differ, or by their high ones alone where these tell nearly all of them apart.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/loose_order.cuh>
#include <thrust_hist/system/cuda/paired_sort.cuh>
#include <thrust_hist/system/cuda/prefix_groups.h>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/sorted_bits.h>
#include <thrust_hist/system/cuda/sorting.cuh>
#include <thrust_hist/system/cuda/split_sort.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Policy, class Kind, class Beside>
class code_arrays {
public:
  using code = typename Kind::code;
  using input = sorting_input<code, Beside>;
  static constexpr bool has_beside = !std::is_same_v<Beside, nothing_beside>;
  /// Whether CUB sorts them by their bits; and the kernels that mend what high bits leave compare
  /// as it does.
  static constexpr bool has_bits = is_number_kind<Kind> || is_standing_kind<Kind>;
  static constexpr bool can_be_mended =
      has_bits && (sizeof(code) == 4 || !std::is_floating_point_v<code>);

  code_arrays(call_memory<Policy>& memory, Kind const& kind)
      : memory_(memory), kind_(kind), codes_(memory), beside_(memory) {}

  void take(std::uint64_t size) {
    codes_.take(size);
    beside_.take(has_beside ? size : 0);
  }
  /// The same, with memory to sort all of them, which are written here or come from elsewhere, and
  /// of at least so many bytes for what comes then. `may_know_bits`: those in which codes differ,
  /// when they are sorted.
  void take_to_sort(
      std::uint64_t size, input const& from, bool may_know_bits, std::size_t least = 0) {
    std::size_t const codes = slab_pieces::rounded(size * sizeof(code)) +
                              slab_pieces::rounded(has_beside ? size * sizeof(Beside) : 0);
    memory_.reserve(
        codes, (std::max)(bytes_beside(size, codes, from, may_know_bits), least), bytes_kept);
    take(size);
  }
  void give_back() noexcept {
    codes_.give_back();
    beside_.give_back();
  }
  code* codes() const noexcept { return codes_.data(); }
  Beside* beside() const noexcept { return beside_.data(); }

  /// Sorts the first `size`. `differing`: the bits in which not all of them are equal, where they
  /// are numbers. `high`: what is known of their high bits, see high_bits. Or numbers that stand
  /// elsewhere are sorted to here.
  template <class HighBits>
  void sort(std::uint64_t size, uint128 differing, HighBits high, input const& from = {}) {
    bool const is_here = from.codes == nullptr;
    if (is_here && (size < 2 || differing == 0)) {
      return;
    }
    bit_parts parts = parts_of(differing);
    if (size < codes_worth_mending) {
      parts = {{parts.all()}, 1};
    }
    if constexpr (can_be_mended && sizeof(code) <= 8) {
      int const low_bits = parts.all().end - bits_of_groups(sizeof(code), size);
      if (pay_by_groups(sizeof(code), has_beside ? sizeof(Beside) : 0, size) &&
          bit_range{low_bits, parts.all().end}.passes() < parts.passes() &&
          high.leave_short_groups(low_bits)) {
        sort_by_high(low_bits, parts, size, from);
        return;
      }
    }
    if constexpr (can_be_mended && sizeof(code) >= 8) {
      bit_range const all = parts.all();
      bool const may_look =
          size >= (sizeof(code) > 8 ? inputs_worth_a_look(sizeof(code)) : codes_worth_looking);
      auto const spared = [&](int bits) {
        bool const are_some_left = all.end - bits >= all.first + 8;
        return are_some_left ? parts.passes() - bit_range{all.end - bits, all.end}.passes() : 0;
      };
      // Of 16 bytes even less than these bits may do.
      bool const may_be_mended = size >= codes_worth_mending && parts.passes() > 2 &&
                                 (sizeof(code) > 8 || spared(high_bits_for(size)) > 0);
      int const bits = may_be_mended ? high.bits(size, may_look) : 0;
      int const low_bits = all.end - bits;
      int const least_spared = may_look && size < codes_worth_looking ? 2 : 1;  // a look takes one
      if (may_be_mended && spared(bits) >= least_spared && high.tell_apart(low_bits, may_look)) {
        sort_by_high(low_bits, parts, size, from);
        return;
      }
      if constexpr (sizeof(code) == 8) {
        if (sort_by_stretches(parts, size, high, from)) {
          return;
        }
      }
    }
    sort_by(parts, size, from);
  }
  /// The same of any in number and memory that this pays for, bucket by bucket: equal codes come in
  /// any order. Takes no more than so many bytes beside them. Returns whether it did.
  bool sort_by_buckets(std::uint64_t size, std::size_t most_bytes) {
    if constexpr (sorts_by_buckets) {
      if (size < least_by_buckets || size > most_by_buckets) {
        return false;
      }
      paired_sort<Policy, code, Beside> sort(memory_, size);
      std::size_t const arrays =
          slab_pieces::rounded(size * sizeof(code)) + slab_pieces::rounded(size * sizeof(Beside));
      if (!sort.has_room() || arrays + sort.bytes() > most_bytes) {
        return false;
      }
      memory_.reserve(size * sizeof(code), size * sizeof(Beside), sort.bytes());
      held_array<code, Policy> other_codes(memory_);
      held_array<Beside, Policy> other_beside(memory_);
      code const* const from = codes_.data();
      sort.run(
          from, same_code<code>{}, words_of_codes<Beside>{beside_.data()}, nullptr,
          other_codes.take(size), other_beside.take(size));
      codes_.swap(other_codes);
      beside_.swap(other_beside);
      return true;
    } else {
      return false;
    }
  }

private:
  /// Codes of 4 bytes CUB sorts as fast.
  static constexpr bool sorts_by_buckets = is_number_kind<Kind> && sizeof(code) == 8 && has_beside;
  static constexpr std::uint64_t least_by_buckets = std::uint64_t{1} << 16;
  static constexpr std::uint64_t most_by_buckets = std::uint64_t{1} << 23;
  /// Less are sorted by all bits at once: to mend what high ones leave, or to sort part by part,
  /// would take as long.
  static constexpr std::uint64_t codes_worth_mending = std::uint64_t{1} << 19;
  /// And for less nobody looks whether these suffice, but what is known tells.
  static constexpr std::uint64_t codes_worth_looking = std::uint64_t{1} << 22;
  /// To find where crowds are, and to begin a sort for each stretch, takes what is gained with
  /// less.
  static constexpr std::uint64_t codes_worth_splitting = std::uint64_t{1} << 25;

  static bit_parts parts_of(uint128 differing) {
    constexpr int bits = 8 * sizeof(code);
    if constexpr (has_bits) {
      uint128 const among_them = differing & (~uint128{} >> (128 - bits));
      return parts_that_differ(among_them != 0 ? among_them : 1);
    } else {
      return {{{0, bits}}, 1};
    }
  }
  /// By the lowest part first: equal numbers keep their order. Where there are several, numbers
  /// that stand elsewhere are copied, so that all parts are sorted from one pair of arrays to the
  /// other.
  void sort_by(bit_parts const& parts, std::uint64_t size, input from) {
    if constexpr (has_bits) {
      if (parts.size == 1 && soon_compared<code, Beside>::are(size, parts.parts[0])) {
        sort_by_comparing(size, from);
        return;
      }
    }
    if (from.codes != nullptr && parts.size > 1) {
      copy_here(from.codes, codes_.data(), size);
      if constexpr (has_beside) {
        copy_here(from.beside, beside_.data(), size);
      }
      from = {};
    }
    std::size_t const bytes = bytes_for_cub(size, from);
    bool const has_others = has_bits && from.codes == nullptr;  // else CUB takes as much
    memory_.reserve(
        has_others ? size * sizeof(code) : 0, has_others && has_beside ? size * sizeof(Beside) : 0,
        bytes);
    held_array<code, Policy> other_codes(memory_);
    held_array<Beside, Policy> other_beside(memory_);
    auto arrays = sorting_arrays<code, Beside>::in(codes_.data(), beside_.data(), size, from);
    if (has_others) {
      arrays.codes = {codes_.data(), other_codes.take(size)};
      arrays.beside = {beside_.data(), other_beside.take(has_beside ? size : 0)};
    }
    held_array<unsigned char, Policy> memory(memory_);
    memory.take((std::max<std::size_t>)(bytes, 1));
    for (int i = 0; i < parts.size; ++i) {
      arrays.bits = parts.parts[i];
      cuda::sort_codes(kind_, memory.data(), bytes, arrays, memory_.stream());
    }
    if (arrays.codes.Current() != codes_.data()) {
      codes_.swap(other_codes);
    }
    if (has_beside && arrays.beside.Current() != beside_.data()) {
      beside_.swap(other_beside);
    }
  }
  /// In place, or from where they stand.
  void sort_by_comparing(std::uint64_t size, input const& from) {
    auto arrays = sorting_arrays<code, Beside>::in(codes_.data(), beside_.data(), size, from);
    std::size_t const bytes = bytes_to_compare(size, from);
    held_array<unsigned char, Policy> memory(memory_);
    cuda::sort_by_comparing(
        memory.take(bytes), bytes, arrays, less_number<code>{}, memory_.stream());
  }
  template <class T>
  void copy_here(T const* from, T* to, std::uint64_t size) {
    require(
        cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDefault, memory_.stream()),
        "cudaMemcpyAsync of keys");
  }
  std::size_t bytes_to_compare(std::uint64_t size, input const& from) const {
    auto arrays = sorting_arrays<code, Beside>::in(codes_.data(), beside_.data(), size, from);
    return cuda::sort_by_comparing(nullptr, 0, arrays, less_number<code>{}, memory_.stream());
  }
  /// To sort codes, beside so many bytes of them and their words. Some are surely compared.
  std::size_t bytes_beside(
      std::uint64_t size, std::size_t codes, input const& from, bool may_know_bits) {
    if constexpr (has_bits) {
      if (!may_know_bits && soon_compared<code, Beside>::are(size, {0, 8 * sizeof(code)})) {
        return bytes_to_compare(size, from);
      }
    }
    bool const has_others = has_bits && from.codes == nullptr;
    return (has_others ? codes : 0) + bytes_for_cub(size, from);
  }
  /// Whatever the bits are: it takes most where they are all. CUB is asked once, for that takes
  /// some microseconds.
  std::size_t bytes_for_cub(std::uint64_t size, input const& from) {
    bool const is_here = from.codes == nullptr;
    if (asked_.bytes == 0 || asked_.size != size || asked_.is_here != is_here) {
      asked_ = {size, is_here, cuda::sort_bytes<Beside>(kind_, size, memory_.stream(), from)};
    }
    return asked_.bytes;
  }

  /// By all but low bits, and what that leaves is mended; by all, where that would take too long.
  void sort_by_high(int low_bits, bit_parts const& parts, std::uint64_t size, input const& from) {
    sort_by({{{low_bits, parts.all().end}}, 1}, size, from);
    if (!cuda::mend_loose_order(memory_, codes_.data(), beside_.data(), size, low_bits)) {
      sort_by(parts, size, from);
    }
  }
  /// Stretch by stretch, where crowds are seen among them. Returns whether it did.
  template <class HighBits>
  bool sort_by_stretches(
      bit_parts const& parts, std::uint64_t size, HighBits high, input const& from) {
    if (size < codes_worth_splitting || parts.passes() < 6 || !high.may_crowd()) {
      return false;
    }
    bool const is_here = from.codes == nullptr;
    code const* const codes = is_here ? codes_.data() : from.codes;
    code_stretches const stretches = cuda::draw_stretches(memory_, codes, size, parts.passes());
    if (stretches.size == 1) {
      return false;
    }
    held_array<code, Policy> other_codes(memory_);
    held_array<Beside, Policy> other_beside(memory_);
    other_codes.take(size);
    other_beside.take(has_beside ? size : 0);
    split_sort<Policy, Kind, Beside> sort(memory_, kind_, size, stretches);
    unsigned const side = sort.run(
        codes, is_here ? beside_.data() : from.beside, {codes_.data(), other_codes.data()},
        {beside_.data(), other_beside.data()});
    if (side == 1) {
      codes_.swap(other_codes);
      beside_.swap(other_beside);
    }
    return true;
  }

  /// What CUB was asked last.
  struct answer {
    std::uint64_t size;
    bool is_here;
    std::size_t bytes;
  };

  call_memory<Policy>& memory_;
  Kind kind_;
  held_array<code, Policy> codes_;
  held_array<Beside, Policy> beside_;
  answer asked_ = {};
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
