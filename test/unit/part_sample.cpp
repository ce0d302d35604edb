// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: optimised under sanitizers
// What is guessed from a part of all keys, beside a sample.

#include "../support/boost_test.h"
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/part_sample.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

BOOST_AUTO_TEST_SUITE(parts_of_keys)

using namespace thrust_hist::detail::cuda;
using thrust_hist::detail::mix_code;

static std::uint64_t random(std::uint64_t i) {
  return mix_code(i * 2 + 1);
}

static void tally(std::map<std::uint64_t, std::uint32_t> const& found, key_sample& s) {
  s.distinct = static_cast<std::uint32_t>(found.size());
  for (auto const& one : found) {
    s.once += one.second == 1 ? 1 : 0;
    s.twice += one.second == 2 ? 1 : 0;
    s.most = std::max(s.most, one.second);
  }
}

// Keys `key(i)`, i below n, as kernels look at them.
template <class Key>
class looks {
public:
  looks(std::uint64_t n, Key key) : part_(n) {
    std::map<std::uint64_t, std::uint32_t> found;
    for (std::uint32_t i = 0; i < key_sample::size; ++i) {
      if (i == key_sample::size / 2)
        seen_.distinct_in_half = static_cast<std::uint32_t>(found.size());
      const auto place = static_cast<unsigned __int128>(mix_code(std::uint64_t{i} + 1)) * n >> 64;
      ++found[key(static_cast<std::uint64_t>(place))];
    }
    tally(found, seen_);
    found.clear();
    for (std::uint64_t g = 0; g < part_.groups(); ++g) {
      const std::uint64_t first = part_sample::first_of(g);
      for (std::uint64_t i = first; i < first + part_sample::of_group; ++i) {
        const std::uint64_t k = key(i);
        const auto equals = [&](std::uint64_t j) { return k == key(j); };
        of_part_.side_by_side += equals(i ^ 1) || equals(i ^ 2) || equals(i ^ 3) ? 1 : 0;
        const std::uint64_t far = n / 4;
        of_part_.far_apart +=
            equals((i + far) % n) || equals((i + 2 * far) % n) || equals((i + 3 * far) % n) ? 1 : 0;
        if (random(k) >> (64 - part_.kept_log2()) == 0)
          ++found[k];
      }
    }
    tally(found, of_part_);
  }
  bool may_tell_more(std::uint64_t most) const { return part_.may_tell_more(seen_, most); }
  double by_part() const { return static_cast<double>(part_.guess(of_part_, seen_)); }
  double by_sample(std::uint64_t n) const { return static_cast<double>(seen_.guess(n)); }

private:
  part_sample part_;
  key_sample seen_ = {};
  key_sample of_part_ = {};
};

constexpr std::uint64_t n = std::uint64_t{1} << 22;

BOOST_AUTO_TEST_CASE(as_many_codes_are_counted_as_slots_have_room_for) {
  for (int log2 = 21; log2 <= 40; ++log2) {
    const part_sample part(std::uint64_t{1} << log2);
    const std::uint64_t read = part.groups() * part_sample::of_group;
    BOOST_TEST(read == (std::uint64_t{1} << log2) / 8);
    BOOST_TEST((read >> part.kept_log2()) == part_sample::most_counted);
    BOOST_TEST(part.kept_log2() > 0U);  // shifts of words by all their bits are nothing
    BOOST_TEST(part.kept_log2() < 32U);
  }
}

BOOST_AUTO_TEST_CASE(it_is_read_where_a_sample_does_not_tell_enough) {
  const auto tells = [](std::uint64_t inputs, std::uint32_t once, std::uint32_t twice) {
    key_sample seen = {};
    seen.once = once;
    seen.twice = twice;
    seen.distinct = seen.distinct_in_half = once + twice;
    return part_sample(inputs).may_tell_more(seen, inputs / 8);
  };
  BOOST_TEST(tells(n, 1024, 20000));
  BOOST_TEST(!tells(n, 1023, 20000));  // next to all keys are known
  BOOST_TEST(!tells(n, 65536, 0));     // these are sorted in any case
  BOOST_TEST(tells(n / 2, 1024, 20000));
  BOOST_TEST(!tells(n / 2 - 1, 1024, 20000));  // so few are not worth it
  BOOST_TEST(part_sample(n / 2).comes_along());
  BOOST_TEST(part_sample(8 * n).comes_along());
  BOOST_TEST(!part_sample(n / 2 - 1).comes_along());
  BOOST_TEST(!part_sample(8 * n + 1).comes_along());
}

BOOST_AUTO_TEST_CASE(few_keys_beside_many_that_do_not_come_again) {
  for (std::uint64_t few : {10000, 25000, 60000})
    for (int rest : {2, 4, 50}) {  // one key in so many is by itself
      const looks found(n, [=](std::uint64_t i) {
        return random(i) % static_cast<std::uint64_t>(rest) == 0 ? n + i : random(i + n) % few;
      });
      const double truth = static_cast<double>(n) / rest + static_cast<double>(few);
      BOOST_TEST(found.may_tell_more(n / 6));
      BOOST_TEST(
          (found.by_part() > 0.6 * truth && found.by_part() < 1.2 * truth),
          few << ", " << rest << ": " << found.by_part());
      if (rest == 2)
        BOOST_TEST(found.by_sample(n) < 0.4 * truth);
    }
}

BOOST_AUTO_TEST_CASE(equally_frequent_keys_and_one_that_is_much_more_so) {
  for (std::uint64_t distinct : {20000, 100000, 500000})
    for (std::uint64_t often : {0, 1, 10, 50}) {  // in a hundred keys
      const looks found(n, [=](std::uint64_t i) {
        return random(i) % 100 < often ? 12345 : random(i + n) % distinct;
      });
      const auto truth = static_cast<double>(distinct);
      BOOST_TEST(
          (found.by_part() > 0.85 * truth && found.by_part() < 1.15 * truth),
          distinct << ", " << often << ": " << found.by_part());
    }
}

BOOST_AUTO_TEST_CASE(keys_of_many_frequencies) {
  for (double distinct : {1e5, 5e5, 2e6}) {
    const auto key = [=](std::uint64_t i) {  // i-th in 1/i of all
      const double u = static_cast<double>(random(i) >> 11) * 0x1p-53;
      return static_cast<std::uint64_t>(std::exp(u * std::log(distinct)));
    };
    std::map<std::uint64_t, std::uint32_t> all;
    for (std::uint64_t i = 0; i < n; ++i)
      ++all[key(i)];
    const auto truth = static_cast<double>(all.size());
    const looks found(n, key);
    BOOST_TEST(
        (found.by_part() > 0.7 * truth && found.by_part() < 1.2 * truth),
        distinct << ", " << truth << ": " << found.by_part());
  }
}

// A part has all of some keys, and none of the others.
BOOST_AUTO_TEST_CASE(keys_that_come_in_order_are_not_taken_for_less) {
  for (std::uint64_t times : {4, 10, 64}) {
    const looks found(n, [=](std::uint64_t i) { return i / times; });
    const auto truth = static_cast<double>(n / times);
    BOOST_TEST(
        (found.by_part() > 0.8 * truth && found.by_part() < 1.3 * truth),
        times << ": " << found.by_part());
  }
  const auto skewed = [](std::uint64_t i) {  // sorted by how often they come
    return static_cast<std::uint64_t>(
        std::exp(static_cast<double>(i) / static_cast<double>(n) * std::log(1e6)));
  };
  const looks found(n, skewed);
  BOOST_TEST(found.by_part() >= found.by_sample(n));
  // Nine in ten are one key.
  const looks dominated(n, [=](std::uint64_t i) { return i < n / 10 ? 1 + skewed(i * 10) : 0; });
  BOOST_TEST(dominated.by_part() >= dominated.by_sample(n));
  // Channels side by side, each of them in order.
  for (std::uint64_t channels : {2, 3}) {
    const looks channels_found(
        n, [=](std::uint64_t i) { return skewed(i) * channels + i % channels; });
    BOOST_TEST(channels_found.by_part() >= channels_found.by_sample(n));
  }
}

BOOST_AUTO_TEST_CASE(keys_come_often_where_more_were_seen_again_than_by_chance) {
  key_sample seen = {};
  BOOST_TEST(!seen.come_often(n));  // nobody has looked
  const auto come_often = [](std::uint64_t inputs, std::uint64_t times) {
    std::map<std::uint64_t, std::uint32_t> found;
    for (std::uint32_t i = 0; i < key_sample::size; ++i)
      ++found[random(i) % (inputs / times)];
    key_sample s = {};
    tally(found, s);
    return s.come_often(inputs);
  };
  for (std::uint64_t inputs : {n / 2, 4 * n, 32 * n}) {
    BOOST_TEST(!come_often(inputs, 1));
    BOOST_TEST(!come_often(inputs, 4));
    BOOST_TEST(come_often(inputs, 64));
  }
}

BOOST_AUTO_TEST_SUITE_END()
