// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route shared with values: where codes lie near each other each has a
/// bin, and values are folded as histogram_by_key() folds them, by whatever route that takes. Which
/// codes occur is found out before.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/fold.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/code_places.cuh>
#include <thrust_hist/system/cuda/kernels/mark_places.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/sparse_hashed_values.cuh>
#include <thrust_hist/system/cuda/sparse_plan.h>
#include <thrust_hist/system/cuda/sparse_rows.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether values are: those that slots hold, where one folded with the identity is itself.
template <class Fold, class Kind, class Key>
inline constexpr bool folds_in_places = [] {
  if constexpr (folds_in_slots<Fold, Kind> && !has_alone_keys<Kind, Key>) {
    return keeps_single_values<Fold>;
  }
  return false;
}();

/// Scratch memory that such a fold takes, see sparse_problem.
template <class Fold>
std::size_t bytes_to_fold_in_bins(std::uint64_t pairs, std::uint64_t bins, std::size_t most) {
  return cuda::bytes_to_fold<Fold>(pairs, bins, options{}.max_temporary_bytes(most));
}

template <class Policy, class Source, class Kind, class Fold>
class dense_values {
public:
  using code = typename Kind::code;
  using key = typename Source::key;
  using keys = std::decay_t<decltype(std::declval<Source>().first)>;
  using values = std::decay_t<decltype(std::declval<Source>().values)>;
  using facts = key_facts<Policy, keys, Kind>;
  using state = typename Fold::state;

  dense_values(facts& f, Source const& source, Fold const& fold)
      : facts_(f), source_(source), fold_(fold), bits_(f.memory()), states_(f.memory()),
        places_(f.memory()) {}

  /// By a plan, under a cap or not. Returns false where codes lie too far apart.
  bool run(sparse_plan const& plan, bool is_capped) {
    range_ = plan.dense.codes != 0 ? plan.dense : range_of_all(plan.room);
    if (range_.codes == 0) {
      return false;
    }
    mark();
    if (!plan.has_all_codes && has_outside()) {
      range_ = range_of_all(plan.room);
      if (range_.codes == 0) {
        return false;
      }
      mark();
    }
    fold(plan, is_capped || range_.codes != plan.dense.codes);
    rows_ = marked_places<Policy>(facts_.memory()).find(marks(), range_.codes, places_);
    return true;
  }
  std::uint64_t rows() const { return rows_; }
  /// Writes a row for each. Returns how many there are.
  template <class Writer>
  std::uint64_t write(Source const&, Writer const& writer) const {
    if (rows_ > 0) {
      using found = folded_places<state>;
      cuda::launch(
          "write_places", write_places<code, found, Writer>, blocks_for(rows_), 256, 0,
          facts_.stream(), found{states_.data()}, static_cast<code>(range_.first), places_.data(),
          rows_, writer);
      synchronize(facts_.stream());  // before the memory goes back: the allocator may be anybody's
    }
    return rows_;
  }

private:
  place_bits marks() const { return place_bits{bits_.data()}; }

  dense_codes range_of_all(std::uint64_t most) const {
    auto const all = facts_.range();
    return all.second < most ? dense_codes{all.first, static_cast<std::uint32_t>(all.second) + 1}
                             : dense_codes{};
  }
  std::uint64_t words() const { return place_bits::size(range_.codes); }
  /// Blocks that share bits out, so that each has room for its own.
  shared_bits share_out(device_facts const& gpu) const {
    shared_bits s = {static_cast<std::uint32_t>(words()), 0};
    while (s.words > gpu.shared_bytes_block / sizeof(std::uint32_t)) {
      s.words = s.words / 2 + 1;
      ++s.parts_log2;
    }
    return s;
  }
  void mark() {
    std::size_t const bytes = words() * sizeof(std::uint32_t);
    require(
        cudaMemsetAsync(bits_.take(words()), 0, bytes, facts_.stream()),
        "cudaMemsetAsync of marks");
    auto const samples = cuda::make_samples(facts_.keys(), facts_.size());
    using samples_type = std::remove_const_t<decltype(samples)>;
    using place = place_of_code<Kind, code>;
    place const place_of = {{facts_.kind()}, static_cast<code>(range_.first), range_.codes};
    device_facts const gpu = current_facts();
    shared_bits const shared = share_out(gpu);
    if (shared.parts_log2 <= shared_bits::most_parts_log2 &&
        gpu.multiprocessors >> shared.parts_log2 != 0) {
      std::size_t const of_block = shared.words * sizeof(std::uint32_t);
      unsigned const at_once = 2 * (of_block + 1024) <= gpu.shared_bytes_processor ? 2 : 1;
      unsigned const groups = at_once * gpu.multiprocessors >> shared.parts_log2;
      cuda::launch(
          "mark_in_shared", mark_in_shared<samples_type, place>, groups << shared.parts_log2, 1024,
          of_block, facts_.stream(), samples, place_of, shared, marks());
    } else {
      cuda::launch(
          "mark_in_global", mark_in_global<samples_type, place>, 2 * gpu.multiprocessors, 1024, 0,
          facts_.stream(), samples, place_of, marks());
    }
  }
  /// Waits for the stream.
  bool has_outside() const {
    std::uint32_t const last =
        copy_to_host(cuda_system{}, facts_.policy(), bits_.data() + words() - 1, 1)[0];
    return (last >> range_.codes % 32 & 1) != 0;
  }
  /// `may_want_more`: than the plan has memory for, as less bins than planned may.
  void fold(sparse_plan const& plan, bool may_want_more) {
    using rule = bins_of_codes<Kind, code>;
    keyed_pairs<keys, values, rule> const pairs = {
        facts_.keys(), source_.values, facts_.size(),
        rule{static_cast<code>(range_.first), range_.codes}};
    state* const states = states_.take(range_.codes);
    std::size_t const held =
        bytes_kept + range_.codes * sizeof(state) + words() * sizeof(std::uint32_t);
    auto const most = may_want_more ? options{}.max_temporary_bytes(plan.bytes) : options{};
    with_reserved(most, held, [&](options const& rest) {
      detail::fold_pairs(cuda_system{}, facts_.policy(), pairs, fold_, states, rest);
    });
  }

  facts& facts_;
  Source const& source_;
  Fold const& fold_;
  held_array<std::uint32_t, Policy> bits_;
  held_array<state, Policy> states_;
  held_array<std::uint64_t, Policy> places_;
  dense_codes range_ = {};
  std::uint64_t rows_ = 0;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
