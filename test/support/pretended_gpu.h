// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Another GPU than the one at hand.

#include <thrust_hist/system/cuda/launch.cuh>

#include <algorithm>
#include <cstddef>

namespace test {

// While alive, plans are made for another GPU, with no more shared memory than the one at hand has.
class pretended_gpu {
public:
  explicit pretended_gpu(thrust_hist::detail::cuda::device_facts const& facts) : facts_(facts) {
    const auto real = thrust_hist::detail::cuda::current_facts();
    facts_.shared_bytes_block = (std::min)(facts.shared_bytes_block, real.shared_bytes_block);
    thrust_hist::detail::cuda::pretended_facts = &facts_;
  }
  ~pretended_gpu() { thrust_hist::detail::cuda::pretended_facts = nullptr; }
  pretended_gpu(pretended_gpu const&) = delete;
  pretended_gpu& operator=(pretended_gpu const&) = delete;

private:
  thrust_hist::detail::cuda::device_facts facts_;
};

// The GPU at hand with so many processors.
inline thrust_hist::detail::cuda::device_facts with_processors(unsigned processors) {
  auto facts = thrust_hist::detail::cuda::current_facts();
  facts.multiprocessors = processors;
  return facts;
}

// The same with so many bytes of shared memory a block, if it has them.
inline thrust_hist::detail::cuda::device_facts with_shared_memory(std::size_t bytes) {
  auto facts = thrust_hist::detail::cuda::current_facts();
  facts.shared_bytes_block = (std::min)(facts.shared_bytes_block, bytes);
  facts.shared_bytes_processor = facts.shared_bytes_block + 1024;
  return facts;
}

// The same with so many bytes of second-level cache.
inline thrust_hist::detail::cuda::device_facts with_cache(std::size_t bytes) {
  auto facts = thrust_hist::detail::cuda::current_facts();
  facts.l2_bytes = bytes;
  return facts;
}

}  // namespace test
