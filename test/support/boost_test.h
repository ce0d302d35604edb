// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The shared library of Boost.Test compiles four times faster than the header-only form; a build
// that is carried to another machine links the static one.
#if !defined(THRUST_HIST_TEST_STATIC_BOOST) && !defined(BOOST_TEST_DYN_LINK)
#  define BOOST_TEST_DYN_LINK
#endif
#include <boost/test/unit_test.hpp>
