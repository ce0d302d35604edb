// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Rules with range bins in them, alone, with flow or on axes of a grid, as the host systems run
/// them: each of these bins with a table of cells (see edge_cells.h).

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/obey.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/detail/range_key.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/errors.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/sequential/edge_cells.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace host {

/// Range bins for samples that count as S.
template <class Edge, class S>
class celled_bins {
public:
  explicit celled_bins(sequential::edge_cells<Edge, S> const& cells) noexcept : cells_(cells) {}

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return cells_.bins(); }
  template <class X, class Index>
  THRUST_HIST_HOST_DEVICE auto for_samples() const noexcept {
    return detail::convert_for<X>(sequential::celled_search<Edge, S, Index>{cells_});
  }

private:
  sequential::edge_cells<Edge, S> cells_;
};

/// What a rule for samples of type X gets: nothing, unless said below. `edges` is how many it has
/// in tables of `bytes` together, a multiple of 16; make() fills them, or none if `memory` is null.
template <class Rule, class X, class = void>
struct cells_of {
  static constexpr bool any = false;
  static constexpr std::uint64_t edges(Rule const&) { return 0; }
  static constexpr std::size_t bytes(Rule const&) { return 0; }
  static Rule const& make(Rule const& rule, char*) { return rule; }
};

template <class Edges, class X>
inline constexpr bool may_have_cells = [] {
  if constexpr (is_number_sample<X> && are_edges<Edges>) {
    return detail::have_common_key<value_t<Edges>, sample_t<X>>();
  }
  return false;
}();

template <class Edges, class X>
struct cells_of<range_bins<Edges>, X, std::enable_if_t<may_have_cells<Edges, X>>> {
  using table = sequential::edge_cells<value_t<Edges>, sample_t<X>>;

  static constexpr bool any = true;
  static std::uint64_t edges(range_bins<Edges> const& rule) {
    return static_cast<std::uint64_t>(rule.size()) + 1;
  }
  static std::size_t bytes(range_bins<Edges> const& rule) {
    return (table::bytes(edges(rule)) + 15) / 16 * 16;
  }
  static auto make(range_bins<Edges> const& rule, char* memory) {
    auto const search = rule.template for_samples<sample_t<X>, bin_index>();
    table cells(edges(rule), search.inclusive);
    if (memory != nullptr) {
      cells.make(search.edges, memory);
    }
    return celled_bins<value_t<Edges>, sample_t<X>>(cells);
  }
};

template <class Rule, class X>
struct cells_of<with_flow<Rule>, X, std::enable_if_t<cells_of<Rule, X>::any>> {
  using inner = cells_of<Rule, X>;

  static constexpr bool any = true;
  static std::uint64_t edges(with_flow<Rule> const& rule) {
    return inner::edges(rule_parts::inner(rule));
  }
  static std::size_t bytes(with_flow<Rule> const& rule) {
    return inner::bytes(rule_parts::inner(rule));
  }
  static auto make(with_flow<Rule> const& rule, char* memory) {
    auto const celled = inner::make(rule_parts::inner(rule), memory);
    return with_flow<std::remove_const_t<decltype(celled)>>(celled);
  }
};

/// The axes of a grid from number `Axis` on; `make(list, memory, before...)` makes the grid.
template <std::size_t Axis, class X, class... Rules>
struct cells_of_axes {
  static constexpr bool any = false;
  static constexpr std::uint64_t edges(rule_list<> const&) { return 0; }
  static constexpr std::size_t bytes(rule_list<> const&) { return 0; }
  template <class... Before>
  static auto make(rule_list<> const&, char*, Before const&... before) {
    return grid<Before...>(before...);
  }
};
template <std::size_t Axis, class X, class First, class... Rest>
struct cells_of_axes<Axis, X, First, Rest...> {
  using list = rule_list<First, Rest...>;
  using first = cells_of<First, coordinate_t<X, Axis>>;
  using rest = cells_of_axes<Axis + 1, X, Rest...>;

  static constexpr bool any = first::any || rest::any;
  static std::uint64_t edges(list const& rules) {
    return first::edges(rules.first) + rest::edges(rules.rest);
  }
  static std::size_t bytes(list const& rules) {
    return first::bytes(rules.first) + rest::bytes(rules.rest);
  }
  template <class... Before>
  static auto make(list const& rules, char* memory, Before const&... before) {
    char* const behind = memory == nullptr ? nullptr : memory + first::bytes(rules.first);
    return rest::make(rules.rest, behind, before..., first::make(rules.first, memory));
  }
};

template <class X, class... Rules>
inline constexpr bool have_axes_cells = [] {
  if constexpr (can_be_tuple<X>) {
    return cells_of_axes<0, X, Rules...>::any;
  }
  return false;
}();

template <class X, class... Rules>
struct cells_of<grid<Rules...>, X, std::enable_if_t<have_axes_cells<X, Rules...>>> {
  using axes = cells_of_axes<0, X, Rules...>;

  static constexpr bool any = true;
  static std::uint64_t edges(grid<Rules...> const& rule) {
    return axes::edges(rule_parts::axes(rule));
  }
  static std::size_t bytes(grid<Rules...> const& rule) {
    return axes::bytes(rule_parts::axes(rule));
  }
  static auto make(grid<Rules...> const& rule, char* memory) {
    return axes::make(rule_parts::axes(rule), memory);
  }
};

/// Whether `use(rule, rest)` goes with what a cap on memory leaves beside so many bytes. Nothing is
/// counted to know.
template <class Rule, class Use>
bool fits_beside(std::size_t bytes, Rule const& rule, options const& o, Use const& use) {
  if (o.max_temporary_bytes_ == options{}.max_temporary_bytes_) {
    return true;
  }
  if (bytes > o.max_temporary_bytes_) {
    return false;
  }
  plan told;
  options rest = o;
  rest.explain(&told).max_temporary_bytes(o.max_temporary_bytes_ - bytes);
  try {
    use(rule, rest);
    return true;
  } catch (memory_limit_error const&) {
    return false;
  }
}

/// Calls `use(rule, rest)` with what options leave and with the same rule, which has tables where
/// these pay for n samples of type X.
template <class X, class Policy, class Rule, class Use>
void with_cells(
    Policy& policy, Rule const& rule, std::uint64_t n, options const& o, Use const& use) {
  using cells = cells_of<Rule, X>;
  if constexpr (cells::any) {
    constexpr std::uint64_t fewest_samples = 1 << 9;
    constexpr std::uint64_t fewest_edges = 3;
    constexpr std::uint64_t little_memory = 1 << 15;  // edges; more are to have samples enough
    std::uint64_t const edges = cells::edges(rule);
    bool const pays = n >= fewest_samples && edges >= fewest_edges &&
                      edges <= sequential::most_celled_edges &&
                      n >= (edges <= little_memory ? edges : 4 * edges);
    std::size_t const bytes = pays ? cells::bytes(rule) : 0;
    if (pays && host::fits_beside(bytes, cells::make(rule, nullptr), o, use)) {
      with_reserved(o, bytes, [&](options const& rest) {
        temporary_array<std::uint64_t, Policy> const memory(
            policy, o.explain_ != nullptr ? 0 : bytes / sizeof(std::uint64_t));
        use(cells::make(rule, reinterpret_cast<char*>(memory.data())), rest);
      });
      return;
    }
  }
  use(rule, o);
}

/// The same for pairs: calls `use(source, rest)`.
template <class Policy, class Source, class Use>
void with_cells_of_pairs(Policy&, Source const& source, options const& o, Use const& use) {
  use(source, o);
}
template <class Policy, class Keys, class Values, class Rule, class Use>
void with_cells_of_pairs(
    Policy& policy, keyed_pairs<Keys, Values, Rule> const& source, options const& o,
    Use const& use) {
  host::with_cells<value_t<Keys>>(
      policy, source.rule, source.n, o, [&](auto const& rule, options const& rest) {
        using rule_type = std::decay_t<decltype(rule)>;
        use(keyed_pairs<Keys, Values, rule_type>{source.keys, source.values, source.n, rule}, rest);
      });
}

}  // namespace host
}  // namespace detail
THRUST_HIST_NAMESPACE_END
