// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The distinct keys of a sparse histogram on CUDA: sorted runs of codes, by hash tables or by sorting
/// all of them, and the places of keys that equal no other one.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/count_codes.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/partition_codes.cuh>
#include <thrust_hist/system/cuda/kernels/sample_keys.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/sorting.cuh>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Keys as CUDA sees them: codes of 4 bytes at least.
template <class Code>
auto widen(number_keys<Code> const& keys) {
  using wide = std::conditional_t<(sizeof(Code) < 4), std::uint32_t, Code>;
  return number_keys<wide>{keys.lowest, keys.span};
}
template <class Key, class Operators>
auto widen(user_keys<Key, Operators> const& keys) {
  return keys;
}

/// Codes that hash tables hold.
template <class Kind>
inline constexpr bool is_hashed_kind = false;
template <>
inline constexpr bool is_hashed_kind<number_keys<std::uint32_t>> = true;
template <>
inline constexpr bool is_hashed_kind<number_keys<std::uint64_t>> = true;

inline unsigned blocks_for(std::uint64_t threads) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(
      (threads + 255) / 256, 1, std::uint64_t{16} * current_facts().multiprocessors));
}

template <class Policy, class Keys, class Kind>
class run_finder {
public:
  using code = typename Kind::code;
  using key = value_t<Keys>;

  run_finder(Policy& policy, Keys keys, std::uint64_t n, Kind const& kind)
      : policy_(policy), stream_(stream_of(policy)), keys_(keys), n_(n), kind_(kind),
        codes_(policy), counts_(policy), begins_(policy), alone_places_(policy) {}

  /// What the plan has to know. What CUB takes is asked for only where somebody wants to know.
  sparse_problem problem(bool with_bytes) const {
    bool const is_short = sizeof(key) < 4 && is_hashed_kind<Kind> && !has_alone_keys<Kind, key>;
    std::uint64_t const most = is_short ? (std::min)(n_, std::uint64_t{1} << 8 * sizeof(key)) : n_;
    sorting_arrays<code> all = {{nullptr, nullptr}, {nullptr, nullptr}, n_, false};
    sorting_arrays<code> rows = {
        {nullptr, nullptr},
        {nullptr, nullptr},
        room_for_rows(n_, sizeof(code), current_facts()),
        true};
    return {
        n_,
        most,
        sizeof(code),
        is_hashed_kind<Kind>,
        has_alone_keys<Kind, key>,
        with_bytes ? cuda::sort_codes(kind_, nullptr, 0, all, stream_) : 0,
        with_bytes && is_hashed_kind<Kind> ? cuda::sort_codes(kind_, nullptr, 0, rows, stream_) : 0,
        0,
        0,
        0,
        0};
  }
  /// How many keys are distinct, guessed from a look at some of them.
  std::uint64_t guess() {
    if constexpr (is_hashed_kind<Kind>) {
      held_array<unsigned char, Policy> memory(policy_);
      unsigned char* const slots = memory.take(bytes_of_sample);
      auto* const sample =
          reinterpret_cast<key_sample*>(slots + key_sample::slots * key_sample::bytes_of_slot);
      require(cudaMemsetAsync(slots, 0, bytes_of_sample, stream_), "cudaMemsetAsync of a sample");
      wide_code<Kind, code> const encode = {kind_};
      cuda::launch(
          "sample_keys", sample_keys<Keys, wide_code<Kind, code>, code>, key_sample::size / 256,
          256, 0, stream_, keys_, n_, encode, reinterpret_cast<sample_slot*>(slots));
      cuda::launch(
          "tally_sample", tally_sample<sample_slot>, key_sample::slots / 256, 256, 0, stream_,
          reinterpret_cast<sample_slot const*>(slots), sample);
      return copy_to_host(cuda_system{}, policy_, sample, 1)[0].guess(n_);
    } else {
      return n_;
    }
  }

  /// Finds them by the route of a plan.
  void run(sparse_plan const& plan) {
    if constexpr (is_hashed_kind<Kind>) {
      if (plan.taken == route::hashed && hash(plan)) {
        return;
      }
    }
    sort_all();
  }

  sorted_runs<Kind> runs() const {
    return {kind_, sorted_, sorted_counts_, sorted_size_, begins_.data(), runs_};
  }
  std::uint64_t const* alone_places() const { return alone_places_.data(); }
  std::uint64_t rows() const { return runs_ + alone_; }
  /// Gives back what only the runs need.
  void forget_runs() {
    codes_.give_back();
    counts_.give_back();
    begins_.give_back();
  }

private:
  /// Counts by hash tables. Returns false where there was no room for all rows.
  bool hash(sparse_plan const& plan) {
    held_array<unsigned char, Policy> batch(policy_);
    held_array<sparse_findings, Policy> findings(policy_);
    code_rows<code> const rows = {
        codes_.take(plan.room), counts_.take(plan.room), findings.take(1), plan.room};
    require(
        cudaMemsetAsync(rows.findings, 0, sizeof(sparse_findings), stream_),
        "cudaMemsetAsync of findings");
    auto const samples = cuda::make_samples(keys_, n_);
    using input = std::remove_const_t<decltype(samples)>;
    using encoder = wide_code<Kind, code>;
    encoder const encode = {kind_};
    if (plan.direct) {
      std::uint64_t const tiles = samples.tiles(keys_of_thread * 1024);
      auto const blocks = static_cast<unsigned>(
          std::clamp<std::uint64_t>(tiles, 1, current_facts().multiprocessors));
      cuda::launch(
          "count_keys_by_hash", count_keys_by_hash<input, encoder, code>, blocks, 1024,
          plan.direct_shared_bytes(sizeof(code)), stream_, samples, encode, plan.slots_log2, tiles,
          rows);
    } else {
      count_buckets_of_codes(plan.buckets, batch, samples, encode, rows);
    }
    sparse_findings const found = copy_to_host(cuda_system{}, policy_, rows.findings, 1)[0];
    batch.give_back();
    if (found.rows > plan.room) {
      codes_.give_back();
      counts_.give_back();
      return false;
    }
    alone_ = found.alone;
    sort_rows(found.rows);
    list_alone();
    return true;
  }

  template <class Samples, class Encode>
  void count_buckets_of_codes(
      code_buckets const& b, held_array<unsigned char, Policy>& batch, Samples const& samples,
      Encode const& encode, code_rows<code> const& rows) {
    code_memory<code> const memory(b, batch.take(b.bytes()));
    std::uint64_t const all_tiles = samples.tiles(b.codes_of_tile());
    for (std::uint64_t done = 0; done < all_tiles; done += b.layout.tiles) {
      auto const tiles =
          static_cast<std::uint32_t>((std::min<std::uint64_t>)(b.layout.tiles, all_tiles - done));
      require(
          cudaMemsetAsync(memory.totals, 0, b.layout.total_bytes(), stream_),
          "cudaMemsetAsync of the totals");
      cuda::launch(
          "partition_codes", partition_codes<Samples, Encode, code>,
          (std::min)(tiles, b.tile_blocks), b.layout.threads, b.tile_shared_bytes(), stream_,
          samples, encode, b.layout, memory, done, tiles, rows.findings);
      cuda::launch(
          "count_codes", count_codes<code>, current_facts().multiprocessors, 1024,
          b.count_shared_bytes(), stream_, b.layout, memory, b.slots_log2, rows);
    }
  }

  /// Rows of hash tables, of which several may have the same code.
  void sort_rows(std::uint64_t rows) {
    held_array<code, Policy> other_codes(policy_);
    held_array<std::uint32_t, Policy> other_counts(policy_);
    sorting_arrays<code> arrays = {
        {codes_.data(), other_codes.take(rows)},
        {counts_.data(), other_counts.take(rows)},
        rows,
        true};
    sort(arrays);
    keep(arrays.codes, codes_, other_codes);
    keep(arrays.counts, counts_, other_counts);
    other_codes.give_back();
    other_counts.give_back();
    sorted_counts_ = counts_.data();
    find_runs(rows);
  }
  /// The array in which the result lies, of the two of a sort.
  template <class T>
  static void keep(
      cub::DoubleBuffer<T>& sorted, held_array<T, Policy>& array, held_array<T, Policy>& other) {
    if (sorted.Current() != array.data()) {
      array.swap(other);
    }
  }

  void sort_all() {
    held_array<code, Policy> other(policy_);
    held_array<unsigned long long, Policy> alone(policy_);
    unsigned long long* const counter = alone.take(1);
    require(cudaMemsetAsync(counter, 0, sizeof *counter, stream_), "cudaMemsetAsync of a count");
    codes_.take(n_);
    cuda::launch(
        "encode_keys", encode_keys<Keys, Kind>, blocks_for(n_), 256, 0, stream_, keys_, n_, kind_,
        codes_.data(), counter);
    sorting_arrays<code> arrays = {
        {codes_.data(), is_number_kind<Kind> ? other.take(n_) : nullptr},
        {nullptr, nullptr},
        n_,
        false};
    sort(arrays);
    keep(arrays.codes, codes_, other);
    other.give_back();
    if constexpr (has_alone_keys<Kind, key>) {
      alone_ = copy_to_host(cuda_system{}, policy_, counter, 1)[0];
    }
    find_runs(n_ - alone_);
    list_alone();
  }
  void sort(sorting_arrays<code>& arrays) {
    if (arrays.size == 0) {
      return;
    }
    std::size_t const bytes = cuda::sort_codes(kind_, nullptr, 0, arrays, stream_);
    held_array<unsigned char, Policy> memory(policy_);
    cuda::sort_codes(kind_, memory.take((std::max<std::size_t>)(bytes, 1)), bytes, arrays, stream_);
    wait_before_giving_back();
  }
  /// Under a policy that waits, the allocator may hand memory to any other stream.
  void wait_before_giving_back() {
    if (waits(policy_)) {
      synchronize(stream_);
    }
  }

  /// Among the first `size` codes, which are sorted.
  void find_runs(std::uint64_t size) {
    sorted_ = codes_.data();
    sorted_size_ = size;
    runs_ = list(run_begins<Kind>{kind_, sorted_}, size, begins_);
  }
  void list_alone() {
    if (alone_ > 0) {
      list(alone_among<Keys, Kind>{keys_, kind_}, n_, alone_places_);
    }
  }
  template <class Marks>
  std::uint64_t list(
      Marks const& marks, std::uint64_t n, held_array<std::uint64_t, Policy>& places) {
    if (n == 0) {
      return 0;
    }
    std::uint64_t const tiles = marked_tile::count(n);
    held_array<unsigned long long, Policy> memory(policy_);
    unsigned long long* const sums = memory.take(tiles + 1);
    auto const blocks = static_cast<unsigned>(tiles);
    cuda::launch(
        "count_marked", count_marked<Marks>, blocks, marked_tile::threads, 0, stream_, marks, n,
        sums);
    cuda::launch(
        "sum_up_tiles", sum_up_tiles<unsigned long long>, 1, 1024, 0, stream_, sums, tiles);
    std::uint64_t const count = copy_to_host(cuda_system{}, policy_, sums + tiles, 1)[0];
    cuda::launch(
        "list_marked", list_marked<Marks>, blocks, marked_tile::threads, 0, stream_, marks, n, sums,
        places.take(count));
    wait_before_giving_back();
    return count;
  }

  Policy& policy_;
  cudaStream_t stream_;
  Keys keys_;
  std::uint64_t n_;
  Kind kind_;
  held_array<code, Policy> codes_;
  held_array<std::uint32_t, Policy> counts_;
  held_array<std::uint64_t, Policy> begins_;
  held_array<std::uint64_t, Policy> alone_places_;
  code const* sorted_ = nullptr;
  std::uint32_t const* sorted_counts_ = nullptr;
  std::uint64_t sorted_size_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t alone_ = 0;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
