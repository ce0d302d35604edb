// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Temporary memory of sparse histograms. How many keys there are shows only on the way, so what
/// was promised, so many bytes and some more for each distinct key, is kept by whoever hands memory
/// out.

#include <thrust_hist/config.h>
#include <thrust_hist/detail/temporary.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace sequential {

/// Memory of a policy without the type of it: what takes one is compiled once. Workers may ask at
/// once, allocators of users need not bear that.
class memory_source {
public:
  virtual void* take(std::size_t bytes) = 0;
  virtual void give_back(void* memory, std::size_t bytes) noexcept = 0;

protected:
  ~memory_source() = default;
};

template <class Policy>
class policy_memory final : public memory_source {
public:
  explicit policy_memory(Policy& policy) : policy_(policy) {}

  void* take(std::size_t bytes) override {
    std::lock_guard<std::mutex> const lock(guard_);
    temporary_array<char, Policy> memory(policy_, bytes);
    return memory.hand_over();
  }
  void give_back(void* memory, std::size_t bytes) noexcept override {
    std::lock_guard<std::mutex> const lock(guard_);
    temporary_array<char, Policy> const gone(policy_, static_cast<char*>(memory), bytes);
  }

private:
  Policy& policy_;
  std::mutex guard_;
};

/// Thrown where hash tables would break the promise, or keys collide: sorting does neither.
struct hashing_failed {};

/// For each distinct key, beside twice the input.
inline constexpr std::uint64_t promised_for_a_key = 64;

class promised_memory {
public:
  promised_memory(memory_source& source, std::uint64_t promised) noexcept
      : source_(source), promised_(promised) {}

  void* take(std::size_t bytes) {
    std::uint64_t const now = taken_.fetch_add(bytes) + bytes;
    if (now > promised_ + promised_for_a_key * keys_.load()) {
      taken_ -= bytes;
      throw hashing_failed{};
    }
    try {
      return source_.take(bytes);
    } catch (...) {
      taken_ -= bytes;
      throw;
    }
  }
  void give_back(void* memory, std::size_t bytes) noexcept {
    taken_ -= bytes;
    source_.give_back(memory, bytes);
  }
  /// More distinct keys are known; less than none, if some were counted twice.
  void found_keys(std::int64_t more) noexcept { keys_ += static_cast<std::uint64_t>(more); }

private:
  memory_source& source_;
  std::uint64_t promised_;
  std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::uint64_t> keys_{0};
};

/// An uninitialised array of objects that need no destruction.
template <class T>
class promised_array {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  explicit promised_array(promised_memory& memory, std::uint64_t size = 0) : memory_(&memory) {
    if (size > 0) {
      bytes_ = static_cast<std::size_t>(size * sizeof(T) + alignment);
      raw_ = memory_->take(bytes_);
    }
  }
  ~promised_array() { clear(); }
  promised_array(promised_array const&) = delete;
  promised_array& operator=(promised_array const&) = delete;

  void swap(promised_array& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(raw_, other.raw_);
    std::swap(bytes_, other.bytes_);
  }
  void clear() noexcept {
    if (raw_ != nullptr) {
      memory_->give_back(raw_, bytes_);
      raw_ = nullptr;
    }
  }
  T* data() const noexcept {
    auto const address = reinterpret_cast<std::uintptr_t>(raw_);
    return reinterpret_cast<T*>(
        static_cast<char*>(raw_) + (alignment - address % alignment) % alignment);
  }

  /// Memory of a policy may be aligned to less. No two arrays share a cache line.
  static constexpr std::size_t alignment = alignof(T) > 64 ? alignof(T) : 64;

private:
  promised_memory* memory_;
  void* raw_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Memory of one worker that is given back all at once: many small pieces from a few slabs.
class slabs {
public:
  slabs(promised_memory& memory, std::size_t slab_bytes) noexcept
      : memory_(memory), slab_bytes_(slab_bytes) {}
  ~slabs() {
    while (last_ != nullptr) {
      slab const gone = *last_;
      memory_.give_back(gone.raw, gone.bytes);
      last_ = gone.before;
    }
  }
  slabs(slabs const&) = delete;
  slabs& operator=(slabs const&) = delete;

  template <class T>
  T* take(std::uint64_t size) {
    static_assert(std::is_trivially_destructible_v<T>);
    constexpr std::size_t alignment = alignof(T) > 16 ? alignof(T) : 16;
    std::size_t const bytes = static_cast<std::size_t>(size * sizeof(T)) + alignment - 1;
    if (bytes > slab_bytes_ / 4) {  // one of its own, and the present one goes on
      return aligned<T, alignment>(new_slab(bytes));
    }
    if (bytes > room_) {
      free_ = new_slab(slab_bytes_);
      room_ = slab_bytes_;
    }
    T* const piece = aligned<T, alignment>(free_);
    char* const end = reinterpret_cast<char*>(piece + size);
    room_ -= static_cast<std::size_t>(end - free_);
    free_ = end;
    return piece;
  }

private:
  struct slab {
    slab* before;
    void* raw;
    std::size_t bytes;
  };

  char* new_slab(std::size_t bytes) {
    std::size_t const all = bytes + sizeof(slab) + alignof(slab);
    void* const raw = memory_.take(all);
    slab* const place = aligned<slab, alignof(slab)>(static_cast<char*>(raw));
    last_ = ::new (static_cast<void*>(place)) slab{last_, raw, all};
    return reinterpret_cast<char*>(last_ + 1);
  }
  template <class T, std::size_t Alignment>
  static T* aligned(char* at) noexcept {
    auto const address = reinterpret_cast<std::uintptr_t>(at);
    return reinterpret_cast<T*>(at + (Alignment - address % Alignment) % Alignment);
  }

  promised_memory& memory_;
  std::size_t slab_bytes_;
  slab* last_ = nullptr;
  char* free_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace sequential
}  // namespace detail
THRUST_HIST_NAMESPACE_END
