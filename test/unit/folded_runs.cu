// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs of sorted codes, of any length, wherever they reach over threads, warps and tiles: their
// states are folded in order.

#include "../support/boost_test.h"
#include "../support/systems.h"
#include <thrust_hist/system/cuda/fold_sorted.cuh>

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/sequence.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

BOOST_AUTO_TEST_SUITE(folded_runs, THRUST_HIST_TEST_SMALL)

namespace {

using thrust_hist::detail::number_code;
using thrust_hist::detail::number_keys;
using thrust_hist::detail::plain_fold;
using thrust_hist::detail::uint128;
namespace cuda = thrust_hist::detail::cuda;

// x -> scale * x + shift, one after the other: which of them comes first makes a difference.
struct then {
  __host__ __device__ std::uint32_t operator()(std::uint32_t f, std::uint32_t g) const {
    const std::uint32_t scale = (f >> 16) * (g >> 16) & 0xffff;
    const std::uint32_t shift = ((g >> 16) * (f & 0xffff) + (g & 0xffff)) & 0xffff;
    return scale << 16 | shift;
  }
};

// Neighbours side by side: anything else leaves a gap.
template <std::size_t Size>
struct stretch {
  std::uint32_t first, last, gap;
  std::uint32_t others[Size / 4 - 3];
};
// An operator must not be called for anything else, whatever becomes of that.
__device__ unsigned gaps_met = 0;
struct join {
  template <std::size_t Size>
  __device__ stretch<Size> operator()(stretch<Size> const& a, stretch<Size> const& b) const {
    stretch<Size> both = a;
    both.last = b.last;
    both.gap |= b.gap;
    if (a.last + 1 != b.first) {
      both.gap = 1;
      atomicAdd(&gaps_met, 1u);
    }
    return both;
  }
};
template <std::size_t Size>
struct stretch_at {
  __host__ __device__ stretch<Size> operator()(std::uint32_t i) const { return {i, i, 0, {}}; }
};

// Where runs begin, of up to `longest`.
std::vector<std::size_t> begins_of(std::size_t n, std::size_t longest) {
  std::mt19937 random(static_cast<unsigned>(n + longest));
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < n; i += 1 + random() % longest)
    begins.push_back(i);
  return begins;
}

template <class Key>
using code_of = typename number_code<Key>::code;
template <class Key>
struct rows_of {
  thrust::device_vector<Key> keys, keys_out;
  std::vector<std::size_t> begins;
  std::size_t offset;  // of the first key: whether several can be loaded at once

  rows_of(std::size_t n, std::size_t longest, std::size_t offset = 0)
      : begins(begins_of(n, longest)), offset(offset) {
    thrust::host_vector<Key> all(offset + n);
    for (std::size_t r = 0; r < begins.size(); ++r)
      for (std::size_t i = begins[r]; i < end_of(r, n); ++i)
        all[offset + i] = static_cast<Key>(r * 3 + 1);
    keys = all;
    keys_out.resize(begins.size() + 1, Key{2});
  }
  std::size_t end_of(std::size_t r, std::size_t n) const {
    return r + 1 < begins.size() ? begins[r + 1] : n;
  }
  // Writes rows, and returns how many. Keys are codes, or stand.
  template <class Fold, class States>
  std::uint64_t write(
      Fold const& fold, States const& states, thrust::device_vector<typename Fold::state>& out) {
    using kind = number_keys<code_of<Key>>;
    auto policy = thrust::cuda::par.on(nullptr);
    cuda::call_memory<decltype(policy)> memory(policy);
    const cuda::run_begins<kind, Key> found = {
        {number_code<Key>::lowest(), number_code<Key>::span()},
        thrust::raw_pointer_cast(keys.data()) + offset};
    const cuda::row_writer<kind, Key, Fold, Key*, typename Fold::state*> writer = {
        fold, thrust::raw_pointer_cast(keys_out.data()), thrust::raw_pointer_cast(out.data())};
    return cuda::fold_sorted(memory, found, keys.size() - offset, states, writer);
  }
  void check_keys() const {
    const thrust::host_vector<Key> written = keys_out;
    std::size_t wrong = 0;
    for (std::size_t r = 0; r < begins.size(); ++r)
      wrong += written[r] == static_cast<Key>(r * 3 + 1) ? 0 : 1;
    BOOST_TEST(wrong == 0u);
    BOOST_TEST((written[begins.size()] == Key{2}));
  }
};

// Around the sizes of tiles, and where these become larger.
constexpr std::size_t sizes[] = {1,    2,    31,   33,   511,    1023,           1024,
                                 1025, 2049, 4097, 9999, 300001, (1u << 19) + 5, (1u << 21) + 9};

// What a state of 4 bytes or less is folded to is not known by others: by composition.
template <class Key>
void fold_functions() {
  using fold = plain_fold<std::uint32_t, then>;
  for (std::size_t n : sizes)
    for (std::size_t longest : {1, 3, 40, 700, 20000, 200000}) {
      BOOST_TEST_CONTEXT(n << " codes, runs of up to " << longest) {
        const std::size_t offset = longest % 4;
        rows_of<Key> rows(n, longest, offset);
        thrust::host_vector<std::uint32_t> words(n);
        std::mt19937 random(7);
        for (auto& word : words)
          word = static_cast<std::uint32_t>(random()) | 0x10000;
        thrust::device_vector<std::uint32_t> device_words(offset);
        device_words.insert(device_words.end(), words.begin(), words.end());
        thrust::device_vector<std::uint32_t> out(rows.begins.size() + 1, 0xabcd);
        const cuda::carried_states<fold, std::uint32_t> states = {
            fold{}, thrust::raw_pointer_cast(device_words.data()) + offset};
        BOOST_TEST(rows.write(fold{}, states, out) == rows.begins.size());
        rows.check_keys();
        const thrust::host_vector<std::uint32_t> folded = out;
        std::size_t wrong = 0;
        for (std::size_t r = 0; r < rows.begins.size(); ++r) {
          std::uint32_t f = words[rows.begins[r]];
          for (std::size_t i = rows.begins[r] + 1; i < rows.end_of(r, n); ++i)
            f = then{}(f, words[i]);
          wrong += folded[r] == f ? 0 : 1;
        }
        BOOST_TEST(wrong == 0u);
        BOOST_TEST(folded[rows.begins.size()] == 0xabcdu);
      }
    }
}

// Larger ones, of which the numbers lie beside codes.
template <class Key, std::size_t Size>
void fold_stretches(std::size_t n, std::size_t longest) {
  BOOST_TEST_CONTEXT(n << " codes, runs of up to " << longest << ", " << Size << " bytes") {
    using fold = plain_fold<stretch<Size>, join>;
    const auto values =
        thrust::make_transform_iterator(thrust::make_counting_iterator(0u), stretch_at<Size>{});
    rows_of<Key> rows(n, longest);
    thrust::device_vector<std::uint32_t> numbers(n);
    thrust::sequence(numbers.begin(), numbers.end());
    thrust::device_vector<stretch<Size>> out(rows.begins.size() + 1);
    const cuda::numbered_states<fold, std::decay_t<decltype(values)>> states = {
        fold{}, values, thrust::raw_pointer_cast(numbers.data())};
    BOOST_TEST(rows.write(fold{}, states, out) == rows.begins.size());
    rows.check_keys();
    const thrust::host_vector<stretch<Size>> folded = out;
    std::size_t wrong = 0;
    for (std::size_t r = 0; r < rows.begins.size(); ++r) {
      const stretch<Size>& row = folded[r];
      wrong +=
          row.first == rows.begins[r] && row.last + 1 == rows.end_of(r, n) && row.gap == 0 ? 0 : 1;
    }
    BOOST_TEST(wrong == 0u);
    BOOST_TEST(folded[rows.begins.size()].last == 0u);
    unsigned met = 1;
    BOOST_TEST(cudaMemcpyFromSymbol(&met, gaps_met, sizeof met) == cudaSuccess);
    BOOST_TEST(met == 0u);
  }
}

}  // namespace

// Codes that are kept in shared memory, of 4 and 8 bytes, and others, which are read again.
BOOST_AUTO_TEST_CASE(functions_are_composed_in_their_order) {
  fold_functions<std::uint32_t>();
  fold_functions<std::uint64_t>();
  fold_functions<uint128>();
}

BOOST_AUTO_TEST_CASE(states_of_any_size_stay_side_by_side) {
  for (std::size_t n : {1, 255, 257, 1025, 5000, 600001})
    for (std::size_t longest : {1, 7, 100, 3000}) {
      fold_stretches<std::uint32_t, 16>(n, longest);
      fold_stretches<std::uint64_t, 28>(n, longest);
      fold_stretches<std::uint32_t, 64>(n, longest);
      fold_stretches<uint128, 40>(n, longest);
    }
}

// Real keys that stand: zeros of both signs are one run, and where the last one is no number
// nothing is written.
BOOST_AUTO_TEST_CASE(real_keys_that_stand) {
  using fold = plain_fold<std::uint32_t, then>;
  for (std::size_t n : {3, 1000, 9000}) {
    rows_of<float> rows(n, 1);
    const thrust::device_vector<std::uint32_t> words(n, 0x10001);  // each adds one
    thrust::device_vector<std::uint32_t> out(n + 1, 0xabcd);
    const cuda::carried_states<fold, std::uint32_t> states = {
        fold{}, thrust::raw_pointer_cast(words.data())};
    const std::size_t zeros = n * 2 / 3;  // over threads, warps and tiles
    thrust::host_vector<float> keys = rows.keys;
    for (std::size_t i = 0; i < zeros; ++i)
      keys[i] = i % 2 == 0 ? -0.f : 0.f;
    rows.keys = keys;
    BOOST_TEST(rows.write(fold{}, states, out) == n - zeros + 1);
    BOOST_TEST(out[0] == 0x10000u + zeros);
    BOOST_TEST(static_cast<float>(rows.keys_out[0]) == 0.f);
    BOOST_TEST(!std::signbit(static_cast<float>(rows.keys_out[0])));
    for (std::size_t last : {n - 1, std::size_t{0}}) {
      rows.keys = keys;
      rows.keys[last] = last == 0 ? -NAN : NAN;
      thrust::fill(out.begin(), out.end(), 0xabcdu);
      thrust::fill(rows.keys_out.begin(), rows.keys_out.end(), 2.f);
      BOOST_TEST(rows.write(fold{}, states, out) == cuda::rows_are_lost);
      const auto all = static_cast<std::ptrdiff_t>(n) + 1;
      BOOST_TEST(thrust::count(out.begin(), out.end(), 0xabcdu) == all);
      BOOST_TEST(thrust::count(rows.keys_out.begin(), rows.keys_out.end(), 2.f) == all);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
