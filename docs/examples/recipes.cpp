// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The code of docs/recipes.md that runs on every system. recipes_cuda.cu has the rest.
#include "support/caching_allocator.h"
#include "support/expect.h"
#include <thrust_hist/histogram_by_key.h>
#include <thrust_hist/thrust_hist.h>
#include <thrust_hist/transform_histogram.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

using counts_vector = thrust::device_vector<std::uint64_t>;
using reals = thrust::device_vector<float>;

template <class T>
static std::vector<T> on_host(thrust::device_vector<T> const& there) {
  std::vector<T> copy(there.size());
  thrust::copy(there.begin(), there.end(), copy.begin());
  return copy;
}

template <class T>
static T sum(std::vector<T> const& values) {
  return std::accumulate(values.begin(), values.end(), T{});
}

static std::vector<float> normal_numbers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(3, 2);
  std::vector<float> numbers(n);
  for (auto& x : numbers) {
    x = normal(random);
  }
  return numbers;
}

//! [rule_of_ours]
struct last_digit {
  THRUST_HIST_HOST_DEVICE int operator()(unsigned x) const { return static_cast<int>(x % 10); }
};
//! [rule_of_ours]

static void rules_of_ours() {
  thrust::device_vector<unsigned> numbers(std::vector<unsigned>{17, 20, 37, 41});
  counts_vector counts(10);
  //! [rule_of_ours_call]
  thrust_hist::histogram(
      numbers.begin(), numbers.end(), counts.begin(), thrust_hist::make_bins(10, last_digit{}));
  //! [rule_of_ours_call]
  auto const found = on_host(counts);
  expect(
      found[7] == 2 && found[0] == 1 && found[1] == 1, "numbers are counted by their last digit");
}

static void density_and_cumulative(reals const& samples) {
  //! [density]
  int const bins = 100;
  thrust_hist::even_bins const rule(bins, -17.0, 23.0);
  counts_vector counts(bins);
  thrust_hist::histogram(samples.begin(), samples.end(), counts.begin(), rule);

  // Shares up to each edge: counts of all bins to the left.
  counts_vector up_to(bins);
  thrust::inclusive_scan(counts.begin(), counts.end(), up_to.begin());

  // Density: the share of a bin divided by its width.
  std::vector<std::uint64_t> const counted = on_host(counts);
  std::vector<double> density(bins);
  for (int i = 0; i < bins; ++i) {
    double const width = rule.edge(i + 1) - rule.edge(i);
    density[i] = static_cast<double>(counted[i]) / (static_cast<double>(samples.size()) * width);
  }
  //! [density]
  double const mass = sum(density) * 0.4;
  double const peak = density[50];  // at 3, where a normal density of deviation 2 is 0.1995
  expect(std::abs(mass - 1) < 1e-9, "a density adds up to 1");
  expect(std::abs(peak - 0.1995) < 0.01, "the density is that of the distribution");
  expect(on_host(up_to).back() == samples.size(), "the cumulative counts end at all samples");
  std::printf("density at 3: %.4f, mass %.6f\n", peak, mass);
}

//! [finite]
// Infinities and NaN would spoil a range; `instead` is what the operator ignores.
struct finite_or {
  float instead;
  THRUST_HIST_HOST_DEVICE float operator()(float x) const { return x - x == 0 ? x : instead; }
};
struct smaller {
  THRUST_HIST_HOST_DEVICE float operator()(float a, float b) const { return b < a ? b : a; }
};
struct larger {
  THRUST_HIST_HOST_DEVICE float operator()(float a, float b) const { return a < b ? b : a; }
};
//! [finite]

static void range_from_data(reals samples) {
  samples[7] = std::numeric_limits<float>::quiet_NaN();
  samples[9] = std::numeric_limits<float>::infinity();
  //! [range_from_data]
  float const infinity = std::numeric_limits<float>::infinity();
  auto const up = thrust::make_transform_iterator(samples.begin(), finite_or{infinity});
  auto const down = thrust::make_transform_iterator(samples.begin(), finite_or{-infinity});
  auto const n = static_cast<std::ptrdiff_t>(samples.size());
  //! [reduce]
  float const lower = thrust_hist::reduce(up, up + n, infinity, smaller{});
  float const upper = thrust_hist::reduce(down, down + n, -infinity, larger{});
  //! [reduce]

  // The largest sample belongs to the last bin, as in NumPy.
  int const bins = 50;
  thrust_hist::even_bins const rule(bins, lower, upper, thrust_hist::upper_edge::inclusive);
  counts_vector counts(bins);
  std::uint64_t dropped = 0;
  thrust_hist::histogram(
      samples.begin(), samples.end(), counts.begin(), rule,
      thrust_hist::options{}.dropped(&dropped));
  //! [range_from_data]
  expect(dropped == 2, "only NaN and the infinity are in no bin");
  expect(sum(on_host(counts)) == samples.size() - 2, "every finite sample is counted");
  std::printf("range from data: [%g, %g]\n", lower, upper);
}

static void logarithmic_bins() {
  reals const sizes = [] {
    std::vector<float> made = normal_numbers(100000, 3);
    for (auto& x : made) {
      x = std::exp(x);
    }
    return made;
  }();
  //! [log_bins]
  // Ten bins a decade from 0.1 to 10,000. The edges may stay on the host.
  std::vector<double> const edges = thrust_hist::log_edges(50, 0.1, 10000.0);
  counts_vector counts(50);
  thrust_hist::histogram_range(
      thrust::device, sizes.begin(), sizes.end(), counts.begin(), edges.begin(), edges.end());
  //! [log_bins]

  //! [log_bins_with_flow]
  // One bin more at each end for the rest. A rule reads its edges where the samples are counted.
  thrust::device_vector<double> const there(edges.begin(), edges.end());
  thrust_hist::range_bins const decades(there.begin(), there.end());
  counts_vector all_counts(52);
  thrust_hist::histogram(
      thrust::device, sizes.begin(), sizes.end(), all_counts.begin(),
      thrust_hist::with_flow(decades));
  //! [log_bins_with_flow]
  auto const counted = on_host(all_counts);
  expect(sum(counted) == sizes.size(), "with_flow leaves nothing out");
  expect(
      std::vector<std::uint64_t>(counted.begin() + 1, counted.end() - 1) == on_host(counts),
      "both ways count the same");
  std::printf("log bins: %zu of %zu sizes below 0.1\n", std::size_t(counted[0]), sizes.size());
}

static void joint(std::vector<float> const& xs, std::vector<float> const& ys) {
  reals const x(xs.begin(), xs.end()), y(ys.begin(), ys.end());
  //! [joint]
  // How x and y occur together: 20 rows for y, 30 columns for x.
  thrust_hist::even_bins const columns(30, 0.0, 6.0), rows(20, 0.0, 6.0);
  thrust_hist::grid const cells(rows, columns);
  counts_vector counts(cells.size());
  auto const both = thrust::make_zip_iterator(thrust::make_tuple(y.begin(), x.begin()));
  thrust_hist::histogram(both, both + static_cast<std::ptrdiff_t>(x.size()), counts.begin(), cells);
  // counts[row * columns.size() + column]
  //! [joint]
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    inside += 0 <= xs[i] && xs[i] < 6 && 0 <= ys[i] && ys[i] < 6;
  }
  expect(sum(on_host(counts)) == inside, "the cells hold what is inside in both coordinates");
  std::printf("joint: %zu of %zu pairs inside\n", std::size_t(inside), x.size());
}

static void chunks(std::vector<float> const& all, reals const& samples) {
  //! [chunks]
  // Any number of samples, a part at a time: accumulate() adds to what the output holds.
  thrust_hist::even_bins const rule(64, -5.0, 11.0);
  counts_vector counts(64, 0);
  reals part;
  for (std::size_t begin = 0; begin < all.size(); begin += 30000) {
    std::size_t const end = std::min<std::size_t>(begin + 30000, all.size());
    part.assign(all.begin() + begin, all.begin() + end);
    thrust_hist::histogram(
        part.begin(), part.end(), counts.begin(), rule, thrust_hist::options{}.accumulate());
  }
  //! [chunks]
  counts_vector at_once(64);
  thrust_hist::histogram(samples.begin(), samples.end(), at_once.begin(), rule);
  expect(on_host(counts) == on_host(at_once), "chunks add up to the whole");
  std::printf("chunks: the same counts as at once\n");
}

// --- folds ---------------------------------------------------------------------------------------

static void by_key() {
  //! [by_key]
  thrust::device_vector<int> const shop(std::vector<int>{2, 0, 2, 2, 0});
  reals const price(std::vector<float>{3.5f, 1.25f, 4, 0.5f, 7});

  reals revenue(4);  // shop 1 and shop 3 sell nothing and get 0
  thrust_hist::histogram_by_key(shop.begin(), shop.end(), price.begin(), revenue.begin(), 4);

  // An operator of your own; after it, what changes nothing. No price is below 0.
  reals dearest(4);
  thrust_hist::histogram_by_key(
      shop.begin(), shop.end(), price.begin(), dearest.begin(), 4, larger{}, 0.f);
  //! [by_key]
  expect(on_host(revenue) == std::vector<float>{8.25f, 0, 8, 0}, "prices add up");
  expect(on_host(dearest) == std::vector<float>{7, 0, 4, 0}, "the dearest sale of each shop");
  std::printf("by key: shop 0 sold for %g, at most for %g\n", float(revenue[0]), float(dearest[0]));
}

// Keys of any value, on the host: the systems of std::vector.
static void sparse() {
  //! [sparse]
  std::vector<std::uint64_t> const visitor = {
      9000000000000000001u, 77, 9000000000000000001u, 0, 77, 77};

  std::vector<std::uint64_t> who;  // each once, ascending
  std::vector<int> visits;
  thrust_hist::sparse_histogram(visitor.begin(), visitor.end(), who, visits);
  //! [sparse]
  expect(who == std::vector<std::uint64_t>{0, 77, 9000000000000000001u}, "distinct visitors");
  expect(visits == std::vector<int>{1, 3, 2}, "their visits");

  //! [sparse_by_key]
  std::vector<double> const spent = {1.5, 20, 2.5, 4, 0.5, 8};
  std::vector<double>
      dearest;  // an operator needs no identity: every key that is there has a value
  thrust_hist::sparse_histogram_by_key(
      visitor.begin(), visitor.end(), spent.begin(), who, dearest, larger{});
  //! [sparse_by_key]
  expect(dearest == std::vector<double>{4, 20, 2.5}, "the dearest purchase of each");

  //! [sparse_merge]
  // Two parts of the input, each by itself: exact sums are kept without rounding until all are
  // there.
  using exact = thrust_hist::exact_sum<double>;
  std::vector<std::uint64_t> left, right;
  std::vector<exact> left_sums, right_sums;
  thrust_hist::sparse_histogram_by_key(
      visitor.begin(), visitor.begin() + 3, spent.begin(), left, left_sums);
  thrust_hist::sparse_histogram_by_key(
      visitor.begin() + 3, visitor.end(), spent.begin() + 3, right, right_sums);

  left.insert(left.end(), right.begin(), right.end());
  left_sums.insert(left_sums.end(), right_sums.begin(), right_sums.end());
  std::vector<exact> sums;
  thrust_hist::sparse_histogram_by_key(left.begin(), left.end(), left_sums.begin(), who, sums);
  //! [sparse_merge]
  expect(who.size() == 3 && sums[1].value() == 28.5, "parts merge");
  std::printf("sparse: %zu visitors, 77 spent %g\n", who.size(), sums[1].value());
}

// An input that comes in chunks, of which only what was counted is kept.
static void sparse_chunks() {
  std::vector<std::vector<std::uint64_t>> const chunks = {
      {9000000000000000001u, 77, 9000000000000000001u}, {0, 77}, {}, {77, 5, 77}};

  //! [sparse_chunks]
  std::vector<std::uint64_t> who, visits;  // of all chunks so far
  for (auto const& chunk : chunks) {
    std::vector<std::uint64_t> keys, counts;
    thrust_hist::sparse_histogram(chunk.begin(), chunk.end(), keys, counts);
    keys.insert(keys.end(), who.begin(), who.end());
    counts.insert(counts.end(), visits.begin(), visits.end());
    thrust_hist::sparse_histogram_by_key(keys.begin(), keys.end(), counts.begin(), who, visits);
  }
  //! [sparse_chunks]
  expect(who == std::vector<std::uint64_t>{0, 5, 77, 9000000000000000001u}, "visitors of all");
  expect(visits == std::vector<std::uint64_t>{1, 1, 4, 2}, "visits of all chunks");
  std::printf("sparse chunks: %zu visitors\n", who.size());
}

//! [emit]
// The charge of a particle is shared by the two points of a grid beside it: two pairs for each. One
// that has left the grid leaves nothing.
struct share_out {
  int points;

  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(float position, Sink const& sink) const {
    if (0 <= position && position < static_cast<float>(points - 1)) {
      int const left = static_cast<int>(position);
      float const share = position - static_cast<float>(left);
      sink(left, 1 - share);
      sink(left + 1, share);
    }
  }
};

static reals charge_on_grid(reals const& positions, int points) {
  reals charge(points);
  thrust_hist::transform_histogram(
      positions.begin(), positions.end(), charge.begin(), points, share_out{points});
  return charge;
}
//! [emit]

static void emitted() {
  auto const charge = on_host(charge_on_grid(reals(std::vector<float>{0.25f, 2, -1, 1.5f, 3}), 4));
  expect(charge == std::vector<float>{0.75f, 0.75f, 1.5f, 0}, "charges are shared out");
  std::printf("emit: charges %g %g %g %g\n", charge[0], charge[1], charge[2], charge[3]);
}

//! [powers]
// A reading as what is added up of it: how many, its value, its square.
struct powers {
  THRUST_HIST_HOST_DEVICE thrust::tuple<std::uint64_t, double, double> operator()(float y) const {
    return {1, y, static_cast<double>(y) * y};
  }
};
//! [powers]

static void statistics_in_one_pass(reals const& x, reals const& y) {
  //! [statistics]
  // Mean and variance of y in each bin of x: three sums in one pass.
  thrust_hist::even_bins const rule(10, -2.0, 8.0);
  thrust::device_vector<thrust::tuple<std::uint64_t, double, double>> sums(10);
  thrust_hist::histogram_by_key(
      x.begin(), x.end(), thrust::make_transform_iterator(y.begin(), powers{}), sums.begin(), rule,
      thrust_hist::plus_each{});

  std::vector<double> mean, variance;
  for (auto const& s : on_host(sums)) {
    auto const n = static_cast<double>(thrust::get<0>(s));
    mean.push_back(thrust::get<1>(s) / n);
    variance.push_back(thrust::get<2>(s) / n - mean.back() * mean.back());
  }
  //! [statistics]
  counts_vector counts(10);
  thrust_hist::histogram(x.begin(), x.end(), counts.begin(), rule);
  auto const ys = on_host(y), xs = on_host(x);
  double of_bin_5 = 0;  // x in [3, 4)
  for (std::size_t i = 0; i < xs.size(); ++i) {
    of_bin_5 += 3 <= xs[i] && xs[i] < 4 ? ys[i] : 0;
  }
  auto const n = static_cast<double>(on_host(counts)[5]);
  expect(std::abs(mean[5] - of_bin_5 / n) < 1e-9, "the mean is that of a plain loop");
  expect(std::abs(variance[5] - 4) < 0.2, "the variance is that of the distribution");
  std::printf("statistics: mean %.3f, variance %.3f where x is near 3.5\n", mean[5], variance[5]);
}

//! [rounded]
struct rounded {
  THRUST_HIST_HOST_DEVICE float operator()(thrust_hist::exact_sum<float> const& s) const {
    return s.value();
  }
};
//! [rounded]

static void exact_chunks(reals const& x, reals const& weights) {
  int const bins = 16;
  auto const n = static_cast<std::ptrdiff_t>(x.size());
  thrust_hist::even_bins const rule(bins, -5.0, 11.0);
  //! [exact_chunks]
  // Two parts, which might be of two files or on two GPUs. Each keeps its sums without rounding.
  using sums = thrust::device_vector<thrust_hist::exact_sum<float>>;
  sums left(bins), right(bins), all(bins);
  auto const x_middle = x.begin() + n / 3;
  auto const w_middle = weights.begin() + n / 3;
  thrust_hist::histogram_by_key(x.begin(), x_middle, weights.begin(), left.begin(), rule);
  thrust_hist::histogram_by_key(x_middle, x.end(), w_middle, right.begin(), rule);

  // Merged, and rounded once.
  thrust::transform(left.begin(), left.end(), right.begin(), all.begin(), thrust_hist::plus_each{});
  reals of_parts(bins);
  thrust::transform(all.begin(), all.end(), of_parts.begin(), rounded{});

  // The same bits as those of one call with exact().
  reals at_once(bins);
  thrust_hist::histogram_by_key(
      x.begin(), x.end(), weights.begin(), at_once.begin(), rule, thrust_hist::options{}.exact());
  //! [exact_chunks]
  expect(on_host(of_parts) == on_host(at_once), "parts merge to the bits of the whole");
  //! [exact_accumulate]
  sums in_parts(bins, thrust_hist::exact_sum<float>{});
  for (std::ptrdiff_t begin = 0; begin < n; begin += 30000) {
    std::ptrdiff_t const end = std::min<std::ptrdiff_t>(begin + 30000, n);
    thrust_hist::histogram_by_key(
        x.begin() + begin, x.begin() + end, weights.begin() + begin, in_parts.begin(), rule,
        thrust_hist::options{}.accumulate());
  }
  //! [exact_accumulate]
  expect(on_host(in_parts) == on_host(all), "and so does any other split");
  std::printf("exact chunks: the same bits as at once, %g in bin 8\n", float(at_once[8]));
}

//! [rmm_like_policy]
// rmm::exec_policy is such a class: an allocator of the memory resource, copied, and a stream.
struct pool_allocator {
  using value_type = char;
  caching_allocator* pool;

  char* allocate(std::ptrdiff_t bytes) { return pool->allocate(bytes); }
  void deallocate(char* memory, std::size_t bytes) { pool->deallocate(memory, bytes); }
};

#if defined(__CUDACC__)
using pool_policy_base =
    decltype(thrust::cuda::par(std::declval<pool_allocator>()).on(cudaStream_t{}));
struct pool_policy : pool_policy_base {
  explicit pool_policy(caching_allocator& pool, cudaStream_t stream = nullptr)
      : pool_policy_base(thrust::cuda::par(pool_allocator{&pool}).on(stream)) {}
};
#else
using pool_policy_base = decltype(thrust::device(std::declval<pool_allocator>()));
struct pool_policy : pool_policy_base {
  explicit pool_policy(caching_allocator& pool)
      : pool_policy_base(thrust::device(pool_allocator{&pool})) {}
};
#endif
//! [rmm_like_policy]

static void with_pool_policy(reals const& samples) {
  //! [even]
  counts_vector counts(64);  // 64 bins of equal width over [-5, 11)
  thrust_hist::histogram_even(samples.begin(), samples.end(), counts.begin(), 64, -5.0, 11.0);
  //! [even]

  //! [call_with_it]
  caching_allocator pool;
  counts_vector pooled(64);
  thrust_hist::histogram_even(
      pool_policy(pool), samples.begin(), samples.end(), pooled.begin(), 64, -5.0, 11.0);
  //! [call_with_it]
  expect(on_host(counts) == on_host(pooled), "the policy does not change the counts");
  expect(pool.in_use() == 0, "all temporary memory is given back");
  std::printf("rmm-like policy: the same counts, %d blocks from the pool\n", pool.fresh());
}

int main() {
  std::vector<float> const x = normal_numbers(100000, 1), y = normal_numbers(100000, 2);
  reals const there_x(x.begin(), x.end());
  density_and_cumulative(there_x);
  rules_of_ours();
  range_from_data(there_x);
  logarithmic_bins();
  joint(x, y);
  chunks(x, there_x);
  by_key();
  sparse();
  sparse_chunks();
  emitted();
  statistics_in_one_pass(there_x, reals(y.begin(), y.end()));
  exact_chunks(there_x, reals(y.begin(), y.end()));
  with_pool_policy(there_x);
  return 0;
}
