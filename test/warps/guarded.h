// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What tests of kernels that throw codes have in common: memory that tells whether more was
// written, keys without a code, and the case that has failed.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace warps {

inline unsigned long long number = 0;  // of the case

inline void require(bool is_so, char const* what) {
  if (!is_so) {
    std::printf("FAILED: case %llu: %s\n", number, what);
    std::exit(1);
  }
}

// Memory that a kernel may write to, and some behind it.
template <class T>
class guarded {
public:
  guarded(std::size_t size, T fill) : size_(size), all_(size + spare, fill) {
    std::fill(all_.begin() + static_cast<std::ptrdiff_t>(size), all_.end(), mark());
  }
  T* data() { return all_.data(); }
  T operator[](std::size_t i) const { return all_[i]; }
  bool is_kept() const {
    return std::count(all_.begin() + static_cast<std::ptrdiff_t>(size_), all_.end(), mark()) ==
           spare;
  }
  static T mark() { return static_cast<T>(0x5a3c965a3c965a3c); }

private:
  static constexpr int spare = 64;
  std::size_t size_;
  std::vector<T> all_;
};

// Codes are keys, of which some have none if they are to.
struct encode_some {
  bool leaves_out;

  template <class Code>
  bool operator()(Code const& key, Code& code) const {
    const bool has_code = !leaves_out || key % 7 != 3;
    code = has_code ? key : static_cast<Code>(key / 2);
    return has_code;
  }
};

}  // namespace warps
