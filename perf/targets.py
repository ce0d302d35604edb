#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far counts, folds and sparse histograms are from what they should reach on an H200.

    python3 perf/targets.py perf/results/nvidia-h200/2026-11-20 [--scaled]

prints for each target (floors.py) the slowest case that was measured; then steps of more than a
fifth between a number of sparse keys and the next, or of 15 % between a number of bins and the
next, but where a row of the targets ends; what a cap of 64 MiB costs; which distributions are
slower than 0.85 of uniform (counts) or 0.8 (others), and where a peer is faster. --scaled: floors
and goals in G a second by the roof of the run, for other GPUs (those that are parts of the roof
always are). Ends with 1 if a floor is missed, a distribution of counts is too slow, or there is a
step.
"""
import argparse
import sys

from floors import COUNT_FILES, FILES, ROOF, SPARSE_SWEEPS, TARGETS
from results import best_peer, case_of, is_time, peers_of, read_folder, times_as_fast, wrong_rows


def part_of(row, figure, limit, scaled):
    """The figure as a part of the limit: 1 reaches it."""
    limit = limit(row) if callable(limit) else limit * (
        row["roof_gb_s"] / ROOF if scaled and not is_time(figure) else 1)
    if not limit:
        return None
    return limit / row[figure] if is_time(figure) else row[figure] / limit


def judge_targets(found, scaled):
    """Prints a line for each target; how many floors are missed."""
    missed = 0
    for text, file, chosen, figure, floor, goal in TARGETS:
        rows = [row for row in (found[file].rows if file in found else [])
                if chosen(row) and row.get(figure) and part_of(row, figure, floor, scaled)]
        if not rows:
            print(f"not measured   {text}")
            continue
        worst = min(rows, key=lambda row: part_of(row, figure, floor, scaled))
        of_floor = part_of(worst, figure, floor, scaled)
        of_goal = min(part_of(row, figure, goal, scaled) for row in rows)
        word = "below floor" if of_floor < 1 else "above floor" if of_goal < 1 else "goal reached"
        missed += of_floor < 1
        below = sum(part_of(row, figure, floor, scaled) < 1 for row in rows)
        print(f"{word:14} {text}: {figure} {worst[figure]:.4g}, {of_floor:.2f} of the floor, "
              f"{of_goal:.2f} of the goal at worst; {below} of {len(rows)} cases below the floor; "
              f"{case_of(worst)}, route {worst.get('route', '-')}")
    return missed


def print_slower_than_uniform(rows, figure, part):
    """Distributions that are slower than such a part of uniform keys, all else equal; how many.
    Samples on edges have floors of their own."""
    names = ("cap", "edges", "fold", "type", "values", "layout", "n", "bins", "distinct")

    def key(row):
        return tuple(row.get(name) for name in names)
    # Over uneven bins uniform samples are mostly in a few of them.
    evenly = {"uniform"} if not any("edges" in row for row in rows) else {"any_bin"}
    uniform = {key(row): row[figure] for row in rows
               if row.get("distribution") in evenly and row.get(figure)}
    slow = 0
    for row in rows:
        on_edges = row.get("distribution") in ("on_edges", "on_the_edges")
        if (row.get(figure) and key(row) in uniform and not on_edges
                and row[figure] < part * uniform[key(row)]):
            slow += 1
            print(f"{row[figure] / uniform[key(row)]:.2f} of uniform: {figure} {row[figure]:.4g}, "
                  f"{case_of(row)}")
    return slow


def print_steps(rows):
    """Steps of more than a fifth, up or down, between a number of distinct keys and the next, at
    most 1.11 times as many; how many."""
    rows = sorted((row for row in rows if row.get("ours")),
                  key=lambda row: (row["type"], row["n"], row["distinct"]))
    steps = 0
    for row, after in zip(rows, rows[1:]):
        near = ((row["type"], row["n"]) == (after["type"], after["n"])
                and after["distinct"] <= 1.11 * row["distinct"])
        if near and min(row["ours"], after["ours"]) < 0.8 * max(row["ours"], after["ours"]):
            steps += 1
            print(f"step           from {row['ours']:.4g} to {after['ours']:.4g} between "
                  f"{row['distinct']} and {after['distinct']} distinct, {row['type']}")
    return steps


# The last bins of the rows of the targets; behind them counts may be slower at once.
LAST_BINS = (2048, 16384, 65536, 112001, 200000)
MOST_BINS_OF_A_SWEEP = 1 << 24


def print_cliffs(rows):
    """Steps of more than 15 % between a number of bins and the next, up to 2^24; how many."""
    rows = sorted((row for row in rows if row["bins"] <= MOST_BINS_OF_A_SWEEP and row.get("ours")),
                  key=lambda row: row["bins"])
    cliffs = 0
    for row, after in zip(rows, rows[1:]):
        ends = any(row["bins"] <= last < after["bins"] for last in LAST_BINS)
        if not ends and min(row["ours"], after["ours"]) < 0.85 * max(row["ours"], after["ours"]):
            cliffs += 1
            print(f"cliff          from {row['ours']:.4g} to {after['ours']:.4g} between "
                  f"{row['bins']} and {after['bins']} bins")
    return cliffs


def print_cost_of_cap(rows, uncapped):
    """For each number of bins the distribution that loses most by the cap."""
    free = {(row["bins"], row["distribution"]): row["ours"] for row in uncapped if row.get("ours")}
    parts = {}
    for row in rows:
        case = row["bins"], row["distribution"]
        if case in free and row.get("ours"):
            parts.setdefault(row["bins"], []).append((row["ours"] / free[case], case[1]))
    for bins, found in sorted(parts.items()):
        part, distribution = min(found)
        print(f"cap            {bins} bins: {part:.2f} of what no cap gives at worst, "
              f"{distribution}; uniform {dict((d, p) for p, d in found).get('uniform', 0):.2f}")


def print_memory(rows):
    """Twice the input and 64 bytes for each distinct key, of which docs/execution.md says what
    comes beside: where most was taken, compared with that; how often more."""
    rows = [row for row in rows if "peak_bytes" in row]
    def part(row):
        keys = row.get("rows", min(row["n"], row["distinct"]))
        return row["peak_bytes"] / (2 * row["bytes"] * row["n"] + 64 * keys)
    for row in sorted(rows, key=part)[-1:]:
        print(f"memory         {part(row):.3f} of what may be taken at most: {case_of(row)}")
    return sum(part(row) > 1 for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results")
    parser.add_argument("--scaled", action="store_true")
    arguments = parser.parse_args()
    found = {name: results for name, results in read_folder(arguments.results).items()
             if name in FILES and results.rows}
    for name, results in found.items():
        print(f"{name}: {len(results.rows)} rows, roof {results.roof:.0f} GB/s")
    wrong = wrong_rows(found)
    for row in wrong:
        print(f"WRONG or failed: {case_of(row)} {row.get('failed', '')}")
    missed = judge_targets(found, arguments.scaled)
    missed += sum(print_steps(found[name].rows) for name in SPARSE_SWEEPS if name in found)
    missed += print_cliffs(found["sweep"].rows) if "sweep" in found else 0
    if "cap" in found and "many_bins" in found:
        print_cost_of_cap(found["cap"].rows, found["many_bins"].rows)
    for name, results in found.items():
        over = print_memory(results.rows)
        if over:
            print(f"memory         {name}: {over} cases took more, which a sort does")
    for name, results in found.items():
        counts = name in COUNT_FILES
        for figure in ("ours", "exact", "even", "keys"):
            slow = print_slower_than_uniform(results.rows, figure, .85 if counts else .8)
            missed += slow if counts else 0
        for row in results.rows:
            for figure in ("ours", "exact", "even", "keys", "ours_us", "ours_cached_us",
                           "exact_us"):
                times = times_as_fast(row, figure)
                if peers_of(row) and times and times < 1:
                    print(f"{times:.2f} of {best_peer(row)[0]}: {figure} {row[figure]:.4g}, "
                          f"{case_of(row)}")
    sys.exit(1 if missed or wrong else 0)


if __name__ == "__main__":
    main()
