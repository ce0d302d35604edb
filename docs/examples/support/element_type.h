// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

/// Something that the user of an example can put right: its text is all that he is shown.
struct input_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The element types of a file of numbers.
enum class element_type { u8, u16, u32, u64, i8, i16, i32, i64, f32, f64 };

struct element_type_name {
  element_type type;
  char const* name;   // on the command line
  char const* numpy;  // in the header of a .npy file, without the byte order
};

inline constexpr std::array<element_type_name, 10> element_type_names{{
    {element_type::u8, "u8", "u1"},
    {element_type::u16, "u16", "u2"},
    {element_type::u32, "u32", "u4"},
    {element_type::u64, "u64", "u8"},
    {element_type::i8, "i8", "i1"},
    {element_type::i16, "i16", "i2"},
    {element_type::i32, "i32", "i4"},
    {element_type::i64, "i64", "i8"},
    {element_type::f32, "f32", "f4"},
    {element_type::f64, "f64", "f8"},
}};

inline std::string to_string(element_type type) {
  return element_type_names[static_cast<std::size_t>(type)].name;
}

inline element_type parse_element_type(std::string const& name) {
  std::string known;
  for (auto const& entry : element_type_names) {
    if (name == entry.name) {
      return entry.type;
    }
    known += std::string(known.empty() ? "" : ", ") + entry.name;
  }
  throw input_error("unknown type '" + name + "': it must be one of " + known);
}

/// Calls `f(T{})` with the C++ type.
template <class F>
auto visit(element_type type, F&& f) {
  switch (type) {
  case element_type::u8:
    return f(std::uint8_t{});
  case element_type::u16:
    return f(std::uint16_t{});
  case element_type::u32:
    return f(std::uint32_t{});
  case element_type::u64:
    return f(std::uint64_t{});
  case element_type::i8:
    return f(std::int8_t{});
  case element_type::i16:
    return f(std::int16_t{});
  case element_type::i32:
    return f(std::int32_t{});
  case element_type::i64:
    return f(std::int64_t{});
  case element_type::f32:
    return f(float{});
  case element_type::f64:
    return f(double{});
  }
  throw std::logic_error("an element type that is none");
}

inline std::size_t size_of(element_type type) {
  return visit(type, [](auto element) { return sizeof(element); });
}
