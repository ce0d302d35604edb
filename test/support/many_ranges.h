// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Even bins with real levels over many ranges, a lot of them in one launch: on CUDA a launch and
// its copies take far longer than the samples of one range.

#include "rule_checks.h"
#include <thrust_hist/bins.h>

namespace test {

template <class Sample>
class many_ranges {
public:
  many_ranges() = default;
  many_ranges(many_ranges const&) = delete;
  many_ranges& operator=(many_ranges const&) = delete;

  // `reference(inclusive)` says where the samples belong.
  template <class Reference>
  void add(
      bin bins, double lower, double upper, std::vector<Sample> const& xs,
      Reference const& reference) {
    using thrust_hist::upper_edge;
    for (bool inclusive : {false, true}) {
      const rule r(bins, lower, upper, inclusive ? upper_edge::inclusive : upper_edge::exclusive);
      const auto find = reference(inclusive);
      BOOST_REQUIRE(r.size() == find.size());
      rules_.push_back({r, xs_.size()});
      ranges_.push_back({bins, lower, upper, inclusive});
      for (Sample x : xs) {
        xs_.push_back(x);
        expected_.push_back(find(x));
      }
    }
    if (xs_.size() > 1 << 20)
      check();
  }

  // Checks what was added since the last time; to be called after the last range.
  void check() {
    if (rules_.empty())
      return;
    const std::vector<bin> found = bins_of(rules_, xs_);
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const std::size_t end = r + 1 < rules_.size() ? rules_[r + 1].begin : xs_.size();
      std::size_t i = rules_[r].begin;
      BOOST_TEST_CONTEXT(ranges_[r])
      while (i < end && is_expected(xs_[i], found[i], expected_[i]))
        ++i;
      if (i == end)
        BOOST_TEST(true);
    }
    rules_.clear();
    ranges_.clear();
    xs_.clear();
    expected_.clear();
  }

private:
  using rule = decltype(thrust_hist::even_bins(1, 0., 1.));
  struct range {
    bin bins;
    double lower, upper;
    bool inclusive;
    friend std::ostream& operator<<(std::ostream& out, range const& r) {
      return out << r.bins << " bins over [" << r.lower << ", " << r.upper
                 << (r.inclusive ? "]" : ")");
    }
  };

  std::vector<rule_at<rule>> rules_;
  std::vector<range> ranges_;  // of the rules
  std::vector<Sample> xs_;
  std::vector<bin> expected_;  // of the samples
};

}  // namespace test
