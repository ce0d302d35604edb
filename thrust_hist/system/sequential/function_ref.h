// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Functions without their types: whatever takes one is compiled once, not for each lambda.

#include <thrust_hist/config.h>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

template <class Signature>
class function_ref;

/// Refers to a callable object, which has to live as long.
template <class... Arguments>
class function_ref<void(Arguments...)> {
public:
  template <class Function>
  function_ref(
      Function const& function) noexcept  // NOLINT: a lambda becomes one where it is handed over
      : object_(&function), call_([](void const* object, Arguments... arguments) {
          (*static_cast<Function const*>(object))(arguments...);
        }) {}

  void operator()(Arguments... arguments) const { call_(object_, arguments...); }

private:
  void const* object_;
  void (*call_)(void const*, Arguments...);
};

/// What one of several workers does, of whom each has a number.
using chunk_function = function_ref<void(unsigned)>;
/// `run(workers, chunk)` runs `chunk(worker)` for each worker and waits.
using run_function = function_ref<void(unsigned, chunk_function)>;

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
