// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// build: fast-math twin
// build: runs without a GPU
#include "even_float.cpp"
