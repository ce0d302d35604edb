// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// needs no GPU

// Halves on a host system, in a program that nvcc compiles: NaN has no bin, of either sign and with
// any payload; rules made of others.

#include "../support/boost_test.h"
#include <thrust_hist/bins.h>
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_by_key.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace host_halves_setup {

using thrust_hist::bin_index;
using thrust_hist::even_bins;
using thrust_hist::grid;
using thrust_hist::histogram;
using thrust_hist::range_bins;
using thrust_hist::upper_edge;
using thrust_hist::with_flow;

template <class Half>
Half from_bits(std::uint16_t bits) {
  Half h;
  std::memcpy(static_cast<void*>(&h), &bits, sizeof h);
  return h;
}

// NaN, each as often as the others, and as many ones.
template <class Half>
std::vector<Half> samples() {
  std::vector<Half> s;
  for (int i = 0; i < 400; ++i)
    for (std::uint16_t bits : {0x7fc1, 0xffc1, 0x7fff, 0xffff, 0x7f81, 0xff81})
      s.push_back(from_bits<Half>(bits));
  s.insert(s.end(), 2400, static_cast<Half>(1.F));
  return s;
}

template <class Half>
void check() {
  const auto s = samples<Half>();
  std::vector<Half> edges;
  for (float edge : {-1.F, 0.F, 1.F, 2.F})
    edges.push_back(static_cast<Half>(edge));
  using counts = std::vector<unsigned>;
  for (auto ends : {upper_edge::exclusive, upper_edge::inclusive}) {
    const range_bins rule(edges.data(), edges.data() + edges.size(), ends);
    counts out(3, 9U);
    histogram(thrust::seq, s.begin(), s.end(), out.begin(), rule);
    BOOST_TEST(out == (counts{0, 0, 2400}), boost::test_tools::per_element());
    counts outer(5, 9U);
    histogram(thrust::seq, s.begin(), s.end(), outer.begin(), with_flow(rule));
    BOOST_TEST(outer == (counts{0, 0, 0, 2400, 0}), boost::test_tools::per_element());
    counts joint(9, 9U);
    const auto both = thrust::make_zip_iterator(thrust::make_tuple(s.begin(), s.begin()));
    histogram(thrust::seq, both, both + s.size(), joint.begin(), grid(rule, rule));
    BOOST_TEST(joint == (counts{0, 0, 0, 0, 0, 0, 0, 0, 2400}), boost::test_tools::per_element());
    std::vector<float> sums(3);
    const std::vector<float> ones(s.size(), 1.F);
    thrust_hist::histogram_by_key(
        thrust::seq, s.begin(), s.end(), ones.begin(), sums.begin(), rule);
    BOOST_TEST(sums == (std::vector<float>{0, 0, 2400}), boost::test_tools::per_element());
  }
  // Bins of which halves and floats prove nothing.
  for (bin_index bins : {8, 101, 4001, 1 << 20}) {
    std::vector<unsigned> out(static_cast<std::size_t>(bins), 9U);
    histogram(thrust::seq, s.begin(), s.end(), out.begin(), even_bins(bins, -4., 4.));
    std::uint64_t total = 0;
    for (unsigned count : out)
      total += count;
    BOOST_TEST(total == 2400U);
  }
}

}  // namespace host_halves_setup

BOOST_AUTO_TEST_SUITE(host_halves)

using namespace host_halves_setup;

BOOST_AUTO_TEST_CASE(nan_of_half_has_no_bin) {
  check<__half>();
}

BOOST_AUTO_TEST_CASE(nan_of_bfloat16_has_no_bin) {
  check<__nv_bfloat16>();
}

BOOST_AUTO_TEST_SUITE_END()
