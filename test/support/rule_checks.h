// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Rules applied to samples where they will run: in a loop on the host, in a kernel on the GPU.

#include "checks.h"

#include <algorithm>
#include <cfloat>
#include <sstream>

namespace test {

template <class Sample>
Sample infinity() {
  return from_bits<Sample>(std::uint64_t{anatomy<Sample>::special} << anatomy<Sample>::fraction);
}
template <class Sample>
Sample not_a_number() {
  return from_bits<Sample>(
      (std::uint64_t{anatomy<Sample>::special} << anatomy<Sample>::fraction) + 1);
}
template <class Sample>
Sample least_normal() {
  return from_bits<Sample>(std::uint64_t{1} << anatomy<Sample>::fraction);
}

// A finite sample as a double, exactly.
template <class Sample>
double to_double(Sample x) {
  const plain_arithmetic here;
  const anatomy<Sample> parts(x);
  const double magnitude = std::ldexp(static_cast<double>(parts.mantissa), parts.scale());
  return parts.negative ? -magnitude : magnitude;
}

template <class Sample>
double any_finite(random& rng) {
  for (;;) {
    const Sample x = from_bits<Sample>(rng());
    if (!anatomy<Sample>(x).is_special())
      return to_double(x);
  }
}

// Each edge with its neighbours, something inside each bin, and the numbers that are none.
template <class Sample>
std::vector<Sample> edge_probes(bin bins, double lower, double upper) {
  std::vector<Sample> probes{
      round_to<Sample>(0), round_to<Sample>(-0.0), from_bits<Sample>(1), infinity<Sample>(),
      not_a_number<Sample>()};
  const auto sign = std::uint64_t{1} << (8 * sizeof(Sample) - 1);
  probes.push_back(from_bits<Sample>(sign | bits_of(infinity<Sample>())));
  probes.push_back(from_bits<Sample>(sign | bits_of(not_a_number<Sample>())));
  probes.push_back(from_bits<Sample>(sign | 1));
  // Near and far on both sides, out to the ends of the type.
  for (int power = -4; power < 1024; power += power < 40 ? 1 : 41)
    for (double away : {std::ldexp(-1.0, power), std::ldexp(1.0, power)}) {
      const plain_arithmetic here;
      probes.push_back(round_to<Sample>(lower + away * (upper / 2 - lower / 2)));
      probes.push_back(round_to<Sample>(away));
    }
  random rng(static_cast<std::uint64_t>(bins));
  for (double edge : even_edges(bins, lower, upper)) {
    const Sample at = round_to<Sample>(edge);
    for (Sample x : {at, next_up(at), next_down(at)})
      probes.push_back(x);
    const double fraction = static_cast<double>(rng() >> 12) * 0x1p-52;
    const plain_arithmetic here;
    probes.push_back(round_to<Sample>(lower * (1 - fraction) + upper * fraction));
  }
  return probes;
}

// The same for more bins than one cares to list: some edges, the first and last ones among them.
template <class Sample>
std::vector<Sample> some_edge_probes(bin bins, double lower, double upper) {
  std::vector<Sample> probes = edge_probes<Sample>(7, lower, upper);
  const even_edge_formula edge(bins, lower, upper);
  random rng(static_cast<std::uint64_t>(bins));
  for (bin i = 0; i < 100; ++i) {
    const bin which = i < 8    ? i
                      : i < 16 ? bins - (i - 8)
                               : static_cast<bin>(rng() % static_cast<std::uint64_t>(bins));
    Sample x = round_to<Sample>(edge(std::clamp<bin>(which, 0, bins)));
    x = next_down(next_down(x));
    for (int neighbour = 0; neighbour < 5; ++neighbour, x = next_up(x))
      probes.push_back(x);
  }
  return probes;
}

// Ranges and numbers of bins that make bins about as narrow as the spacing of floats, or narrower,
// and others whose edges are all floats.
inline constexpr bin narrow_bin_counts[] = {1,
                                            2,
                                            256,
                                            1000,
                                            65536,
                                            112001,
                                            1000003,
                                            1 << 20,
                                            (1 << 22) - 1,
                                            1 << 22,
                                            1 << 23,
                                            9999999,
                                            1 << 24,
                                            (1 << 24) + 1,
                                            1 << 26,
                                            (1 << 30) - 1,
                                            1 << 30};

inline std::vector<std::pair<double, double>> narrow_ranges() {
  const double largest = 0x1.fffffep127, least = 0x1p-149, normal = 0x1p-126;
  std::vector<std::pair<double, double>> ranges = {
      // Powers of two and their multiples, as lower levels too.
      {0, 1},
      {-1, 1},
      {0, 256},
      {-128, 128},
      {-1000, 24},
      {0, 0x1p24},
      {-0x1p23, 0x1p23},
      {0x1p23, 0x1p24},
      {0, 0x1p-100},
      {0, 0x1p120},
      {0, 112001},
      {-7, 112001 - 7},
      {1e6, 1e6 + 256},
      {-3, 3},
      {0, 7},
      {0.1, 0.7},
      {0.1, 1},
      {-0.3, 0.1},
      {1e30, 2e30},
      {-2e30, -1e30},
      {1, 2},
      {-2, -1},
      // Where edges lie halfway between floats.
      {1, 1 + 0x1p-8},
      {-1 - 0x1p-8, -1},
      {1, 1 + 0x1p-20},
      {0.5, 1 + 0x1p-23},
      {-1 - 0x1p-23, -0.5},
      {16777216, 16777220},
      {1 + 0x1p-24, 2 + 0x1p-23},
      {1 - 0x1p-26, 1 + 0x1p-10},
      // A level that a processor may take for zero.
      {-1, 0x1p-1074},
      {0x1p-1040, 256},
      {-0x1p-1040, 256},
      // Whole and denormal, and beyond.
      {-largest, largest},
      {0, largest},
      {-largest, 1},
      {-1e39, 1e39},
      {0, 1e300},
      {-DBL_MAX, DBL_MAX},
      {0, 100 * least},
      {-normal, normal},
      {-normal, 2 * normal},
      {0, normal / 4},
      {0, 0x1p-110},
      {-0x1p-110, 0x1p-112}};
  random rng(5);
  for (int i = 0; i < 40; ++i) {
    const double lower = any_finite<float>(rng);
    const auto width = std::uint64_t{1} << (rng() % 24);
    const double upper = to_double(from_bits<float>(bits_of(static_cast<float>(lower)) + width));
    if (!anatomy<double>(upper).is_special())
      ranges.emplace_back(std::minmax(lower, upper));
  }
  return ranges;
}

// While one lives, rules are applied on the host in a CUDA program too.
class rules_on_the_host {
public:
  rules_on_the_host() { ++number; }
  ~rules_on_the_host() { --number; }
  rules_on_the_host(rules_on_the_host const&) = delete;
  rules_on_the_host& operator=(rules_on_the_host const&) = delete;
  static inline int number = 0;
};

// A rule, and where the samples it is applied to begin; those of the next rule follow.
template <class Rule>
struct rule_at {
  Rule rule;
  std::size_t begin;
};

#ifdef __CUDACC__
// A block applies a rule.
template <class Rule, class Sample>
__global__ void apply_rules(rule_at<Rule> const* rules, Sample const* xs, std::size_t n, bin* out) {
  rule_at<Rule> const& mine = rules[blockIdx.x];
  const std::size_t end = blockIdx.x + 1 < gridDim.x ? (&mine + 1)->begin : n;
  for (std::size_t i = mine.begin + threadIdx.x; i < end; i += blockDim.x)
    out[i] = mine.rule(xs[i]);
}
#endif

template <class Rule, class Sample>
std::vector<bin> bins_of(std::vector<rule_at<Rule>> const& rules, std::vector<Sample> const& xs) {
  std::vector<bin> found(xs.size());
#ifdef __CUDACC__
  if (rules_on_the_host::number == 0) {
    cuda_buffer<rule_at<Rule>> there(rules.data(), rules.size());
    cuda_buffer<Sample> in(xs.data(), xs.size());
    cuda_buffer<bin> out(found.data(), found.size());
    apply_rules<<<static_cast<unsigned>(rules.size()), 128>>>(
        there.data(), in.data(), xs.size(), out.data());
    check_cuda(cudaGetLastError(), "the launch of the rules");
    out.read(found.data());
    return found;
  }
#endif
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const std::size_t end = r + 1 < rules.size() ? rules[r + 1].begin : xs.size();
    for (std::size_t i = rules[r].begin; i < end; ++i)
      found[i] = rules[r].rule(xs[i]);
  }
  return found;
}

template <class Sample>
std::string text_of(Sample x) {
  std::ostringstream text;
  if constexpr (is_float<Sample>)
    text << std::hexfloat << to_double(x);
  else
    text << +x;
  return text.str();
}

template <class Sample>
bool is_expected(Sample x, bin found, bin expected) {
  if (found == expected)
    return true;
  BOOST_ERROR("sample " << text_of(x) << " falls in bin " << found << " instead of " << expected);
  return false;
}

template <class Rule, class Sample, class Expected>
void check_rule(Rule const& rule, std::vector<Sample> const& xs, Expected const& expected) {
  BOOST_REQUIRE(rule.size() == expected.size());
  const std::vector<bin> found = bins_of(std::vector<rule_at<Rule>>{{rule, 0}}, xs);
  for (std::size_t i = 0; i < xs.size(); ++i)
    if (!is_expected(xs[i], found[i], expected(xs[i])))
      return;
  BOOST_TEST(true);
}

}  // namespace test
