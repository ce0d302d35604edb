// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A hash table of keys with their states: rows lie side by side in the order in which their keys
/// came, slots hold numbers of rows, so that every key is legal.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/sequential/promised_memory.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// What a sparse histogram reads. A value that is empty takes no room.
template <class Code, class Value, bool Empty = std::is_empty_v<Value>>
struct record {
  Code code;
  Value value;
  static record of(Code const& c, Value const& v) { return {c, v}; }
};
template <class Code, class Value>
struct record<Code, Value, true> {
  Code code;
  static constexpr Value value{};
  static record of(Code const& c, Value const&) { return {c}; }
};

/// A key and what its values are folded to.
template <class Code, class State>
struct sparse_row {
  Code code;
  State state;
};

/// How many rows a worker's small table has: as many as a near cache holds.
template <class Row>
inline constexpr std::uint64_t rows_in_near_cache = (std::max)(
    std::uint64_t{64}, (std::min)(std::uint64_t{4096}, (std::uint64_t{1} << 17) / sizeof(Row)));

/// The order of inputs, and of rows.
template <class Keys>
struct by_code {
  Keys keys;
  template <class X>
  bool operator()(X const& a, X const& b) const {
    return keys.less(a.code, b.code);
  }
};

/// What the parts of the algorithm know of keys and values.
template <class Keys, class Fold>
struct sparse_types {
  using code = typename Keys::code;
  using value = typename Fold::value;
  using state = typename Fold::state;
  using row = sparse_row<code, state>;
  using input = record<code, value>;
};

template <class Keys, class Fold>
class key_table {
  using types = sparse_types<Keys, Fold>;
  using row = typename types::row;

public:
  key_table(promised_memory& memory, Keys const& keys, Fold const& fold, std::uint64_t capacity)
      : memory_(memory), keys_(keys), fold_(fold), rows_(memory, capacity),
        slots_(memory, slots_for(capacity)), capacity_(capacity) {
    clear();
  }

  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t capacity() const noexcept { return capacity_; }
  row* rows() const noexcept { return rows_at_; }

  /// Folds a value into the state of its key. False: the key is new, and the table is full.
  bool add(typename types::input const& x) {
    return visit(
        x.code, [&](typename types::state& s) { fold_.add(s, x.value); },
        [&](void* place) {
          ::new (place) row{x.code, detail::started(fold_, x.value)};
        });
  }
  bool merge(row const& other) {
    return visit(
        other.code,
        [&](typename types::state& s) {
          fold_.merge(s, other.state);
          fold_.settle(s);
        },
        [&](void* place) { ::new (place) row(other); });
  }
  /// So many additions more are to come.
  void expect(std::uint64_t additions) {
    additions_ += additions;
    if (additions_ > Fold::additions_at_once) {
      settle();
      additions_ = additions;
    }
  }
  void settle() {
    if constexpr (Fold::additions_at_once != max_of<std::uint64_t>) {
      for (std::uint64_t i = 0; i < size_; ++i) {
        fold_.settle(rows()[i].state);
      }
    }
  }
  void clear() noexcept {
    size_ = 0;
    confirmed_ = 0;
    additions_ = 0;
    empty_slots();
  }
  /// No key is to come any more.
  void drop_slots() noexcept { slots_.clear(); }
  /// Counts the keys as distinct ones, for each of which some memory is promised.
  void confirm() noexcept {
    memory_.found_keys(static_cast<std::int64_t>(size_ - confirmed_));
    confirmed_ = size_;
  }
  void grow() {
    confirm();
    std::uint64_t const capacity = capacity_ * 2;
    if (capacity > max_of<std::uint32_t>) {
      throw hashing_failed{};
    }
    slots_.clear();
    promised_array<row> larger(memory_, capacity);
    for (std::uint64_t i = 0; i < size_; ++i) {
      ::new (static_cast<void*>(larger.data() + i)) row(rows()[i]);
    }
    rows_.swap(larger);
    larger.clear();
    promised_array<std::uint32_t> slots(memory_, slots_for(capacity));
    slots_.swap(slots);
    capacity_ = capacity;
    empty_slots();
    for (std::uint64_t i = 0; i < size_; ++i) {
      *find(rows_at_[i].code) = static_cast<std::uint32_t>(i + 1);
    }
  }

private:
  /// At most half of them are taken.
  static std::uint64_t slots_for(std::uint64_t capacity) noexcept {
    std::uint64_t slots = 4;
    while (slots < 2 * capacity) {
      slots *= 2;
    }
    return slots;
  }
  void empty_slots() noexcept {
    rows_at_ = rows_.data();
    slots_at_ = slots_.data();
    mask_ = slots_for(capacity_) - 1;
    std::memset(slots_at_, 0, (mask_ + 1) * sizeof(std::uint32_t));
  }

  /// The slot of a key, or the empty one where it would be.
  std::uint32_t* find(typename types::code const& c) const {
    // Far longer than any way is where hashes are even: at half the slots taken, that of n keys is
    // about 5 ln n.
    constexpr std::uint64_t longest_way = 256;
    std::uint64_t const home = keys_.hash(c);
    for (std::uint64_t step = 0; step < longest_way; ++step) {
      std::uint32_t* const slot = slots_at_ + ((home + step) & mask_);
      if (*slot == 0 || keys_.equal(rows_at_[*slot - 1].code, c)) {
        return slot;
      }
    }
    throw hashing_failed{};
  }

  template <class Update, class Begin>
  bool visit(typename types::code const& c, Update update, Begin begin) {
    std::uint32_t* const slot = find(c);
    if (*slot != 0) {
      update(rows_at_[*slot - 1].state);
      return true;
    }
    if (size_ == capacity_) {
      return false;
    }
    begin(rows_at_ + size_);
    *slot = static_cast<std::uint32_t>(++size_);
    return true;
  }

  promised_memory& memory_;
  Keys keys_;
  Fold fold_;
  promised_array<row> rows_;
  promised_array<std::uint32_t> slots_;
  row* rows_at_ = nullptr;
  std::uint32_t* slots_at_ = nullptr;
  std::uint64_t mask_ = 0;
  std::uint64_t capacity_;
  std::uint64_t size_ = 0;
  std::uint64_t confirmed_ = 0;
  std::uint64_t additions_ = 0;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
