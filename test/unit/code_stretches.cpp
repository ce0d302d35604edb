// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where codes are split before they are sorted, by a sorted sample of them.

#include "../support/boost_test.h"
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/system/cuda/code_stretches.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(stretches_of_codes)

namespace {

using namespace thrust_hist::detail::cuda;
constexpr std::uint64_t one = 1;
constexpr std::uint64_t many = one << 26;
constexpr std::uint64_t highest = ~std::uint64_t{0};

std::uint64_t mixed(std::uint64_t i) {
  return thrust_hist::detail::mix_code(i + 1);
}

template <class Make>
std::vector<std::uint64_t> sample_of(std::size_t size, Make make) {
  std::vector<std::uint64_t> codes(size);
  for (std::size_t i = 0; i < size; ++i)
    codes[i] = make(i);
  std::sort(codes.begin(), codes.end());
  return codes;
}
template <class Make>
code_stretches planned(Make make, std::uint64_t n = many, int passes = 8) {
  const auto codes = sample_of(4096, make);
  return plan_stretches(codes.data(), 4096, n, passes);
}
// Half of them from `first` on in 2^`bits` places, the others all over.
auto crowd(std::uint64_t first, int bits) {
  return [=](std::size_t i) { return i % 2 == 0 ? first + (mixed(i) >> (64 - bits)) : mixed(i); };
}

std::uint64_t last_of(code_stretches const& s, unsigned i) {
  return i + 1 < s.size ? s.parts[i + 1].first - 1 : highest;
}
double passes_of(code_stretches const& s, std::vector<std::uint64_t> const& sample) {
  double passes = 0;
  for (unsigned i = 0; i < s.size; ++i)
    for (auto code : sample)
      passes += code >= s.parts[i].first && code <= last_of(s, i) ? s.parts[i].bits.passes() : 0;
  return passes / static_cast<double>(sample.size());
}
// All codes are in one, and all bits are among those by which they are sorted, but for low ones.
void check(code_stretches const& s) {
  BOOST_TEST((s.size >= 1 && s.size <= code_stretches::most));
  BOOST_TEST(s.parts[0].first == 0U);
  for (unsigned i = 0; i < s.size; ++i) {
    const std::uint64_t last = last_of(s, i);
    BOOST_TEST((s.parts[i].first <= last));
    const bit_range bits = s.parts[i].bits;
    const std::uint64_t above = bits.end == 64 ? 0 : (s.parts[i].first ^ last) >> bits.end;
    BOOST_TEST(above == 0U);
    BOOST_TEST((bits.first == 0 || bits.first >= 8));
    BOOST_TEST((bits.end <= 64 && bits.first < bits.end));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_crowd_is_split_from_codes_all_over) {
  for (std::uint64_t first : {one << 62, std::uint64_t{0}, highest - ((one << 26) - 1)}) {
    const auto s = planned(crowd(first, 26));
    check(s);
    BOOST_TEST((s.size >= 2 && s.size <= 6));
    // By 26 bits here, by 40 there.
    BOOST_TEST(passes_of(s, sample_of(4096, crowd(first, 26))) < 4.6);
  }
}

// Where its bits are not those of one place.
BOOST_AUTO_TEST_CASE(a_crowd_may_lie_on_both_sides_of_a_power_of_two) {
  const auto make = crowd((one << 63) - (one << 25) + 12345, 26);
  const auto s = planned(make);
  check(s);
  BOOST_TEST((s.size >= 3 && passes_of(s, sample_of(4096, make)) < 4.6));
}

BOOST_AUTO_TEST_CASE(several_crowds_have_a_stretch_each) {
  const auto make = [](std::size_t i) {
    return i % 4 == 3 ? mixed(i) : i % 4 * 0x3123456789abcdefU + (mixed(i) >> 38);
  };
  const auto s = planned(make);
  check(s);
  BOOST_TEST(s.size >= 6U);
  BOOST_TEST(passes_of(s, sample_of(4096, make)) < 4.6);
}

// One so wide that it is sorted by its own high bits.
BOOST_AUTO_TEST_CASE(a_wide_crowd_is_told_apart_by_its_high_bits) {
  const auto s = planned(crowd(one << 61, 44));
  check(s);
  BOOST_TEST(s.size > 1U);
  BOOST_TEST(passes_of(s, sample_of(4096, crowd(one << 61, 44))) < 5.6);
}

BOOST_AUTO_TEST_CASE(codes_without_a_crowd_are_not_split) {
  const auto all_over = [](std::size_t i) { return mixed(i); };
  const auto places = [](std::size_t i) { return mixed(mixed(i) % 1000) + (mixed(i) >> 40); };
  const auto equal = [](std::size_t) { return std::uint64_t{77}; };
  const auto near = [](std::size_t i) { return (one << 40) + i; };
  BOOST_TEST(planned(places).size == 1U);
  // Whose passes are few as it is.
  BOOST_TEST(planned(all_over, many, 5).size == 1U);
  BOOST_TEST(planned(equal, many, 1).size == 1U);
  BOOST_TEST(planned(near, many, 2).size == 1U);
  // A crowd that is too few to pay.
  BOOST_TEST(planned(crowd(one << 62, 26), 1 << 20).size == 1U);
}

// Neighbours that differ in low bits alone, and one that comes often, want more bits.
BOOST_AUTO_TEST_CASE(high_bits_suffice_only_where_they_tell_codes_apart) {
  const auto bits_of = [](std::vector<std::uint64_t> const& codes) {
    return sample_stretch{codes.data(), static_cast<std::uint32_t>(codes.size()), 0, highest}
        .bits_of(1 << 25);
  };
  auto codes = sample_of(2048, mixed);
  BOOST_TEST((bits_of(codes).first == 24 && bits_of(codes).end == 64));
  codes[1000] = codes[999] + 1;
  BOOST_TEST((bits_of(codes).first == 0 && bits_of(codes).end == 64));
  codes[1000] = codes[999];
  BOOST_TEST(bits_of(codes).first == 24);
  for (std::size_t i = 1000; i < 1100; ++i)
    codes[i] = codes[999];
  BOOST_TEST(bits_of(codes).first == 16);
  codes = sample_of(63, mixed);
  BOOST_TEST(bits_of(codes).first == 0);  // too few to tell
}

BOOST_AUTO_TEST_CASE(any_sample_has_stretches_for_all_codes) {
  for (std::size_t run = 0; run < 400; ++run) {
    const std::size_t crowds = mixed(run) % 20;
    const auto make = [&](std::size_t i) {
      const std::uint64_t which = mixed(i * 31 + run) % (crowds + 1);
      const int bits = static_cast<int>(mixed(run * 100 + which) % 60) + 2;
      return which == crowds ? mixed(i) : mixed(which + run * 7) + (mixed(i) >> (64 - bits));
    };
    check(planned(make, (one << 24) << (run % 6)));
    for (std::size_t size : {1, 2, 17, 300}) {
      const auto codes = sample_of(size, make);
      check(plan_stretches(codes.data(), static_cast<std::uint32_t>(size), many, 8));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
