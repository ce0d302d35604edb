// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Memory that is kept from call to call, up to a limit. It touches none of it. No CUDA headers;
/// tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/slab_pieces.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// `Source` has `char* take(bytes)`, null where there is no memory, and `void give_back(char*)`.
template <class Source>
class kept_slabs {
public:
  /// Small pieces have slabs of their own, of the size that cudaMalloc makes of them: in a large
  /// slab they would stand in the way of the large piece that the same call wants.
  static constexpr std::size_t small_slab = std::size_t{2} << 20;

  kept_slabs(Source const& source, std::size_t limit)
      : source_(source), limit_(limit / small_slab * small_slab) {}

  /// Of all slabs together.
  std::size_t limit() const noexcept { return limit_; }
  std::size_t bytes() const noexcept { return held_; }
  /// How large a piece there may be, if it is not small.
  std::size_t room() const noexcept {
    return limit_ - (held_ - small_.idle_bytes() - large_.idle_bytes());
  }

  /// A piece of a slab, if need be of a fresh one. Null where that would be above the limit, or the
  /// source has none.
  char* take(std::size_t bytes) {
    if (bytes > limit_) {
      return nullptr;
    }
    slab_pieces& pieces = bytes <= small_slab ? small_ : large_;
    // A large slab is not cut for little either, as long as there is room.
    bool const is_little = &pieces == &large_ && large_.smallest_with(bytes) / 8 > bytes;
    char* const piece = is_little ? nullptr : pieces.take(bytes);
    if (piece != nullptr) {
      return piece;
    }
    bool const has_fresh = is_little ? add_beside(pieces, bytes) : add_slab(pieces, bytes);
    return has_fresh || is_little ? pieces.take(bytes) : nullptr;
  }
  /// A piece of so many bytes that nobody uses any more.
  void give_back(char const* piece, std::size_t bytes) noexcept {
    (bytes <= small_slab ? small_ : large_).give_back(piece);
  }
  /// Gives back what is idle.
  void release() noexcept {
    release(small_);
    release(large_);
  }

private:
  static std::size_t of_slab(std::size_t bytes) noexcept {
    return (bytes + small_slab - 1) / small_slab * small_slab;
  }
  /// Idle slabs, none of which has room for the piece, give way: large ones to a large one at once,
  /// so that one is kept and not all that were ever wanted.
  bool add_slab(slab_pieces& pieces, std::size_t bytes) {
    std::size_t const size = of_slab(bytes);
    if (size > room()) {
      return false;
    }
    if (&pieces == &large_ || size > limit_ - held_) {
      release(large_);
    }
    if (size > limit_ - held_) {
      release(small_);
    }
    return add_beside(pieces, bytes);
  }
  bool add_beside(slab_pieces& pieces, std::size_t bytes) {
    std::size_t const size = of_slab(bytes);
    if (size > limit_ - held_) {
      return false;
    }
    char* const fresh = source_.take(size);
    if (fresh == nullptr) {
      return false;
    }
    try {
      pieces.add({fresh, size, 1}, true);
    } catch (...) {
      source_.give_back(fresh);
      throw;
    }
    held_ += size;
    return true;
  }
  void release(slab_pieces& pieces) noexcept {
    for (slab s = pieces.remove_free(); s.data != nullptr; s = pieces.remove_free()) {
      source_.give_back(s.data);
      held_ -= s.bytes;
    }
  }

  Source source_;
  std::size_t limit_;
  std::size_t held_ = 0;
  slab_pieces small_;
  slab_pieces large_;
};

/// Of pieces, those that are to be one slab of kept memory: all if there is room, or some, the
/// others being another slab. 0 where they might be mistaken for each other: each goes to the
/// smallest slab that has room.
inline std::size_t bytes_to_keep(std::size_t room, std::initializer_list<std::size_t> pieces) {
  constexpr std::size_t none = ~std::size_t{};
  std::size_t kept = 0, least_kept = none, others = 0, least_other = none;
  for (std::size_t piece : pieces) {
    bool const fits = piece <= room - kept;
    (fits ? kept : others) += piece;
    std::size_t& least = fits ? least_kept : least_other;
    least = piece > 0 ? (std::min)(least, piece) : least;
  }
  return kept < least_other || others < least_kept ? kept : 0;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
