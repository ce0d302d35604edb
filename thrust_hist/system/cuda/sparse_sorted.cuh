// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: all keys are sorted, with their values, and folded run
/// by run.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_folds.h>
#include <thrust_hist/system/cuda/call_memory.cuh>
#include <thrust_hist/system/cuda/code_arrays.cuh>
#include <thrust_hist/system/cuda/code_kinds.cuh>
#include <thrust_hist/system/cuda/fold_sorted.cuh>
#include <thrust_hist/system/cuda/high_bits.cuh>
#include <thrust_hist/system/cuda/kernels/double_double.cuh>
#include <thrust_hist/system/cuda/kernels/list_marked.cuh>
#include <thrust_hist/system/cuda/kernels/row_states.cuh>
#include <thrust_hist/system/cuda/key_facts.cuh>
#include <thrust_hist/system/cuda/launch.cuh>
#include <thrust_hist/system/cuda/letter_to_come.cuh>
#include <thrust_hist/system/cuda/marked_places.cuh>
#include <thrust_hist/system/cuda/paired_sort.cuh>
#include <thrust_hist/system/cuda/plan_sorting.h>
#include <thrust_hist/system/cuda/run_tiles.h>
#include <thrust_hist/system/cuda/sample_memory.h>
#include <thrust_hist/system/cuda/settled_rows.cuh>
#include <thrust_hist/system/cuda/sorted_values.cuh>
#include <thrust_hist/system/cuda/sorting.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Whether keys that may be sorted as they stand are so in this call. Real ones may be many whose
/// codes can be sorted by less bits: their order as they stand is not that of codes bit by bit.
/// Where some turn out to be no numbers, rows are lost; so there must be no need to know before how
/// many rows there are.
template <class Source, class Kind, class Fold, class Facts>
bool stand(Facts const& facts, bool at_once) {
  using key = typename Source::key;
  if constexpr (always_stand<Source, Kind, Fold>) {
    return true;
  } else {
    bool const by_all_bits =
        sizeof(key) <= 4 ? !facts.may_be_sorted_by_less()
                         : facts.size() < inputs_worth_a_look(sizeof(key)) || facts.need_all_bits();
    return by_all_bits && at_once;
  }
}

/// `Stands`: keys are sorted as they stand.
template <class Policy, class Source, class Kind, class Fold, bool Stands>
class sorted_route {
public:
  using keys = std::decay_t<decltype(std::declval<Source>().first)>;
  using values = std::decay_t<decltype(std::declval<Source>().values)>;
  using facts = key_facts<Policy, keys, Kind>;
  using word = typename words_beside<Fold, Stands>::type;
  using stored = std::conditional_t<Stands, value_t<keys>, typename Kind::code>;
  using kind =
      std::conditional_t<std::is_same_v<stored, typename Kind::code>, Kind, standing_keys<stored>>;

  sorted_route(facts& f, Source const& source, Fold const& fold)
      : sorted_route(f, f, source, fold) {}
  /// Of a portion of keys; by how many high bits they are sorted is seen among `all`, once for each
  /// portion.
  sorted_route(facts& f, facts& all, Source const& source, Fold const& fold)
      : facts_(f), all_(all), source_(source), fold_(fold), pairs_(f.memory(), kind_of(f)),
        long_places_(f.memory()) {}

  /// Sorts, so that rows can be counted and written.
  void run() {
    std::uint64_t const n = facts_.size();
    facts_.give_back();  // what was seen takes memory that is not used any more
    typename code_arrays<Policy, kind, word>::input from = {};
    if constexpr (Stands) {
      from.codes = detail::raw_pointer(source_.first);
      if constexpr (!counts_keys<Fold>) {
        from.beside = reinterpret_cast<word const*>(detail::raw_pointer(source_.values));
      }
    }
    pairs_.take_to_sort(n, from, facts_.may_know_bits(), bytes_behind());
    sparse_findings found = {};
    if constexpr (Stands) {
      found = facts_.look();
    } else {
      if constexpr (!counts_keys<Fold>) {
        cuda::launch(
            "carry_words", carry_words<word_of, word>, blocks_for(n), 256, 0, facts_.stream(),
            word_of{source_.values}, n, pairs_.beside());
      }
      found = facts_.encode(pairs_.codes());
    }
    pairs_.sort(
        n, differing_bits<Kind, typename Source::key>(found), high_bits<facts>{all_, true}, from);
    list_alone(found);
  }
  /// The same bucket by bucket, numbers of up to 8 bytes. `may_repeat`: rows may be written before
  /// it is known how many there are, and once more.
  void run_by_buckets(bool may_repeat) {
    std::uint64_t const n = facts_.size();
    using code = typename Kind::code;
    facts_.give_back();
    {
      paired_sort<Policy, code, word> sort(facts_.memory(), n);
      takes_all_ = may_repeat && folds_numbers && facts::may_be_alone;
      // Then nothing may be missing once rows are written.
      std::size_t const to_repeat = takes_all_ ? bytes_to_repeat() : 0;
      std::size_t const beside = (std::max)({sort.bytes(), bytes_behind(), to_repeat});
      facts_.memory().reserve(n * sizeof(code), n * sizeof(word), beside, bytes_kept);
      pairs_.take(n);
      sparse_findings* const findings = facts_.begin_findings();
      sort.run(
          source_.first, wide_code<Kind, code>{facts_.kind()}, word_of{source_.values}, findings,
          pairs_.codes(), pairs_.beside());
    }
    if constexpr (facts::may_be_alone) {
      if (!takes_all_) {
        list_alone(facts_.findings());
      }
    }
  }
  /// How many there are.
  std::uint64_t rows() const {
    return marked_places<Policy>(facts_.memory()).count(begins(), facts_.size() - alone_) + alone_;
  }
  /// Writes them. Returns how many there are; rows_are_lost if some keys that stand are no numbers.
  template <class Writer>
  std::uint64_t write(Source const& source, Writer const& writer) {
    std::uint64_t const runs = takes_all_ ? fold_all(writer) : fold(writer);
    cuda::write_alone_rows(facts_, source, alone_places_, alone_, runs, writer);
    return runs + alone_;
  }
  /// The same where there are no keys that equal no other one.
  template <class Writer>
  std::uint64_t write_runs(Writer const& writer) const {
    return fold(writer);
  }

private:
  using word_of = word_of_value<Fold, values, word>;
  /// No code of a user sees what is folded.
  static constexpr bool folds_numbers = Fold::kind != operator_kind::other &&
                                        std::is_arithmetic_v<typename Fold::value> &&
                                        carries_value<Fold>;

  template <class Writer>
  std::uint64_t fold(Writer const& writer) const {
    std::uint64_t const n = facts_.size() - alone_;
    if constexpr (may_lose_bits<Fold>) {
      return cuda::fold_sorted_exactly(facts_.memory(), begins(), n, states(), fold_, writer);
    } else {
      return cuda::fold_sorted(facts_.memory(), begins(), n, states(), writer);
    }
  }
  /// The same while it is on its way to the host how many are alone. If any are, the last codes and
  /// values were anything, and made no more rows than there will be: all is folded once more.
  template <class Writer>
  std::uint64_t fold_all(Writer const& writer) {
    std::uint64_t runs = 0;
    sparse_findings found = {};
    {
      letter_to_come<sparse_findings> coming(facts_.stream());
      coming.send(facts_.found());
      runs = fold(writer);
      found = coming.get();  // its mailbox is back before there may be another fold
    }
    list_alone(found);
    return alone_ == 0 ? runs : fold(writer);
  }
  /// Behind the codes of all others, once they are sorted, where nobody needs the last ones: 4
  /// bytes for each place.
  void list_alone(sparse_findings const& found) {
    alone_ = found.alone;
    if constexpr (facts::may_be_alone) {
      std::uint64_t const n = facts_.size();
      alone_places_ = places_are_short(n) ? place_list{pairs_.codes() + (n - alone_), true}
                                          : place_list{long_places_.take(alone_), false};
      facts_.list_alone(alone_, alone_places_);
    }
  }

  static kind kind_of(facts const& f) {
    if constexpr (std::is_same_v<kind, Kind>) {
      return f.kind();
    } else {
      return {};
    }
  }
  /// What is taken at least, once pairs are sorted, with what pieces are rounded up by: to sum rows
  /// once more.
  std::size_t bytes_behind() const {
    if constexpr (may_lose_bits<Fold>) {
      return settled_pieces::bytes(facts_.size(), sizeof(typename Fold::state)) + bytes_to_fold();
    } else {
      return 0;
    }
  }
  /// And to find who is alone, and fold once more.
  std::size_t bytes_to_repeat() const {
    return bytes_behind() + bytes_to_fold() + marked_places<Policy>::bytes(facts_.size());
  }
  std::size_t bytes_to_fold() const {
    constexpr std::size_t kept_bytes = is_hashed_kind<Kind> ? sizeof(typename Kind::code) : 2;
    return cuda::bytes_to_fold_runs(
               facts_.size(), kept_bytes, sizeof(word), sizeof(typename run_fold_t<Fold>::state)) +
           call_memory<Policy>::bytes_of_rounding;
  }
  run_begins<Kind, stored> begins() const { return {facts_.kind(), pairs_.codes()}; }
  auto states() const {
    if constexpr (counts_keys<Fold>) {
      return one_each{};
    } else if constexpr (may_lose_bits<Fold>) {
      return carried_states<run_fold_t<Fold>, word>{{}, pairs_.beside()};
    } else if constexpr (carries_value<Fold>) {
      return carried_states<Fold, word>{fold_, pairs_.beside()};
    } else {
      return numbered_states<Fold, values>{fold_, source_.values, pairs_.beside()};
    }
  }

  facts& facts_;
  facts& all_;
  Source const& source_;
  Fold const& fold_;
  code_arrays<Policy, kind, word> pairs_;
  held_array<std::uint64_t, Policy> long_places_;
  place_list alone_places_ = {};
  std::uint64_t alone_ = 0;
  /// Whether all are taken for keys with a code before it is known whether they are: nobody waits
  /// for that then.
  bool takes_all_ = false;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
