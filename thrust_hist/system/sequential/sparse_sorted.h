// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route sorted: inputs are put in the order of their keys, and runs of equal ones folded one after
/// the other. Takes the memory of a copy of the input, whatever the keys and however large a state
/// is, and that of its larger parts for sorting them, if there is so much.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/sequential/key_ranges.h>
#include <thrust_hist/system/sequential/key_table.h>
#include <thrust_hist/system/sequential/promised_memory.h>
#include <thrust_hist/system/sequential/sort_by_code.h>
#include <thrust_hist/system/sequential/sparse_call.h>
#include <thrust_hist/system/sequential/sparse_runs.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Memory in which one worker sorts.
template <class Input>
class sorting_room {
public:
  explicit sorting_room(promised_memory& memory) : memory_(memory), room_(memory) {}

  /// Room for n inputs; null where that would break the promise.
  Input* get(std::uint64_t n) {
    if (n > size_) {
      room_.clear();
      size_ = 0;
      try {
        promised_array<Input> larger(memory_, n);
        room_.swap(larger);
        size_ = n;
      } catch (hashing_failed const&) {
        return nullptr;
      }
    }
    return room_.data();
  }

private:
  promised_memory& memory_;
  promised_array<Input> room_;
  std::uint64_t size_ = 0;
};

template <class Keys, class Fold>
class sparse_sorter {
  using call_type = sparse_call<Keys, Fold>;
  using input = typename call_type::input;

public:
  sparse_sorter(
      promised_memory& memory, call_type const& call, unsigned workers, std::uint32_t parts)
      : memory_(memory), call_(call), runs_(call), workers_(workers), ranges_(memory, call, parts),
        inputs_(memory), begins_(memory, columns() * (workers + 1)), places_(memory, columns()) {
    if (is_number_kind<Keys> && is_one_part()) {
      has_room_ = take_inputs(2 * call.n);
    }
    if (!has_room_ && !take_inputs(call.n)) {
      throw std::bad_alloc();  // a plan promises that much
    }
  }

  /// Returns the number of rows.
  std::uint64_t run() {
    if (is_one_part()) {
      copy();
    } else {
      distribute();
    }
    std::uint32_t const parts = ranges_.parts();
    for_each_part([&](std::uint32_t part, sorting_room<input>& room) { sort_part(part, room); });
    std::uint64_t rows = 0;
    for (std::uint32_t part = 0; part < parts; ++part) {
      rows += std::exchange(places_.data()[part], rows);
    }
    std::uint64_t const alone = end_of(parts) - begin_of(parts);
    call_.make_room(rows + alone);
    for_each_part([&](std::uint32_t part, sorting_room<input>&) {
      runs_.write(inputs_.data() + begin_of(part), size_of(part), places_.data()[part]);
    });
    for (std::uint64_t i = 0; i < alone; ++i) {
      runs_.write(inputs_.data() + begin_of(parts) + i, 1, rows + i);
    }
    return rows + alone;
  }

private:
  bool is_one_part() const noexcept { return workers_ == 1 && ranges_.parts() == 1; }
  /// One part is sorted with room behind it, in one piece of memory: allocators give two back to
  /// the operating system sooner. False if that would break the promise.
  bool take_inputs(std::uint64_t n) {
    try {
      promised_array<input> taken(memory_, n);
      inputs_.swap(taken);
      return true;
    } catch (hashing_failed const&) {
      return false;
    }
  }
  // Keys that equal no other one are a part of their own, the last one.
  std::uint64_t columns() const noexcept { return std::uint64_t{ranges_.parts()} + 1; }
  std::uint64_t part_of(input const& x) const {
    return call_.keys.is_alone(x.code) ? ranges_.parts() : ranges_.part_of(x.code);
  }
  std::uint64_t* begins_of(unsigned worker) const { return begins_.data() + worker * columns(); }
  std::uint64_t begin_of(std::uint64_t part) const {
    return part == 0 ? 0 : begins_of(workers_ - 1)[part - 1];
  }
  std::uint64_t end_of(std::uint64_t part) const { return begins_of(workers_ - 1)[part]; }
  std::uint64_t size_of(std::uint64_t part) const { return end_of(part) - begin_of(part); }

  template <class Work>
  void for_each_part(Work work) const {
    std::atomic<std::uint32_t> next{0};
    call_.run(workers_, [&](unsigned) {
      sorting_room<input> room(memory_);
      for (std::uint32_t part = next++; part < ranges_.parts(); part = next++) {
        work(part, room);
      }
    });
  }

  /// Copies the inputs, those behind that equal no other one, in their order.
  void copy() const {
    input* to = inputs_.data();
    input* const end = to + call_.n;
    input* alone = end;
    std::uint64_t size = 0;
    for (std::uint64_t at = 0; at < call_.n; at += size) {
      size = (std::min)(call_type::block, call_.n - at);
      call_.read(at, size, to);
      bool any_alone = false;
      for (std::uint64_t i = 0; i < size; ++i) {
        any_alone |= call_.keys.is_alone(to[i].code);
      }
      if (!any_alone) {
        to += size;
        continue;
      }
      call_.for_each_block({at, at + size}, [&](input const* some, std::uint64_t n) {
        for (std::uint64_t i = 0; i < n; ++i) {
          bool const is_alone = call_.keys.is_alone(some[i].code);
          ::new (static_cast<void*>(is_alone ? --alone : to++)) input(some[i]);
        }
      });
    }
    std::reverse(alone, end);
    begins_.data()[0] = static_cast<std::uint64_t>(to - inputs_.data());
    begins_.data()[1] = call_.n;
  }

  /// Copies the inputs, part by part, in their order: counted first, so that they lie side by side.
  void distribute() const {
    call_.run(workers_, [&](unsigned worker) {
      std::uint64_t* const counts = begins_of(worker);
      std::fill_n(counts, columns(), 0);
      call_.for_each_block(
          share_of(call_.n, workers_, worker), [&](input const* some, std::uint64_t n) {
            for (std::uint64_t i = 0; i < n; ++i) {
              ++counts[part_of(some[i])];
            }
          });
    });
    std::uint64_t begin = 0;
    for (std::uint64_t part = 0; part < columns(); ++part) {
      for (unsigned worker = 0; worker < workers_; ++worker) {
        begin += std::exchange(begins_of(worker)[part], begin);
      }
    }
    call_.run(workers_, [&](unsigned worker) {
      std::uint64_t* const next = begins_of(worker);
      call_.for_each_block(
          share_of(call_.n, workers_, worker), [&](input const* some, std::uint64_t n) {
            for (std::uint64_t i = 0; i < n; ++i) {
              ::new (static_cast<void*>(inputs_.data() + next[part_of(some[i])]++)) input(some[i]);
            }
          });
    });
  }

  /// Notes how many distinct keys a part has.
  void sort_part(std::uint32_t part, sorting_room<input>& room) const {
    input* const begin = inputs_.data() + begin_of(part);
    std::uint64_t const n = size_of(part);
    by_code<Keys> const less{call_.keys};
    if (!std::is_sorted(begin, begin + n, less)) {
      sort_inputs(begin, n, room, less);
    }
    places_.data()[part] = runs_.count(begin, n);
  }

  void sort_inputs(
      input* some, std::uint64_t n, sorting_room<input>& room, by_code<Keys> less) const {
    if constexpr (is_number_kind<Keys>) {
      input* scratch = nullptr;
      if (n <= max_of<std::uint32_t>) {
        scratch = has_room_ ? inputs_.data() + call_.n : room.get(n);
      }
      if (scratch != nullptr) {
        sequential::sort_by_code(some, scratch, n);
        return;
      }
    }
    std::sort(some, some + n, less);
  }

  promised_memory& memory_;
  call_type const& call_;
  sparse_runs<Keys, Fold> runs_;
  unsigned workers_;
  key_ranges<Keys> ranges_;
  promised_array<input> inputs_;
  promised_array<std::uint64_t>
      begins_;  // of each worker: of each part, where its inputs begin, then end
  promised_array<std::uint64_t> places_;  // of each part: how many rows it has, then its first one
  bool has_room_ = false;                 // behind the inputs
};

/// So few inputs that they fit the stack are sorted there. Returns the number of rows.
template <class Keys, class Fold>
std::uint64_t sort_few(sparse_call<Keys, Fold> const& call) {
  using input = typename sparse_call<Keys, Fold>::input;
  constexpr std::uint64_t most = sparse_call<Keys, Fold>::block;
  alignas(input) unsigned char room[most * sizeof(input)];
  alignas(input) unsigned char scratch[most * sizeof(input)];
  auto* const some = reinterpret_cast<input*>(room);
  call.read(0, call.n, some);
  input* const end = some + call.n;
  input* const alone =
      std::stable_partition(some, end, [&](input const& x) { return !call.keys.is_alone(x.code); });
  auto const n = static_cast<std::uint64_t>(alone - some);
  if (!std::is_sorted(some, alone, by_code<Keys>{call.keys})) {
    sequential::sort_by_code(some, reinterpret_cast<input*>(scratch), n);
  }
  sparse_runs<Keys, Fold> const runs(call);
  std::uint64_t rows = runs.count(some, n);
  call.make_room(rows + static_cast<std::uint64_t>(end - alone));
  runs.write(some, n, 0);
  for (input* x = alone; x != end; ++x) {
    runs.write(x, 1, rows++);
  }
  return rows;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
