// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Structs folded by u32 key: `argmax`, the largest value of each key and where it is, by an
/// operator of the user, in 16 bytes; `five`, sums of 40 bytes part by part; beside the sorts of
/// folds.cu. Every result is checked, as there. Prints one row a case as JSON, figures in G
/// pairs/s; words choose.
///   --log2 K   2^K / 2 pairs of argmax, 2^K / 4 of five (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/fold_structs.cu

#include "fold_cases.cuh"
#include "roof.cuh"

#include <limits>

namespace {

using perf::distribution;
using perf::value_kind;

constexpr std::uint64_t most_bins = std::uint64_t{1} << 20;

// --- the largest value and where it is --------------------------------------------------------

struct best {
  double value;
  std::int64_t index;
};

/// The larger value; of equal ones the first.
struct better {
  __host__ __device__ best operator()(best const& a, best const& b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};

constexpr best none = {
    -std::numeric_limits<double>::infinity(), std::numeric_limits<std::int64_t>::max()};

__device__ void make_value(best& x, std::uint64_t i) {
  // So few different values that some are equal within a bin.
  x = {
      static_cast<double>(perf::value_at<float>(i, value_kind::unit)),
      static_cast<std::int64_t>(i)};
}

/// What a bin must hold, in two passes of integer atomics: numbers that are not negative are
/// ordered as their bits. `index` is ~0 in bins without values.
struct best_reference {
  unsigned long long value, index;
};

__global__ void find_values(
    std::uint32_t const* keys, best const* values, std::uint64_t n, best_reference* bins) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicMax(
        &bins[keys[i]].value,
        static_cast<unsigned long long>(__double_as_longlong(values[i].value)));
  }
}

__global__ void find_indices(
    std::uint32_t const* keys, best const* values, std::uint64_t n, best_reference* bins) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    best_reference& bin = bins[keys[i]];
    if (bin.value == static_cast<unsigned long long>(__double_as_longlong(values[i].value))) {
      atomicMin(&bin.index, static_cast<unsigned long long>(values[i].index));
    }
  }
}

__global__ void judge_best(
    best const* got, best_reference const* expected, std::uint64_t bins, unsigned* wrong) {
  std::uint64_t const bin = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (bin < bins) {
    best_reference const e = expected[bin];
    best const should = e.index == ~0ull
                            ? none
                            : best{
                                  __longlong_as_double(static_cast<long long>(e.value)),
                                  static_cast<std::int64_t>(e.index)};
    if (got[bin].value != should.value || got[bin].index != should.index) {
      atomicAdd(wrong, 1u);
    }
  }
}

class best_judge {
public:
  void make(
      std::uint32_t const* keys, best const* values, std::uint64_t n, std::uint64_t bins) const {
    auto* const table = bins_.as<best_reference>();
    thrust::fill(thrust::device, table, table + bins, best_reference{0, ~0ull});
    find_values<<<2048, 256>>>(keys, values, n, table);
    find_indices<<<2048, 256>>>(keys, values, n, table);
  }
  bool operator()(best const* got, std::uint64_t bins) const {
    unsigned wrong = 0;
    perf::require(cudaMemset(wrong_.as<void>(), 0, 4), "cudaMemset");
    judge_best<<<static_cast<unsigned>((bins + 255) / 256), 256>>>(
        got, bins_.as<best_reference>(), bins, wrong_.as<unsigned>());
    perf::require(cudaMemcpy(&wrong, wrong_.as<void>(), 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return wrong == 0;
  }

private:
  perf::buffer bins_{most_bins * sizeof(best_reference)}, wrong_{4};
};

// --- five sums --------------------------------------------------------------------------------

struct five {
  double x[5];
};

struct add_five {
  __host__ __device__ five operator()(five a, five const& b) const {
    for (int j = 0; j < 5; ++j) {
      a.x[j] += b.x[j];
    }
    return a;
  }
};

__device__ double part_of(five const& v, int part) {
  return v.x[part];
}

__device__ void make_value(five& v, std::uint64_t i) {
  for (std::uint64_t j = 0; j < 5; ++j) {
    v.x[j] = perf::value_at<double>(i * 5 + j, value_kind::unit);
  }
}

/// The references of all parts.
class five_judge {
public:
  void make(
      std::uint32_t const* keys, five const* values, std::uint64_t n, std::uint64_t bins) const {
    for (int j = 0; j < 5; ++j) {
      parts_[j].make(keys, values, n, bins, j);
    }
  }
  bool operator()(five const* got, std::uint64_t bins) const {
    bool equal = true;
    for (int j = 0; j < 5; ++j) {
      equal =
          parts_[j].judge<double>(got, bins, perf::rounding::each_addition, nullptr, j) && equal;
    }
    return equal;
  }

private:
  perf::sum_reference parts_[5] = {
      perf::sum_reference(most_bins), perf::sum_reference(most_bins),
      perf::sum_reference(most_bins), perf::sum_reference(most_bins),
      perf::sum_reference(most_bins)};
};

// --- both -------------------------------------------------------------------------------------

template <class V>
__global__ void make_values(V* out, std::uint64_t n) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    make_value(out[i], i);
  }
}

/// Room for all that is compared; no atomics are as wide as these values.
template <class V>
struct struct_memory {
  explicit struct_memory(std::uint64_t pairs)
      : n(pairs), keys(n * 4), values(n * sizeof(V)), sort(n, most_bins) {
    make_values<<<2048, 256>>>(values.template as<V>(), n);
  }

  std::uint64_t n;
  perf::buffer keys, values, ours{most_bins * sizeof(V)}, theirs{most_bins * sizeof(V)};
  perf::sort_and_reduce<V> sort;
  perf::scratch temp;
};

/// Adds the figures of a case to its row; whether the results are right.
template <class V, class Op, class Judge>
bool measure(
    perf::row& r, struct_memory<V> const& m, Judge const& is_right, bool peers, std::uint64_t bins,
    Op op, V identity) {
  auto const* const keys = m.keys.template as<std::uint32_t>();
  auto const* const values = m.values.template as<V>();
  auto* const ours = m.ours.template as<V>();
  auto* const theirs = m.theirs.template as<V>();
  perf::caching_allocator cache;
  auto const policy = thrust::cuda::par_nosync(cache);
  auto const run = [&](thrust_hist::options const& o) {
    thrust_hist::histogram_by_key(policy, keys, keys + m.n, values, ours, bins, op, identity, o);
  };
  thrust_hist::plan plan;
  run(thrust_hist::options{}.explain(&plan));
  perf::require(cudaMemset(ours, 0xa5, bins * sizeof(V)), "cudaMemset");
  r("bytes", 4 + sizeof(V))("route", to_string(plan.taken))("scratch_bytes", plan.scratch_bytes)(
      "ours", perf::rate(m.n, perf::milliseconds([&] { run({}); }, 11)));
  is_right.make(keys, values, m.n, bins);
  bool equal = is_right(ours, bins);
  if (peers) {
    double const by_thrust = perf::milliseconds(
        [&] { m.sort.by_thrust(policy, op); }, [&] { m.sort.copy_input(keys, values); }, 3);
    double const by_radix =
        perf::milliseconds([&] { m.sort.by_radix(m.temp, keys, values, bins, op); }, 3);
    m.sort.write(theirs, bins, identity);
    r("thrust_sort_by_key",
      perf::rate(m.n, by_thrust))("sort_and_reduce", perf::rate(m.n, by_radix));
    equal = is_right(theirs, bins) && equal;
  }
  return equal;
}

template <class V, class Judge, class Op>
void compare_all(
    perf::report& rows, perf::fold_settings const& s, char const* fold, char const* type,
    std::uint64_t n, Op op, V identity) {
  struct_memory<V> const m(n);
  Judge const is_right;
  for (std::uint64_t const bins :
       {std::uint64_t{16}, std::uint64_t{256}, std::uint64_t{4096}, std::uint64_t{65536},
        most_bins}) {
    for (distribution const d :
         {distribution::uniform, distribution::zipf, distribution::constant}) {
      perf::row r;
      r("fold", fold)("type", type)("n", n)("bins", bins)("distribution", perf::name_of(d));
      if ((s.quick && (bins != 256 || d != distribution::uniform)) || !rows.wants(r)) {
        r.drop();
        continue;
      }
      perf::fill<<<2048, 256>>>(m.keys.template as<std::uint32_t>(), n, bins, d);
      try {
        rows.judge(r, measure(r, m, is_right, s.peers, bins, op, identity));
      } catch (std::exception const& e) {
        rows.failed(r, e.what());
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "fold_structs [argmax] [five] [--log2 K] [--ours] [--quick]",
      {"--ours", "--quick"}, {"--log2"});
  perf::report rows(a);
  perf::fold_settings const s = perf::settings_of(a);
  perf::print_origin("fold_structs");
  if (a.chosen("argmax")) {
    compare_all<best, best_judge>(rows, s, "argmax", "16 bytes", s.n / 2, better{}, none);
  }
  if (a.chosen("five")) {
    compare_all<five, five_judge>(rows, s, "sum", "5 x f64", s.n / 4, add_five{}, five{});
  }
  return rows.status();
}
