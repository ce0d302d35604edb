// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One call on one system, compared with what the reference counts.

#include "distributions.h"
#include "guarded.h"
#include "reference.h"
#include "systems.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace test {

// Samples of any type; std::vector<bool> is no vector of bool.
template <class Sample>
class samples {
public:
  using value_type = Sample;

  samples() = default;
  template <class T>  // keys, or samples in a vector
  explicit samples(std::vector<T> const& list)
      : samples(list.size(), [&](std::size_t i) { return list[i]; }) {}
  samples(std::initializer_list<Sample> list)
      : samples(list.size(), [&](std::size_t i) { return list.begin()[i]; }) {}

  template <class Make>
  samples(std::size_t size, Make make) : size_(size), data_(new Sample[size]) {
    for (std::size_t i = 0; i < size; ++i)
      data_[i] = static_cast<Sample>(make(i));
  }

  std::size_t size() const { return size_; }
  Sample const* data() const { return data_.get(); }
  Sample const* begin() const { return data(); }
  Sample const* end() const { return data() + size_; }
  Sample operator[](std::size_t i) const { return data_[i]; }

private:
  std::size_t size_ = 0;
  std::unique_ptr<Sample[]> data_;
};

template <class System, class Samples>
auto buffer_of(Samples const& s) {
  return typename System::template buffer<typename Samples::value_type>(s.data(), s.size());
}

template <class System, class Counter>
using output = guarded<typename System::template buffer<Counter>>;

// `call(first, last, out)` gets raw pointers and returns the end of its output.
template <class System, class Counter, class Sample, class Call>
void check_counts(
    samples<Sample> const& s, std::vector<std::uint64_t> const& expected, Call const& call) {
  auto in = buffer_of<System>(s);
  output<System, Counter> out(expected.size());
  Sample const* const first = in.data();
  Counter* const end = call(first, first + s.size(), out.data());
  BOOST_TEST(end - out.data() == static_cast<std::ptrdiff_t>(expected.size()));
  out.check_equals(convert<Counter>(expected));
}

// Whether some system or GPU, with 48 KB of shared memory at least, may say no to this route.
inline bool may_be_refused(thrust_hist::route forced, std::size_t bins) {
  using thrust_hist::route;
  switch (forced) {
  case route::private_tables:
    return true;  // where one thread counts
  case route::registers:
    return bins > 8;
  case route::shared:
    return bins >= 48 * 1024 / 4;
  case route::shared_lanes:
    return bins >= 48 * 1024 / 128;
  case route::shared_packed:
    return bins >= 48 * 1024 / 2;
  case route::shared_split:
  case route::partitioned:
    return bins > 120000;
  default:
    return false;
  }
}

// The same with a route forced through options, the last argument of `call`. A route that cannot
// take the case has to say so with nothing written; returns whether it could.
template <class System, class Counter, class Sample, class Call>
bool check_route(
    thrust_hist::route forced, samples<Sample> const& s, std::vector<std::uint64_t> const& expected,
    Call const& call) {
  const auto options = thrust_hist::options{}.force(forced);
  auto in = buffer_of<System>(s);
  output<System, Counter> out(expected.size());
  Sample const* const first = in.data();
  BOOST_TEST_CONTEXT("route " << forced) {
    try {
      Counter* const end = call(first, first + s.size(), out.data(), options);
      BOOST_TEST(end - out.data() == static_cast<std::ptrdiff_t>(expected.size()));
      out.check_equals(convert<Counter>(expected));
      return true;
    } catch (std::invalid_argument const& refusal) {
      const std::string why = refusal.what();
      BOOST_TEST(why.find(thrust_hist::to_string(forced)) != std::string::npos, why);
      BOOST_TEST(may_be_refused(forced, expected.size()), why);
      out.check_untouched();
    }
  }
  return false;
}

}  // namespace test
