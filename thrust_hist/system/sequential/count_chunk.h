// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The brick of all host systems: count a chunk of samples into tables of one worker.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/rule.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The memory of one worker: 64-bit counts of all bins, and, where bins are few, several tables of
/// 32-bit counters that take turns. Equal keys in a row then hit different addresses, and no
/// increment waits for the store of the one before it.
class worker_tables {
public:
  static constexpr unsigned ways = 4;
  // 16 KiB of counters leave half of a first-level cache to the input.
  static constexpr std::uint64_t interleaved_bins = 1024;

  explicit worker_tables(std::uint64_t bins) noexcept : bins_(bins) {}
  bool interleaves() const noexcept { return bins_ <= interleaved_bins; }
  /// 64-bit words a worker needs, a multiple of two cache lines: no two workers share one.
  std::uint64_t words() const noexcept {
    std::uint64_t const narrow = interleaves() ? ways * bins_ / 2 : 0;
    return (bins_ + narrow + 15) / 16 * 16 + 16;
  }
  std::uint64_t bins() const noexcept { return bins_; }

private:
  std::uint64_t bins_;
};

/// Counts below 2^32 samples into `Ways` tables in turn.
template <unsigned Ways, class Counter, class Iterator, class Rule>
void count_in_turn(
    Counter* tables, std::uint64_t bins, Iterator first, std::uint64_t n, Rule rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  using sample = value_t<Iterator>;
  auto const count = [&](std::uint64_t i, unsigned way) {
    sample const x = *(first + static_cast<difference>(i));
    auto const bin = static_cast<std::uint64_t>(rule(x));
    if (bin < bins) {
      ++tables[way * bins + bin];
    }
  };
  std::uint64_t i = 0;
  for (; i + Ways <= n; i += Ways) {
    for (unsigned way = 0; way < Ways; ++way) {
      count(i + way, way);
    }
  }
  for (; i < n; ++i) {
    count(i, 0);
  }
}

/// All 256 values of a 1-byte sample are counted as they are; the rule speaks once for each.
template <class Sample>
struct byte_value {
  THRUST_HIST_HOST_DEVICE bin_index operator()(Sample x) const noexcept {
    return bit_cast<unsigned char>(x);
  }
};

inline constexpr std::uint64_t below_overflow = std::uint64_t{1} << 31;

template <class Iterator, class Rule>
void count_bytes(
    std::uint64_t* counts, std::uint64_t bins, Iterator first, std::uint64_t n, Rule rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  using sample = value_t<Iterator>;
  for (std::uint64_t done = 0; done < n; done += below_overflow) {
    std::uint32_t tables[worker_tables::ways * 256] = {};
    count_in_turn<worker_tables::ways>(
        tables, 256, first + static_cast<difference>(done), (std::min)(n - done, below_overflow),
        byte_value<sample>{});
    for (unsigned value = 0; value < 256; ++value) {
      std::uint64_t const count = std::uint64_t{tables[value]} + tables[256 + value] +
                                  tables[512 + value] + tables[768 + value];
      if (count == 0)  // a user's rule need not know values that do not occur
      {
        continue;
      }
      auto const bin =
          static_cast<std::uint64_t>(rule(bit_cast<sample>(static_cast<unsigned char>(value))));
      if (bin < bins) {
        counts[bin] += count;
      }
    }
  }
}

/// Counts a chunk into the first `bins` words of `memory`, which has worker_tables::words() of them.
template <class Iterator, class Rule>
void count_chunk(
    std::uint64_t* memory, worker_tables layout, Iterator first, std::uint64_t n,
    Rule const& rule) {
  using difference = typename thrust::iterator_traits<Iterator>::difference_type;
  using sample = value_t<Iterator>;
  std::uint64_t const bins = layout.bins();
  std::fill_n(memory, bins, std::uint64_t{0});
  auto const bound = bind_rule<sample, bin_index>(rule);
  if constexpr (
      sizeof(sample) == 1 && std::is_trivially_copyable_v<sample> &&
      !std::is_same_v<sample, bool>) {
    if (n >= 1024)  // fewer samples than that are not worth the visit of all values
    {
      count_bytes(memory, bins, first, n, bound);
      return;
    }
  }
  if (!layout.interleaves() || n < 4 * bins) {
    count_in_turn<1>(memory, bins, first, n, bound);
    return;
  }
  auto* const narrow = reinterpret_cast<std::uint32_t*>(memory + bins);
  for (std::uint64_t done = 0; done < n; done += below_overflow) {
    std::fill_n(narrow, worker_tables::ways * bins, 0u);
    count_in_turn<worker_tables::ways>(
        narrow, bins, first + static_cast<difference>(done), (std::min)(n - done, below_overflow),
        bound);
    for (std::uint64_t i = 0; i < worker_tables::ways * bins; ++i) {
      memory[i % bins] += narrow[i];
    }
  }
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
