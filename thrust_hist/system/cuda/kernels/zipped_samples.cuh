// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Reading samples whose coordinates lie in an array each: four neighbours at a time, where some
/// quad of each array begins with the same sample.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/quads.cuh>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// `Iterator`: what was zipped. `Pointers`: zipped_pointers.
template <class Iterator, class Pointers>
class zipped_samples : public iterator_samples<Iterator, typename quads_behind<Pointers>::element> {
public:
  using quads = quads_behind<Pointers>;
  using one_by_one_type = iterator_samples<Iterator, typename quads::element>;
  using sample = typename quads::element;
  /// In flight for each thread.
  static constexpr unsigned loads = quads::bytes <= 8 ? 2 : 1;
  static constexpr unsigned group = loads * pairs_of_group;

  zipped_samples(Iterator first, Pointers const& pointers, std::uint64_t n)
      : one_by_one_type(first, n), pointers_(pointers), n_(n) {
    std::uint64_t const head = quads::head(pointers);
    are_quads_ = head < n && quads::may_begin_at(pointers + head);
    head_ = are_quads_ ? head : 0;
    quads_ = (n - head_) / pairs_of_group;
  }

  one_by_one_type const& one_by_one() const { return *this; }

  template <bool Again = false, class Each, class AfterGroup>
  __device__ void for_each(sharing const share, Each each, AfterGroup after_group) const {
    if (!are_quads_) {
      one_by_one_type::template for_each<Again>(share, each, after_group);
      return;
    }
    typename quads::elements next[loads];
    std::uint64_t const last = (loads - 1) * share.threads;
    std::uint64_t at = share.thread;
    if (at + last < quads_) {
      load<Again>(next, at, share.threads);
    }
    while (at + last < quads_) {
      typename quads::elements now[loads];
#pragma unroll
      for (unsigned i = 0; i < loads; ++i) {
        now[i] = next[i];
      }
      at += loads * share.threads;
      if (at + last < quads_) {
        load<Again>(next, at, share.threads);
      }
#pragma unroll
      for (unsigned i = 0; i < loads; ++i) {
        use(now[i], each);
      }
      after_group();
    }
    for (; at < quads_; at += share.threads) {
      use(quads::template load<Again>(pointers_ + (head_ + at * pairs_of_group)), each);
      after_group();
    }
    std::uint64_t const loose = n_ - quads_ * pairs_of_group;
    for (std::uint64_t j = share.thread; j < loose; j += share.threads) {
      each(pointers_[j < head_ ? j : j + quads_ * pairs_of_group]);
      after_group();
    }
  }

  /// Head and tail stand behind the quads, as if each were one.
  std::uint64_t tiles(unsigned samples_of_tile) const noexcept {
    std::uint64_t const per_tile = samples_of_tile / pairs_of_group;
    return (quads_ + 2 + per_tile - 1) / per_tile;
  }

  template <unsigned Count, class Each>
  __device__ void for_tile(std::uint64_t tile, Each each) const {
    constexpr unsigned of_thread = Count / pairs_of_group;
    constexpr unsigned at_once = loads < of_thread ? loads : of_thread;
    static_assert(Count % (at_once * pairs_of_group) == 0, "whole quads");
    std::uint64_t const first = tile * of_thread * blockDim.x;
    if (are_quads_ && first + of_thread * blockDim.x <= quads_) {
#pragma unroll
      for (unsigned done = 0; done < of_thread; done += at_once) {
        typename quads::elements loaded[at_once];
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
          std::uint64_t const at = first + (done + i) * blockDim.x + threadIdx.x;
          loaded[i] = quads::load(pointers_ + (head_ + at * pairs_of_group));
        }
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
#pragma unroll
          for (unsigned j = 0; j < pairs_of_group; ++j) {
            each((done + i) * pairs_of_group + j, loaded[i].x[j]);
          }
        }
      }
      return;
    }
#pragma unroll
    for (unsigned i = 0; i < of_thread; ++i) {
      std::uint64_t const at = first + i * blockDim.x + threadIdx.x;
      std::uint64_t const tail = head_ + quads_ * pairs_of_group;
      std::uint64_t const begin = at < quads_    ? head_ + at * pairs_of_group
                                  : at == quads_ ? 0
                                                 : tail;
      std::uint64_t const end = at < quads_        ? begin + pairs_of_group
                                : at == quads_     ? head_
                                : at == quads_ + 1 ? n_
                                                   : tail;
#pragma unroll
      for (unsigned j = 0; j < pairs_of_group; ++j) {
        if (begin + j < end) {
          each(i * pairs_of_group + j, pointers_[begin + j]);
        }
      }
    }
  }

  template <unsigned Count>
  __device__ void fetch_tile(std::uint64_t tile) const {
    std::uint32_t const size = Count / pairs_of_group * blockDim.x;
    if (are_quads_ && (tile + 1) * size <= quads_) {
      quads::fetch(pointers_ + (head_ + tile * size * pairs_of_group), size * pairs_of_group);
    }
  }

private:
  template <bool Again>
  __device__ void load(
      typename quads::elements (&to)[loads], std::uint64_t first, std::uint64_t stride) const {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      to[i] =
          quads::template load<Again>(pointers_ + (head_ + (first + i * stride) * pairs_of_group));
    }
  }
  template <class Each>
  __device__ static void use(typename quads::elements const& loaded, Each& each) {
#pragma unroll
    for (unsigned j = 0; j < pairs_of_group; ++j) {
      each(loaded.x[j]);
    }
  }

  Pointers pointers_;
  std::uint64_t n_;
  std::uint64_t head_;   // samples before the first quad
  std::uint64_t quads_;  // of four samples, whether they are loaded at once or not
  bool are_quads_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
