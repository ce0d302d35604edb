// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// All of thrust_hist. Each header can be included by itself as well.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/errors.h>
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_by_key.h>
#include <thrust_hist/histogram_even.h>
#include <thrust_hist/histogram_range.h>
#include <thrust_hist/iterators.h>
#include <thrust_hist/operators.h>
#include <thrust_hist/options.h>
#include <thrust_hist/reduce.h>
#include <thrust_hist/scratch.h>
#include <thrust_hist/sparse_histogram.h>
#include <thrust_hist/transform_histogram.h>
#include <thrust_hist/values.h>
#include <thrust_hist/version.h>
