// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Words in shared memory, by 32-bit address: a pointer would have to be converted at each use.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/long_accumulator.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
#pragma GCC visibility push(hidden)

/// The address of what a pointer to shared memory points to.
__device__ inline std::uint32_t shared_address(void const* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}

/// The same number, which the compiler keeps in a register: it would rather compute an address anew
/// for each use.
__device__ inline std::uint32_t kept(std::uint32_t x) {
  asm volatile("" : "+r"(x));
  return x;
}

/// And back. Tables keep addresses, not pointers: nvcc 13.0 takes pointers to global memory beside
/// one to shared memory in the same object for such to shared memory.
template <class T>
__device__ inline T* shared_pointer(std::uint32_t address) {
  return static_cast<T*>(__cvta_shared_to_generic(address));
}

/// The first place in shared memory that is aligned for T: dynamic memory itself is to 16 bytes.
template <class T>
__device__ inline T* aligned_for(uint4* shared) {
  auto const address = reinterpret_cast<std::uintptr_t>(shared);
  return reinterpret_cast<T*>((address + alignof(T) - 1) / alignof(T) * alignof(T));
}

/// What other threads may be changing.
__device__ inline std::uint32_t load_shared(std::uint32_t address) {
  std::uint32_t x;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(address) : "memory");
  return x;
}
/// Four of them side by side, at a multiple of 16 bytes.
__device__ inline uint4 load_four_shared(std::uint32_t address) {
  uint4 x;
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
               : "r"(address)
               : "memory");
  return x;
}
/// Two words side by side.
__device__ inline uint2 load_two_shared(std::uint32_t address) {
  uint2 x;
  asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];"
               : "=r"(x.x), "=r"(x.y)
               : "r"(address)
               : "memory");
  return x;
}
/// Codes side by side, each of which is seen as it was at some time.
__device__ inline void load_codes(std::uint32_t address, std::uint32_t (&codes)[4]) {
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(codes[0]), "=r"(codes[1]), "=r"(codes[2]), "=r"(codes[3])
               : "r"(address)
               : "memory");
}
__device__ inline void load_codes(std::uint32_t address, std::uint64_t (&codes)[2]) {
  asm volatile("ld.volatile.shared.v2.u64 {%0, %1}, [%2];"
               : "=l"(codes[0]), "=l"(codes[1])
               : "r"(address)
               : "memory");
}
/// The same for the lanes that want it, without a branch; others keep what they have.
__device__ inline void load_codes_if(bool wants, std::uint32_t address, std::uint64_t (&codes)[2]) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.volatile.shared.v2.u64 {%0, %1}, [%2]; }"
      : "+l"(codes[0]), "+l"(codes[1])
      : "r"(address), "r"(static_cast<std::uint32_t>(wants))
      : "memory");
}
__device__ inline void store_shared(std::uint32_t address, std::uint32_t x) {
  asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address), "r"(x) : "memory");
}
/// Sets a word that is 0, and returns what it was.
__device__ inline std::uint32_t name_shared(std::uint32_t address, std::uint32_t x) {
  std::uint32_t before;
  asm volatile("atom.shared.cas.b32 %0, [%1], 0, %2;"
               : "=r"(before)
               : "r"(address), "r"(x)
               : "memory");
  return before;
}

__device__ inline std::uint64_t name_shared(std::uint32_t address, std::uint64_t x) {
  std::uint64_t before;
  asm volatile("atom.shared.cas.b64 %0, [%1], 0, %2;"
               : "=l"(before)
               : "r"(address), "l"(x)
               : "memory");
  return before;
}

/// Adds to a word and returns what it was.
__device__ inline std::uint32_t add_shared(std::uint32_t address, std::uint32_t x) {
  std::uint32_t before;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(address), "r"(x)
               : "memory");
  return before;
}
/// The same for the lanes that want it, without a branch; others get anything.
__device__ inline std::uint32_t add_shared_if(bool wants, std::uint32_t address, std::uint32_t x) {
  std::uint32_t before = 0;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p atom.shared.add.u32 %0, [%1], %2; }"
               : "+r"(before)
               : "r"(address), "r"(x), "r"(static_cast<std::uint32_t>(wants))
               : "memory");
  return before;
}
/// Adds 1 to a word. The hardware combines equal addresses.
__device__ inline void increment_shared(std::uint32_t address) {
  asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address) : "memory");
}
/// Adds to a word whatever it was.
__device__ inline void increase_shared(std::uint32_t address, std::uint32_t x) {
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(x) : "memory");
}
/// The same for the lanes that want it, without a branch.
__device__ inline void increase_shared_if(bool wants, std::uint32_t address, std::uint32_t x) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %2, 0; @p red.shared.add.u32 [%0], %1; }" ::"r"(address),
      "r"(x), "r"(static_cast<std::uint32_t>(wants))
      : "memory");
}
/// Sets bits of a word, where they are wanted, without a branch.
__device__ inline void mark_shared_if(bool wants, std::uint32_t address, std::uint32_t bits) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %2, 0; @p red.shared.or.b32 [%0], %1; }" ::"r"(address),
      "r"(bits), "r"(static_cast<std::uint32_t>(wants))
      : "memory");
}
/// Adds to a signed word. Returns -1, 0 or 1: what is due to the 33rd bit.
__device__ inline int add_signed(std::uint32_t address, std::int32_t x) {
  auto const before =
      static_cast<std::int32_t>(cuda::add_shared(address, static_cast<std::uint32_t>(x)));
  return detail::carry_of(before, x);
}

/// With so many copies of a bin and more, lanes of a warp hardly wait for each other.
inline constexpr unsigned copies_log2_apart = 3;

/// Where the words of a table lie. A bin has some, and 2^copies_log2 copies of each, side by side,
/// among which lanes choose: equal keys in a warp then meet at different addresses.
struct word_layout {
  std::uint32_t bins;
  std::uint32_t words;
  unsigned copies_log2;

  __device__ std::uint32_t copies() const { return 1u << copies_log2; }
  /// All words of all copies.
  __device__ std::uint32_t size() const { return (bins * words) << copies_log2; }
  /// The place of a copy of a word.
  __device__ std::uint32_t place(std::uint32_t bin, std::uint32_t word, std::uint32_t copy) const {
    return ((bin * words + word) << copies_log2) + copy;
  }
  /// The i-th copy that a thread reads: each lane begins at a bank of its own.
  __device__ std::uint32_t copy_in_turn(std::uint32_t i) const {
    return (i + threadIdx.x) & (copies() - 1);
  }
};

/// A lane's copies of the words of a table.
class lane_words {
public:
  __device__ lane_words(word_layout const& layout, void const* data)
      : base_(cuda::kept(cuda::shared_address(data) + (threadIdx.x & (layout.copies() - 1)) * 4)),
        bin_step_(cuda::kept(layout.words * 4 << layout.copies_log2)),
        step_(cuda::kept(4u << layout.copies_log2)) {}
  __device__ std::uint32_t address(std::uint32_t bin, std::uint32_t word) const {
    return base_ + bin * bin_step_ + word * step_;
  }
  /// From the address of a word to that of the next one.
  __device__ std::uint32_t step() const { return step_; }

private:
  std::uint32_t base_;
  std::uint32_t bin_step_;
  std::uint32_t step_;
};

#pragma GCC visibility pop
}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
