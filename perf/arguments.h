// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The command line of a benchmark: words that choose what runs, `--flag`s and `--name VALUE`s.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace perf {

/// What every benchmark takes beside its own: see report.
inline constexpr char const* shared_usage =
    "  --budget SECONDS  begin no case later than that, end with {\"stopped\": true}\n"
    "  --rows FILE       leave out the cases whose rows are in FILE\n"
    "  --only TEXT       only cases that TEXT is part of, as ' bins=256 distribution=zipf '\n";

class arguments {
public:
  /// `flags` take no value, `valued` take one. Anything else that begins with a dash is an error,
  /// and `usage` is printed.
  arguments(
      int argc, char** argv, char const* usage, std::set<std::string> const& flags,
      std::set<std::string> valued) {
    valued.insert({"--budget", "--rows", "--only"});
    for (int i = 1; i < argc; ++i) {
      std::string const word = argv[i];
      if (flags.count(word) != 0) {
        values_[word];
      } else if (valued.count(word) != 0 && i + 1 < argc) {
        values_[word] = argv[++i];
      } else if (word[0] != '-') {
        chosen_.insert(word);
      } else {
        std::fprintf(stderr, "usage: %s\n%s", usage, shared_usage);
        std::exit(word == "--help" ? 0 : 2);
      }
    }
  }

  bool has(std::string const& name) const { return values_.count(name) != 0; }
  std::string text(std::string const& name, std::string const& otherwise = "") const {
    auto const found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }
  std::uint64_t number(std::string const& name, std::uint64_t otherwise) const {
    return has(name) ? std::strtoull(text(name).c_str(), nullptr, 10) : otherwise;
  }

  /// Whether a part of the benchmark is to run: all do unless words name some.
  bool chosen(std::string const& word) const { return chosen_.empty() || chosen_.count(word) != 0; }

private:
  std::map<std::string, std::string> values_;
  std::set<std::string> chosen_;
};

}  // namespace perf
