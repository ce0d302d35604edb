// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which pieces of some slabs of memory are free. It touches none of it. No CUDA headers; tested
/// with g++.

#include <thrust_hist/config.h>

#include <algorithm>
#include <cstddef>
#include <vector>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

struct slab {
  char* data;
  std::size_t bytes;
  std::size_t unit;  ///< it was taken as elements of so many bytes
};

class slab_pieces {
public:
  /// Pieces begin at multiples of so many bytes from where their slab does.
  static constexpr std::size_t alignment = 256;
  static constexpr std::size_t rounded(std::size_t bytes) noexcept {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  /// Another slab, all of it free, or one piece in use. What fails leaves everything as it was.
  void add(slab const& fresh, bool is_free) {
    slabs_.reserve(slabs_.size() + 1);
    pieces_.push_back({fresh.data, fresh.bytes, fresh.data, is_free});
    slabs_.push_back(fresh);
  }
  /// Whether there is a free piece of so many bytes.
  bool has(std::size_t bytes) const noexcept { return smallest(bytes) < pieces_.size(); }
  /// How large the smallest one is that has them; 0 if none has.
  std::size_t smallest_with(std::size_t bytes) const noexcept {
    std::size_t const i = smallest(rounded(bytes));
    return i < pieces_.size() ? pieces_[i].bytes : 0;
  }
  /// From the smallest one that has them; null if none has.
  char* take(std::size_t bytes) {
    std::size_t const size = rounded(bytes);
    std::size_t const i = smallest(size);
    if (i == pieces_.size()) {
      return nullptr;
    }
    piece const found = pieces_[i];
    if (found.bytes > size) {
      piece const rest = {found.begin + size, found.bytes - size, found.slab, true};
      pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
    }
    pieces_[i] = {found.begin, size, found.slab, false};
    return found.begin;
  }
  void give_back(char const* begin) noexcept {
    auto at = std::find_if(
        pieces_.begin(), pieces_.end(), [&](piece const& p) { return p.begin == begin; });
    at->is_free = true;
    join(at + 1);
    join(at);
  }
  /// Of slabs of which nothing is in use.
  std::size_t idle_bytes() const noexcept {
    std::size_t bytes = 0;
    for (slab const& s : slabs_) {
      bool const is_idle = std::any_of(
          pieces_.begin(), pieces_.end(), [&](piece const& p) { return is_all_of(s, p); });
      bytes += is_idle ? s.bytes : 0;
    }
    return bytes;
  }
  /// Forgets a slab of which nothing is in use, and returns it; one without memory if there is
  /// none.
  slab remove_free() noexcept {
    for (auto at = slabs_.begin(); at != slabs_.end(); ++at) {
      auto const all = std::find_if(
          pieces_.begin(), pieces_.end(), [&](piece const& p) { return is_all_of(*at, p); });
      if (all != pieces_.end()) {
        slab const gone = *at;
        pieces_.erase(all);
        slabs_.erase(at);
        return gone;
      }
    }
    return {nullptr, 0, 1};
  }

private:
  /// Those of a slab are neighbours, in their order.
  struct piece {
    char* begin;
    std::size_t bytes;
    char const* slab;
    bool is_free;
  };
  using iterator = std::vector<piece>::iterator;

  static bool is_all_of(slab const& s, piece const& p) noexcept {
    return p.begin == s.data && p.is_free && p.bytes == s.bytes;
  }

  std::size_t smallest(std::size_t bytes) const noexcept {
    std::size_t best = pieces_.size();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      bool const fits = pieces_[i].is_free && pieces_[i].bytes >= bytes;
      if (fits && (best == pieces_.size() || pieces_[i].bytes < pieces_[best].bytes)) {
        best = i;
      }
    }
    return best;
  }
  /// A free piece with the free one before it.
  void join(iterator at) noexcept {
    if (at == pieces_.begin() || at == pieces_.end()) {
      return;
    }
    iterator const before = at - 1;
    if (at->is_free && before->is_free && at->slab == before->slab) {
      before->bytes += at->bytes;
      pieces_.erase(at);
    }
  }

  std::vector<slab> slabs_;
  std::vector<piece> pieces_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
