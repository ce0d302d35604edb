// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Temporary memory of a sparse histogram on CUDA. To take memory from a policy and to give it back
/// may take as long as all else in a small call, so that is done once or twice a call, and what is
/// free again serves what comes next. Where the policy has no allocator and there is no cap, that
/// is memory kept by earlier calls.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/system/cuda/kept_memory.cuh>
#include <thrust_hist/system/cuda/slab_pieces.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

template <class Policy>
class call_memory {
public:
  /// `sparing`: each piece is taken by itself and goes back as soon as it is not used any more, as
  /// a cap demands.
  explicit call_memory(Policy& policy, bool sparing = false)
      : policy_(policy), stream_(stream_of(policy)), sparing_(sparing),
        kept_(kept_memory::if_serves(policy)) {}
  ~call_memory() { give_slabs_back(); }
  call_memory(call_memory const&) = delete;
  call_memory& operator=(call_memory const&) = delete;

  Policy& policy() const noexcept { return policy_; }
  cudaStream_t stream() const noexcept { return stream_; }

  /// From now on each piece is taken by itself and goes back at once: others take memory of the
  /// same cap.
  void spare() noexcept {
    sparing_ = true;
    give_slabs_back();
  }
  /// What pieces of a call are rounded up by at most.
  static constexpr std::size_t bytes_of_rounding = 16 * slab_pieces::alignment;

  /// Takes memory for pieces of so many bytes each, if there is none that is free.
  template <class... Bytes>
  void reserve(Bytes... bytes) {
    std::size_t const all = (slab_pieces::rounded(bytes) + ...);
    if (sparing_ || pieces_.has(all)) {
      return;
    }
    give_slabs_back();
    std::size_t const room = kept_ != nullptr ? kept_->room() : 0;
    std::size_t const fit = bytes_to_keep(room, {slab_pieces::rounded(bytes)...});
    std::size_t const kept = take_kept_slab(fit) ? fit : 0;
    if (kept < all) {
      take_slab<slab_unit>(all - kept, true);
    }
  }
  /// An array that the work of the stream may use until it is given back. Null for an empty one.
  template <class T>
  T* take(std::uint64_t size) {
    static_assert(alignof(T) <= slab_pieces::alignment);
    std::size_t const bytes = size * sizeof(T);
    return reinterpret_cast<T*>(
        bytes == 0 ? nullptr
        : sparing_ ? take_slab<unit_of<alignof(T)>>(bytes, false)
                   : take_piece(bytes));
  }
  void give_back(void* piece) noexcept {
    if (piece != nullptr) {
      pieces_.give_back(static_cast<char const*>(piece));
      if (sparing_) {
        give_slabs_back();
      }
    }
  }

private:
  static constexpr std::size_t least_slab = 4096;
  static constexpr std::size_t kept_unit = 0;  ///< of a slab that is kept memory

  /// Policies may align what they hand out to what is to be put there.
  template <std::size_t Alignment>
  struct alignas(Alignment) unit_of {
    unsigned char bytes[Alignment];
  };
  using slab_unit = unit_of<slab_pieces::alignment>;

  char* take_piece(std::size_t bytes) {
    char* const piece = pieces_.take(bytes);
    if (piece != nullptr) {
      return piece;
    }
    give_slabs_back();
    std::size_t const size = slab_pieces::rounded((std::max)(bytes, least_slab));
    if (!take_kept_slab(size)) {
      take_slab<slab_unit>(size, true);
    }
    return pieces_.take(bytes);
  }
  /// Returns false where no memory is kept, or there is no room.
  bool take_kept_slab(std::size_t bytes) {
    char* const kept = kept_ != nullptr && bytes > 0 ? kept_->take(bytes) : nullptr;
    if (kept == nullptr) {
      return false;
    }
    try {
      pieces_.add({kept, bytes, kept_unit}, true);
    } catch (...) {
      kept_->give_back(kept, bytes);
      throw;
    }
    return true;
  }
  template <class Unit>
  char* take_slab(std::size_t bytes, bool is_free) {
    auto fresh = cuda::take_from_policy<Unit>(policy_, bytes / sizeof(Unit), kept_);
    auto* const data = reinterpret_cast<char*>(fresh.data());
    pieces_.add({data, bytes, sizeof(Unit)}, is_free);
    fresh.hand_over();
    return data;
  }
  template <std::size_t Alignment>
  void give_units_back(slab const& s) noexcept {
    if (s.unit == Alignment) {
      using unit = unit_of<Alignment>;
      temporary_array<unit, Policy> const gone(
          policy_, reinterpret_cast<unit*>(s.data), s.bytes / Alignment);
    } else if constexpr (Alignment > 1) {
      give_units_back<Alignment / 2>(s);
    }
  }
  /// Those that nobody uses, but kernels may still.
  void give_slabs_back() noexcept {
    bool is_idle = !waits(policy_);  // then the allocator minds the stream itself
    for (slab s = pieces_.remove_free(); s.data != nullptr; s = pieces_.remove_free()) {
      if (s.unit == kept_unit) {
        kept_->give_back_after(stream_, s.data, s.bytes);
        continue;
      }
      if (!is_idle) {
        cudaStreamSynchronize(stream_);  // the next wait reports what has failed
        is_idle = true;
      }
      give_units_back<slab_pieces::alignment>(s);
    }
  }

  Policy& policy_;
  cudaStream_t stream_;
  bool sparing_;
  slab_pieces pieces_;
  kept_memory* const kept_;
};

/// Temporary memory that may be given back before its time, or change places with another.
template <class T, class Policy>
class held_array {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  explicit held_array(call_memory<Policy>& memory) : memory_(memory) {}
  ~held_array() { give_back(); }
  held_array(held_array const&) = delete;
  held_array& operator=(held_array const&) = delete;

  /// Gives back what there was.
  T* take(std::uint64_t size) {
    give_back();
    data_ = memory_.template take<T>(size);
    return data_;
  }
  void give_back() noexcept { memory_.give_back(std::exchange(data_, nullptr)); }
  void swap(held_array& other) noexcept { std::swap(data_, other.data_); }
  T* data() const noexcept { return data_; }

private:
  call_memory<Policy>& memory_;
  T* data_ = nullptr;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
