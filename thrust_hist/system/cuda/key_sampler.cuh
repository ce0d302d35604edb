// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Looks at some keys of a sparse histogram on CUDA, for which the host waits.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/kernels/look_at_keys.cuh>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/part_sample.h>
#include <thrust_hist/system/cuda/sample_memory.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What is sent off behind a look at keys, for which the host does not wait then.
template <class Send>
struct look_beside {
  bool is_wanted;
  Send send;  ///< if it is
};
template <class Send>
look_beside(bool, Send) -> look_beside<Send>;
struct sends_nothing {
  void operator()() const noexcept {}
};
inline constexpr look_beside<sends_nothing> nothing_looked_at = {};

/// Nobody asks for less than all that a look finds.
struct nobody_is_content_type {};
inline constexpr nobody_is_content_type nobody_is_content = {};
template <class IsEnough>
inline constexpr bool asks_first = !std::is_same_v<IsEnough, nobody_is_content_type>;

template <class Policy, class Keys, class Encode, class Code>
class key_sampler {
public:
  key_sampler(call_memory<Policy>& memory, Keys keys, std::uint64_t n, Encode const& encode)
      : memory_(memory), stream_(memory.stream()), keys_(keys), n_(n), encode_(encode) {}

  /// Of keys that are drawn, without the low bits of their codes.
  key_sample draw(int low_bits) const {
    return look(
               true, low_bits, nullptr, asked_of_range::nothing, nullptr, nothing_looked_at,
               nobody_is_content)
        .drawn;
  }
  /// The same with all bits, and frequent ones are listed; `asked`: and what is found out of the
  /// range of some codes; `part`: and a part is read. Nobody waits for what is looked at beside.
  /// `is_enough(sample)`: whether what is known first, in two thirds of the time, is all that is
  /// wanted; then there is no more.
  template <class Send, class IsEnough>
  seen_keys draw(
      Code* hot, asked_of_range asked, part_sample const* part, look_beside<Send> const& beside,
      IsEnough is_enough) const {
    return look(true, 0, hot, asked, part, beside, is_enough);
  }
  /// Of those of a part.
  key_sample read(part_sample const& part) const {
    return look(
               false, 0, nullptr, asked_of_range::nothing, &part, nothing_looked_at,
               nobody_is_content)
        .of_part;
  }

private:
  template <class Send, class IsEnough>
  seen_keys look(
      bool draws, int low_bits, Code* hot, asked_of_range asked, part_sample const* part,
      look_beside<Send> const& beside, IsEnough is_enough) const {
    held_array<sample_unit, Policy> memory(memory_);
    unsigned char* const of_drawn = memory.take(bytes_of_sample / sizeof(sample_unit))->bytes;
    unsigned char* const of_part = of_drawn + bytes_of_slots(key_sample::slots);
    unsigned char* const end = of_part + bytes_of_slots(part_sample::slots);
    slots_and_seen const drawn = slots_in(of_drawn, draws ? key_sample::slots : 0);
    slots_and_seen const read = slots_in(of_part, part != nullptr ? part_sample::slots : 0);
    unsigned const looks = asked == asked_of_range::nothing ? 0
                           : asked == asked_of_range::ends  ? 1
                                                            : looks_at_range;
    auto* const smaller =
        looks != 0 || asks_first<IsEnough> ? reinterpret_cast<drawn_codes*>(end) : nullptr;
    mailbox_loan loan(stream_);  // before anything is under way that uses the memory
    static_assert(sizeof(seen_keys) <= mailbox::letter_bytes);
    auto* const letter = static_cast<seen_keys*>(loan.box().letter);
    unsigned char* const first = draws ? of_drawn : of_part;
    unsigned char* const last = part != nullptr ? end : of_part;
    require(
        cudaMemsetAsync(first, 0, static_cast<std::size_t>(last - first), stream_),
        "cudaMemsetAsync of a sample");
    unsigned drawing = draws ? key_sample::size / threads_of_sampler : 0;
    unsigned reading = part != nullptr ? part->blocks(current_facts().multiprocessors) : 0;
    unsigned const tallying =
        (hot != nullptr ? drawn.slots.blocks() : 0) + read.slots.blocks() + looks;
    auto const send_look = [&](unsigned draw, unsigned to_read, bool tells) {
      cuda::launch(
          "look_at_keys", look_at_keys<Keys, Encode, Code>, draw + to_read, threads_of_sampler, 0,
          stream_, keys_, n_, encode_, draw, low_bits, drawn, smaller,
          part != nullptr ? read_part{part->groups(), 32 - part->kept_log2()} : read_part{}, read,
          tells ? letter : nullptr, loan.box().ticket);
    };
    if constexpr (asks_first<IsEnough>) {
      send_look(drawing, 0, true);
      synchronize(stream_);
      if (is_enough(letter->drawn)) {
        seen_keys const found = {letter->drawn, {}};
        loan.give_back();
        return found;
      }
      drawing = 0;
    }
    if (drawing + reading > 0) {
      send_look(drawing, reading, tallying == 0);
    }
    if (tallying > 0) {
      cuda::launch(
          "tally_keys", tally_keys<Code>, tallying, range_sample::threads, 0, stream_, drawn, read,
          smaller, hot, letter, loan.box().ticket);
    }
    if (beside.is_wanted) {
      loan.expect_letter();
      beside.send();
      loan.await_letter();
    } else {
      synchronize(stream_);
    }
    seen_keys const found = {
        draws ? letter->drawn : key_sample{}, part != nullptr ? letter->of_part : key_sample{}};
    loan.give_back();
    return found;
  }
  static slots_and_seen slots_in(unsigned char* memory, std::uint32_t size) {
    auto* const codes = reinterpret_cast<unsigned long long*>(memory);
    auto* const counts = reinterpret_cast<std::uint32_t*>(codes + size);
    return {{codes, counts, size}, reinterpret_cast<key_sample*>(counts + size)};
  }

  call_memory<Policy>& memory_;
  cudaStream_t stream_;
  Keys keys_;
  std::uint64_t n_;
  Encode encode_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
