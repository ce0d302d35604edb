// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What folds read: pairs of a bin and a value, one for each key, or as many as a user's function
/// emits for a sample.
///
/// A source of pairs has `size()` inputs; `bind<Index>()` is the form that a system runs, with
/// `visit(i, sink)`, which calls `sink(candidate, value)` for each pair of input i: the candidate
/// is an unsigned number, and no bin where it is not less than the number of bins.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/candidate.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/rule.h>

#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <class Index>
using unsigned_of = std::make_unsigned_t<Index>;

template <class Iterator>
using difference_t = typename thrust::iterator_traits<Iterator>::difference_type;

// --- keys with values beside them -----------------------------------------------------------

template <class Keys, class Values, class Bound, class Index>
struct bound_keys {
  using candidate_type = unsigned_of<Index>;

  Keys keys;
  Values values;
  Bound rule;

  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void visit(std::uint64_t i, Sink const& sink) const {
    value_t<Keys> const key = *(keys + static_cast<difference_t<Keys>>(i));
    value_t<Values> const value = *(values + static_cast<difference_t<Values>>(i));
    sink(detail::candidate<candidate_type>(rule, key), value);
  }
  // One half of a pair.
  candidate_type candidate_of(std::uint64_t i) const {
    value_t<Keys> const key = *(keys + static_cast<difference_t<Keys>>(i));
    return detail::candidate<candidate_type>(rule, key);
  }
  value_t<Values> value_of(std::uint64_t i) const {
    return *(values + static_cast<difference_t<Values>>(i));
  }
};

template <class Keys, class Values, class Rule>
struct keyed_pairs {
  Keys keys;
  Values values;
  std::uint64_t n;
  Rule rule;

  static constexpr bool emits = false;
  using iterator = Keys;
  std::uint64_t size() const { return n; }
  bin_index bins() const { return static_cast<bin_index>(rule.size()); }
  void validate() const { detail::validate_rule<value_t<Keys>>(rule); }

  template <class Index>
  auto bind() const {
    auto const bound = detail::bind_rule<value_t<Keys>, Index>(rule);
    return bound_keys<Keys, Values, std::remove_const_t<decltype(bound)>, Index>{
        keys, values, bound};
  }
};

// --- samples of which a function of the user makes pairs --------------------------------------

/// What the user's function calls: `sink(x)` counts one in the bin of x, `sink(x, value)` folds a
/// value.
template <class Value, class Rule, class Index, class Sink>
class emit_sink {
public:
  THRUST_HIST_HOST_DEVICE emit_sink(Rule const& rule, Sink const& sink)
      : rule_(rule), sink_(sink) {}

  template <class X>
  THRUST_HIST_HOST_DEVICE void operator()(X const& x) const {
    (*this)(x, detail::number<Value>(1));
  }
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class X, class V>
  THRUST_HIST_HOST_DEVICE void operator()(X const& x, V const& value) const {
    sink_(
        detail::candidate<unsigned_of<Index>>(detail::bind_rule<X, Index>(rule_), x),
        detail::convert<Value>(value));
  }

private:
  Rule const& rule_;
  Sink const& sink_;
};

/// Where only the type of a sink is asked for.
struct any_sink {
  template <class V>
  THRUST_HIST_HOST_DEVICE void operator()(std::uint64_t, V const&) const {}
};
#if defined(__CUDACC__)
template <class, class, class, class>
inline constexpr bool is_emit = true;  // the host cannot say what a __device__ lambda takes
#else
template <class Emit, class X, class Value, class Rule>
inline constexpr bool is_emit = std::is_invocable_v<
    Emit const&, X const&, emit_sink<Value, Rule, std::int64_t, any_sink> const&>;
#endif

template <class Value, class Iterator, class Rule, class Emit, class Index>
struct bound_emit {
  Iterator first;
  Rule rule;
  Emit emit;

  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void visit(std::uint64_t i, Sink const& sink) const {
    value_t<Iterator> const x = *(first + static_cast<difference_t<Iterator>>(i));
    visit_sample(x, sink);
  }
  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class X, class Sink>
  THRUST_HIST_HOST_DEVICE void visit_sample(X const& x, Sink const& sink) const {
    emit_sink<Value, Rule, Index, Sink> const user_sink(rule, sink);
    emit(x, user_sink);
  }
};

/// Emits a sample as it is, for bin 0: the samples of a reduction are pairs then.
struct emit_to_one_bin {
  template <class X, class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(X const& x, Sink const& sink) const {
    sink(std::uint32_t{0}, x);
  }
};

template <class Value, class Iterator, class Rule, class Emit>
struct emitted_pairs {
  Iterator first;
  std::uint64_t n;
  Rule rule;
  Emit emit;

  static constexpr bool emits = true;
  using iterator = Iterator;
  std::uint64_t size() const { return n; }
  bin_index bins() const { return static_cast<bin_index>(rule.size()); }
  void validate() const {}

  template <class Index>
  auto bind() const {
    return bound_emit<Value, Iterator, Rule, Emit, Index>{first, rule, emit};
  }
};

/// Whether pairs are those of a reduction, one for each input.
template <class Source>
inline constexpr bool is_reduction = false;
template <class Value, class Iterator, class Rule>
inline constexpr bool is_reduction<emitted_pairs<Value, Iterator, Rule, emit_to_one_bin>> = true;
/// Whether an input may have several, or none.
template <class Source>
inline constexpr bool emits_any_number = Source::emits && !is_reduction<Source>;

}  // namespace detail
THRUST_HIST_NAMESPACE_END
