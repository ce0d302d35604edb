// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Thrust's own vectors, for the cases that are about containers and class-type iterators.

#include "systems.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <type_traits>
#include <vector>

namespace test {

template <class System, class T>
using vector_of =
    std::conditional_t<System::is_cuda, thrust::device_vector<T>, thrust::host_vector<T>>;

template <class Vector>
std::vector<typename Vector::value_type> contents(Vector const& v) {
  std::vector<typename Vector::value_type> here(v.size());
  thrust::copy(v.begin(), v.end(), here.begin());
  return here;
}

}  // namespace test
