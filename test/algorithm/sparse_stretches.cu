// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Codes of 8 bytes that are split where crowds of them begin and end, and sorted stretch by
// stretch, with words beside them or none: signed ones and others, in place and from elsewhere;
// equal ones keep their order. And calls so large that keys are sorted that way.

#include "../support/allocators.h"
#include "../support/sparse.h"
#include <thrust_hist/system/cuda/split_sort.cuh>

#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/find.h>
#include <thrust/logical.h>
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
  {
    on_cuda::call_memory<decltype(policy)> memory(policy);
    using kind = on_cuda::standing_keys<Code>;
    on_cuda::split_sort<decltype(policy), kind, Word> sort(memory, kind{}, n, stretches);
    is_second = sort.run(
                    from.data(), words_of(from_words), {mine.data(), second.data()},
                    {words_of(mine_words), words_of(second_words)}) == 1;
    on_cuda::synchronize(thrust_hist::detail::stream_of(policy));
  }
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
// Where no sample sees that high bits do not tell all of them apart: neighbours here and there, or
// more of them than anybody mends.
template <class Code>
bool check_knots(std::size_t of_knot) {
  constexpr std::size_t every = 100;
  return check_codes<Code>(30013, every, 16, [=](std::size_t i) {
    if (i % every == 1 && i / every < of_knot)
      return (std::uint64_t{7} << 60) + (mixed(i) >> 60);
    return i / every % 2 == 0 ? (std::uint64_t{77} << 40) + i % 999 : mixed(i);
  });
}
template <class Code>
bool check_crowds(std::uint64_t crowds) {
  return check_codes<Code>(30011, 9, 16, [=](std::size_t i) {
    const auto which = i % (crowds + 1);
    return which == crowds ? mixed(i) : mixed(which) + i % 20000;
  });
}

// Half of the keys lie near each other, the others all over; and of these a few hundred where no
// sample sees that their high bits do not tell them apart.
struct crowded_key {
  bool has_knot;
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const {
    if (has_knot && i % 100000 == 1)
      return (std::uint64_t{7} << 60) + (mixed(i) >> 44);
    return i % 2 == 0 ? (std::uint64_t{1} << 63) - (1 << 24) + (mixed(i) >> 39) : mixed(i);
  }
};
struct crowded_real {
  __host__ __device__ double operator()(std::uint64_t i) const {
    // Of any sign; neither a zero nor anything that is no number.
    const std::uint64_t word = (crowded_key{false}(i) & ~(std::uint64_t{1} << 62)) | 1;
    double key;
    memcpy(&key, &word, sizeof key);
    return key;
  }
};
// Near each other in a thousand places, so that all bits are needed; and one in 100 000 has other
// bits.
struct placed_real {
  enum signs { positive, any, negative } sign;
  bool has_zeros;
  std::uint64_t other;
  __host__ __device__ double operator()(std::uint64_t i) const {
    constexpr std::uint64_t minus = std::uint64_t{1} << 63;
    std::uint64_t word = (mixed(i % 1000) & ~(std::uint64_t{3} << 62)) + (mixed(i) >> 47);
    word |= sign == negative || (sign == any && mixed(i + 7) % 2 == 0) ? minus : 0;
    word = i % 100000 == 7 ? other : has_zeros && i % 100000 == 9 ? 0 : word;
    double key;
    memcpy(&key, &word, sizeof key);
    return key;
  }
};
struct small_number {
  __host__ __device__ float operator()(std::uint64_t i) const { return static_cast<float>(i % 5); }
};
struct is_no_number {
  template <class T>
  __host__ __device__ bool operator()(T x) const {
    return x != x;
  }
};

boost::test_tools::assertion_result has_room(boost::unit_test::test_unit_id) {
  std::size_t available = 0, all = 0;
  boost::test_tools::assertion_result answer(
      cudaMemGetInfo(&available, &all) == cudaSuccess && available > std::size_t{6} << 30);
  if (!answer)
    answer.message() << "a GPU with 6 GB of free memory is missing";
  return answer;
}

constexpr std::size_t many = (std::size_t{1} << 25) + (1 << 20) + 77;

// Keys and values, of which more are there than are put in order bucket by bucket, and what Thrust
// makes of them.
template <class Key>
class many_pairs {
public:
  template <class Make>
  explicit many_pairs(Make make) : keys_(many), values_(many), theirs_(many), their_sums_(many) {
    thrust::tabulate(keys_.begin(), keys_.end(), make);
    thrust::tabulate(values_.begin(), values_.end(), small_number{});
    thrust::device_vector<Key> sorted = keys_;
    thrust::device_vector<float> moved = values_;
    thrust::sort_by_key(sorted.begin(), sorted.end(), moved.begin());
    // What are no numbers come at either end.
    const auto first = thrust::find_if_not(sorted.begin(), sorted.end(), is_no_number{});
    const auto last = thrust::find_if(first, sorted.end(), is_no_number{});
    const auto ends = thrust::reduce_by_key(
        first, last, moved.begin() + (first - sorted.begin()), theirs_.begin(),
        their_sums_.begin());
    theirs_.erase(ends.first, theirs_.end());
    no_numbers_ = many - static_cast<std::size_t>(last - first);
  }
  thrust::device_vector<Key> const& keys() const { return keys_; }

  // No more memory than a plan says.
  void check(bool is_capped) const {
    thrust::device_vector<Key> ours(many);
    thrust::device_vector<float> our_sums(many);
    test::ledger book;
    test::counting_allocator<test::cuda> allocator(book);
    const auto call = [&](thrust_hist::options const& o) {
      return thrust_hist::sparse_histogram_by_key(
          thrust::cuda::par(allocator), keys_.begin(), keys_.end(), values_.begin(), ours.begin(),
          our_sums.begin(), test::by_plus{}, o);
    };
    thrust_hist::plan said;
    call(thrust_hist::options{}.explain(&said));
    const auto ends = call(
        is_capped ? thrust_hist::options{}.max_temporary_bytes(said.scratch_bytes)
                  : thrust_hist::options{});
    BOOST_TEST((book.peak() > 0 && book.peak() <= said.scratch_bytes));
    const auto rows = static_cast<std::size_t>(ends.first - ours.begin());
    BOOST_TEST(rows == theirs_.size() + no_numbers_);
    BOOST_TEST(thrust::equal(theirs_.begin(), theirs_.end(), ours.begin()));
    const auto behind = ours.begin() + static_cast<std::ptrdiff_t>(theirs_.size());
    BOOST_TEST(
        thrust::all_of(behind, ours.begin() + static_cast<std::ptrdiff_t>(rows), is_no_number{}));
    BOOST_TEST(thrust::equal(
        our_sums.begin(), our_sums.begin() + static_cast<std::ptrdiff_t>(theirs_.size()),
        their_sums_.begin()));
  }

private:
  thrust::device_vector<Key> keys_;
  thrust::device_vector<float> values_;
  thrust::device_vector<Key> theirs_;
  thrust::device_vector<float> their_sums_;
  std::size_t no_numbers_ = 0;
};

// What a sample of these codes says.
unsigned stretches_drawn(thrust::device_vector<std::uint64_t> const& codes) {
  auto policy = System::policy();
  on_cuda::call_memory<decltype(policy)> memory(policy);
  return on_cuda::draw_stretches(memory, thrust::raw_pointer_cast(codes.data()), codes.size(), 8)
      .size;
}
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
  BOOST_TEST(check_sizes<std::uint64_t>({257}, {16, 24}) == 4U);
  BOOST_TEST(check_sizes<std::int64_t>({9011}, {24}) == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sparse_stretches_large, THRUST_HIST_TEST_LARGE)
using namespace sparse_stretches_setup;

BOOST_AUTO_TEST_CASE(codes_of_any_number_are_split) {
  BOOST_TEST(check_sizes<std::uint64_t>({1, 2, 5000, 20011, 1000003}, {8, 16, 40}) >= 12U);
  BOOST_TEST(check_sizes<std::int64_t>({255, 256, 20011, 1000003}, {8, 24, 40}) >= 12U);
}

BOOST_AUTO_TEST_CASE(several_crowds_are_split) {
  BOOST_TEST((check_crowds<std::uint64_t>(3) && check_crowds<std::uint64_t>(7)));
  BOOST_TEST((check_crowds<std::int64_t>(3) && check_crowds<std::int64_t>(6)));
}

BOOST_AUTO_TEST_CASE(what_no_sample_sees_is_put_in_order) {
  BOOST_TEST((check_knots<std::uint64_t>(30) && check_knots<std::uint64_t>(250)));
  BOOST_TEST((check_knots<std::int64_t>(30) && check_knots<std::int64_t>(250)));
}

BOOST_AUTO_TEST_CASE(
    many_keys_of_which_half_lie_near_each_other, *boost::unit_test::precondition(has_room)) {
  for (bool has_knot : {false, true}) {
    const many_pairs<std::uint64_t> pairs(crowded_key{has_knot});
    BOOST_TEST(stretches_drawn(pairs.keys()) > 1U);
    pairs.check(false);
    pairs.check(true);
    many_pairs<std::int64_t>(crowded_key{has_knot}).check(has_knot);
  }
  many_pairs<double>(crowded_real{}).check(false);
}

BOOST_AUTO_TEST_CASE(
    many_keys_in_places_that_need_all_bits, *boost::unit_test::precondition(has_room)) {
  const many_pairs<std::uint64_t> pairs(placed_word{});
  BOOST_TEST(stretches_drawn(pairs.keys()) == 1U);
  pairs.check(true);
}

// Real ones are sorted as they stand then, unless they differ in less bits, or some are no numbers.
BOOST_AUTO_TEST_CASE(many_real_keys_that_need_all_bits, *boost::unit_test::precondition(has_room)) {
  constexpr std::uint64_t no_number = 0x7ff8000000000001, minus_two = 0xc000000000000000;
  constexpr std::uint64_t minus = std::uint64_t{1} << 63;
  many_pairs<double>(placed_real{placed_real::any, true, 1}).check(true);
  many_pairs<double>(placed_real{placed_real::any, true, no_number}).check(false);
  many_pairs<double>(placed_real{placed_real::any, true, minus | no_number}).check(false);
  many_pairs<double>(placed_real{placed_real::positive, true, minus | no_number}).check(false);
  many_pairs<double>(placed_real{placed_real::negative, false, minus_two}).check(false);
}

BOOST_AUTO_TEST_SUITE_END()
