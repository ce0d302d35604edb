// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Reading rows that lie apart in memory: 16-byte loads inside the rows, elements at their ends.

#include <thrust_hist/config.h>
#include <thrust_hist/iterators.h>
#include <thrust_hist/system/cuda/kernels/samples.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {

/// Division of numbers below 2^37 by one and the same below 2^27, by multiplication: the error of
/// the reciprocal, less than the divisor in 2^64, times the number stays below 2^64.
class divider {
public:
  divider() = default;
  explicit divider(std::uint64_t by) noexcept
      : by_(by == 0 ? 1 : by),  // the answers for what is empty are not used
        reciprocal_(by > 1 && by < 1u << 27 ? ~std::uint64_t{0} / by + 1 : 0) {}
  __device__ std::uint64_t operator()(std::uint64_t x) const {
    return by_ == 1                                         ? x
           : reciprocal_ != 0 && x < std::uint64_t{1} << 37 ? __umul64hi(x, reciprocal_)
                                                            : x / by_;
  }

private:
  std::uint64_t by_ = 1;
  std::uint64_t reciprocal_ = 0;
};

/// Elements [first, first + n) of an image, counted along its rows. Of each whole row so many loads
/// are made as fit it wherever it begins; what they leave out, at most 31 bytes, and the parts of
/// rows at both ends of the range are read element by element.
template <class T>
class pitched_samples : public iterator_samples<pitched_iterator<T>, std::remove_cv_t<T>> {
public:
  using elements = iterator_samples<pitched_iterator<T>, std::remove_cv_t<T>>;
  using sample = typename elements::sample;
  using shape = load_shape<sample>;
  static constexpr unsigned group = shape::group;

  pitched_samples const& one_by_one() const { return *this; }

  /// Rows of no width have no elements: n is 0 then.
  pitched_samples(pitched_iterator<T> first, std::uint64_t n)
      : elements(first, n), first_row_(reinterpret_cast<unsigned char const*>(first.base())),
        pitch_(first.pitch_bytes()) {
    auto const begin = static_cast<std::uint64_t>(first.index());
    std::uint64_t width = (std::max)(first.width(), std::size_t{1});
    if (begin / width == (begin + n - 1) / width) {  // all in one row: a whole one of its own
      first_row_ = reinterpret_cast<unsigned char const*>(&first.at(first.index()));
      width = n;
      rows_ = 1;
    } else {
      std::uint64_t const row = (begin + width - 1) / width;
      rows_ = (begin + n) / width - row;
      first_row_ += row * pitch_;
      before_ = row * width - begin;
      behind_ = n - before_ - rows_ * width;
    }
    bool const aligned = (reinterpret_cast<std::uintptr_t>(first_row_) | pitch_) % 16 == 0;
    std::uint64_t const skipped =
        aligned ? 0 : shape::per_load - 1;  // before the first load at most
    loads_ = width < skipped ? 0 : (width - skipped) / shape::per_load;
    if (loads_ >= std::uint64_t{1} << 31) {  // a row of 32 GiB: the cursor counts with 32 bits
      loads_ = 0;
    }
    left_ = width - loads_ * shape::per_load;
    by_loads_ = divider(loads_);
    by_left_ = divider(left_);
  }

  /// As contiguous_samples::for_each.
  template <bool Again = false, class Each, class AfterGroup>
  __device__ void for_each(sharing const share, Each each, AfterGroup after_group) const {
    cuda::for_each_load<sample, Again>(
        share, rows_ * loads_, cursor(*this, share), each, after_group);
    std::uint64_t const loose = rows_ * left_;
    for (std::uint64_t i = share.thread; i < loose; i += share.threads) {
      std::uint64_t const row = by_left_(i);
      std::uint64_t const place = i - row * left_;
      std::uint64_t const before = head(row);
      each(begin_of(row)[place < before ? place : place + loads_ * shape::per_load]);
      after_group();
    }
    for (std::uint64_t i = share.thread; i < before_ + behind_; i += share.threads) {
      each(elements::at(i < before_ ? i : i + (elements::size() - before_ - behind_)));
      after_group();
    }
  }

private:
  __device__ sample const* begin_of(std::uint64_t row) const {
    return reinterpret_cast<sample const*>(first_row_ + row * pitch_);
  }
  /// Elements of a row before its first load.
  __device__ std::uint64_t head(std::uint64_t row) const {
    return (16 - reinterpret_cast<std::uintptr_t>(begin_of(row)) % 16) % 16 / sizeof(sample);
  }

  /// The addresses of a thread's loads, in turn. Steps from one to the next without a division,
  /// which would cost a tenth of the time of samples of 1 byte.
  class cursor {
  public:
    __device__ cursor(pitched_samples const& image, sharing const share)
        : loads_(static_cast<std::uint32_t>(image.loads_)) {
      std::uint64_t const row = image.by_loads_(share.thread);
      std::uint64_t const rows = image.by_loads_(share.threads);
      row_ = image.first_row_ + row * image.pitch_;
      load_ = static_cast<std::uint32_t>(share.thread - row * loads_);
      load_step_ = static_cast<std::uint32_t>(share.threads - rows * loads_);
      row_step_ = rows * image.pitch_;
      row_step_over_ = row_step_ + image.pitch_;
    }
    __device__ uint4 const* operator()(std::uint64_t) {
      auto const first = (reinterpret_cast<std::uintptr_t>(row_) + 15) / 16 * 16;
      uint4 const* const address = reinterpret_cast<uint4 const*>(first) + load_;
      load_ += load_step_;
      bool const over = load_ >= loads_;
      load_ -= over ? loads_ : 0;
      row_ += over ? row_step_over_ : row_step_;
      return address;
    }

  private:
    std::uint32_t loads_, load_, load_step_;
    unsigned char const* row_;
    std::uint64_t row_step_, row_step_over_;  // the latter where the next load is in one row more
  };

  unsigned char const* first_row_;  // of the whole ones
  std::uint64_t pitch_;
  std::uint64_t rows_;        // whole ones
  std::uint64_t loads_;       // of a row
  std::uint64_t left_;        // elements of a row without a load
  std::uint64_t before_ = 0;  // elements before the whole rows
  std::uint64_t behind_ = 0;
  divider by_loads_;
  divider by_left_;
};

}  // namespace cuda
}  // namespace detail
THRUST_HIST_NAMESPACE_END
