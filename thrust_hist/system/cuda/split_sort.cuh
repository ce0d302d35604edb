// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: codes of 8 bytes, with what lies beside them, are split
/// where crowds of them begin and end, as a sorted sample has it, and each stretch is sorted by
/// itself. Equal codes keep their order.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/code_stretches.h>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/split_codes.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/loose_order.cuh>
#include <thrust_hist/system/cuda/sorted_sample.cuh>
#include <thrust_hist/system/cuda/sorting.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// For a sample of codes that are signed or not.
struct unsigned_codes {
  template <class Code>
  __device__ bool operator()(Code code, std::uint64_t& to) const {
    to = number_code<Code>::encode(code);
    return true;
  }
};

/// In which stretches so many codes of 8 bytes had better be sorted, as a sample has it; one where
/// that takes more than so many passes over all of them. Waits for the stream.
template <class Policy, class Code>
code_stretches draw_stretches(
    call_memory<Policy>& memory, Code const* codes, std::uint64_t size, int passes) {
  constexpr std::uint32_t drawn = 4096;
  cudaStream_t const stream = memory.stream();
  sorted_sample<Policy> sample(memory);
  sample.take(drawn, sizeof(std::uint64_t));
  sample.template draw<std::uint64_t>(codes, size, unsigned_codes{}, stream);
  std::uint64_t const* const sorted = sample.template of_round<std::uint64_t>(0, drawn, 0, stream);
  return plan_stretches(
      copy_to_host(cuda_system{}, memory.policy(), sorted, drawn).data(), drawn, size, passes);
}

template <class Policy, class Kind, class Beside>
class split_sort {
public:
  using code = typename Kind::code;
  static_assert(sizeof(code) == 8);

  /// Of so many codes.
  split_sort(
      call_memory<Policy>& memory, Kind const& kind, std::uint64_t size,
      code_stretches const& stretches)
      : memory_(memory), kind_(kind), size_(size), found_(stretches) {}

  /// Sorts to one of two pairs of arrays, of which it says which one: 0 or 1. They may come from
  /// the first one.
  unsigned run(
      code const* codes, Beside const* beside, code* const (&to_codes)[2],
      Beside* const (&to_beside)[2]) {
    bool const is_here = codes == to_codes[0];
    split_arrays<code, Beside> const to = {
        {to_codes[0], to_codes[1]}, {to_beside[0], to_beside[1]}, is_here ? ~0u : odd_stretches()};
    std::uint64_t in[2] = {};
    unsigned sides[code_stretches::most] = {};
    {
      held_array<unsigned char, Policy> scratch(memory_);
      std::size_t const bytes = bytes_for_cub();
      unsigned char* const of_sort = scratch.take((std::max)(bytes, count_bytes()));
      split(codes, beside, reinterpret_cast<unsigned long long*>(of_sort), to);
      for (unsigned s = 0; s < found_.size; ++s) {
        sides[s] = sort(s, found_.parts[s].bits, to, to.in_second >> s & 1, of_sort, bytes);
        in[sides[s]] += stretch_size(s);
      }
    }
    unsigned const last = in[1] > in[0] ? 1 : 0;
    for (unsigned s = 0; s < found_.size; ++s) {
      move(s, to, sides[s], last);
      mend(s, to, last);
    }
    return last;
  }

private:
  static unsigned blocks() {
    return current_facts().multiprocessors * strip_step::blocks_of_processor;
  }
  static std::uint64_t warps() { return std::uint64_t{blocks()} * strip_step::threads / 32; }
  std::uint64_t counters() const { return found_.size * warps(); }
  std::size_t count_bytes() const {
    return (counters() + code_stretches::most + 1) * sizeof(unsigned long long);
  }
  std::uint64_t stretch_begin(unsigned s) const { return begins_[s]; }
  std::uint64_t stretch_size(unsigned s) const { return begins_[s + 1] - begins_[s]; }

  /// CUB leaves those that it sorts in an odd number of passes in the other array.
  unsigned odd_stretches() const {
    unsigned odd = 0;
    for (unsigned s = 0; s < found_.size; ++s) {
      odd |= static_cast<unsigned>(found_.parts[s].bits.passes() % 2) << s;
    }
    return odd;
  }
  /// Waits for the stream.
  void split(
      code const* codes, Beside const* beside, unsigned long long* counts,
      split_arrays<code, Beside> const& to) {
    cudaStream_t const stream = memory_.stream();
    stretch_begins begins = {};
    begins.size = found_.size - 1;
    for (unsigned b = 0; b < begins.size; ++b) {
      begins.first[b] = found_.parts[b + 1].first;
    }
    std::uint64_t const steps = (size_ + strip_step::size - 1) / strip_step::size;
    code_strips const strips = {size_, (steps + warps() - 1) / warps() * strip_step::size};
    cuda::launch(
        "count_stretches", count_stretches<code>, blocks(), strip_step::threads, 0, stream, codes,
        strips, begins, counts);
    cuda::launch(
        "sum_up_tiles", sum_up_tiles<unsigned long long>, 1, 1024, 0, stream, counts, counters());
    unsigned long long* const firsts = counts + counters() + 1;
    cuda::launch(
        "split_codes", split_codes<code, Beside>, blocks(), strip_step::threads, 0, stream, codes,
        beside, strips, begins, counts, firsts, to);
    auto const of_stretches = copy_to_host(cuda_system{}, memory_.policy(), firsts, found_.size);
    std::copy(of_stretches.begin(), of_stretches.end(), begins_);
    begins_[found_.size] = size_;
  }
  /// From one of both arrays. Returns in which one they are then.
  unsigned sort(
      unsigned s, bit_range bits, split_arrays<code, Beside> const& in, unsigned from,
      void* scratch, std::size_t bytes) {
    std::uint64_t const size = stretch_size(s);
    if (size < 2) {
      return from;
    }
    std::uint64_t const begin = stretch_begin(s);
    auto arrays = sorting_arrays<code, Beside>::in(nullptr, nullptr, size, {});
    arrays.codes = {in.codes[from] + begin, in.codes[1 - from] + begin};
    if constexpr (has_beside) {
      arrays.beside = {in.beside[from] + begin, in.beside[1 - from] + begin};
    }
    arrays.bits = bits;
    cuda::sort_by_bits(scratch, bytes, arrays, memory_.stream());
    return arrays.codes.Current() == in.codes[0] + begin ? 0 : 1;
  }
  void move(unsigned s, split_arrays<code, Beside> const& in, unsigned from, unsigned to) {
    if (from == to) {
      return;
    }
    auto const copy = [&](auto* source, auto* target) {
      require(
          cudaMemcpyAsync(
              target + stretch_begin(s), source + stretch_begin(s),
              stretch_size(s) * sizeof *source, cudaMemcpyDeviceToDevice, memory_.stream()),
          "cudaMemcpyAsync of a stretch");
    };
    copy(in.codes[from], in.codes[to]);
    if constexpr (has_beside) {
      copy(in.beside[from], in.beside[to]);
    }
  }
  /// Codes that were sorted by their high bits: by all, if many differ in the others alone.
  void mend(unsigned s, split_arrays<code, Beside> const& in, unsigned side) {
    bit_range const bits = found_.parts[s].bits;
    if (bits.first == 0 || stretch_size(s) < 2) {
      return;
    }
    Beside* const beside = has_beside ? in.beside[side] + stretch_begin(s) : nullptr;
    bool const is_mended = cuda::mend_loose_order(
        memory_, in.codes[side] + stretch_begin(s), beside, stretch_size(s), bits.first);
    if (!is_mended) {
      held_array<unsigned char, Policy> scratch(memory_);
      std::size_t const bytes = bytes_for_cub();
      move(s, in, sort(s, {0, bits.end}, in, side, scratch.take(bytes), bytes), side);
    }
  }
  std::size_t bytes_for_cub() const {
    return cuda::sort_bytes<Beside>(kind_, size_, memory_.stream());
  }

  static constexpr bool has_beside = !std::is_same_v<Beside, nothing_beside>;

  call_memory<Policy>& memory_;
  Kind kind_;
  std::uint64_t size_;
  code_stretches found_;
  std::uint64_t begins_[code_stretches::most + 1] = {};
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
