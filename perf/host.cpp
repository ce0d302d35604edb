// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Counting on the host: histogram on one thread and on OpenMP's, with a number of bins and with
/// bins that are discovered, beside the plain loop on one thread and loops written by hand with
/// OpenMP: a private table for each thread and their sum, atomics on one table, and for u8 four
/// interleaved tables for each thread. Tables of peers are there before the clock starts. Prints
/// one row a case as JSON, figures in Gkeys/s. `--log2 K`: 2^K bytes of keys (28); `--bins B`: only
/// cases with B bins; `--type T`: only keys of this type. Instead of these, `--folds`: folds by
/// key, see host_folds.h; `--rules`: even and uneven bins, see host_rules.h; `--sparse`: sparse
/// histograms, see host_sparse.h, figures in ns a key.
///
/// Build: g++ -std=c++17 -O3 -fopenmp -I.. -I<Thrust>
/// -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP host.cpp

#include "host_folds.h"
#include "host_keys.h"
#include "host_rules.h"
#include "host_sparse.h"
#include "host_timing.h"
#include "rows.h"
#include <thrust_hist/histogram.h>

#include <thrust/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using counters = std::vector<std::uint32_t>;

template <class T>
void plain_loop(std::vector<T> const& keys, counters& counts) {
  std::fill(counts.begin(), counts.end(), 0U);
  for (T const key : keys) {
    ++counts[key];
  }
}

/// `Ways` tables for each thread, which its keys take in turn.
template <unsigned Ways, class T>
void private_tables(std::vector<T> const& keys, counters& counts, std::vector<counters>& tables) {
  std::uint64_t const n = keys.size();
  std::uint64_t const bins = counts.size();
#pragma omp parallel
  {
    counters& mine = tables[static_cast<std::size_t>(omp_get_thread_num())];
    std::fill(mine.begin(), mine.end(), 0U);
    std::uint32_t* const table = mine.data();
#pragma omp for
    for (std::uint64_t i = 0; i < n / Ways; ++i) {
      for (unsigned way = 0; way < Ways; ++way) {
        ++table[way * bins + keys[i * Ways + way]];
      }
    }
#pragma omp for
    for (std::uint64_t bin = 0; bin < bins; ++bin) {
      std::uint32_t sum = 0;
      for (counters const& other : tables) {
        for (unsigned way = 0; way < Ways; ++way) {
          sum += other[way * bins + bin];
        }
      }
      counts[bin] = sum;
    }
  }
}

template <class T>
void atomics(std::vector<T> const& keys, counters& counts) {
  std::uint64_t const n = keys.size();
  std::uint64_t const bins = counts.size();
  std::uint32_t* const table = counts.data();
#pragma omp parallel
  {
#pragma omp for
    for (std::uint64_t bin = 0; bin < bins; ++bin) {
      table[bin] = 0;
    }
#pragma omp for
    for (std::uint64_t i = 0; i < n; ++i) {
#pragma omp atomic
      ++table[keys[i]];
    }
  }
}

/// Ways of doing the same, timed in turn; all write to the same memory, since where a table lies in
/// a cache makes a few percent.
class race {
public:
  race(std::uint64_t n, counters& counts) : n_(n), counts_(counts), expected_(counts) {}

  bool equal() const { return equal_; }

  /// Median gigakeys a second of each of these.
  template <class... Run>
  std::vector<double> operator()(Run... run) {
    std::vector<double> rates = perf::medians_in_turn(
        7, [&] { equal_ = equal_ && counts_ == expected_; }, run...);
    for (double& rate : rates) {
      rate = static_cast<double>(n_) / rate / 1e9;
    }
    return rates;
  }

private:
  std::uint64_t n_;
  counters& counts_;
  counters expected_;
  bool equal_ = true;
};

template <class T>
void compare(char const* type, std::uint64_t n, std::uint64_t bins, perf::host_keys d) {
  std::vector<T> keys(n);
  perf::fill_keys(keys, bins, d);
  auto const threads = static_cast<std::size_t>(omp_get_max_threads());
  bool const bytes = sizeof(T) == 1;
  counters counts(bins);
  std::vector<counters> tables(threads, counters(bins * (bytes ? 4 : 1)));
  auto const plain_into_counts = [&] { plain_loop(keys, counts); };
  plain_into_counts();
  race run(n, counts);
  auto const ours = [&](auto const& policy) {
    return [&] { thrust_hist::histogram(policy, keys.begin(), keys.end(), counts.begin(), bins); };
  };
  auto const discovering = [&](auto const& policy) {
    return [&] { thrust_hist::histogram(policy, keys.begin(), keys.end(), counts.begin()); };
  };
  auto const alone = run(plain_into_counts, ours(thrust::seq), discovering(thrust::seq));
  std::vector<double> rates = run(
      ours(thrust::omp::par), [&] { private_tables<1>(keys, counts, tables); },
      discovering(thrust::omp::par));
  double const atomic = run([&] { atomics(keys, counts); }).front();
  double interleaved = 0;
  if (bytes) {
    auto const again =
        run(ours(thrust::omp::par), [&] { private_tables<4>(keys, counts, tables); });
    rates.front() = again.front();
    interleaved = again.back();
  }
  thrust_hist::plan plan;
  thrust_hist::histogram(
      thrust::omp::par, keys.begin(), keys.end(), counts.begin(), bins,
      thrust_hist::options{}.explain(&plan));
  perf::row()("type", type)("n", n)("bins", bins)("distribution", name_of(d))(
      "route", to_string(plan.taken))("plain", alone[0])("seq", alone[1])("omp", rates[0])(
      "private_tables", rates[1])("atomics", atomic)("interleaved", interleaved)(
      "seq_discovered", alone[2])("omp_discovered", rates[2])("threads", threads)(
      "scratch_bytes", plan.scratch_bytes)("equal", run.equal());
}

}  // namespace

int main(int argc, char** argv) {
  int log2 = 28;
  std::uint64_t only_bins = 0;
  std::string only_type;
  bool sparse = false;
  bool folds = false;
  bool rules = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--log2") == 0 && i + 1 < argc) {
      log2 = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--bins") == 0 && i + 1 < argc) {
      only_bins = std::strtoull(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--type") == 0 && i + 1 < argc) {
      only_type = argv[++i];
    } else if (std::strcmp(argv[i], "--sparse") == 0) {
      sparse = true;
    } else if (std::strcmp(argv[i], "--folds") == 0) {
      folds = true;
    } else if (std::strcmp(argv[i], "--rules") == 0) {
      rules = true;
    } else {
      std::fprintf(
          stderr, "usage: host [--log2 K] [--bins B] [--type T] [--folds|--rules|--sparse]\n");
      return 2;
    }
  }
  perf::row()("benchmark", "host")("commit", perf::from_environment("THRUST_HIST_COMMIT"))(
      "date", perf::today())("threads", omp_get_max_threads());
  if (sparse) {
    perf::compare_all_sparse(only_type);
    return 0;
  }
  std::uint64_t const n = std::uint64_t{1} << log2;
  if (folds) {
    perf::compare_all_folds(n / 8, only_bins, only_type);
    return 0;
  }
  if (rules) {
    perf::compare_all_rules(n / 16, only_bins, only_type);
    return 0;
  }
  for (perf::host_keys const d : perf::all_host_keys) {
    if (only_type != "u32" && (only_bins == 0 || only_bins == 256)) {
      compare<std::uint8_t>("u8", n, 256, d);
    }
    for (std::uint64_t const bins : {1 << 4, 1 << 8, 1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 24}) {
      if (only_type != "u8" && (only_bins == 0 || only_bins == bins)) {
        compare<std::uint32_t>("u32", n / 4, bins, d);
      }
    }
  }
}
