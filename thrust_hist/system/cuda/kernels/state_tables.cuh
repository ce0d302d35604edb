// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables in shared memory for values of any type and any operator: a table for each thread, where bins are
/// few, or one for the block with a lock for each bin.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/system/cuda/fold_buckets.h>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>

#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The first place in shared memory that is aligned for T: dynamic memory itself is to 16 bytes.
template <class T>
__device__ inline T* aligned_for(uint4* shared) {
  auto const address = reinterpret_cast<std::uintptr_t>(shared);
  return reinterpret_cast<T*>((address + alignof(T) - 1) / alignof(T) * alignof(T));
}

/// A state for each bin and thread; no thread touches another's.
template <class Fold>
class private_table {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;

  struct description {
    std::uint32_t bins;
    Fold fold;
    state* partial;  // of block b: partial[b * bins + bin]
    __device__ bool is_idle() const { return false; }
    __device__ private_table make(uint4* shared) const {
      return private_table(*this, cuda::aligned_for<state>(shared));
    }
  };

  __device__ private_table(description const& d, state* data) : d_(d), data_(data) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.bins * blockDim.x; i += blockDim.x) {
      ::new (static_cast<void*>(data_ + i)) state(d_.fold.empty());
    }
  }
  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    if (bin < d_.bins) {
      d_.fold.add(data_[static_cast<std::uint32_t>(bin) * blockDim.x + threadIdx.x], x);
    } else {
      ++dropped_;
    }
  }
  template <class Bin>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      add(bins[i], x[i]);
    }
  }
  __device__ void deliver() {
    unsigned const lane = threadIdx.x % 32;
    for (std::uint32_t bin = threadIdx.x / 32; bin < d_.bins; bin += blockDim.x / 32) {
      state sum = d_.fold.empty();
      for (std::uint32_t i = lane; i < blockDim.x; i += 32) {
        d_.fold.merge(sum, data_[bin * blockDim.x + i]);
      }
      cuda::fold_over_lanes(d_.fold, sum, 32);
      if (lane == 0) {
        d_.partial[std::uint64_t{blockIdx.x} * d_.bins + bin] = sum;
      }
    }
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  description const& d_;
  state* data_;
  std::uint32_t dropped_ = 0;
};

/// Locks in shared memory, or in global memory, where all must see what they protect. One in shared memory
/// is 0 until it is taken for the first time.
template <bool Global>
struct bin_lock {
  using place = std::conditional_t<Global, unsigned*, std::uint32_t>;  ///< a shared address

  __device__ static bool try_take(place lock) {
    if constexpr (Global) {
      bool const taken = atomicCAS(lock, 0u, 1u) == 0;
      __threadfence();
      return taken;
    } else {
      unsigned before;
      asm volatile("atom.acquire.cta.shared.exch.b32 %0, [%1], 1;"
                   : "=r"(before)
                   : "r"(lock)
                   : "memory");
      return before != 1;
    }
  }
  __device__ static void release(place lock) {
    if constexpr (Global) {
      __threadfence();
      atomicExch(lock, 0u);
    } else {
      asm volatile("st.release.cta.shared.b32 [%0], 2;" ::"r"(lock) : "memory");
    }
  }
};

/// Where states and their locks lie.
template <class Fold, bool Global>
struct locked_states {
  using state = typename Fold::state;
  state* states;
  unsigned* locks;

  __device__ state& at(std::uint64_t bin) const { return states[bin]; }
  __device__ unsigned* lock(std::uint64_t bin) const { return locks + bin; }
};
template <class Fold>
struct locked_states<Fold, false> {
  using state = typename Fold::state;
  std::uint32_t states;  ///< shared addresses
  std::uint32_t locks;

  __device__ state& at(std::uint64_t bin) const {
    return *cuda::shared_pointer<state>(states + static_cast<std::uint32_t>(bin * sizeof(state)));
  }
  __device__ std::uint32_t lock(std::uint64_t bin) const {
    return locks + static_cast<std::uint32_t>(bin) * 4;
  }
  __device__ bool is_touched(std::uint64_t bin) const { return cuda::load_shared(lock(bin)) != 0; }
  __device__ void begin(std::uint64_t bin, Fold const& fold) const {
    ::new (static_cast<void*>(&at(bin))) state(fold.empty());
    cuda::store_shared(lock(bin), 0);
  }
};

/// More places, in shared memory, for bins whose locks are wanted by many at once: eight for a bin, shared
/// out among the warps of a block. A bin gets one when its lock is found taken, and keeps it.
template <class Fold>
class hot_states {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  static constexpr bool exists = true;
  static constexpr std::uint32_t copies = copies_of_hot_bin;

  /// `words`: shared address of two words for each entry; entries are 2^k, at least `copies`, or none.
  __device__ hot_states(std::uint32_t entries, std::uint32_t words, std::uint32_t states)
      : entries_(entries), names_(words), places_{states, words + entries * 4} {}

  __device__ void begin(Fold const& fold) const {
    for (std::uint32_t i = threadIdx.x; i < entries_; i += blockDim.x) {
      places_.begin(i, fold);
      cuda::store_shared(names_ + i * 4, 0);
    }
  }
  /// Whether a bin has a place for this warp.
  __device__ bool has(std::uint64_t bin) const {
    return is_named(bin) && cuda::load_shared(names_ + entry(bin) * 4) == name(bin);
  }
  /// Whether it has one now.
  __device__ bool claim(std::uint64_t bin) const {
    if (!is_named(bin)) {
      return false;
    }
    std::uint32_t const address = names_ + entry(bin) * 4;
    std::uint32_t before = cuda::load_shared(address);
    if (before == 0) {
      before = cuda::name_shared(address, name(bin));
    }
    return before == 0 || before == name(bin);
  }
  /// Folds a value in unless its place, which it has, is taken.
  __device__ bool try_add(Fold const& fold, std::uint64_t bin, value const& x) const {
    std::uint32_t const i = entry(bin);
    if (!bin_lock<false>::try_take(places_.lock(i))) {
      return false;
    }
    fold.add(places_.at(i), x);
    bin_lock<false>::release(places_.lock(i));
    return true;
  }
  /// Calls `give(bin, state)` for each bin. All threads call it when none adds any more.
  template <class Give>
  __device__ void flush(Fold const& fold, Give give) const {
    std::uint32_t const lane = threadIdx.x % 32;
    for (std::uint32_t first = threadIdx.x - lane; first < entries_; first += blockDim.x) {
      // Blocks begin at different bins.
      std::uint32_t const i = (first + lane + blockIdx.x * 32) & (entries_ - 1);
      bool mine = first + lane < entries_;
      std::uint32_t const bin = mine ? cuda::load_shared(names_ + i * 4) : 0;
      mine = bin != 0;
      if constexpr (std::is_same_v<state, value>) {
        state x = mine ? places_.at(i) : fold.empty();
        mine &= cuda::fold_equals(~0u, fold, bin, x);
        if (mine) {
          give(bin - 1, x);
        }
      } else if (mine) {
        give(bin - 1, places_.at(i));
      }
      __syncwarp();
    }
  }

private:
  __device__ bool is_named(std::uint64_t bin) const { return entries_ != 0 && bin < 0xffffffff; }
  __device__ static std::uint32_t name(std::uint64_t bin) {
    return static_cast<std::uint32_t>(bin) + 1;
  }
  __device__ std::uint32_t entry(std::uint64_t bin) const {
    std::uint32_t const mixed = static_cast<std::uint32_t>(bin) * 0x9e3779b9u >> 16;
    return (mixed * copies + threadIdx.x / 32 % copies) & (entries_ - 1);
  }

  std::uint32_t entries_;
  std::uint32_t names_;  // bin + 1 of each entry, or 0
  locked_states<Fold, false> places_;
};

/// None.
template <class Fold>
struct no_hot_states {
  using value = typename Fold::value;
  static constexpr bool exists = false;
};

/// Folds a state into one that has a lock.
template <bool Global, class Fold>
__device__ inline void merge_with_lock(
    Fold const& fold, locked_states<Fold, Global> const& places, std::uint64_t bin,
    typename Fold::state const& x) {
  unsigned pause = 64;  // nanoseconds
  for (bool done = false; !done;) {
    if (bin_lock<Global>::try_take(places.lock(bin))) {
      fold.merge(places.at(bin), x);
      bin_lock<Global>::release(places.lock(bin));
      done = true;
    } else if (Global) {
      __nanosleep(pause);
      pause = pause < 4096 ? 2 * pause : pause;
    }
  }
}

/// States, each with a lock.
///
/// Where lanes of a warp want the same bin, they wait for each other. So a warp folds the values of equal
/// bins first, as long as it has many of them: nearly all of its lanes are different then.
template <class Fold, bool Global, class Hot = no_hot_states<Fold>>
class lock_table {
public:
  using state = typename Fold::state;
  using value = typename Fold::value;
  using lock = bin_lock<Global>;
  /// Where they are not, as in exact sums of complex numbers, values cannot be folded before they meet the
  /// state of their bin.
  static constexpr bool by_warps = std::is_same_v<state, value>;

  __device__ lock_table(
      std::uint64_t bins, Fold const& fold, locked_states<Fold, Global> const& places,
      Hot const& hot = {})
      : bins_(bins), fold_(fold), places_(places), hot_(hot) {}

  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    if (bin < bins_) {
      add_locked(static_cast<std::uint64_t>(bin), x);
    } else {
      ++dropped_;
    }
  }
  /// All lanes call it, some of them perhaps without having a pair.
  template <class Bin>
  __device__ void add_by_warp(Bin bin, value x, bool has) {
    bool mine = has && bin < bins_;
    dropped_ += has && !mine ? 1 : 0;
    if (look_at_equals()) {
      if (!mine) {
        x = fold_.empty();  // the operator sees no value without a bin
      }
      bool const leads = cuda::fold_equals(~0u, fold_, mine ? bin : static_cast<Bin>(-1), x);
      has_equals_ = __popc(__ballot_sync(~0u, leads)) < enough_groups;
      mine &= leads;
    }
    if (mine) {
      add_locked(static_cast<std::uint64_t>(bin), x);
    }
    __syncwarp();
  }
  template <class Bin>
  __device__ void add_four(
      Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group], bool has) {
    bool const equal = bins[0] == bins[1] && bins[0] == bins[2] && bins[0] == bins[3];
    if (__all_sync(~0u, !has || (equal && bins[0] < bins_)) != 0) {
      add_by_warp(bins[0], has ? cuda::fold_some<0, 1>(fold_, x) : fold_.empty(), has);
    } else {
#pragma unroll
      for (unsigned i = 0; i < pairs_of_group; ++i) {
        add_by_warp(bins[i], x[i], has);
      }
    }
  }
  template <class Bin>
  __device__ void add_four(Bin const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
#pragma unroll
    for (unsigned i = 0; i < pairs_of_group; ++i) {
      add(bins[i], x[i]);
    }
  }
  __device__ std::uint32_t dropped() const {
    return dropped_;
  }

private:
  /// Of a warp. With fewer, some lock is wanted so often that all wait for it in turn.
  static constexpr int enough_groups = 28;
  /// As long as there are many, and every 16th time.
  __device__ bool look_at_equals() {
    ++turn_;
    return has_equals_ || turn_ % 16 == 0;
  }
  __device__ void add_locked(std::uint64_t bin, value const& x) {
    [[maybe_unused]] unsigned pause = 64;  // nanoseconds
    for (bool done = false; !done;) {
      if constexpr (Global && Hot::exists) {
        if (hot_.has(bin)) {
          done = hot_.try_add(fold_, bin, x);
          continue;
        }
      }
      if (lock::try_take(places_.lock(bin))) {
        fold_.add(places_.at(bin), x);
        lock::release(places_.lock(bin));
        done = true;
        continue;
      }
      if constexpr (Hot::exists) {
        if (hot_.claim(bin)) {
          done = hot_.try_add(fold_, bin, x);
          continue;
        }
      }
      if constexpr (Global) {
        // Thousands of warps that ask at once hold up the one that has the lock.
        __nanosleep(pause);
        pause = pause < 16384 ? 2 * pause : pause;
      }
    }
  }

protected:
  /// Folds a state into that of a bin.
  __device__ void merge_locked(std::uint64_t bin, state const& x) const {
    cuda::merge_with_lock<Global>(fold_, places_, bin, x);
  }

  std::uint64_t bins_;
  Fold const& fold_;
  locked_states<Fold, Global> places_;
  Hot hot_;

private:
  bool has_equals_ = true;  // the same in all lanes of a warp
  unsigned turn_ = 0;
  std::uint32_t dropped_ = 0;
};

/// The tables of a block: some copies, shared out among its warps, so that fewer wait for a lock.
template <class Fold>
class shared_lock_table : public lock_table<Fold, false> {
public:
  using base = lock_table<Fold, false>;
  using state = typename Fold::state;

  struct description {
    std::uint32_t bins;
    unsigned copies_log2;
    Fold fold;
    state* partial;
    __device__ bool is_idle() const { return false; }
    __device__ std::uint32_t size() const { return bins << copies_log2; }
    __device__ shared_lock_table make(uint4* shared) const {
      auto* const behind = shared + (size() * sizeof(unsigned) + 15) / 16;
      return shared_lock_table(
          *this,
          {cuda::shared_address(cuda::aligned_for<state>(behind)), cuda::shared_address(shared)});
    }
    /// The copy of this warp.
    __device__ locked_states<Fold, false> mine(locked_states<Fold, false> const& all) const {
      std::uint32_t const first = (threadIdx.x / 32 & ((1u << copies_log2) - 1)) * bins;
      return {all.states + static_cast<std::uint32_t>(first * sizeof(state)), all.lock(first)};
    }
  };

  __device__ shared_lock_table(description const& d, locked_states<Fold, false> const& all)
      : base(d.bins, d.fold, d.mine(all)), d_(d), all_(all) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.size(); i += blockDim.x) {
      all_.begin(i, d_.fold);
    }
  }
  __device__ void deliver() {
    for (std::uint32_t bin = threadIdx.x; bin < d_.bins; bin += blockDim.x) {
      state sum = all_.at(bin);
      for (std::uint32_t i = bin + d_.bins; i < d_.size(); i += d_.bins) {
        d_.fold.merge(sum, all_.at(i));
      }
      d_.partial[std::uint64_t{blockIdx.x} * d_.bins + bin] = sum;
    }
  }

private:
  description const& d_;
  locked_states<Fold, false> all_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
