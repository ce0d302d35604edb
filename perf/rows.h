// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Results as JSON, one object a line: the first tells where they come from, the others are rows.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <type_traits>

namespace perf {

/// Collects members and prints them as one object when it is destroyed, unless it is dropped.
class row {
public:
  row() = default;
  row(row const&) = delete;
  row& operator=(row const&) = delete;
  ~row() {
    if (!dropped_) {
      std::printf("{%s}\n", members_.c_str());
      std::fflush(stdout);  // a run that is cut off keeps what it has
    }
  }
  void drop() { dropped_ = true; }
  std::string const& members() const { return members_; }

  row& operator()(char const* name, std::string const& value) {
    return add(name, '"' + value + '"');
  }
  row& operator()(char const* name, char const* value) { return (*this)(name, std::string(value)); }
  row& operator()(char const* name, bool value) { return add(name, value ? "true" : "false"); }
  row& operator()(char const* name, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return add(name, text);
  }
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  row& operator()(char const* name, Integer value) {
    return add(name, std::to_string(value));
  }

private:
  row& add(char const* name, std::string const& value) {
    members_ += (members_.empty() ? "\"" : ", \"") + std::string(name) + "\": " + value;
    return *this;
  }

  std::string members_;
  bool dropped_ = false;
};

/// What the caller knows better than the program: the commit, the driver. Empty where it said
/// nothing.
inline std::string from_environment(char const* name) {
  char const* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

inline std::string today() {
  std::time_t const now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

}  // namespace perf
