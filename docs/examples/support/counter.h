// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "element_type.h"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

/// What histogram_file counts.
enum class subject { bytes, letters, numbers };

/// A level of the bins: of a type that holds every element of its kind.
using number = std::variant<std::int64_t, std::uint64_t, double>;

template <class T>
using wide = std::conditional_t<
    std::is_floating_point_v<T>, double,
    std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

struct job {
  subject counted;
  element_type type;
  std::int64_t bins;
  number lower, upper;  // of numbers
  bool upper_included;  // whether the last bin holds `upper` too
};

struct extremes {
  number lowest, highest;  // of the finite elements; lowest > highest where there is none
};

struct tally {
  std::vector<std::uint64_t> counts, baseline_counts;
  double seconds = 0, baseline_seconds = 0;
};

/// Counts on one of Thrust's systems. The program asks for the system when it runs; each one is
/// compiled in a file of its own, support/counter_<system>.
class counter {
public:
  virtual ~counter() = default;
  /// Copies a chunk to where the system can read it.
  virtual void load(std::vector<unsigned char> const& chunk) = 0;
  /// The range of the numbers of this chunk.
  virtual extremes range(element_type type) = 0;
  /// Counts this chunk and adds it to what has been counted.
  virtual void count(job const& wanted) = 0;
  /// The same by sort + reduce_by_key.
  virtual void count_by_sorting(job const& wanted) = 0;
  virtual tally result() const = 0;
};

struct available_system {
  std::string name;         // as the flag --system calls it
  std::string description;  // for the report; filled in where the system can be used
  std::string why_not;      // empty where it can be used
  std::unique_ptr<counter> (*make)();
};

available_system sequential_system();
available_system openmp_system();  // counter_omp.cpp, with OpenMP only
available_system tbb_system();     // counter_tbb.cpp, with TBB only
available_system cuda_system();    // counter_cuda.cu, with CUDA only
