// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if defined(_OPENMP)
#  include <omp.h>
#endif

namespace test {

// OpenMP, if there is any, with this many threads, however many cores there are.
class threads {
public:
#if defined(_OPENMP)
  explicit threads(int n) : before_(omp_get_max_threads()) {
    omp_set_num_threads(n);
  }
  ~threads() {
    omp_set_num_threads(before_);
  }

private:
  int before_;
#else
  explicit threads(int) {}
  ~threads() {}
#endif
public:
  threads(threads const&) = delete;
  threads& operator=(threads const&) = delete;
};

}  // namespace test
