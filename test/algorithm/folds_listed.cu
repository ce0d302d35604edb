// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What functions emit and no atomics fold: on CUDA it is counted and written to a list before it is
// folded.

#include "../support/allocators.h"
#include "../support/slow_work.cuh"
#include "fold_cases.h"
#include <thrust_hist/iterators.h>
#include <thrust_hist/transform_histogram.h>

#include <thrust/complex.h>
#include <thrust/iterator/counting_iterator.h>

#include <limits>
#include <new>

namespace folds_listed_setup {

using thrust_hist::options;
using thrust_hist::route;
template <class T>
using sum = thrust_hist::exact_sum<T>;

constexpr int many_bins = 200000;  // exact sums of so many are listed, however few the pairs are
constexpr int some_bins = 70001;   // no block has room for states of so many
constexpr std::size_t few_inputs = 30011, many_inputs = 70009;

struct later {
  std::uint32_t x = 0;
  int many = 0;
};
struct keep_last {
  __host__ __device__ later operator()(later const& a, later const& b) const {
    return {a.x < b.x ? b.x : a.x, a.many + b.many};
  }
};
// None, one, two or three, some without a bin.
struct some_structs {
  template <class Sink>
  __host__ __device__ void operator()(std::uint32_t x, Sink const& sink) const {
    for (unsigned i = 0; i < x % 4; ++i)
      sink(static_cast<int>((x / 8 + i * 7919) % 70100) - 50, later{x, 1});
  }
};
// So many as well, or `count` for each sample, of any type: for bins all over, for one of a few,
// and for such that 32 bits have no number for.
template <class Value>
struct all_over {
  int count = -1;
  template <class X, class Sink>
  __host__ __device__ void operator()(X const& sample, Sink const& sink) const {
    const auto x = static_cast<std::uint32_t>(sample);
    const std::int64_t few = x / 8 % 3;
    constexpr std::int64_t far = std::int64_t{1} << 32;
    for (unsigned i = 0; i < (count < 0 ? x % 4 : static_cast<unsigned>(count)); ++i)
      sink(
          x % 8 < 4    ? few
          : x % 8 == 4 ? few + (i % 2 == 0 ? far : -far)
                       : (x + i * 7919) % 70100 - std::int64_t{50},
          Value(static_cast<float>((x + i) % 5) - 2));
  }
};
// Where 0.1f * 5 is subtracted from before it is rounded, more than 0 is left; and after it was,
// nothing. Two pairs or one.
struct on_the_edge {
  static constexpr int other_bin = 7;
  float a, b;
  template <class Sink>
  __host__ __device__ void operator()(float x, Sink const& sink) const {
    const float product = a * x;
    const float left = product + b;
    const bool is_more = b < -0.4f ? left > 0 : left >= 0;
    for (int i = 0; i < (is_more ? 2 : 1); ++i)
      sink(is_more ? static_cast<int>(x) : other_bin, static_cast<double>(product));
  }
};
struct wide_bytes {
  template <class Sink>
  __host__ __device__ void operator()(std::uint32_t x, Sink const& sink) const {
    test::summed<128, 128> value;
    for (unsigned i = 0; i < 128; ++i)
      value.byte[i] = static_cast<unsigned char>(x + i);
    for (unsigned i = 0; i < x % 3; ++i)
      sink(static_cast<int>((x + i) % some_bins), value);
  }
};

test::samples<std::uint32_t> words(std::size_t n) {
  return test::samples<std::uint32_t>(n, [](std::size_t i) { return test::scrambled(i); });
}

// On every route, from iterators that both systems can read or one of each.
template <class A, class HostIterator, class Iterator, class Emit, class... Op>
int check_emitted(
    HostIterator host, Iterator device, std::size_t n, int bins, Emit emit, options how, Op... op) {
  const auto size = static_cast<std::size_t>(bins);
  const auto count = static_cast<std::ptrdiff_t>(n);
  test::folded<A> expected = {std::vector<A>(size), test::old_output<A>(size), 0};
  how.dropped(&expected.dropped);
  thrust_hist::transform_histogram(
      thrust::seq, host, host + count, expected.plain.data(), bins, emit, op..., how);
  thrust_hist::transform_histogram(
      thrust::seq, host, host + count, expected.added.data(), bins, emit, op...,
      options{how}.accumulate());
  return test::check_fold_routes<A>(expected, how, [&](A* out, options const& o) {
    return thrust_hist::transform_histogram(
        test::cuda::policy(), device, device + count, out, bins, emit, op..., o);
  });
}
// Samples in memory, those before `skipped` left out.
template <class A, class X, class Emit, class... Op>
int check_samples(
    test::samples<X> const& samples, std::size_t skipped, int bins, Emit emit, options how,
    Op... op) {
  const auto in = test::buffer_of<test::cuda>(samples);
  return check_emitted<A>(
      samples.data() + skipped, in.data() + skipped, samples.size() - skipped, bins, emit, how,
      op...);
}

std::vector<later> structs_on_one_thread(test::samples<std::uint32_t> const& samples) {
  std::vector<later> bins(some_bins);
  thrust_hist::transform_histogram(
      thrust::seq, samples.begin(), samples.end(), bins.data(), some_bins, some_structs{},
      keep_last{}, later{});
  return bins;
}

// What explain() says of structs.
struct explained_structs {
  test::samples<std::uint32_t> samples = words(many_inputs);
  test::cuda_buffer<std::uint32_t> in = test::buffer_of<test::cuda>(samples);

  template <class Policy>
  thrust_hist::plan operator()(
      Policy const& policy, options o = {}, std::size_t n = many_inputs) const {
    thrust_hist::plan plan;
    later* const nowhere = nullptr;
    thrust_hist::transform_histogram(
        policy, in.data(), in.data() + static_cast<std::ptrdiff_t>(n), nowhere, some_bins,
        some_structs{}, keep_last{}, later{}, o.explain(&plan));
    return plan;
  }
};

// Has no memory for more than so many bytes at once.
class poor_allocator {
public:
  using value_type = char;
  explicit poor_allocator(
      test::ledger& book, std::ptrdiff_t most = (std::numeric_limits<std::ptrdiff_t>::max)())
      : book_(&book), most_(most) {}
  char* allocate(std::ptrdiff_t bytes) {
    if (bytes > most_)
      throw std::bad_alloc();
    return static_cast<char*>(book_->take<test::cuda_heap>(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t bytes) {
    book_->give_back<test::cuda_heap>(memory, bytes);
  }

private:
  test::ledger* book_;
  std::ptrdiff_t most_;
};

}  // namespace folds_listed_setup

BOOST_AUTO_TEST_SUITE(folds_listed, THRUST_HIST_TEST_SMALL)
using namespace folds_listed_setup;

BOOST_AUTO_TEST_CASE(none_one_and_three_pairs_of_a_sample) {
  for (std::size_t n : {std::size_t{1}, std::size_t{33}, few_inputs})
    for (int count : {-1, 0, 1, 3})
      BOOST_TEST_CONTEXT("n = " << n << ", " << count << " pairs")
  BOOST_TEST(check_samples<sum<float>>(words(n), 0, many_bins, all_over<float>{count}, {}) >= 2);
}

BOOST_AUTO_TEST_CASE(samples_that_begin_anywhere) {
  const auto samples = words(few_inputs);
  const test::samples<std::uint8_t> bytes(
      samples.size(), [&](std::size_t i) { return samples[i]; });
  for (std::size_t skipped : {1, 7})
    BOOST_TEST_CONTEXT(skipped << " are skipped") {
      BOOST_TEST(
          check_samples<sum<float>>(samples, skipped, many_bins, all_over<float>{}, {}) >= 2);
      BOOST_TEST(check_samples<sum<float>>(bytes, skipped, many_bins, all_over<float>{}, {}) >= 2);
    }
}

BOOST_AUTO_TEST_CASE(samples_in_rows_and_behind_iterators) {
  constexpr std::size_t width = 333, pitch = 384, height = 70;
  const test::samples<std::uint8_t> image(
      pitch * height, [](std::size_t i) { return test::scrambled(i); });
  const auto in = test::buffer_of<test::cuda>(image);
  BOOST_TEST(
      check_emitted<sum<float>>(
          thrust_hist::pitched(image.data(), width, height, pitch),
          thrust_hist::pitched(in.data(), width, height, pitch), width * height, many_bins,
          all_over<float>{}, {}) >= 2);
  const auto numbers = thrust::make_counting_iterator(std::uint32_t{5});
  BOOST_TEST(
      check_emitted<sum<float>>(numbers, numbers, few_inputs, many_bins, all_over<float>{}, {}) >=
      2);
}

BOOST_AUTO_TEST_CASE(sums_of_double) {
  BOOST_TEST(
      check_samples<sum<double>>(words(few_inputs), 0, many_bins, all_over<double>{}, {}) >= 2);
}

// Compilers may round a product that is used for itself, and not where something is added to it. So
// there may be two pairs of a sample or one, but not one be counted and two be written, nor the
// other way round, which leaves places without a bin.
BOOST_AUTO_TEST_CASE(pairs_that_depend_on_the_last_bit) {
  for (on_the_edge emit : {on_the_edge{0.1f, -0.5f}, on_the_edge{0.1f, -0.1f * 3}}) {
    const float x = emit.b < -0.4f ? 5 : 3;
    const test::samples<float> samples(few_inputs, [&](std::size_t) { return x; });
    const auto in = test::buffer_of<test::cuda>(samples);
    std::vector<double> sums(many_bins, 12345);
    auto out = test::buffer_of<test::cuda>(sums);
    std::uint64_t dropped = 12345;
    thrust_hist::transform_histogram(
        test::cuda::policy(), in.data(), in.data() + samples.size(), out.data(), many_bins, emit,
        options{}.exact().dropped(&dropped));
    out.read(sums.data());
    BOOST_TEST(dropped == 0U);
    const double all = static_cast<double>(emit.a * x) * few_inputs;
    double& twice = sums[static_cast<std::size_t>(x)];
    double& once = sums[on_the_edge::other_bin];
    BOOST_TEST(twice / 2 + once == all);
    twice = once = 0;
    BOOST_TEST((sums == std::vector<double>(many_bins)));
  }
}

BOOST_AUTO_TEST_CASE(what_explain_says) {
  const explained_structs explained;
  const auto listed = explained(test::cuda::policy());
  BOOST_TEST((listed.taken != route::global));
  BOOST_TEST(listed.why.find("emitted") != std::string::npos);
  BOOST_TEST(listed.scratch_bytes >= many_inputs * (4 + sizeof(later)));
  BOOST_TEST((explained(thrust::cuda::par_nosync).taken == listed.taken));
  // Few, or a way that is forced, or no memory for it.
  BOOST_TEST((explained(test::cuda::policy(), {}, 1000).taken == route::global));
  const auto direct = explained(test::cuda::policy(), options{}.force(route::global));
  BOOST_TEST((direct.taken == route::global));
  BOOST_TEST(
      (explained(test::cuda::policy(), options{}.max_temporary_bytes(direct.scratch_bytes)).taken ==
       route::global));
}

// Pairs are listed all the same, and all memory has gone back.
BOOST_AUTO_TEST_CASE(a_policy_that_does_not_wait) {
  const auto samples = words(many_inputs);
  const std::vector<later> expected = structs_on_one_thread(samples);
  const auto in = test::buffer_of<test::cuda>(samples);
  test::output<test::cuda, later> out(some_bins);
  test::ledger book;
  poor_allocator allocator(book);
  const test::stream s;
  thrust_hist::transform_histogram(
      thrust::cuda::par_nosync(allocator).on(s.get()), in.data(), in.data() + samples.size(),
      out.data(), some_bins, some_structs{}, keep_last{}, later{});
  s.wait();
  out.check_equals(expected);
  BOOST_TEST(book.allocations() > 2U);
  BOOST_TEST(book.outstanding() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_listed_complex, THRUST_HIST_TEST_SMALL_LOCKS)
using namespace folds_listed_setup;

// Part by part once they are listed.
BOOST_AUTO_TEST_CASE(exact_sums_of_complex_numbers) {
  using complex = thrust::complex<float>;
  BOOST_TEST(
      check_samples<complex>(
          words(few_inputs), 0, many_bins, all_over<complex>{}, options{}.exact()) >= 2);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folds_listed_large, THRUST_HIST_TEST_LARGE)
using namespace folds_listed_setup;

BOOST_AUTO_TEST_CASE(values_that_want_locks) {
  for (std::size_t n : {std::size_t{65536}, std::size_t{200003}})
    BOOST_TEST(
        check_samples<later>(words(n), 0, some_bins, some_structs{}, {}, keep_last{}, later{}) >=
        2);
  using wide = test::summed<128, 128>;
  BOOST_TEST(
      check_samples<wide>(
          words(many_inputs), 3, some_bins, wide_bytes{}, {}, test::sum_bytes{}, wide{}) >= 2);
}

BOOST_AUTO_TEST_CASE(exact_sums_of_a_million_inputs) {
  BOOST_TEST(check_samples<sum<float>>(words(1100009), 0, some_bins, all_over<float>{}, {}) >= 2);
}

BOOST_AUTO_TEST_CASE(caps_leave_memory_for_a_list_or_not) {
  const auto samples = words(200003);
  const std::vector<later> expected = structs_on_one_thread(samples);
  const auto in = test::buffer_of<test::cuda>(samples);
  int taken = 0, listed = 0;
  for (std::size_t cap = std::size_t{64} << 20; cap > 1000; cap -= cap / 4)
    BOOST_TEST_CONTEXT("cap " << cap) {
      test::output<test::cuda, later> out(some_bins);
      test::ledger book;
      poor_allocator allocator(book);
      try {
        thrust_hist::transform_histogram(
            thrust::cuda::par(allocator), in.data(), in.data() + samples.size(), out.data(),
            some_bins, some_structs{}, keep_last{}, later{}, options{}.max_temporary_bytes(cap));
        out.check_equals(expected);
        ++taken;
        listed += book.allocations() > 2 ? 1 : 0;
      } catch (thrust_hist::memory_limit_error const& refused) {
        BOOST_TEST(refused.smallest() > cap);
        out.check_untouched();
      }
      BOOST_TEST(book.peak() <= cap);
    }
  BOOST_TEST(listed >= 3);
  BOOST_TEST(taken >= listed + 3);
}

BOOST_AUTO_TEST_CASE(no_memory_for_a_list) {
  const auto samples = words(many_inputs);
  const std::vector<later> expected = structs_on_one_thread(samples);
  const auto in = test::buffer_of<test::cuda>(samples);
  // For what is taken without a list, and for the list as well, but not for what folds it.
  const std::size_t direct =
      explained_structs()(test::cuda::policy(), options{}.force(route::global)).scratch_bytes;
  const std::size_t of_list = 2 * many_inputs * (4 + sizeof(later));
  for (std::size_t most : {direct, of_list}) {
    test::ledger book;
    poor_allocator allocator(book, static_cast<std::ptrdiff_t>(most));
    test::output<test::cuda, later> out(some_bins);
    thrust_hist::transform_histogram(
        thrust::cuda::par(allocator), in.data(), in.data() + samples.size(), out.data(), some_bins,
        some_structs{}, keep_last{}, later{});
    out.check_equals(expected);
    BOOST_TEST(book.outstanding() == 0U);
    BOOST_TEST(book.allocations() == (most == direct ? 2U : 3U));
  }

  // An allocator that refuses is heard, and nothing was written.
  test::output<test::cuda, later> untouched(some_bins);
  for (int healthy : {0, 1, 2}) {
    test::ledger refusing(healthy);
    poor_allocator refuses(refusing);
    BOOST_CHECK_THROW(
        thrust_hist::transform_histogram(
            thrust::cuda::par(refuses), in.data(), in.data() + samples.size(), untouched.data(),
            some_bins, some_structs{}, keep_last{}, later{}),
        test::allocation_refused);
    untouched.check_untouched();
    BOOST_TEST(refusing.outstanding() == 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
