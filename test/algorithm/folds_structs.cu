// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values of any size and alignment on CUDA, and operators of users.

#include "fold_cases.h"

BOOST_AUTO_TEST_SUITE(folds_structs, THRUST_HIST_TEST_SMALL_LOCKS)

namespace {

// Greatest byte by byte.
template <std::size_t Size, std::size_t Alignment>
struct alignas(Alignment) bytes {
  unsigned char byte[Size];
};
struct greatest_bytes {
  template <std::size_t Size, std::size_t Alignment>
  __host__ __device__ bytes<Size, Alignment> operator()(
      bytes<Size, Alignment> const& a, bytes<Size, Alignment> const& b) const {
    bytes<Size, Alignment> r = a;
    for (std::size_t i = 0; i < Size; ++i)
      r.byte[i] = a.byte[i] > b.byte[i] ? a.byte[i] : b.byte[i];
    return r;
  }
};

template <std::size_t Size, std::size_t Alignment>
void check_bytes() {
  using value = bytes<Size, Alignment>;
  static_assert(sizeof(value) == Size && alignof(value) == Alignment);
  const test::samples<value> values(20011, [](std::size_t i) {
    value x;
    for (std::size_t j = 0; j < Size; ++j)
      x.byte[j] = static_cast<unsigned char>(test::scrambled(i * Size + j));
    return x;
  });
  for (auto d :
       {test::distribution::uniform, test::distribution::constant, test::distribution::zipf})
    for (std::int64_t bins : {1, 9, 200, 20000}) {
      BOOST_TEST_CONTEXT(test::name_of(d) << ", " << bins << " bins of " << Size << " bytes")
      BOOST_TEST(
          test::check_fold<value>(
              test::keys_of(d, 20011, static_cast<std::uint64_t>(bins)), values, bins, {},
              greatest_bytes{}, value{}) >= 2);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_and_odd) {
  check_bytes<1, 1>();
  check_bytes<3, 1>();
  check_bytes<17, 1>();
}

BOOST_AUTO_TEST_CASE(large_and_aligned) {
  check_bytes<40, 8>();
  check_bytes<64, 1>();
  check_bytes<64, 64>();
}

BOOST_AUTO_TEST_SUITE_END()
