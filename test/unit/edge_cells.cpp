// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// build: fast-math twin

// Range bins by a table of cells, against a search among all edges: edges of every kind, samples at
// each, beside it, between and beyond.

#include "../support/around_edges.h"
#include "../support/boost_test.h"
#include "../support/rule_checks.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/system/sequential/edge_cells.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#if defined(__SSE2__)
#  include <xmmintrin.h>
#endif

namespace edge_cells_setup {

using thrust_hist::bin_index;
using thrust_hist::range_bins;
using thrust_hist::upper_edge;
using thrust_hist::detail::sequential::celled_search;
using thrust_hist::detail::sequential::edge_cells;

template <class T>
using limits = std::numeric_limits<T>;

// Whether this thread takes subnormal numbers for 0, while alive, where the processor can be told.
class flushing {
public:
  explicit flushing([[maybe_unused]] bool on) {
#if defined(__SSE2__)
    before_ = _mm_getcsr();
    _mm_setcsr(on ? before_ | bits : before_ & ~bits);
#endif
  }
  ~flushing() {
#if defined(__SSE2__)
    _mm_setcsr(before_);
#endif
  }
  flushing(flushing const&) = delete;
  flushing& operator=(flushing const&) = delete;

private:
#if defined(__SSE2__)
  static constexpr unsigned bits = 0x8040;
  unsigned before_;
#endif
};

template <class Sample, class Edge>
void check(char const* name, std::vector<Edge> edges) {
  const flushing never(false);
  std::sort(edges.begin(), edges.end());
  for (auto ends : {upper_edge::exclusive, upper_edge::inclusive})
    BOOST_TEST_CONTEXT(name << ", " << edges.size() << " edges") {
      const auto searched = range_bins(edges.data(), edges.data() + edges.size(), ends)
                                .template for_samples<Sample, bin_index>();
      using table = edge_cells<Edge, Sample>;
      std::vector<std::uint64_t> memory(table::bytes(edges.size()) / 8 + 1, 0x5555555555555555);
      const std::vector<Sample> samples = test::samples_around<Sample>(edges);
      const auto bins = static_cast<std::uint64_t>(searched.size());
      // A thread may flush subnormal numbers where another one does not.
      for (const bool flushed_while_made : {false, true})
        for (const bool flushed_while_counted : {false, true}) {
          table cells(edges.size(), ends == upper_edge::inclusive);
          {
            const flushing set(flushed_while_made);
            cells.make(edges.data(), memory.data());
          }
          const celled_search<Edge, Sample, bin_index> found{cells};
          BOOST_TEST(found.size() == searched.size());
          std::vector<bin_index> bin_of;
          std::vector<std::uint64_t> candidate_of;
          {
            const flushing set(flushed_while_counted);
            for (Sample x : samples) {
              bin_of.push_back(found(x));
              candidate_of.push_back(found.template candidate<std::uint64_t>(x));
            }
          }
          for (std::size_t i = 0; i < samples.size(); ++i) {
            const bin_index bin = searched(samples[i]);
            BOOST_TEST_REQUIRE(bin_of[i] == bin);
            if (bin >= 0 && static_cast<std::uint64_t>(bin) < bins)
              BOOST_TEST_REQUIRE(candidate_of[i] == static_cast<std::uint64_t>(bin));
            else
              BOOST_TEST_REQUIRE(candidate_of[i] >= bins);
          }
        }
    }
}

// Edges out of order, and NaN, may give any bins, but no memory fault.
template <class Sample, class Edge>
void check_garbage(std::uint64_t seed) {
  test::random rng(seed);
  std::vector<Edge> edges(1 + rng() % 300);
  for (Edge& edge : edges) {
    edge = static_cast<Edge>(static_cast<double>(rng() % 2000) - 1000);
    if constexpr (std::is_floating_point_v<Edge>)
      edge = rng() % 20 == 0   ? test::not_a_number<Edge>()
             : rng() % 20 == 0 ? limits<Edge>::infinity()
                               : edge;
  }
  using table = edge_cells<Edge, Sample>;
  const std::size_t words = table::bytes(edges.size()) / 4;
  std::vector<std::uint64_t> memory((words + 1) / 2);
  table cells(edges.size(), seed % 2 == 0);
  cells.make(edges.data(), memory.data());
  for (int i = 0; i < 1000; ++i)
    BOOST_TEST_REQUIRE(
        cells.reached(static_cast<Sample>(static_cast<double>(rng() % 4000) / 2 - 1000)) <=
        edges.size() + 1);
}

template <class Edge, class Make>
std::vector<Edge> made(std::size_t n, Make make) {
  std::vector<Edge> edges(n);
  for (std::size_t i = 0; i < n; ++i)
    edges[i] = static_cast<Edge>(make(i));
  return edges;
}

template <class T>
double large() {
  return std::is_integral_v<T> ? static_cast<double>((limits<T>::max)()) / 4 : 1e6;
}

template <class Sample, class Edge = Sample>
void check_kinds() {
  test::random rng(sizeof(Edge) * 16 + sizeof(Sample));
  const double most = (std::min)(large<Edge>(), large<Sample>());
  for (std::size_t n : {1, 2, 3, 4, 5, 17, 300, 3000}) {
    const auto part = [&](std::size_t i) {
      return static_cast<double>(i) / static_cast<double>(n);
    };
    check<Sample>("even", made<Edge>(n, [&](std::size_t i) { return part(i) * most; }));
    check<Sample>("jitter", made<Edge>(n, [&](std::size_t i) {
                    return (part(i) +
                            static_cast<double>(rng() % 1000) / 2e3 / static_cast<double>(n)) *
                           most;
                  }));
    check<Sample>(
        "squares", made<Edge>(n, [&](std::size_t i) { return part(i) * part(i) * most; }));
    check<Sample>("logarithmic", made<Edge>(n, [&](std::size_t i) {
                    return std::exp(part(i) * std::log(most));
                  }));
    check<Sample>("equal", made<Edge>(n, [&](std::size_t) { return 7; }));
    check<Sample>("two values", made<Edge>(n, [&](std::size_t i) { return i % 2 * 100; }));
    check<Sample>("crowded twice", made<Edge>(n, [&](std::size_t i) {
                    return i % 3 == 0   ? most / 2 + static_cast<double>(i) / 64
                           : i % 3 == 1 ? part(i) * 3
                                        : part(i) * most;
                  }));
    check<Sample>("far ones", made<Edge>(n, [&](std::size_t i) {
                    return i == 0 ? 0. : i + 1 == n ? most : most / 2 + part(i) * 100;
                  }));
    auto extremes = made<Edge>(n, [&](std::size_t i) { return part(i) * 100; });
    extremes.push_back((limits<Edge>::max)());
    extremes.push_back(limits<Edge>::lowest());
    check<Sample>("extremes", extremes);
    check<Sample>("last one largest", std::vector<Edge>{Edge{1}, Edge{5}, (limits<Edge>::max)()});
    if constexpr (std::is_signed_v<Edge> && std::is_signed_v<Sample>) {
      check<Sample>(
          "both signs", made<Edge>(n, [&](std::size_t i) { return (part(i) - 0.5) * most; }));
      check<Sample>("logarithmic, both signs", made<Edge>(n, [&](std::size_t i) {
                      return (i % 2 == 0 ? 1 : -1) * std::exp(part(i) * std::log(most));
                    }));
    }
    if constexpr (std::is_floating_point_v<Edge>) {
      auto infinite = made<Edge>(n, [&](std::size_t i) { return part(i); });
      infinite.push_back(limits<Edge>::infinity());
      infinite.push_back(-limits<Edge>::infinity());
      check<Sample>("infinite", infinite);
      infinite.push_back(limits<Edge>::infinity());
      infinite.push_back(-limits<Edge>::infinity());
      check<Sample>("twice infinite", infinite);
      check<Sample>("tiny", made<Edge>(n, [&](std::size_t i) { return test::from_bits<Edge>(i); }));
      check<Sample>("tiny, with gaps", made<Edge>(n, [&](std::size_t i) {
                      return test::from_bits<Edge>(i * 12345);
                    }));
      check<Sample>("around the smallest normal one", made<Edge>(n, [&](std::size_t i) {
                      return std::ldexp(static_cast<double>(i), -129);
                    }));
      check<Sample>(
          "tiny between infinities", std::vector<Edge>{
                                         -limits<Edge>::infinity(), -Edge{0},
                                         test::from_bits<Edge>(3), limits<Edge>::infinity()});
      check<Sample>("huge", made<Edge>(n, [&](std::size_t i) {
                      return (static_cast<Edge>(part(i)) - Edge(0.5)) * (limits<Edge>::max)();
                    }));
      check<Sample>("neighbours", [&] {
        std::vector<Edge> edges(n, Edge(1000));
        for (std::size_t i = 1; i < n; ++i)
          edges[i] = test::next_up(edges[i - 1]);
        return edges;
      }());
    }
  }
}

}  // namespace edge_cells_setup

BOOST_AUTO_TEST_SUITE(edge_cells)

using namespace edge_cells_setup;

BOOST_AUTO_TEST_CASE(real_numbers) {
  check_kinds<float>();
  check_kinds<double>();
}

BOOST_AUTO_TEST_CASE(integers) {
  check_kinds<std::int32_t>();
  check_kinds<std::uint64_t>();
  check_kinds<std::int64_t>();
  check_kinds<std::uint16_t>();
}

BOOST_AUTO_TEST_CASE(edges_of_another_type_than_the_samples) {
  check_kinds<float, double>();
  check_kinds<double, float>();
  check_kinds<std::int32_t, double>();
  check_kinds<float, std::int32_t>();
  check_kinds<std::uint32_t, std::int64_t>();
  check_kinds<std::int8_t, std::uint16_t>();
}

BOOST_AUTO_TEST_CASE(samples_of_one_byte) {
  check_kinds<std::uint8_t>();
  check_kinds<std::int8_t, float>();
}

BOOST_AUTO_TEST_CASE(edges_out_of_order_are_no_memory_fault) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    check_garbage<float, float>(seed);
    check_garbage<double, float>(seed);
    check_garbage<std::int32_t, std::int64_t>(seed);
    check_garbage<std::int32_t, double>(seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
