// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every kind of random-access iterator as input: Thrust's fancy ones, ours, class-type ones.

#include "../support/checks.h"
#include "../support/containers.h"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>
#include <thrust_hist/iterators.h>
#include <thrust_hist/transform_histogram.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

BOOST_AUTO_TEST_SUITE(iterators_in, THRUST_HIST_TEST_SMALL)

namespace {

using namespace thrust_hist;

struct emit_it {
  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(std::uint8_t x, Sink const& sink) const {
    sink(x, 1);
  }
};

struct remainder_of_seven {
  THRUST_HIST_HOST_DEVICE unsigned operator()(unsigned x) const { return x % 7; }
};

// Expects counts of key(i), i < n, from n places on from `first`, on every route.
template <class System, class Iterator, class Key>
void check_input(Iterator first, std::size_t n, test::bin bins, Key key) {
  const test::samples<std::uint64_t> values(n, key);
  const auto expected = test::convert<int>(test::count(values, test::identity_reference(bins)));
  for (route forced : System::every_route())
    BOOST_TEST_CONTEXT("route " << forced << ", n = " << n) {
      test::output<System, int> out(expected.size());
      try {
        const auto end = histogram(
            System::policy(), first, first + static_cast<std::ptrdiff_t>(n), out.data(), bins,
            thrust_hist::options{}.force(forced));
        BOOST_TEST(end - out.data() == bins);
        out.check_equals(expected);
      } catch (std::invalid_argument const&) {
        BOOST_TEST((forced != route::automatic));
        out.check_untouched();
      }
    }
}

// Rows of some width and pitch, in elements, from the element `offset` of a buffer on; of their
// elements those from `begin` on.
struct rows {
  std::size_t width, pitch, offset, begin, n;
};

template <class System, class T>
void check_rows(rows const& r) {
  const test::samples<T> elements(
      r.offset + (r.begin + r.n) / r.width * r.pitch + r.pitch + 1,
      [](std::size_t i) { return static_cast<T>((i * i + i / 7) % 101); });
  auto in = test::buffer_of<System>(elements);
  T const* const first = in.data() + r.offset;
  const std::size_t height = (r.begin + r.n) / r.width + 1;
  const auto all = thrust_hist::pitched(first, r.width, height, r.pitch * sizeof(T));
  BOOST_TEST_CONTEXT(
      sizeof(T) << " bytes, width " << r.width << ", pitch " << r.pitch << ", from " << r.offset
                << ", elements from " << r.begin << " on")
  check_input<System>(all + static_cast<std::ptrdiff_t>(r.begin), r.n, 90, [&](std::size_t i) {
    const std::size_t at = r.begin + i;
    return elements[r.offset + at / r.width * r.pitch + at % r.width];
  });
}

constexpr std::size_t sizes[] = {0, 1, 33, 1025, 70001};
const test::keys some_keys = test::generate(test::distribution::zipf, 70001, 300);

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(counting_and_constant_iterators, System, test::systems) {
  for (std::size_t n : sizes) {
    check_input<System>(
        thrust::make_counting_iterator(5), n, 300, [](std::size_t i) { return i + 5; });
    check_input<System>(
        thrust::make_constant_iterator(std::int64_t{7}), n, 9, [](std::size_t) { return 7; });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_counting_iterator_of_64_bits_far_beyond_32, System, test::systems) {
  const std::uint64_t start = (std::uint64_t{1} << 32) - 100;
  check_input<System>(
      thrust::make_counting_iterator(start), 300, 300, [&](std::size_t i) { return start + i; });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(transform_iterators, System, test::systems) {
  auto in = test::buffer_of<System>(test::samples<unsigned>(some_keys));
  unsigned const* const first = in.data();
  for (std::size_t n : sizes)
    check_input<System>(
        thrust::make_transform_iterator(first, remainder_of_seven{}), n, 7,
        [](std::size_t i) { return some_keys[i] % 7; });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permutation_iterators, System, test::systems) {
  auto in = test::buffer_of<System>(test::samples<unsigned>(some_keys));
  auto order = test::buffer_of<System>(
      test::samples<int>(some_keys.size(), [](std::size_t i) { return i * 7919 % 70001; }));
  unsigned const* const first = in.data();
  for (std::size_t n : sizes)
    check_input<System>(
        thrust::make_permutation_iterator(first, static_cast<int const*>(order.data())), n, 300,
        [](std::size_t i) { return some_keys[i * 7919 % 70001]; });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(iterators_of_vectors_const_and_not, System, test::systems) {
  const test::samples<unsigned> keys(some_keys);
  test::vector_of<System, unsigned> in(keys.begin(), keys.end());
  test::vector_of<System, unsigned> const& constant = in;
  for (std::size_t n : sizes) {
    const auto key = [](std::size_t i) { return some_keys[i]; };
    check_input<System>(in.begin(), n, 300, key);
    check_input<System>(constant.begin(), n, 300, key);
    check_input<System>(in.data(), n, 300, key);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_strided_iterator_takes_one_channel, System, test::systems) {
  for (std::size_t stride : {1, 2, 3, 4, 7}) {
    auto in = test::buffer_of<System>(test::samples<std::uint8_t>(some_keys));
    std::uint8_t const* const first = in.data();
    for (std::size_t channel = 0; channel < stride; ++channel)
      check_input<System>(
          thrust_hist::strided(first + channel, stride), (70001 - channel) / stride, 256,
          [=](std::size_t i) { return some_keys[channel + i * stride] & 255; });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_strided_iterator_takes_a_fancy_base_and_a_negative_stride, System, test::systems) {
  check_input<System>(
      thrust_hist::strided(thrust::make_counting_iterator(0), 10), 30, 200,
      [](std::size_t i) { return 10 * i; });
  auto in = test::buffer_of<System>(test::samples<unsigned>(some_keys));
  unsigned const* const last = in.data() + 999;
  check_input<System>(thrust_hist::strided(last, -3), 300, 300, [](std::size_t i) {
    return some_keys[999 - 3 * i];
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_pitched_iterator_skips_the_padding_of_rows, System, test::systems) {
  for (auto [width, height, pitch] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{1, 1, 16},
        {1, 300, 16},
        {13, 77, 32},
        {16, 64, 64},
        {64, 64, 256},
        {100, 0, 512}}) {
    const auto bytes =
        test::samples<std::uint8_t>(height * pitch + 1, [&, p = pitch, w = width](std::size_t i) {
          return i % p < w * 1 ? some_keys[i] & 255 : 0xff;
        });
    auto in = test::buffer_of<System>(bytes);
    std::uint8_t const* const first = in.data();
    check_input<System>(
        thrust_hist::pitched(first, width, height, pitch), width * height, 256,
        [&, p = pitch, w = width](std::size_t i) { return bytes[i / w * p + i % w]; });
  }
}

// A fold of no pairs writes its bins, too.
BOOST_AUTO_TEST_CASE_TEMPLATE(images_without_columns_have_no_pixels, System, test::systems) {
  auto in = test::buffer_of<System>(test::samples<std::uint8_t>(test::keys{1, 2, 3, 4}));
  std::uint8_t const* const first = in.data();
  const auto image = thrust_hist::pitched(first, 0, 4, 1);
  for (bool folds : {false, true}) {
    test::output<System, int> out(256);
    if (folds)
      thrust_hist::transform_histogram(
          System::policy(), image, image + 0, out.data(), 256, emit_it{});
    else
      thrust_hist::histogram(System::policy(), image, image + 0, out.data(), 256);
    out.check_equals(std::vector<int>(256));
  }
}

// Rows that begin anywhere, and pieces that begin or end in one.
BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_an_image_may_lie_anywhere, System, test::systems) {
  for (rows const& r :
       {rows{100, 128, 0, 0, 5000},
        {100, 101, 1, 0, 5000},
        {37, 41, 3, 5, 3000},
        {37, 48, 0, 37, 3700},
        {500, 515, 7, 3, 200},
        {500, 500, 1, 490, 30},
        {500, 512, 0, 499, 502},
        {1, 3, 1, 2, 700},
        {2, 5, 0, 1, 700},
        {16, 16, 0, 16, 1600},
        {17, 19, 5, 18, 1600},
        {64, 80, 2, 1000, 1}}) {
    check_rows<System, std::uint8_t>(r);
    check_rows<System, std::uint16_t>(r);
    check_rows<System, std::uint32_t>(r);
    check_rows<System, std::uint64_t>(r);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_pitched_iterator_counts_its_pitch_in_bytes, System, test::systems) {
  const test::samples<std::uint32_t> words(test::keys(some_keys.begin(), some_keys.begin() + 1600));
  auto in = test::buffer_of<System>(words);
  std::uint32_t const* const first = in.data();
  check_input<System>(thrust_hist::pitched(first, 11, 100, 64), 1100, 300, [&](std::size_t i) {
    return words[i / 11 * 16 + i % 11];
  });
}

BOOST_AUTO_TEST_SUITE_END()
