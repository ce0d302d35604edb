// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse counts on CUDA, route shared: codes that lie near each other are counted as bins are, and
/// those that have occurred become rows. Nothing is sorted.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/code_places.cuh>
#include <thrust_hist/system/cuda/kernels/count_shared.cuh>
#include <thrust_hist/system/cuda/kernels/rule_memory.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/plan.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Counts keys.
template <class Policy, class Keys, class Kind>
class dense_counts {
public:
  using code = typename Kind::code;
  using key = value_t<Keys>;
  using facts = key_facts<Policy, Keys, Kind>;

  explicit dense_counts(facts& f) : facts_(f), counters_(f.memory()), places_(f.memory()) {}

  /// By a plan. Returns false where not all keys have a counter.
  bool run(sparse_plan const& plan) {
    range_ = plan.dense.codes != 0 ? plan.dense : range_of_all();
    if (range_.codes == 0) {
      return false;
    }
    count();
    if (sizeof(key) >= 4 && outside() != 0) {
      counters_.give_back();
      return false;
    }
    rows_ = marked_places<Policy>(facts_.memory()).find(counted(), range_.codes, places_);
    return true;
  }
  std::uint64_t rows() const { return rows_; }
  /// Writes a row for each. Returns how many there are.
  template <class Source, class Writer>
  std::uint64_t write(Source const&, Writer const& writer) const {
    if (rows_ > 0) {
      cuda::launch(
          "write_places", write_places<code, counted_places, Writer>, blocks_for(rows_), 256, 0,
          facts_.stream(), counted(), static_cast<code>(range_.first), places_.data(), rows_,
          writer);
      synchronize(facts_.stream());  // before the memory goes back: the allocator may be anybody's
    }
    return rows_;
  }

private:
  bool is_wide() const { return facts_.size() >> 32 != 0; }
  global_counters out() const { return {counters_.data(), is_wide()}; }
  counted_places counted() const { return counted_places{out()}; }

  /// Where that is forced, and nobody has seen a sample.
  dense_codes range_of_all() const {
    auto const all = facts_.range();
    sparse_problem p = {};
    p.code_bytes = sizeof(code);
    std::uint64_t const room = dense_room(most_dense_parts_log2(p), current_facts());
    return all.second < room ? dense_codes{all.first, static_cast<std::uint32_t>(all.second) + 1}
                             : dense_codes{};
  }
  void count() {
    std::size_t const counters = std::size_t{range_.codes} + 1;
    std::size_t const bytes = counters * (is_wide() ? 8 : 4);
    std::size_t const rows = (std::min<std::uint64_t>)(counters, facts_.size());
    facts_.memory().reserve(bytes + 8, 8 * (marked_tile::count(counters) + 1), 8 * rows);
    std::uint64_t* const memory = counters_.take((bytes + 7) / 8);
    counting_problem const problem = {facts_.size(), counters, sizeof(key) == 1, true};
    counting_plan const p =
        plan_counting(problem, current_facts(), options{}.force(route::shared_split));
    require(cudaMemsetAsync(memory, 0, bytes, facts_.stream()), "cudaMemsetAsync of counters");
    // No block may see 2^32 keys; those of a group see the same ones.
    std::uint64_t const piece = std::uint64_t{p.blocks >> p.parts_log2} << 31;
    for (std::uint64_t done = 0; done < facts_.size(); done += piece) {
      count(p, done, (std::min)(piece, facts_.size() - done), static_cast<std::uint32_t>(counters));
    }
  }
  void count(counting_plan const& p, std::uint64_t first, std::uint64_t n, std::uint32_t counters) {
    auto const samples =
        cuda::make_samples(facts_.keys() + static_cast<difference_t<Keys>>(first), n);
    using samples_type = std::remove_const_t<decltype(samples)>;
    using place = place_of_code<Kind, code>;
    cuda::launch(
        "count_shared by places", count_shared<samples_type, place, split_table, deliver_bin>,
        p.blocks, p.threads, p.shared_bytes, facts_.stream(), samples,
        place{{facts_.kind()}, static_cast<code>(range_.first), range_.codes},
        split_table{counters, p.parts_log2}, deliver_bin{out()}, bytes_of_rule{});
  }
  /// How many keys have no counter of their own.
  std::uint64_t outside() const {
    if (is_wide()) {
      auto const* const wide = reinterpret_cast<std::uint64_t const*>(counters_.data());
      return copy_to_host(cuda_system{}, facts_.policy(), wide + range_.codes, 1)[0];
    }
    auto const* const narrow = reinterpret_cast<std::uint32_t const*>(counters_.data());
    return copy_to_host(cuda_system{}, facts_.policy(), narrow + range_.codes, 1)[0];
  }

  facts& facts_;
  held_array<std::uint64_t, Policy> counters_;  // of 64 or of 32 bits
  held_array<std::uint64_t, Policy> places_;
  dense_codes range_ = {};
  std::uint64_t rows_ = 0;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
