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
#include <thrust_hist/system/cuda/kernels/partition_codes.cuh>
#include <thrust_hist/system/cuda/kernels/sample_keys.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/sorting.cuh>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

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

/// What is asked of the keys whatever is done with them, and what kernels have found out.
template <class Policy, class Keys, class Kind>
class key_facts {
public:
  using code = typename Kind::code;
  using key = value_t<Keys>;

  key_facts(Policy& policy, Keys keys, std::uint64_t n, Kind const& kind)
      : policy_(policy), stream_(stream_of(policy)), keys_(keys), n_(n), kind_(kind),
        findings_(policy) {}

  Policy& policy() const noexcept { return policy_; }
  cudaStream_t stream() const noexcept { return stream_; }
  Keys keys() const { return keys_; }
  std::uint64_t size() const noexcept { return n_; }
  Kind const& kind() const noexcept { return kind_; }

  /// How many keys are distinct, guessed from a look at some of them.
  std::uint64_t guess() const {
    if constexpr (is_hashed_kind<Kind>) {
      return sample(0).guess(n_);
    } else {
      return n_;
    }
  }
  /// Whether nearly all codes that differ do so without their low bits, too, as a look at some has it.
  bool tell_apart(int low_bits) const {
    if constexpr (is_hashed_kind<Kind>) {
      return n_ >= inputs_worth_hashing && sample(low_bits).distinct == sample(0).distinct;
    } else {
      return false;
    }
  }

  auto by_high_bits() const {
    return [this](int low_bits) { return tell_apart(low_bits); };
  }

  /// Room for what kernels find out, of which nothing is yet.
  sparse_findings* begin_findings() {
    sparse_findings* const findings = findings_.take(1);
    require(
        cudaMemsetAsync(findings, 0, sizeof(sparse_findings), stream_),
        "cudaMemsetAsync of findings");
    return findings;
  }
  /// Waits for the stream.
  sparse_findings findings() {
    return copy_to_host(cuda_system{}, policy_, findings_.data(), 1)[0];
  }

  /// Writes the code of each key. Those that equal no other one get the last code of all.
  sparse_findings encode(code* codes) {
    cuda::launch(
        "encode_keys", encode_keys<Keys, Kind>, blocks_for(n_), 256, 0, stream_, keys_, n_, kind_,
        codes, begin_findings());
    return findings();
  }
  /// The places of so many keys that equal no other one.
  void list_alone(std::uint64_t alone, held_array<std::uint64_t, Policy>& places) const {
    if (alone > 0) {
      marked_places<Policy>(policy_).find(alone_among<Keys, Kind>{keys_, kind_}, n_, places);
    }
  }

private:
  /// A look at some keys, without the low bits of their codes.
  key_sample sample(int low_bits) const {
    held_array<unsigned char, Policy> memory(policy_);
    unsigned char* const slots = memory.take(bytes_of_sample);
    auto* const seen =
        reinterpret_cast<key_sample*>(slots + key_sample::slots * key_sample::bytes_of_slot);
    require(cudaMemsetAsync(slots, 0, bytes_of_sample, stream_), "cudaMemsetAsync of a sample");
    wide_code<Kind, code> const encode = {kind_};
    cuda::launch(
        "sample_keys", sample_keys<Keys, wide_code<Kind, code>, code>, key_sample::size / 256, 256,
        0, stream_, keys_, n_, encode, low_bits, reinterpret_cast<sample_slot*>(slots));
    cuda::launch(
        "tally_sample", tally_sample<sample_slot>, key_sample::slots / 256, 256, 0, stream_,
        reinterpret_cast<sample_slot const*>(slots), seen);
    return copy_to_host(cuda_system{}, policy_, seen, 1)[0];
  }

  Policy& policy_;
  cudaStream_t stream_;
  Keys keys_;
  std::uint64_t n_;
  Kind kind_;
  held_array<sparse_findings, Policy> findings_;
};

/// Finds the distinct keys and how often they occur.
template <class Policy, class Keys, class Kind>
class run_finder {
public:
  using code = typename Kind::code;
  using facts = key_facts<Policy, Keys, Kind>;

  explicit run_finder(facts& keys)
      : keys_(keys), codes_(keys.policy(), keys.kind()), counted_(keys.policy(), keys.kind()),
        begins_(keys.policy()), alone_places_(keys.policy()) {}

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
    return {keys_.kind(), sorted_, counted_.beside(), sorted_size_, begins_.data(), runs_};
  }
  std::uint64_t const* alone_places() const { return alone_places_.data(); }
  std::uint64_t rows() const { return runs_ + alone_; }
  /// Gives back what only the runs need.
  void forget_runs() {
    codes_.give_back();
    counted_.give_back();
    begins_.give_back();
  }

private:
  /// Counts by hash tables. Returns false where there was no room for all rows.
  bool hash(sparse_plan const& plan) {
    held_array<unsigned char, Policy> batch(keys_.policy());
    counted_.take(plan.room);
    code_rows<code> const rows = {
        counted_.codes(), counted_.beside(), keys_.begin_findings(), plan.room};
    auto const samples = cuda::make_samples(keys_.keys(), keys_.size());
    using input = std::remove_const_t<decltype(samples)>;
    using encoder = wide_code<Kind, code>;
    encoder const encode = {keys_.kind()};
    if (plan.direct) {
      std::uint64_t const tiles = samples.tiles(keys_of_thread * 1024);
      auto const blocks = static_cast<unsigned>(
          std::clamp<std::uint64_t>(tiles, 1, current_facts().multiprocessors));
      cuda::launch(
          "count_keys_by_hash", count_keys_by_hash<input, encoder, code>, blocks, 1024,
          plan.direct_bytes, keys_.stream(), samples, encode,
          typename code_table<code>::description{plan.slots_log2}, tiles, rows);
    } else {
      count_buckets_of_codes(plan.buckets, batch, samples, encode, rows);
    }
    sparse_findings const found = keys_.findings();
    batch.give_back();
    if (found.rows > plan.room) {
      counted_.give_back();
      return false;
    }
    alone_ = found.alone;
    counted_.sort(found.rows, ~std::uint64_t{}, keys_.stream(), keys_.by_high_bits());
    find_runs(counted_.codes(), found.rows);
    return true;
  }

  template <class Samples, class Encode>
  void count_buckets_of_codes(
      code_buckets const& b, held_array<unsigned char, Policy>& batch, Samples const& samples,
      Encode const& encode, code_rows<code> const& rows) {
    code_memory<code, no_value> const memory(b, batch.take(b.bytes()));
    std::uint64_t const all_tiles = samples.tiles(b.codes_of_tile());
    for (std::uint64_t done = 0; done < all_tiles; done += b.layout.tiles) {
      auto const tiles =
          static_cast<std::uint32_t>((std::min<std::uint64_t>)(b.layout.tiles, all_tiles - done));
      require(
          cudaMemsetAsync(memory.totals, 0, b.layout.total_bytes(), keys_.stream()),
          "cudaMemsetAsync of the totals");
      cuda::launch(
          "partition_codes", partition_codes<Samples, Encode, code>,
          (std::min)(tiles, b.tile_blocks), b.layout.threads, b.tile_shared_bytes(), keys_.stream(),
          samples, encode, b.layout, memory, done, tiles, rows.findings);
      cuda::launch(
          "count_codes", count_codes<code, code_table<code>>, current_facts().multiprocessors, 1024,
          b.count_shared_bytes(), keys_.stream(), b.layout, b.codes_of_tile(), memory,
          typename code_table<code>::description{b.slots_log2}, rows);
    }
  }

  void sort_all() {
    codes_.take(keys_.size());
    sparse_findings const found = keys_.encode(codes_.codes());
    alone_ = found.alone;
    codes_.sort(keys_.size(), differing_bits<Kind>(found), keys_.stream(), keys_.by_high_bits());
    find_runs(codes_.codes(), keys_.size() - alone_);
  }

  /// Among the first `size` codes, which are sorted.
  void find_runs(code const* sorted, std::uint64_t size) {
    sorted_ = sorted;
    sorted_size_ = size;
    runs_ = marked_places<Policy>(keys_.policy())
                .find(run_begins<Kind>{keys_.kind(), sorted}, size, begins_);
    keys_.list_alone(alone_, alone_places_);
  }

  facts& keys_;
  code_arrays<Policy, Kind, nothing_beside> codes_;   // sorted: all of them
  code_arrays<Policy, Kind, std::uint32_t> counted_;  // hashed: rows
  held_array<std::uint64_t, Policy> begins_;
  held_array<std::uint64_t, Policy> alone_places_;
  code const* sorted_ = nullptr;
  std::uint64_t sorted_size_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t alone_ = 0;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
