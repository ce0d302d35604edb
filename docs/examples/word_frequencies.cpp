// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The most frequent words of a text:   word_frequencies [FILE]
// The bin of a word is a hash of its letters, modulo the number of bins. Two words could share one:
// that is looked for, letter by letter, and with twice as many bins it is tried again.
#include "support/expect.h"
#include "support/words.h"
#include <thrust_hist/transform_histogram.h>

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/memory.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#if !defined(THRUST_HIST_EXAMPLE_TEXT)  // from the top of the repository
#  define THRUST_HIST_EXAMPLE_TEXT "docs/examples/README.md"
#endif

//! [words]
// A pair for each position at which a word begins, none for the others.
struct emit_word {
  text_view text;
  std::uint64_t bins;

  template <class Sink>
  THRUST_HIST_HOST_DEVICE void operator()(std::uint32_t at, Sink const& sink) const {
    if (text.begins_word(at)) {
      sink(text.hash(at) % bins, occurrences{1, at});
    }
  }
};

// Whether the word at a position is another one than the first of its bin. If none is, each bin has
// one word at most.
struct shares_bin {
  text_view text;
  std::uint64_t bins;
  occurrences const* table;

  THRUST_HIST_HOST_DEVICE bool operator()(std::uint32_t at) const {
    return text.begins_word(at) && !text.same_word(at, table[text.hash(at) % bins].first);
  }
};
//! [words]

struct occurs {
  THRUST_HIST_HOST_DEVICE bool operator()(occurrences const& o) const { return o.count != 0; }
};

// Every word of the text once.
static std::vector<occurrences> count_words(text_view text) {
  thrust::counting_iterator<std::uint32_t> const position(0);
  auto const end = position + text.size;
  for (std::uint64_t bins = 1u << 12; bins <= 1u << 26; bins *= 2) {
    //! [word_table]
    thrust::device_vector<occurrences> table(bins);
    thrust_hist::transform_histogram(
        thrust::device, position, end, table.begin(), bins, emit_word{text, bins}, joined{},
        occurrences{0, UINT32_MAX});
    shares_bin const shared{text, bins, thrust::raw_pointer_cast(table.data())};
    auto const others = thrust::count_if(thrust::device, position, end, shared);
    //! [word_table]
    std::printf("%9llu bins: ", static_cast<unsigned long long>(bins));
    if (others == 0) {
      std::printf("no two words share one\n");
      thrust::device_vector<occurrences> seen(bins);
      seen.erase(thrust::copy_if(table.begin(), table.end(), seen.begin(), occurs{}), seen.end());
      std::vector<occurrences> words(seen.size());
      thrust::copy(seen.begin(), seen.end(), words.begin());
      return words;
    }
    std::printf("%lld times a word that shares one\n", static_cast<long long>(others));
  }
  throw std::runtime_error("too many different words for a table without collisions");
}

static std::unordered_map<std::string, std::uint32_t> counted_plainly(std::string const& text) {
  std::unordered_map<std::string, std::uint32_t> counts;
  std::string word;
  for (char const c : text + ' ') {
    auto const byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalpha(byte) != 0) {
      word += static_cast<char>(std::tolower(byte));
    } else if (!word.empty()) {
      ++counts[word];
      word.clear();
    }
  }
  return counts;
}

int main(int argc, char** argv) {
  try {
    std::string const text =
        argc > 1 ? read_text({argv[1]})
                 : read_text({"/usr/share/common-licenses/GPL-3", THRUST_HIST_EXAMPLE_TEXT});
    thrust::device_vector<char> const there(text.begin(), text.end());
    auto words = count_words(
        {thrust::raw_pointer_cast(there.data()), static_cast<std::uint32_t>(text.size())});

    text_view const here{text.data(), static_cast<std::uint32_t>(text.size())};
    auto const expected = counted_plainly(text);
    expect(words.size() == expected.size(), "there are as many words as in a map");
    std::sort(words.begin(), words.end(), [](occurrences const& a, occurrences const& b) {
      return a.count != b.count ? a.count > b.count : a.first < b.first;
    });
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string word;
      for (std::uint32_t at = words[i].first; here.letter(at) != 0; ++at) {
        word += here.letter(at);
      }
      auto const found = expected.find(word);
      expect(found != expected.end() && found->second == words[i].count, "a map counts the same");
      if (i < 10) {
        auto const length =
            static_cast<std::size_t>(std::lround(40.0 * words[i].count / words[0].count));
        std::printf(
            "%7u  %-12s %s\n", words[i].count, word.c_str(), std::string(length, '#').c_str());
      }
    }
    std::printf("%zu different words\n", words.size());
  } catch (std::exception const& error) {
    std::fprintf(stderr, "word_frequencies: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return 0;
}
