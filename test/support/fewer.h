// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Racecheck takes some thousand times as long as the kernels that it watches. Where it does, cases
// stand for others that meet the same kernels.

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace test {

// run_gpu.sh says so.
inline bool is_watched() {
  static const bool yes = std::getenv("THRUST_HIST_TEST_FEWER") != nullptr;
  return yes;
}

template <class T>
T fewer(T all, T few) {
  return is_watched() ? few : all;
}
template <class T>
std::vector<T> fewer(std::initializer_list<T> all, std::initializer_list<T> few) {
  return is_watched() ? few : all;
}
template <class T, std::size_t N>
std::vector<T> fewer(T const (&all)[N], std::initializer_list<std::common_type_t<T>> few) {
  return is_watched() ? std::vector<T>(few) : std::vector<T>(all, all + N);
}

}  // namespace test
