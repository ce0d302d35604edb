// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Inputs thrown into parts: a chain of blocks for each part, which grows as they come.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/promised_memory.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// The chains of one worker. bucket_chains.h, for counts of known bins, has its blocks in one
/// piece.
template <class Record>
class record_chains {
public:
  record_chains(slabs& memory, std::uint32_t parts)
      : memory_(memory), chains_(memory.take<chain>(parts)) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      ::new (static_cast<void*>(chains_ + part)) chain();
    }
  }

  void add(std::uint32_t part, Record const& x) {
    chain& c = chains_[part];
    if (c.next == c.end) {
      extend(c);
    }
    ::new (static_cast<void*>(c.next)) Record(x);
    ++c.next;
  }
  std::uint64_t size(std::uint32_t part) const noexcept {
    chain const& c = chains_[part];
    return c.full * records +
           (c.last != nullptr ? records - static_cast<std::uint64_t>(c.end - c.next) : 0);
  }
  /// Calls `visit(records, n)` for each block of a part, the first one first.
  template <class Visit>
  void for_each_block(std::uint32_t part, Visit visit) const {
    chain const& c = chains_[part];
    for (block const* b = c.first; b != nullptr; b = b->after) {
      visit(b->begin(), b == c.last ? static_cast<std::uint64_t>(c.next - b->begin()) : records);
    }
  }

private:
  static constexpr std::uint64_t records = (std::max)(std::size_t{4}, 2048 / sizeof(Record));

  struct block {
    block* after;
    alignas(Record) unsigned char room[records * sizeof(Record)];
    Record* begin() const noexcept {
      return reinterpret_cast<Record*>(const_cast<unsigned char*>(room));
    }
  };
  struct chain {
    Record* next = nullptr;
    Record* end = nullptr;
    block* first = nullptr;
    block* last = nullptr;
    std::uint64_t full = 0;  // blocks before the last one
  };

  THRUST_HIST_NOINLINE void extend(chain& c) {
    auto* const added = memory_.take<block>(1);
    added->after = nullptr;
    if (c.last != nullptr) {
      c.last->after = added;
      ++c.full;
    } else {
      c.first = added;
    }
    c.last = added;
    c.next = added->begin();
    c.end = c.next + records;
  }

  slabs& memory_;
  chain* chains_;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
