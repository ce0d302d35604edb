// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Stands in for the header of this name: the same functions without PTX, for warps.h.

#include <thrust_hist/config.h>

#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

inline std::uint32_t shared_address(void const* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}
inline std::uint32_t kept(std::uint32_t x) {
  return x;
}
template <class T>
T* shared_pointer(std::uint32_t address) {
  return reinterpret_cast<T*>(warps::memory + address);
}

inline std::uint32_t load_shared(std::uint32_t address) {
  warps::may_give_way();
  return *shared_pointer<std::uint32_t>(address);
}
inline uint4 load_four_shared(std::uint32_t address) {
  warps::may_give_way();
  return *shared_pointer<uint4>(address);
}
inline void store_shared(std::uint32_t address, std::uint32_t x) {
  *shared_pointer<std::uint32_t>(address) = x;
}
// One after the other: nothing says that both are seen at once.
inline void load_codes(std::uint32_t address, std::uint64_t (&codes)[2]) {
  for (unsigned i = 0; i < 2; ++i) {
    warps::may_give_way();
    codes[i] = shared_pointer<std::uint64_t>(address)[i];
  }
  warps::may_give_way();
}
inline void load_codes_if(bool wants, std::uint32_t address, std::uint64_t (&codes)[2]) {
  if (wants)
    load_codes(address, codes);
}
inline std::uint64_t name_shared(std::uint32_t address, std::uint64_t x) {
  warps::may_give_way();
  auto& word = *shared_pointer<std::uint64_t>(address);
  const std::uint64_t before = word;
  word = before == 0 ? x : before;
  return before;
}
inline std::uint32_t add_shared(std::uint32_t address, std::uint32_t x) {
  warps::may_give_way();
  auto& word = *shared_pointer<std::uint32_t>(address);
  const std::uint32_t before = word;
  word += x;
  return before;
}
inline std::uint32_t add_shared_if(bool wants, std::uint32_t address, std::uint32_t x) {
  return wants ? add_shared(address, x) : static_cast<std::uint32_t>(warps::rng());
}
inline void increase_shared(std::uint32_t address, std::uint32_t x) {
  warps::may_give_way();
  *shared_pointer<std::uint32_t>(address) += x;
}
inline void increase_shared_if(bool wants, std::uint32_t address, std::uint32_t x) {
  if (wants)
    increase_shared(address, x);
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
