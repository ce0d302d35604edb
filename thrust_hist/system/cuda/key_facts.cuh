// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The keys of a sparse histogram on CUDA, as codes, and what is found out about them whatever the
/// route.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/code_kinds.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/key_range.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/placed_codes.cuh>
#include <thrust_hist/system/cuda/kernels/sorted_runs.cuh>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/key_sampler.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/part_sample.h>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What is asked of the keys whatever is done with them, and what kernels have found out.
template <class Policy, class Keys, class Kind>
class key_facts {
public:
  using code = typename Kind::code;
  using key = value_t<Keys>;
  using kind_type = Kind;
  static constexpr bool may_be_alone = has_alone_keys<Kind, key>;

  key_facts(call_memory<Policy>& memory, Keys keys, std::uint64_t n, Kind const& kind)
      : memory_(memory), stream_(memory.stream()), keys_(keys), n_(n), kind_(kind),
        findings_(memory), hot_codes_(memory), looks_(n >= inputs_worth_a_look(sizeof(code))) {}
  /// Those of a portion of all keys, of which is known what is seen among these.
  key_facts(key_facts const& all, std::uint64_t begin, std::uint64_t size)
      : key_facts(
            all.memory_, all.keys_ + static_cast<difference_t<Keys>>(begin), size, all.kind_) {
    seen_ = all.seen_;
  }

  call_memory<Policy>& memory() const noexcept { return memory_; }
  Policy& policy() const noexcept { return memory_.policy(); }
  cudaStream_t stream() const noexcept { return stream_; }
  Keys keys() const { return keys_; }
  std::uint64_t size() const noexcept { return n_; }
  Kind const& kind() const noexcept { return kind_; }

  /// How many keys are distinct, guessed from a look at some of them, and where up to `most` seem
  /// to be, perhaps from another one. `asked`: and of how they lie. `beside`: what else is looked
  /// at while the host waits for that. `vain`: where it says of what is known first that the rest
  /// is, it is as if nobody had looked, and nobody looks later on. `asks_order`: whether keys come
  /// in order is looked at, too.
  template <class Send>
  std::uint64_t guess(
      std::uint64_t most, asked_of_range asked, look_beside<Send> const& beside,
      vain_look const& vain, bool asks_order) {
    if constexpr (is_hashed_kind<Kind>) {
      memory_.reserve(bytes_kept, bytes_of_sample);
      part_sample const part(n_);
      auto* const wanted = part.comes_along() || asks_order ? &part : nullptr;
      code* const hot = hot_codes_.take(2 * hot_sample::half);
      bool is_vain = false;
      auto const ask = [&](key_sample const& first) {
        is_vain = vain.is(first, n_);
        have_short_groups_ = first.has_short_groups(n_);
        return is_vain;
      };
      seen_keys const found = vain.may_be
                                  ? sampler().draw(hot, asked, wanted, beside, ask)
                                  : sampler().draw(hot, asked, wanted, beside, nobody_is_content);
      if (is_vain) {
        leave_unseen();
        return n_;
      }
      seen_ = found.drawn;
      have_short_groups_ = seen_.has_short_groups(n_);
      come_in_order_ = asks_order && part.are_in_order(found.of_part);
      if (!part.may_tell_more(seen_, most)) {
        return seen_.guess(n_);
      }
      key_sample const of_part = wanted != nullptr ? found.of_part : sampler().read(part);
      are_in_order_ = part.are_in_order(of_part);
      return part.guess(of_part, seen_);
    } else {
      return n_;
    }
  }
  std::uint64_t guess(std::uint64_t most, asked_of_range asked) {
    return guess(most, asked, nothing_looked_at, {}, false);
  }
  /// The same of codes that no hash table holds, too, by the sample that have_seen() has drawn
  /// before.
  std::uint64_t guess_seen(std::uint64_t most) {
    part_sample const part(n_);
    return part.may_tell_more(seen_, most) ? part.guess(sampler().read(part), seen_)
                                           : seen_.guess(n_);
  }
  /// Whether there are so many that it pays to find out in which bits their codes differ: to sort
  /// less by all takes as long.
  bool looks() const noexcept { return looks_; }
  void leave_unseen() noexcept { looks_ = false; }
  /// Whether encode() may find out more than that these are all; else all are sorted by all bits,
  /// with memory for just that.
  bool may_know_bits() const noexcept { return looks_ || may_be_alone || sizeof(key) < 4; }
  /// Whether keys come in order, as far as somebody has seen: then a guess is less sure.
  bool are_in_order() const { return are_in_order_; }
  /// Whether they do, whatever that tells of a guess, where somebody has asked.
  bool come_in_order() const { return come_in_order_; }
  /// What was seen in a sample, or nothing.
  key_sample const& seen() const { return seen_; }
  /// The same: draws one, if nobody has.
  key_sample const& have_seen() {
    if (seen_.distinct == 0) {
      seen_ = sampler().draw(0);
    }
    return seen_;
  }
  /// The frequent codes among them, seen().hot.size() in number.
  code const* hot() const { return hot_codes_.data(); }
  /// Where all of them lie: the lowest code, and how far the highest one lies above it.
  std::pair<code, code> range() {
    held_array<code_ends, Policy> memory(memory_);
    code_ends* const found = memory.take(1);
    require(cudaMemsetAsync(found, 0, sizeof(code_ends), stream_), "cudaMemsetAsync of a range");
    auto const samples = cuda::make_samples(keys_, n_);
    using samples_type = std::remove_const_t<decltype(samples)>;
    std::uint64_t const tiles = samples.tiles(16 * 256);
    cuda::launch(
        "find_ends", find_ends<samples_type, encoder, code>, blocks_for(tiles * 256), 256, 0,
        stream_, samples, encoder{kind_}, tiles, found);
    code_ends const ends = copy_to_host(cuda_system{}, policy(), found, 1)[0];
    bool const any = ends.not_lowest != 0 || ends.highest != 0;
    auto const lowest = static_cast<code>(~ends.not_lowest);
    return any ? std::make_pair(lowest, static_cast<code>(ends.highest - lowest))
               : std::pair<code, code>();
  }
  /// Whether nearly all codes that differ do so without their low bits, too, as a look at some has
  /// it; or where nobody is to look for that, at fewer, of which there are none where codes have 16
  /// bytes.
  bool tell_apart(int low_bits, bool may_look) {
    if constexpr (is_number_kind<Kind>) {
      auto const without = static_cast<unsigned>(low_bits);
      if (!may_look || !looks_ || seen_.ranges.surely_shares(without)) {
        return seen_.ranges.tells_apart(without);
      }
      return sharing(low_bits) == 0;
    } else {
      return false;
    }
  }
  /// Of the distinct codes of the sample, how many more have the high bits of another one.
  std::uint32_t sharing(int low_bits) {
    have_seen();
    if (told_.low_bits != low_bits) {
      std::uint32_t const drawn = sampler().draw(low_bits).distinct;
      told_ = {low_bits, seen_.distinct - (std::min)(seen_.distinct, drawn)};
    }
    return told_.sharing;
  }
  /// Whether codes of 4 bytes have short groups where they have the same high bits, as a sample has
  /// it, even if nobody looks any further.
  bool have_short_groups() const noexcept { return have_short_groups_; }

  /// Room for what kernels find out, of which nothing is yet.
  sparse_findings* begin_findings() {
    sparse_findings* const findings = findings_.take(1);
    require(
        cudaMemsetAsync(findings, 0, sizeof(sparse_findings), stream_),
        "cudaMemsetAsync of findings");
    return findings;
  }
  sparse_findings const* found() const noexcept { return findings_.data(); }
  void give_findings_back() noexcept { findings_.give_back(); }
  /// And frequent codes.
  void give_back() noexcept {
    findings_.give_back();
    hot_codes_.give_back();
  }
  /// Waits for the stream.
  sparse_findings findings() {
    return copy_to_host(cuda_system{}, policy(), findings_.data(), 1)[0];
  }

  /// Writes the code of each key. Those that equal no other one get the last code of all.
  sparse_findings encode(code* codes) {
    bool const asks = may_be_alone || (is_number_kind<Kind> && looks_);
    if constexpr (!is_number_kind<Kind> && !std::has_unique_object_representations_v<code>) {
      // Sorted byte by byte, padding and all, which copies of a key need not write.
      require(cudaMemsetAsync(codes, 0, n_ * sizeof(code), stream_), "cudaMemsetAsync of keys");
    }
    cuda::launch(
        "encode_keys", encode_keys<Keys, Kind>, blocks_for(n_), 256, 0, stream_, keys_, n_, kind_,
        codes, asks ? begin_findings() : nullptr);
    return asks ? findings() : nothing_found();
  }
  /// The same of keys that are sorted as they stand, which are left there.
  sparse_findings look() {
    if constexpr (is_number_kind<Kind>) {
      if (sizeof(code) > 8 && looks_) {
        have_seen();  // nobody has, so far: their number is not guessed
      }
      return may_be_sorted_by_less() ? encode(nullptr) : nothing_found();
    } else {
      return nothing_found();
    }
  }
  bool may_be_sorted_by_less() const {
    return looks_ && cuda::may_be_sorted_by_less(n_, sizeof(code), seen_);
  }
  /// Whether codes of 8 bytes are sorted by all bits at once whatever they turn out to be, and all
  /// seem to have one.
  bool need_all_bits() const {
    range_sample const& ranges = seen_.ranges;
    return cuda::need_all_bits(seen_) && !may_be_sorted_by_less() && !ranges.may_crowd() &&
           ranges.codes == range_sample::size;
  }
  /// The places of so many keys that equal no other one, if any do.
  void list_alone(std::uint64_t alone, place_list const& places) const {
    if constexpr (may_be_alone) {
      if (alone > 0) {
        alone_among<Keys, Kind> const are_alone = {keys_, kind_};
        marked_places<Policy> marked(memory_);
        marked.count(are_alone, n_);
        marked.list(are_alone, n_, places);
      }
    }
  }

private:
  using encoder = wide_code<Kind, code>;

  static sparse_findings nothing_found() { return {0, 0, ~0ull, ~0ull, ~0ull, ~0ull}; }

  auto sampler() const {
    return key_sampler<Policy, Keys, encoder, code>(memory_, keys_, n_, encoder{kind_});
  }

  call_memory<Policy>& memory_;
  cudaStream_t stream_;
  Keys keys_;
  std::uint64_t n_;
  Kind kind_;
  held_array<sparse_findings, Policy> findings_;
  held_array<code, Policy> hot_codes_;
  key_sample seen_ = {};
  /// What a look at high bits has told last, without so many low ones; nothing without none.
  struct {
    int low_bits;
    std::uint32_t sharing;
  } told_ = {};
  bool looks_;
  bool have_short_groups_ = false;
  bool are_in_order_ = false;
  bool come_in_order_ = false;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
