// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A filter for numpy_reference.py and letters.sh, no test by itself.
//   count_cases < cases > counts     each case: a header of six 8-byte words, edges, samples
//   count_cases letters FILE         lines "count letter", as uniq -c has them

#include <thrust_hist/thrust_hist.h>

#include <thrust/device_vector.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

enum class kind : std::int64_t {
  bincount_u8,
  bincount_i32,
  bincount_u16,
  bincount_i64,
  even_f32,
  even_f64,
  range_f32,
  range_f64
};

struct header {
  kind what;
  std::int64_t samples, bins, edges;
  double lower, upper;
};

template <class T>
thrust::device_vector<T> read(std::int64_t n) {
  std::vector<T> values(static_cast<std::size_t>(n));
  if (n > 0 && std::fread(values.data(), sizeof(T), values.size(), stdin) != values.size())
    throw std::runtime_error("the cases end within a case");
  return {values.begin(), values.end()};
}

template <class T>
void write(std::vector<T> const& values) {
  std::fwrite(values.data(), sizeof(T), values.size(), stdout);
}

using counts = thrust::device_vector<std::int64_t>;

void write(counts const& c) {
  write(std::vector<std::int64_t>(c.begin(), c.end()));
}

template <class T>
void bincount(header const& h) {
  const auto samples = read<T>(h.samples);
  counts out(static_cast<std::size_t>(h.bins));
  thrust_hist::histogram(samples.begin(), samples.end(), out.begin(), h.bins);
  write(out);
}

// NumPy gets our edges back, rounded to the samples' type as the library says.
template <class T>
void even(header const& h) {
  const auto samples = read<T>(h.samples);
  counts out(static_cast<std::size_t>(h.bins));
  const thrust_hist::even_bins rule(h.bins, h.lower, h.upper, thrust_hist::upper_edge::inclusive);
  thrust_hist::histogram(samples.begin(), samples.end(), out.begin(), rule);
  std::vector<T> edges;
  for (std::int64_t i = 0; i <= h.bins; ++i)
    edges.push_back(static_cast<T>(rule.edge(i)));
  write(edges);
  write(out);
}

template <class T>
void range(header const& h) {
  const auto edges = read<T>(h.edges);
  const auto samples = read<T>(h.samples);
  counts out(edges.size() - 1);
  const thrust_hist::range_bins rule(
      thrust::raw_pointer_cast(edges.data()), thrust::raw_pointer_cast(edges.data()) + edges.size(),
      thrust_hist::upper_edge::inclusive);
  thrust_hist::histogram(samples.begin(), samples.end(), out.begin(), rule);
  write(out);
}

void count_case(header const& h) {
  switch (h.what) {
  case kind::bincount_u8:
    return bincount<std::uint8_t>(h);
  case kind::bincount_i32:
    return bincount<std::int32_t>(h);
  case kind::bincount_u16:
    return bincount<std::uint16_t>(h);
  case kind::bincount_i64:
    return bincount<std::int64_t>(h);
  case kind::even_f32:
    return even<float>(h);
  case kind::even_f64:
    return even<double>(h);
  case kind::range_f32:
    return range<float>(h);
  case kind::range_f64:
    return range<double>(h);
  }
}

struct letter {
  THRUST_HIST_HOST_DEVICE int operator()(unsigned char c) const {
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' : -1;
  }
};

int count_letters(char const* name) {
  std::FILE* const file = std::fopen(name, "rb");
  if (file == nullptr)
    return 1;
  std::vector<unsigned char> bytes;
  unsigned char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file))
    bytes.insert(bytes.end(), buffer, buffer + n);
  std::fclose(file);
  const thrust::device_vector<unsigned char> there(bytes.begin(), bytes.end());
  counts out(26);
  thrust_hist::histogram(
      there.begin(), there.end(), out.begin(), thrust_hist::make_bins(26, letter{}));
  for (std::size_t i = 0; i < 26; ++i)
    if (const long long count = out[i])
      std::printf("%lld %c\n", count, static_cast<char>('a' + i));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "letters") == 0)
    return count_letters(argv[2]);
  header h;
  while (std::fread(&h, sizeof h, 1, stdin) == 1)
    count_case(h);
}
