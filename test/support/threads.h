// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if defined(_OPENMP)
#  include <omp.h>

namespace test {

// OpenMP with this many threads, however many cores there are.
class threads {
public:
  explicit threads(int n) : before_(omp_get_max_threads()) { omp_set_num_threads(n); }
  ~threads() { omp_set_num_threads(before_); }
  threads(threads const&) = delete;
  threads& operator=(threads const&) = delete;

private:
  int before_;
};

}  // namespace test
#endif
