// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "element_type.h"

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

/// The type and the place of the numbers in a .npy file.
struct npy_header {
  element_type type;
  std::uint64_t count;
  std::uint64_t data_begins;
};

namespace npy {

// The value after 'key': in the Python dictionary that is the header, up to one of the `ends`.
inline std::string value_of(std::string const& header, std::string const& key, char const* ends) {
  auto const at = header.find("'" + key + "'");
  auto const colon = header.find(':', at == std::string::npos ? header.size() : at);
  if (colon == std::string::npos) {
    throw input_error("the .npy header has no '" + key + "'");
  }
  auto const begin = header.find_first_not_of(" '(", colon + 1);
  auto const end = header.find_first_of(ends, begin);
  return begin == std::string::npos ? "" : header.substr(begin, end - begin);
}

inline element_type type_of(std::string const& descr) {
  std::string const kind = descr.empty() ? "" : descr.substr(1);
  if (descr.empty() || descr[0] == '>') {
    throw input_error("the .npy file holds '" + descr + "', big-endian numbers are not read");
  }
  for (auto const& entry : element_type_names) {
    if (kind == entry.numpy) {
      return entry.type;
    }
  }
  throw input_error(
      "the .npy file holds '" + descr + "', which is no plain number of 1 to 8 bytes");
}

inline std::uint64_t count_of(std::string const& shape) {
  std::uint64_t count = 1;  // the shape () is one number
  for (std::size_t i = 0; i < shape.size();) {
    if (std::isdigit(static_cast<unsigned char>(shape[i])) == 0) {
      ++i;
      continue;
    }
    std::size_t digits = 0;
    auto const extent = std::stoull(shape.substr(i), &digits);
    if (extent != 0 && count > UINT64_MAX / 8 / extent) {
      throw input_error("the .npy file has an impossible shape (" + shape + ")");
    }
    count *= extent;
    i += digits;
  }
  return count;
}

/// Reads the header; nothing where the file does not begin like a .npy file.
inline std::optional<npy_header> read_header(std::istream& file) {
  unsigned char start[12] = {};
  file.read(reinterpret_cast<char*>(start), sizeof start);
  std::string const magic(reinterpret_cast<char*>(start), 6);
  if (!file || magic != "\x93NUMPY") {
    file.clear();
    return std::nullopt;
  }
  bool const long_header = start[6] > 1;
  std::uint64_t length = start[8] | start[9] << 8;
  if (long_header) {
    length |= std::uint64_t{start[10]} << 16 | std::uint64_t{start[11]} << 24;
  }
  std::uint64_t const begin = long_header ? 12 : 10;
  if (length > 1u << 20) {
    throw input_error("the .npy header is damaged");
  }
  std::string header(length, ' ');
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(header.data(), static_cast<std::streamsize>(length));
  if (!file) {
    throw input_error("the .npy file ends inside its header");
  }
  return npy_header{
      type_of(value_of(header, "descr", "'")), count_of(value_of(header, "shape", ")")),
      begin + length};
}

}  // namespace npy

/// A file of elements of one type, raw or .npy, read in chunks.
class input_file {
public:
  /// `type`: that of the elements; where it is not given, a .npy header must say it.
  /// `as_bytes`: the bytes of the file, whatever it is.
  input_file(std::string const& path, std::optional<element_type> type, bool as_bytes)
      : path_(path) {
    if (!std::filesystem::exists(path)) {
      throw input_error(path + ": no such file");
    }
    if (!std::filesystem::is_regular_file(path)) {
      throw input_error(path + " is not a regular file");
    }
    file_.open(path, std::ios::binary);
    if (!file_) {
      throw input_error(path + " cannot be opened for reading");
    }
    std::uint64_t const bytes = std::filesystem::file_size(path);
    if (bytes == 0) {
      throw input_error(path + " is empty: there is nothing to count");
    }
    auto const header = as_bytes ? std::nullopt : npy::read_header(file_);
    if (!header && !as_bytes && !type) {
      throw input_error(
          path +
          " does not begin like a .npy file: give the --type of its numbers, or --count bytes");
    }
    if (!header) {
      set_raw(as_bytes ? element_type::u8 : *type, bytes);
    } else if (type && *type != header->type) {
      throw input_error(path + " holds " + to_string(header->type) + ", not " + to_string(*type));
    } else {
      set_npy(*header, bytes);
    }
    rewind();
  }

  element_type type() const { return type_; }
  std::uint64_t count() const { return count_; }
  bool is_npy() const { return begin_ != 0; }

  void rewind() {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(begin_));
    left_ = count_;
  }

  /// Reads up to `most` elements into `chunk` (resized); false at the end.
  bool read(std::vector<unsigned char>& chunk, std::uint64_t most) {
    std::uint64_t const elements = most < left_ ? most : left_;
    chunk.resize(elements * size_of(type_));
    file_.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(chunk.size()));
    if (!file_) {
      throw input_error(path_ + " could not be read to its end");
    }
    left_ -= elements;
    return elements != 0;
  }

private:
  void set_raw(element_type type, std::uint64_t bytes) {
    std::uint64_t const size = size_of(type);
    if (bytes % size != 0) {
      throw input_error(
          path_ + " has " + std::to_string(bytes) + " bytes, which is no multiple of the " +
          std::to_string(size) + " bytes of a number of type " + to_string(type));
    }
    type_ = type;
    count_ = bytes / size;
  }

  void set_npy(npy_header const& header, std::uint64_t bytes) {
    type_ = header.type;
    count_ = header.count;
    begin_ = header.data_begins;
    std::uint64_t const expected = count_ * size_of(type_);
    if (bytes - begin_ != expected) {
      throw input_error(
          path_ + " has " + std::to_string(bytes - begin_) + " bytes of numbers, its header says " +
          std::to_string(expected));
    }
    if (count_ == 0) {
      throw input_error(path_ + " holds an array without elements: there is nothing to count");
    }
  }

  std::string path_;
  std::ifstream file_;
  element_type type_ = element_type::u8;
  std::uint64_t begin_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t left_ = 0;
};
