// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Sums of values by real samples: histogram_by_key with a rule, plain and exact, even bins and
/// uneven ones, as in a weighted histogram. Beside it kernels of one's own, which find the bin by
/// arithmetic or by a binary search and add to it in global memory, or in shared memory where the
/// table fits 48 KB; and such a kernel that writes bins, with CUB's radix sort of the bits in use +
/// ReduceByKey. Every result is judged by a search among all edges. Prints one row a case as JSON,
/// figures in G pairs/s; `fold_rules f32 f64` run a part.
///   --log2 K   2^K pairs (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/fold_rules.cu

#include "edges.cuh"
#include "fold_cases.cuh"
#include "roof.cuh"
#include <thrust_hist/bins.h>

#include <vector>

namespace {

constexpr std::uint64_t most_bins = 100000;
constexpr unsigned shared_bytes = 48 * 1024;

/// The bin of a sample as one writes it down, `bins` if there is none.
template <class S>
struct place_by_arithmetic {
  S lower, upper, scale;
  std::uint32_t bins;

  __device__ std::uint32_t operator()(S x) const {
    if (!(x >= lower && x < upper)) {
      return bins;
    }
    auto const place = static_cast<std::uint32_t>((x - lower) * scale);
    return place < bins ? place : bins - 1;
  }
};

/// The last bin whose lower edge is not above a sample.
template <class S>
struct place_by_search {
  S const* edges;
  std::uint32_t bins;

  __device__ std::uint32_t operator()(S x) const {
    if (!(x >= edges[0] && x < edges[bins])) {
      return bins;
    }
    std::uint32_t first = 0, last = bins;
    while (last - first > 1) {
      std::uint32_t const middle = (first + last) / 2;
      (x < edges[middle] ? last : first) = middle;
    }
    return first;
  }
};

template <class S, class Place>
__global__ void find_places(S const* in, std::uint64_t n, std::uint32_t* keys, Place place) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    keys[i] = place(in[i]);
  }
}

template <class S, class V, class Place>
__global__ void add_in_global(S const* in, V const* values, std::uint64_t n, V* bins, Place place) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint32_t const bin = place(in[i]);
    if (bin < place.bins) {
      atomicAdd(bins + bin, values[i]);
    }
  }
}

template <class S, class V, class Place>
__global__ void add_in_shared(S const* in, V const* values, std::uint64_t n, V* bins, Place place) {
  extern __shared__ uint4 memory[];
  V* const table = reinterpret_cast<V*>(memory);
  for (std::uint32_t i = threadIdx.x; i < place.bins; i += blockDim.x) {
    table[i] = 0;
  }
  __syncthreads();
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint32_t const bin = place(in[i]);
    if (bin < place.bins) {
      atomicAdd(table + bin, values[i]);
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < place.bins; i += blockDim.x) {
    atomicAdd(bins + i, table[i]);
  }
}

/// Room for what is compared; reference and sorts have a bin more for samples without one.
template <class T>
struct memory : perf::pairs_memory<T> {
  explicit memory(std::uint64_t n)
      : perf::pairs_memory<T>(n, most_bins + 1), samples(n * sizeof(T)),
        edges((most_bins + 1) * sizeof(T)) {}
  perf::buffer samples, edges;
};

/// Adds the figures of the peers.
template <class T, class Place>
void measure_peers(perf::row& r, memory<T> const& m, Place place) {
  auto const* const samples = m.samples.template as<T>();
  auto const* const values = m.values.template as<T>();
  auto* const keys = m.keys.template as<std::uint32_t>();
  auto* const out = m.theirs.template as<T>();
  std::uint64_t const bins = place.bins;
  auto const begin = [&] { thrust::fill(thrust::cuda::par_nosync, out, out + bins, T{0}); };
  auto const in_global = [&] {
    begin();
    add_in_global<<<perf::multiprocessors() * 8, 256>>>(samples, values, m.n, out, place);
  };
  r("global_atomics", perf::rate(m.n, perf::slow_milliseconds(in_global)));
  if (auto const bytes = static_cast<unsigned>(bins * sizeof(T)); bytes <= shared_bytes) {
    r("shared_atomics", perf::rate(
                            m.n, perf::milliseconds(
                                     [&] {
                                       begin();
                                       add_in_shared<<<perf::multiprocessors() * 4, 512, bytes>>>(
                                           samples, values, m.n, out, place);
                                     },
                                     3)));
  }
  double const by_radix = perf::milliseconds(
      [&] {
        find_places<<<perf::multiprocessors() * 8, 256>>>(samples, m.n, keys, place);
        m.sort.by_radix(m.temp, keys, values, bins + 1, thrust::plus<T>{});
      },
      3);
  r("sort_and_reduce", perf::rate(m.n, by_radix));
}

/// One row: a rule, its edges on the GPU, and what finds its bins in a kernel of one's own.
template <class T, class Rule, class Place>
void compare(
    perf::report& rows, perf::fold_settings const& s, memory<T> const& m, char const* kind,
    perf::samples_between where, Rule const& rule, Place place) {
  std::uint64_t const bins = place.bins;
  perf::row r;
  r("fold", "sum")("type", sizeof(T) == 4 ? "f32 -> f32" : "f64 -> f64")("edges", kind)("n", m.n)(
      "bins", bins)("distribution", name_of(where));
  if (!rows.wants(r)) {
    return;
  }
  auto const* const edges = m.edges.template as<T>();
  auto const* const samples = m.samples.template as<T>();
  auto const* const values = m.values.template as<T>();
  auto* const keys = m.keys.template as<std::uint32_t>();
  perf::fill_between<<<2048, 256>>>(m.samples.template as<T>(), m.n, edges, bins, where);
  place_by_search<T> const reference = {edges, place.bins};
  find_places<<<2048, 256>>>(samples, m.n, keys, reference);
  m.reference.make(keys, values, m.n, bins + 1);

  perf::caching_allocator cache;
  auto const policy = thrust::cuda::par_nosync(cache);
  auto const run = [&](thrust_hist::options const& o) {
    thrust_hist::histogram_by_key(
        policy, samples, samples + m.n, values, m.ours.template as<T>(), rule, o);
  };
  bool const equal = perf::measure_sums_by_rule(r, m, bins, 2 * sizeof(T), run);
  if (s.peers) {
    measure_peers(r, m, place);
  }
  rows.judge(r, equal);
}

template <class T>
void set_edges(memory<T> const& m, std::vector<T> const& edges) {
  perf::require(
      cudaMemcpy(
          m.edges.template as<T>(), edges.data(), edges.size() * sizeof(T), cudaMemcpyHostToDevice),
      "cudaMemcpy");
}

template <class T>
void compare_all(perf::report& rows, perf::fold_settings const& s) {
  memory<T> const m(s.n);
  perf::fill_values<<<2048, 256>>>(m.values.template as<T>(), m.n, perf::value_kind::unit);
  perf::settle(m.samples.template as<T>(), m.n);
  for (std::uint32_t const bins : {100, 1000, 10000, 100000}) {
    constexpr double lower = -0.3, upper = 2.1;
    thrust_hist::even_bins const rule(bins, lower, upper);
    std::vector<T> edges;
    for (std::uint32_t i = 0; i <= bins; ++i) {
      edges.push_back(static_cast<T>(rule.edge(i)));
    }
    set_edges(m, edges);
    place_by_arithmetic<T> const place = {
        edges.front(), edges.back(), static_cast<T>(bins / (upper - lower)), bins};
    for (auto const where :
         {perf::samples_between::uniform, perf::samples_between::constant,
          perf::samples_between::on_the_edges}) {
      if (!s.quick || (bins == 1000 && where == perf::samples_between::uniform)) {
        compare(rows, s, m, "even", where, rule, place);
      }
    }
  }
  for (std::uint32_t const bins : {16, 256, 4096, 65536}) {
    for (auto const kind : {perf::edge_kind::squares, perf::edge_kind::logarithmic}) {
      set_edges(m, perf::make_edges<T>(bins, kind));
      auto const* const edges = m.edges.template as<T>();
      for (auto const where : perf::all_samples_between) {
        if (!s.quick || (bins == 256 && where == perf::samples_between::any_bin)) {
          compare(
              rows, s, m, name_of(kind), where, thrust_hist::range_bins(edges, edges + bins + 1),
              place_by_search<T>{edges, bins});
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "fold_rules [f32] [f64] [--log2 K] [--ours] [--quick]", {"--ours", "--quick"},
      {"--log2"});
  perf::report rows(a);
  perf::fold_settings const s = perf::settings_of(a);
  perf::print_origin("fold_rules");
  if (a.chosen("f32")) {
    compare_all<float>(rows, s);
  }
  if (a.chosen("f64")) {
    compare_all<double>(rows, s);
  }
  return rows.status();
}
