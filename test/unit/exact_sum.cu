// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// build: runs without a GPU
#include "exact_sum.cpp"

// The same sums formed and rounded by a GPU, and those of the two short types.

BOOST_AUTO_TEST_SUITE(exact_sums_in_kernels, THRUST_HIST_TEST_SMALL)
using namespace exact_sum_setup;

namespace {

template <class T>
struct sum_of_case {
  exact_sum<T> sum, carried;
  std::uint64_t bits[std::tuple_size_v<targets>];   // of sum, rounded to each target
  std::uint64_t saved[std::tuple_size_v<targets>];  // of the form in which algorithms add
};

template <class To, class T>
__device__ void round_to(
    int target, thrust_hist::detail::carry_save<T> const& saved, sum_of_case<T>& result) {
  typename float_format<To>::bits bits;
  const To value = result.sum.template value_as<To>();
  memcpy(&bits, &value, sizeof bits);
  result.bits[target] = bits;
  const To same = thrust_hist::detail::round_to<To>(saved);
  memcpy(&bits, &same, sizeof bits);
  result.saved[target] = bits;
}

template <class T>
__global__ void form_sums(addends<T> const* cases, std::size_t n, sum_of_case<T>* results) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  exact_sum<T> sum, later;
  thrust_hist::detail::carry_save<T> saved{};
  T const* const numbers = reinterpret_cast<T const*>(cases + i);
  for (std::size_t k = 0; k < addends_of_case; ++k) {
    (k % 2 == 0 ? sum : later) += numbers[k];
    saved.add(numbers[k]);
  }
  sum_of_case<T>& result = results[i];
  result.sum = sum + later;
  result.carried = exact_sum<T>(saved);
  saved.normalize();
  round_to<float>(0, saved, result);
  round_to<double>(1, saved, result);
  round_to<__half>(2, saved, result);
  round_to<__nv_bfloat16>(3, saved, result);
}

template <class T>
bool is_right(addends<T> const& numbers, sum_of_case<T> const& found) {
  reference_sum<T> expected;
  for (T x : numbers)
    expected.add(x);
  bool right = same_bytes(found.sum, sum_of<T>(numbers)) && same_bytes(found.carried, found.sum);
  std::size_t target = 0;
  for_targets([&](auto to) {
    const auto bits = expected.template bits<decltype(to)>();
    right = right && found.bits[target] == bits && found.saved[target] == bits;
    ++target;
  });
  return right;
}

template <class T>
void check_on_gpu(std::vector<addends<T>> const& cases) {
  std::vector<sum_of_case<T>> found(cases.size());
  cuda_buffer<addends<T>> in(cases.data(), cases.size());
  cuda_buffer<sum_of_case<T>> out(found.data(), found.size());
  const auto blocks = static_cast<unsigned>((cases.size() + 127) / 128);
  form_sums<<<blocks, 128>>>(in.data(), cases.size(), out.data());
  BOOST_REQUIRE(cudaGetLastError() == cudaSuccess);
  out.read(found.data());
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (!is_right(cases[i], found[i])) {
      BOOST_ERROR("the sum of" << text_of(cases[i]));
      return;
    }
  BOOST_TEST(true);
}

template <class Short>
__global__ void widen(Short const* from, std::size_t n, float* to) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x)
    to[i] = thrust_hist::detail::to_addend(from[i]);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_near_ties_are_rounded_correctly, T, reals) {
  check_on_gpu(ties<T>(1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_anything_are_rounded_correctly, T, reals) {
  const auto seed = std::random_device{}();
  BOOST_TEST_CONTEXT("seed " << seed)
  check_on_gpu(random_cases<T>(20000, seed));
}

using short_reals = std::tuple<__half, __nv_bfloat16>;

BOOST_AUTO_TEST_CASE_TEMPLATE(every_number_of_16_bits_is_added_as_the_same_float, T, short_reals) {
  static_assert(std::is_same_v<thrust_hist::detail::addend_t<T>, float>);
  std::vector<T> all;
  for (std::uint64_t bits = 0; bits < 65536; ++bits)
    all.push_back(from_bits<T>(bits));
  std::vector<float> found(all.size());
  cuda_buffer<T> in(all.data(), all.size());
  cuda_buffer<float> out(found.data(), found.size());
  widen<<<1, 1024>>>(in.data(), all.size(), out.data());
  BOOST_REQUIRE(cudaGetLastError() == cudaSuccess);
  out.read(found.data());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto expected = order_of(all[i]);
    BOOST_REQUIRE((order_of(found[i]) == expected));
    BOOST_REQUIRE((order_of(thrust_hist::detail::to_addend(all[i])) == expected));
    if (!anatomy<T>(all[i]).is_nan() && bits_of(all[i]) != 0x8000u)
      BOOST_REQUIRE(bits_of(exact_sum<float>(found[i]).value_as<T>()) == bits_of(all[i]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
