// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One fold on CUDA by every route, beside the same fold on one thread, which other tests hold
// against references. Results are compared bit by bit: values of folds that round are whole numbers
// so small that no sum of them is rounded.

#include "../support/checks.h"
#include <thrust_hist/histogram_by_key.h>

#include <thrust/system/cuda/execution_policy.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

inline constexpr thrust_hist::route fold_routes[] = {
    thrust_hist::route::automatic,   thrust_hist::route::registers, thrust_hist::route::shared,
    thrust_hist::route::partitioned, thrust_hist::route::global,    thrust_hist::route::sorted};

inline std::uint64_t scrambled(std::uint64_t i) {
  i = (i ^ (i >> 31)) * 0x7fb5d329728ea185u;
  i = (i ^ (i >> 27)) * 0x81dadef4bc2dd44du;
  return i ^ (i >> 33);
}

// -8 to 8, or 0 to 16.
template <class T>
T whole_number(std::uint64_t i) {
  const auto x = static_cast<int>(scrambled(i) % 17);
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(std::is_unsigned_v<T> ? x : x - 8);
  else if constexpr (thrust_hist::detail::is_real_sample<T>)
    return thrust_hist::detail::convert<T>(static_cast<float>(x - 8));
  else
    return T{};
}

template <class A>
std::vector<A> old_output(std::size_t bins) {
  std::vector<A> old(bins);
  for (std::size_t i = 0; i < bins; ++i)
    old[i] = whole_number<A>(i + 99);
  return old;
}

// What a fold should be: overwriting, accumulating, and pairs without a bin.
template <class A>
struct folded {
  std::vector<A> plain, added;
  std::uint64_t dropped;
};

template <class A, class Keys, class Values, class Bins, class... Op>
folded<A> fold_on_one_thread(
    std::size_t n, Keys keys, Values values, Bins bins, thrust_hist::options how, Op... op) {
  const auto size = static_cast<std::size_t>(thrust_hist::detail::to_rule(bins).size());
  folded<A> result = {std::vector<A>(size), old_output<A>(size), 0};
  how.force_ = thrust_hist::route::automatic;
  const auto last = keys + static_cast<std::ptrdiff_t>(n);
  how.dropped(&result.dropped);
  thrust_hist::histogram_by_key(
      thrust::seq, keys, last, values, result.plain.data(), bins, op..., how);
  thrust_hist::histogram_by_key(
      thrust::seq, keys, last, values, result.added.data(), bins, op..., how.accumulate());
  return result;
}

// `call(out, options)` on every route that is not refused; returns how many were not.
template <class A, class Call>
int check_fold_routes(folded<A> const& expected, thrust_hist::options how, Call call) {
  int taken = 0;
  for (thrust_hist::route forced : fold_routes)
    for (int form : {0, 1, 2}) {
      // Nobody asks for what was dropped: the way of few pairs.
      const bool accumulate = form > 0, asks = form == 1;
      if (form == 2 && forced != thrust_hist::route::automatic)
        continue;
      BOOST_TEST_CONTEXT(
          "route " << forced << ", accumulate " << accumulate << ", dropped " << asks) {
        output<cuda, A> out(
            accumulate ? old_output<A>(expected.plain.size())
                       : std::vector<A>(expected.plain.size(), junk<A>()));
        std::uint64_t dropped = 12345;
        how.force(forced).accumulate(accumulate).dropped(asks ? &dropped : nullptr);
        try {
          BOOST_TEST(
              (call(out.data(), how) - out.data() ==
               static_cast<std::ptrdiff_t>(expected.plain.size())));
        } catch (std::invalid_argument const& refusal) {
          const std::string why = refusal.what();
          BOOST_TEST(why.find(thrust_hist::to_string(forced)) != std::string::npos, why);
          BOOST_TEST((forced != thrust_hist::route::automatic), why);
          out.check_untouched();
          continue;
        }
        out.check_equals(accumulate ? expected.added : expected.plain);
        if (asks)
          BOOST_TEST(dropped == expected.dropped);
        taken += asks ? 1 : 0;
      }
    }
  return taken;
}

// Keys and values in device memory that begin so many elements behind an aligned address.
template <class A, class K, class V, class Bins, class... Op>
int check_fold(
    samples<K> const& keys, samples<V> const& values, Bins bins, thrust_hist::options how = {},
    Op... op) {
  const auto expected =
      fold_on_one_thread<A>(keys.size(), keys.data(), values.data(), bins, how, op...);
  auto k = buffer_of<cuda>(keys);
  auto v = buffer_of<cuda>(values);
  K const* const first = k.data();
  V const* const weights = v.data();
  return check_fold_routes<A>(expected, how, [&](A* out, thrust_hist::options const& o) {
    return thrust_hist::histogram_by_key(
        cuda::policy(), first, first + keys.size(), weights, out, bins, op..., o);
  });
}

// Keys of a distribution, some of them without a bin.
template <class K = std::uint32_t>
samples<K> keys_of(distribution d, std::size_t n, std::uint64_t bins, bool all_inside = false) {
  const keys inside = generate(d, n, bins > 0 ? bins : 1);
  return samples<K>(n, [&](std::size_t i) {
    return !all_inside && scrambled(i + 7) % 16 == 0 ? static_cast<K>(bins + i % 3)
                                                     : static_cast<K>(inside[i]);
  });
}

template <class V>
samples<V> whole_numbers(std::size_t n) {
  return samples<V>(n, [](std::size_t i) { return whole_number<V>(i); });
}

// Sums, byte by byte: each value counts, and once.
template <std::size_t Size, std::size_t Alignment>
struct alignas(Alignment) summed {
  unsigned char byte[Size];
};
struct sum_bytes {
  template <std::size_t Size, std::size_t Alignment>
  __host__ __device__ summed<Size, Alignment> operator()(
      summed<Size, Alignment> const& a, summed<Size, Alignment> const& b) const {
    summed<Size, Alignment> r = a;
    for (std::size_t i = 0; i < Size; ++i)
      r.byte[i] = static_cast<unsigned char>(a.byte[i] + b.byte[i]);
    return r;
  }
};

}  // namespace test
