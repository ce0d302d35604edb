// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on one thread, and what all host systems share of them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/detail/sparse_pairs.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/promised_memory.h>
#include <thrust_hist/system/sequential/sparse_call.h>
#include <thrust_hist/system/sequential/sparse_hashed.h>
#include <thrust_hist/system/sequential/sparse_look.h>
#include <thrust_hist/system/sequential/sparse_plan.h>
#include <thrust_hist/system/sequential/sparse_sorted.h>
#include <thrust_hist/system/sequential/sparse_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// How many of n keys can differ.
template <class Keys, class Key>
std::uint64_t most_distinct(std::uint64_t n) noexcept {
  constexpr bool is_short = sizeof(Key) < 4 && is_integer_sample<Key> &&
                            std::is_same_v<Keys, number_keys<typename Keys::code>>;
  if constexpr (is_short) {
    return (std::min)(n, std::uint64_t{1} << 8 * sizeof(Key));
  } else {
    return n;
  }
}

/// Takes the route. Returns the number of rows.
template <class Keys, class Fold>
std::uint64_t take_sparse_route(
    memory_source& source, sparse_call<Keys, Fold> const& call, sparse_team const& team) {
  if (team.taken == route::hashed) {
    try {
      promised_memory memory(source, team.promised);
      if constexpr (is_number_kind<Keys>) {
        if (team.looks && call.n <= sparse_call<Keys, Fold>::block) {
          return sequential::sort_few(call);
        }
        if (team.looks && sequential::are_sorted_sooner(call, team.parts_to_sort)) {
          return sparse_sorter<Keys, Fold>(memory, call, team.workers, team.parts_to_sort).run();
        }
      }
      return team.parts == 1 ? sequential::hash_in_one_table(memory, call)
                             : sequential::hash_in_parts(memory, call, team.workers, team.parts);
    } catch (hashing_failed const&) {
      // Nothing has been written, and all memory is given back.
    }
  }
  promised_memory memory(source, team.promised);
  return sparse_sorter<Keys, Fold>(memory, call, team.workers, team.parts_to_sort).run();
}

/// The inputs of a source as a table wants them.
template <class Source, class Fold>
struct coded_source {
  using kind = typename Source::kind;
  Source source;

  auto code_at(std::uint64_t i) const {
    typename Source::key const k = source.key_at(i);
    return kind::template encode<typename Source::key>(k);
  }
  auto value_at(std::uint64_t i) const {
    return detail::convert<typename Fold::value>(source.value_at(i));
  }
};

/// Forms the rows of a source by `workers` workers at most. Returns how many there are.
template <class Policy, class Source, class Fold, class Output>
std::uint64_t form_rows(
    char const* system, unsigned workers, run_function run, Policy& policy, Source const& source,
    Fold const& fold, Output const& output, options const& o) {
  using keys = typename Source::kind;
  using call_type = sparse_call<keys, Fold>;
  using input = typename call_type::input;
  using row = typename call_type::row;
  using key = typename Source::key;
  // Values are folded in a type that may be wider than theirs.
  std::size_t const given = sizeof(key) + bytes_of_value<typename Source::value>;
  sparse_problem problem = {
      source.n,
      sequential::most_distinct<keys, key>(source.n),
      (std::max)(given, (sizeof(input) + 1) / 2),
      sizeof(input),
      0,
      0,
      workers};
  constexpr std::uint64_t codes = has_alone_keys<keys, key> ? 0 : few_codes<keys>;
  if constexpr (codes != 0) {
    problem.codes = codes;
    problem.table_bytes = sparse_table<keys, Fold>::bytes_of_table();
  }
  sparse_team const team = sequential::choose_sparse(problem, o);
  if (o.explain_ != nullptr) {
    *o.explain_ = {
        team.taken, team.why, system, team.workers, 1, 0, static_cast<std::size_t>(team.bytes),
        Fold::exact};
    return 0;
  }
  if (source.n == 0) {
    return 0;
  }
  auto const read = [&source](std::uint64_t begin, std::uint64_t n, input* to) {
    for (std::uint64_t i = 0; i < n; ++i) {
      key const k = source.key_at(begin + i);
      ::new (static_cast<void*>(to + i)) input(input::of(
          keys::template encode<key>(k),
          detail::convert<typename Fold::value>(source.value_at(begin + i))));
    }
  };
  auto const make_room = [&output, &o](std::uint64_t rows) {
    require_rows(rows, o);
    output.make_room(rows);
  };
  auto const write = [&output, &fold](std::uint64_t place, row const* rows, std::uint64_t n) {
    auto const key_writer = output.keys() + static_cast<std::ptrdiff_t>(place);
    auto const value_writer = output.values() + static_cast<std::ptrdiff_t>(place);
    for (std::uint64_t i = 0; i < n; ++i) {
      auto const at = static_cast<std::ptrdiff_t>(i);
      using key_type = typename folded_of<std::decay_t<decltype(key_writer)>, key>::type;
      using value_type =
          typename folded_of<std::decay_t<decltype(value_writer)>, result_t<Fold>>::type;
      *(key_writer + at) = static_cast<key_type>(keys::template decode<key>(rows[i].code));
      *(value_writer + at) = fold.template finish<value_type>(rows[i].state);
    }
  };
  policy_memory<Policy> memory(policy);
  call_type const call = {source.keys, fold, source.n, !o.unordered_, run, read, make_room, write};
  if constexpr (codes != 0) {
    if (team.taken == route::shared) {
      promised_memory promised(memory, team.promised);
      return sparse_table<keys, Fold>(promised, call, team.workers)
          .run(coded_source<Source, Fold>{source});
    }
  }
  return sequential::take_sparse_route(memory, call, team);
}

}  // namespace sequential

/// Writes the distinct keys of a source with what their values are folded to. Returns how many.
template <class Policy, class Source, class Fold, class Output>
std::uint64_t sparse_fold(
    sequential_system, Policy& policy, Source const& source, Fold const& fold, Output const& output,
    options const& o) {
  return sequential::form_rows(
      "sequential", 1, [](unsigned, sequential::chunk_function chunk) { chunk(0); }, policy, source,
      fold, output, o);
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
