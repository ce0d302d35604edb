// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Counts and sums of the same keys under a policy whose allocator keeps a book, for the cases about
// options and memory.

#include "../support/allocators.h"
#include "../support/sparse.h"
#include <thrust_hist/sparse_histogram.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace test {
namespace sparse_calls {

using System = main_system;
using thrust_hist::options;
using thrust_hist::route;
using thrust_hist::sparse_histogram;
using thrust_hist::sparse_histogram_by_key;

template <class Key = int>
samples<Key> keys_of(std::size_t n, std::size_t distinct) {
  return samples<Key>(
      n, [&](std::size_t i) { return static_cast<Key>(i * 7919 % distinct * 1013); });
}

// Counts and sums of the same keys in memory of the system, under a policy with an allocator that
// keeps a book. Outputs have room for every input.
template <class Key>
class calls {
public:
  calls(samples<Key> const& keys, int healthy = -1)
      : book_(healthy), keys_(keys), there_(buffer_of<System>(keys)), counts_(keys.size()),
        sums_(keys.size()) {}

  void count(options const& o) {
    counting_allocator<System> allocator(book_);
    Key const* const first = there_.data();
    ends_ = sparse_histogram(
                System::policy_with(allocator), first, first + keys_.size(), counts_.keys(),
                counts_.values(), o)
                .first -
            counts_.keys();
  }
  // The keys are the values too, added up exactly.
  void add(options const& o) {
    counting_allocator<System> allocator(book_);
    Key const* const first = there_.data();
    ends_ = sparse_histogram_by_key(
                System::policy_with(allocator), first, first + keys_.size(), first, sums_.keys(),
                sums_.values(), o)
                .first -
            sums_.keys();
  }
  void call(bool by_key, options const& o) { by_key ? add(o) : count(o); }

  ledger const& book() const { return book_; }
  void check_result(bool by_key) {
    if (by_key) {
      const auto expected = reduce_sorted<std::int64_t>(keys_, keys_, by_less{}, by_plus{});
      sums_.check_equals(expected);
      BOOST_TEST(ends_ == static_cast<std::ptrdiff_t>(expected.keys.size()));
    } else {
      const auto expected = count_sorted<int>(keys_);
      counts_.check_equals(expected);
      BOOST_TEST(ends_ == static_cast<std::ptrdiff_t>(expected.keys.size()));
    }
    BOOST_TEST(book_.outstanding() == 0U);
  }
  void check_untouched() const {
    counts_.check_untouched();
    sums_.check_untouched();
    BOOST_TEST(book_.outstanding() == 0U);
  }

private:
  ledger book_;
  samples<Key> const& keys_;
  System::buffer<Key> there_;
  sparse_output<System, Key, int> counts_;
  sparse_output<System, Key, std::int64_t> sums_;
  std::ptrdiff_t ends_ = -1;
};

// Whether a forced route is there for it: automatic has to be.
template <class Key>
bool has_route(route forced, bool by_key, samples<Key> const& keys) {
  try {
    thrust_hist::plan plan;
    calls(keys).call(by_key, options{}.force(forced).explain(&plan));
    return true;
  } catch (std::invalid_argument const& refusal) {
    BOOST_TEST(sparse_may_be_refused<System>(forced), refusal.what());
    return false;
  }
}

}  // namespace sparse_calls
}  // namespace test
