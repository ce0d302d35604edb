// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sums of numbers that stand beside many sorted codes: CUB's reduction by key, which is tuned for just these. Any
/// other state, and any other operator, is for fold_runs().

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/kernels/summed_runs.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether sums are such: of numbers that were sorted with integers, or with codes. Where real keys stand, some may be
/// no numbers, and nothing is to be written then.
template <class Begins, class States>
inline constexpr bool are_sums_of_numbers = false;
template <class Code, class Stored, class Fold, class Word>
inline constexpr bool
    are_sums_of_numbers<run_begins<number_keys<Code>, Stored>, carried_states<Fold, Word>> =
        Fold::kind == operator_kind::sum && sizeof(Code) <= 8 &&
        !is_real_sample<Stored> && std::is_arithmetic_v<typename Fold::state> &&
        sizeof(typename Fold::state) == sizeof(Word);

/// Less are folded as fast by fold_runs(); more CUB counts with 64 bits, which takes longer where sums have as many.
inline constexpr std::uint64_t least_summed = std::uint64_t{1} << 19;
inline constexpr std::uint64_t most_summed = max_of<int>;

/// Writes a row for each run, as fold_sorted() does. Waits for the stream.
template <class Policy, class Kind, class Stored, class Fold, class Word, class Writer>
std::uint64_t sum_sorted(
    call_memory<Policy>& memory, run_begins<Kind, Stored> const& begins, std::uint64_t n,
    carried_states<Fold, Word> const& states, Writer const& writer) {
  using state = typename Fold::state;
  using summand = std::conditional_t<std::is_integral_v<state>, Word, state>;  // words wrap
  using keys_out = output_of_rows<take_key<Kind, Stored, Writer>>;
  using sums_out = output_of_rows<take_sum<Fold, Writer>>;
  cudaStream_t const stream = memory.stream();
  auto const* const summands = reinterpret_cast<summand const*>(states.words);
  std::size_t bytes = 0;
  auto const reduce = [&](void* scratch, unsigned long long* runs) {
    require(
        cub::DeviceReduce::ReduceByKey(
            scratch, bytes, begins.sorted, keys_out{{writer}, 0}, summands, sums_out{{writer}, 0},
            runs, ::cuda::std::plus<summand>{}, static_cast<int>(n), stream),
        "cub::DeviceReduce::ReduceByKey");
  };
  reduce(nullptr, nullptr);  // only says how many bytes it takes
  held_array<unsigned char, Policy> scratch(memory);
  scratch.take((std::max<std::size_t>)(bytes, 1));
  mailbox_loan loan(stream);  // last, since it is not lent again where something throws
  auto* const runs = static_cast<unsigned long long*>(loan.box().letter);
  reduce(scratch.data(), runs);
  synchronize(stream);  // before the memory goes back: the allocator may be anybody's
  std::uint64_t const found = *runs;
  loan.give_back();
  return found;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
