// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Count, mean, deviation, lowest and highest reading of each weather station, and when the highest
// was: a struct and an operator of one's own, one pass over readings in no order.
#include "support/counter_random.h"
#include "support/expect.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

//! [statistics]
struct statistics {
  std::uint32_t count, hour_of_highest;
  float lowest, highest;
  double sum, sum_of_squares;
};

// What changes nothing, and what a station without readings gets.
static statistics no_readings() {
  float const infinity = std::numeric_limits<float>::infinity();
  return {0, UINT32_MAX, infinity, -infinity, 0, 0};
}

// One reading: its temperature and its hour.
struct of_one {
  THRUST_HIST_HOST_DEVICE statistics
  operator()(thrust::tuple<float, std::uint32_t> const& reading) const {
    float const t = thrust::get<0>(reading);
    return {1, thrust::get<1>(reading), t, t, t, double{t} * t};
  }
};

// Those of two sets of readings. Of equal highest ones the earliest: the result must not depend on
// which of the two sets is a and which is b.
struct joined {
  THRUST_HIST_HOST_DEVICE statistics operator()(statistics const& a, statistics const& b) const {
    bool const a_wins =
        b.highest < a.highest || (b.highest == a.highest && a.hour_of_highest < b.hour_of_highest);
    return {
        a.count + b.count,
        a_wins ? a.hour_of_highest : b.hour_of_highest,
        b.lowest < a.lowest ? b.lowest : a.lowest,
        a_wins ? a.highest : b.highest,
        a.sum + b.sum,
        a.sum_of_squares + b.sum_of_squares};
  }
};
//! [statistics]

struct station_of {
  THRUST_HIST_HOST_DEVICE std::uint32_t operator()(std::uint32_t reading) const {
    return static_cast<std::uint32_t>(random_bits(2 * std::uint64_t{reading}) % 12);
  }
};
// To a tenth of a degree.
struct temperature_of {
  THRUST_HIST_HOST_DEVICE float operator()(std::uint32_t station, std::uint32_t reading) const {
    double const noise = random_unit(2 * std::uint64_t{reading} + 1) - 0.5;
    return static_cast<float>(std::floor(10 * (station * 1.5 + noise * (10 + station)))) / 10;
  }
};

// The same for one station by a loop.
static statistics added_plainly(
    std::vector<std::uint32_t> const& station, std::vector<float> const& temperature,
    std::uint32_t wanted) {
  statistics s = no_readings();
  for (std::size_t hour = 0; hour < station.size(); ++hour) {
    float const t = temperature[hour];
    if (station[hour] != wanted) {
      continue;
    }
    if (t > s.highest) {
      s.highest = t;
      s.hour_of_highest = static_cast<std::uint32_t>(hour);
    }
    s.lowest = std::fmin(s.lowest, t);
    s.count += 1;
    s.sum += t;
    s.sum_of_squares += double{t} * t;
  }
  return s;
}

template <class T>
static std::vector<T> on_host(thrust::device_vector<T> const& there) {
  std::vector<T> copy(there.size());
  thrust::copy(there.begin(), there.end(), copy.begin());
  return copy;
}

static bool is_close(double a, double b) {
  return std::abs(a - b) <= 1e-11 * std::abs(b) + 1e-9;
}

int main() {
  std::uint32_t const readings = 1u << 18, stations = 13;
  thrust::counting_iterator<std::uint32_t> const hours(0);
  thrust::device_vector<std::uint32_t> station(readings);
  thrust::device_vector<float> temperature(readings);
  thrust::transform(hours, hours + readings, station.begin(), station_of{});
  thrust::transform(station.begin(), station.end(), hours, temperature.begin(), temperature_of{});

  //! [statistics_call]
  auto const reading = thrust::make_zip_iterator(thrust::make_tuple(temperature.begin(), hours));
  thrust::device_vector<statistics> of_station(stations);
  thrust_hist::histogram_by_key(
      thrust::device, station.begin(), station.end(),
      thrust::make_transform_iterator(reading, of_one{}), of_station.begin(), stations, joined{},
      no_readings());
  //! [statistics_call]

  std::vector<statistics> const found = on_host(of_station);
  std::vector<std::uint32_t> const keys = on_host(station);
  std::vector<float> const values = on_host(temperature);
  std::printf("station  readings    mean  deviation  lowest  highest  in hour\n");
  for (std::uint32_t k = 0; k < stations; ++k) {
    statistics const s = found[k], expected = added_plainly(keys, values, k);
    expect(s.count == expected.count, "readings are counted as by a plain loop");
    expect(s.lowest == expected.lowest && s.highest == expected.highest, "extremes are the same");
    expect(s.hour_of_highest == expected.hour_of_highest, "the hour is that of the highest");
    expect(
        is_close(s.sum, expected.sum) && is_close(s.sum_of_squares, expected.sum_of_squares),
        "sums are the same but for their rounding");
    if (s.count == 0) {
      std::printf("%7u  %8u\n", k, s.count);
      continue;
    }
    double const mean = s.sum / s.count;
    double const deviation = std::sqrt(s.sum_of_squares / s.count - mean * mean);
    std::printf(
        "%7u  %8u  %6.2f  %9.2f  %6.1f  %7.1f  %7u\n", k, s.count, mean, deviation, s.lowest,
        s.highest, s.hour_of_highest);
  }
  expect(found[12].count == 0, "nobody reads at station 12");
  return 0;
}
