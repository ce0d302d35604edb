// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Whether a call throws the right kind of exception, with the right words in its text.

#include "boost_test.h"

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace test {

template <class Exception, class Call>
boost::test_tools::assertion_result throws_as(
    Call call, std::initializer_list<std::string_view> words) {
  boost::test_tools::assertion_result answer(false);
  try {
    call();
    answer.message() << "nothing was thrown";
  } catch (Exception const& thrown) {
    answer = boost::test_tools::assertion_result(true);
    for (std::string_view word : words)
      if (std::string_view(thrown.what()).find(word) == std::string_view::npos) {
        answer = boost::test_tools::assertion_result(false);
        answer.message() << "\"" << thrown.what() << "\" lacks \"" << word << "\"";
        return answer;
      }
  } catch (std::exception const& other) {
    answer.message() << "another exception was thrown: " << other.what();
  }
  return answer;
}

// std::invalid_argument, what bad values get.
template <class Call, class... Words>
boost::test_tools::assertion_result throws(Call call, Words... words) {
  return throws_as<std::invalid_argument>(call, {words...});
}

}  // namespace test
