// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Even bins over integers in a kernel, with levels at every distance. Here are the types that
// algorithm/even_integers leaves out: what kernels compile is dear.

#include "../support/candidates.cuh"
#include "../support/checks.h"
#include <thrust_hist/bins.h>

#include <limits>
#include <tuple>

BOOST_AUTO_TEST_SUITE(even_bins_of_integers_in_kernels, THRUST_HIST_TEST_LARGE)

namespace {

using types = std::tuple<std::byte, std::int16_t, std::uint16_t, std::int32_t, std::int64_t>;

// Some edges and their neighbours, small numbers, and any pattern of bits; whatever a type makes of
// them.
template <class Sample>
test::samples<Sample> probes(test::bin bins, test::int128 lower, test::int128 upper) {
  test::random rng(static_cast<std::uint64_t>(bins));
  const test::int128 count = bins, range = upper - lower;
  return test::samples<Sample>(1000, [&](std::size_t i) {
    const auto edge = static_cast<test::int128>(rng() % static_cast<std::uint64_t>(bins + 1));
    const auto at = lower + range / count * edge + range % count * edge / count;
    return i % 4 == 0   ? rng() >> (rng() % 64)
           : i % 4 == 1 ? rng() % 5 - 2
                        : static_cast<std::uint64_t>(at) + rng() % 4 - 2;
  });
}

template <class Sample>
void check(std::int64_t lower, std::uint64_t upper) {
  for (test::bin bins : {1, 5, 257, 6007}) {
    const auto xs = probes<Sample>(bins, lower, upper);
    const auto expected = test::even_reference<Sample>(bins, lower, upper);
    const auto found = test::candidates_of(
        thrust_hist::even_bins(bins, lower, upper).template for_samples<Sample, int>(), xs);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const test::bin bin = expected(xs[i]);
      const bool has_none = bin < 0 || bin >= bins;
      BOOST_REQUIRE_MESSAGE(
          has_none ? found[i] >= bins : found[i] == bin,
          "sample " << static_cast<long long>(xs[i]) << " becomes " << found[i] << " instead of "
                    << bin << " of " << bins << " over [" << lower << ", " << upper << ")");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(samples_fall_where_the_edges_say, Sample, types) {
  const std::pair<std::int64_t, std::uint64_t> levels[] = {
      {0, 1},
      {-128, 127},
      {0, 255},
      {-1, 256},
      {-32768, 32767},
      {0, 65535},
      {0, 65536},
      {-1, 65536},
      {INT32_MIN, INT32_MAX},
      {0, UINT32_MAX},
      {0, 1ULL << 32},
      {-1000, 1ULL << 33},
      {INT64_MIN, INT64_MAX},
      {-1000, 1ULL << 63},
      {0, UINT64_MAX},
      {INT64_MIN, UINT64_MAX}};
  for (auto [lower, upper] : levels)
    check<Sample>(lower, upper);
}

BOOST_AUTO_TEST_SUITE_END()
