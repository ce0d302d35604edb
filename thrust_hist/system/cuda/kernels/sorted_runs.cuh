// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Keys as codes, and where runs of equal ones begin when these are sorted.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/kernels/code_bits.cuh>
#include <thrust_hist/system/cuda/kernels/code_rows.cuh>
#include <thrust_hist/system/cuda/kernels/kernels_in_turn.cuh>
#include <thrust_hist/system/cuda/kernels/lanes.cuh>

#include <cstdint>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// Codes of keys. What equals no other key gets the last code of all, which no number has. `codes`
/// or `findings` may be null: then they are not wanted.
template <class Keys, class Kind>
__global__ void encode_keys(
    Keys const keys, std::uint64_t const n, Kind const kind, typename Kind::code* const codes,
    sparse_findings* const findings) {
  cuda::take_turn();
  using key = value_t<Keys>;
  auto const code_of = [&](std::uint64_t i) {
    return Kind::template encode<key>(static_cast<key>(keys[static_cast<difference_t<Keys>>(i)]));
  };
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  auto const first = code_of(0);
  unsigned long long alone = 0;
  unsigned long long differing = 0;
  unsigned long long differing_high = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    auto code = code_of(i);
    if constexpr (has_alone_keys<Kind, key>) {
      if (kind.is_alone(code)) {
        code = kind.last();
        ++alone;
      }
    }
    differing |= cuda::bits_of_code<0>(code) ^ cuda::bits_of_code<0>(first);
    differing_high |= cuda::bits_of_code<64>(code) ^ cuda::bits_of_code<64>(first);
    if (codes != nullptr) {
      ::new (static_cast<void*>(codes + i)) typename Kind::code(code);
    }
  }
  if (findings == nullptr) {
    return;
  }
  if (alone != 0) {
    atomicAdd(&findings->alone, alone);
  }
  cuda::set_bits(&findings->differing, differing);
  if constexpr (sizeof(typename Kind::code) > 8) {
    cuda::set_bits(&findings->differing_high, differing_high);
  }
}

/// A real number by its bits, whatever flags do to comparisons. It equals the same one, and a zero
/// the other zero.
template <class Real>
struct real_bits {
  typename code_of_size<sizeof(Real)>::type bits;

  THRUST_HIST_HOST_DEVICE friend bool operator==(real_bits a, real_bits b) {
    using word = decltype(bits);
    return a.bits == b.bits || static_cast<word>((a.bits | b.bits) << 1) == 0;
  }
};

/// Marks where a run begins, among sorted codes, or keys that were sorted as they stand.
template <class Kind, class Stored = typename Kind::code>
struct run_begins {
  using stored = Stored;
  static constexpr bool are_numbers = is_number_kind<Kind>;
  static constexpr bool are_codes = std::is_same_v<Stored, typename Kind::code>;
  /// Whether there may be keys that equal no other one: real ones that stand. Codes have none.
  static constexpr bool may_have_alone = !are_codes && has_alone_keys<Kind, Stored>;
  Kind keys;
  Stored const* sorted;

  __device__ decltype(auto) code(std::uint64_t i) const {
    if constexpr (are_codes) {
      return (sorted[i]);
    } else {
      return Kind::template encode<Stored>(sorted[i]);
    }
  }
  __device__ bool are_equal(std::uint64_t i, std::uint64_t j) const {
    if constexpr (are_codes) {
      return keys.equal(sorted[i], sorted[j]);
    } else {  // loaded as a whole: to copy its bytes from memory would be to load each
      Stored const a = sorted[i];
      Stored const b = sorted[j];
      return equal(a, b);
    }
  }
  /// The same of keys that are in registers.
  __device__ typename Kind::code code_of(Stored const& key) const {
    if constexpr (are_codes) {
      return key;
    } else {
      return Kind::template encode<Stored>(key);
    }
  }
  __device__ bool equal(Stored const& a, Stored const& b) const {
    if constexpr (are_codes) {
      return keys.equal(a, b);
    } else if constexpr (is_real_sample<Stored>) {
      return detail::bit_cast<real_bits<Stored>>(a) == detail::bit_cast<real_bits<Stored>>(b);
    } else {
      return a == b;
    }
  }
  __device__ bool operator()(std::uint64_t i) const { return i == 0 || !are_equal(i - 1, i); }
  /// The first and the last key, where these tell whether there are some that equal no other one.
  struct end_keys {
    Stored first, last;
  };
  __device__ auto load_ends(std::uint64_t n) const {
    if constexpr (may_have_alone) {
      return end_keys{sorted[0], sorted[n - 1]};
    } else {
      return nothing{};
    }
  }
  template <class Ends>
  __device__ bool has_alone(Ends const& ends) const {
    if constexpr (may_have_alone) {
      return keys.is_alone(Kind::template encode<Stored>(ends.first)) ||
             keys.is_alone(Kind::template encode<Stored>(ends.last));
    } else {
      return false;
    }
  }

private:
  struct nothing {};
};

/// Marks keys that equal no other one.
template <class Keys, class Kind>
struct alone_among {
  Keys keys;
  Kind kind;

  __device__ bool operator()(std::uint64_t i) const {
    using key = value_t<Keys>;
    return kind.is_alone(
        Kind::template encode<key>(static_cast<key>(keys[static_cast<difference_t<Keys>>(i)])));
  }
};

/// The code at the begin of each run.
template <class Kind>
__global__ void gather_codes(
    typename Kind::code const* const sorted, std::uint64_t const* const begins,
    std::uint64_t const runs, typename Kind::code* const codes) {
  cuda::take_turn();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t r = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; r < runs;
       r += stride) {
    ::new (static_cast<void*>(codes + r)) typename Kind::code(sorted[begins[r]]);
  }
}

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
