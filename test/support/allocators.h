// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Allocators and memory resources that keep a book of what is taken and given back, and that fail
// when they are told to.

#include "systems.h"

#include <thrust/mr/memory_resource.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <stdexcept>

namespace test {

struct allocation_refused : std::runtime_error {
  allocation_refused() : std::runtime_error("the test refuses this allocation") {}
};

class ledger {
public:
  // Refuses every allocation after so many; negative: none.
  explicit ledger(int healthy = -1) : healthy_(healthy) {}
  ledger(ledger const&) = delete;
  ledger& operator=(ledger const&) = delete;

  template <class Memory>
  void* take(std::size_t bytes) {
    if (healthy_ >= 0 && allocations_ >= static_cast<std::size_t>(healthy_))
      throw allocation_refused();
    void* const memory = Memory::allocate(bytes);
    ++allocations_;
    held_[memory] = bytes;
    outstanding_ += bytes;
    peak_ = outstanding_ > peak_ ? outstanding_ : peak_;
    return memory;
  }
  template <class Memory>
  void give_back(void* memory, std::size_t bytes) {
    const auto entry = held_.find(memory);
    BOOST_TEST((entry != held_.end()), "memory was given back that was never taken");
    if (entry == held_.end())
      return;
    BOOST_TEST(entry->second == bytes, "another size was given back than taken");
    outstanding_ -= entry->second;
    held_.erase(entry);
    Memory::release(memory);
  }

  std::size_t allocations() const { return allocations_; }
  std::size_t outstanding() const { return outstanding_; }
  std::size_t peak() const { return peak_; }

private:
  int healthy_;
  std::size_t allocations_ = 0, outstanding_ = 0, peak_ = 0;
  std::map<void*, std::size_t> held_;
};

struct heap {
  static void* allocate(std::size_t bytes) { return ::operator new(bytes); }
  static void release(void* memory) { ::operator delete(memory); }
};
#ifdef __CUDACC__
struct cuda_heap {
  static void* allocate(std::size_t bytes) {
    void* memory = nullptr;
    check_cuda(cudaMalloc(&memory, bytes), "cudaMalloc of a test allocator");
    return memory;
  }
  static void release(void* memory) { cudaFree(memory); }
};
template <class System>
using heap_of = cuda_heap;
#else
template <class System>
using heap_of = heap;
#endif

template <class System>
class counting_allocator {
public:
  using value_type = char;

  explicit counting_allocator(ledger& book) : book_(&book) {}
  char* allocate(std::ptrdiff_t bytes) {
    return static_cast<char*>(
        book_->template take<heap_of<System>>(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t bytes) {
    book_->template give_back<heap_of<System>>(memory, bytes);
  }

private:
  ledger* book_;
};

template <class System>
class counting_resource final : public thrust::mr::memory_resource<> {
public:
  ledger book;

  void* do_allocate(std::size_t bytes, std::size_t) override {
    return book.template take<heap_of<System>>(bytes);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t) override {
    book.template give_back<heap_of<System>>(memory, bytes);
  }
};

}  // namespace test
