// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the tables of workers to the output.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/system/sequential/worker_tables.h>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Adds up the bins [begin, end) of the workers' tables, which lie layout.words() apart, and writes
/// them. Returns how many samples they hold.
template <class Writer>
std::uint64_t fold_tables(
    std::uint64_t const* tables, worker_tables layout, unsigned workers, std::uint64_t begin,
    std::uint64_t end, Writer const& write) {
  constexpr std::uint64_t most = 512;  // bins at a time
  std::uint64_t counted = 0;
  for (std::uint64_t first = begin; first < end; first += most) {
    std::uint64_t const n = (std::min)(most, end - first);
    std::uint64_t counts[most] = {};
    for (unsigned worker = 0; worker < workers; ++worker) {
      layout.add_to(counts, tables + worker * layout.words(), first, n);
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      counted += counts[i];
      corrupt_for_test(end, [&](std::uint64_t wrong) { counts[i] += wrong == first + i ? 1 : 0; });
      write(first + i, counts[i]);
    }
  }
  return counted;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
