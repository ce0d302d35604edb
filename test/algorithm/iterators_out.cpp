// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Outputs that are no raw pointers, and pointers at every element offset.

#include "../support/checks.h"
#include "../support/containers.h"
#include "../support/messages.h"
#include <thrust_hist/histogram.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

namespace iterators_out_setup {

using thrust_hist::route;

const test::samples<unsigned> keys(test::generate(test::distribution::zipf, 20011, 110));

struct doubled {
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint64_t x) const { return 2 * x; }
};

// `call(first, last, options)` runs it, `check()` looks at the output.
template <class System, class Call, class Check>
void on_every_route(Call call, Check check) {
  auto in = test::buffer_of<System>(keys);
  unsigned const* const first = in.data();
  for (route forced : System::every_route())
    BOOST_TEST_CONTEXT("route " << forced) {
      try {
        call(first, first + keys.size(), thrust_hist::options{}.force(forced));
      } catch (std::invalid_argument const&) {
        BOOST_TEST((forced != route::automatic));
        continue;
      }
      check();
    }
}

template <class System>
void check_offset(std::size_t offset, std::size_t n, route forced) {
  const test::samples<std::uint8_t> bytes(test::generate(test::distribution::uniform, 5000, 256));
  const test::samples<std::uint8_t> part(n, [&](std::size_t i) { return bytes[i + offset]; });
  auto in = test::buffer_of<System>(bytes);
  std::uint8_t const* const first = in.data() + offset;
  const test::bin bins = 100 + static_cast<test::bin>(offset);
  test::output<System, std::uint8_t> out(100 + offset);
  try {
    thrust_hist::histogram(
        System::policy(), first, first + n, out.data(), bins, thrust_hist::options{}.force(forced));
  } catch (std::invalid_argument const&) {
    return;
  }
  BOOST_TEST_CONTEXT("offset " << offset << ", n = " << n << ", route " << forced)
  out.check_equals(test::convert<std::uint8_t>(test::count(part, test::identity_reference(bins))));
}

// Within a 16-byte load and one past it; lengths around words, vectors and warps.
constexpr std::size_t offsets = 17, lengths[] = {0, 1, 15, 16, 17, 31, 33, 100, 4900};

}  // namespace iterators_out_setup

BOOST_AUTO_TEST_SUITE(iterators_out, THRUST_HIST_TEST_SMALL)
using namespace iterators_out_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(iterators_of_vectors, System, test::systems) {
  for (test::bin bins : {1, 5, 100, 6007}) {
    const auto expected = test::convert<int>(test::count(keys, test::identity_reference(bins)));
    test::vector_of<System, int> out(static_cast<std::size_t>(bins) + 2, 77);
    on_every_route<System>(
        [&](auto first, auto last, auto options) {
          const auto end =
              thrust_hist::histogram(System::policy(), first, last, out.begin() + 1, bins, options);
          BOOST_TEST((end == out.end() - 1));
        },
        [&] {
          std::vector<int> all = test::contents(out);
          BOOST_TEST(all.front() == 77);
          BOOST_TEST(all.back() == 77);
          BOOST_TEST(test::difference({all.begin() + 1, all.end() - 1}, expected) == "");
          thrust::fill(out.begin() + 1, out.end() - 1, 33);
        });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_discard_iterator_takes_any_number_of_bins, System, test::systems) {
  for (int bins : {1, 100, 6007})
    on_every_route<System>(
        [&](auto first, auto last, auto options) {
          std::uint64_t dropped = 0;
          const auto out = thrust::make_discard_iterator();
          const auto end = thrust_hist::histogram(
              System::policy(), first, last, out, bins, options.dropped(&dropped));
          BOOST_TEST((end - out == bins));
          BOOST_TEST(
              dropped ==
              keys.size() - test::total(test::count(keys, test::identity_reference(bins))));
        },
        [] {});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    accumulating_into_what_cannot_be_read_is_refused, System, test::systems) {
  auto in = test::buffer_of<System>(keys);
  unsigned const* const first = in.data();
  BOOST_TEST(test::throws(
      [&] {
        thrust_hist::histogram(
            System::policy(), first, first + keys.size(), thrust::make_discard_iterator(), 4,
            thrust_hist::options{}.accumulate());
      },
      "accumulate"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_permutation_iterator_scatters_the_bins, System, test::systems) {
  const auto expected = test::convert<int>(test::count(keys, test::identity_reference(100)));
  std::vector<int> backwards(expected.rbegin(), expected.rend());
  test::output<System, int> out(100);
  auto order = test::buffer_of<System>(
      test::samples<int>(100, [](std::size_t i) { return 99 - static_cast<int>(i); }));
  on_every_route<System>(
      [&](auto first, auto last, auto options) {
        thrust_hist::histogram(
            System::policy(), first, last,
            thrust::make_permutation_iterator(out.data(), static_cast<int const*>(order.data())),
            100, options);
      },
      [&] { out.check_equals(backwards); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    a_transform_output_iterator_sees_each_bin_once, System, test::systems) {
  auto counts = test::count(keys, test::identity_reference(100));
  for (auto& count : counts)
    count *= 2;
  test::output<System, std::uint32_t> out(100);
  on_every_route<System>(
      [&](auto first, auto last, auto options) {
        thrust_hist::histogram(
            System::policy(), first, last,
            thrust::make_transform_output_iterator(out.data(), doubled{}), 100, options);
      },
      [&] { out.check_equals(test::convert<std::uint32_t>(counts)); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(accumulate_through_iterators_of_vectors, System, test::systems) {
  const auto counts = test::count(keys, test::identity_reference(100));
  on_every_route<System>(
      [&](auto first, auto last, auto options) {
        test::vector_of<System, std::int64_t> out(100, 1000);
        thrust_hist::histogram(
            System::policy(), first, last, out.begin(), 100, options.accumulate());
        const auto all = test::contents(out);
        for (std::size_t i = 0; i < 100; ++i)
          BOOST_REQUIRE(all[i] == static_cast<std::int64_t>(counts[i]) + 1000);
      },
      [] {});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(outputs_and_inputs_at_every_element_offset, System, test::systems) {
  const auto routes = System::every_route();
  for (std::size_t i = 0; i < 2 * offsets; ++i)
    check_offset<System>(
        i % offsets, lengths[i % std::size(lengths)],
        routes[(i + i / std::size(lengths)) % routes.size()]);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(every_length_at_every_offset, THRUST_HIST_TEST_LARGE)
using namespace iterators_out_setup;

BOOST_AUTO_TEST_CASE_TEMPLATE(is_counted_on_every_route, System, test::systems) {
  for (std::size_t offset = 0; offset < offsets; ++offset)
    for (std::size_t n : lengths)
      for (route forced : System::every_route())
        check_offset<System>(offset, n, forced);
}

BOOST_AUTO_TEST_SUITE_END()
