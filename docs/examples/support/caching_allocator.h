// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "system_memory.h"

#include <cstddef>
#include <map>

//! [caching_allocator]
/// Keeps what it once allocated: the second call of an algorithm finds its scratch memory ready,
/// where cudaMalloc would cost more than the algorithm itself. For one thread and one stream.
class caching_allocator {
public:
  using value_type = char;

  caching_allocator() = default;
  caching_allocator(caching_allocator const&) = delete;
  caching_allocator& operator=(caching_allocator const&) = delete;
  ~caching_allocator() {
    for (auto const& block : free_) {
      free_device_bytes(block.second);
    }
  }

  char* allocate(std::ptrdiff_t bytes) {
    auto const needed = static_cast<std::size_t>(bytes);
    auto const found = free_.lower_bound(needed);
    ++in_use_;
    if (found == free_.end()) {
      ++fresh_;
      void* const memory = allocate_device_bytes(needed);
      sizes_[memory] = needed;
      return static_cast<char*>(memory);
    }
    void* const memory = found->second;
    free_.erase(found);
    return static_cast<char*>(memory);
  }

  void deallocate(char* memory, std::size_t) {
    --in_use_;
    free_.emplace(sizes_.at(memory), memory);
  }

  int in_use() const { return in_use_; }  // blocks that were not given back
  int fresh() const { return fresh_; }    // blocks that were taken from the system

private:
  std::multimap<std::size_t, void*> free_;
  std::map<void*, std::size_t> sizes_;
  int in_use_ = 0, fresh_ = 0;
};
//! [caching_allocator]
