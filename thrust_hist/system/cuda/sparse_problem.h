// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA: what a plan has to know, and what it says. No CUDA headers; tested
/// with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/cuda/code_buckets.h>
#include <thrust_hist/system/cuda/key_sample.h>

#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// How values are folded: in the slots of hash tables, when they are sorted with their keys, or row
/// by row when keys are known. Counts are always folded as values in slots and in sorted runs are.
struct value_bytes {
  bool any;                 ///< there are values
  bool in_slots;            ///< hashed: slots hold what they are folded into
  bool sorted;              ///< route sorted: they are sorted with their keys
  std::size_t in_bucket;    ///< hashed, in slots: of a value that travels with a code
  std::size_t slot;         ///< hashed, in slots: of what is in a slot
  std::size_t state;        ///< of what goes from a table to a row, and from a tile to the next
  std::size_t beside_code;  ///< sorted: what moves with each code
  std::size_t row_codes;    ///< by row: of the codes of all rows, taken while there are runs
  std::size_t least;        ///< by row: to fold them, when keys are known, at least
  std::size_t tables;       ///< by row: and what they get beside if there is no cap
  /// Sorted: of a long accumulator, for rows that may have to be summed once more; or 0.
  std::size_t long_sum = 0;
  /// By row, with locks: so many states have room in the shared memory of a block.
  std::uint64_t rows_of_block = std::uint64_t{1} << 32;
  /// Sorted: so much less moves with each code than a value has where it is folded.
  std::size_t narrowed = 0;
};

struct sparse_problem {
  std::uint64_t inputs;
  std::uint64_t most_keys;  ///< that can be distinct
  std::uint64_t
      narrow_codes;  ///< that keys of 1 and 2 bytes can have; 0: keys are wider, or may be alone
  std::size_t code_bytes;
  bool is_number;         ///< codes of 4 or 8 bytes, which hash tables can hold
  bool may_be_alone;      ///< there are keys that equal no other one
  bool is_skewed;         ///< some keys are much more frequent than others
  bool is_skewed_by_few;  ///< the same, but the others are about equally frequent
  bool are_in_order;      ///< keys come in order, and how many are distinct is less sure
  bool come_in_order;     ///< they do, as asks_for_order() asks
  bool is_crowded;        ///< keys lie evenly but are denser where they lie
  bool is_much_crowded;   ///< and so dense that parts of a range have many
  bool has_spikes;        ///< keys lie in places apart from each other
  bool needs_all_bits;    ///< no sort by less than all bits of codes would do
  bool has_ranges;        ///< keys are counted, and their codes may lie in a narrow range
  bool has_places;  ///< keys are integers, which may lie so near each other that each has a bin
  bool counts_rows_first;    ///< before they are written
  std::uint32_t most_seen;   ///< how often the most frequent key of the sample occurs there
  std::uint32_t seen_once;   ///< how many occur there once
  hot_sample hot;            ///< what it has of frequent codes
  range_sample ranges;       ///< as the last, 0 where nobody has looked
  std::size_t sort_bytes;    ///< that CUB takes to sort all codes, beside as much as they have
  std::size_t rows_bytes;    ///< that it takes to sort the rows of hash tables
  std::size_t staged_bytes;  ///< of outputs that go to host containers
  value_bytes values;
  /// Scratch memory to fold so many pairs in so many bins, if there may be no more than `most`, or
  /// the least that is enough; null where values are not folded in bins of their codes.
  std::size_t (*bytes_to_fold)(std::uint64_t pairs, std::uint64_t bins, std::size_t most);
};

/// What it takes to list the places of so many keys that equal no other one.
inline constexpr std::size_t bytes_of_alone(std::uint64_t keys) noexcept {
  return 8 * (keys + keys / 4096 + 2);
}

/// The same of a problem.
inline std::size_t bytes_of_alone(sparse_problem const& p) noexcept {
  return p.may_be_alone ? bytes_of_alone(p.inputs) : 0;
}

/// Codes side by side.
struct dense_codes {
  std::uint64_t first;
  std::uint32_t codes;
};

struct sparse_plan {
  route taken;
  char const* why;
  std::size_t shared_bytes;  ///< of a block that counts
  dense_codes dense;         ///< shared: those that have a bin; none where all keys are to be asked
  bool has_all_codes;        ///< shared, with values: no key can lie outside
  bool direct;               ///< hashed: the keys are counted as they come in
  code_buckets buckets;      ///< hashed, not direct
  std::uint32_t hot;         ///< hashed, not direct: frequent codes, which come to no bucket
  unsigned slots_log2;       ///< hashed: of a table
  /// Hashed: for so many rows of a code and a count; shared, with values: for so many codes.
  std::uint64_t room;
  std::uint64_t distinct;  ///< partitioned: a guess at the distinct keys
  double density;          ///< partitioned: of these where they are densest, the average being 1
  std::uint64_t reach;     ///< partitioned: how far the codes of which this is known reach, or 0
  bool is_chosen;          ///< partitioned: by what is seen in a sample
  bool is_ordered;         ///< partitioned: all codes of a bucket are put in order
  bool is_uneven;          ///< and codes lie anywhere: where buckets begin is drawn
  unsigned rounds;         ///< in which drawn buckets are filled, 0 where there are none
  bool whole_range;        ///< partitioned: codes may be any of their type
  std::uint64_t widest;    ///< partitioned: how far the highest code may lie above the lowest
  bool by_buckets;         ///< sorted: bucket by bucket, with values beside
  std::size_t bytes;       ///< of scratch memory at most

  /// Of a block that makes tiles of buckets, with a table of frequent codes behind, in units of 16
  /// bytes.
  std::size_t tile_shared_bytes() const noexcept {
    std::size_t const of_hot =
        hot != 0 ? hot_sample::table_bytes(buckets.code_bytes, buckets.state_bytes) : 0;
    return buckets.tile_shared_bytes() + of_hot;
  }
  std::uint32_t hot_offset() const noexcept {
    return static_cast<std::uint32_t>(buckets.tile_shared_bytes() / bucket_layout::unit_bytes);
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
