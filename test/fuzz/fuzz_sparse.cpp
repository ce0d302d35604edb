// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random sparse histograms on OpenMP where there is one, else on one thread. Prints its seed;
// `fuzz_sparse [seed [cases]]` repeats it, and `fuzz_sparse --seconds 3600` takes new cases for an
// hour.

#include "fuzz_sparse.h"

#include <cstdint>
#include <vector>

namespace {

using fuzz::below;
using fuzz::drawn;
using thrust_hist::route;

struct on_host {
  template <class T>
  using vector = std::vector<T>;
  static auto policy() {
#ifdef _OPENMP
    return thrust::omp::par;
#else
    return thrust::seq;
#endif
  }
};

drawn draw() {
  constexpr route routes[] = {route::automatic, route::automatic, route::hashed, route::sorted};
  drawn d = fuzz::draw(below(6) == 0 ? below(300000) : below(50) == 0 ? 0 : below(6000));
  d.check = below(16) == 0;
  d.forced = routes[below(std::size(routes))];
  d.workers = static_cast<int>(1 + below(5));
  fuzz::describe(d);
  return d;
}

template <class Key, class... KeyOps>
void fuzz_values(drawn const& d, KeyOps... key_ops) {
  const fuzz::sparse_case<on_host, Key, KeyOps...> some(d, key_ops...);
  switch (below(5)) {
  case 0:
    return some.template count<std::uint8_t>();
  case 1:
    return some.template fold<std::uint64_t, std::uint32_t>(fuzz::plus_for_the_loop{});
  case 2:
    return some.template fold<int, int>(fuzz::larger{}, fuzz::larger{});
  case 3:
    return some.template fold<fuzz::blob<13>, fuzz::blob<13>>(fuzz::add_bytes{}, fuzz::add_bytes{});
  default:
    return some.template add_exactly<float>();
  }
}

void fuzz_one(drawn const& d) {
  switch (below(5)) {
  case 0:
    return fuzz_values<std::int8_t>(d);
  case 1:
    return fuzz_values<std::int64_t>(d);
  case 2:
    return fuzz_values<fuzz::int128>(d);
  case 3:
    return fuzz_values<float>(d);
  default:
    return fuzz_values<fuzz::name>(d, fuzz::name_operators());
  }
}

}  // namespace

int main(int argc, char** argv) {
  return fuzz::main(argc, argv, 1000, [] {
    const drawn d = draw();
#ifdef _OPENMP
    omp_set_num_threads(d.workers);
#endif
    fuzz_one(d);
  });
}
