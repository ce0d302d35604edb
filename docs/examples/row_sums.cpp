// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The sums of the rows of a sparse matrix, whose entries lie in no order (coordinate form: a row, a
// column and a value each). Floating-point sums depend on the order; those of exact() do not.
#include "support/counter_random.h"
#include "support/expect.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/transform.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

static constexpr int rows = 1000;
static constexpr std::uint32_t entries = 1u << 17;

struct row_of {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t entry) const {
    return static_cast<std::uint32_t>(random_bits(3 * std::uint64_t{entry}) % rows);
  }
};

// From 2^-16 to 2^24, of both signs: a significand of 24 bits at one of 17 places.
struct value_of {
  THRUST_HIST_HOST_DEVICE float operator()(std::uint32_t entry) const {
    std::uint64_t const bits = random_bits(3 * std::uint64_t{entry} + 1);
    double const significand = static_cast<double>(bits & 0xffffff);
    double const unit = static_cast<double>(std::uint64_t{1} << (bits >> 24) % 17) / 65536;
    return static_cast<float>((bits >> 63 != 0 ? -significand : significand) * unit);
  }
};

static std::vector<float> on_host(thrust::device_vector<float> const& there) {
  std::vector<float> copy(there.size());
  thrust::copy(there.begin(), there.end(), copy.begin());
  return copy;
}

// The sums of a row without any rounding, since every value is a whole number of 65536ths.
struct whole_sums {
  std::vector<std::int64_t> of_values, of_magnitudes;
  whole_sums() : of_values(rows), of_magnitudes(rows) {
    for (std::uint32_t i = 0; i < entries; ++i) {
      auto const whole = static_cast<std::int64_t>(double{value_of{}(i)} * 65536);
      of_values[row_of{}(i)] += whole;
      of_magnitudes[row_of{}(i)] += std::abs(whole);
    }
  }
};

int main() {
  thrust::device_vector<std::uint32_t> row(entries);
  thrust::device_vector<float> value(entries);
  thrust::counting_iterator<std::uint32_t> const entry(0);
  thrust::transform(entry, entry + entries, row.begin(), row_of{});
  thrust::transform(entry, entry + entries, value.begin(), value_of{});
  auto const last_row = thrust::make_reverse_iterator(row.end());
  auto const last_value = thrust::make_reverse_iterator(value.end());

  //! [row_sums]
  thrust::device_vector<float> sums(rows), exact_sums(rows);
  thrust_hist::histogram_by_key(row.begin(), row.end(), value.begin(), sums.begin(), rows);
  auto const exact = thrust_hist::options{}.exact();
  thrust_hist::histogram_by_key(
      row.begin(), row.end(), value.begin(), exact_sums.begin(), rows, exact);
  //! [row_sums]
  thrust::device_vector<float> backwards(rows), exact_backwards(rows);
  thrust_hist::histogram_by_key(
      thrust::device, last_row, last_row + entries, last_value, backwards.begin(), rows);
  thrust_hist::histogram_by_key(
      thrust::device, last_row, last_row + entries, last_value, exact_backwards.begin(), rows,
      exact);

  auto const plain = on_host(sums), plain_back = on_host(backwards);
  auto const rounded = on_host(exact_sums), rounded_back = on_host(exact_backwards);
  whole_sums const whole;
  int differ = 0, wrong = 0;
  std::printf("row       float sum       backwards         exact()\n");
  for (int r = 0; r < rows; ++r) {
    if (r < 8) {
      std::printf("%3d %15.4f %15.4f %15.4f\n", r, plain[r], plain_back[r], rounded[r]);
    }
    // The one rounding that a correct sum has: from a whole number to float.
    float const right = static_cast<float>(whole.of_values[r]) / 65536;
    double const bound = entries * 0x1p-24 * static_cast<double>(whole.of_magnitudes[r]) / 65536;
    expect(rounded[r] == right, "exact() rounds the sum once");
    expect(rounded_back[r] == right, "exact() gives the same from behind");
    expect(std::abs(plain[r] - double{right}) <= bound, "a float sum is off by its roundings only");
    expect(std::abs(plain_back[r] - double{right}) <= bound, "so is one from behind");
    differ += plain[r] != plain_back[r];
    wrong += plain[r] != right;
  }
  std::printf("of %d rows, float sums of %d depend on the order of entries,\n", rows, differ);
  std::printf("and %d are not the rounded sum; with exact() all are, in any order\n", wrong);
  return 0;
}
