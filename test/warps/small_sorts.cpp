// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Some few numbers, or pairs of a code and a word, sorted by a simulated thread, a warp or a block:
// of all sizes, with equal ones, and nothing is touched beside them.
//   small_sorts [SEED [CASES]]

#include "warps.h"
#include <thrust_hist/system/cuda/kernels/pair_array.cuh>
#include <thrust_hist/system/cuda/kernels/small_sorts.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

using thrust_hist::detail::cuda::pair_array;
using thrust_hist::detail::cuda::small_sort;
using warps::below;

// Numbers as a kernel has them: some are sorted, between a first and a last one.
template <class Number>
struct plain {
  std::vector<Number> all;

  explicit plain(std::size_t size) : all(size) {}
  void set(std::size_t i, std::uint64_t x) { all[i] = static_cast<Number>(x); }
  void copy(std::size_t i, plain const& from) { all[i] = from.all[i]; }
  Number* first() { return all.data() + 1; }
  void sort() { std::sort(all.begin() + 1, all.end() - 1); }
  bool operator==(plain const& other) const { return all == other.all; }
};

// The same with words beside them, which differ or do not.
template <class Code, class Word>
struct paired {
  std::vector<Code> codes;
  std::vector<Word> words;

  explicit paired(std::size_t size) : codes(size), words(size) {}
  void set(std::size_t i, std::uint64_t x) {
    codes[i] = static_cast<Code>(x);
    words[i] = below(9) == 0 ? static_cast<Word>(~Word{0})
                             : static_cast<Word>(below(2) == 0 ? warps::rng() : below(3));
  }
  void copy(std::size_t i, paired const& from) {
    codes[i] = from.codes[i];
    words[i] = from.words[i];
  }
  pair_array<Code, Word> first() { return {codes.data() + 1, words.data() + 1}; }
  void sort() {
    std::vector<std::pair<Code, Word>> all;
    for (std::size_t i = 1; i + 1 < codes.size(); ++i)
      all.emplace_back(codes[i], words[i]);
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
      codes[i + 1] = all[i].first;
      words[i + 1] = all[i].second;
    }
  }
  bool operator==(paired const& other) const {
    return codes == other.codes && words == other.words;
  }
};

template <class Numbers, class Sort>
void check(char const* by, unsigned threads, std::uint32_t size, Sort sort) {
  Numbers numbers(size + 2);
  const std::uint64_t distinct = below(2) == 0 ? ~std::uint64_t{0} : 1 + below(size + 1);
  for (std::uint32_t i = 0; i < size + 2; ++i)
    numbers.set(i, below(9) == 0 ? ~std::uint64_t{0} : below(distinct));
  Numbers expected = numbers;
  expected.sort();
  // What threads find where others have written, who have waited for each other.
  Numbers found = expected;
  warps::block::run(threads, [&] {
    sort(numbers.first(), size);
    for (std::uint32_t i = threadIdx.x; i < size; i += threads)
      found.copy(size - i, numbers);
  });
  if (!(numbers == expected) || !(found == expected)) {
    std::printf("FAILED: %u numbers by %s of %u threads\n", size, by, threads);
    std::exit(1);
  }
}

template <class Numbers, unsigned Most>
void check_thread(std::uint32_t size) {
  check<Numbers>("thread 0", 32, std::min<std::uint32_t>(size, Most), [](auto first, auto n) {
    if (threadIdx.x == 0)
      small_sort::by_thread<Most>(first, n);
    __syncwarp();
  });
}

template <class Numbers>
void check_all(std::uint32_t size) {
  check_thread<Numbers, small_sort::most>(size);
  check_thread<Numbers, small_sort::most>(static_cast<std::uint32_t>(1 + below(small_sort::most)));
  check_thread<Numbers, small_sort::few>(static_cast<std::uint32_t>(1 + below(small_sort::few)));
  check<Numbers>("a warp", 32, size, [](auto first, auto n) { small_sort::by_warp(first, n); });
  check<Numbers>(
      "a block", 32u << below(5), size, [](auto first, auto n) { small_sort::by_block(first, n); });
}

// In turn, since each takes longer than plain ones.
void check_paired(unsigned long long number, std::uint32_t size) {
  switch (number % 3) {
  case 0:
    return check_all<paired<std::uint64_t, std::uint32_t>>(size);
  case 1:
    return check_all<paired<std::uint32_t, std::uint32_t>>(size);
  default:
    return check_all<paired<std::uint64_t, std::uint64_t>>(size);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto cases = warps::begin_cases(argc, argv);
  for (unsigned long long i = 0; i < cases; ++i) {
    const std::uint64_t most = i % 8 == 0 ? 5000 : i % 4 == 0 ? 1500 : i % 4 == 1 ? 300 : 140;
    const auto size = static_cast<std::uint32_t>(1 + below(most));
    check_all<plain<std::uint32_t>>(size);
    check_all<plain<std::uint64_t>>(size);
    check_paired(i, size);
  }
  std::printf("%llu cases\n", cases);
}
