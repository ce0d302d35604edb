// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The keys of the benchmarks on the host.

#include <cstdint>
#include <vector>

namespace perf {

enum class host_keys { uniform, constant, sorted, zipf };
constexpr host_keys all_host_keys[] = {
    host_keys::uniform, host_keys::constant, host_keys::sorted, host_keys::zipf};
inline char const* name_of(host_keys d) {
  constexpr char const* names[] = {"uniform", "constant", "sorted", "zipf"};
  return names[static_cast<int>(d)];
}

template <class T>
void fill_keys(std::vector<T>& keys, std::uint64_t bins, host_keys d) {
  std::uint64_t state = 1;
  unsigned log2 = 0;
  while (bins >> (log2 + 1) != 0) {
    ++log2;
  }
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    std::uint64_t key = (state >> 33) % bins;
    if (d == host_keys::constant) {
      key = bins / 2;
    } else if (d == host_keys::sorted) {
      key = i * bins / keys.size();
    } else if (d == host_keys::zipf) {  // every power of two of ranks as often, ranks spread
      key = (key >> (state >> 20) % (log2 + 1)) * 0x9e3779b97f4a7c15u % bins;
    }
    keys[i] = static_cast<T>(key);
  }
}

}  // namespace perf
