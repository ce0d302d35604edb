// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tables of a bucket for sums of real numbers, and how they reach the sums of all bins: rounded,
/// or in words and long accumulators that round nothing. `Sums` is as a pointer to them.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/kernels/bucket_tables.cuh>
#include <thrust_hist/system/cuda/kernels/limb_table.cuh>
#include <thrust_hist/system/cuda/kernels/long_accumulators.cuh>
#include <thrust_hist/system/cuda/kernels/rows_of_sums.cuh>
#include <thrust_hist/system/cuda/kernels/window_table.cuh>

#include <cmath>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

// What a block adds to the sum of a bin in global memory; `alone`: no other block does.

/// A number to a sum that is rounded.
template <class T>
__device__ inline void add_rounded(T* sum, double x, bool alone) {
  if (x == 0) {
    return;
  }
  if (alone) {  // what atomics of this block have added is in the second-level cache
    __stcg(sum, __ldcg(sum) + static_cast<T>(x));
  } else {
    atomicAdd(sum, static_cast<T>(x));
  }
}
__device__ inline double to_double(std::int64_t x) {
  return static_cast<double>(x);
}
__device__ inline double to_double(int128 x) {
  auto const magnitude = static_cast<uint128>(x < 0 ? -x : x);
  double const d = static_cast<double>(static_cast<std::uint64_t>(magnitude >> 64)) * 0x1p64 +
                   static_cast<double>(static_cast<std::uint64_t>(magnitude));
  return x < 0 ? -d : d;
}

/// total * 2^base units.
template <class T, class Total>
__device__ inline void add_window(T* sum, Total total, int base, bool alone) {
  cuda::add_rounded(sum, scalbn(cuda::to_double(total), base + ieee_layout<T>::lowest), alone);
}
template <class T, class Total>
__device__ inline void add_window(rows_of_sums<T> const& sum, Total total, int base, bool alone) {
  cuda::add_near(sum, total, base, alone);
}

/// Limbs, the lowest first.
template <class T>
__device__ inline void add_limbs(T* sum, std::uint32_t const* limbs, bool alone) {
  double all = 0;
  for (int i = static_cast<int>(limb_shape<T>::words) - 1; i >= 0; --i) {
    auto const limb = static_cast<std::int32_t>(limbs[i]);
    if (limb != 0) {
      all += scalbn(static_cast<double>(limb), i * limb_shape<T>::radix + ieee_layout<T>::lowest);
    }
  }
  cuda::add_rounded(sum, all, alone);
}
template <class T>
__device__ inline void add_limbs(rows_of_sums<T> const& sum, std::uint32_t const* limbs, bool) {
  carry_save<T>* row = nullptr;
  for (unsigned i = 0; i < limb_shape<T>::words; ++i) {
    if (limbs[i] != 0) {
      row = row == nullptr ? cuda::row_of_sum(sum) : row;
      cuda::add_to_sum_at_bit(
          row, i * static_cast<unsigned>(limb_shape<T>::radix),
          static_cast<std::int32_t>(limbs[i]));
    }
  }
}

/// The window of values of a dozen binades; what becomes of others says `Outside`.
template <class T, class Sums, class Outside>
class windowed_bucket : public window_table<T, 1, Outside> {
public:
  using value = T;
  using inner_table = window_table<T, 1, Outside>;
  static constexpr std::size_t bin_bytes = inner_table::words * sizeof(std::uint32_t);

  __device__ windowed_bucket(
      Sums const& sums, typename inner_table::description const& d, uint4* shared)
      : inner_table(d, shared), sums_(sums), bins_(d.layout.bins), facts_(d.facts),
        data_(cuda::shared_address(shared)) {
    this->read_facts();
  }

  __device__ void add_four(
      std::uint32_t const (&bins)[pairs_of_group], value const (&x)[pairs_of_group]) {
    cuda::add_four_of_lane(static_cast<inner_table&>(*this), bins, x);
  }

  __device__ void deliver(bool alone) const {
    int const base = facts_->base;
    for (std::uint32_t i = threadIdx.x; i < bins_; i += blockDim.x) {
      std::uint32_t const bin = cuda::bin_in_turn(i, bins_, alone);
      auto const* const words =
          cuda::shared_pointer<std::uint32_t const>(data_) + bin * inner_table::words;
      cuda::add_window(sums_ + bin, window<T>::read(words[0], words[1], words[2]), base, alone);
    }
  }

private:
  Sums sums_;
  std::uint32_t bins_;
  window_facts const* facts_;
  std::uint32_t data_;
};

/// Other values are few, and go to the sums one by one.
template <class T, class Sums>
class bucket_window : public windowed_bucket<T, Sums, outside_to_sums<T, Sums>> {
public:
  using base = windowed_bucket<T, Sums, outside_to_sums<T, Sums>>;

  struct of_bucket {
    typename base::inner_table::description inner;
    __device__ bucket_window make(uint4* shared) const { return bucket_window(inner, shared); }
  };
  struct description {
    window_facts const* facts;
    Sums sums;
    __device__ bool is_idle() const { return facts->wide != 0; }
    __device__ of_bucket at(std::uint64_t first_bin, std::uint32_t bins) const {
      return {{{bins, base::inner_table::words, 0}, facts, {sums + first_bin}, nullptr}};
    }
  };

  __device__ bucket_window(typename base::inner_table::description const& d, uint4* shared)
      : base(d.outside.sums, d, shared) {}
};

/// Other values are many, and frequent bins have places for them behind the table: of double, whose
/// limbs for all bins would take so much room that each pair would be read dozens of times.
template <class T, class Sums>
class bucket_places : public windowed_bucket<T, Sums, outside_to_places<T, Sums>> {
public:
  using places = outside_to_places<T, Sums>;
  using base = windowed_bucket<T, Sums, places>;
  static constexpr std::size_t place_bytes = places::place_bytes;

  struct of_bucket {
    window_facts const* facts;
    Sums sums;
    std::uint32_t bins;
    std::uint32_t entries;
    __device__ bucket_places make(uint4* shared) const { return bucket_places(*this, shared); }
  };
  struct description {
    window_facts const* facts;
    Sums sums;
    std::uint32_t entries;
    __device__ bool is_idle() const { return facts->wide == 0; }
    __device__ of_bucket at(std::uint64_t first_bin, std::uint32_t bins) const {
      return {facts, sums + first_bin, bins, entries};
    }
  };

  __device__ bucket_places(of_bucket const& d, uint4* shared)
      : base(
            d.sums, {{d.bins, base::inner_table::words, 0}, d.facts, {d.sums, d.entries}, nullptr},
            shared) {}

  __device__ void add_four(
      std::uint32_t const (&bins)[pairs_of_group], T const (&x)[pairs_of_group]) {
    base::add_four(bins, x);
    __syncwarp();  // lanes that part for a number outside would stay apart
  }
  __device__ void deliver(bool alone) {
    base::deliver(alone);
    if (std::is_pointer_v<Sums> && alone) {  // who is alone adds without an atomic
      __syncthreads();
    }
    this->outside().deliver();
  }
};

/// Limbs for values of all exponents.
template <class T, class Sums>
class bucket_limbs : public limb_table<T, Sums> {
public:
  using value = T;
  using inner_table = limb_table<T, Sums>;
  static constexpr std::size_t bin_bytes = inner_table::words * sizeof(std::uint32_t);

  struct of_bucket {
    typename inner_table::description inner;
    __device__ bucket_limbs make(uint4* shared) const { return bucket_limbs(*this, shared); }
  };
  struct description {
    window_facts const* facts;
    Sums sums;
    __device__ bool is_idle() const { return facts->wide == 0; }
    __device__ of_bucket at(std::uint64_t first_bin, std::uint32_t bins) const {
      return {{{bins, inner_table::words, 0}, facts, sums + first_bin, bins, 0}};
    }
  };

  __device__ bucket_limbs(of_bucket const& d, uint4* shared)
      : inner_table(d.inner, shared), d_(d.inner), data_(cuda::shared_address(shared)) {}

  __device__ void deliver(bool alone) const {
    for (std::uint32_t i = threadIdx.x; i < d_.layout.bins; i += blockDim.x) {
      std::uint32_t const bin = cuda::bin_in_turn(i, d_.layout.bins, alone);
      cuda::add_limbs(
          d_.sums + bin,
          cuda::shared_pointer<std::uint32_t const>(data_) + bin * inner_table::words, alone);
    }
  }

private:
  typename inner_table::description const d_;
  std::uint32_t data_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
