// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Samples and a rule on the host: even and uneven bins on one thread and on OpenMP's, beside plain
/// loops on one thread: std::upper_bound among uneven edges; for even ones a multiplication, which
/// puts samples near an edge into the bin beside it now and then.

#include "host_timing.h"
#include "rows.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram_even.h>
#include <thrust_hist/histogram_range.h>

#include <thrust/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace perf {

/// Whose distance is even, rises, or rises by a factor; logarithmic ones over six decades.
enum class host_edges { even, squares, logarithmic };

/// The edge of [0, bins] at `part` of all.
template <class T>
T host_edge(host_edges kind, double part) {
  double const reach = std::is_integral_v<T> ? 2e9 : 1e3;
  return static_cast<T>(
      kind == host_edges::even      ? part * reach
      : kind == host_edges::squares ? part * part * reach
                                    : reach * std::pow(10., 6 * (part - 1)));
}

/// Samples that are as often in each of the bins; `sorted`: in order.
template <class T>
std::vector<T> samples_of_edges(std::vector<T> const& edges, std::uint64_t n, bool sorted) {
  std::uint64_t const bins = edges.size() - 1;
  std::vector<T> samples(n);
  std::uint64_t state = 1;
  auto const part = [&] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 33) * 0x1p-31;
  };
  for (T& x : samples) {
    auto const bin = static_cast<std::size_t>(part() * static_cast<double>(bins));
    T const width = edges[bin + 1] - edges[bin];
    x = edges[bin] + static_cast<T>(part() * static_cast<double>(width));
  }
  if (sorted) {
    std::sort(samples.begin(), samples.end());
  }
  return samples;
}

template <class T>
void compare_rule(
    char const* type, host_edges kind, std::uint64_t n, std::uint64_t bins, bool sorted) {
  std::vector<T> edges(bins + 1);
  thrust_hist::even_bins const even(bins, host_edge<T>(kind, 0), host_edge<T>(kind, 1));
  for (std::uint64_t i = 0; i <= bins; ++i) {
    edges[i] = kind == host_edges::even
                   ? static_cast<T>(even.edge(static_cast<thrust_hist::bin_index>(i)))
                   : host_edge<T>(kind, static_cast<double>(i) / static_cast<double>(bins));
  }
  std::vector<T> const samples = samples_of_edges(edges, n, sorted);
  std::vector<std::uint32_t> counts(bins);
  T const lower = edges.front();
  T const upper = edges.back();
  auto const searched = [&] {
    std::fill(counts.begin(), counts.end(), 0U);
    for (T const x : samples) {
      auto const above = std::upper_bound(edges.begin(), edges.end(), x);
      if (above != edges.begin() && above != edges.end()) {
        ++counts[static_cast<std::size_t>(above - edges.begin() - 1)];
      }
    }
  };
  auto const multiplied = [&] {
    std::fill(counts.begin(), counts.end(), 0U);
    T const scale = static_cast<T>(static_cast<double>(bins) / static_cast<double>(upper - lower));
    for (T const x : samples) {
      if (x >= lower && x < upper) {
        ++counts[(std::min)(bins - 1, static_cast<std::uint64_t>((x - lower) * scale))];
      }
    }
  };
  auto const ours = [&](auto const& policy) {
    return [&] {
      if (kind == host_edges::even) {
        thrust_hist::histogram_even(
            policy, samples.begin(), samples.end(), counts.begin(), bins, lower, upper);
      } else {
        thrust_hist::histogram_range(
            policy, samples.begin(), samples.end(), counts.begin(), edges.begin(), edges.end());
      }
    };
  };
  bool equal = true;
  auto const rates = [&](std::vector<double> seconds) {
    for (double& rate : seconds) {
      rate = static_cast<double>(n) / rate / 1e9;
    }
    return seconds;
  };
  searched();
  std::vector<std::uint32_t> const expected = counts;
  auto const check = [&] { equal = equal && counts == expected; };
  auto const ours_rates =
      rates(medians_in_turn(5, check, ours(thrust::seq), ours(thrust::omp::par)));
  double const plain = kind == host_edges::even ? rates(medians_in_turn(
                                                            5, [] {}, multiplied))
                                                      .front()
                                                : rates(medians_in_turn(
                                                            5, [] {}, searched))
                                                      .front();
  constexpr char const* names[] = {"even", "squares", "logarithmic"};
  row()("rule", names[static_cast<int>(kind)])("type", type)("n", n)("bins", bins)(
      "distribution", sorted ? "sorted" : "any_bin")("plain", plain)("seq", ours_rates[0])(
      "omp", ours_rates[1])("threads", omp_get_max_threads())("equal", equal);
}

inline void compare_all_rules(
    std::uint64_t n, std::uint64_t only_bins, std::string const& only_type) {
  auto const wants = [&](char const* type) { return only_type.empty() || only_type == type; };
  for (host_edges const kind : {host_edges::even, host_edges::squares, host_edges::logarithmic}) {
    for (std::uint64_t const bins : {4, 16, 256, 4096, 65536, 1 << 20}) {
      if (only_bins != 0 && only_bins != bins) {
        continue;
      }
      for (bool const sorted : {false, true}) {
        if (wants("f32")) {
          compare_rule<float>("f32", kind, n, bins, sorted);
        }
        if (wants("f64")) {
          compare_rule<double>("f64", kind, n, bins, sorted);
        }
        if (wants("i32") && kind != host_edges::even) {
          compare_rule<std::int32_t>("i32", kind, n, bins, sorted);
        }
      }
    }
  }
}

}  // namespace perf
