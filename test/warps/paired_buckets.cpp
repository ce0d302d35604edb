// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Codes and words beside them, sorted bucket by bucket by the kernels that do it, in blocks of
// simulated threads, as plans for several GPUs have it: random codes, few distinct ones, crowds,
// the lowest and the highest, keys without a code; and samples that tell little, so that a bucket
// has more codes than there is room for in shared memory.
//   paired_buckets [SEED [CASES]]

#include "guarded.h"
#include "warps.h"
#include <thrust_hist/system/cuda/kernels/order_pairs.cuh>
#include <thrust_hist/system/cuda/kernels/sort_sample.cuh>
#include <thrust_hist/system/cuda/kernels/throw_pairs.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

using namespace thrust_hist::detail::cuda;
using warps::below;
using warps::encode_some;
using warps::guarded;
using warps::number;
using warps::require;

constexpr std::size_t kibibyte = 1024;
// The last ones are such that few keys have many buckets, and blocks several tiles.
constexpr device_facts gpus[] = {
    {132, 227 * kibibyte, 228 * kibibyte, 61440 * kibibyte},
    {40, 64 * kibibyte, 64 * kibibyte, 4096 * kibibyte},
    {2, 99 * kibibyte, 100 * kibibyte, 4096 * kibibyte},
    {1, 227 * kibibyte, 228 * kibibyte, 4096 * kibibyte}};

enum kind : std::uint64_t { even, equal, two, crowd, few, clusters, ends, narrow, kinds };
enum order : std::uint64_t { drawn, ascending, descending, orders };
enum told : std::uint64_t {
  by_keys,     // a sample as it is drawn
  by_kernels,  // the same, by the kernels that draw it
  by_others,   // of codes that have nothing to do with keys
  nothing      // all are one code, so that a bucket has all keys
};

constexpr std::uint64_t few_keys = 70;  // so that buckets have one or two

struct drawn_case {
  kind of;
  order by;
  told sample;
  std::uint64_t n;
};

template <class Code>
constexpr Code highest = static_cast<Code>(~Code{0});

template <class Code>
class codes_of {
public:
  explicit codes_of(kind of) : kind_(of) {
    for (Code& centre : centres_)
      centre = static_cast<Code>(warps::rng());
  }
  Code draw() const {
    const auto code = static_cast<Code>(warps::rng());
    switch (kind_) {
    case equal:
      return centres_[0];
    case two:
      return centres_[below(2)];
    case few:
      return below(10) < 3 ? centres_[0] : static_cast<Code>(centres_[1] + 1000 * below(40));
    case clusters:
      return static_cast<Code>(centres_[below(5)] + below(400));
    case ends:
      return below(3) == 0 ? Code{0} : below(2) == 0 ? highest<Code> : code;
    case narrow:
      return static_cast<Code>(highest<Code> - below(3000));
    case crowd:  // most of them, and they are distinct but for two
      return below(4) == 0   ? code
             : below(3) == 0 ? static_cast<Code>(centres_[0] + 500000)
             : below(4) == 0 ? static_cast<Code>(centres_[0] + 700001)
                             : static_cast<Code>(centres_[0] + below(1000000));
    default:
      return code;
    }
  }

private:
  kind kind_;
  Code centres_[5];
};

// Keys, and what lies beside them.
template <class Code, class Word>
struct input {
  std::vector<Code> keys;
  std::vector<Word> words;
  encode_some encode;

  std::uint64_t size() const { return keys.size(); }
};

template <class Word>
struct word_at {
  Word const* words;

  Word operator()(std::uint64_t i) const { return words[i]; }
};

template <class Code, class Word>
input<Code, Word> draw_input(drawn_case const& c) {
  input<Code, Word> in = {};
  const codes_of<Code> codes(c.of);
  for (std::uint64_t i = 0; i < c.n; ++i) {
    in.keys.push_back(codes.draw());
    in.words.push_back(
        below(50) == 0 ? static_cast<Word>(0 - below(2)) : static_cast<Word>(warps::rng()));
  }
  if (below(2) == 0)
    in.keys[below(c.n)] = 0, in.keys[below(c.n)] = highest<Code>;
  if (c.by != drawn)
    std::sort(in.keys.begin(), in.keys.end());
  if (c.by == descending)
    std::reverse(in.keys.begin(), in.keys.end());
  in.encode.leaves_out = c.sample != nothing && below(4) == 0;
  return in;
}

template <class Code>
struct planned {
  device_facts facts;
  paired_buckets<Code> buckets;
};

// For so many keys, or for more, so that there are more buckets.
template <class Code>
planned<Code> draw_plan(drawn_case const& c, std::size_t word_bytes) {
  const bool is_exact = c.sample == nothing || c.of == crowd || (c.n > few_keys && below(2) == 0);
  const std::uint64_t most = c.n <= few_keys ? 1000 : below(4) == 0 ? 100 : 6;
  const std::uint64_t codes = is_exact ? c.n : c.n * (1 + below(most));
  planned<Code> plan = {};
  do {
    plan.facts = gpus[below(std::size(gpus))];
    plan.buckets = plan_paired_buckets<Code>(codes, word_bytes, plan.facts);
  } while (!plan.buckets.has_room);
  return plan;
}

template <class Code, class Word>
std::vector<Code> draw_sample(
    input<Code, Word> const& in, drawn_case const& c, std::uint32_t size) {
  std::vector<Code> sorted(size);
  const codes_of<Code> others(c.of == crowd ? even : static_cast<kind>(below(kinds)));
  const Code only = below(3) == 0 ? Code{0} : below(2) == 0 ? highest<Code> : others.draw();
  for (std::uint32_t i = 0; i < size; ++i)
    sorted[i] = c.sample == nothing     ? only
                : c.sample == by_others ? others.draw()
                                        : drawn_code<Code>(in.keys.data(), in.size(), in.encode, i);
  std::sort(sorted.begin(), sorted.end());
  if (c.sample != by_kernels)
    return sorted;
  constexpr std::uint32_t ranges = sample_ranges::ranges;
  const sample_ranges sample = plan_sample(size);
  std::vector<Code> found(size), thrown(std::size_t{ranges} * sample.room), firsts(ranges);
  std::vector<std::uint32_t> sizes(sample_ranges::counters);
  const sample_memory<Code> memory = {found.data(), thrown.data(), firsts.data(), sizes.data()};
  constexpr unsigned of_block = threads_of_sample * thrown_by_thread;
  warps::run_blocks((size + of_block - 1) / of_block, threads_of_sample, 0, [&] {
    throw_sample(in.keys.data(), in.size(), in.encode, sample, memory);
  });
  warps::run_blocks(ranges, threads_of_sample, sample.shared_bytes(sizeof(Code)), [&] {
    sort_sample(sample, memory);
  });
  require(std::is_sorted(found.begin(), found.end()), "the sample is not sorted");
  return found;
}

// The part of a code: behind the last code before a bucket that is not above it, or that code
// itself.
template <class Code>
std::uint32_t true_part(bounded_slices<Code> const& slices, Code code) {
  std::uint32_t bucket = 0, behind = slices.buckets;
  while (behind - bucket > 1) {
    const std::uint32_t middle = bucket + (behind - bucket) / 2;
    (slices.before(middle) <= code ? bucket : behind) = middle;
  }
  const bool is_between = bucket != 0 && slices.before(bucket) == code;
  return 2 * bucket + (is_between ? 0 : 1);
}

template <class Code, class Word>
using pairs = std::vector<std::pair<Code, Word>>;

template <class Code, class Word>
class sort_of_pairs {
public:
  sort_of_pairs(input<Code, Word> const& in, planned<Code> const& plan)
      : in_(in), facts_(plan.facts), buckets_(plan.buckets), present_(codes_in(in)),
        found_(in.size(), 0), ends_(buckets_.parts() + 1, 0), codes_(present_, 0x77),
        words_(present_, 0x77) {}

  // Returns how many buckets have more codes than there is room for.
  unsigned run() {
    find();
    sum_up();
    throw_all();
    const unsigned crowded = order();
    compare();
    return crowded;
  }

private:
  using keys_type = keys_in_tiles<Code const*, encode_some>;

  static std::size_t codes_in(input<Code, Word> const& in) {
    Code code;
    return static_cast<std::size_t>(std::count_if(
        in.keys.begin(), in.keys.end(), [&](Code key) { return in.encode(key, code); }));
  }
  keys_type keys() const { return {in_.keys.data(), in_.size(), in_.encode}; }
  paired_parts<Code, Word> parts() { return {ends_.data(), codes_.data(), words_.data()}; }

  // The plan's number of blocks, or less, of which some have several tiles.
  static unsigned some_blocks(unsigned planned) {
    return below(2) == 0 ? planned : 1 + static_cast<unsigned>(below(planned));
  }
  void find() {
    sparse_findings findings = {};
    const drawn_bounds<Code, paired_buckets<Code>::of_thread> bounds = {
        buckets_.slices, buckets_.steps(), nullptr};
    const bool are_within = warps::run_blocks(
        some_blocks(buckets_.search_blocks(in_.size(), facts_)), buckets_.threads_of_search,
        buckets_.search_shared_bytes(),
        [&] { find_parts(keys(), bounds, found_.data(), ends_.data(), &findings); });
    require(are_within, "more shared memory is written than a search has");
    require(found_.is_kept() && ends_.is_kept(), "parts are written beyond their end");
    require(findings.alone == in_.size() - present_, "keys without a code are not counted as such");
    std::vector<unsigned long long> counts(buckets_.parts() + 1);
    for (std::size_t i = 0; i < in_.size(); ++i) {
      Code code;
      if (in_.encode(in_.keys[i], code)) {
        const std::uint32_t part = true_part(buckets_.slices, code);
        ++counts[part];
        require(found_[i] == part, "a code has another part");
      }
    }
    require(std::equal(counts.begin(), counts.end(), ends_.data()), "a part has another number");
  }
  void sum_up() {
    unsigned long long sum = 0;
    for (std::uint32_t p = 0; p <= buckets_.parts(); ++p)
      sum += std::exchange(ends_.data()[p], sum);
  }
  void throw_all() {
    const std::vector<unsigned long long> begins(ends_.data(), ends_.data() + buckets_.parts() + 1);
    const bool are_within = warps::run_blocks(
        some_blocks(buckets_.tile_blocks(in_.size(), facts_)), buckets_.threads,
        buckets_.tile_shared_bytes(), [&] {
          throw_pairs(
              keys(), found_.data(), word_at<Word>{in_.words.data()}, buckets_.parts(), parts());
        });
    require(are_within, "more shared memory is written than a tile has");
    require(
        codes_.is_kept() && words_.is_kept() && ends_.is_kept(),
        "pairs are written beyond their end");
    require(
        std::equal(begins.begin() + 1, begins.end(), ends_.data()),
        "a part does not end where the next one begins");
    for (std::uint32_t p = 0; p < buckets_.parts(); ++p)
      for (auto i = static_cast<std::size_t>(begins[p]); i < begins[p + 1]; ++i)
        require(true_part(buckets_.slices, codes_[i]) == p, "a code is thrown to another part");
  }
  // A block for each of many buckets would take long: some are put in order here.
  unsigned order() {
    unsigned crowded = 0;
    const auto runs = [&](unsigned b) {
      const auto begin = static_cast<std::size_t>(ends_[2 * b]);
      const auto size = static_cast<std::size_t>(ends_[2 * b + 1]) - begin;
      crowded += size > buckets_.slices.room ? 1 : 0;
      if (in_.size() <= few_keys || size > buckets_.slices.room || below(buckets_.buckets()) < 4)
        return true;
      auto mine = pairs_of(begin, begin + size);
      std::sort(mine.begin(), mine.end());
      for (std::size_t i = 0; i < size; ++i) {
        codes_.data()[begin + i] = mine[i].first;
        words_.data()[begin + i] = mine[i].second;
      }
      return false;
    };
    const bool are_within = warps::run_blocks(
        buckets_.buckets(), ordered_slices::threads, buckets_.shared_bytes(),
        [&] { order_pairs(buckets_.slices, parts()); }, runs);
    require(are_within, "more shared memory is written than a bucket has");
    require(codes_.is_kept() && words_.is_kept(), "pairs are put in order beyond their end");
    return crowded;
  }
  pairs<Code, Word> pairs_of(std::size_t first, std::size_t last) const {
    pairs<Code, Word> some;
    for (std::size_t i = first; i < last; ++i)
      some.emplace_back(codes_[i], words_[i]);
    return some;
  }
  void compare() {
    pairs<Code, Word> expected;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      Code code;
      if (in_.encode(in_.keys[i], code))
        expected.emplace_back(code, in_.words[i]);
    }
    std::sort(expected.begin(), expected.end());
    auto found = pairs_of(0, present_);
    require(
        std::is_sorted(
            found.begin(), found.end(),
            [](auto const& a, auto const& b) { return a.first < b.first; }),
        "codes are not in order");
    std::sort(found.begin(), found.end());  // words of equal codes come in any order
    require(found == expected, "there are other pairs");
  }

  input<Code, Word> const& in_;
  device_facts const& facts_;
  paired_buckets<Code> const& buckets_;
  std::size_t present_;  // codes
  guarded<std::uint16_t> found_;
  guarded<unsigned long long> ends_;
  guarded<Code> codes_;
  guarded<Word> words_;
};

drawn_case draw_case() {
  drawn_case c = {};
  // In turn, but each with codes and words of all sizes.
  const std::uint64_t round = number / 4;
  c.of = static_cast<kind>(round % kinds);
  c.by = below(3) == 0 ? static_cast<order>(below(orders)) : drawn;
  c.sample = below(9) == 0 ? by_others : by_keys;
  c.n = below(5) == 0 ? 1 + below(few_keys) : 500 + below(6000);
  if (number % 9 == 4) {
    c.sample = nothing;
    c.n = number % 27 == 4 ? 4700 + below(500) : 800 + below(2000);
  } else if (number % 9 == 5) {
    c.of = even;
    c.n = few_keys;
  } else if (c.of == crowd) {  // groups that the sample tells nothing of
    c.sample = by_others;
    c.n = 1000 + below(4000);
  } else if (number % 15 == 3) {
    c.sample = by_kernels;
  }
  if (round % (2 * kinds) == 0)  // even ones, which come in no order the next time
    c.by = number % 2 == 0 ? ascending : descending;
  return c;
}

// Returns how many buckets have more codes than there is room for.
template <class Code, class Word>
unsigned check() {
  drawn_case c = draw_case();
  auto plan = draw_plan<Code>(c, sizeof(Word));
  if (c.sample == nothing && below(2) == 0)  // as many as there is room for, or one more
    c.n = plan.buckets.slices.room + 1 - below(6);
  const auto in = draw_input<Code, Word>(c);
  const auto sample = draw_sample(in, c, plan.buckets.sample_size());
  plan.buckets.slices.sample = sample.data();
  return sort_of_pairs<Code, Word>(in, plan).run();
}

}  // namespace

int main(int argc, char** argv) {
  const auto cases = warps::begin_cases(argc, argv);
  unsigned long long crowded = 0;
  for (; number < cases; ++number)
    crowded += number % 4 == 0   ? check<std::uint32_t, std::uint32_t>()
               : number % 4 == 1 ? check<std::uint64_t, std::uint32_t>()
               : number % 4 == 2 ? check<std::uint32_t, std::uint64_t>()
                                 : check<std::uint64_t, std::uint64_t>();
  std::printf("%llu cases, %llu buckets had more codes than there was room for\n", cases, crowded);
  return crowded != 0 || cases < 20 ? 0 : 1;
}
