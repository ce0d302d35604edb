// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA whose values can be folded neither in hash tables nor in runs: first
/// the distinct keys are found, then each has a row, and values are folded into rows as into bins.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/code_arrays.cuh>
#include <thrust_hist/system/cuda/code_kinds.cuh>
#include <thrust_hist/system/cuda/complex_parts.cuh>
#include <thrust_hist/system/cuda/fold.cuh>
#include <thrust_hist/system/cuda/fold_of_rows.cuh>
#include <thrust_hist/system/cuda/fold_sorted_bins.cuh>
#include <thrust_hist/system/cuda/high_bits.cuh>
#include <thrust_hist/system/cuda/kernels/ranks.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/sparse_hashed.cuh>
#include <thrust_hist/system/cuda/sparse_hashed_values.cuh>
#include <thrust_hist/system/cuda/sparse_sorted.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// The distinct keys, in ascending order.
template <class Policy, class Keys, class Kind>
class distinct_keys {
public:
  using code = typename Kind::code;
  using facts = key_facts<Policy, Keys, Kind>;

  explicit distinct_keys(facts& f)
      : facts_(f), codes_(f.memory()), alone_places_(f.memory()), slots_(f.memory()) {}

  /// Finds them by the route of a plan.
  void run(sparse_plan const& plan) {
    if (plan.taken != route::hashed || !hash(plan)) {
      sort();
    }
    facts_.list_alone(alone_, {alone_places_.take(alone_), false});
    facts_.give_back();  // the cap is for what comes now
  }
  std::uint64_t rows() const { return size_ + alone_; }
  std::uint64_t alone() const { return alone_; }
  std::uint64_t const* alone_places() const { return alone_places_.data(); }

  /// What tells the row of a key.
  rank_table<Kind> table() {
    std::uint64_t const slots = slots_for(size_);
    rank_table<Kind> const table = {
        facts_.kind(), codes_.data(), size_, slots_.take(slots),
        static_cast<std::uint32_t>(slots - 1)};
    require(
        cudaMemsetAsync(table.slots, 0, slots * sizeof(std::uint32_t), facts_.stream()),
        "cudaMemsetAsync of the rows of keys");
    if (size_ > 0 && size_ < max_of<std::uint32_t>) {  // else by halving alone
      cuda::launch(
          "enter_ranks", enter_ranks<Kind>, blocks_for(size_), 256, 0, facts_.stream(), table);
    }
    return table;
  }
  /// What so many keys take for that.
  static std::size_t bytes(std::uint64_t keys) {
    return keys * sizeof(code) + slots_for(keys) * sizeof(std::uint32_t);
  }

private:
  static std::uint64_t slots_for(std::uint64_t keys) {
    std::uint64_t slots = 32;
    while (slots < 2 * keys && slots < (std::uint64_t{1} << 31)) {
      slots *= 2;
    }
    return slots;
  }

  /// Returns false where hash tables had no room.
  bool hash(sparse_plan const& plan) {
    if constexpr (is_hashed_kind<Kind>) {
      hashed_counts<Policy, Keys, Kind> counts(facts_);
      if (!counts.run(plan)) {
        return false;
      }
      alone_ = counts.found().alone();
      gather(counts.found().codes(), counts.found().size());
    }
    return is_hashed_kind<Kind>;
  }
  void sort() {
    code_arrays<Policy, Kind, nothing_beside> all(facts_.memory(), facts_.kind());
    all.take_to_sort(facts_.size(), {}, facts_.may_know_bits());
    sparse_findings const found = facts_.encode(all.codes());
    alone_ = found.alone;
    all.sort(
        facts_.size(), differing_bits<Kind, typename facts::key>(found),
        high_bits<facts>{facts_, true});
    gather(all.codes(), facts_.size() - alone_);
  }
  /// The first of each run of equal codes.
  void gather(code const* sorted, std::uint64_t size) {
    held_array<std::uint64_t, Policy> begins(facts_.memory());
    size_ = marked_places<Policy>(facts_.memory())
                .find(run_begins<Kind>{facts_.kind(), sorted}, size, begins);
    codes_.take(size_);
    if (size_ > 0) {
      cuda::launch(
          "gather_codes", gather_codes<Kind>, blocks_for(size_), 256, 0, facts_.stream(), sorted,
          begins.data(), size_, codes_.data());
    }
    synchronize(facts_.stream());
  }

  facts& facts_;
  held_array<code, Policy> codes_;
  held_array<std::uint64_t, Policy> alone_places_;
  held_array<std::uint32_t, Policy> slots_;
  std::uint64_t size_ = 0;
  std::uint64_t alone_ = 0;
};

/// Scratch memory to fold values into `rows` rows under options: by the fold itself, and of complex
/// numbers by its parts.
template <class Fold>
std::size_t bytes_to_fold(std::uint64_t n, std::uint64_t rows, options const& o) {
  std::size_t of_parts = 0;
  if constexpr (!std::is_void_v<typename fold_of_part<Fold>::type>) {
    of_parts = cuda::bytes_to_fold<typename fold_of_part<Fold>::type>(n, rows, o);
  }
  fold_problem problem = means_of<fold_taken_t<rows_fold_t<Fold>>>::problem(n, rows, false);
  problem.visits = true;  // each key's row is looked up
  try {
    return (std::max)(of_parts, plan_fold(problem, current_facts(), o).scratch_bytes);
  } catch (memory_limit_error const& error) {
    return (std::max)(of_parts, error.smallest());
  } catch (std::invalid_argument const&) {
    return of_parts;  // a route that is impossible
  }
}

/// What a plan has to know of values in any case.
template <class Fold, class Source, class Kind>
value_bytes bytes_of_values(std::uint64_t n) {
  value_bytes bytes = {};
  bytes.any = true;
  bytes.state = sizeof(typename Fold::state);
  if constexpr (folds_runs<Fold>) {
    bytes.state = sizeof(typename run_fold_t<Fold>::state);
    bytes.long_sum = may_lose_bits<Fold> ? sizeof(typename Fold::state) : 0;
    bytes.sorted = carries_value<Fold> || n <= max_of<std::uint32_t>;  // else numbers take 64 bits
    if (bytes.sorted) {
      bytes.beside_code = sizeof(typename carried_words<sorting_fold_t<Fold, Source>>::type);
      bytes.narrowed = sizeof(typename carried_words<Fold>::type) - bytes.beside_code;
    }
  }
  if constexpr (folds_in_slots<Fold, Kind>) {
    bytes.in_slots = true;
    bytes.in_bucket = sizeof(typename Fold::value);
    bytes.slot = slots_of_fold<Fold>::type::words * 4;
  }
  fold_problem const by_row = means_of<fold_taken_t<rows_fold_t<Fold>>>::problem(n, 1, false);
  if (by_row.means == fold_means::lock) {
    std::size_t const padding = 15 + by_row.state_alignment;  // as lock_table_bytes() has it
    bytes.rows_of_block =
        (current_facts().shared_bytes_block - padding) / (by_row.state_bytes + sizeof(unsigned));
  }
  return bytes;
}

/// And of memory, where they are folded into rows, of which there may be as many as keys.
template <class Fold, class Policy, class Keys, class Kind>
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
      distinct_keys<Policy, Keys, Kind>::bytes(rows) + least + (problem.may_be_alone ? 8 * n : 0);
  // Fewer rows may get a table in each block.
  problem.values.tables = most + 2 * facts.multiprocessors * facts.shared_bytes_block;
}

/// Keys as the numbers of their rows.
template <class Keys, class Kind>
using row_iterator = thrust::transform_iterator<
    row_of_key<Keys, Kind>, thrust::counting_iterator<std::uint64_t>, std::uint64_t, std::uint64_t>;
template <class Keys, class Kind>
inline constexpr bool are_rows<row_iterator<Keys, Kind>> = true;

/// Folds the value of each key into its row.
template <class Policy, class Source, class Kind, class Fold, class Out>
void fold_rows(
    Policy& policy, Source const& source, rank_table<Kind> const& table, std::uint64_t const* alone,
    std::uint64_t rows, Fold const& fold, Out out, options const& o) {
  using keys = std::decay_t<decltype(source.first)>;
  using values = std::decay_t<decltype(source.values)>;
  using row = row_of_key<keys, Kind>;
  using iterator = row_iterator<keys, Kind>;
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
