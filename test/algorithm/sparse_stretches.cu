// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Codes of 8 bytes that are split where crowds of them begin and end, and sorted stretch by stretch, with words beside them
// or none: signed ones and others, in place and from elsewhere; equal ones keep their order. And calls so large that keys are
// sorted that way.

#include "../support/sparse.h"
#include <thrust_hist/system/cuda/loose_order.cuh>
#include <thrust_hist/system/cuda/split_sort.cuh>

#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace sparse_stretches_setup {

using System = test::main_system;
namespace on_cuda = thrust_hist::detail::cuda;

THRUST_HIST_HOST_DEVICE inline std::uint64_t mixed(std::uint64_t i) {
  return thrust_hist::detail::mix_code(i + 1);
}

template <class Code>
std::uint64_t as_unsigned(Code code) {
  return static_cast<std::uint64_t>(code) ^ (std::is_signed_v<Code> ? std::uint64_t{1} << 63 : 0);
}

// Codes and the words beside them, in arrays of which either may hold all in the end.
template <class Code, class Word>
void check_split(
    std::vector<Code> const& codes, on_cuda::code_stretches const& stretches, bool is_here) {
  constexpr bool has_words = !std::is_same_v<Word, on_cuda::nothing_beside>;
  using word = std::conditional_t<has_words, Word, std::uint32_t>;
  std::size_t const n = codes.size();
  std::vector<word> numbers(n);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    numbers[i] = static_cast<word>(i);
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return codes[a] < codes[b];
  });
  auto from = test::buffer_of<System>(test::samples<Code>(codes));
  auto from_words = test::buffer_of<System>(test::samples<word>(numbers));
  auto first = test::buffer_of<System>(test::samples<Code>(std::vector<Code>(n)));
  auto first_words = test::buffer_of<System>(test::samples<word>(std::vector<word>(n)));
  auto second = test::buffer_of<System>(test::samples<Code>(std::vector<Code>(n)));
  auto second_words = test::buffer_of<System>(test::samples<word>(std::vector<word>(n)));
  const auto words_of = [](auto& there) {
    if constexpr (has_words)
      return there.data();
    else
      return static_cast<Word*>(nullptr);
  };
  auto& mine = is_here ? from : first;
  auto& mine_words = is_here ? from_words : first_words;
  auto policy = System::policy();
  bool is_second = false;
  bool are_mended = false;
  {
    on_cuda::call_memory<decltype(policy)> memory(policy);
    using kind = on_cuda::standing_keys<Code>;
    on_cuda::split_sort<decltype(policy), kind, Word> sort(memory, kind{}, n, stretches);
    is_second = sort.run(
                    from.data(), words_of(from_words), {mine.data(), second.data()},
                    {words_of(mine_words), words_of(second_words)}) == 1;
    auto& all = is_second ? second : mine;
    auto& all_words = is_second ? second_words : mine_words;
    are_mended = sort.for_each_loose([&](std::uint64_t begin, std::uint64_t size, int low_bits) {
      Word* const words = has_words ? words_of(all_words) + begin : nullptr;
      return on_cuda::mend_loose_order(memory, all.data() + begin, words, size, low_bits, 64);
    });
    on_cuda::synchronize(thrust_hist::detail::stream_of(policy));
  }
  BOOST_TEST(are_mended);
  std::vector<Code> sorted(n);
  std::vector<word> moved(n);
  (is_second ? second : mine).read(sorted.data());
  (is_second ? second_words : mine_words).read(moved.data());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    wrong += sorted[i] != codes[order[i]] || (has_words && moved[i] != numbers[order[i]]) ? 1 : 0;
  BOOST_TEST(wrong == 0U, n << " codes in " << stretches.size << " stretches");
}

// By the sample that each `every`-th code is. Returns whether that splits them.
template <class Code, class Make>
bool check_codes(std::size_t n, std::size_t every, int width, Make make) {
  std::vector<Code> codes(n);
  std::vector<std::uint64_t> sample;
  for (std::size_t i = 0; i < n; ++i) {
    codes[i] = static_cast<Code>(make(i));
    if (i % every == 0)
      sample.push_back(as_unsigned(codes[i]));
  }
  std::sort(sample.begin(), sample.end());
  const auto plan = on_cuda::stretches_of_width(
      sample.data(), static_cast<std::uint32_t>(sample.size()), static_cast<double>(n), width);
  if (!plan.is_split())
    return false;
  BOOST_TEST_CONTEXT(
      width << " bits of " << n << " codes, of which one in " << every << " is seen") {
    check_split<Code, on_cuda::nothing_beside>(codes, plan.found(), true);
    check_split<Code, std::uint32_t>(codes, plan.found(), true);
    check_split<Code, std::uint32_t>(codes, plan.found(), false);
    check_split<Code, std::uint64_t>(codes, plan.found(), false);
  }
  return true;
}

// A crowd and codes all over, or some crowds.
template <class Code>
std::size_t check_sizes(
    std::initializer_list<std::size_t> sizes, std::initializer_list<int> widths) {
  std::size_t split = 0;
  for (std::size_t n : sizes)
    for (std::uint64_t first : {(std::uint64_t{1} << 63) - 1000, ~std::uint64_t{0} << 24})
      for (int width : widths)
        split += check_codes<Code>(n, n > 1000 ? 7 : 1, width, [=](std::size_t i) {
          return i % 3 == 0 ? first + (mixed(i) >> (64 - width)) : mixed(i);
        });
  return split;
}
template <class Code>
bool check_crowds(std::uint64_t crowds) {
  return check_codes<Code>(30011, 9, 16, [=](std::size_t i) {
    const auto which = i % (crowds + 1);
    return which == crowds ? mixed(i) : mixed(which) + i % 20000;
  });
}

// Half of the keys lie near each other, the others all over; and of these a few hundred where no sample sees that their
// high bits do not tell them apart.
struct crowded_key {
  bool has_knot;
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const {
    if (has_knot && i % 100000 == 1)
      return (std::uint64_t{7} << 60) + (mixed(i) >> 44);
    return i % 2 == 0 ? (std::uint64_t{1} << 63) - (1 << 24) + (mixed(i) >> 39) : mixed(i);
  }
};
template <class Key>
struct key_of_word {
  crowded_key words;
  __host__ __device__ Key operator()(std::uint64_t i) const {
    std::uint64_t word = words(i);
    if (std::is_floating_point_v<Key>)  // a number, and not a zero
      word = (word & ~(std::uint64_t{1} << 62)) | 1;
    Key key;
    memcpy(&key, &word, sizeof key);
    return key;
  }
};
struct small_number {
  __host__ __device__ float operator()(std::uint64_t i) const { return static_cast<float>(i % 5); }
};

boost::test_tools::assertion_result has_room(boost::unit_test::test_unit_id) {
  std::size_t available = 0, all = 0;
  boost::test_tools::assertion_result answer(
      cudaMemGetInfo(&available, &all) == cudaSuccess && available > std::size_t{6} << 30);
  if (!answer)
    answer.message() << "a GPU with 6 GB of free memory is missing";
  return answer;
}

// With more keys than are put in order bucket by bucket. No more memory than a plan says.
template <class Key>
void check_call(bool has_knot) {
  constexpr std::size_t n = (std::size_t{1} << 25) + (1 << 20) + 77;
  thrust::device_vector<Key> keys(n);
  thrust::device_vector<float> values(n);
  thrust::tabulate(keys.begin(), keys.end(), key_of_word<Key>{{has_knot}});
  thrust::tabulate(values.begin(), values.end(), small_number{});
  thrust::device_vector<Key> ours(n);
  thrust::device_vector<float> our_sums(n);
  const auto call = [&](thrust_hist::options const& o) {
    return thrust_hist::sparse_histogram_by_key(
        thrust::device, keys.begin(), keys.end(), values.begin(), ours.begin(), our_sums.begin(),
        test::by_plus{}, o);
  };
  thrust_hist::plan said;
  call(thrust_hist::options{}.explain(&said));
  thrust::device_vector<Key> sorted = keys;
  thrust::device_vector<float> moved = values;
  thrust::sort_by_key(sorted.begin(), sorted.end(), moved.begin());
  thrust::device_vector<Key> theirs(n);
  thrust::device_vector<float> their_sums(n);
  const auto their_ends = thrust::reduce_by_key(
      sorted.begin(), sorted.end(), moved.begin(), theirs.begin(), their_sums.begin());
  for (bool is_capped : {false, true}) {
    const auto ends = call(
        is_capped ? thrust_hist::options{}.max_temporary_bytes(said.scratch_bytes)
                  : thrust_hist::options{});
    BOOST_TEST((ends.first - ours.begin() == their_ends.first - theirs.begin()));
    BOOST_TEST(thrust::equal(theirs.begin(), their_ends.first, ours.begin()));
    BOOST_TEST(thrust::equal(their_sums.begin(), their_ends.second, our_sums.begin()));
  }
}

// What a sample of these codes says.
template <class Make>
unsigned stretches_drawn(Make make) {
  constexpr std::size_t n = std::size_t{1} << 26;
  thrust::device_vector<std::uint64_t> codes(n);
  thrust::tabulate(codes.begin(), codes.end(), make);
  auto policy = System::policy();
  on_cuda::call_memory<decltype(policy)> memory(policy);
  return on_cuda::draw_stretches(memory, thrust::raw_pointer_cast(codes.data()), n, 8).size;
}
struct mixed_word {
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const { return mixed(i) | 1; }
};
// A thousand places, none of which has many.
struct placed_word {
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const {
    return mixed(i % 1000) + (mixed(i) >> 40);
  }
};

}  // namespace sparse_stretches_setup

BOOST_AUTO_TEST_SUITE(sparse_stretches, THRUST_HIST_TEST_SMALL)
using namespace sparse_stretches_setup;

BOOST_AUTO_TEST_CASE(codes_are_split_and_sorted_stretch_by_stretch) {
  BOOST_TEST(check_sizes<std::uint64_t>({257, 20011}, {16, 24}) == 8U);
  BOOST_TEST(check_sizes<std::int64_t>({20011}, {24}) == 2U);
  BOOST_TEST((check_crowds<std::uint64_t>(7) && check_crowds<std::int64_t>(3)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_stretches_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_stretches_setup;

BOOST_AUTO_TEST_CASE(codes_of_any_number_are_split) {
  BOOST_TEST(check_sizes<std::uint64_t>({1, 2, 5000, 1000003}, {8, 40}) >= 8U);
  BOOST_TEST(check_sizes<std::int64_t>({255, 256, 1000003}, {8, 24, 40}) > 10U);
  BOOST_TEST((check_crowds<std::uint64_t>(3) && check_crowds<std::int64_t>(6)));
}

BOOST_AUTO_TEST_CASE(a_sample_tells_whether_to_split) {
  BOOST_TEST(stretches_drawn(crowded_key{false}) > 1U);
  BOOST_TEST(stretches_drawn(placed_word{}) == 1U);
}

BOOST_AUTO_TEST_CASE(
    many_keys_of_which_half_lie_near_each_other, *boost::unit_test::precondition(has_room)) {
  for (bool has_knot : {false, true}) {
    check_call<std::uint64_t>(has_knot);
    check_call<std::int64_t>(has_knot);
    check_call<double>(has_knot);
  }
}

BOOST_AUTO_TEST_SUITE_END()
