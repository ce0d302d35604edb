// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Memory that is kept from call to call, up to a limit. It touches none of it. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/slab_pieces.h>

#include <algorithm>
#include <cstddef>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// `Source` has `char* take(bytes)`, null where there is no memory, and `void give_back(char*)`.
template <class Source>
class kept_slabs {
public:
  /// Small pieces have slabs of their own, of the size that cudaMalloc makes of them: in a large slab they would stand in
  /// the way of the large piece that the same call wants.
  static constexpr std::size_t small = std::size_t{2} << 20;

  kept_slabs(Source const& source, std::size_t most) : source_(source), most_(most) {}

  /// A piece of what is kept, or of a fresh slab, for which idle large ones go back. Null where that is above the limit,
  /// or the source has none.
  char* take(std::size_t bytes) {
    if (bytes > most_) {
      return nullptr;
    }
    slab_pieces& pieces = bytes <= small ? small_ : large_;
    char* const piece = pieces.take(bytes);
    return piece != nullptr || !add_slab(pieces, bytes) ? piece : pieces.take(bytes);
  }
  /// A piece of so many bytes that nobody uses any more.
  void give_back(char const* piece, std::size_t bytes) noexcept {
    (bytes <= small ? small_ : large_).give_back(piece);
  }
  /// Gives back what is idle.
  void release() noexcept {
    release(small_);
    release(large_);
  }
  /// Of all slabs.
  std::size_t bytes() const noexcept { return held_; }

private:
  bool add_slab(slab_pieces& pieces, std::size_t bytes) {
    std::size_t const size = (std::min)((bytes + small - 1) / small * small, most_);
    if (&pieces == &large_ || size > most_ - held_) {
      release(large_);
    }
    char* const fresh = size <= most_ - held_ ? source_.take(size) : nullptr;
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
  std::size_t most_;
  std::size_t held_ = 0;
  slab_pieces small_;
  slab_pieces large_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
