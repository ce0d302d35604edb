// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Scratch memory that is kept from call to call.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/scratch_dispatch.h>

THRUST_HIST_NAMESPACE_BEGIN

/// Gives back the scratch memory that calls on the current CUDA device have left for the next ones:
/// those under policies that wait and have no allocator, such as thrust::device. It is 1/256 of the
/// device's memory at most, or 4 MiB where that is more.
///
/// What calls of other threads are using stays, and so do mailboxes (docs/execution.md). cudaFree
/// waits for the device. The next call takes memory again. For who needs all memory that there is.
/// Knows of units of the same program or shared library that nvcc compiled for the same
/// architectures as the one that calls it; does nothing in a unit that nvcc did not compile as
/// CUDA. Throws thrust::system_error if there is no device.
inline void release_scratch() {
  detail::release_kept_memory();
}

THRUST_HIST_NAMESPACE_END
