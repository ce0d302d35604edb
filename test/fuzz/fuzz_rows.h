// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a sparse histogram writes: rows, and the outputs that take them.

#include "fuzz_keys.h"
#include "fuzzing.h"

#include <thrust/copy.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

template <class Key, class A>
using rows = std::vector<std::pair<Key, A>>;

// What a call wrote; put in order, the keys that are no numbers stay the last ones.
template <class Key, class A>
rows<Key, A> rows_of(std::vector<Key> const& keys, std::vector<A> const& values, bool to_sort) {
  rows<Key, A> found;
  for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i)
    found.emplace_back(keys[i], values[i]);
  if (to_sort) {
    const auto numbers =
        std::find_if(found.begin(), found.end(), [](auto const& row) { return is_nan(row.first); });
    std::sort(found.begin(), numbers, [](auto const& a, auto const& b) {
      return before(a.first, b.first);
    });
  }
  return found;
}

// Outputs as containers, or as iterators to room for every input and one element more at each end,
// in the memory of a place.
template <class Place, class Key, class A>
class outputs {
public:
  outputs(std::size_t n, bool containers, std::string const& what)
      : containers_(containers), what_(what) {
    for (std::size_t i = 0; i < n + 2; ++i) {
      keys_.push_back(key_of<Key>(rng()));
      values_.push_back(any_value<A>());
    }
  }

  // A call that throws must have left them alone.
  template <class Call>
  void take(Call const& call) {
    typename Place::template vector<Key> keys(keys_.begin(), keys_.end());
    typename Place::template vector<A> values(values_.begin(), values_.end());
    std::size_t size = 0;
    try {
      if (containers_) {
        call(keys, values);
        keys_ = contents(keys);
        values_ = contents(values);
        return;
      }
      const auto ends = call(keys.begin() + 1, values.begin() + 1);
      size = static_cast<std::size_t>(ends.first - keys.begin()) - 1;
      if (ends.second - values.begin() != ends.first - keys.begin())
        fail(what_, "the ends returned do not belong together");
    } catch (std::exception const&) {
      check_beside(contents(keys), keys_, 0);
      check_beside(contents(values), values_, 0);
      throw;
    }
    check_beside(contents(keys), keys_, size);
    check_beside(contents(values), values_, size);
    keys_ = rows_of_room(contents(keys), size);
    values_ = rows_of_room(contents(values), size);
  }

  std::vector<Key> const& keys() const { return keys_; }
  std::vector<A> const& values() const { return values_; }

private:
  // Nothing is written but `size` rows from the second element on.
  template <class T>
  void check_beside(std::vector<T> const& now, std::vector<T> const& then, std::size_t size) const {
    if (now.size() != then.size())
      fail(what_, "a container has another size");
    for (std::size_t i = 0; i < now.size(); i = i == 0 ? size + 1 : i + 1)
      if (!same(now[i], then[i]))
        fail(what_, "something was written beside the output");
  }
  template <class T>
  static std::vector<T> rows_of_room(std::vector<T> const& list, std::size_t size) {
    return {list.begin() + 1, list.begin() + 1 + static_cast<std::ptrdiff_t>(size)};
  }
  template <class Vector>
  static auto contents(Vector const& v) {
    std::vector<typename Vector::value_type> here(v.size());
    thrust::copy(v.begin(), v.end(), here.begin());
    return here;
  }

  bool containers_;
  std::string what_;
  std::vector<Key> keys_;
  std::vector<A> values_;
};

}  // namespace fuzz
