// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operators of users whose result is mostly what there was, as minima are, on CUDA: values that change nothing are folded
// without a lock, while others change the state. Sizes that are read so, and how often states change.

#include "fold_cases.h"

#include <thrust/device_vector.h>

BOOST_AUTO_TEST_SUITE(folds_that_stay, THRUST_HIST_TEST_SMALL_LOCKS)

namespace {

__host__ __device__ std::uint32_t shadow_of(std::uint32_t x) {
  return (x ^ (x >> 15)) * 0x2c1b3c6du;
}

// The words behind the first follow from it, so that half a state is known for one.
template <std::size_t Words, std::size_t Alignment>
struct alignas(Alignment) shadowed {
  std::uint32_t word[Words];
};
template <std::size_t Words, std::size_t Alignment>
__host__ __device__ shadowed<Words, Alignment> shadow(std::uint32_t x) {
  shadowed<Words, Alignment> s = {};
  for (std::size_t i = 0; i < Words; ++i, x = shadow_of(x))
    s.word[i] = x;
  return s;
}
template <class Value>
struct greatest {
  unsigned* broken;  // counts states that are none; null on one thread
  template <std::size_t Words, std::size_t Alignment>
  __host__ __device__ static bool is_whole(shadowed<Words, Alignment> const& s) {
    for (std::size_t i = 1; i < Words; ++i)
      if (s.word[i] != shadow_of(s.word[i - 1]))
        return false;
    return true;
  }
  __host__ __device__ Value operator()(Value const& a, Value const& b) const {
#if defined(__CUDA_ARCH__)
    if (!is_whole(a) || !is_whole(b))
      atomicAdd(broken, 1u);
#endif
    return b.word[0] > a.word[0] ? b : a;
  }
};

// Ascending values change all states, descending ones few, and so do random ones.
std::uint32_t number(int order, std::size_t i, std::size_t n) {
  const auto at = static_cast<std::uint32_t>(i);
  return order == 0   ? at + 1
         : order == 1 ? static_cast<std::uint32_t>(n) - at
                      : static_cast<std::uint32_t>(test::scrambled(i) >> 33) + 1;
}

template <std::size_t Words, std::size_t Alignment>
void check() {
  using value = shadowed<Words, Alignment>;
  const value nothing = shadow<Words, Alignment>(0);
  constexpr std::size_t n = 90011;
  thrust::device_vector<unsigned> broken(1, 0u);
  const greatest<value> op = {thrust::raw_pointer_cast(broken.data())};
  for (int order : {0, 1, 2}) {
    const test::samples<value> values(
        n, [&](std::size_t i) { return shadow<Words, Alignment>(number(order, i, n)); });
    for (auto d :
         {test::distribution::uniform, test::distribution::constant, test::distribution::zipf})
      for (std::int64_t bins : {60, 3000}) {
        BOOST_TEST_CONTEXT(
            test::name_of(d) << ", " << bins << " bins of " << sizeof(value) << " bytes, order "
                             << order)
        BOOST_TEST(
            test::check_fold<value>(
                test::keys_of(d, n, static_cast<std::uint64_t>(bins)), values, bins, {}, op,
                nothing) >= 2);
      }
  }
  BOOST_TEST(broken[0] == 0u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(four_to_eight_bytes) {
  check<1, 4>();
  check<2, 4>();
  check<2, 8>();
}

BOOST_AUTO_TEST_CASE(twelve_to_twenty_bytes) {
  check<3, 4>();
  check<4, 8>();
  check<4, 16>();
  check<5, 4>();  // too large to be read while others change it
}

BOOST_AUTO_TEST_SUITE_END()
