// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The code of docs/recipes.md that needs CUDA: samples that do not fit on the GPU, and memory that
// belongs to another library.
#include "support/caching_allocator.h"
#include "support/expect.h"
#include "support/stream.cuh"
#include <thrust_hist/histogram.h>
#include <thrust_hist/histogram_even.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/memory.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

static std::vector<std::uint64_t> on_host(thrust::device_vector<std::uint64_t> const& counts) {
  std::vector<std::uint64_t> copy(counts.size());
  thrust::copy(counts.begin(), counts.end(), copy.begin());
  return copy;
}

static std::vector<float> some_samples(std::size_t n) {
  std::vector<float> samples(n);
  std::uint32_t state = 1;
  for (auto& x : samples) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(state >> 8) / (1u << 24);
  }
  return samples;
}

// --- more samples than GPU memory ----------------------------------------------------------------

//! [lane]
// One of the two lanes that take turns: while one counts, the other is filled and copied. Each has
// its own counts, since two streams may not add to the same output.
class lane {
public:
  lane(std::size_t samples, int bins) : on_gpu_(samples), counts_(bins, 0) {
    check_cuda(cudaMallocHost(&pinned_, samples * sizeof(float)), "cudaMallocHost");
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // counts_ are 0 now
  }
  ~lane() { cudaFreeHost(pinned_); }
  lane(lane const&) = delete;
  lane& operator=(lane const&) = delete;

  // The buffer, free again: what this lane did before is done.
  float* buffer() {
    own_.wait();
    return pinned_;
  }

  template <class Rule>
  void count(std::size_t samples, Rule const& rule) {
    float* const there = thrust::raw_pointer_cast(on_gpu_.data());
    check_cuda(
        cudaMemcpyAsync(
            there, pinned_, samples * sizeof(float), cudaMemcpyHostToDevice, own_.stream),
        "cudaMemcpyAsync");
    thrust_hist::histogram(
        thrust::cuda::par_nosync(scratch_).on(own_.stream), there, there + samples, counts_.begin(),
        rule, thrust_hist::options{}.accumulate());
  }

  thrust::device_vector<std::uint64_t> const& counts() {
    own_.wait();
    return counts_;
  }

private:
  stream_owner own_;
  caching_allocator scratch_;
  float* pinned_ = nullptr;
  thrust::device_vector<float> on_gpu_;
  thrust::device_vector<std::uint64_t> counts_;
};
//! [lane]

static void pinned_chunks() {
  std::vector<float> const source = some_samples(1000000);  // a file, in earnest
  int const bins = 128;
  //! [pinned_chunks]
  thrust_hist::even_bins const rule(bins, 0.0, 1.0);
  std::size_t const chunk = 1 << 16;
  lane lanes[] = {{chunk, bins}, {chunk, bins}};
  std::size_t turn = 0;
  for (std::size_t begin = 0; begin < source.size(); begin += chunk, turn ^= 1) {
    std::size_t const end = std::min(begin + chunk, source.size());
    std::copy(source.begin() + begin, source.begin() + end, lanes[turn].buffer());
    lanes[turn].count(end - begin, rule);
  }
  thrust::device_vector<std::uint64_t> counts = lanes[0].counts();
  thrust::transform(
      counts.begin(), counts.end(), lanes[1].counts().begin(), counts.begin(),
      thrust::plus<std::uint64_t>());
  //! [pinned_chunks]
  thrust::device_vector<float> const all(source.begin(), source.end());
  thrust::device_vector<std::uint64_t> at_once(bins);
  thrust_hist::histogram(all.begin(), all.end(), at_once.begin(), rule);
  expect(on_host(counts) == on_host(at_once), "chunks add up to the whole");
  std::printf("pinned chunks on two streams: the same counts as at once\n");
}

// --- memory of PyTorch or CuPy -------------------------------------------------------------------

//! [borrowed]
// Scratch memory from the allocator of the framework, ordered by the stream. For PyTorch these are
// c10::cuda::CUDACachingAllocator::raw_alloc_with_stream and raw_delete.
struct framework_allocator {
  using value_type = char;
  void* (*raw_alloc)(std::size_t bytes, cudaStream_t stream);
  void (*raw_free)(void* memory);
  cudaStream_t stream;

  char* allocate(std::ptrdiff_t bytes) {
    return static_cast<char*>(raw_alloc(static_cast<std::size_t>(bytes), stream));
  }
  void deallocate(char* memory, std::size_t) { raw_free(memory); }
};

// The body of an extension: `data` is tensor.data_ptr() or array.data.ptr, `stream` is
// torch.cuda.current_stream().cuda_stream or cupy.cuda.get_current_stream().ptr. It returns before
// the counts are there, like every operation of these frameworks.
void histogram_of_tensor(
    float const* data, std::int64_t n, std::int64_t* counts, std::int64_t bins, float lower,
    float upper, framework_allocator memory) {
  auto const policy = thrust::cuda::par_nosync(memory).on(memory.stream);
  thrust_hist::histogram_even(policy, data, data + n, counts, bins, lower, upper);
}
//! [borrowed]

// Stands in for the framework: CUDA's own stream-ordered allocator.
static cudaStream_t framework_stream = nullptr;

static void* framework_alloc(std::size_t bytes, cudaStream_t stream) {
  void* memory = nullptr;
  check_cuda(cudaMallocAsync(&memory, bytes, stream), "cudaMallocAsync");
  return memory;
}

static void framework_free(void* memory) {
  check_cuda(cudaFreeAsync(memory, framework_stream), "cudaFreeAsync");
}

static void borrowed_pointers() {
  stream_owner const own;
  framework_stream = own.stream;
  thrust::device_vector<float> const tensor(1000000, 0.25f);
  thrust::device_vector<std::int64_t> counts(8);
  histogram_of_tensor(
      thrust::raw_pointer_cast(tensor.data()), 1000000, thrust::raw_pointer_cast(counts.data()), 8,
      0.f, 1.f, {framework_alloc, framework_free, own.stream});
  own.wait();
  expect(counts[2] == 1000000 && counts[1] == 0, "all samples are in the bin of 0.25");
  std::printf("memory, stream and allocator of a framework: right\n");
}

int main() {
  pinned_chunks();
  borrowed_pointers();
  return 0;
}
