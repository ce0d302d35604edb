// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A sparse histogram without the types of policy, iterators and outputs: what its algorithms see
/// of them are functions for blocks of inputs and of rows, so that they are compiled once for a
/// kind of keys and a fold.

#include <thrust_hist/config.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/key_table.h>
#include <thrust_hist/system/sequential/promised_memory.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

template <class Keys, class Fold>
struct sparse_call {
  using types = sparse_types<Keys, Fold>;
  using input = typename types::input;
  using row = typename types::row;

  Keys keys;
  Fold fold;
  std::uint64_t n;
  bool ordered;
  run_function run;
  /// read(begin, n, to): the inputs from `begin` on.
  function_ref<void(std::uint64_t, std::uint64_t, input*)> read;
  /// All rows are known now; called once before the first write.
  function_ref<void(std::uint64_t)> make_room;
  /// write(place, rows, n): rows of the output.
  function_ref<void(std::uint64_t, row const*, std::uint64_t)> write;

  /// Inputs that a worker looks at together.
  static constexpr std::uint64_t block =
      (std::max)(std::uint64_t{1}, (std::min<std::uint64_t>)(256, 32768 / sizeof(input)));

  /// Calls `visit(inputs, n)` for each block of a stretch.
  template <class Visit>
  void for_each_block(stretch inputs, Visit visit) const {
    alignas(input) unsigned char room[block * sizeof(input)];
    auto* const some = reinterpret_cast<input*>(room);
    for (std::uint64_t at = inputs.begin; at < inputs.end; at += block) {
      std::uint64_t const size = (std::min)(block, inputs.end - at);
      read(at, size, some);
      visit(some, size);
    }
  }
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
