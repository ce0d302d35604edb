// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What the key of a sparse histogram is. Numbers become codes, unsigned integers of their size in
/// the same order, so that all types of one size share the code of the systems; keys of other types
/// are compared by the user's operators.
///
/// A kind of keys has a `code`, `hash(code)`, `equal` and `less`, `encode(key)` and
/// `decode<Key>(code)`, and `is_alone(code)`: this key equals no other one, as NaN does not.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/ieee.h>
#include <thrust_hist/detail/mixed_codes.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/operators.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

template <std::size_t Bytes>
struct code_of_size {};
template <>
struct code_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct code_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct code_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct code_of_size<8> {
  using type = std::uint64_t;
};
template <>
struct code_of_size<16> {
  using type = uint128;
};

// g++ -std=c++17 says that 128-bit integers are no integers.
template <class T>
inline constexpr bool is_integer_of_128 = std::is_same_v<T, int128> || std::is_same_v<T, uint128>;
template <class T>
inline constexpr bool is_number_key =
    std::is_integral_v<T> || is_integer_of_128<T> || std::is_enum_v<T> || is_real_sample<T>;

/// How the numbers of a type become codes.
template <class Key>
class number_code {
  template <class T, bool Enum = std::is_enum_v<T>>
  struct integer {
    using type = T;
  };
  template <class T>
  struct integer<T, true> {
    using type = std::underlying_type_t<T>;
  };
  using number = typename integer<Key>::type;

public:
  using code = typename code_of_size<sizeof(Key)>::type;

  THRUST_HIST_HOST_DEVICE static code encode(Key key) noexcept {
    if constexpr (is_real_sample<Key>) {
      return flip(static_cast<code>(detail::order_key(key)));
    } else if constexpr (has_sign) {
      return flip(static_cast<code>(static_cast<number>(key)));
    } else {
      return static_cast<code>(static_cast<number>(key));
    }
  }
  THRUST_HIST_HOST_DEVICE static Key decode(code c) noexcept {
    if constexpr (is_real_sample<Key>) {
      using key = typename real_format<Key>::key;
      return detail::bit_cast<Key>(detail::order_key_bits(static_cast<key>(flip(c))));
    } else if constexpr (has_sign) {
      return static_cast<Key>(static_cast<number>(flip(c)));
    } else {
      return static_cast<Key>(static_cast<number>(c));
    }
  }

  /// Codes of numbers lie between those of the infinities, codes of NaN beyond.
  static constexpr code lowest() noexcept {
    return static_cast<code>(is_real ? sign - infinity : 0);
  }
  static constexpr code span() noexcept {
    return is_real ? static_cast<code>(infinity * 2) : static_cast<code>(~code{});
  }

private:
  static constexpr bool is_real = is_real_sample<Key>;
  static constexpr bool has_sign = std::is_signed_v<number> || std::is_same_v<number, int128>;
  static constexpr code sign = static_cast<code>(code{1} << (sizeof(code) * 8 - 1));
  static constexpr code infinity = [] {
    if constexpr (is_real_sample<Key>) {
      constexpr int fraction = real_format<Key>::digits - 1;
      return static_cast<code>(static_cast<code>(sign - 1) >> fraction << fraction);
    }
    return code{};
  }();
  THRUST_HIST_HOST_DEVICE static code flip(code c) noexcept { return static_cast<code>(c ^ sign); }
};

/// Numbers, by their codes, or by what these are in a wider type.
template <class Code>
struct number_keys {
  using code = Code;
  Code lowest;
  Code span;

  THRUST_HIST_HOST_DEVICE std::uint64_t hash(Code c) const noexcept {
    if constexpr (sizeof(Code) > 8) {
      return detail::mix_code(
          static_cast<std::uint64_t>(c) ^ detail::mix_code(static_cast<std::uint64_t>(c >> 64)));
    } else {
      return detail::mix_code(std::uint64_t{c});
    }
  }
  THRUST_HIST_HOST_DEVICE bool equal(Code a, Code b) const noexcept { return a == b; }
  THRUST_HIST_HOST_DEVICE bool less(Code a, Code b) const noexcept { return a < b; }
  THRUST_HIST_HOST_DEVICE bool is_alone(Code c) const noexcept {
    return static_cast<Code>(c - lowest) > span;
  }
  /// Behind all codes of real numbers.
  THRUST_HIST_HOST_DEVICE static Code last() noexcept { return static_cast<Code>(~Code{}); }
  template <class Key>
  THRUST_HIST_HOST_DEVICE static Code encode(Key const& key) noexcept {
    return static_cast<Code>(number_code<Key>::encode(key));
  }
  template <class Key>
  THRUST_HIST_HOST_DEVICE static Key decode(Code c) noexcept {
    return number_code<Key>::decode(static_cast<typename number_code<Key>::code>(c));
  }
};

/// Keys of any type, by the operators of a user.
template <class Key, class Operators>
struct user_keys {
  using code = Key;
  Operators operators;

  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE std::uint64_t hash(Key const& k) const {
    return detail::mix_code(static_cast<std::uint64_t>(operators.hash(k)));
  }
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE bool equal(Key const& a, Key const& b) const {
    return static_cast<bool>(operators.equal(a, b));
  }
  THRUST_HIST_EXEC_CHECK_DISABLE
  THRUST_HIST_HOST_DEVICE bool less(Key const& a, Key const& b) const {
    return static_cast<bool>(operators.less(a, b));
  }
  THRUST_HIST_HOST_DEVICE bool is_alone(Key const&) const noexcept { return false; }
  template <class>
  THRUST_HIST_HOST_DEVICE static Key encode(Key const& key) {
    return key;
  }
  template <class>
  THRUST_HIST_HOST_DEVICE static Key decode(Key const& key) {
    return key;
  }
};

template <class Kind>
inline constexpr bool is_number_kind = false;
template <class Code>
inline constexpr bool is_number_kind<number_keys<Code>> = true;
/// Whether there are keys that equal no other one.
template <class Kind, class Key>
inline constexpr bool has_alone_keys = is_number_kind<Kind>&& is_real_sample<Key>;

/// No operators were given: keys are numbers.
struct no_key_operators {};

/// Whether operators can be called with keys of a type. Lambdas for the device alone seem to take
/// anything here.
template <class Key, class Operators>
inline constexpr bool take_keys = std::is_invocable_v<decltype(Operators::hash)&, Key const&>&&
    std::is_invocable_v<decltype(Operators::equal)&, Key const&, Key const&>&&
        std::is_invocable_v<decltype(Operators::less)&, Key const&, Key const&>;
template <class Key>
inline constexpr bool take_keys<Key, no_key_operators> = is_number_key<Key>;

template <class Key, class Operators>
inline constexpr bool is_key = std::is_trivially_copyable_v<Key>&& take_keys<Key, Operators>;

template <class Key, class Operators>
constexpr void require_key() {
  constexpr bool has_operators = !std::is_same_v<Operators, no_key_operators>;
  static_assert(
      std::is_trivially_copyable_v<Key> || !has_operators,
      "thrust_hist: keys must be trivially copyable, so that they can go to a GPU.");
  static_assert(
      take_keys<Key, Operators> || has_operators,
      "thrust_hist: keys that are no integers, enums, float or double need "
      "key_operators{hash, equal, less} after the outputs, see operators.h.");
  static_assert(
      take_keys<Key, Operators> || !has_operators,
      "thrust_hist: key_operators{hash, equal, less} are called with keys of the input: hash(key) "
      "is a number, equal(a, b) and less(a, b) are true or false.");
}

/// What keys of a type are.
template <class Key, class Operators>
auto keys_by(Operators const& operators) {
  if constexpr (!std::is_same_v<Operators, no_key_operators>) {
    return user_keys<Key, Operators>{operators};
  } else {
    using code = typename number_code<Key>::code;
    return number_keys<code>{number_code<Key>::lowest(), number_code<Key>::span()};
  }
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
