// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Obeying options: what every system does with a cap on memory, a forced route, and the test hook.

#include <thrust_hist/config.h>
#include <thrust_hist/errors.h>
#include <thrust_hist/options.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// Throws memory_limit_error unless `bytes` of temporary memory are allowed.
inline void require_memory(options const& o, std::size_t bytes) {
  if (bytes > o.max_temporary_bytes_) {
    throw memory_limit_error(o.max_temporary_bytes_, bytes);
  }
}

/// Calls `run(rest)` with what options leave after `bytes` of temporary memory, and counts these in
/// what options::explain() tells.
template <class Run>
void with_reserved(options const& o, std::size_t bytes, Run run) {
  require_memory(o, bytes);
  options rest = o;
  rest.max_temporary_bytes_ -= bytes;
  try {
    run(rest);
  } catch (memory_limit_error const& error) {
    throw memory_limit_error(o.max_temporary_bytes_, error.smallest() + bytes);
  }
  if (o.explain_ != nullptr) {
    o.explain_->scratch_bytes += bytes;
  }
}

/// Throws std::invalid_argument: the forced route cannot be taken, because.
[[noreturn]] inline void refuse_route(route r, std::string const& why) {
  throw std::invalid_argument(
      std::string("thrust_hist: options::force(route::") + to_string(r) +
      ") is impossible here: " + why);
}

/// What is no route of a histogram of known bins, but for folds on CUDA.
inline void refuse_sparse_routes(route forced) {
  if (forced == route::hashed) {
    refuse_route(forced, "it is a route of sparse histograms");
  }
  if (forced == route::sorted) {
    refuse_route(forced, "it is a route of sparse histograms, and of folds on CUDA");
  }
}

/// The routes of the CUDA system; anything else was forced by mistake.
inline void require_cuda_route(route forced) {
  refuse_sparse_routes(forced);
  if (forced == route::serial || forced == route::private_tables) {
    refuse_route(forced, "it is a route of the host systems");
  }
}

/// The routes of the host systems; anything else was forced by mistake.
inline void require_host_route(options const& o) {
  refuse_sparse_routes(o.force_);
  if (o.force_ != route::automatic && o.force_ != route::serial &&
      o.force_ != route::private_tables && o.force_ != route::partitioned) {
    refuse_route(o.force_, "it is a route of the CUDA system");
  }
}

/// Throws for more rows than are wanted.
inline void require_rows(std::uint64_t rows, options const& o) {
  if (rows > o.max_bins_) {
    throw std::length_error(
        "thrust_hist: there are " + std::to_string(rows) +
        " distinct keys, which is more than max_bins = " + std::to_string(o.max_bins_));
  }
}

#if defined(THRUST_HIST_TEST_HOOKS)
namespace test_hook {
/// The bin to falsify after the route has run and before check(); -1: none. For tests only.
inline std::int64_t corrupt_bin = -1;
}  // namespace test_hook
#endif

/// Falsifies a bin where a test asks for it: `add_one(bin)` does it.
template <class AddOne>
void corrupt_for_test([[maybe_unused]] std::uint64_t bins, [[maybe_unused]] AddOne add_one) {
#if defined(THRUST_HIST_TEST_HOOKS)
  if (test_hook::corrupt_bin >= 0 && static_cast<std::uint64_t>(test_hook::corrupt_bin) < bins) {
    add_one(static_cast<std::uint64_t>(test_hook::corrupt_bin));
  }
#endif
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
