// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A state for each bin in global memory: in scratch memory, or in the output itself where that
/// holds the same numbers.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/system/cuda/folding_job.cuh>
#include <thrust_hist/system/cuda/kernels/merge_states.cuh>
#include <thrust_hist/system/cuda/launch.cuh>

#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether the numbers of an output may be the states of a fold by atomics: integers that are not
/// narrowed at the end, and sums of real numbers; of others zeros get one sign. To an output that
/// keeps what it has, real numbers would be added one by one, not their sum.
template <class Fold, class Out>
inline constexpr bool may_fold_in_output = [] {
  using state = typename Fold::state;
  if constexpr (is_contiguous<Out>) {
    constexpr bool adds_reals = std::is_floating_point_v<state> && Fold::kind == operator_kind::sum;
    constexpr bool is_written_as_it_is = std::is_same_v<typename written_by<Fold>::type, state>;
    return std::is_same_v<decltype(detail::raw_pointer(std::declval<Out const&>())), state*> &&
           is_written_as_it_is && (std::is_integral_v<state> || adds_reals);
  } else {
    return false;
  }
}();
template <class Fold, class Out>
bool folds_in_output(bool accumulates) {
  return may_fold_in_output<Fold, Out> &&
         (!accumulates || std::is_integral_v<typename Fold::state>);
}

/// The states of a job that `Writer` brings to the output.
template <class Fold, class Writer>
class states_of_bins {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;

  /// All of them outlive it.
  states_of_bins(folding_job const& job, Fold const& fold, Writer const& write)
      : job_(job), fold_(fold), write_(write) {}

  state* get() const {
    if constexpr (may_fold_in_output<Fold, decltype(write_.out)>) {
      if (job_.plan.direct) {
        return detail::raw_pointer(write_.out);
      }
    }
    return reinterpret_cast<state*>(job_.states);
  }
  /// Before the first pair is folded into them.
  void begin() const {
    if (job_.bins > 0 && !(job_.plan.direct && write_.accumulate)) {
      cuda::launch(
          "begin_states", begin_states<Fold>, blocks_for(job_.bins), merging_threads, 0,
          job_.stream, get(), job_.bins, fold_);
    }
  }
  /// After the last.
  void write() const {
    if (job_.bins > 0 && !job_.plan.direct) {
      cuda::launch(
          "write_states", write_states<state, Writer>, blocks_for(job_.bins), merging_threads, 0,
          job_.stream, get(), job_.bins, write_);
    }
  }

private:
  folding_job const& job_;
  Fold const& fold_;
  Writer const& write_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
