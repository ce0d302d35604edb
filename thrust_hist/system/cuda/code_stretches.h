// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sparse histograms on CUDA, route sorted: codes of 8 bytes of which many lie near each other, and
/// others all over, differ in all bits. Where these crowds begin and end they are split, and each
/// stretch is sorted by the bits that it needs. No CUDA headers; tested with g++.

#include <thrust_hist/config.h>
#include <thrust_hist/system/cuda/sorted_bits.h>

#include <algorithm>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Codes from `first` on, up to the next stretch.
struct code_stretch {
  std::uint64_t first;
  /// By which they are sorted; if not from the first one on, few are in the wrong order then.
  bit_range bits;
};

/// All codes, in ascending order.
struct code_stretches {
  static constexpr unsigned most = 16;
  code_stretch parts[most];
  unsigned size;
};

/// What it takes to sort so many codes stretch by stretch, in passes over all of them: to split
/// them, and that each stretch is sorted by kernels of its own.
struct split_costs {
  double codes;

  double of_split() const noexcept { return 1.1 + 14e6 / codes; }
  double of_stretch() const noexcept { return 10e6 / codes; }
};

/// A part of a sorted sample, from code `first` on up to `last`.
struct sample_stretch {
  std::uint64_t const* codes;
  std::uint32_t size;
  std::uint64_t first;
  std::uint64_t last;

  /// Fewer tell nothing of how others lie.
  static constexpr std::uint32_t least_told = 64;

  /// By which bits `n` codes of this kind are sorted: by their high ones where these tell all apart
  /// that differ.
  bit_range bits_of(double n) const noexcept {
    int end = 1;
    while (end < 64 && (first ^ last) >> end != 0) {
      ++end;
    }
    bit_range const all = {0, end};
    if (size < least_told || end <= high_bits_for(static_cast<std::uint64_t>(n))) {
      return all;
    }
    std::uint32_t equal = 0;
    std::uint64_t least = ~std::uint64_t{0};  // one less than the bits in which neighbours differ
    for (std::uint32_t i = 1; i < size; ++i) {
      std::uint64_t const differing = codes[i] ^ codes[i - 1];
      equal += differing == 0 ? 1 : 0;
      least = (std::min)(least, differing - 1);
    }
    // One that comes often and has the high bits of another one makes a long group.
    int const more = equal > size / 64 ? 8 : 0;
    int const low = end - high_bits_for(static_cast<std::uint64_t>(n)) - more;
    bool const are_told_apart = least >= (std::uint64_t{1} << (std::max)(low, 0)) - 1;
    bit_range const high = {low, end};
    return low >= 8 && are_told_apart && high.passes() < all.passes() ? high : all;
  }
};

/// Adds stretches one after the other, and what they take.
class stretch_plan {
public:
  stretch_plan(std::uint64_t const* sample, std::uint32_t size, double n) noexcept
      : sample_(sample), size_(size), n_(n) {}

  /// From where the last one ended to code `last`, which has the sample's codes below the `end`-th.
  void add(std::uint32_t end, std::uint64_t last) noexcept {
    if (found_.size == code_stretches::most) {
      is_full_ = true;
      return;
    }
    double const part = static_cast<double>(end - begin_) / size_;
    bit_range const bits =
        sample_stretch{sample_ + begin_, end - begin_, first_, last}.bits_of(n_ * part);
    found_.parts[found_.size++] = {first_, bits};
    passes_ += part * bits.passes() + split_costs{n_}.of_stretch();
    begin_ = end;
    first_ = last + 1;
  }
  /// Of the next one; 0 behind the highest code of all.
  std::uint64_t first() const noexcept { return first_; }
  code_stretches const& found() const noexcept { return found_; }
  /// Whether codes are split, and there was room for all stretches.
  bool is_split() const noexcept { return found_.size > 1 && !is_full_; }
  double passes() const noexcept { return passes_ + split_costs{n_}.of_split(); }

private:
  std::uint64_t const* sample_;
  std::uint32_t size_;
  double n_;
  std::uint32_t begin_ = 0;
  std::uint64_t first_ = 0;
  code_stretches found_ = {};
  double passes_ = 0;
  bool is_full_ = false;
};

/// The stretches of n codes by a sorted sample of them: each place of 2^`width` codes is a crowd
/// that has a sixteenth of the sample or more.
inline stretch_plan stretches_of_width(
    std::uint64_t const* sample, std::uint32_t size, double n, int width) noexcept {
  stretch_plan plan(sample, size, n);
  std::uint64_t const within = (std::uint64_t{1} << width) - 1;
  std::uint32_t const step =
      (std::max)(size / 32, 1u);  // a crowd has two codes at least that far apart
  for (std::uint32_t i = 0; i + step < size; i += step) {
    std::uint64_t const place = sample[i] >> width;
    if (sample[i + step] >> width != place) {
      continue;
    }
    auto const is_below = [&](std::uint64_t code, std::uint64_t other) {
      return code >> width < other;
    };
    auto const is_above = [&](std::uint64_t other, std::uint64_t code) {
      return other < code >> width;
    };
    auto const begin =
        static_cast<std::uint32_t>(std::lower_bound(sample, sample + i, place, is_below) - sample);
    auto const end = static_cast<std::uint32_t>(
        std::upper_bound(sample + i + step, sample + size, place, is_above) - sample);
    if (end - begin >= size / 16) {
      std::uint64_t const first = place << width;
      if (first != plan.first()) {
        plan.add(begin, first - 1);
      }
      plan.add(end, first + within);
    }
    i = (end - 1) / step * step;
  }
  if (plan.found().size == 0 || plan.first() != 0) {
    plan.add(size, ~std::uint64_t{0});
  }
  return plan;
}

/// Those that take least; one where all had better be sorted at once, in so many passes.
inline code_stretches plan_stretches(
    std::uint64_t const* sample, std::uint32_t size, std::uint64_t n, int passes) noexcept {
  code_stretches best = {{{0, {0, 64}}}, 1};
  double least = 0.95 * passes;
  for (int width = 8; width < 64; width += 8) {
    stretch_plan const plan = stretches_of_width(sample, size, static_cast<double>(n), width);
    if (plan.is_split() && plan.passes() < least) {
      least = plan.passes();
      best = plan.found();
    }
  }
  return best;
}

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
