#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the results of the benchmarks as SVG and writes the tables of docs/performance.md.

    python3 perf/plot.py perf/results/nvidia-h200/2026-11-20 docs

reads counting.jsonl, many_bins.jsonl and sweep.jsonl of a folder and writes docs/performance/*.svg and
the part of docs/performance.md between its two marks. Needs matplotlib.
"""
import argparse
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "thrust_hist"  # the same picture, the same file
import matplotlib.pyplot as plt  # noqa: E402

PEERS = {"cub_even": "CUB HistogramEven", "sort_and_encode": "radix sort of the bits in use + encode",
         "thrust_sort_and_reduce": "thrust sort + reduce_by_key", "atomics": "global atomics"}
MARKS = ("<!-- results: begin -->", "<!-- results: end -->")


def read(path):
    """The origin and the rows of a file of JSON lines."""
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return lines[0], lines[1:]


def best_peer(row):
    """The fastest peer of a row and its figure, or (None, 0)."""
    figures = [(row.get(name, 0), text) for name, text in PEERS.items()]
    figure, text = max(figures)
    return (text, figure) if figure > 0 else (None, 0)


def new_figure(title, xlabel, ylabel):
    figure, axes = plt.subplots(figsize=(8, 4.5))
    axes.set_title(title, fontsize=11)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(True, which="major", alpha=0.3)
    return figure, axes


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def draw_distributions(origin, rows, path):
    """Throughput over the number of bins, a line for each distribution, the roof above."""
    figure, axes = new_figure("u32 keys, every distribution", "bins", "Gkeys/s")
    for name in dict.fromkeys(row["distribution"] for row in rows):
        mine = sorted((row["bins"], row["ours"]) for row in rows if row["distribution"] == name)
        axes.plot(*zip(*mine), marker="o", markersize=3, linewidth=1, label=name)
    peers = [(row["bins"], max(row["cub_even"], row["sort_and_encode"], row["atomics"]))
             for row in rows if row["distribution"] == "uniform"]
    axes.plot(*zip(*sorted(peers)), color="black", linestyle="--", label="best peer, uniform")
    axes.axhline(origin["roof_gb_s"] / 4, color="grey", linestyle=":", label="memory")
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=7, ncol=2)
    save(figure, path)


def draw_sweep(origin, rows, path):
    """Throughput over the number of bins, where cliffs would show."""
    figure, axes = new_figure("u32 keys, uniform, 2^26", "bins", "Gkeys/s")
    for route in dict.fromkeys(row["route"] for row in rows):
        mine = sorted((row["bins"], row["ours"]) for row in rows if row["route"] == route)
        axes.plot(*zip(*mine), marker=".", linewidth=1, label=route)
    axes.axhline(origin["roof_gb_s"] / 4, color="grey", linestyle=":", label="memory")
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=8)
    save(figure, path)


def draw_ratios(rows, path):
    """A map of how many times as fast as the best peer, bins across and distributions down."""
    bins = sorted({row["bins"] for row in rows})
    names = list(dict.fromkeys(row["distribution"] for row in rows))
    ratio = {(row["distribution"], row["bins"]): row["ours"] / best_peer(row)[1] for row in rows}
    table = [[ratio.get((name, b), float("nan")) for b in bins] for name in names]
    figure, axes = plt.subplots(figsize=(8, 4.5))
    image = axes.imshow(table, aspect="auto", cmap="viridis",
                        norm=matplotlib.colors.LogNorm(vmin=1, vmax=20))
    axes.set_xticks(range(len(bins)), bins, rotation=30, fontsize=8)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    for y, line in enumerate(table):
        for x, value in enumerate(line):
            axes.text(x, y, f"{value:.1f}", ha="center", va="center", fontsize=7,
                      color="white" if value < 6 else "black")
    axes.set_title("times as fast as the best peer, u32 keys", fontsize=11)
    figure.colorbar(image)
    save(figure, path)


def table(header, lines):
    out = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    out += ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(out)


def whole(x):
    return f"{x:,.0f}".replace(",", " ") if x else ""


def counting_table(rows):
    """Each type and number of bins: ours, CUB's, the roof's share."""
    lines = []
    for row in rows:
        if "even" not in row:
            continue
        best = max(row["cub_even"], row["thrust_sort_and_reduce"])
        lines.append((row["type"], whole(row["bins"]), row["distribution"], whole(row["even"]),
                      whole(row["keys"]), whole(row["cub_even"]),
                      whole(row["thrust_sort_and_reduce"]), f"{row['even'] / best:.2f}"))
    return table(("type", "bins", "keys", "histogram_even", "histogram", "CUB HistogramEven",
                  "thrust sort + reduce_by_key", "even / best peer"), lines)


def many_bins_table(rows):
    lines = []
    for row in rows:
        peer, figure = best_peer(row)
        lines.append((whole(row["bins"]), row["distribution"], row["route"], whole(row["ours"]),
                      whole(row["ours_with_cuda_malloc"]), peer or "", whole(figure),
                      f"{row['ours'] / figure:.1f}" if figure else ""))
    return table(("bins", "keys", "route", "ours", "ours, cudaMalloc in each call", "best peer",
                  "its figure", "ratio"), lines)


def not_first(counting, many):
    """The rows in which somebody is faster, as sentences."""
    found = []
    for row in counting:
        if "even" in row and row["even"] < row["cub_even"]:
            found.append(f"- {row['type']}, {row['bins']} bins, {row['distribution']}: "
                         f"CUB {row['cub_even']:.0f}, ours {row['even']:.0f}")
        if "call" in row and row["ours_us"] > row["cub_even_us"]:
            found.append(f"- call, {row['n']} samples, {row['bins']} bins: CUB "
                         f"{row['cub_even_us']:.1f} us, ours {row['ours_us']:.1f} us")
    for row in many:
        peer, figure = best_peer(row)
        if figure > row["ours"]:
            found.append(f"- u32, {row['bins']} bins, {row['distribution']}: {peer} {figure:.0f}, "
                         f"ours {row['ours']:.0f}")
    return "\n".join(found) if found else "In no row that was measured."


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("docs", type=pathlib.Path)
    arguments = parser.parse_args()
    pictures = arguments.docs / "performance"
    pictures.mkdir(exist_ok=True)
    origin, counting = read(arguments.results / "counting.jsonl")
    many_origin, many = read(arguments.results / "many_bins.jsonl")
    sweep_origin, sweep = read(arguments.results / "sweep.jsonl")
    draw_distributions(many_origin, many, pictures / "distributions.svg")
    draw_sweep(sweep_origin, sweep, pictures / "sweep.svg")
    draw_ratios(many, pictures / "ratios.svg")
    wrong = [row for row in counting + many + sweep if not row.get("equal", True)]
    if wrong:
        sys.exit(f"{len(wrong)} rows are wrong, the first: {wrong[0]}")
    page = arguments.docs / "performance.md"
    text = page.read_text()
    before, rest = text.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    result = f"""{MARKS[0]}

{origin['gpu']}, driver {origin['driver']}, CUDA {origin['toolkit']}, CUB {origin['cub']}, library of
commit {origin['commit']}, {origin['date']}. Reading memory goes at {whole(origin['roof_gb_s'])} GB/s there.
All figures in G samples per second, medians.

## Where we are not first

{not_first(counting, many)}

## Every distribution, many bins

![Throughput over bins](performance/distributions.svg)
![Ratio to the best peer](performance/ratios.svg)

{many_bins_table(many)}

## Every number of bins

![Throughput over bins](performance/sweep.svg)

## Every type

{counting_table(counting)}

{MARKS[1]}"""
    page.write_text(before + result + after)


if __name__ == "__main__":
    main()
