// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// One case of a fold of numbers by key: histogram_by_key, plain and exact, with scratch memory
/// from a caching allocator, beside its peers; and whether the results are right.

#include "fold_check.cuh"
#include "fold_peers.cuh"
#include "report.h"
#include "timing.cuh"
#include "values.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/execution_policy.h>

#include <cstdint>
#include <exception>
#include <type_traits>
#include <vector>

namespace perf {

template <class T>
__global__ void fill_values(T* out, std::uint64_t n, value_kind k) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = perf::value_at<T>(i, k);
  }
}

struct fold_settings {
  std::uint64_t n;
  bool peers, quick;
};

/// What all programs of folds take: --log2 K, --ours, --quick.
inline fold_settings settings_of(arguments const& a) {
  return {std::uint64_t{1} << a.number("--log2", 27), !a.has("--ours"), a.has("--quick")};
}

struct fold_case {
  std::uint64_t bins;
  distribution keys;
  value_kind values;
};

inline double rate(std::uint64_t n, double ms) {
  return static_cast<double>(n) / ms * 1e-6;
}

/// Room for all that is compared.
template <class T>
struct pairs_memory {
  using reference_type =
      std::conditional_t<std::is_floating_point_v<T>, sum_reference, integer_reference>;

  pairs_memory(std::uint64_t pairs, std::uint64_t most_bins)
      : n(pairs), keys(n * 4), values(n * sizeof(T)), ours(most_bins * sizeof(T)),
        theirs(most_bins * sizeof(T)), reference(most_bins), sort(n, most_bins) {}

  void fill(fold_case const& c) const {
    perf::fill<<<2048, 256>>>(keys.as<std::uint32_t>(), n, c.bins, c.keys);
    fill_values<<<2048, 256>>>(values.as<T>(), n, c.values);
  }

  std::uint64_t n;
  buffer keys, values, ours, theirs;
  reference_type reference;
  sort_and_reduce<T> sort;
  scratch temp;
};

/// A fold of numbers: its operator and the names of both.
template <class T, class Op>
struct number_fold {
  using value = T;
  char const* name;
  char const* type;
  Op op;
  T identity;
  /// Only sums of real numbers differ with exact().
  static constexpr bool rounds = std::is_floating_point_v<T> && std::is_same_v<Op, thrust::plus<T>>;
};

/// Whether a call gives what it should, judged by `is_right(output)`; the output holds junk before.
template <class T, class Run, class Judge>
bool gives(pairs_memory<T> const& m, std::uint64_t bins, Run run, Judge is_right) {
  require(cudaMemset(m.ours.template as<void>(), 0xa5, bins * sizeof(T)), "cudaMemset");
  run();
  return is_right(m.ours.template as<T>());
}

/// Of what may take half a second where all keys are one.
template <class Run>
double slow_milliseconds(Run run) {
  double const once = milliseconds(run, 1);
  return once > 20 ? once : milliseconds(run, 3);
}

/// Adds the figures of sums by samples and a rule, of pairs of so many bytes; whether they are
/// what the reference has.
template <class T, class Run>
bool measure_sums_by_rule(
    row& r, pairs_memory<T> const& m, std::uint64_t bins, std::size_t bytes, Run run) {
  using thrust_hist::options;
  thrust_hist::plan plan;
  run(options{}.explain(&plan));
  auto const plain = [&] { run(options{}); };
  auto const exact = [&] { run(options{}.exact()); };
  auto const ms = milliseconds_in_turn(
      11, [] {}, plain, exact);
  r("bytes", bytes)("route", to_string(plan.taken))("scratch_bytes", plan.scratch_bytes)(
      "always_exact", plan.exact)("ours", rate(m.n, ms[0]))("exact", rate(m.n, ms[1]));
  auto const is_right = [&](rounding how) {
    return [&, how](T const* got) { return m.reference.template judge<T>(got, bins, how); };
  };
  rounding const of_plain = plan.exact ? rounding::once : rounding::each_addition;
  return gives(m, bins, plain, is_right(of_plain)) &&
         gives(m, bins, exact, is_right(rounding::once));
}

/// Adds the figures of sums of real numbers; whether they are right.
template <class T, class Run>
bool measure_sums(row& r, pairs_memory<T> const& m, fold_case const& c, Run run) {
  using thrust_hist::options;
  thrust_hist::plan plain_plan, exact_plan;
  run(options{}.explain(&plain_plan));
  run(options{}.exact().explain(&exact_plan));
  auto const plain = [&] { run(options{}); };
  auto const exact = [&] { run(options{}.exact()); };
  auto const ms = milliseconds_in_turn(
      11, [] {}, plain, exact);
  r("route", to_string(plain_plan.taken))("scratch_bytes", plain_plan.scratch_bytes)(
      "always_exact",
      plain_plan.exact)("ours", rate(m.n, ms[0]))("exact_route", to_string(exact_plan.taken))(
      "exact_scratch_bytes", exact_plan.scratch_bytes)("exact", rate(m.n, ms[1]));

  // Sums of floats in [0, 1) are multiples of 2^-24: as doubles they are exact.
  bool const same = std::is_same_v<T, float> && c.values == value_kind::unit;
  rounding const once = same ? rounding::once_of_the_same : rounding::once;
  double error = 0;
  bool equal = gives(m, c.bins, plain, [&](T const* got) {
    return m.reference.template judge<T>(
        got, c.bins, plain_plan.exact ? once : rounding::each_addition, &error);
  });
  equal = gives(
              m, c.bins, exact,
              [&](T const* got) {
                return m.reference.template judge<T>(got, c.bins, once) &&
                       perf::are_exact_sums(
                           m.keys.template as<std::uint32_t>(), m.values.template as<T>(), m.n, got,
                           c.bins, m.sort.spare());
              }) &&
          equal;
  r("error", error);
  return equal;
}

/// Adds the figures of folds of integers; whether they are right.
template <class T, class Run>
bool measure_integers(row& r, pairs_memory<T> const& m, fold_case const& c, Run run) {
  using thrust_hist::options;
  thrust_hist::plan plan;
  run(options{}.explain(&plan));
  auto const plain = [&] { run(options{}); };
  r("route", to_string(plan.taken))("scratch_bytes", plan.scratch_bytes)(
      "ours", rate(m.n, milliseconds(plain, 11)));
  return gives(m, c.bins, plain, [&](T const* got) { return m.reference.judge(got, c.bins); });
}

/// Adds the figures of the peers; whether the sort gave what it should. Atomics on real numbers are
/// not judged: how far they are off is a figure.
template <class Fold, class T>
bool measure_peers(row& r, Fold const& f, pairs_memory<T> const& m, std::uint64_t bins) {
  auto const* const keys = m.keys.template as<std::uint32_t>();
  auto const* const values = m.values.template as<T>();
  auto* const theirs = m.theirs.template as<T>();
  caching_allocator cache;
  auto const policy = thrust::cuda::par_nosync(cache);
  double const by_thrust = milliseconds(
      [&] { m.sort.by_thrust(policy, f.op); }, [&] { m.sort.copy_input(keys, values); }, 3);
  double const by_radix =
      milliseconds([&] { m.sort.by_radix(m.temp, keys, values, bins, f.op); }, 3);
  auto const is_right = [&](char const* error_name) {
    if constexpr (Fold::rounds) {
      double error = 0;
      bool const equal =
          m.reference.template judge<T>(theirs, bins, rounding::each_addition, &error);
      r(error_name, error);
      return equal;
    } else {
      return m.reference.judge(theirs, bins);
    }
  };
  r("thrust_sort_by_key", rate(m.n, by_thrust))("sort_and_reduce", rate(m.n, by_radix));
  m.sort.write(theirs, bins, f.identity);
  bool const sort_is_right = is_right("sort_error");
  auto const atomics = [&] { global_atomics(keys, values, m.n, theirs, bins, f.op, f.identity); };
  r("global_atomics", rate(m.n, slow_milliseconds(atomics)));
  return (is_right("atomics_error") || Fold::rounds) && sort_is_right;
}

/// One row.
template <class Fold, class T>
void compare(
    report& rows, Fold const& f, fold_settings const& s, pairs_memory<T> const& m,
    fold_case const& c) {
  row r;
  r("fold", f.name)("type", f.type)("values", name_of(c.values))("n", m.n)("bins", c.bins)(
      "distribution", name_of(c.keys));
  if (!rows.wants(r)) {
    return;
  }
  caching_allocator cache;
  auto const policy = thrust::cuda::par_nosync(cache);
  auto const* const keys = m.keys.template as<std::uint32_t>();
  auto const* const values = m.values.template as<T>();
  auto const run = [&](thrust_hist::options const& o) {
    thrust_hist::histogram_by_key(
        policy, keys, keys + m.n, values, m.ours.template as<T>(), c.bins, f.op, o);
  };
  m.fill(c);
  try {
    r("bytes", 4 + sizeof(T));
    bool equal = false;
    if constexpr (Fold::rounds) {
      m.reference.make(keys, values, m.n, c.bins);
      equal = measure_sums(r, m, c, run);
    } else {
      m.reference.make(keys, values, m.n, c.bins, f.op, f.identity);
      equal = measure_integers(r, m, c, run);
    }
    if (s.peers) {
      equal = measure_peers(r, f, m, c.bins) && equal;
    }
    rows.judge(r, equal);
  } catch (std::exception const& e) {
    rows.failed(r, e.what());
  }
}

/// All of one fold, but for the sums of floats that folds.cu has.
template <class Fold, class T>
void compare_folds(
    report& rows, Fold const& f, fold_settings const& s, pairs_memory<T> const& m,
    std::vector<std::uint64_t> const& bin_counts) {
  auto const values = std::is_integral_v<T> ? value_kind::bits : value_kind::unit;
  for (std::uint64_t const bins : bin_counts) {
    for (distribution const d :
         {distribution::uniform, distribution::zipf, distribution::zipf_1_5, distribution::constant,
          distribution::half_constant}) {
      if (!s.quick || (bins == 256 && d != distribution::zipf)) {
        perf::compare(rows, f, s, m, {bins, d, values});
      }
    }
  }
}

template <class T>
number_fold<T, thrust::plus<T>> sum_of(char const* type) {
  return {"sum", type, {}, 0};
}

}  // namespace perf
