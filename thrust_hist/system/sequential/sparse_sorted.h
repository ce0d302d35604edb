// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Route sorted: inputs are put in the order of their keys, and runs of equal ones folded one after the
/// other. Takes the memory of a copy of the input, whatever the keys and however large a state is.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/known_operators.h>
#include <thrust_hist/system/sequential/key_ranges.h>
#include <thrust_hist/system/sequential/key_table.h>
#include <thrust_hist/system/sequential/promised_memory.h>
#include <thrust_hist/system/sequential/sparse_call.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

template <class Keys, class Fold>
class sparse_sorter {
  using call_type = sparse_call<Keys, Fold>;
  using input = typename call_type::input;

public:
  sparse_sorter(
      promised_memory& memory, call_type const& call, unsigned workers, std::uint32_t parts)
      : call_(call), workers_(workers), ranges_(memory, call, parts), inputs_(memory, call.n),
        begins_(memory, columns() * (workers + 1)), places_(memory, columns()) {}

  /// Returns the number of rows.
  std::uint64_t run() {
    distribute();
    std::uint32_t const parts = ranges_.parts();
    for_each_part([&](std::uint32_t part) { places_.data()[part] = sort_part(part); });
    std::uint64_t rows = 0;
    for (std::uint32_t part = 0; part < parts; ++part) {
      std::uint64_t const of_part = places_.data()[part];
      places_.data()[part] = rows;
      rows += of_part;
    }
    std::uint64_t const alone = end_of(parts) - begin_of(parts);
    call_.make_room(rows + alone);
    for_each_part([&](std::uint32_t part) { write_part(part); });
    for (std::uint64_t i = 0; i < alone; ++i) {
      write_run(inputs_.data() + begin_of(parts) + i, 1, rows + i);
    }
    return rows + alone;
  }

private:
  /// An operator of the user may throw: it is called before anything is written.
  static constexpr bool may_throw = Fold::kind == operator_kind::other;

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

  template <class Work>
  void for_each_part(Work work) const {
    std::atomic<std::uint32_t> next{0};
    call_.run(workers_, [&](unsigned) {
      for (std::uint32_t part = next++; part < ranges_.parts(); part = next++) {
        work(part);
      }
    });
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

  /// Returns how many distinct keys a part has. The first input of a run holds all of it, where the
  /// operator may throw.
  std::uint64_t sort_part(std::uint32_t part) const {
    input* const begin = inputs_.data() + begin_of(part);
    input* const end = inputs_.data() + end_of(part);
    std::sort(begin, end, by_code<Keys>{call_.keys});
    std::uint64_t runs = 0;
    for (input* first = begin; first != end; ++runs) {
      input* const behind = end_of_run(first, end);
      if constexpr (may_throw) {
        typename Fold::state folded = detail::started(call_.fold, first->value);
        for (input* x = first + 1; x != behind; ++x) {
          call_.fold.add(folded, x->value);
        }
        first->value = folded;
      }
      first = behind;
    }
    return runs;
  }

  void write_part(std::uint32_t part) const {
    input const* const end = inputs_.data() + end_of(part);
    std::uint64_t place = places_.data()[part];
    for (input* first = inputs_.data() + begin_of(part); first != end; ++place) {
      input* const behind = end_of_run(first, end);
      write_run(first, static_cast<std::uint64_t>(behind - first), place);
      first = behind;
    }
  }

  input* end_of_run(input* first, input const* end) const {
    input* x = first + 1;
    while (x != end && !call_.keys.less(first->code, x->code)) {
      ++x;
    }
    return x;
  }

  void write_run(input const* first, std::uint64_t n, std::uint64_t place) const {
    if constexpr (may_throw) {
      typename call_type::row const r{first->code, first->value};
      call_.write(place, &r, 1);
    } else {
      typename call_type::row r{first->code, detail::started(call_.fold, first->value)};
      for (std::uint64_t i = 1; i < n; ++i) {
        if (i % Fold::additions_at_once == 0) {
          call_.fold.settle(r.state);
        }
        call_.fold.add(r.state, first[i].value);
      }
      call_.fold.settle(r.state);
      call_.write(place, &r, 1);
    }
  }

  call_type const& call_;
  unsigned workers_;
  key_ranges<Keys> ranges_;
  promised_array<input> inputs_;
  promised_array<std::uint64_t>
      begins_;  // of each worker: of each part, where its inputs begin, then end
  promised_array<std::uint64_t> places_;  // of each part: of its first row
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
