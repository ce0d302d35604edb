// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// An output that is filled with junk, with guards at both ends: a bin that is not written, or anything
// beside the bins that is, shows.

#include "boost_test.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/memory.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

template <class T>
T junk() {
  static_assert(std::is_trivially_copyable_v<T>);
  T x;
  std::memset(static_cast<void*>(&x), 0xa5, sizeof(T));
  return x;
}

// Bit by bit: NaN equals itself, -0.0 is not +0.0.
template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
void print(std::ostream& to, T const& x) {
  if constexpr (std::is_arithmetic_v<T>)
    to << +x;
  else
    to << "(" << sizeof(T) << " bytes)";
}

// Empty where the two are equal bit by bit, else one sentence about the first difference.
template <class T>
std::string difference(std::vector<T> const& got, std::vector<T> const& expected) {
  std::ostringstream what;
  what.precision(17);
  if (got.size() != expected.size())
    what << got.size() << " values instead of " << expected.size();
  else
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!same_bits(got[i], expected[i])) {
        what << "bin " << i << " of " << got.size() << " holds ";
        print(what, got[i]);
        what << " instead of ";
        print(what, expected[i]);
        break;
      }
  return what.str();
}

template <class Vector>
class guarded {
public:
  using value_type = typename Vector::value_type;

  static constexpr std::size_t margin = 67;  // odd: the output is aligned to the element only

  explicit guarded(std::size_t size)
      : size_(size), buffer_(size + 2 * margin, junk<value_type>()) {}

  // With known contents, for accumulate().
  explicit guarded(std::vector<value_type> const& contents) : guarded(contents.size()) {
    thrust::copy(contents.begin(), contents.end(), begin());
  }

  auto begin() { return buffer_.begin() + margin; }
  auto end() { return begin() + static_cast<std::ptrdiff_t>(size_); }
  value_type* data() { return thrust::raw_pointer_cast(buffer_.data()) + margin; }
  std::size_t size() const { return size_; }

  std::vector<value_type> contents() const {
    const std::vector<value_type> all = all_contents();
    return {all.begin() + margin, all.end() - margin};
  }

  void check_equals(std::vector<value_type> const& expected) const {
    const std::string found = difference(contents(), expected);
    BOOST_TEST(found == "", found);
    check_guards();
  }
  void check_untouched() const { check_equals(std::vector<value_type>(size_, junk<value_type>())); }

private:
  void check_guards() const {
    const std::vector<value_type> all = all_contents(), untouched(margin, junk<value_type>());
    const std::string before = difference({all.begin(), all.begin() + margin}, untouched);
    const std::string after = difference({all.end() - margin, all.end()}, untouched);
    BOOST_TEST(before == "", "written before the output: " << before);
    BOOST_TEST(after == "", "written after the output: " << after);
  }

  std::vector<value_type> all_contents() const {
    std::vector<value_type> all(buffer_.size());
    thrust::copy(buffer_.begin(), buffer_.end(), all.begin());
    return all;
  }

  std::size_t size_;
  Vector buffer_;
};

}  // namespace test
