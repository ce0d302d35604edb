// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How often each word of a text occurs:   word_count [FILE [--all]]
// The key of a word is a 64-bit hash of its letters, and nobody knows which hashes there are: a
// sparse histogram. That no two words have one hash is looked for, letter by letter. With --all
// every word is printed in the order of the alphabet, as by sort | uniq -c; else the ten that are
// most frequent.
#include "support/expect.h"
#include "support/words.h"
#include <thrust_hist/sparse_histogram.h>

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/memory.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#if !defined(THRUST_HIST_EXAMPLE_TEXT)  // from the top of the repository
#  define THRUST_HIST_EXAMPLE_TEXT "docs/examples/README.md"
#endif

struct begins_word {
  text_view text;
  THRUST_HIST_HOST_DEVICE bool operator()(std::uint32_t at) const { return text.begins_word(at); }
};
struct hash_of_word {
  text_view text;
  THRUST_HIST_HOST_DEVICE std::uint64_t operator()(std::uint32_t at) const { return text.hash(at); }
};
struct one_occurrence {
  THRUST_HIST_HOST_DEVICE occurrences operator()(std::uint32_t at) const { return {1, at}; }
};

// Whether the word at the i-th place is another one than the first of its row.
struct shares_hash {
  text_view text;
  std::uint32_t const* places;
  std::uint32_t const* rows;
  occurrences const* words;
  THRUST_HIST_HOST_DEVICE bool operator()(std::uint32_t i) const {
    return !text.same_word(places[i], words[rows[i]].first);
  }
};

// Every word of the text once.
static std::vector<occurrences> count_words(text_view text) {
  thrust::counting_iterator<std::uint32_t> const index(0);
  thrust::device_vector<std::uint32_t> places(text.size);
  auto const n =
      thrust::copy_if(thrust::device, index, index + text.size, places.begin(), begins_word{text}) -
      places.begin();

  //! [count]
  auto const hashes = thrust::make_transform_iterator(places.begin(), hash_of_word{text});
  auto const single = thrust::make_transform_iterator(places.begin(), one_occurrence{});
  thrust::device_vector<std::uint64_t> keys;
  thrust::device_vector<occurrences> words;
  thrust_hist::sparse_histogram_by_key(
      thrust::device, hashes, hashes + n, single, keys, words, joined{});
  //! [count]

  thrust::device_vector<std::uint32_t> rows(static_cast<std::size_t>(n));
  thrust::lower_bound(thrust::device, keys.begin(), keys.end(), hashes, hashes + n, rows.begin());
  auto const others = thrust::count_if(
      thrust::device, index, index + n,
      shares_hash{
          text, thrust::raw_pointer_cast(places.data()), thrust::raw_pointer_cast(rows.data()),
          thrust::raw_pointer_cast(words.data())});
  expect(others == 0, "no two words have one hash");

  std::vector<occurrences> found(words.size());
  thrust::copy(words.begin(), words.end(), found.begin());
  std::uint64_t sum = 0;
  for (auto const& word : found) {
    sum += word.count;
  }
  expect(sum == static_cast<std::uint64_t>(n), "every word is counted");
  return found;
}

static std::string word_at(text_view text, std::uint32_t at) {
  std::string word;
  for (; text.letter(at) != 0; ++at) {
    word += text.letter(at);
  }
  return word;
}

static void print_all(text_view text, std::vector<occurrences>& words) {
  std::sort(words.begin(), words.end(), [&](occurrences const& a, occurrences const& b) {
    return word_at(text, a.first) < word_at(text, b.first);
  });
  for (auto const& word : words) {
    std::printf("%7u %s\n", word.count, word_at(text, word.first).c_str());
  }
}

static void print_most_frequent(text_view text, std::vector<occurrences>& words) {
  std::sort(words.begin(), words.end(), [](occurrences const& a, occurrences const& b) {
    return a.count != b.count ? a.count > b.count : a.first < b.first;
  });
  for (std::size_t i = 0; i < words.size() && i < 10; ++i) {
    auto const length = std::lround(40.0 * words[i].count / words[0].count);
    std::printf(
        "%7u  %-12s %s\n", words[i].count, word_at(text, words[i].first).c_str(),
        std::string(static_cast<std::size_t>(length), '#').c_str());
  }
  std::printf("%zu different words\n", words.size());
}

int main(int argc, char** argv) {
  try {
    bool const all = argc > 2 && std::string(argv[2]) == "--all";
    std::string const text =
        argc > 1 ? read_text({argv[1]})
                 : read_text({"/usr/share/common-licenses/GPL-3", THRUST_HIST_EXAMPLE_TEXT});
    thrust::device_vector<char> const there(text.begin(), text.end());
    auto const size = static_cast<std::uint32_t>(text.size());
    auto words = count_words({thrust::raw_pointer_cast(there.data()), size});
    (all ? print_all : print_most_frequent)({text.data(), size}, words);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "word_count: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return 0;
}
