// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every test binary is this unit and one or more units of cases.

#define BOOST_TEST_MODULE thrust_hist
#include "boost_test.h"
