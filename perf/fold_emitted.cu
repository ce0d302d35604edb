// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Sums of floats that functions emit, by transform_histogram: a particle is shared out among its
/// two neighbours on a line, or four in a plane (cloud in cell). Beside it atomics in global memory
/// by a kernel that emits, too, and the sorts of folds.cu behind one that writes all pairs, which
/// is timed. Every result is checked, as there. Prints one row a case as JSON, figures in G pairs a
/// second; words choose.
///   --log2 K   2^K pairs (27)
///   --ours     without peers
///   --quick    about a tenth of the cases
///
/// Build: nvcc -std=c++17 -O3 --extended-lambda -arch=native -I. perf/fold_emitted.cu

#include "fold_cases.cuh"
#include "roof.cuh"
#include <thrust_hist/transform_histogram.h>

namespace {

using perf::distribution;

/// A particle at x, in units of bins whose centres lie at 0.5, 1.5, ...: the nearer a centre the
/// more of it goes there.
struct on_a_line {
  static constexpr unsigned pairs = 2;
  static constexpr char const* name = "2 emitted";
  std::uint32_t bins;

  explicit on_a_line(std::uint64_t all) : bins(static_cast<std::uint32_t>(all)) {}
  template <class Sink>
  __host__ __device__ void operator()(float x, Sink const& sink) const {
    auto const place = static_cast<std::uint32_t>(x);
    float const within = x - static_cast<float>(place);
    bool const is_above = within >= 0.5f;
    std::uint32_t const lower = is_above || place == 0 ? place : place - 1;
    std::uint32_t const upper = lower + 1 < bins ? lower + 1 : lower;
    float const to_upper = is_above ? within - 0.5f : within + 0.5f;
    sink(lower, 1 - to_upper);
    sink(upper, to_upper);
  }
};

/// The same in a plane, row by row: the place in the row and the way to the next row are taken from
/// x.
struct in_a_plane {
  static constexpr unsigned pairs = 4;
  static constexpr char const* name = "4 emitted";
  std::uint32_t bins, of_row;

  explicit in_a_plane(std::uint64_t all) : bins(static_cast<std::uint32_t>(all)), of_row(1) {
    while (of_row * of_row < bins) {
      of_row *= 2;
    }
  }
  template <class Sink>
  __host__ __device__ void operator()(float x, Sink const& sink) const {
    auto const place = static_cast<std::uint32_t>(x);
    float const within = x - static_cast<float>(place);
    float const down = within * within;
    auto const at = [&](std::uint32_t bin) { return bin < bins ? bin : bin - bins; };
    sink(at(place), (1 - within) * (1 - down));
    sink(at(place + 1), within * (1 - down));
    sink(at(place + of_row), (1 - within) * down);
    sink(at(place + of_row + 1), within * down);
  }
};

template <class Emit>
__global__ void emit_to_bins(float const* in, std::uint64_t n, float* bins, Emit emit) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    emit(in[i], [&](std::uint32_t bin, float x) { atomicAdd(bins + bin, x); });
  }
}

template <class Emit>
__global__ void emit_pairs(
    float const* in, std::uint64_t n, std::uint32_t* keys, float* values, Emit emit) {
  std::uint64_t const stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint64_t at = i;  // neighbours write neighbours
    emit(in[i], [&](std::uint32_t bin, float x) {
      keys[at] = bin;
      values[at] = x;
      at += n;
    });
  }
}

/// Adds the figures of a case to its row; whether the results are right.
template <class Emit>
bool measure(
    perf::row& r, perf::pairs_memory<float> const& m, float const* in, bool peers,
    std::uint64_t bins) {
  Emit const emit(bins);
  std::uint64_t const n = m.n / Emit::pairs;
  auto* const keys = m.keys.as<std::uint32_t>();
  auto* const values = m.values.as<float>();
  auto* const ours = m.ours.as<float>();
  auto* const theirs = m.theirs.as<float>();
  thrust::plus<float> const op;
  perf::caching_allocator cache;
  auto const policy = thrust::cuda::par_nosync(cache);
  auto const run = [&](thrust_hist::options const& o) {
    thrust_hist::transform_histogram(policy, in, in + n, ours, bins, emit, op, o);
  };
  auto const write = [&] { emit_pairs<<<2048, 256>>>(in, n, keys, values, emit); };
  auto const is_right = [&](float const* got) {
    return m.reference.judge<float>(got, bins, perf::rounding::each_addition);
  };
  write();
  m.reference.make(keys, values, m.n, bins);
  thrust_hist::plan plan, exact_plan;
  run(thrust_hist::options{}.explain(&plan));
  run(thrust_hist::options{}.exact().explain(&exact_plan));
  auto const ms = perf::milliseconds_in_turn(
      11, [] {}, [&] { run({}); }, [&] { run(thrust_hist::options{}.exact()); });
  r("bytes", sizeof(float) / static_cast<double>(Emit::pairs))("route", to_string(plan.taken))(
      "scratch_bytes", plan.scratch_bytes)("ours", perf::rate(m.n, ms[0]))(
      "exact_scratch_bytes", exact_plan.scratch_bytes)("exact", perf::rate(m.n, ms[1]));
  bool equal = perf::gives(
      m, bins, [&] { run({}); }, is_right);
  auto const are_exact = [&](float const* got) {
    return m.reference.judge<float>(got, bins, perf::rounding::once) &&
           perf::are_exact_sums(keys, values, m.n, got, bins, m.sort.spare());
  };
  equal = perf::gives(
              m, bins, [&] { run(thrust_hist::options{}.exact()); }, are_exact) &&
          equal;
  if (peers) {
    double const emitted = perf::milliseconds(write, 5);
    double const by_thrust = perf::milliseconds(
        [&] { m.sort.by_thrust(policy, op); }, [&] { m.sort.copy_input(keys, values); }, 3);
    double const by_radix =
        perf::milliseconds([&] { m.sort.by_radix(m.temp, keys, values, bins, op); }, 3);
    m.sort.write(theirs, bins, 0);
    equal = is_right(theirs) && equal;
    double const by_atomics = perf::milliseconds(
        [&] {
          thrust::fill(policy, theirs, theirs + bins, 0.0f);
          emit_to_bins<<<perf::multiprocessors() * 8, 256>>>(in, n, theirs, emit);
        },
        3);
    r("thrust_sort_by_key",
      perf::rate(m.n, emitted + by_thrust))("sort_and_reduce", perf::rate(m.n, emitted + by_radix))(
        "global_atomics", perf::rate(m.n, by_atomics));
  }
  return equal;
}

template <class Emit>
void compare_all(
    perf::report& rows, perf::fold_settings const& s, perf::pairs_memory<float> const& m,
    float* in) {
  for (std::uint64_t const bins :
       {std::uint64_t{256}, std::uint64_t{4096}, std::uint64_t{65536}, std::uint64_t{1} << 20,
        std::uint64_t{1} << 22}) {
    for (distribution const d :
         {distribution::uniform, distribution::zipf, distribution::sorted,
          distribution::constant}) {
      perf::row r;
      r("fold", "sum")("type", "f32")("values", Emit::name)("n", m.n)("bins", bins)(
          "distribution", perf::name_of(d));
      if ((s.quick && (bins != 4096 || d == distribution::sorted)) || !rows.wants(r)) {
        r.drop();
        continue;
      }
      perf::fill<<<2048, 256>>>(in, m.n / Emit::pairs, bins, d);
      try {
        rows.judge(r, measure<Emit>(r, m, in, s.peers, bins));
      } catch (std::exception const& e) {
        rows.failed(r, e.what());
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  perf::arguments const a(
      argc, argv, "fold_emitted [line] [plane] [--log2 K] [--ours] [--quick]",
      {"--ours", "--quick"}, {"--log2"});
  perf::report rows(a);
  perf::fold_settings const s = perf::settings_of(a);
  perf::print_origin("fold_emitted");
  perf::pairs_memory<float> const m(s.n, std::uint64_t{1} << 22);
  perf::buffer const in(s.n / on_a_line::pairs * sizeof(float));
  if (a.chosen("line")) {
    compare_all<on_a_line>(rows, s, m, in.as<float>());
  }
  if (a.chosen("plane")) {
    compare_all<in_a_plane>(rows, s, m, in.as<float>());
  }
  return rows.status();
}
