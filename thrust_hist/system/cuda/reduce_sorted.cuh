// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Numbers that stand beside many sorted codes are folded by CUB's reduction by key. Any other state is for
/// fold_runs().

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kernels/look_back.cuh>
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

/// What CUB folds of states that are numbers in memory: `terms()`, `by()` an operator that is known. One of a user's
/// would be called for values that are none of the input, behind its end.
template <class States>
struct reduction {
  static constexpr bool exists = false;
};
/// Sums are those of words, which wrap, or of real numbers: CUB knows them.
template <class Fold, class Word>
struct reduction<carried_states<Fold, Word>> {
  using state = typename Fold::state;
  static constexpr bool exists = Fold::kind != operator_kind::other &&
                                 std::is_arithmetic_v<state> && sizeof(state) == sizeof(Word) &&
                                 std::is_same_v<state, typename Fold::value>;
  static constexpr bool is_sum = Fold::kind == operator_kind::sum;
  using term = std::conditional_t<is_sum && std::is_integral_v<state>, Word, state>;

  carried_states<Fold, Word> states;

  term const* terms() const noexcept { return reinterpret_cast<term const*>(states.words); }
  auto by() const {
    if constexpr (is_sum) {
      return ::cuda::std::plus<term>{};
    } else {
      return fold_two<Fold>{states.fold};
    }
  }
};
template <>
struct reduction<counted_states> {
  static constexpr bool exists = true;
  counted_states states;

  std::uint32_t const* terms() const noexcept { return states.counts; }
  auto by() const noexcept { return ::cuda::std::plus<std::uint64_t>{}; }
};

/// Whether it folds those beside sorted codes, or numbers that stand.
template <class Begins, class States>
inline constexpr bool may_be_reduced = false;
template <class Code, class Stored, class States>
inline constexpr bool may_be_reduced<run_begins<number_keys<Code>, Stored>, States> =
    reduction<States>::exists && sizeof(Code) <= 8;

/// Less are folded as fast by fold_runs(); more CUB counts with 64 bits, which takes longer where states have as many.
inline constexpr std::uint64_t least_reduced = std::uint64_t{1} << 19;
inline constexpr std::uint64_t most_reduced = max_of<int>;

/// Writes a row for each run, as fold_sorted() does. Waits for the stream.
template <class Policy, class Begins, class States, class Writer>
std::uint64_t reduce_sorted(
    call_memory<Policy>& memory, Begins const& begins, std::uint64_t n, States const& states,
    Writer const& writer) {
  using outlet = row_outlet<Begins, Writer>;
  using key = typename outlet::key;
  using keys_out = output_of_rows<take_key<outlet>>;
  using states_out = output_of_rows<take_state<outlet, typename States::state>>;
  cudaStream_t const stream = memory.stream();
  reduction<States> const of = {states};
  std::size_t bytes = 0;
  auto const reduce = [&](void* scratch, unsigned long long* runs, unsigned long long* are_lost) {
    outlet const to = {begins, n, writer, are_lost};
    require(
        cub::DeviceReduce::ReduceByKey(
            scratch, bytes, reinterpret_cast<key const*>(begins.sorted), keys_out{{to}, 0},
            of.terms(), states_out{{to}, 0}, runs, of.by(), static_cast<int>(n), stream),
        "cub::DeviceReduce::ReduceByKey");
  };
  reduce(nullptr, nullptr, nullptr);  // only says how many bytes it takes
  held_array<unsigned char, Policy> scratch(memory);
  scratch.take((std::max<std::size_t>)(bytes, 1));
  mailbox_loan loan(stream);  // last, since it is not lent again where something throws
  auto* const letter = static_cast<unsigned long long*>(loan.box().letter);
  letter[1] = 0;
  reduce(scratch.data(), letter, letter + 1);
  synchronize(stream);  // before the memory goes back: the allocator may be anybody's
  std::uint64_t const found = letter[1] != 0 ? rows_are_lost : letter[0];
  loan.give_back();
  return found;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
