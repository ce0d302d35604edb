// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA: by how many high bits codes may be sorted, by what is seen of keys.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/sparse_keys.h>
#include <thrust_hist/system/cuda/key_sample.h>
#include <thrust_hist/system/cuda/sorted_bits.h>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// What code_arrays::sort() asks, answered by key_facts: of codes of all inputs, or of rows, of
/// which few have one code.
template <class Facts>
struct high_bits {
  using code = typename Facts::code;

  Facts& facts;
  bool of_inputs;

  /// Whether nearly all codes that differ do so without their low bits, too: then these need no
  /// sorting, and what they leave is mended.
  bool tell_apart(int low_bits, bool may_look) const {
    return facts.tell_apart(low_bits, may_look);
  }
  /// Whether many may lie near each other.
  bool may_crowd() const { return facts.seen().ranges.may_crowd(); }
  /// Whether codes that differ in low bits alone are so few wherever they are that they are put in
  /// order where they stand, group by group. Those of 8 bytes are looked at once more.
  bool leave_short_groups(int low_bits) const {
    if (!of_inputs) {
      return false;
    }
    if constexpr (sizeof(code) == 4) {
      return low_bits <= static_cast<int>(key_sample::low_bits_of_near) &&
             facts.have_short_groups();
    } else {
      range_sample const& ranges = facts.seen().ranges;
      if (!facts.looks() || ranges.surely_share() || ranges.is_crowded()) {
        return false;
      }
      key_sample const& seen = facts.have_seen();
      return seen.comes_rarely(facts.size()) &&
             seen.share_little(facts.sharing(low_bits), facts.size());
    }
  }
  /// How many bits it takes to tell so many codes apart. Where these come so often that one which
  /// has the high bits of another makes a long group, eight more; of 16 bytes, where a look says
  /// whether they do, no more than tell distinct ones apart.
  int bits(std::uint64_t codes, bool may_look) const {
    int const high = high_bits_for(codes);
    if constexpr (is_number_kind<typename Facts::kind_type>) {
      if (of_inputs && may_look) {
        facts.have_seen();
      }
      if (of_inputs && facts.seen().come_often(facts.size())) {
        int const all_apart = high_bits_for_often(facts.seen().guess(facts.size()));
        return sizeof(code) > 8 ? (std::min)(high + 8, all_apart) : high + 8;
      }
    }
    return high;
  }
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
