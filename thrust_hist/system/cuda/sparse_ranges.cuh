// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse counts on CUDA, route partitioned: keys are thrown into buckets in their order, and
/// counted there, or put in order where most are distinct.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/bucket_forms.cuh>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/fold_sorted.cuh>
#include <thrust_hist/system/cuda/input.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/mailbox.cuh>
#include <thrust_hist/system/cuda/sorted_sample.cuh>
#include <thrust_hist/system/cuda/sparse_plan.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Counts keys.
template <class Policy, class Keys, class Kind>
class counted_ranges {
public:
  using code = typename Kind::code;
  using key = value_t<Keys>;
  using facts = key_facts<Policy, Keys, Kind>;

  explicit counted_ranges(facts& f)
      : facts_(f), batch_(f.memory()), line_(f.memory()), sample_(f.memory()),
        alone_places_(f.memory()), loan_(f.stream()) {}
  ~counted_ranges() {
    if (is_idle_) {
      loan_.give_back();  // without waiting once more
    }
  }
  counted_ranges(counted_ranges const&) = delete;
  counted_ranges& operator=(counted_ranges const&) = delete;

  /// Throws keys into buckets, and where rows may not be written `at_once`, finds out how many
  /// there are. Returns false where their range is too wide, or is not what a sample said.
  bool run(sparse_plan const& plan, bool at_once) {
    if (plan.is_chosen && !plan.is_ordered && plan.reach > widest_range && !are_spread(plan)) {
      return false;
    }
    Kind const& kind = facts_.kind();
    bool const is_guess = plan.is_chosen && !plan.whole_range && !has_alone;
    plan_ = plan;
    if (!at_once || has_alone) {  // rounds would be counted one by one, and not tell who is alone
      plan_.rounds = (std::min)(plan.rounds, 1u);
    }
    bool const has_room = throw_keys(
        plan.whole_range ? std::make_pair(kind.lowest, kind.span)
        : is_guess       ? facts_.seen().ranges.widened(kind.lowest, kind.span)
                         : facts_.range());
    if (has_room && !at_once) {
      count(nowhere{});
    }
    return has_room && (at_once || has_all());
  }
  std::uint64_t rows() const { return found_ + alone_; }
  /// Writes a row for each, unless they had no room. Returns how many there are.
  template <class Source, class Writer>
  std::uint64_t write(Source const& source, Writer const& writer) {
    count(writer);
    std::uint64_t done = 0;
    while (has_all() && round_ + 1 < rounds_.size()) {
      done += found_;
      ++round_;
      found_ = 0;
      if (!rounds_.is_empty(round_)) {
        with_form([&](auto& buckets) { throw_round(buckets); });
        count(writer.behind(done));
      }
    }
    found_ += has_all() ? done : 0;
    batch_.give_back();
    if (has_all()) {
      cuda::write_alone_rows(
          facts_, source, place_list{alone_places_.data(), false}, alone_, found_, writer);
    }
    return rows();
  }
  void give_back() {
    batch_.give_back();
    line_.give_back();
    sample_.give_back();
    facts_.give_findings_back();
    thrown_ = nullptr;
  }
  /// Whether there was room for all: slices may have more distinct codes than they have counters,
  /// and a code may occur more often than its counter can tell.
  bool has_all() const { return found_ < rows_are_lost; }

private:
  static constexpr bool has_alone = has_alone_keys<Kind, key>;

  /// From the lowest code on, as far as the highest one. Returns whether there may be room.
  bool throw_keys(std::pair<code, code> const& range) {
    if (range.second > plan_.widest) {
      return false;
    }
    lowest_ = range.first;
    rounds_ = {1, range.second};
    round_ = 0;
    is_wide_ = range.second > widest_range;
    // Codes may be denser, compared with the average, than a sample had it that did not reach as
    // far. It always stops a little before the ends.
    double const reached = static_cast<double>(plan_.reach) * (1 + 12.0 / range_sample::size);
    double const wider = static_cast<double>(range.second) / reached;
    double const density = plan_.density * (plan_.reach != 0 ? (std::max)(1.0, wider) : 1.0);
    std::uint64_t const of_round =
        drawn_rounds<code>::codes_of_each(facts_.size(), (std::max)(1u, plan_.rounds));
    return with_form([&](auto& buckets) {
      using form = form_of<std::decay_t<decltype(buckets)>>;
      buckets = form::plan(
          {range.second, density, plan_.distinct, of_round, plan_.is_uneven}, current_facts());
      if (buckets.has_room) {
        throw_codes(buckets);
      }
      return buckets.has_room;
    });
  }
  /// Whether no row of a table for a wide range would get many more codes than others, by another
  /// look at the sample: the first one tells only how many there are in a bucket.
  bool are_spread(sparse_plan const& plan) const {
    wide_buckets const b =
        plan_wide_buckets(plan.reach, plan.distinct, plan.density, facts_.size(), current_facts());
    return b.low_bits() <= 0 ||
           b.are_spread(plan.reach, facts_.seen().distinct, facts_.sharing(b.low_bits()));
  }
  /// Calls `use(buckets)` with those that such a range has.
  template <class Use>
  auto with_form(Use use) {
    if constexpr (sizeof(code) == 8) {
      if (is_wide_) {
        return plan_.is_ordered ? use(wide_ordered_) : use(wide_buckets_);
      }
    }
    return plan_.is_ordered ? use(ordered_) : use(buckets_);
  }
  template <class Buckets>
  void throw_codes(Buckets& buckets) {
    using form = form_of<Buckets>;
    using placed = typename form::table::code;
    give_back();
    std::size_t of_sample = 0;
    std::uint32_t drawn = 0;
    if constexpr (form::may_be_drawn) {
      drawn = buckets.are_drawn() ? plan_.rounds * buckets.sample_size() : 0;
      of_sample = drawn != 0 ? plan_sample(drawn).bytes(sizeof(placed)) : 0;
    }
    std::uint64_t const line =
        tile_line::size(2 * std::uint64_t{buckets.jobs()});  // slices may be halved once
    facts_.memory().reserve(
        form::bytes(buckets), line * sizeof *line_.data(), of_sample, sizeof(sparse_findings));
    batch_.take(form::bytes(buckets));
    line_.take(line);
    thrown_ = facts_.begin_findings();
    if constexpr (form::may_be_drawn) {
      if (drawn != 0) {
        sample_.take(drawn, sizeof(placed));
        sample_.template draw<placed>(
            facts_.keys(), facts_.size(), encoder<placed>(buckets), facts_.stream());
        buckets.slices.between = form::between(buckets, form::source_in(buckets, batch_.data()));
        if constexpr (std::is_same_v<placed, code>) {
          rounds_ = sample_.rounds(plan_.rounds, buckets.sample_size(), rounds_.reach(0));
          round_ = rounds_.is_empty(0) ? 1 : 0;
        }
      }
    }
    throw_round(buckets);
  }
  /// Those of a round.
  template <class Buckets>
  void throw_round(Buckets& buckets) {
    using form = form_of<Buckets>;
    using placed = typename form::table::code;
    if constexpr (form::may_be_drawn) {
      if (buckets.are_drawn()) {
        auto const first = static_cast<placed>(rounds_.first(round_));
        buckets.slices.sample =
            sample_.of_round(round_, buckets.sample_size(), first, facts_.stream());
        buckets.slices.may_be_frequent = facts_.seen().may_fill_quarter();
      }
    }
    form::throw_codes(
        cuda::make_samples(facts_.keys(), facts_.size()), encoder<placed>(buckets), buckets,
        form::source_in(buckets, batch_.data()), thrown_, facts_.stream());
    if (rounds_.size() > 1) {  // those of other rounds are not left out, and there are no others
      require(
          cudaMemsetAsync(thrown_, 0, sizeof *thrown_, facts_.stream()),
          "cudaMemsetAsync of findings");
    }
  }
  /// Codes of this round count from here.
  code first_of_round() const { return static_cast<code>(lowest_ + rounds_.first(round_)); }
  template <class Placed, class Buckets>
  code_in_range<Kind, code, Placed> encoder(Buckets const& buckets) const {
    return {{facts_.kind()}, first_of_round(), rounds_.reach(round_), buckets.shift()};
  }
  /// Some keys were left out: they equal no other one, and are listed before rows are written,
  /// since that takes memory; or lie outside of the range that was expected. Returns whether all
  /// others are in their buckets.
  bool settle(std::uint64_t left_out) {
    if constexpr (has_alone) {
      alone_ = left_out;
      facts_.list_alone(alone_, {alone_places_.take(alone_), false});
      return true;
    } else {
      return throw_keys(facts_.range());
    }
  }
  /// Where distinct codes turn out to be more than was expected, slices are halved.
  template <class Writer>
  void count(Writer const& writer) {
    range_findings found = count_slices(writer);
    if (found.left_out != 0) {
      found_ = rows_are_lost;
      if (!settle(found.left_out)) {
        return;
      }
      found = count_slices(writer);
    }
    if (found.rows >= rows_are_lost && found.is_hopeless == 0 && !is_halved_) {
      is_halved_ = true;
      if (with_form([](auto& buckets) { return buckets.halve_slices(current_facts()); })) {
        found = count_slices(writer);
      }
    }
    found_ = found.rows;
  }
  template <class Writer>
  range_findings count_slices(Writer const& writer) {
    auto* const findings = static_cast<range_findings*>(loan_.box().letter);
    *findings = {};
    is_idle_ = false;
    with_form([&](auto const& buckets) {
      using form = form_of<std::decay_t<decltype(buckets)>>;
      using table = typename form::table;
      using decoder = code_from_range<code, typename table::code>;
      tile_line const line = {line_.data(), buckets.jobs()};
      require(
          cudaMemsetAsync(
              line.words, 0, tile_line::size(buckets.jobs()) * sizeof *line.words, facts_.stream()),
          "cudaMemsetAsync of a line of slices");
      cuda::launch(
          "count_ranges", count_ranges<table, typename form::source, decoder, Writer>,
          buckets.jobs(), table::threads, buckets.slices.shared_bytes(), facts_.stream(),
          form::source_in(buckets, batch_.data()), buckets.slices,
          decoder{first_of_round(), buckets.shift()}, writer, line, thrown_, alone_, findings);
    });
    synchronize(facts_.stream());
    is_idle_ = true;
    return *findings;
  }

  facts& facts_;
  held_array<unsigned char, Policy> batch_;
  held_array<unsigned long long, Policy> line_;
  sorted_sample<Policy> sample_;
  held_array<std::uint64_t, Policy> alone_places_;
  range_buckets buckets_ = {};
  wide_buckets wide_buckets_ = {};
  ordered_buckets<std::uint32_t> ordered_ = {};
  ordered_buckets<std::uint64_t> wide_ordered_ = {};
  bool is_wide_ = false;  // which of these are used, beside what the plan says
  sparse_plan plan_ = {};
  sparse_findings* thrown_ = nullptr;
  code lowest_ = 0;
  drawn_rounds<code> rounds_{1, 0};  // of codes that count from that one
  unsigned round_ = 0;
  std::uint64_t found_ = 0;  // rows
  std::uint64_t alone_ = 0;
  bool is_halved_ = false;
  mailbox_loan loan_;
  bool is_idle_ = true;  // no kernel may be writing to the mailbox
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
