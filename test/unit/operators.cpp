// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Our functors and rules given to Thrust: look-up by argument must find none of our algorithms,
// else thrust::transform_reduce would silently run thrust_hist::reduce in the place of its own.

#include "../support/systems.h"
#include <thrust_hist/thrust_hist.h>

#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

namespace operators_setup {

using namespace thrust_hist;

thrust::host_vector<int> some_keys() {
  thrust::host_vector<int> keys(10);
  for (int i = 0; i < 10; ++i)
    keys[static_cast<std::size_t>(i)] = i;
  return keys;
}

template <class Rule>
bin_index sum_of_bins(Rule rule) {
  const auto keys = some_keys();
  const auto plus = thrust::plus<bin_index>{};
  const bin_index with_policy =
      thrust::transform_reduce(thrust::host, keys.begin(), keys.end(), rule, bin_index{0}, plus);
  const bin_index without =
      thrust::transform_reduce(keys.begin(), keys.end(), rule, bin_index{0}, plus);
  BOOST_TEST(with_policy == without);
  return with_policy;
}

struct sample_of_ours {
  options how;
  int key;
};
struct add_keys {
  sample_of_ours operator()(sample_of_ours a, sample_of_ours b) const {
    return {a.how, a.key + b.key};
  }
};

}  // namespace operators_setup

BOOST_AUTO_TEST_SUITE(argument_dependent_look_up)
using namespace operators_setup;

BOOST_AUTO_TEST_CASE(rules_given_to_transform_reduce_sum_their_bins) {
  const int edges[] = {0, 5, 10};
  BOOST_TEST(sum_of_bins(identity_bins(10)) == 45);
  BOOST_TEST(sum_of_bins(even_bins(5, 0, 10)) == 20);
  BOOST_TEST(sum_of_bins(even_bins(5, 0., 10.)) == 20);
  BOOST_TEST(sum_of_bins(range_bins(edges, edges + 3)) == 5);
  BOOST_TEST(sum_of_bins(with_flow(identity_bins(10))) == 55);
}

BOOST_AUTO_TEST_CASE(rules_given_to_other_algorithms_of_thrust_work_too) {
  const auto keys = some_keys();
  thrust::host_vector<bin_index> bins(keys.size());
  thrust::transform(keys.begin(), keys.end(), bins.begin(), even_bins(2, 0, 10));
  BOOST_TEST(thrust::count(bins.begin(), bins.end(), 1) == 5);
  BOOST_TEST(thrust::reduce(bins.begin(), bins.end()) == 5);
}

BOOST_AUTO_TEST_CASE(values_of_our_types_can_be_reduced_by_thrust) {
  const std::vector<sample_of_ours> values{{options{}, 1}, {options{}, 2}, {options{}, 39}};
  const sample_of_ours sum =
      thrust::reduce(values.begin(), values.end(), sample_of_ours{options{}, 0}, add_keys{});
  BOOST_TEST(sum.key == 42);
}

BOOST_AUTO_TEST_CASE(a_using_directive_for_both_namespaces_leaves_thrust_usable) {
  using namespace thrust;
  const auto keys = some_keys();
  BOOST_TEST(thrust::reduce(keys.begin(), keys.end()) == 45);
  BOOST_TEST(thrust_hist::reduce(keys.begin(), keys.end()) == 45);
}

BOOST_AUTO_TEST_SUITE_END()

#ifdef __CUDACC__
BOOST_AUTO_TEST_SUITE(argument_dependent_look_up_on_the_gpu, THRUST_HIST_TEST_SMALL)
using namespace operators_setup;

BOOST_AUTO_TEST_CASE(rules_given_to_transform_reduce_sum_their_bins) {
  const auto first = thrust::make_counting_iterator(0);
  const auto sum = [&](auto rule) {
    return thrust::transform_reduce(
        thrust::cuda::par, first, first + 10, rule, bin_index{0}, thrust::plus<bin_index>{});
  };
  BOOST_TEST(sum(identity_bins(10)) == 45);
  BOOST_TEST(sum(even_bins(5, 0, 10)) == 20);
  BOOST_TEST(sum(even_bins(5, 0., 10.)) == 20);
  BOOST_TEST(sum(with_flow(identity_bins(10))) == 55);
}

BOOST_AUTO_TEST_SUITE_END()
#endif
