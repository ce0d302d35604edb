// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// One case of a sparse histogram, with scratch memory from a caching allocator, beside sorts;
/// whether the rows are right; and which cases there are.

#include "report.h"
#include "sparse_keys.h"
#include "sparse_peers.cuh"
#include "timing.cuh"
#include "values.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <vector>

namespace perf {

struct sparse_settings {
  std::uint64_t n;
  bool peers, quick;
};

/// What all programs of sparse histograms take: --log2 K, --ours, --quick.
inline sparse_settings sparse_settings_of(arguments const& a) {
  return {std::uint64_t{1} << a.number("--log2", 27), !a.has("--ours"), a.has("--quick")};
}

/// How the keys, and values of a type or none, are called.
struct sparse_types {
  char const* fold;  ///< "count", "sum", "min"
  char const* type;
};

struct sparse_case {
  std::uint64_t n, distinct;
  key_layout layout;
  key_order order;
};

template <class Key>
__global__ void fill_sparse_keys(Key* out, sparse_case c) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < c.n;
       i += stride) {
    out[i] = perf::key_of<Key>(perf::index_at(i, c.n, c.distinct, c.order), c.layout);
  }
}

template <class T>
__global__ void fill_unit_values(T* out, std::uint64_t n) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = perf::value_at<T>(i, value_kind::unit);
  }
}

/// Sums of numbers that are not negative; how far tree-like sums of 2^27 floats are off at worst.
struct is_nearly {
  __host__ __device__ bool operator()(float a, float b) const {
    return std::fabs(a - b) <= 2e-3f * std::fabs(b);
  }
};

/// What Op makes of all of some numbers that are not negative.
template <class Op, class T>
double folded_in_double(T const* first, std::uint64_t n) {
  constexpr bool are_sums = std::is_same_v<Op, thrust::plus<T>>;
  static_assert(are_sums || std::is_same_v<Op, thrust::minimum<T>>);
  using op = std::conditional_t<are_sums, thrust::plus<double>, thrust::minimum<double>>;
  return thrust::reduce(thrust::device, first, first + n, are_sums ? 0. : HUGE_VAL, op{});
}

/// By this order keys are sorted if each is above the one before it.
struct not_above {
  template <class Key>
  __host__ __device__ bool operator()(Key const& a, Key const& b) const {
    return a <= b;
  }
};

/// Room for all that is compared, and what is done with it. Values, if any, are folded by Op: sums,
/// or what picks one.
template <class Key, class Value, class Op = thrust::plus<Value>>
class sparse_memory {
public:
  using folded = row_value<Value>;

  sparse_memory(std::uint64_t most, bool peers)
      : keys_(most * sizeof(Key)), values_(most * value_bytes<Value> + 1),
        keys_out_(most * sizeof(Key)), values_out_(most * sizeof(folded)) {
    if (peers) {
      sort_ = std::make_unique<rows_by_sorting<Key, Value, Op>>(most);
      temp_ = std::make_unique<scratch>();
    }
    if constexpr (!is_counted<Value>) {
      fill_unit_values<<<2048, 256>>>(values_.template as<Value>(), most);
    }
  }

  void fill(sparse_case const& c) const {
    fill_sparse_keys<<<2048, 256>>>(keys(), c);
    if (c.order == key_order::sorted) {
      caching_allocator cache;
      perf::sort_pairs(thrust::cuda::par_nosync(cache), keys(), values(), c.n);
    }
    require(cudaDeviceSynchronize(), "making keys");
  }

  /// Our call; how many rows.
  template <class Policy>
  std::uint64_t ours(
      Policy const& policy, std::uint64_t n, thrust_hist::options const& o = {}) const {
    auto const ends = [&] {
      Key const* const first = keys();
      if constexpr (is_counted<Value>) {
        return thrust_hist::sparse_histogram(policy, first, first + n, keys_out(), values_out(), o);
      } else {
        Value const* const values_first = values();
        return thrust_hist::sparse_histogram_by_key(
            policy, first, first + n, values_first, keys_out(), values_out(), Op{}, o);
      }
    }();
    return static_cast<std::uint64_t>(ends.first - keys_out());
  }

  /// Before each by_thrust(), and not timed.
  void prepare_sort(std::uint64_t n) const { sort_->copy_input(keys(), values(), n); }
  template <class Policy>
  void by_thrust(Policy const& policy, std::uint64_t n) const {
    sort_->by_thrust(policy, n);
  }
  void by_radix(sparse_case const& c) const {
    sort_->by_radix(*temp_, keys(), values(), c.n, bits_in_use<Key>(c.distinct, c.layout));
  }

  /// Whether our rows are those of a sort, or without peers, whether their keys ascend and all
  /// input is in them.
  bool is_right(sparse_case const& c) const {
    caching_allocator cache;
    require(cudaMemset(values_out(), 0xa5, c.n * sizeof(folded)), "cudaMemset");
    std::uint64_t const rows = ours(thrust::cuda::par_nosync(cache), c.n);
    Key const* const our_keys = keys_out();
    folded const* const our_values = values_out();
    if (rows == 0 || rows > c.n) {
      return false;
    }
    // What a sort leaves beside its input has room up to there.
    if (sort_ != nullptr && c.n * sizeof(Key) <= std::uint64_t{1} << 31) {
      by_radix(c);
      bool const same_keys =
          rows == sort_->rows() &&
          thrust::equal(thrust::device, our_keys, our_keys + rows, sort_->keys());
      if constexpr (is_counted<Value>) {
        return same_keys &&
               thrust::equal(thrust::device, our_values, our_values + rows, sort_->values());
      } else {
        return same_keys &&
               thrust::equal(
                   thrust::device, our_values, our_values + rows, sort_->values(), is_nearly{});
      }
    }
    bool const ascend = thrust::is_sorted(thrust::device, our_keys, our_keys + rows, not_above{});
    if constexpr (is_counted<Value>) {
      return ascend &&
             thrust::reduce(thrust::device, our_values, our_values + rows, std::uint64_t{0}) == c.n;
    } else {
      double const found = perf::folded_in_double<Op>(our_values, rows);
      double const expected = perf::folded_in_double<Op>(values(), c.n);
      return ascend && std::fabs(found - expected) <= 2e-3 * expected;
    }
  }

private:
  Key* keys() const { return keys_.template as<Key>(); }
  Value* values() const { return values_.template as<Value>(); }
  Key* keys_out() const { return keys_out_.template as<Key>(); }
  folded* values_out() const { return values_out_.template as<folded>(); }

  buffer keys_, values_, keys_out_, values_out_;
  std::unique_ptr<rows_by_sorting<Key, Value, Op>> sort_;
  std::unique_ptr<scratch> temp_;
};

/// What names a case.
inline void name_case(row& r, sparse_types const& t, sparse_case const& c) {
  r("fold", t.fold)("type", t.type)("layout", name_of(c.layout))("n", c.n)("distinct", c.distinct)(
      "distribution", name_of(c.order));
}

/// One row, in G keys or pairs per second.
template <class Key, class Value, class Op>
void compare(
    report& rows, sparse_types const& t, sparse_memory<Key, Value, Op> const& m,
    sparse_case const& c, bool peers) {
  row r;
  perf::name_case(r, t, c);
  if (!rows.wants(r)) {
    return;
  }
  auto const rate = [&](double ms) { return static_cast<double>(c.n) / ms * 1e-6; };
  bool const counted = is_counted<Value>;
  m.fill(c);
  try {
    bool const right = m.is_right(c);
    {
      caching_allocator cache;
      auto const policy = thrust::cuda::par_nosync(cache);
      thrust_hist::plan plan;
      m.ours(policy, c.n, thrust_hist::options{}.explain(&plan));
      std::uint64_t found = 0;
      double const ms = milliseconds([&] { found = m.ours(policy, c.n); });
      r("bytes", sizeof(Key) + value_bytes<Value>)("rows", found)("route", to_string(plan.taken))(
          "scratch_bytes", plan.scratch_bytes)("peak_bytes", cache.peak())("ours", rate(ms));
    }
    if (peers) {
      caching_allocator cache;
      auto const policy = thrust::cuda::par_nosync(cache);
      r(counted ? "thrust_sort_and_reduce" : "thrust_sort_by_key",
        rate(milliseconds([&] { m.by_thrust(policy, c.n); }, [&] { m.prepare_sort(c.n); }, 3)))(
          counted ? "sort_and_encode" : "sort_and_reduce",
          rate(milliseconds([&] { m.by_radix(c); }, 3)));
    }
    rows.judge(r, right);
  } catch (std::exception const& e) {
    rows.failed(r, e.what());
  }
}

/// Numbers of distinct keys that occur in all orders, and all keys distinct.
inline std::vector<sparse_case> sparse_cases(sparse_settings const& s) {
  std::vector<sparse_case> cases;
  auto const add = [&](std::uint64_t distinct, key_layout l, key_order o) {
    if (distinct <= s.n) {
      cases.push_back({s.n, distinct, l, o});
    }
  };
  if (s.quick) {
    for (std::uint64_t const distinct : {1000, 1000000, 20000000}) {
      add(distinct, key_layout::spread, key_order::uniform);
      add(distinct, key_layout::spread, key_order::zipf);
    }
    add(s.n, key_layout::spread, key_order::uniform);
    return cases;
  }
  add(1, key_layout::spread, key_order::uniform);
  for (std::uint64_t const distinct : {10, 1000, 100000, 1000000, 20000000}) {
    for (key_order const o : all_orders) {
      if (o != key_order::runs || distinct <= s.n / 1024) {  // as many runs as keys, at least
        add(distinct, key_layout::spread, o);
      }
    }
    if (distinct >= 1000) {
      for (key_order const o : {key_order::uniform, key_order::zipf, key_order::sorted}) {
        add(distinct, key_layout::dense, o);
      }
    }
  }
  for (key_layout const l : {key_layout::spread, key_layout::dense}) {
    for (key_order const o : {key_order::uniform, key_order::sorted, key_order::clustered}) {
      add(s.n, l, o);
    }
  }
  return cases;
}

/// All of one type.
template <class Key, class Value>
void compare_table(report& rows, sparse_types const& t, sparse_settings const& s) {
  sparse_memory<Key, Value> const m(s.n, s.peers);
  for (sparse_case const& c : perf::sparse_cases(s)) {
    perf::compare(rows, t, m, c, s.peers);
  }
}

/// Numbers of distinct keys of which each is 1.1 times the one before, ours only: where steps would
/// show.
template <class Key, class Value>
void compare_sweep(report& rows, sparse_types const& t, sparse_settings const& s) {
  sparse_memory<Key, Value> const m(s.n, false);
  std::uint64_t before = 0;
  for (double d = 16; d <= static_cast<double>(s.n); d *= s.quick ? 2 : 1.1) {
    auto const distinct = static_cast<std::uint64_t>(d);
    if (distinct != before) {
      perf::compare(rows, t, m, {s.n, distinct, key_layout::spread, key_order::uniform}, false);
    }
    before = distinct;
  }
}

/// What a call costs, in microseconds: on the host's clock, where it takes long on the GPU's.
template <class Key, class Value, class Op>
void compare_call(
    report& rows, sparse_types const& t, sparse_memory<Key, Value, Op> const& m,
    sparse_case const& c, bool peers) {
  row r;
  r("call", is_counted<Value> ? "sparse_histogram" : "sparse_histogram_by_key");
  perf::name_case(r, t, c);
  if (!rows.wants(r)) {
    return;
  }
  m.fill(c);
  try {
    bool const right = m.is_right(c);
    caching_allocator cache;
    auto const cached = thrust::cuda::par_nosync(cache);
    int const repeats = c.n < 1 << 18 ? 201 : c.n < 1 << 22 ? 51 : 15;
    auto const time = [&](auto const& prepare, auto const& run) {
      return c.n >= std::uint64_t{1} << 26
                 ? 1000 * milliseconds(run, prepare, 3)
                 : call_microseconds_in_turn_after(prepare, repeats, run)[0];
    };
    r("ours_cached_us", time([] {}, [&] { m.ours(cached, c.n); }));
    r("bytes", sizeof(Key) + value_bytes<Value>)("peak_bytes", cache.peak());
    if (peers) {
      r(is_counted<Value> ? "thrust_sort_and_reduce_us" : "thrust_sort_by_key_us",
        time([&] { m.prepare_sort(c.n); }, [&] { m.by_thrust(cached, c.n); }));
    }
    // Without an allocator: Thrust takes a cudaMalloc for whatever it needs.
    if (c.n <= std::uint64_t{1} << 25) {
      r("ours_default_us", time([] {}, [&] { m.ours(thrust::device, c.n); }));
      if (peers) {
        r("thrust_default_us",
          time([&] { m.prepare_sort(c.n); }, [&] { m.by_thrust(thrust::device, c.n); }));
      }
    }
    rows.judge(r, right);
  } catch (std::exception const& e) {
    rows.failed(r, e.what());
  }
}

/// Calls of every size: few keys distinct, one in eight, of many one in three, all. From 2^17 to
/// 2^26, where it matters where keys lie, all distinct ones that are uneven, too, and to 2^28 such
/// as words of a text are; from 2^22 on keys of which a sample says little.
template <class Key, class Value, class Op = thrust::plus<Value>>
void compare_calls(report& rows, sparse_types const& t, sparse_settings const& s) {
  int const most_log2 = s.quick ? 14 : sizeof(Key) > 8 ? 26 : 30;
  sparse_memory<Key, Value, Op> const m(std::uint64_t{1} << most_log2, s.peers);
  for (int const log2 : {0, 7, 10, 14, 17, 19, 20, 21, 22, 23, 24, 25, 26, 28, 30}) {
    std::uint64_t const n = std::uint64_t{1} << log2;
    std::uint64_t before = 0;
    // Where few keys tell what becomes of all, keys that come in order may mislead.
    if (log2 >= 22 && log2 <= 25) {
      for (std::uint64_t const distinct : {std::uint64_t{10000}, n / 8}) {
        perf::compare_call(
            rows, t, m, {n, distinct, key_layout::spread, key_order::sorted}, s.peers);
      }
    }
    std::uint64_t const third = log2 >= 20 ? n / 3 : 0;
    for (std::uint64_t const distinct : {std::min<std::uint64_t>(n, 1000), n / 8, third, n}) {
      if (distinct > before && log2 <= most_log2) {
        perf::compare_call(
            rows, t, m, {n, distinct, key_layout::spread, key_order::uniform}, s.peers);
      }
      before = std::max(before, distinct);
    }
    if (log2 >= 17 && log2 <= std::min(28, most_log2)) {
      perf::compare_call(rows, t, m, {n, n / 8, key_layout::spread, key_order::zipf}, s.peers);
    }
    if (log2 >= 22 && log2 <= std::min(28, most_log2)) {
      perf::compare_call(
          rows, t, m, {n, distinct_of_half_few(n), key_layout::spread, key_order::half_few},
          s.peers);
    }
    for (key_layout const l :
         {key_layout::octaves, key_layout::clustered, key_layout::half_narrow}) {
      if (log2 >= 17 && log2 <= std::min(26, most_log2)) {
        perf::compare_call(rows, t, m, {n, n, l, key_order::uniform}, s.peers);
      }
    }
  }
}

}  // namespace perf
