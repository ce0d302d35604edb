// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which cases a benchmark measures: a long one runs in pieces, each with a budget of seconds, and
/// leaves out what the pieces before it have. And whether all that was measured was right.

#include "arguments.h"
#include "rows.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <string>

namespace perf {

/// A row as words: " type=f32 bins=256 ".
inline std::string words_of(row const& r) {
  std::string const& members = r.members();
  std::string words = " ";
  for (std::size_t i = 0; i < members.size(); ++i) {
    bool const separates = (members[i] == ':' || members[i] == ',') && members[i + 1] == ' ';
    if (separates) {
      words += members[i++] == ':' ? '=' : ' ';
    } else if (members[i] != '"') {
      words += members[i];
    }
  }
  return words + ' ';
}

class report {
public:
  explicit report(arguments const& a)
      : seconds_(a.has("--budget") ? std::atof(a.text("--budget").c_str()) : 1e9),
        only_(a.text("--only")) {
    std::ifstream file(a.text("--rows"));
    for (std::string line; std::getline(file, line);) {
      measured_.insert(line);
    }
  }

  /// Asked before a case is measured, with a row that has what names the case and no figure yet.
  /// Where the answer is no, the row prints nothing.
  bool wants(row& r) {
    bool const is_left = !is_measured(r) && words_of(r).find(only_) != std::string::npos;
    if (!stopped_ && is_left && elapsed() > seconds_) {
      stopped_ = true;
      row()("stopped", true);
    }
    if (stopped_ || !is_left) {
      r.drop();
      return false;
    }
    return true;
  }

  /// Whether the budget is used up: saves the work between cases.
  bool stopped() const { return stopped_; }

  /// The last member of a row: whether what was measured was right.
  void judge(row& r, bool equal) {
    r("equal", equal);
    if (!equal) {
      r("result", "WRONG");
      wrong_ = true;
    }
  }
  /// A case that ended with an exception.
  void failed(row& r, char const* what) {
    std::string text = what;
    std::replace(text.begin(), text.end(), '"', '\'');
    r("failed", text);
    wrong_ = true;
  }
  /// What main returns.
  int status() const { return wrong_ ? 1 : 0; }

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
  std::string only_;
  std::set<std::string> measured_;
  bool stopped_ = false, wrong_ = false;
};

}  // namespace perf
