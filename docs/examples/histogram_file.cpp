// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counts the bytes, the letters or the numbers of a file, on the system that you name, and shows
// how long sort + reduce_by_key takes for the same.
//   histogram_file FILE [--count bytes|letters|numbers] [--type f32] [--bins 20] [--range 0 1]
#include "support/bar_chart.h"
#include "support/counter.h"
#include "support/input_file.h"
#include "support/report.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

struct settings {
  std::string file, count, type, system = "auto", svg, no_cuda_because;
  std::vector<std::string> range;
  std::optional<std::int64_t> bins;
  std::size_t rows = 32;
  std::uint64_t chunk_mib = 0;
  bool no_baseline = false;
};

static void describe(CLI::App& app, settings& s) {
  app.add_option("FILE", s.file, "raw numbers or text of any length, or a .npy file")->required();
  app.add_option(
         "--count", s.count,
         "bytes, letters, or numbers (default: numbers where --type "
         "is given or FILE is .npy, else bytes)")
      ->check(CLI::IsMember({"bytes", "letters", "numbers"}));
  app.add_option("--type", s.type, "of the numbers: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64");
  app.add_option(
         "--bins", s.bins,
         "how many bins of equal width for numbers (default: 20; for integers without "
         "--range at most 20, whose width is a whole number if their type holds the end)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 24));
  app.add_option(
         "--range", s.range,
         "LOWER UPPER: counts numbers in [LOWER, UPPER) (default: from "
         "the smallest to the largest, which is included)")
      ->expected(2);
  app.add_option("--rows", s.rows, "rows of the table at most (default: 32)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  app.add_option("--svg", s.svg, "write the chart to this file too");
  app.add_option("--system", s.system, "seq, omp, tbb, cuda or auto (default: auto)")
      ->check(CLI::IsMember({"seq", "omp", "tbb", "cuda", "auto"}));
  app.add_option("--chunk", s.chunk_mib, "MiB that are read at a time (default: 64, CUDA: 256)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 16));
  app.add_flag("--no-baseline", s.no_baseline, "do not run sort + reduce_by_key");
  app.add_option(
         "--no-cuda-because", s.no_cuda_because, "said in the report where CUDA is not used")
      ->group("");
}

// --- the system ----------------------------------------------------------------------------------

static std::vector<available_system> all_systems() {  // in the order in which auto takes them
  std::vector<available_system> systems;
#if defined(THRUST_HIST_EXAMPLE_CUDA)
  systems.push_back(cuda_system());
#else
  systems.push_back({"cuda", "", "this program was built without CUDA", nullptr});
#endif
#if defined(THRUST_HIST_EXAMPLE_OPENMP)
  systems.push_back(openmp_system());
#else
  systems.push_back({"omp", "", "this program was built without OpenMP", nullptr});
#endif
#if defined(THRUST_HIST_EXAMPLE_TBB)
  systems.push_back(tbb_system());
#else
  systems.push_back({"tbb", "", "this program was built without TBB", nullptr});
#endif
  systems.push_back(sequential_system());
  return systems;
}

static available_system choose_system(settings const& s) {
  auto const systems = all_systems();
  std::string const no_cuda = !s.no_cuda_because.empty()    ? s.no_cuda_because
                              : !systems[0].why_not.empty() ? systems[0].why_not
                                                            : "--system " + s.system;
  for (auto chosen : systems) {
    if (s.system == chosen.name && !chosen.why_not.empty()) {
      throw input_error("--system " + s.system + ": " + chosen.why_not);
    }
    if (s.system == chosen.name || (s.system == "auto" && chosen.why_not.empty())) {
      if (chosen.name != "cuda") {
        chosen.description += "; not CUDA: " + no_cuda;
      }
      return chosen;
    }
  }
  throw std::logic_error("no system");
}

// --- the job -------------------------------------------------------------------------------------

static subject choose_subject(settings const& s) {
  bool const npy = s.file.size() > 4 && s.file.substr(s.file.size() - 4) == ".npy";
  bool const numbers = s.count == "numbers" || (s.count.empty() && (!s.type.empty() || npy));
  if (!numbers && !s.type.empty()) {
    throw input_error("--type is for numbers, not for --count " + s.count);
  }
  if (!numbers && !s.range.empty()) {
    throw input_error("--range is for numbers: give their --type too");
  }
  if (s.count == "numbers" && s.type.empty() && !npy) {
    throw input_error("--count numbers needs the --type of the numbers");
  }
  return numbers ? subject::numbers : s.count == "letters" ? subject::letters : subject::bytes;
}

// A level from the command line; for integers a whole number of the same sign.
static number parse_level(std::string const& text, element_type type) {
  return visit(type, [&](auto element) -> number {
    using level = wide<decltype(element)>;
    level value{};
    bool const negative = std::is_unsigned_v<level> && text.find('-') != std::string::npos;
    if (negative || !CLI::detail::lexical_cast(text, value)) {
      throw input_error(
          "--range: '" + text + "' is no level for numbers of type " + to_string(type));
    }
    return value;
  });
}

static void range_from_data(input_file& input, counter& system, std::uint64_t most, job& wanted) {
  std::vector<unsigned char> chunk;
  std::optional<extremes> all;
  progress shown("looking for the range", input.count());
  while (input.read(chunk, most)) {
    system.load(chunk);
    extremes const some = system.range(wanted.type);
    all = !all ? some
               : extremes{std::min(all->lowest, some.lowest), std::max(all->highest, some.highest)};
    shown.add(chunk.size() / size_of(wanted.type));
  }
  if (all->highest < all->lowest) {
    throw input_error("there is no finite number to take a range from: give a --range");
  }
  wanted.lower = all->lowest;
  wanted.upper = all->highest;
  wanted.upper_included = true;
  input.rewind();
}

// Bins between whole numbers: as few integers in each as make at most `wanted.bins` of them.
static void widen_to_integers(job& wanted) {
  visit(wanted.type, [&](auto element) {
    using level = wide<decltype(element)>;
    if constexpr (std::is_integral_v<level>) {
      auto const lowest = std::get<level>(wanted.lower), highest = std::get<level>(wanted.upper);
      auto const bins = static_cast<std::uint64_t>(wanted.bins);
      std::uint64_t const last =
          static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest);
      std::uint64_t const width = last / bins + 1;  // no overflow: there are more bins than one
      std::uint64_t const needed = last / width + 1;
      auto const room = static_cast<std::uint64_t>(std::numeric_limits<level>::max()) -
                        static_cast<std::uint64_t>(highest);
      if (needed * width - 1 - last < room) {
        wanted.bins = static_cast<std::int64_t>(needed);
        wanted.upper = static_cast<level>(static_cast<std::uint64_t>(lowest) + needed * width);
        wanted.upper_included = false;
      }
    }
  });
}

static tally count_file(
    input_file& input, counter& system, std::uint64_t most, job const& wanted, bool sort) {
  std::vector<unsigned char> chunk;
  progress shown("counting", input.count());
  while (input.read(chunk, most)) {
    system.load(chunk);
    system.count(wanted);
    if (sort) {
      system.count_by_sorting(wanted);
    }
    shown.add(chunk.size() / size_of(wanted.type));
  }
  return system.result();
}

// --- the report ----------------------------------------------------------------------------------

// The three lines that end the output; whether sorting came to the same counts.
static bool print_summary(
    settings const& s, available_system const& system, tally const& done, std::uint64_t total) {
  fmt::print("system: {}\n", system.description);
  fmt::print(
      "speed: {} ({} in {}, without reading the file)\n",
      rate(static_cast<double>(total) / done.seconds), with_commas(total), duration(done.seconds));
  if (s.no_baseline) {
    fmt::print("sort + reduce_by_key: not run (--no-baseline)\n");
    return true;
  }
  bool const equal = done.counts == done.baseline_counts;
  bool const comparable = done.seconds > 1e-4 && done.baseline_seconds > 1e-4;
  fmt::print(
      "sort + reduce_by_key: {} on the same input, {}, {}\n", duration(done.baseline_seconds),
      comparable ? fmt::format("{:.3g} times as long", done.baseline_seconds / done.seconds)
                 : "too short to compare",
      equal ? "equal result" : "DIFFERENT RESULT");
  return equal;
}

static int run(settings const& s) {
  subject const counted = choose_subject(s);
  std::optional<element_type> type;
  if (!s.type.empty()) {
    type = parse_element_type(s.type);
  }
  input_file input(s.file, type, counted != subject::numbers);
  available_system const chosen = choose_system(s);
  auto const system = chosen.make();
  job wanted{counted, input.type(), s.bins.value_or(20), {}, {}, false};
  std::uint64_t const mib = s.chunk_mib != 0 ? s.chunk_mib : chosen.name == "cuda" ? 256 : 64;
  std::uint64_t const most = (mib << 20) / size_of(wanted.type);

  if (counted != subject::numbers) {
    wanted.bins = counted == subject::bytes ? 256 : 26;
  } else if (s.range.empty()) {
    range_from_data(input, *system, most, wanted);
    if (!s.bins) {
      widen_to_integers(wanted);
    }
  } else {
    wanted.lower = parse_level(s.range[0], wanted.type);
    wanted.upper = parse_level(s.range[1], wanted.type);
  }
  tally const done = count_file(input, *system, most, wanted, !s.no_baseline);

  std::uint64_t const total = input.count();
  std::uint64_t const inside =
      std::accumulate(done.counts.begin(), done.counts.end(), std::uint64_t{0});
  char const* const what = counted == subject::numbers ? "numbers" : "bytes";
  std::string const title = fmt::format(
      "{}: {} {}{}", s.file, with_commas(total), what,
      counted == subject::numbers ? " of type " + to_string(wanted.type) : "");
  fmt::print("{}\n\n", title);
  print_table(wanted, done.counts, s.rows, total);
  fmt::print("{} {} are in no bin\n\n", with_commas(total - inside), what);
  if (!s.svg.empty()) {
    write_svg(s.svg, title, make_bars(wanted, done.counts, 512));
  }
  bool const equal = print_summary(s, chosen, done, total);
  bool const complete = counted == subject::bytes ? inside == total : inside <= total;
  return equal && complete ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
  settings s;
  CLI::App app("Shows the histogram of a file, counted by thrust_hist.");
  describe(app, s);
  CLI11_PARSE(app, argc, argv);
  try {
    return run(s);
  } catch (std::exception const& error) {  // input_error, and what thrust_hist throws
    fmt::print(stderr, "histogram_file: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
