// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables for values of any type and any operator: states with a lock for each bin, those of all
/// blocks or those of one block, in shared memory.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/bin_locks.cuh>
#include <thrust_hist/system/cuda/kernels/hot_states.cuh>
#include <thrust_hist/system/cuda/kernels/neighbours.cuh>
#include <thrust_hist/system/cuda/kernels/places_of_blocks.cuh>
#include <thrust_hist/system/cuda/kernels/shared_words.cuh>
#include <thrust_hist/system/cuda/kernels/warp_habits.cuh>
#include <thrust_hist/system/cuda/kernels/warp_states.cuh>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// States, each with a lock.
///
/// Where lanes of a warp want the same bin, they wait for each other. So a warp folds the values of
/// equal bins first, as long as it has many of them: nearly all of its lanes are different then.
/// `Looks`: whether warps look first what values would change, where states can be read while
/// others change them.
template <class Fold, bool Global, bool Looks>
class lock_table {
public:
  using state = typename Fold::state;
  /// What bins have besides that are wanted by many at once.
  using hot = std::conditional_t<Global, hot_states<Fold>, warp_states<Fold>>;
  using value = typename Fold::value;
  using lock = bin_lock<Global>;
  /// Where they are not, as in exact sums of complex numbers, values cannot be folded before they
  /// meet the state of their bin.
  static constexpr bool by_warps = std::is_same_v<state, value>;
  static constexpr bool looks = Looks && by_warps && state_words<state>::exist;
  static constexpr int few = 8;  ///< pairs of a warp, which do not wait for each other long

  __device__ lock_table(
      std::uint64_t bins, Fold const& fold, locked_states<Fold, Global> const& places,
      hot const& more)
      : bins_(bins), fold_(fold), places_(places), hot_(more) {}

  /// The lanes that are here, perhaps only some of a warp, have a pair each.
  template <class Bin>
  __device__ void add(Bin bin, value const& x) {
    if (bin < bins_) {
      unsigned const here = __activemask();
      bool const looks_first = looks && __any_sync(here, changes_.wanted()) != 0;
      bool const apart = by_warps && __any_sync(here, equals_.wanted()) != 0;
      add_together(here, looks_first, apart, bin, x, true);
    } else {
      ++dropped_;
    }
  }
  /// All lanes call it, some of them perhaps without having a pair.
  template <class Bin>
  __device__ void add_by_warp(Bin bin, value const& x, bool has) {
    bool const mine = has && bin < bins_;
    dropped_ += has && !mine ? 1 : 0;
    add_together(~0u, looks && changes_.wanted(), equals_.wanted(), bin, x, mine);
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
  /// The lanes `here` call it together, some of them perhaps without a pair. `looks_first`: at what
  /// their values would change. `apart`: equal bins are folded first, so that no two lanes have the
  /// same.
  template <class Bin>
  __device__ void add_together(
      unsigned here, [[maybe_unused]] bool looks_first, [[maybe_unused]] bool apart, Bin bin,
      value x, bool mine) {
    if constexpr (looks) {
      if (looks_first) {
        int const pairs = __popc(__ballot_sync(here, mine));
        mine = mine && !is_idle(bin, x);
        int const left = __popc(__ballot_sync(here, mine));
        changes_.saw(pairs, left);
        if (left <= few) {
          equals_.waited(add_changes(here, bin, x, mine));
          __syncwarp(here);
          return;
        }
      }
    }
    if constexpr (by_warps) {
      if (apart) {
        if (!mine) {
          x = fold_.empty();  // the operator sees no value without a bin
        }
        int const pairs = __popc(__ballot_sync(here, mine));
        mine &= cuda::fold_equals(here, fold_, mine ? bin : static_cast<Bin>(-1), x);
        equals_.saw(pairs - __popc(__ballot_sync(here, mine)));
      }
    }
    // Some lanes of a warp do not know what the others do to its places.
    bool const may_use_places = apart && here == ~0u;
    equals_.waited(add_locked(here, static_cast<std::uint64_t>(bin), x, mine, may_use_places));
    __syncwarp(here);
  }
  /// Whether a value changes nothing. Who finds a lock taken looks again, some times: it will be
  /// free in a moment, and to ask for it would let others find it taken.
  template <class Bin>
  __device__ bool is_idle(Bin bin, value const& x) const {
    change found = change::unknown;
    for (int i = 0; i < 4 && found == change::unknown; ++i) {
      found = places_.look(fold_, static_cast<std::uint64_t>(bin), x);
    }
    return found == change::none;
  }
  /// Locks are asked for where a value would change something. Returns how often they asked.
  template <class Bin>
  __device__ unsigned add_changes(unsigned here, Bin bin, value const& x, bool left) {
    auto const at = static_cast<std::uint64_t>(bin);
    unsigned turns = 0;
    for (; __any_sync(here, left) != 0; ++turns) {
      if (left) {
        change const found = places_.look(fold_, at, x);
        left = found == change::unknown ||
               (found == change::some && try_add(at, x, false) != turn::done);
      }
    }
    return turns;
  }
  /// They stay together: those that have a lock would wait behind those that ask for one otherwise.
  /// Returns how often they asked.
  __device__ unsigned add_locked(
      unsigned here, std::uint64_t bin, value const& x, bool left,
      [[maybe_unused]] bool may_use_places) {
    if constexpr (!Global && by_warps) {
      left = left && !(may_use_places && hot_.add(fold_, bin, x));
    }
    unsigned turns = 0;
    [[maybe_unused]] unsigned pause = 64;  // nanoseconds
    for (; __any_sync(here, left) != 0; ++turns) {
      if (left) {
        turn const came = try_add(bin, x, may_use_places);
        left = came != turn::done;
        if constexpr (Global) {
          // Thousands of warps that ask at once hold up the one that has the lock.
          if (came == turn::later) {
            __nanosleep(pause);
            pause = pause < 16384 ? 2 * pause : pause;
          }
        }
      }
    }
    return turns;
  }
  /// What came of it: the value is folded in, or the lock of a place of this block was taken, or
  /// that of all blocks.
  enum class turn { done, again, later };
  __device__ turn try_add(std::uint64_t bin, value const& x, [[maybe_unused]] bool may_use_places) {
    if constexpr (Global) {
      if (hot_.has(bin)) {
        return hot_.try_add(fold_, bin, x) ? turn::done : turn::again;
      }
    }
    unsigned before;
    if (lock::try_take(places_.lock(bin), before)) {
      fold_.add(places_.at(bin), x);
      lock::release(places_.lock(bin), before);
      return turn::done;
    }
    if constexpr (Global) {
      if (!hot_.claim(bin)) {
        return turn::later;
      }
      return hot_.try_add(fold_, bin, x) ? turn::done : turn::again;
    } else if constexpr (by_warps) {
      return may_use_places && hot_.claim(fold_, bin, x) ? turn::done : turn::again;
    } else {
      return turn::again;
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
  hot hot_;

private:
  equals_in_warp equals_;
  changes_in_warp changes_;
  std::uint32_t dropped_ = 0;
};

/// The tables of a block: some copies, shared out among its warps, so that fewer wait for a lock.
template <class Fold>
class shared_lock_table : public lock_table<Fold, false, true> {
public:
  using base = lock_table<Fold, false, true>;
  using state = typename Fold::state;
  using hot = typename base::hot;

  struct description {
    std::uint32_t bins;
    unsigned copies_log2;
    std::uint32_t hot_entries;
    Fold fold;
    state* partial;
    __device__ bool is_idle() const { return false; }
    __device__ std::uint32_t size() const { return bins << copies_log2; }
    /// Names of hot bins, locks, then all states.
    __device__ shared_lock_table make(uint4* shared) const {
      std::uint32_t const names = hot_entries * (blockDim.x / 32);
      auto* const behind = shared + ((names + size()) * sizeof(unsigned) + 15) / 16;
      std::uint32_t const begin = cuda::shared_address(shared);
      std::uint32_t const first = cuda::shared_address(cuda::aligned_for<state>(behind));
      return shared_lock_table(
          *this, {first, begin + names * 4},
          {hot_entries, begin, first + size() * static_cast<std::uint32_t>(sizeof(state))});
    }
    /// The copy of this warp.
    __device__ locked_states<Fold, false> mine(locked_states<Fold, false> const& all) const {
      std::uint32_t const first = (threadIdx.x / 32 & ((1u << copies_log2) - 1)) * bins;
      return {all.states + static_cast<std::uint32_t>(first * sizeof(state)), all.lock(first)};
    }
  };

  __device__ shared_lock_table(
      description const& d, locked_states<Fold, false> const& all, hot const& more)
      : base(d.bins, d.fold, d.mine(all), more), d_(d), all_(all) {}
  __device__ void begin() {
    for (std::uint32_t i = threadIdx.x; i < d_.size(); i += blockDim.x) {
      all_.begin(i, d_.fold);
    }
    this->hot_.begin();
  }
  template <class Use>
  __device__ void for_each_bin(Use use) {
    this->hot_.flush([&](std::uint64_t bin, state const& x) { d_.fold.merge(all_.at(bin), x); });
    __syncthreads();
    for (std::uint32_t bin = threadIdx.x; bin < d_.bins; bin += blockDim.x) {
      state sum = all_.at(bin);
      for (std::uint32_t i = bin + d_.bins; i < d_.size(); i += d_.bins) {
        d_.fold.merge(sum, all_.at(i));
      }
      use(bin, sum);
    }
  }
  __device__ void deliver() { for_each_bin(cuda::to_place_of_block(d_.partial, d_.bins)); }

private:
  description const& d_;
  locked_states<Fold, false> all_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
