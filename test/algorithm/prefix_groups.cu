// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Codes that were sorted by their high bits alone, with words beside them or none: groups of any
// size with the same high bits are put in order, wherever tiles end, and equal codes keep theirs.
// And sorts that rely on it, in vain, too.

#include "../support/checks.h"
#include <thrust_hist/system/cuda/code_arrays.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

namespace prefix_groups_setup {

using System = test::main_system;
using namespace thrust_hist::detail::cuda;

template <class Key>
using coder = thrust_hist::detail::number_code<Key>;
template <class Key>
using code_of = typename coder<Key>::code;

// The key that CUB sorts by these bits: as its code, but below zero codes are one more.
template <class Key>
Key key_of(code_of<Key> bits) {
  constexpr auto sign = static_cast<code_of<Key>>(code_of<Key>{1} << (8 * sizeof(Key) - 1));
  const bool is_less = std::is_floating_point_v<Key> && bits < sign;
  return coder<Key>::decode(static_cast<code_of<Key>>(bits + (is_less ? 1 : 0)));
}

std::uint64_t mixed(std::uint64_t i) {
  return thrust_hist::detail::mix_code(i + 1);
}

struct two_words {
  std::uint16_t words[2];
};
template <class Word>
Word word_of(std::size_t i) {
  if constexpr (std::is_same_v<Word, two_words>)
    return {{static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i >> 16)}};
  else
    return static_cast<Word>(i);
}
template <class Word>
std::size_t number_of(Word const& word) {
  if constexpr (std::is_same_v<Word, two_words>)
    return word.words[0] + (std::size_t{word.words[1]} << 16);
  else
    return static_cast<std::size_t>(word);
}

// Where keys come once they are sorted, equal ones in their order.
template <class Key>
std::vector<std::size_t> order_of(std::vector<Key> const& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return coder<Key>::encode(keys[a]) < coder<Key>::encode(keys[b]);
  });
  return order;
}

// How many keys, and words beside them, are not where they belong.
template <class Key, class Word>
std::size_t misplaced(
    std::vector<Key> const& keys, std::vector<std::size_t> const& order,
    std::vector<Key> const& found, std::vector<Word> const& words) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_here = std::memcmp(&found[i], &keys[order[i]], sizeof(Key)) == 0;
    wrong += is_here && (words.empty() || number_of(words[i]) == order[i]) ? 0 : 1;
  }
  return wrong;
}

template <class Key, class Word>
bool order_on_gpu(
    std::vector<Key> const& keys, int low_bits, std::vector<Key>& found, std::vector<Word>& words) {
  auto there = test::buffer_of<System>(test::samples<Key>(keys));
  auto beside = test::buffer_of<System>(test::samples<Word>(keys.size(), word_of<Word>));
  auto policy = System::policy();
  bool is_done = false;
  {
    call_memory<decltype(policy)> memory(policy);
    is_done = order_in_groups(memory, there.data(), beside.data(), keys.size(), low_bits);
  }
  there.read(found.data());
  beside.read(words.data());
  return is_done;
}
template <class Key>
bool order_on_gpu(std::vector<Key> const& keys, int low_bits, std::vector<Key>& found) {
  auto there = test::buffer_of<System>(test::samples<Key>(keys));
  auto policy = System::policy();
  bool is_done = false;
  {
    call_memory<decltype(policy)> memory(policy);
    is_done = order_in_groups(
        memory, there.data(), static_cast<nothing_beside*>(nullptr), keys.size(), low_bits);
  }
  there.read(found.data());
  return is_done;
}

template <class Key, class Word>
void check_words(std::vector<Key> const& keys, int low_bits, bool is_expected) {
  std::vector<Key> found(keys.size());
  std::vector<Word> words(keys.size());
  BOOST_TEST(order_on_gpu(keys, low_bits, found, words) == is_expected);
  const auto order = order_of(keys);
  if (is_expected) {
    BOOST_TEST(misplaced(keys, order, found, words) == 0U);
    return;
  }
  // Equal ones in their order, so that who sorts once more has what he should.
  const auto rest = order_of(found);
  std::vector<Key> after(keys.size());
  std::vector<Word> words_after(keys.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    after[i] = found[rest[i]];
    words_after[i] = words[rest[i]];
  }
  BOOST_TEST(misplaced(keys, order, after, words_after) == 0U);
}

// Groups of so many keys each, `size_of(group)`, of which `distinct_of(group)` differ at most.
template <class Key, class Size, class Distinct>
std::vector<Key> groups(std::size_t n, int low_bits, Size size_of, Distinct distinct_of) {
  using code = code_of<Key>;
  std::vector<Key> keys;
  // From the lowest codes on, over zero and numbers below it, to the highest ones.
  const code prefixes = static_cast<code>(static_cast<code>(~code{0}) >> low_bits);
  const std::uint64_t step = std::max<std::uint64_t>(1, prefixes / (n + 1));
  for (std::uint64_t group = 0; keys.size() < n; ++group) {
    const std::uint64_t size = std::max<std::uint64_t>(1, size_of(group));
    const auto prefix = static_cast<code>(static_cast<code>(group * step) << low_bits);
    for (std::uint64_t i = 0; i < size && keys.size() < n; ++i) {
      const std::uint64_t which = mixed(group * 7919 + i) % distinct_of(group);
      const std::uint64_t low = mixed(which + group) & ((std::uint64_t{1} << low_bits) - 1);
      keys.push_back(key_of<Key>(static_cast<code>(prefix | static_cast<code>(low))));
    }
  }
  return keys;
}

template <class Key>
void check_keys(std::vector<Key> const& keys, int low_bits, bool is_expected, char const* what) {
  BOOST_TEST_CONTEXT(
      what << ", " << keys.size() << " keys of " << sizeof(Key) << " bytes, " << low_bits
           << " low bits") {
    std::vector<Key> found(keys.size());
    BOOST_TEST(order_on_gpu(keys, low_bits, found) == is_expected);
    if (is_expected)
      BOOST_TEST(misplaced(keys, order_of(keys), found, std::vector<int>()) == 0U);
    check_words<Key, std::uint32_t>(keys, low_bits, is_expected);
    check_words<Key, std::uint64_t>(keys, low_bits, is_expected);
    check_words<Key, two_words>(keys, low_bits, is_expected);
  }
}

constexpr std::size_t tile = prefix_groups::tile;
constexpr std::size_t seen = prefix_groups::seen;
constexpr std::uint64_t most = prefix_groups::most;

template <class Key>
void check_sizes(int low_bits) {
  const auto any = [](std::uint64_t) { return ~std::uint64_t{0}; };
  for (std::size_t n :
       {std::size_t{1}, std::size_t{2}, std::size_t{33}, tile - 1, tile, tile + 1, seen - 1, seen,
        seen + 1, 2 * tile, 5 * tile + 77}) {
    check_keys(
        groups<Key>(
            n, low_bits, [](std::uint64_t) { return 1; }, any),
        low_bits, true, "alone");
    check_keys(
        groups<Key>(
            n, low_bits, [](std::uint64_t g) { return mixed(g) % 5; }, any),
        low_bits, true, "a few");
  }
  for (std::uint64_t size :
       {std::uint64_t{prefix_groups::few}, std::uint64_t{prefix_groups::few + 1}, most - 1, most,
        most + 1, std::uint64_t{1000}, std::uint64_t{4096}})
    for (std::uint64_t distinct : {1, 2, 40}) {
      const std::size_t n = std::max<std::size_t>(4 * tile + 5, 3 * size);
      check_keys(
          groups<Key>(
              n, low_bits, [=](std::uint64_t) { return size; },
              [=](std::uint64_t) { return distinct; }),
          low_bits, true, "groups of a size");
    }
  // From small ones to long ones, which begin and end anywhere.
  check_keys(
      groups<Key>(
          40 * tile, low_bits,
          [](std::uint64_t g) {
            const std::uint64_t x = mixed(g);
            return x % 100 == 0 ? x >> 20 & 4095 : x % 10 == 0 ? x >> 20 & 511 : x >> 20 & 7;
          },
          [](std::uint64_t g) { return 1 + (mixed(g) >> 40) % 300; }),
      low_bits, true, "groups of all sizes");
  check_keys(
      groups<Key>(
          5 * tile, low_bits, [](std::uint64_t g) { return g == 3 ? 4097 : 2; },
          [](std::uint64_t) { return 3; }),
      low_bits, false, "one that is too long");
}

// What a sort is told of codes: nothing but that groups are short.
struct short_groups {
  int* asked;
  bool leave_short_groups(int) const {
    ++*asked;
    return true;
  }
  bool tell_apart(int, bool) const { return false; }
  int bits(std::uint64_t, bool) const { return 8; }
  bool may_crowd() const { return false; }
};
template <class Key>
void check_sort(std::vector<Key> const& keys, std::vector<std::size_t> const& order, bool is_here) {
  using word = std::uint32_t;
  auto there = test::buffer_of<System>(test::samples<Key>(keys));
  auto beside = test::buffer_of<System>(test::samples<word>(keys.size(), word_of<word>));
  std::vector<Key> found(keys.size());
  std::vector<word> words(keys.size());
  auto policy = System::policy();
  int asked = 0;
  {
    call_memory<decltype(policy)> memory(policy);
    using arrays = code_arrays<decltype(policy), standing_keys<Key>, word>;
    arrays sorted(memory, {});
    typename arrays::input const from = {there.data(), beside.data()};
    sorted.take_to_sort(keys.size(), is_here ? typename arrays::input{} : from, true);
    const auto copy = [&](auto* to, auto const* which) {
      BOOST_REQUIRE(
          cudaMemcpy(to, which, keys.size() * sizeof *to, cudaMemcpyDefault) == cudaSuccess);
    };
    if (is_here) {
      copy(sorted.codes(), there.data());
      copy(sorted.beside(), beside.data());
    }
    sorted.sort(
        keys.size(), ~test::uint128{}, short_groups{&asked},
        is_here ? typename arrays::input{} : from);
    synchronize(thrust_hist::detail::stream_of(policy));
    copy(found.data(), sorted.codes());
    copy(words.data(), sorted.beside());
  }
  BOOST_TEST(asked == 1);
  BOOST_TEST(misplaced(keys, order, found, words) == 0U);
}
template <class Key>
int low_bits_of(std::size_t n) {
  return 8 * static_cast<int>(sizeof(Key)) - bits_of_groups(sizeof(Key), n);
}
// Whether the groups that high bits leave can be put in order.
template <class Key>
bool are_ordered(std::vector<Key> const& keys) {
  const int low_bits = low_bits_of<Key>(keys.size());
  std::vector<Key> by_high = keys;
  std::stable_sort(by_high.begin(), by_high.end(), [=](Key a, Key b) {
    return coder<Key>::encode(a) >> low_bits < coder<Key>::encode(b) >> low_bits;
  });
  std::vector<Key> found(keys.size());
  return order_on_gpu(by_high, low_bits, found);
}
template <class Key>
void check_sorts() {
  using code = code_of<Key>;
  const std::size_t n = (std::size_t{1} << 22) + 3;
  const auto place = static_cast<code>(mixed(0));
  const code next = code{1} << low_bits_of<Key>(n);
  // All over; and where so many have the same high bits that all are sorted once more; or so many
  // are equal, which is no reason.
  for (std::size_t crowd : {std::size_t{0}, std::size_t{5000}})
    for (unsigned low : {255U, 0U})
      BOOST_TEST_CONTEXT(crowd << " that crowd, " << low) {
        std::vector<Key> keys(n);
        for (std::size_t i = 0; i < n; ++i) {
          auto x = static_cast<code>(mixed(mixed(i) % (2 * n)));
          x ^= (x ^ place) < next ? next : 0;
          if (i % 800 == 1 && i / 800 < crowd)
            x = static_cast<code>(place ^ (mixed(i) & low));
          keys[i] = key_of<Key>(x);
        }
        if constexpr (!std::is_floating_point_v<Key>)
          BOOST_TEST(are_ordered(keys) == (crowd == 0 || low == 0));
        const auto order = order_of(keys);
        check_sort(keys, order, false);
        check_sort(keys, order, true);
      }
}

}  // namespace prefix_groups_setup

BOOST_AUTO_TEST_SUITE(groups_with_the_same_high_bits)
using namespace prefix_groups_setup;

BOOST_AUTO_TEST_CASE(of_keys_of_4_bytes) {
  check_sizes<std::uint32_t>(8);
  check_sizes<int>(8);
}
BOOST_AUTO_TEST_CASE(of_keys_of_8_bytes) {
  check_sizes<std::uint64_t>(40);
  check_sizes<long long>(33);
}
BOOST_AUTO_TEST_CASE(of_real_keys) {
  check_sizes<float>(8);
  check_sizes<double>(32);
}
// Both zeros are one key.
BOOST_AUTO_TEST_CASE(of_zeros_and_numbers_near_them) {
  std::vector<float> keys(3 * tile);
  const auto zero = coder<float>::encode(0.0F);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto low = static_cast<std::uint32_t>(mixed(i) % 3);
    keys[i] = i < tile - 100   ? key_of<float>(static_cast<std::uint32_t>(i) << 9)
              : i < tile + 100 ? low == 0   ? -0.0F
                                 : low == 1 ? 0.0F
                                            : coder<float>::decode(zero + 1)
                               : static_cast<float>(i);
  }
  check_keys(keys, 8, true, "zeros");
}
BOOST_AUTO_TEST_CASE(more_long_ones_than_are_listed) {
  const std::uint64_t size = most + 1;
  const auto keys = groups<std::uint32_t>(
      (long_prefix_groups::room + 1) * size, 8, [=](std::uint64_t) { return size; },
      [](std::uint64_t) { return 2; });
  std::vector<std::uint32_t> found(keys.size());
  BOOST_TEST(!order_on_gpu(keys, 8, found));
}
// However many equal ones there are, unless others share their high bits.
BOOST_AUTO_TEST_CASE(long_ones_in_order_are_left_as_they_are) {
  const auto one = [](std::uint64_t) { return 1; };
  const auto check = [&](std::vector<std::uint64_t> const& sizes, std::uint64_t with_two,
                         bool is_expected) {
    const std::size_t n = std::accumulate(sizes.begin(), sizes.end(), 5 * tile);
    const auto keys = groups<std::uint32_t>(
        n, 8,
        [&](std::uint64_t g) { return g > 1000 && g <= 1000 + sizes.size() ? sizes[g - 1001] : 1; },
        [&](std::uint64_t g) { return g == 1000 + with_two ? 2 : 1; });
    check_keys(keys, 8, is_expected, "some long ones");
  };
  check({10000}, 0, true);
  check({10000}, 1, false);
  check({10000, 500}, 2, true);
  check({300000}, 0, true);
  check({300000, 500}, 2, false);  // nobody reads so many
  const auto keys = groups<std::uint32_t>(
      (long_prefix_groups::room + 1) * (most + 1), 8, [=](std::uint64_t) { return most + 1; }, one);
  std::vector<std::uint32_t> found(keys.size());
  BOOST_TEST(order_on_gpu(keys, 8, found));
  BOOST_TEST((found == keys));
}
BOOST_AUTO_TEST_CASE(sorts_that_rely_on_them) {
  check_sorts<std::uint32_t>();
  check_sorts<int>();
  check_sorts<float>();
  check_sorts<std::uint64_t>();
}

BOOST_AUTO_TEST_SUITE_END()
