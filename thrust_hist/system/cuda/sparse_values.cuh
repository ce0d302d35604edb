// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The values of a sparse histogram on CUDA: when distinct keys are known, each key has a row, and values are
/// folded into rows as into bins.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/cuda/fold.cuh>
#include <thrust_hist/system/cuda/kernels/ranks.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/sparse_runs.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// A fold that begins with a value, as one that begins with nothing.
template <class Fold>
struct fold_from_nothing {
  using value = typename Fold::value;
  struct state {
    alignas(value) unsigned char bytes[sizeof(value)];
    std::uint32_t has_value;
  };
  static constexpr operator_kind kind = operator_kind::other;
  static constexpr bool exact = Fold::exact;
  static constexpr std::uint64_t additions_at_once = Fold::additions_at_once;
  Fold fold;

  THRUST_HIST_HOST_DEVICE state empty() const { return {}; }
  THRUST_HIST_HOST_DEVICE void add(state& s, value const& x) const {
    if (s.has_value == 0) {
      ::new (static_cast<void*>(s.bytes)) value(x);
      s.has_value = 1;
    } else {
      fold.add(*of(s), x);
    }
  }
  THRUST_HIST_HOST_DEVICE void merge(state& s, state const& other) const {
    if (other.has_value != 0) {
      add(s, *of(other));
    }
  }
  THRUST_HIST_HOST_DEVICE void settle(state&) const {}
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish(state const& s) const {
    return fold.template finish<A>(*of(s));
  }
  template <class A>
  THRUST_HIST_HOST_DEVICE A finish_with(state const& s, A const&) const {
    return finish<A>(s);  // nothing is accumulated
  }

private:
  THRUST_HIST_HOST_DEVICE static value* of(state& s) { return reinterpret_cast<value*>(s.bytes); }
  THRUST_HIST_HOST_DEVICE static value const* of(state const& s) {
    return reinterpret_cast<value const*>(s.bytes);
  }
};

/// Whether a value folded with the identity is that value, whatever it is: then a key with one value has it. (A
/// sum of reals may make +0 of -0; that is let pass, for sums are fast.)
template <class Fold>
inline constexpr bool keeps_single_values = [] {
  if constexpr (std::is_same_v<typename Fold::state, typename Fold::value>) {
    constexpr operator_kind kind = Fold::kind;
    constexpr bool is_integer = std::is_integral_v<typename Fold::value>;
    return kind == operator_kind::sum ||
           (is_integer && kind != operator_kind::other && kind != operator_kind::logical_and &&
            kind != operator_kind::logical_or);
  }
  return true;  // exact sums, where a value is added to nothing
}();

template <class Fold>
auto fold_of_rows(Fold const& fold) {
  if constexpr (starts_by_a_value<Fold> || !keeps_single_values<Fold>) {
    return fold_from_nothing<Fold>{fold};
  } else {
    return fold;
  }
}

template <class Fold>
using rows_fold_t = decltype(cuda::fold_of_rows(std::declval<Fold const&>()));

/// What it takes to find the row of a key.
template <class Policy, class Kind>
class row_table {
public:
  explicit row_table(Policy& policy) : codes_(policy), slots_(policy) {}

  static std::size_t bytes(std::uint64_t runs) {
    return runs * sizeof(typename Kind::code) + slots_for(runs) * sizeof(std::uint32_t);
  }
  /// The first step, after which nobody needs the runs.
  void take_codes(sorted_runs<Kind> const& runs, cudaStream_t stream) {
    codes_.take(runs.runs);
    if (runs.runs > 0) {
      cuda::launch(
          "gather_codes", gather_codes<Kind>, blocks_for(runs.runs), 256, 0, stream, runs,
          codes_.data());
    }
    synchronize(stream);
  }
  /// The second.
  rank_table<Kind> enter(Kind const& keys, std::uint64_t size, cudaStream_t stream) {
    std::uint64_t const slots = slots_for(size);
    rank_table<Kind> const table = {
        keys, codes_.data(), size, slots_.take(slots), static_cast<std::uint32_t>(slots - 1)};
    require(
        cudaMemsetAsync(table.slots, 0, slots * sizeof(std::uint32_t), stream),
        "cudaMemsetAsync of the rows of keys");
    if (size > 0 && size < max_of<std::uint32_t>) {  // else by halving alone
      cuda::launch("enter_ranks", enter_ranks<Kind>, blocks_for(size), 256, 0, stream, table);
    }
    return table;
  }

private:
  static std::uint64_t slots_for(std::uint64_t runs) {
    std::uint64_t slots = 32;
    while (slots < 2 * runs && slots < (std::uint64_t{1} << 31)) {
      slots *= 2;
    }
    return slots;
  }

  held_array<typename Kind::code, Policy> codes_;
  held_array<std::uint32_t, Policy> slots_;
};

/// Scratch memory to fold values into `rows` rows under options.
template <class Fold>
std::size_t bytes_to_fold(std::uint64_t n, std::uint64_t rows, options const& o) {
  fold_problem const problem = means_of<rows_fold_t<Fold>>::problem(n, rows, false);
  try {
    return plan_fold(problem, current_facts(), o).scratch_bytes;
  } catch (memory_limit_error const& error) {
    return error.smallest();
  } catch (std::invalid_argument const&) {
    return 0;  // a route that is impossible
  }
}

/// What a plan has to know of values in any case.
template <class Fold, class Kind>
value_bytes bytes_of_values(std::uint64_t n) {
  value_bytes bytes = {};
  bytes.any = true;
  bytes.state = sizeof(typename Fold::state);
  if constexpr (sorts_values<Fold>) {
    bytes.sorted = carries_value<Fold> || n <= max_of<std::uint32_t>;  // else numbers take 64 bits
    bytes.beside_code = bytes.sorted ? sizeof(carried_word<Fold>) : 0;
  }
  if constexpr (folds_in_slots<Fold, Kind>) {
    bytes.in_slots = true;
    bytes.in_bucket = sizeof(typename Fold::value);
    bytes.slot = slots_of_fold<Fold>::type::words * 4;
  }
  return bytes;
}

/// And of memory, where they are folded into rows, of which there may be as many as keys.
template <class Fold, class Policy, class Kind>
void tell_values(sparse_problem& problem) {
  std::uint64_t const n = problem.inputs;
  std::uint64_t const rows = problem.most_keys;
  std::size_t const least = cuda::bytes_to_fold<Fold>(n, rows, options{}.max_temporary_bytes(0));
  std::size_t const most = (std::max)(
      cuda::bytes_to_fold<Fold>(n, rows, {}),
      cuda::bytes_to_fold<Fold>(n, rows, options{}.force(route::partitioned)));
  device_facts const facts = current_facts();
  problem.values.row_codes = rows * sizeof(typename Kind::code);
  problem.values.least =
      row_table<Policy, Kind>::bytes(rows) + least + (problem.may_be_alone ? 8 * n : 0);
  // Fewer rows may get a table in each block.
  problem.values.tables = most + 2 * facts.multiprocessors * facts.shared_bytes_block;
}

/// Folds the value of each key into its row.
template <class Policy, class Source, class Kind, class Fold, class Out>
void fold_rows(
    Policy& policy, Source const& source, rank_table<Kind> const& table, std::uint64_t const* alone,
    std::uint64_t rows, Fold const& fold, Out out, options const& o) {
  using keys = std::decay_t<decltype(source.first)>;
  using values = std::decay_t<decltype(source.values)>;
  using row = row_of_key<keys, Kind>;
  using iterator = thrust::transform_iterator<
      row, thrust::counting_iterator<std::uint64_t>, std::uint64_t, std::uint64_t>;
  iterator const row_of(
      thrust::counting_iterator<std::uint64_t>(0),
      row{source.first, table, alone, rows - table.size});
  keyed_pairs<iterator, values, identity_bins> const pairs = {
      row_of, source.values, source.n, identity_bins(static_cast<bin_index>(rows))};
  options plain;
  plain.max_temporary_bytes_ = o.max_temporary_bytes_;
  detail::fold_pairs(cuda_system{}, policy, pairs, fold_of_rows(fold), out, plain);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
