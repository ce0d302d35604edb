// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// From the tables of workers to the output.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/system/sequential/count_chunk.h>

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
  std::uint64_t counted = 0;
  for (std::uint64_t bin = begin; bin < end; ++bin) {
    std::uint64_t count = 0;
    for (unsigned worker = 0; worker < workers; ++worker) {
      count += layout.count(tables + worker * layout.words(), bin);
    }
    counted += count;
    corrupt_for_test(end, [&](std::uint64_t wrong) { count += wrong == bin ? 1 : 0; });
    write(bin, count);
  }
  return counted;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
