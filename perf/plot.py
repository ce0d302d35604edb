#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the results of the benchmarks as SVG and writes the tables of docs/performance.md.

    python3 perf/plot.py perf/results/nvidia-h200/2026-11-20 docs

reads the *.jsonl of a folder, as perf/run.sh writes them, and writes docs/performance/*.svg and the
part of docs/performance.md between its two marks. What was not measured is left out. Needs
matplotlib.
"""
import argparse
import pathlib
import sys

import pictures
import tables
from results import case_of, read_folder, wrong_rows

MARKS = ("<!-- results: begin -->", "<!-- results: end -->")
TIMES = ("Microseconds, {}; ours {} / ours {} / CUB with its scratch memory\n"
         "given. A dash: not measured, or refused.\n\n")
BETTER_ROUTES = "Where another route of ours, by force, was 5 % faster or more:\n\n"
FOLD_CALLS = ("ours_us", "ours_cached_us", "exact_us", "sort_and_reduce_us",
              "thrust_sort_by_key_us", "global_atomics_us")


class Page:
    """The sections of the page, in order; a section without results does not appear."""

    def __init__(self, found, folder):
        self.found, self.folder, self.parts = found, folder, []

    def rows(self, name):
        return self.found[name].rows if name in self.found else []

    def section(self, title, name, *makers):
        """Each maker gets the results and gives Markdown, or a path to a picture that it draws."""
        if self.rows(name):
            self.parts += [f"## {title}"] + [maker(self.found[name]) for maker in makers]

    def picture(self, text, file, draw):
        def maker(results):
            draw(results, self.folder / "performance" / file)
            return f"![{text}](performance/{file})"
        return maker


def origin_text(found):
    """Where the results are from; pieces may have different roofs and commits."""
    origins = [origin for results in found.values() for origin in results.origins]
    first = origins[0]

    def each(name):
        return ", ".join(dict.fromkeys(str(origin[name]) for origin in origins))
    roofs = [origin["roof_gb_s"] for origin in origins]
    low, high = tables.whole(min(roofs)), tables.whole(max(roofs))
    return (f"{first['gpu']}, driver {each('driver')}, CUDA {each('toolkit')}, CUB {each('cub')}, "
            f"library of\ncommit {each('commit')}, {each('date')}. Reading memory goes at "
            f"{low if low == high else f'{low} to {high}'} GB/s there.\n"
            "All figures in G samples per second unless they are times, medians.")


def fill_sparse(page):
    """Keys of which nobody knows the range."""
    def pictures_of(results):
        return "\n\n".join(
            page.picture(f"Throughput over distinct keys, {kind}",
                         f"sparse_{kind.replace(' -> ', '_')}.svg", lambda r, path, k=kind:
                         pictures.draw_sparse(r, k, path))(results)
            for kind in dict.fromkeys(row["type"] for row in results.rows))
    for title, name in (("Sparse keys", "sparse"), ("Sparse keys of other types", "sparse_types"),
                        ("Sums of floats by sparse key", "sparse_sums")):
        page.section(title, name, lambda results:
                     "Keys of which nobody knows the range, in G per second, beside sorts that\n"
                     "begin with a copy that is not timed. The route is what explain() says, which does not\n"
                     "look at keys: counts of integers that lie near each other, and sums by such keys, are\n"
                     "formed as those of bins are, counts of keys of 4 bytes that lie evenly in a range, and of\n"
                     "wider ones less than 2^32 apart, range by range if they are many; where nearly all are\n"
                     "distinct otherwise, and sums from 2.5 * 10^7 on, the call sorts.", pictures_of,
                     lambda results: tables.sparse(results.rows))
    for title, name in (("Every number of sparse keys", "sparse_sweep"),
                        ("Every number of sparse keys, sums of floats", "sparse_sums_sweep")):
        page.section(title, name, page.picture(
            "Throughput over distinct keys", f"{name}.svg", pictures.draw_sparse_sweep))
    for title, name in (("What a call of sparse_histogram costs", "sparse_calls"),
                        ("The same with keys of other types", "sparse_types_calls"),
                        ("What a call of sparse_histogram_by_key costs", "sparse_sums_calls")):
        page.section(
            title, name,
            lambda results: "Microseconds, caching allocators: on the host's clock, the stream "
                            "waited for; from 2^26\nkeys on by the GPU's.\n\n"
                            + tables.sparse_calls(results.rows))


def fill(page):
    """All sections."""
    picture = page.picture
    page.section(
        "Every distribution, many bins", "many_bins",
        picture("Throughput over bins", "distributions.svg", lambda results, path:
                pictures.draw_distributions(results, "u32 keys, every distribution", path)),
        picture("Ratio to the best peer", "ratios.svg", lambda results, path:
                pictures.draw_ratios(results, "times as fast as the best peer, u32 keys", path)),
        lambda results: tables.many_bins(results.rows),
        lambda results: BETTER_ROUTES + tables.better_routes(results.rows))
    page.section(
        "Floating-point samples, many bins", "many_bins_f32",
        picture("Throughput over bins", "distributions_f32.svg", lambda results, path:
                pictures.draw_distributions(results, "f32 samples, histogram_even", path)),
        lambda results: tables.many_bins(results.rows),
        lambda results: BETTER_ROUTES + tables.better_routes(results.rows))
    page.section(
        "Bins that are discovered", "discover",
        lambda results: "Keys without a number of bins, microseconds on the host's clock. \"thrust::reduce first\" "
                        "is what a caller\ncould do: it finds the largest key, and calls `histogram` with a number of "
                        "bins then.\n\n" + tables.discovered(results.rows))
    page.section(
        "What is no array of numbers", "inputs",
        lambda results: "Zipped images, pixels, numbers of 2 bytes, what a function makes of samples; G samples per "
                        "second.\n\n" + tables.by_rules(results.rows))
    page.section(
        "Sums of floats by key", "folds",
        lambda results: "G pairs of a u32 key and a float per second.",
        picture("Throughput over bins", "folds.svg", pictures.draw_folds),
        lambda results: tables.folds(results.rows),
        lambda results: "The largest errors, as a part of the sum of the absolute values of a bin:"
                        "\n\n" + tables.fold_errors(results.rows))
    for title, name in (("Integers by key", "fold_types"),
                        ("Numbers of 8 bytes by key", "fold_wide")):
        page.section(title, name, lambda results:
                     "G pairs per second, u32 keys.\n\n" + tables.folds(results.rows))
    page.section(
        "Structs by key", "fold_structs",
        lambda results: "G pairs per second, u32 keys: the largest value and where it is, five "
                        "sums.\n\n" + tables.folds(results.rows))
    page.section(
        "Images in one pass", "fold_images",
        lambda results: "The four channels of an image in one pass of transform_histogram, G "
                        "pixels per second.\n\n" + tables.fold_images(results.rows))
    page.section(
        "Sums of what functions emit", "fold_emitted",
        lambda results: "Particles shared out among two or four bins by transform_histogram, G "
                        "pairs per second; before\na sort a kernel writes all pairs. Under par_nosync: exact sums in "
                        "more bins than fit shared\nmemory wait for the number of pairs all the "
                        "same.\n\n"
                        + tables.folds(results.rows))
    page.section(
        "Sums by samples and a rule", "fold_rules",
        lambda results: "Weighted histograms: samples and values of float, or of double, in G pairs "
                        "per second. Even bins,\nand uneven ones (squares with a jitter, "
                        "logarithmic).\n\n" + tables.by_rules(results.rows))
    page.section(
        "Joint histograms", "joint",
        lambda results: "Two coordinates, zipped, in a grid of even bins: counts, and sums of weights, "
                        "in G samples per second.\n\n" + tables.by_rules(results.rows))
    page.section(
        "What a call of histogram_by_key costs", "fold_calls",
        lambda results: "Microseconds on the host's clock, the stream waited for; ours "
                        "without an allocator /\nours with a caching allocator / the same with "
                        "exact() / radix sort + ReduceByKey with scratch\nmemory given / thrust "
                        "sort_by_key + reduce_by_key with a caching allocator / global atomics."
                        "\n\n" + tables.over_sizes(results.rows, FOLD_CALLS))
    fill_sparse(page)
    page.section(
        "Little scratch memory", "cap",
        lambda results: "The cap is options{}.max_temporary_bytes("
                        f"{results.rows[0]['cap']}).\n\n"
                        + tables.cap(results.rows, page.rows("many_bins")),
        lambda results: BETTER_ROUTES + tables.better_routes(results.rows))
    page.section("Every number of bins", "sweep",
                 picture("Throughput over bins", "sweep.svg", pictures.draw_sweep))
    page.section(
        "Every number of keys", "sizes",
        picture("Throughput over keys", "sizes.svg", pictures.draw_sizes),
        lambda results: TIMES.format("on the GPU's clock, caches flushed", "with a caching allocator",
                                     "without an allocator")
        + tables.over_sizes(results.rows, ("ours_us", "ours_with_cuda_malloc_us", "cub_even_us")))
    page.section(
        "What a call costs", "calls",
        lambda results: TIMES.format("on the host's clock, the stream waited for",
                                     "without an allocator", "with a caching allocator")
        + tables.over_sizes(results.rows, ("ours_us", "ours_cached_us", "cub_even_us")))
    page.section("Every type", "counting", lambda results: tables.counting(results.rows))
    page.section("Uneven bins", "ranges", lambda results: tables.ranges(results.rows))
    page.section(
        "Images", "images",
        lambda results: "Padded rows of bytes. Single frames come from memory, the cache flushed."
                        "\n\n" + tables.image_rows(results.rows),
        lambda results: "Channels of interleaved pixels of four bytes, in G pixels per second: several "
                        "in one pass of\ntransform_histogram, and by a call of histogram for each.\n\n"
                        + tables.image_channels(results.rows))
    page.section("Textbook kernels", "textbook", lambda results: tables.textbook(results.rows))
    page.section("reduce", "reduce", lambda results: tables.reduce(results.rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("docs", type=pathlib.Path)
    arguments = parser.parse_args()
    found = read_folder(arguments.results)
    wrong = wrong_rows(found)
    if wrong:
        sys.exit(f"{len(wrong)} rows are wrong, the first: {case_of(wrong[0])}")
    (arguments.docs / "performance").mkdir(exist_ok=True)
    page = Page(found, arguments.docs)
    fill(page)
    text = (arguments.docs / "performance.md").read_text()
    before, rest = text.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    parts = [MARKS[0], origin_text(found), "## Where we are not first", tables.not_first(found)]
    whole_page = "\n\n".join(parts + page.parts + [MARKS[1]])
    (arguments.docs / "performance.md").write_text(before + whole_page + after)


if __name__ == "__main__":
    main()
