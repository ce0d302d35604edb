// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program with CUDA in it on a machine without a GPU: every call says so, none crashes. The other
// suites are skipped there, this one where there is a GPU.

// build: runs without a GPU

#include "../support/messages.h"
#include "../support/systems.h"
#include <thrust_hist/thrust_hist.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace without_gpu_setup {

int keys[] = {1, 2, 3};
int out[4] = {7, 7, 7, 7};

boost::test_tools::assertion_result has_no_gpu(boost::unit_test::test_unit_id) {
  int devices = 0;
  boost::test_tools::assertion_result answer(
      cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0);
  cudaGetLastError();
  if (!answer)
    answer.message() << "there is a GPU";
  return answer;
}

template <class Call>
void check_says_so(Call call) {
  try {
    call();
    BOOST_ERROR("nothing was thrown");
  } catch (thrust::system_error const& error) {
    std::string what = error.what();
    std::transform(what.begin(), what.end(), what.begin(), [](unsigned char c) {
      return static_cast<char>(std::tolower(c));
    });
    BOOST_TEST_MESSAGE(what);
    BOOST_TEST(
        (what.find("device") != std::string::npos || what.find("gpu") != std::string::npos ||
         what.find("driver") != std::string::npos));
  }
  BOOST_TEST(out[0] == 7);
}

}  // namespace without_gpu_setup

BOOST_AUTO_TEST_SUITE(without_gpu, *boost::unit_test::precondition(without_gpu_setup::has_no_gpu))
using namespace without_gpu_setup;

BOOST_AUTO_TEST_CASE(every_algorithm_throws_a_system_error_that_says_so) {
  using namespace thrust_hist;
  const auto policy = thrust::cuda::par;
  check_says_so([&] { histogram(policy, keys, keys + 3, out, 4); });
  check_says_so([&] { histogram(policy, keys, keys + 3, out); });
  check_says_so([&] { histogram(policy, keys, keys + 3, out, with_flow(identity_bins(2))); });
  check_says_so([&] { histogram_even(policy, keys, keys + 3, out, 4, 0, 4); });
  const std::vector<double> edges{0, 1, 2};
  check_says_so([&] { histogram_range(policy, keys, keys + 3, out, edges.begin(), edges.end()); });
  check_says_so([&] { thrust_hist::reduce(policy, keys, keys + 3); });
  plan p;
  check_says_so([&] { histogram(policy, keys, keys + 3, out, 4, options{}.explain(&p)); });
}

BOOST_AUTO_TEST_CASE(bad_values_are_named_first) {
  BOOST_TEST(test::throws(
      [] { thrust_hist::histogram(thrust::cuda::par, keys, keys + 3, out, -1); }, "num_bins",
      "-1"));
  BOOST_TEST(test::throws(
      [] { thrust_hist::histogram_even(thrust::cuda::par, keys, keys + 3, out, 4, 2, 1); },
      "lower"));
}

BOOST_AUTO_TEST_SUITE_END()
