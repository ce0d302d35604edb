// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route hashed: workers collect what they meet, see sparse_collector.h; then each part of the keys
/// is folded in a hash table of its own and sorted, and at last all parts are written, one behind
/// the other.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/key_ranges.h>
#include <thrust_hist/system/sequential/key_table.h>
#include <thrust_hist/system/sequential/promised_memory.h>
#include <thrust_hist/system/sequential/record_chains.h>
#include <thrust_hist/system/sequential/sort_rows.h>
#include <thrust_hist/system/sequential/sparse_call.h>
#include <thrust_hist/system/sequential/sparse_collector.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Folds inputs into a table that grows.
template <class Table, class Input>
void add_all(Table& table, Input const* some, std::uint64_t n) {
  table.expect(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (!table.add(some[i])) {
      table.grow();
      table.add(some[i]);
    }
  }
}

/// All rows of a table at `to`, sorted where that is wanted.
template <class Keys, class Fold>
void take_rows(
    sparse_call<Keys, Fold> const& call, key_table<Keys, Fold>& table,
    typename sparse_call<Keys, Fold>::row* to) {
  table.settle();
  if (call.ordered) {
    sequential::sort_rows(call.keys, table.rows(), table.size(), to);
  } else {
    std::uninitialized_copy(table.rows(), table.rows() + table.size(), to);
  }
}

/// Writes keys that equal no other one from a place on, each with its value. Returns the place
/// behind.
template <class Keys, class Fold>
std::uint64_t write_alone(
    sparse_call<Keys, Fold> const& call, std::uint64_t place,
    typename sparse_call<Keys, Fold>::input const* some, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) {
    typename sparse_call<Keys, Fold>::row const r{
        some[i].code, detail::started(call.fold, some[i].value)};
    call.write(place + i, &r, 1);
  }
  return place + n;
}

/// Few inputs: one table. Returns the number of rows.
template <class Keys, class Fold>
std::uint64_t hash_in_one_table(promised_memory& memory, sparse_call<Keys, Fold> const& call) {
  using input = typename sparse_call<Keys, Fold>::input;
  constexpr std::uint64_t first_capacity = 128;
  slabs alone_memory(memory, 16384);
  record_chains<input> alone(alone_memory, 1);
  key_table<Keys, Fold> table(memory, call.keys, call.fold, (std::min)(call.n, first_capacity));
  call.for_each_block({0, call.n}, [&](input* some, std::uint64_t n) {
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      if (call.keys.is_alone(some[i].code)) {
        alone.add(0, some[i]);
      } else {
        some[kept++] = some[i];
      }
    }
    sequential::add_all(table, some, kept);
  });
  table.confirm();
  table.drop_slots();
  promised_array<typename sparse_call<Keys, Fold>::row> rows(memory, table.size());
  sequential::take_rows(call, table, rows.data());
  call.make_room(table.size() + alone.size(0));
  call.write(0, rows.data(), table.size());
  std::uint64_t place = table.size();
  alone.for_each_block(0, [&](input const* some, std::uint64_t n) {
    place = sequential::write_alone(call, place, some, n);
  });
  return place;
}

/// The rows of a part.
template <class Row>
struct part_rows {
  Row* rows;
  std::uint64_t n;
};

/// Folds one part after the other, as long as there are any.
template <class Keys, class Fold>
class part_folder {
  using call_type = sparse_call<Keys, Fold>;
  using row = typename call_type::row;

public:
  part_folder(promised_memory& memory, call_type const& call)
      : memory_(memory), call_(call), slabs_(memory, std::size_t{1} << 18) {}

  template <class Collectors>
  void fold(
      Collectors const& collectors, std::atomic<std::uint32_t>& next, std::uint32_t parts,
      part_rows<row>* rows) {
    constexpr std::uint64_t few_rows = 1024;
    std::optional<key_table<Keys, Fold>> kept;
    for (std::uint32_t part = next++; part < parts; part = next++) {
      if (!kept) {
        kept.emplace(memory_, call_.keys, call_.fold, few_rows);
      }
      key_table<Keys, Fold>& table = *kept;
      for (auto const& collector : collectors) {
        collector.visit_part(
            part, [&](row const* folded, std::uint64_t n) { merge_all(table, folded, n); },
            [&](auto const* some, std::uint64_t n) { sequential::add_all(table, some, n); });
      }
      table.confirm();
      std::uint64_t const n = table.size();
      rows[part] = {n > 0 ? slabs_.template take<row>(n) : nullptr, n};
      if (n > 0) {
        sequential::take_rows(call_, table, rows[part].rows);
      }
      if (table.capacity() / 8 > (std::max)(n, few_rows)) {
        kept.reset();  // another part was far larger: to clear its table would take longer
      } else {
        table.clear();
      }
    }
  }

private:
  static void merge_all(key_table<Keys, Fold>& table, row const* folded, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) {
      if (!table.merge(folded[i])) {
        table.grow();
        table.merge(folded[i]);
      }
    }
  }

  promised_memory& memory_;
  call_type const& call_;
  slabs slabs_;
};

/// Many inputs: workers and parts. Returns the number of rows.
template <class Keys, class Fold>
std::uint64_t hash_in_parts(
    promised_memory& memory, sparse_call<Keys, Fold> const& call, unsigned workers,
    std::uint32_t most_parts) {
  using call_type = sparse_call<Keys, Fold>;
  key_ranges<Keys> const ranges(memory, call, most_parts);
  std::uint32_t const parts = ranges.parts();
  std::deque<sparse_collector<Keys, Fold>> collectors;
  std::deque<part_folder<Keys, Fold>> folders;
  for (unsigned worker = 0; worker < workers; ++worker) {
    collectors.emplace_back(memory, call, ranges);
    folders.emplace_back(memory, call);
  }
  call.run(workers, [&](unsigned worker) {
    collectors[worker].collect(share_of(call.n, workers, worker));
  });

  promised_array<part_rows<typename call_type::row>> rows(memory, parts);
  std::atomic<std::uint32_t> next{0};
  call.run(workers, [&](unsigned worker) {
    folders[worker].fold(collectors, next, parts, rows.data());
  });

  promised_array<std::uint64_t> places(memory, parts + workers + 1);
  std::uint64_t place = 0;
  for (std::uint32_t part = 0; part < parts; ++part) {
    places.data()[part] = place;
    place += rows.data()[part].n;
  }
  for (unsigned worker = 0; worker < workers; ++worker) {
    places.data()[parts + worker] = place;
    place += collectors[worker].alone().size(0);
  }
  call.make_room(place);
  next = 0;
  call.run(workers, [&](unsigned worker) {
    for (std::uint32_t part = next++; part < parts; part = next++) {
      call.write(places.data()[part], rows.data()[part].rows, rows.data()[part].n);
    }
    std::uint64_t to = places.data()[parts + worker];
    collectors[worker].alone().for_each_block(0, [&](auto const* some, std::uint64_t n) {
      to = sequential::write_alone(call, to, some, n);
    });
  });
  return place;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
