// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Numbers of 8 bytes beside many sorted codes, or others beside codes of 8 bytes, are added up by
/// CUB's reduction by key. All else is for fold_runs().

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kernels/reduced_runs.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
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

/// What CUB adds up of states that are numbers in memory: `terms()`, with `by()`.
template <class States>
struct reduction {
  static constexpr bool exists = false;
};
/// Sums are those of words, which wrap, or of real numbers; of bool they are neither.
template <class Fold, class Word>
struct reduction<carried_states<Fold, Word>> {
  using state = typename Fold::state;
  static constexpr bool exists = Fold::kind == operator_kind::sum && std::is_arithmetic_v<state> &&
                                 sizeof(state) == sizeof(Word) &&
                                 std::is_same_v<state, typename Fold::value> &&
                                 !std::is_same_v<state, bool>;
  using term = std::conditional_t<std::is_integral_v<state>, Word, state>;

  carried_states<Fold, Word> states;

  term const* terms() const noexcept { return reinterpret_cast<term const*>(states.words); }
  auto by() const noexcept { return ::cuda::std::plus<term>{}; }
};
template <>
struct reduction<counted_states> {
  static constexpr bool exists = true;
  counted_states states;

  std::uint32_t const* terms() const noexcept { return states.words; }
  auto by() const noexcept { return ::cuda::std::plus<std::uint64_t>{}; }
};

/// Whether it adds those beside sorted codes, or integers that stand: where either has 8 bytes, for
/// which CUB has found the best shape. With 4 bytes each fold_runs() takes less.
template <class Begins, class States>
inline constexpr bool may_be_reduced = false;
template <class Code, class Stored, class States>
inline constexpr bool may_be_reduced<run_begins<number_keys<Code>, Stored>, States> =
    reduction<States>::exists && sizeof(Code) <= 8 && !is_real_sample<Stored> &&
    sizeof(Stored) + sizeof(typename States::state) > 8;

/// Less are folded as fast by fold_runs(); more CUB counts with 64 bits, which takes longer where
/// states have as many.
inline constexpr std::uint64_t least_reduced = std::uint64_t{1} << 19;
inline constexpr std::uint64_t most_reduced = max_of<int>;

/// Writes a row for each run, as fold_sorted() does. Waits for the stream.
template <class Policy, class Begins, class States, class Writer>
std::uint64_t reduce_sorted(
    call_memory<Policy>& memory, Begins const& begins, std::uint64_t n, States const& states,
    Writer const& writer) {
  using keys_out = output_of_rows<take_key<Begins, Writer>>;
  using states_out = output_of_rows<take_state<typename States::state, Writer>>;
  cudaStream_t const stream = memory.stream();
  reduction<States> const of = {states};
  std::size_t bytes = 0;
  auto const reduce = [&](void* scratch, unsigned long long* runs) {
    require(
        cub::DeviceReduce::ReduceByKey(
            scratch, bytes, begins.sorted, keys_out{{begins, writer}, 0}, of.terms(),
            states_out{{writer}, 0}, runs, of.by(), static_cast<int>(n), stream),
        "cub::DeviceReduce::ReduceByKey");
  };
  reduce(nullptr, nullptr);  // only says how many bytes it takes
  held_array<unsigned char, Policy> scratch(memory);
  scratch.take((std::max<std::size_t>)(bytes, 1));
  mailbox_loan loan(stream);
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
