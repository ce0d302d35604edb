// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The words of a text, read wherever the text lies.

#include <thrust_hist/config.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

// A text of which each position can be asked for the word that begins there. Capitals do not
// matter.
struct text_view {
  char const* text;
  std::uint32_t size;

  // The letter at a position, as a small one; 0 for what is no letter.
  THRUST_HIST_HOST_DEVICE char letter(std::uint32_t at) const {
    if (at >= size) {
      return 0;
    }
    char const small = static_cast<char>(text[at] | 0x20);
    return 'a' <= small && small <= 'z' ? small : char{0};
  }
  THRUST_HIST_HOST_DEVICE bool begins_word(std::uint32_t at) const {
    return letter(at) != 0 && (at == 0 || letter(at - 1) == 0);
  }
  // FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo.
  THRUST_HIST_HOST_DEVICE std::uint64_t hash(std::uint32_t at) const {
    std::uint64_t h = 0xcbf29ce484222325u;
    for (; letter(at) != 0; ++at) {
      h = (h ^ static_cast<unsigned char>(letter(at))) * 0x100000001b3u;
    }
    return h;
  }
  THRUST_HIST_HOST_DEVICE bool same_word(std::uint32_t a, std::uint32_t b) const {
    for (; letter(a) == letter(b); ++a, ++b) {
      if (letter(a) == 0) {
        return true;
      }
    }
    return false;
  }
};

// How often a word is there, and where first.
struct occurrences {
  std::uint32_t count;
  std::uint32_t first;  // position in the text
};
struct joined {
  THRUST_HIST_HOST_DEVICE occurrences operator()(occurrences a, occurrences b) const {
    return {a.count + b.count, a.first < b.first ? a.first : b.first};
  }
};

// The first of these files that has a text in it.
inline std::string read_text(std::vector<std::string> const& places) {
  for (auto const& place : places) {
    std::ifstream file(place, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!text.empty() && text.size() < UINT32_MAX) {
      std::printf("%s: %zu bytes\n", place.c_str(), text.size());
      return text;
    }
  }
  throw std::runtime_error(places.front() + " cannot be read, is empty, or has 4 GB and more");
}
