// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What check() has to find.

#if defined(THRUST_HIST_ENABLE_CHECK) && defined(THRUST_HIST_TEST_HOOKS)

#  include <thrust_hist/detail/obey.h>

#  include <cstdint>

namespace test {

// Falsifies one bin of every call while it lives.
class corruption {
public:
  explicit corruption(std::int64_t bin) { thrust_hist::detail::test_hook::corrupt_bin = bin; }
  ~corruption() { thrust_hist::detail::test_hook::corrupt_bin = -1; }
  corruption(corruption const&) = delete;
  corruption& operator=(corruption const&) = delete;
};

}  // namespace test

#endif
