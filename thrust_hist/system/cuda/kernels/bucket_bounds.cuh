// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route partitioned where most keys are distinct: the bucket of a code. Buckets are equally wide,
/// or lie between codes of a sorted sample.
///
/// Bounds have a `finder`, of which each block has one, with shared memory behind what else it
/// needs. It is asked for the buckets of a thread's codes once they are known, and for those of all
/// codes when they stand side by side.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/kernels/code_sorter.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/ordered_buckets.h>
#include <thrust_hist/system/cuda/paired_buckets.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Equally wide ones: to find a bucket anew takes less than to keep it.
template <class Code>
struct even_bounds {
  using code = Code;
  static constexpr unsigned of_thread = code_buckets::bytes_of_thread / sizeof(Code);
  static constexpr unsigned most_of_thread = ordered_buckets<Code>::most_of_thread;
  std::uint32_t factor;

  class finder {
  public:
    using tile = tile_of_codes<Code, of_thread>;
    struct buckets {};

    __device__ finder(even_bounds const& bounds, void*) : factor_(bounds.factor) {}
    __device__ void begin() const {}
    __device__ void end() const {}
    __device__ buckets find(tile const&) const { return {}; }
    __device__ std::uint32_t bucket(tile const& of, buckets, unsigned i) const {
      return cuda::bucket_of(of.codes[i], factor_);
    }
    /// Whether the code comes to no bucket.
    __device__ static bool is_between(buckets, unsigned) { return false; }
    __device__ void count_between(std::uint32_t) const {}
    __device__ void keep(std::uint32_t, std::uint32_t) const {}
    __device__ std::uint32_t kept(std::uint32_t, Code code) const {
      return cuda::bucket_of(code, factor_);
    }

  private:
    std::uint32_t factor_;
  };
};

/// Those of a sample: found step by step in a tree of the codes before them, in which the two nodes
/// below the i-th one are the 2 i-th and the next, so that lanes meet at the same words at first,
/// and at words side by side. `OfThread`: codes that a thread looks at.
template <class Code, unsigned OfThread = ordered_buckets<Code>::drawn_of_thread>
struct drawn_bounds {
  using code = Code;
  static constexpr unsigned of_thread = OfThread;
  static constexpr unsigned most_of_thread = ordered_buckets<Code>::most_of_thread;
  bounded_slices<Code> slices;
  unsigned steps;
  std::uint32_t* between;  ///< all 0 at first

  class finder {
  public:
    using tile = tile_of_codes<Code, of_thread>;
    struct buckets {
      tile_places<of_thread> of;
      std::uint32_t between;  // a bit for each
    };

    __device__ finder(drawn_bounds const& bounds, void* memory)
        : bounds_(bounds), between_(static_cast<std::uint32_t*>(memory)),
          tree_(reinterpret_cast<Code*>(between_ + (bounds.slices.buckets + 3) / 4 * 4)),
          kept_(reinterpret_cast<std::uint16_t*>(tree_ + (1u << bounds.steps))) {}
    /// All threads must call it, and wait for each other afterwards.
    __device__ void begin() const {
      std::uint32_t const last = bounds_.slices.buckets - 1;
      for (std::uint32_t i = threadIdx.x; i < 1u << bounds_.steps; i += blockDim.x) {
        if (i != 0) {
          auto const step = static_cast<unsigned>(31 - __clz(static_cast<int>(i)));
          std::uint32_t const bucket = (2 * (i - (1u << step)) + 1) << (bounds_.steps - step - 1);
          tree_[i] = bounds_.slices.before(min(bucket, last));
        }
      }
      for (std::uint32_t b = threadIdx.x; b <= last; b += blockDim.x) {
        between_[b] = 0;
      }
    }
    /// The same before it.
    __device__ void end() const {
      for (std::uint32_t b = threadIdx.x; b < bounds_.slices.buckets; b += blockDim.x) {
        if (between_[b] != 0) {
          atomicAdd(bounds_.between + b, between_[b]);
        }
      }
    }
    __device__ buckets find(tile const& of) const {
      constexpr unsigned at_once = 8;  // registers for no more
      static_assert(tile::size % at_once == 0);
      std::uint32_t const tree = cuda::shared_address(tree_);
      buckets found = {};
#pragma unroll
      for (unsigned done = 0; done < tile::size; done += at_once) {
        std::uint32_t at[at_once];
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
          at[i] = 1;
        }
#pragma unroll 1
        for (unsigned step = 0; step < bounds_.steps; ++step) {
#pragma unroll
          for (unsigned i = 0; i < at_once; ++i) {
            Code const code = of.codes[done + i];
            Code const node =
                *shared_pointer<Code>(tree + at[i] * static_cast<std::uint32_t>(sizeof(Code)));
            at[i] = 2 * at[i] + (code >= node ? 1 : 0);
            found.between |= code == node ? 1u << (done + i) : 0;
          }
        }
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
          std::uint32_t const bucket = at[i] - (1u << bounds_.steps);
          found.of.set(done + i, min(bucket, bounds_.slices.buckets - 1));
        }
      }
      return found;
    }
    __device__ std::uint32_t bucket(tile const&, buckets const& found, unsigned i) const {
      return found.of[i];
    }
    __device__ static bool is_between(buckets const& found, unsigned i) {
      return (found.between >> i & 1) != 0;
    }
    __device__ void count_between(std::uint32_t bucket) const {
      atomicAdd(between_ + bucket, 1u);
    }
    /// The bucket of the code that stands in such a place.
    __device__ void keep(std::uint32_t place, std::uint32_t bucket) const {
      kept_[place] = static_cast<std::uint16_t>(bucket);
    }
    __device__ std::uint32_t kept(std::uint32_t place, Code) const {
      return kept_[place];
    }

  private:
    drawn_bounds const& bounds_;
    std::uint32_t* between_;  // for each bucket
    Code* tree_;
    std::uint16_t* kept_;
  };
};

/// Buckets that are known already: a thread is given those of its codes.
template <class Code, unsigned OfThread>
struct known_bounds {
  using code = Code;
  static constexpr unsigned most_of_thread = paired_buckets<Code>::most_parts_of_thread;

  class finder {
  public:
    using tile = tile_of_codes<Code, OfThread>;
    using buckets = tile_places<OfThread>;

    __device__ finder(known_bounds const&, void* memory)
        : kept_(static_cast<std::uint16_t*>(memory)) {}
    __device__ std::uint32_t bucket(tile const&, buckets const& found, unsigned i) const {
      return found[i];
    }
    __device__ static bool is_between(buckets const&, unsigned) { return false; }
    __device__ void count_between(std::uint32_t) const {}
    __device__ void keep(std::uint32_t place, std::uint32_t bucket) const {
      kept_[place] = static_cast<std::uint16_t>(bucket);
    }
    __device__ std::uint32_t kept(std::uint32_t place, Code) const { return kept_[place]; }

  private:
    std::uint16_t* kept_;
  };
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
