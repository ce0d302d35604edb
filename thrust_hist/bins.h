// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The bin rules: small values that say which bin a sample belongs to. The same object works on
/// every system; with the same sample it gives the same bin everywhere, bit for bit.
///
/// A rule is trivially copyable and has `size()`, the number of bins, `operator()(x)`, the bin of a
/// sample or a value of no_bin, and `edge(i)` where there are edges: bin i is [edge(i), edge(i+1)).
/// A type of yours with the first two is a rule as well; what it returns outside [0, size()) is no
/// bin. Wrong values throw std::invalid_argument where the rule is made, or, where it takes the
/// type of the samples to tell, where an algorithm meets them.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/bin_index.h>
#include <thrust_hist/detail/even_rule.h>
#include <thrust_hist/detail/range_search.h>
#include <thrust_hist/detail/rule.h>
#include <thrust_hist/log_edges.h>

#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN

/// Whether a sample that equals the upper level belongs to the last bin. NumPy: inclusive.
enum class upper_edge { exclusive, inclusive };

/// Bin i holds the integer i. Samples: integers, bool, char (as unsigned char), std::byte, enums.
class identity_bins {
public:
  /// `num_bins` >= 0.
  template <class N>
  explicit identity_bins(N num_bins) : bins_(detail::checked_bins(num_bins)) {}

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }
  /// Bin i starts at i.
  THRUST_HIST_HOST_DEVICE double edge(bin_index i) const noexcept { return static_cast<double>(i); }

  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index operator()(X x) const noexcept {
    return for_samples<X, bin_index>()(x);
  }

  /// The rule for samples of type X and bins numbered by Index: what algorithms run.
  template <class X, class Index>
  THRUST_HIST_HOST_DEVICE auto for_samples() const noexcept {
    detail::require_keys<X>();
    return detail::bound_if<detail::is_integer_sample<X>, detail::identity_for<Index>, Index>{
        bins_};
  }

private:
  bin_index bins_;
};

/// `num_bins` bins of equal width over [lower, upper). The levels may be of any two arithmetic
/// types and count at their mathematical values.
///
/// Integer levels and samples: bin floor((x - lower) * num_bins / (upper - lower)), exactly. Else
/// the edges are computed in double, edge[i] = min(lower + i * step, upper) with
/// step = (upper - lower) / num_bins, each operation rounded by itself, and rounded once to the
/// type of floating-point samples; the bin of x is the last i with edge[i] <= x. NaN has no bin.
///
/// Throws std::invalid_argument for num_bins < 0, levels that are not finite, and unless
/// lower < upper (inclusive: lower <= upper), also after rounding to the type of the samples.
template <detail::level_kind Kind>
class even_bins {
public:
  template <class N, class Lower, class Upper>
  even_bins(N num_bins, Lower lower, Upper upper, upper_edge edge = upper_edge::exclusive)
      : bins_(detail::checked_bins(num_bins)), lower_(detail::make_level(lower)),
        upper_(detail::make_level(upper)), inclusive_(edge == upper_edge::inclusive) {
    detail::require_finite("lower", lower_);
    detail::require_finite("upper", upper_);
    if (inclusive_ ? detail::is_below(upper_, lower_) : !detail::is_below(lower_, upper_)) {
      detail::throw_levels(lower_, upper_, "");
    }
  }

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }
  /// The lower edge of bin i in double, before any rounding to the samples; edge(size()) is upper.
  THRUST_HIST_HOST_DEVICE double edge(bin_index i) const noexcept {
    return i == bins_ ? upper_.real : detail::even_edges(bins_, lower_.real, upper_.real)(i);
  }

  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index operator()(X x) const noexcept {
    return for_samples<X, bin_index>()(x);
  }

  template <class X, class Index>
  THRUST_HIST_HOST_DEVICE auto for_samples() const noexcept {
    using sample = detail::sample_t<X>;
    detail::require_numbers<X>();
    if constexpr (!detail::is_number_sample<X>) {
      return detail::refused_for<Index>{};
    } else {
      return detail::convert_for<X>(
          detail::even_bins_for<Kind, sample, Index>(bins_, lower_, upper_, inclusive_));
    }
  }

  /// Throws where the rule makes no sense for samples of type X.
  template <class X>
  void validate() const {
    using sample = detail::sample_t<X>;
    if constexpr (detail::is_number_sample<X> && detail::is_real_sample<sample>) {
      for_samples<sample, bin_index>().validate(lower_, upper_);
    } else if constexpr (detail::is_number_sample<X> && Kind == detail::level_kind::real) {
      detail::require_levels_in_double(lower_, upper_, inclusive_);
    }
  }

private:
  bin_index bins_;
  detail::level lower_;
  detail::level upper_;
  bool inclusive_;
};

template <class N, class Lower, class Upper, class... Edge>
even_bins(N, Lower, Upper, Edge...) -> even_bins<
    detail::is_integer_sample<Lower> && detail::is_integer_sample<Upper>
        ? detail::level_kind::integer
        : detail::level_kind::real>;

/// Bins between sorted edges: bin i is [edges[i], edges[i+1]). Of equal edges the last one wins, so
/// that the bins between them stay empty. Edges and samples may be of different arithmetic types
/// and compare at their mathematical values. NaN has no bin.
/// The rule is a view: the system that counts must be able to read the edges until it is done.
/// That they are sorted is a precondition here; histogram_range checks it.
template <class Iterator>
class range_bins {
public:
  range_bins(Iterator edges_first, Iterator edges_last, upper_edge edge = upper_edge::exclusive)
      : edges_(edges_first), bins_(detail::count_edges(edges_first, edges_last) - 1),
        inclusive_(edge == upper_edge::inclusive) {
    if (bins_ < 0) {
      detail::throw_invalid(
          "edges_last - edges_first", bins_ + 1, "must be at least 1: n bins have n + 1 edges");
    }
  }

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }
  /// The lower edge of bin i; edge(size()) is the upper edge of the last bin.
  THRUST_HIST_HOST_DEVICE auto edge(bin_index i) const { return detail::value_at(edges_, i); }

  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index operator()(X x) const {
    return for_samples<X, bin_index>()(x);
  }

  template <class X, class Index>
  THRUST_HIST_HOST_DEVICE auto for_samples() const noexcept {
    detail::require_numbers<X>();
    if constexpr (detail::is_number_sample<X> && detail::are_edges<Iterator>) {
      return detail::convert_for<X>(detail::range_search<Iterator, detail::sample_t<X>, Index>{
          edges_, static_cast<Index>(bins_), inclusive_});
    } else {
      return detail::refused_for<Index>{};
    }
  }

private:
  Iterator edges_;
  bin_index bins_;
  bool inclusive_;
};

/// `num_bins` bins by a function of yours: `f(x)` returns any integer, outside [0, num_bins) the
/// sample has no bin. A plain `__device__` lambda will do for CUDA.
template <class F>
class function_bins {
public:
  template <class N>
  function_bins(N num_bins, F f) : bins_(detail::checked_bins(num_bins)), f_(f) {}

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }

  THRUST_HIST_EXEC_CHECK_DISABLE
  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index operator()(X const& x) const {
    return detail::to_index<bin_index>(f_(x), bins_);
  }

  template <class X, class Index>
  THRUST_HIST_HOST_DEVICE auto for_samples() const {
    detail::require_rule_for<F, X>();
    return detail::bound_if<detail::is_rule_for<F, X>, detail::function_for<F, Index>, Index>{
        f_, bins_};
  }

private:
  bin_index bins_;
  F f_;
};

/// Makes a rule from a function.
template <class N, class F>
function_bins<F> make_bins(N num_bins, F f) {
  return {num_bins, f};
}

/// The product of rules over zipped samples: a joint histogram, row-major (the last rule varies
/// fastest). A sample whose any coordinate has no bin has none. Samples are tuples as zip_iterator
/// gives them.
template <class... Rules>
class grid {
public:
  static_assert(sizeof...(Rules) > 0, "thrust_hist: a grid needs at least one rule.");

  explicit grid(Rules... rules)
      : rules_(detail::make_rule_list(rules...)),
        bins_(detail::checked_product({static_cast<bin_index>(rules.size())...})) {}

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return bins_; }

  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index operator()(X const& x) const {
    return for_samples<X, bin_index>()(x);
  }

  template <class X, class Index>
  THRUST_HIST_HOST_DEVICE auto for_samples() const {
    static_assert(
        detail::can_be_tuple<X>,
        "thrust_hist: the samples of a grid are tuples of coordinates: zip them with "
        "thrust::make_zip_iterator(thrust::make_tuple(...)).");
    return rules_.template bind<X, Index, 0>();
  }

  template <class X>
  void validate() const {
    rules_.template validate<X, 0>();
  }

private:
  friend struct detail::rule_parts;
  detail::rule_list<Rules...> rules_;
  bin_index bins_;
};

/// A rule with one more bin at each end: bin 0 for what lies below `rule`, the last for what lies
/// above. NaN, and what a grid leaves out, still has no bin.
template <class Rule>
class with_flow {
public:
  explicit with_flow(Rule rule) : rule_(rule) {}

  THRUST_HIST_HOST_DEVICE bin_index size() const noexcept { return rule_.size() + 2; }

  template <class X>
  THRUST_HIST_HOST_DEVICE bin_index operator()(X const& x) const {
    return for_samples<X, bin_index>()(x);
  }

  template <class X, class Index>
  THRUST_HIST_HOST_DEVICE auto for_samples() const {
    auto const inner = detail::bind_rule<X, Index>(rule_);
    return detail::flow_for<std::remove_const_t<decltype(inner)>, Index>{
        inner, static_cast<Index>(rule_.size())};
  }

  /// Edge i of the inner rule at i + 1; the outer two are infinite.
  THRUST_HIST_HOST_DEVICE double edge(bin_index i) const {
    double const infinity = detail::bit_cast<double>(std::uint64_t{0x7ff} << 52);
    return i == 0 ? -infinity : i == size() ? infinity : static_cast<double>(rule_.edge(i - 1));
  }

  template <class X>
  void validate() const {
    detail::validate_rule<X>(rule_);
  }

private:
  friend struct detail::rule_parts;
  Rule rule_;
};

namespace detail {
template <class Iterator>
inline constexpr bool is_copied_by_bytes<range_bins<Iterator>> = true;
template <class Rule>
inline constexpr bool is_copied_by_bytes<with_flow<Rule>> = is_copied_by_bytes<Rule>;
template <class... Rules>
inline constexpr bool is_copied_by_bytes<grid<Rules...>> = (is_copied_by_bytes<Rules> && ...);
}  // namespace detail

THRUST_HIST_NAMESPACE_END
