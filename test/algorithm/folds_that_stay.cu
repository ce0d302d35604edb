// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operators of users whose result is mostly what there was, as minima are, on CUDA: values that
// change nothing are folded without a lock, while others change the state. What is tested are
// results, for sizes that are read so and by how often states change: mostly, hardly ever, and
// first the one and then the other.

#include "../support/pretended_gpu.h"
#include "fold_cases.h"
#include <thrust_hist/system/cuda/kernels/bin_locks.cuh>

#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>

#include <vector>

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
  unsigned* broken;  // in device memory: counts states that are none
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

// Ascending values change many states, descending ones few, and so do random ones; at last
// ascending ones to the middle.
constexpr int orders = 4;
std::uint32_t number(int order, std::size_t i, std::size_t n) {
  const auto up = static_cast<std::uint32_t>(i + 1), down = static_cast<std::uint32_t>(n - i);
  switch (order) {
  case 0:
    return up;
  case 1:
    return down;
  case 2:
    return static_cast<std::uint32_t>(test::scrambled(i) >> 33) + 1;
  default:
    return i < n / 2 ? up : down;
  }
}

template <std::size_t Words, std::size_t Alignment>
void check(std::size_t n, std::initializer_list<std::int64_t> counts) {
  using value = shadowed<Words, Alignment>;
  static_assert(thrust_hist::detail::cuda::state_words<value>::exist == (sizeof(value) <= 16));
  const value nothing = shadow<Words, Alignment>(0);
  thrust::device_vector<unsigned> broken(1, 0u);
  const greatest<value> op = {thrust::raw_pointer_cast(broken.data())};
  for (int order = 0; order < orders; ++order) {
    const test::samples<value> values(
        n, [&](std::size_t i) { return shadow<Words, Alignment>(number(order, i, n)); });
    for (auto d :
         {test::distribution::uniform, test::distribution::constant, test::distribution::zipf})
      for (std::int64_t bins : counts) {
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
constexpr std::size_t few = 30011;

}  // namespace

BOOST_AUTO_TEST_CASE(four_to_eight_bytes) {
  check<1, 4>(few, {60, 3000});
  check<2, 4>(few, {60, 3000});
  check<2, 8>(few, {60, 3000});
}

BOOST_AUTO_TEST_CASE(twelve_to_twenty_bytes) {
  check<3, 4>(few, {60, 3000});
  check<4, 8>(few, {60, 3000});
  check<4, 16>(few, {60, 3000});
  check<5, 4>(few, {60, 3000});  // too large to be read while others change it
}

// One block has all pairs, a hundred rows a warp: more than a warp looks, and pauses, at once.
BOOST_AUTO_TEST_CASE(many_rows) {
  const test::pretended_gpu gpu(test::with_processors(1));
  check<3, 4>(100003, {700, 3000});
  check<4, 16>(100003, {700, 3000});
}

// So many that frequent bins have places of warps beside the table.
BOOST_AUTO_TEST_CASE(places_of_warps) {
  check<3, 4>((std::size_t{1} << 20) + 77, {3000});
}

// Bytes between members, of which an operator that makes its result anew says nothing, and no
// constructor without arguments.
struct padded {
  double x;
  std::int32_t place;
  __host__ __device__ padded(double x_, std::int32_t place_) : x(x_), place(place_) {}
  __host__ __device__ friend bool operator==(padded const& a, padded const& b) {
    return a.x == b.x && a.place == b.place;
  }
};
struct first_least {
  __host__ __device__ padded operator()(padded const& a, padded const& b) const {
    const bool second = b.x < a.x || (b.x == a.x && b.place < a.place);
    return padded(second ? b.x : a.x, second ? b.place : a.place);
  }
};
BOOST_AUTO_TEST_CASE(states_with_bytes_between_their_members) {
  constexpr std::size_t n = 100003;
  constexpr std::uint32_t bins = 700;
  const test::pretended_gpu gpu(test::with_processors(1));
  std::vector<std::uint32_t> keys(n);
  std::vector<padded> values, expected(bins, padded(1e300, -1));
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::uint32_t>(test::scrambled(i) >> 20) % bins;
    values.emplace_back(
        static_cast<double>(test::scrambled(i + 7) % 1000), static_cast<std::int32_t>(i));
    expected[keys[i]] = first_least{}(expected[keys[i]], values[i]);
  }
  thrust::device_ptr<padded> const memory = thrust::device_malloc<padded>(n + bins);
  thrust::copy(values.begin(), values.end(), memory);
  const thrust::device_vector<std::uint32_t> k(keys.begin(), keys.end());
  thrust_hist::histogram_by_key(
      thrust::device, k.begin(), k.end(), memory.get(), memory.get() + n, bins, first_least{},
      padded(1e300, -1));
  std::vector<padded> found(bins, padded(0, 0));
  thrust::copy(memory + n, memory + (n + bins), found.begin());
  thrust::device_free(memory);
  BOOST_TEST((found == expected));
}

BOOST_AUTO_TEST_SUITE_END()
