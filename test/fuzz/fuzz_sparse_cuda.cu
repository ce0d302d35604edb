// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random sparse histograms on a GPU, now and then so large that keys are looked at, hashed or
// counted range by range. Prints its seed; `fuzz_sparse_cuda [seed [cases]]` repeats it, and
// `fuzz_sparse_cuda --seconds 3600` takes new cases for an hour.

#include "fuzz_sparse.h"

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstdint>
#include <cstdio>
#include <exception>

namespace {

using fuzz::below;
using fuzz::drawn;
using fuzz::sparse_case;
using thrust_hist::route;

struct on_gpu {
  template <class T>
  using vector = thrust::device_vector<T>;
  static auto policy() { return thrust::cuda::par; }
};

// Routes change at 2^20 and 2^23 keys, and of short ones with values at 15, 17 and 19 * 2^18.
std::size_t any_size() {
  switch (below(32)) {
  case 0:
    return below(40);
  case 1:
  case 2:
    return (std::size_t{1} << below(18)) + below(3);
  case 3:
  case 4:
    return (std::size_t{1} << 20) - 2 + below(5);
  case 5:
  case 6:
    return (std::size_t{1} << 20) + below(3000000);
  case 7:
    return (std::size_t{1} << 23) - 2 + below(500000);
  case 8:
    return ((15 + 2 * below(3)) << 18) - 2 + below(5);
  default:
    return below(60000);
  }
}

drawn draw() {
  constexpr route routes[] = {
      route::automatic, route::automatic, route::automatic, route::automatic,   route::automatic,
      route::hashed,    route::hashed,    route::sorted,    route::partitioned, route::shared};
  const std::size_t n = any_size();
  drawn d = fuzz::draw(n);
  if (below(4) == 0)  // what hash tables of all blocks hold
    d.distinct = 1 + below(n / 4 + 1);
  d.forced = routes[below(std::size(routes))];
  d.may_be_refused = d.forced != route::automatic && d.forced != route::sorted;
  fuzz::describe(d);
  return d;
}

// Not every type of keys with every type of values, for the compiler's sake.
void fuzz_one(drawn const& d) {
  switch (below(12)) {
  case 0:
    return sparse_case<on_gpu, std::int8_t>(d).count<std::uint8_t>();
  case 1:
  case 2:
    return sparse_case<on_gpu, std::int64_t>(d).count<std::uint32_t>();
  case 3:
  case 4:
    return sparse_case<on_gpu, float>(d).count<std::uint64_t>();
  case 5:
    return sparse_case<on_gpu, fuzz::int128>(d).count<int>();
  case 6:
    return sparse_case<on_gpu, std::uint32_t>(d).fold<std::uint64_t, std::uint32_t>(
        fuzz::plus_for_the_loop{});
  case 7:
    return sparse_case<on_gpu, double>(d).fold<float, float>(fuzz::plus_for_the_loop{});
  case 8:
    return sparse_case<on_gpu, std::int64_t>(d).fold<int, int>(
        fuzz::larger{}, thrust::maximum<int>{});
  case 9:
    return sparse_case<on_gpu, std::uint32_t>(d).fold<int, int>(fuzz::larger{}, fuzz::larger{});
  case 10: {
    const auto own = fuzz::name_operators();
    return sparse_case<on_gpu, fuzz::name, decltype(own)>(d, own)
        .fold<fuzz::blob<13>, fuzz::blob<13>>(fuzz::add_bytes{}, fuzz::add_bytes{});
  }
  default:
    return sparse_case<on_gpu, float>(d).add_exactly<float>();
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return fuzz::main(argc, argv, 300, [] { fuzz_one(draw()); });
  } catch (std::exception const& error) {
    std::printf("case %llu: %s\n", static_cast<unsigned long long>(fuzz::cases_done), error.what());
    return 1;
  }
}
