// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Folding into many bins: in turns, all workers throw pairs into buckets of bins until their
/// chains are full, then all fold buckets, whose states fit a cache. No worker has a table of all
/// bins.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/fold.h>
#include <thrust_hist/detail/pairs.h>
#include <thrust_hist/system/sequential/count_buckets.h>
#include <thrust_hist/system/sequential/fold_stretch.h>
#include <thrust_hist/system/sequential/function_ref.h>
#include <thrust_hist/system/sequential/pair_buckets.h>
#include <thrust_hist/system/sequential/stretch.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Throws the pairs of a stretch of inputs, each of which has one at most.
template <class Fold, class Bound>
void throw_pairs(
    pair_buckets<Fold> const& buckets, bucket_chains& chains_of_worker, stretch inputs,
    Bound const& pairs) {
  bins_in_buckets const layout = buckets.shape();
  typename Fold::value* const values = buckets.values();
  bucket_chains chains = chains_of_worker;  // by value: no store can be to its members
  std::uint64_t dropped = 0;
  auto const throw_one = [&](std::uint64_t i, unsigned) {
    pairs.visit(i, [&](std::uint64_t bin, auto const& x) {
      if (bin < layout.bins()) {
        auto const place =
            chains.add(layout.bucket_of(bin), static_cast<bins_in_buckets::rest>(bin));
        ::new (static_cast<void*>(values + place))
            typename Fold::value(detail::convert<typename Fold::value>(x));
      } else {
        ++dropped;
      }
    });
  };
  sequential::for_each_input(pairs, inputs, throw_one);
  chains_of_worker = chains;
  buckets.progress().dropped += dropped;
}

/// The bucket in which all of a few pairs of a tile are, or none.
template <class Bound>
std::uint64_t common_bucket_of_pairs(
    bins_in_buckets const& layout, std::uint64_t first, Bound const& pairs) {
  constexpr std::uint64_t looks = 8;
  std::uint64_t common = fold_progress::no_bucket;
  for (std::uint64_t look = 0; look < looks; ++look) {
    std::uint64_t bucket = fold_progress::no_bucket;
    pairs.visit(first + look * (tile_of_pairs / looks), [&](std::uint64_t bin, auto const&) {
      bucket = bin < layout.bins() ? layout.bucket_of(bin) : bucket;
    });
    common = look == 0 ? bucket : common;
    if (bucket != common || bucket == fold_progress::no_bucket) {
      return fold_progress::no_bucket;
    }
  }
  return common;
}

/// Folds pairs of a tile as long as they fall into one bucket, as in sorted input, without throwing
/// them anywhere; returns how many.
template <class Fold, class Bound>
std::uint64_t fold_sorted(
    pair_buckets<Fold> const& buckets, std::uint64_t first, Bound const& pairs) {
  using state = typename Fold::state;
  using value = typename Fold::value;
  using table =
      std::conditional_t<std::is_scalar_v<state>, table_of_runs<Fold>, table_in_turns<1, Fold>>;
  auto const& layout = buckets.shape();
  std::uint64_t const bucket = sequential::common_bucket_of_pairs(layout, first, pairs);
  state* const states = bucket != fold_progress::no_bucket ? buckets.claim(bucket) : nullptr;
  if (states == nullptr) {
    return 0;
  }
  std::uint64_t const begin = layout.begin_of(bucket);
  std::uint64_t const size = layout.size_of(bucket);
  std::uint64_t folded = 0;
  buckets.add_to(bucket, states, tile_of_pairs, [&] {
    table folding(states, size, buckets.fold());
    for (bool is_there = true; is_there && folded < tile_of_pairs; folded += is_there ? 1 : 0) {
      pairs.visit(first + folded, [&](std::uint64_t bin, auto const& x) {
        is_there = bin - begin < size;
        if (is_there) {
          folding.add(bin - begin, detail::convert<value>(x), 0);
        }
      });
    }
    folding.finish();
  });
  return folded;
}

/// Throws inputs of one pair until chains are full or none are left; what is sorted is folded at
/// once, but no more of it either, so that workers end at about the same time.
template <class Fold, class Bound>
void throw_keyed(pair_buckets<Fold> const& buckets, Bound const& pairs) {
  fold_progress& mine = buckets.progress();
  bucket_chains chains = buckets.chains();
  chains.clear();
  std::uint64_t const begin = mine.inputs.begin;
  std::uint64_t const end = (std::min)(mine.inputs.end, begin + buckets.shape().pairs());
  std::uint64_t done = begin;
  std::uint64_t thrown = 0;
  while (done < end) {
    bool const is_tile = end - done >= tile_of_pairs;
    std::uint64_t const sorted = is_tile ? sequential::fold_sorted(buckets, done, pairs) : 0;
    done += sorted;
    if (sorted == tile_of_pairs) {
      continue;
    }
    // After a change of the bucket in sorted input the next look is soon.
    std::uint64_t const n = (std::min)(sorted >= 64 ? 4 : tile_of_pairs, end - done);
    sequential::throw_pairs(buckets, chains, {done, done + n}, pairs);
    thrown += n;
    done += n;
  }
  mine.thrown = thrown;
  mine.inputs.begin = done;
}

/// Throws inputs of any number of pairs. What finds no room any more, since one input has so many,
/// is folded at once, under a lock.
template <class Fold, class Bound>
void throw_emitted(pair_buckets<Fold> const& buckets, Bound const& pairs) {
  using value = typename Fold::value;
  fold_progress& mine = buckets.progress();
  bins_in_buckets const layout = buckets.shape();
  std::uint64_t const room = buckets.shape().pairs();
  value* const values = buckets.values();
  bucket_chains chains = buckets.chains();
  chains.clear();
  std::uint64_t thrown = 0;
  std::uint64_t dropped = 0;
  std::uint64_t done = mine.inputs.begin;
  for (; done < mine.inputs.end && thrown < room; ++done) {
    pairs.visit(done, [&](std::uint64_t bin, auto const& x) {
      std::uint64_t const bucket = layout.bucket_of(bin);
      if (bin >= layout.bins()) {
        ++dropped;
      } else if (thrown < room) {
        auto const place = chains.add(bucket, static_cast<bins_in_buckets::rest>(bin));
        ::new (static_cast<void*>(values + place)) value(detail::convert<value>(x));
        ++thrown;
      } else {
        bucket_lock const held(buckets.share(bucket));
        buckets.add_to(bucket, buckets.in_table(bucket), 1, [&] {
          buckets.fold().add(
              buckets.in_table(bucket)[bin - layout.begin_of(bucket)], detail::convert<value>(x));
        });
      }
    });
  }
  mine.thrown = thrown;
  mine.dropped += dropped;
  mine.inputs.begin = done;
}

/// Folds a stretch of the line on which the pieces of all buckets lie. A bucket that begins before
/// it is folded apart: the worker before has the table.
template <class Fold, class Buckets>
void fold_thrown(
    pair_buckets<Fold> const& buckets, unsigned workers, Buckets const& of_worker, stretch mine) {
  auto const& layout = buckets.shape();
  auto const chains = [&](unsigned worker) { return of_worker(worker).chains(); };
  std::uint64_t begin = 0;
  for (std::uint64_t bucket = 0; bucket < layout.buckets() && begin < mine.end; ++bucket) {
    std::uint64_t const end = begin + sequential::pieces_of(bucket, workers, chains);
    if (end > mine.begin) {
      typename Fold::state* states = nullptr;
      std::uint64_t piece = begin;
      for (unsigned worker = 0; worker < workers; ++worker) {
        bucket_chains const thrown = chains(worker);
        typename Fold::value const* const values = of_worker(worker).values();
        thrown.for_each_piece(bucket, [&](bins_in_buckets::rest const* rests, std::uint32_t n) {
          if (mine.has(piece) && n > 0) {
            if (states == nullptr) {
              states = begin < mine.begin ? buckets.apart(bucket) : buckets.in_table(bucket);
            }
            auto const* const piece_values = values + thrown.place_of(rests);
            Fold const fold = buckets.fold();
            bins_in_buckets const shape = layout;
            buckets.add_to(bucket, states, bins_in_buckets::block_rests, [&] {
              for (std::uint32_t i = 0; i < n; ++i) {
                fold.add(states[shape.place_in_bucket(rests[i])], piece_values[i]);
              }
            });
          }
          ++piece;
        });
      }
    }
    begin = end;
  }
}

/// Folds the pairs of a source in turns, until none are left.
template <class Source, class Buckets>
void fold_in_turns(
    run_function run, unsigned workers, Source const& source, Buckets const& of_worker) {
  auto const pairs = source.template bind<bin_index>();
  auto const merge_what_is_apart = [&] {
    bool is_apart = false;
    for (unsigned worker = 0; worker < workers; ++worker) {
      is_apart = is_apart || of_worker(worker).progress().apart != fold_progress::no_bucket;
    }
    if (!is_apart) {
      return;
    }
    run(workers, [&](unsigned index) {
      for (unsigned worker = 0; worker < workers; ++worker) {
        of_worker(worker).merge_apart(workers, index);
      }
    });
    for (unsigned worker = 0; worker < workers; ++worker) {
      of_worker(worker).end_apart();
    }
  };
  auto const chains = [&](unsigned worker) { return of_worker(worker).chains(); };
  auto const shared = of_worker(0);
  for (bool is_done = false; !is_done;) {
    run(workers, [&](unsigned worker) {
      if constexpr (Source::emits) {
        sequential::throw_emitted(of_worker(worker), pairs);
      } else {
        sequential::throw_keyed(of_worker(worker), pairs);
      }
    });
    merge_what_is_apart();
    is_done = true;
    std::uint64_t thrown = 0;
    for (unsigned worker = 0; worker < workers; ++worker) {
      thrown += of_worker(worker).progress().thrown;
      is_done = is_done && of_worker(worker).progress().inputs.size() == 0;
    }
    std::uint64_t pieces = 0;
    for (std::uint64_t bucket = 0; bucket < shared.shape().buckets(); ++bucket) {
      shared.share(bucket).owner = 0;
      pieces += sequential::pieces_of(bucket, workers, chains);
    }
    if (thrown > 0) {
      run(workers, [&](unsigned worker) {
        sequential::fold_thrown(
            of_worker(worker), workers, of_worker, sequential::share_of(pieces, workers, worker));
      });
      merge_what_is_apart();
    }
  }
}

/// Folds the pairs of a source in `memory`. Returns how many had no bin.
template <class Source, class Fold>
std::uint64_t fold_partitioned(
    run_function run, pair_layout<Fold> const& layout, char* memory, unsigned workers,
    Source const& source, Fold const& fold) {
  auto const of_worker = [&](unsigned worker) {
    return pair_buckets<Fold>(layout, memory, worker, fold);
  };
  run(workers, [&](unsigned worker) { of_worker(worker).begin(workers, source.size()); });
  sequential::fold_in_turns(run, workers, source, of_worker);
  std::uint64_t dropped = 0;
  for (unsigned worker = 0; worker < workers; ++worker) {
    dropped += of_worker(worker).progress().dropped;
  }
  return dropped;
}

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
