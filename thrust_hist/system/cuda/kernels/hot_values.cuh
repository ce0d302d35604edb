// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: values of frequent codes, as a sample of the keys has them, are folded where they
/// are met first, and do not travel to buckets.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/hot_codes.cuh>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Where all values travel.
struct none_folded {
  __device__ none_folded make(void*) const { return {}; }
  __device__ void begin() const {}
  template <class Tile>
  __device__ std::uint32_t take_from(Tile&) const {
    return 0;
  }
  template <class Tile, class Places>
  __device__ void set_places(std::uint32_t, Tile const&, Places&) const {}
  template <class Places, class Value, unsigned Count>
  __device__ void fold(std::uint32_t, Places const&, Value const (&)[Count]) const {}
  __device__ void deliver() const {}
};

/// Folds values of frequent codes in slots of shared memory. Each block leaves a row for each such
/// code.
template <class Code, class States>
class hot_values {
public:
  using rows = state_rows<Code, typename States::state>;
  struct description {
    hot_codes<Code> hot;
    typename States::description states;
    rows to;
    __device__ hot_values make(void* memory) const { return hot_values(*this, memory); }
  };

  /// In shared memory from `memory` on, which is aligned to 16 bytes.
  __device__ hot_values(description const& d, void* memory)
      : slots_(d.hot, memory), states_(d.states, slots_.end(), slots_.count), to_(d.to) {}

  /// All threads of the block must call it, which waits for them.
  __device__ void begin() const {
    states_.clear();
    slots_.begin([](std::uint32_t) {});
  }
  /// Takes frequent codes from a tile. Returns a bit for each.
  template <class Tile>
  __device__ std::uint32_t take_from(Tile& tile) const {
    std::uint32_t taken = 0;
#pragma unroll
    for (unsigned i = 0; i < Tile::size; ++i) {
      bool const is_hot = slots_.code_in(slots_.of(tile.codes[i])) == tile.codes[i];
      taken |= is_hot ? 1u << i : 0;
    }
    taken &= tile.present;
    tile.present &= ~taken;
    return taken;
  }
  /// The place of one that was taken is its slot.
  template <class Tile, class Places>
  __device__ void set_places(std::uint32_t taken, Tile const& tile, Places& places) const {
#pragma unroll
    for (unsigned i = 0; i < Tile::size; ++i) {
      places.replace_if((taken & (1u << i)) != 0, i, slots_.of(tile.codes[i]));
    }
  }
  template <class Places, class Value, unsigned Count>
  __device__ void fold(std::uint32_t taken, Places const& places, Value const (&x)[Count]) const {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if ((taken & (1u << i)) != 0 && !states_.add(places[i], x[i])) {
        cuda::append_row(to_, detail::unmix_code(slots_.code_in(places[i])), x[i]);
      }
    }
  }
  /// All threads must call it after the last tile, having waited for each other.
  __device__ void deliver() const {
    slots_.for_each([this](std::uint32_t, std::uint32_t slot) {
      if (states_.is_used(slot)) {
        cuda::append_row(to_, detail::unmix_code(slots_.code_in(slot)), states_.state_of(slot));
      }
    });
  }

private:
  hot_slots<Code> slots_;
  States states_;
  rows const& to_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
