// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A block of threads on a machine without a GPU: each is a coroutine (ucontext), which gives way
// where lanes wait for each other, and now and then where it touches shared memory, by random
// numbers. Enough of CUDA's names for the tables that kernels keep there; headers of kernels are
// included after this one.

#if __has_include(<vector_functions.h>)
#  include <vector_functions.h>
#  undef __device__
#  undef __global__
#  undef __shared__
#  undef __host__
#  undef __forceinline__
#  undef __noinline__
#  undef __launch_bounds__
#else
struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}
#endif
#define __device__
#define __host__
#define __global__
// All threads of a block are one of the machine; and this may stand behind `extern`.
#define __shared__ thread_local
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)

#include <thrust_hist/config.h>

#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

// Where kernels look for dynamic shared memory. Begins with what is no constant: where it is
// `extern`, g++ calls a function that it does not make else.
THRUST_HIST_NAMESPACE_BEGIN
namespace detail {
namespace cuda {
alignas(16) inline __shared__ uint4 shared[1 << 15] = {make_uint4(0, 0, 0, 0)};
}
}  // namespace detail
THRUST_HIST_NAMESPACE_END

namespace warps {

inline std::mt19937_64 rng;
inline std::uint64_t below(std::uint64_t limit) {
  return rng() % limit;
}
// What main() begins with: a seed from the command line, or a random one, which is printed. Returns
// how many cases there are to be.
inline unsigned long long begin_cases(int argc, char** argv) {
  const auto seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  rng.seed(seed);
  return argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
}

// The same in bytes. Addresses of shared memory count from its begin.
inline auto& memory =
    reinterpret_cast<unsigned char (&)[sizeof(uint4) << 15]>(thrust_hist::detail::cuda::shared);

class block {
public:
  // Calls `body()` in each of the threads, until all have returned.
  static void run(unsigned threads, std::function<void()> const& body) {
    block here(threads, body);
    current() = &here;
    for (unsigned left = threads; left > 0;) {
      const unsigned first = static_cast<unsigned>(below(threads));
      for (unsigned k = 0; k < threads; ++k) {
        one_thread& next = *here.threads_[(k * 7 + first) % threads];
        if (next.is_done)
          continue;
        here.now_ = &next;
        swapcontext(&here.outside_, &next.context);
        left -= next.is_done ? 1 : 0;
      }
    }
    current() = nullptr;
  }
  static block& of_this_thread() { return *current(); }

  unsigned thread() const { return now_->number; }
  unsigned size() const { return static_cast<unsigned>(threads_.size()); }
  void give_way() { swapcontext(&now_->context, &outside_); }
  void wait_for_all() { wait(all_, threads_.size()); }
  void wait_for_warp() { wait(of_warps_[now_->number / 32], 32); }

  // What each lane of the warp brings, before any of them brings the next.
  template <class T>
  std::vector<T> from_warp(T const& mine) {
    static_assert(sizeof(T) <= 8);
    std::memcpy(&letters_[now_->number], &mine, sizeof mine);
    wait_for_warp();
    std::vector<T> all(32);
    for (unsigned lane = 0; lane < 32; ++lane)
      std::memcpy(&all[lane], &letters_[now_->number / 32 * 32 + lane], sizeof mine);
    wait_for_warp();
    return all;
  }

private:
  static constexpr std::size_t stack_bytes = 1 << 17;
  struct one_thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    unsigned number;
    bool is_done;
  };
  struct barrier {
    std::size_t arrived = 0;
    unsigned long long round = 0;
  };

  block(unsigned threads, std::function<void()> const& body)
      : body_(body), of_warps_(threads / 32), letters_(threads) {
    for (unsigned i = 0; i < threads; ++i) {
      threads_.push_back(std::make_unique<one_thread>());
      one_thread& t = *threads_.back();
      t.number = i;
      t.is_done = false;
      t.stack.reset(new char[stack_bytes]);  // which nobody clears
      getcontext(&t.context);
      t.context.uc_stack.ss_sp = t.stack.get();
      t.context.uc_stack.ss_size = stack_bytes;
      t.context.uc_link = &outside_;
      makecontext(&t.context, &block::enter, 0);
    }
  }
  static block*& current() {
    static block* of_now = nullptr;
    return of_now;
  }
  static void enter() {
    block& here = of_this_thread();
    here.body_();
    here.now_->is_done = true;
  }
  void wait(barrier& at, std::size_t threads) {
    const auto round = at.round;
    if (++at.arrived == threads) {
      at.arrived = 0;
      ++at.round;
    }
    while (at.round == round)
      give_way();
  }

  std::function<void()> const& body_;
  std::vector<std::unique_ptr<one_thread>> threads_;
  std::vector<barrier> of_warps_;
  std::vector<std::uint64_t> letters_;
  barrier all_;
  ucontext_t outside_;
  one_thread* now_ = nullptr;
};

// Where another thread may come between.
inline void may_give_way() {
  if (below(3) == 0)
    block::of_this_thread().give_way();
}

}  // namespace warps

inline const struct {
  struct {
    operator unsigned() const { return warps::block::of_this_thread().thread(); }
  } x;
} threadIdx = {};
inline const struct {
  struct {
    operator unsigned() const { return warps::block::of_this_thread().size(); }
  } x;
} blockDim = {};
inline struct { unsigned x; } blockIdx = {}, gridDim = {};

namespace warps {

// The blocks of a kernel, one after the other in any order: those for which `runs(i)`. Returns
// whether they have left alone what lies behind so many bytes of shared memory.
template <class Runs>
bool run_blocks(
    unsigned blocks, unsigned threads, std::size_t bytes, std::function<void()> const& body,
    Runs runs) {
  const auto end = std::min(bytes + 4096, sizeof memory);
  std::vector<unsigned> order(blocks);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), rng);
  bool are_within = bytes < end;
  gridDim.x = blocks;
  for (unsigned i : order) {
    if (!runs(i))
      continue;
    blockIdx.x = i;
    std::memset(memory, 0xcd, end);
    block::run(threads, body);
    are_within = are_within &&
                 std::all_of(memory + bytes, memory + end, [](auto byte) { return byte == 0xcd; });
  }
  return are_within;
}
inline bool run_blocks(
    unsigned blocks, unsigned threads, std::size_t bytes, std::function<void()> const& body) {
  return run_blocks(blocks, threads, bytes, body, [](unsigned) { return true; });
}

}  // namespace warps

template <class T, class Lane>
T __shfl_sync(unsigned, T mine, Lane lane) {
  return warps::block::of_this_thread().from_warp(mine)[static_cast<unsigned>(lane) % 32];
}
template <class T>
T __shfl_up_sync(unsigned, T mine, unsigned by) {
  const unsigned lane = threadIdx.x % 32;
  return warps::block::of_this_thread().from_warp(mine)[lane < by ? lane : lane - by];
}
template <class T>
T __shfl_xor_sync(unsigned, T mine, unsigned by) {
  return warps::block::of_this_thread().from_warp(mine)[threadIdx.x % 32 ^ by];
}
inline unsigned __ballot_sync(unsigned, bool mine) {
  unsigned all = 0;
  const auto bits = warps::block::of_this_thread().from_warp(mine ? 1u : 0u);
  for (unsigned lane = 0; lane < 32; ++lane)
    all |= bits[lane] << lane;
  return all;
}
template <class T>
unsigned __match_any_sync(unsigned, T mine) {
  unsigned equals = 0;
  const auto all = warps::block::of_this_thread().from_warp(mine);
  for (unsigned lane = 0; lane < 32; ++lane)
    equals |= (all[lane] == mine ? 1u : 0u) << lane;
  return equals;
}
inline bool __any_sync(unsigned mask, bool mine) {
  return __ballot_sync(mask, mine) != 0;
}
inline bool __all_sync(unsigned mask, bool mine) {
  return __ballot_sync(mask, mine) == ~0u;
}
inline void __syncwarp() {
  warps::block::of_this_thread().wait_for_warp();
}
inline void __syncthreads() {
  warps::block::of_this_thread().wait_for_all();
}
inline int __syncthreads_or(int mine) {
  static int any;  // of the block that runs
  any = 0;
  __syncthreads();
  any |= mine != 0 ? 1 : 0;
  __syncthreads();
  const int all = any;
  __syncthreads();
  return all;
}
inline int __syncthreads_count(int mine) {
  static int all;  // of the block that runs
  all = 0;
  __syncthreads();
  all += mine != 0 ? 1 : 0;
  __syncthreads();
  const int count = all;
  __syncthreads();
  return count;
}
inline int __syncthreads_and(int mine) {
  return __syncthreads_or(mine == 0 ? 1 : 0) == 0 ? 1 : 0;
}
inline unsigned __activemask() {
  return ~0u;
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline unsigned __reduce_add_sync(unsigned, unsigned) {
  std::abort();  // nobody calls it here
}
inline int __reduce_add_sync(unsigned, int) {
  std::abort();
}
inline std::size_t __cvta_generic_to_shared(void const* place) {
  return static_cast<std::size_t>(static_cast<unsigned char const*>(place) - warps::memory);
}
using std::max;
using std::min;
template <class T>
T __ldcg(T const* from) {
  return *from;
}
template <class T>
T __ldcs(T const* from) {
  return *from;
}
template <class T>
T atomicAdd(T* to, T x) {
  warps::may_give_way();
  const T before = *to;
  *to += x;
  return before;
}
template <class T>
T atomicOr(T* to, T x) {
  warps::may_give_way();
  const T before = *to;
  *to |= x;
  return before;
}
