// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which cases a benchmark measures: a long one runs in pieces, each with a budget of seconds, and
/// leaves out what the pieces before it have.

#include "arguments.h"
#include "rows.h"

#include <chrono>
#include <fstream>
#include <set>
#include <string>

namespace perf {

class report {
public:
  explicit report(arguments const& a)
      : seconds_(a.has("--budget") ? std::atof(a.text("--budget").c_str()) : 1e9) {
    std::ifstream file(a.text("--rows"));
    for (std::string line; std::getline(file, line);) {
      measured_.insert(line);
    }
  }

  /// Asked before a case is measured, with a row that has what names the case and no figure yet.
  /// Where the answer is no, the row prints nothing.
  bool wants(row& r) {
    if (!stopped_ && !is_measured(r) && elapsed() > seconds_) {
      stopped_ = true;
      row()("stopped", true);
    }
    if (stopped_ || is_measured(r)) {
      r.drop();
      return false;
    }
    return true;
  }

  /// Whether the budget is used up: saves the work between cases.
  bool stopped() const { return stopped_; }

private:
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  /// A line begins with what names its case, so it comes next to it in the order of the set.
  bool is_measured(row const& r) const {
    std::string const begin = "{" + r.members() + ", ";
    auto const next = measured_.lower_bound(begin);
    return next != measured_.end() && next->compare(0, begin.size(), begin) == 0;
  }

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double seconds_;
  std::set<std::string> measured_;
  bool stopped_ = false;
};

}  // namespace perf
