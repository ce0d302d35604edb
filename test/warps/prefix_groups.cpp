// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Codes that were sorted by their high bits alone, and words beside them or none, put in order by
// the kernels for that in blocks of simulated threads, which come in any order: groups of random
// sizes, with equal codes and others, of integers and of real keys.
//   prefix_groups [SEED [CASES]]

#include "guarded.h"
#include "warps.h"
#include <thrust_hist/system/cuda/kernels/order_long_group.cuh>
#include <thrust_hist/system/cuda/kernels/order_prefix_groups.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using namespace thrust_hist::detail::cuda;
using warps::below;
using warps::require;

struct no_word {};

template <class Key>
using bits_of = typename radix_word<Key>::type;

// The key that has these bits: of real ones, of which two zeros have the same, any of them.
template <class Key>
Key key_of(bits_of<Key> bits) {
  if constexpr (radix_word<Key>::is_real) {
    constexpr auto sign = static_cast<bits_of<Key>>(bits_of<Key>{1} << (8 * sizeof(Key) - 1));
    auto word = static_cast<bits_of<Key>>((bits & sign) != 0 ? bits ^ sign : ~bits);
    word = word == 0 && below(2) == 0 ? sign : word;
    return thrust_hist::detail::bit_cast<Key>(word);
  } else {
    return radix_word<Key>::number(bits);
  }
}

template <class Key>
struct drawn_keys {
  std::vector<Key> keys;
  bool can_be_ordered = true;
};

std::uint64_t drawn_low(std::uint64_t seed, std::uint64_t which) {
  return (seed + which * 0x9e3779b97f4a7c15U) >> 7;
}

// In order by all but their low bits.
template <class Key>
drawn_keys<Key> draw(std::size_t n, int low_bits) {
  using bits = bits_of<Key>;
  drawn_keys<Key> drawn;
  const std::uint64_t usual = 1 + below(5);
  const std::uint64_t seldom = std::uint64_t{1} << below(13);
  auto prefix = static_cast<bits>(below(1000));
  // Near zero, so that there are real keys of either sign.
  if (below(2) == 0)
    prefix = static_cast<bits>((bits{1} << (8 * sizeof(Key) - 1 - low_bits)) - below(20));
  while (drawn.keys.size() < n) {
    std::uint64_t size = 1 + below(below(40) == 0 ? seldom : usual);
    size = below(300) == 0 ? prefix_groups::most + below(2) : size;
    size = below(500) == 0 ? long_prefix_groups::most + below(2) : size;
    size = std::min<std::uint64_t>(size, n - drawn.keys.size());
    const std::uint64_t distinct = below(3) == 0 ? 1 : below(2) == 0 ? 1 + below(4) : size;
    const std::uint64_t seed = warps::rng();
    // Perhaps the first ones are all the highest, or some the lowest.
    const std::uint64_t quiet = below(3) == 0 ? below(size) : 0;
    const bool has_lowest = below(4) == 0;
    bool falls = false;
    bits before = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t low = i < quiet                     ? ~std::uint64_t{0}
                                : has_lowest && below(5) == 0 ? 0
                                                              : drawn_low(seed, below(distinct));
      auto all = static_cast<bits>(
          static_cast<bits>(prefix << low_bits) |
          static_cast<bits>(low & ((std::uint64_t{1} << low_bits) - 1)));
      // No number has those in front of zero's, where CUB has -0 no more.
      if (radix_word<Key>::is_real && all == (bits{1} << (8 * sizeof(Key) - 1)) - 1)
        --all;
      falls = falls || (i > 0 && all < before);
      before = all;
      drawn.keys.push_back(key_of<Key>(all));
    }
    if (falls && size > long_prefix_groups::most)
      drawn.can_be_ordered = false;
    prefix = static_cast<bits>(prefix + 1 + below(3));
  }
  return drawn;
}

// As the host does it. Returns whether all are in order.
template <class Key, class Word>
bool order(std::vector<Key>& keys, std::vector<Word>& words, int low_bits) {
  const std::uint64_t n = keys.size();
  long_prefix_groups found = {};
  std::vector<std::uint64_t> begins(long_prefix_groups::room);
  std::uint32_t letter = 0;
  warps::run_blocks(prefix_groups::tiles(n), prefix_groups::threads, 0, [&] {
    order_prefix_groups(keys.data(), words.data(), n, low_bits, &found, begins.data(), &letter);
  });
  if (letter == 0)
    return true;
  letter = 0;
  warps::run_blocks(found.number, long_prefix_groups::threads, 0, [&] {
    order_long_group(keys.data(), words.data(), n, low_bits, begins.data(), &letter);
  });
  return letter == 0;
}

template <class Key, class Word>
void check_case() {
  const int low_bits = sizeof(Key) == 4 ? 8 : 16 + static_cast<int>(below(25));
  const std::size_t tile = prefix_groups::tile;
  const std::size_t n = below(3) == 0 ? tile * (1 + below(3)) + below(3) - 1
                                      : 1 + below(below(2) == 0 ? 300 : 3 * tile);
  const auto drawn = draw<Key>(n, low_bits);
  std::vector<std::size_t> expected(n);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  const auto bits = [&](std::size_t i) { return radix_word<Key>::of(drawn.keys[i]); };
  std::stable_sort(expected.begin(), expected.end(), [&](std::size_t a, std::size_t b) {
    return bits(a) < bits(b);
  });
  auto keys = drawn.keys;
  std::vector<Word> words(n);
  if constexpr (!std::is_empty_v<Word>)
    std::iota(words.begin(), words.end(), Word{0});
  const bool is_ordered = order(keys, words, low_bits);
  require(is_ordered == drawn.can_be_ordered, "groups are in order, or are not, by mistake");
  if (!is_ordered) {
    std::vector<std::size_t> rest(n);
    std::iota(rest.begin(), rest.end(), std::size_t{0});
    std::stable_sort(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) {
      return radix_word<Key>::of(keys[a]) < radix_word<Key>::of(keys[b]);
    });
    const auto keys_then = keys;
    const auto words_then = words;
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = keys_then[rest[i]];
      words[i] = words_then[rest[i]];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    require(
        std::memcmp(&keys[i], &drawn.keys[expected[i]], sizeof(Key)) == 0, "a key is elsewhere");
    if constexpr (!std::is_empty_v<Word>)
      require(words[i] == expected[i], "a word is elsewhere, or equal keys have changed places");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto cases = warps::begin_cases(argc, argv);
  for (warps::number = 0; warps::number < cases; ++warps::number)
    switch (below(6)) {
    case 0:
      check_case<std::uint32_t, std::uint32_t>();
      break;
    case 1:
      check_case<std::int32_t, no_word>();
      break;
    case 2:
      check_case<float, std::uint64_t>();
      break;
    case 3:
      check_case<std::uint64_t, no_word>();
      break;
    case 4:
      check_case<std::int64_t, std::uint64_t>();
      break;
    default:
      check_case<double, std::uint32_t>();
    }
  std::printf("%llu cases\n", cases);
}
