#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far folds by key and sparse histograms are from what they should reach on an H200.

    python3 perf/targets.py perf/results/nvidia-h200/2026-11-20 [--scaled]

prints for each target the slowest case that was measured; then steps of more than a fifth between
a number of sparse keys and the next, which distributions are slower than 0.8 of uniform, and where
a peer is faster. --scaled: floors and goals by the roof of the run, for other GPUs. Ends with 1 if
a floor is missed, or there is a step.
"""
import argparse
import sys

from results import best_peer, case_of, is_time, peers_of, read_folder, times_as_fast, wrong_rows

ROOF = 4527  # GB/s of reading, where the targets were set
EVEN = ("uniform", "zipf")
SIXTEEN_THOUSAND, MEGA, MILLION = 16384, 1 << 20, 10**6


def floats(low, high, distributions=None, values=("unit",)):
    """Sums of floats in so many bins."""
    def chosen(row):
        return (low <= row["bins"] <= high and row["values"] in values
                and (distributions is None or (row["distribution"] in EVEN) == distributions))
    return chosen


def fold(kinds, high):
    return lambda row: row["bins"] <= high and (row["fold"], row["type"]) in kinds


def sparse(kind, low, high):
    """Keys of a type of which so many are distinct."""
    return lambda row: row["type"] == kind and low <= row["distinct"] <= high


def best_sort(row):
    sorts = [row[name] for name in ("sort_and_reduce", "thrust_sort_by_key") if name in row]
    return max(sorts) if sorts else None


SPARSE_SWEEPS = ("sparse_sweep", "sparse_sums_sweep")
FILES = ("folds", "fold_types", "fold_wide", "fold_structs", "fold_images", "fold_emitted",
         "fold_calls", "sparse", "sparse_types", "sparse_sums", "sparse_calls",
         "sparse_types_calls", "sparse_sums_calls") + SPARSE_SWEEPS
EXACT = ("unit", "normal")
NUMBERS = (("sum", "i32"), ("min", "u32"), ("max", "u32"))
WIDE = (("sum", "f64"), ("sum", "i64"))
# What, file, which rows, which figure, floor, goal: numbers, or functions of a row.
TARGETS = (
    ("f32 sums, up to 16 bins", "folds", floats(1, 16), "ours", 520, 555),
    ("f32 sums, 256 to 16 384 bins, uniform and zipf", "folds",
     floats(256, SIXTEEN_THOUSAND, True), "ours", 470, 550),
    ("the same, other keys", "folds",
     floats(256, SIXTEEN_THOUSAND, False), "ours", 400, 550),
    ("exact(), up to 16 bins", "folds", floats(1, 16, values=EXACT), "exact", 416, 555),
    ("exact(), 256 to 16 384 bins, uniform and zipf", "folds",
     floats(256, SIXTEEN_THOUSAND, True, EXACT), "exact", 376, 550),
    ("the same, other keys", "folds",
     floats(256, SIXTEEN_THOUSAND, False, EXACT), "exact", 320, 550),
    ("exact(), exponents over the whole range", "folds",
     floats(1, 1 << 24, values=("whole_range",)), "exact",
     lambda row: row.get("thrust_sort_by_key"), 200),
    ("f32 sums, 65 536 to 4 Mi bins", "folds", floats(65536, 4 * MEGA), "ours", 110, 180),
    ("f32 sums, 16 Mi bins", "folds", floats(16 * MEGA, 16 * MEGA), "ours", 60, 120),
    ("i32 sums, u32 minima and maxima, up to 32 768 bins", "fold_types",
     fold(NUMBERS, 32768), "ours", 440, 550),
    ("f64 and i64 sums, up to 8 192 bins", "fold_wide", fold(WIDE, 8192), "ours", 200, 340),
    ("argmax of 16 bytes, up to 4 096 bins", "fold_structs",
     fold((("argmax", "16 bytes"),), 4096), "ours", 90, 200),
    ("sums of 40 bytes, up to 1 Mi bins", "fold_structs",
     fold((("sum", "5 x f64"),), MEGA), "ours",
     lambda row: 3 * best_sort(row) if best_sort(row) else None,
     lambda row: 6 * best_sort(row) if best_sort(row) else None),
    ("RGBA8 image, 4 x 256 bins, G pixels/s", "fold_images",
     fold((("count", "rgba8"),), 1024), "ours", 700, 1000),
    ("a call of 2^16 pairs in 256 bins, µs", "fold_calls",
     lambda row: row["n"] == 1 << 16 and row["bins"] == 256, "ours_cached_us", 25, 25),
    ("sparse u32 counts, up to 1 M distinct", "sparse",
     sparse("u32", 1, MILLION), "ours", 120, 250),
    ("sparse u32 counts, 20 M distinct", "sparse",
     sparse("u32", 20 * MILLION, 20 * MILLION), "ours", 60, 120),
    ("sparse u64 counts, up to 1 M distinct", "sparse", sparse("u64", 1, MILLION), "ours", 80, 160),
    ("sparse u64 counts, 20 M distinct", "sparse",
     sparse("u64", 20 * MILLION, 20 * MILLION), "ours", 45, 80),
    ("sparse u64 counts, all distinct", "sparse",
     lambda row: row["type"] == "u64" and row["distinct"] == row["n"], "ours", 16, 25),
    ("sparse u64 -> f32 sums, up to 1 M distinct", "sparse_sums",
     sparse("u64 -> f32", 1, MILLION), "ours", 60, 110),
    # Never slower than sort + reduce_by_key; the goal: nor than a radix sort of the bits in use.
) + tuple((f"{file}: as fast as a sort", file, lambda row: True, "ours",
           lambda row, name=name: row.get(name), lambda row: best_peer(row)[1])
          for file, name in (("sparse", "thrust_sort_and_reduce"),
                             ("sparse_types", "thrust_sort_and_reduce"),
                             ("sparse_sums", "thrust_sort_by_key"))) + tuple(
    (f"{file}: as fast as a sort", file, lambda row: True, "ours_cached_us",
     lambda row, name=name: row.get(name), lambda row, name=name: row.get(name))
    for file, name in (("sparse_calls", "thrust_sort_and_reduce_us"),
                       ("sparse_types_calls", "thrust_sort_and_reduce_us"),
                       ("sparse_sums_calls", "thrust_sort_by_key_us"))
) + tuple(
    (f"{file}: as fast as a sort, without an allocator", file, lambda row: True,
     "ours_default_us", lambda row: row.get("thrust_default_us"),
     lambda row: row.get("thrust_default_us"))
    for file in ("sparse_calls", "sparse_types_calls", "sparse_sums_calls")
)


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


def print_slower_than_uniform(rows, figure):
    """Distributions that are slower than 0.8 of uniform keys, all else equal."""
    def key(row):
        return tuple(row.get(name) for name in ("fold", "type", "values", "layout", "n", "bins",
                                              "distinct"))
    uniform = {key(row): row[figure] for row in rows
               if row.get("distribution") == "uniform" and row.get(figure)}
    for row in rows:
        if row.get(figure) and key(row) in uniform and row[figure] < 0.8 * uniform[key(row)]:
            print(f"{row[figure] / uniform[key(row)]:.2f} of uniform: {figure} {row[figure]:.4g}, "
                  f"{case_of(row)}")


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


def print_memory(rows):
    """Twice the input and 64 bytes for each distinct key, of which docs/execution.md says what comes
    beside: where most was taken, compared with that; how often more."""
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
    for name, results in found.items():
        over = print_memory(results.rows)
        if over:
            print(f"memory         {name}: {over} cases took more, which a sort does")
    for results in found.values():
        for figure in ("ours", "exact"):
            print_slower_than_uniform(results.rows, figure)
        for row in results.rows:
            for figure in ("ours", "exact", "ours_cached_us", "exact_us"):
                times = times_as_fast(row, figure)
                if peers_of(row) and times and times < 1:
                    print(f"{times:.2f} of {best_peer(row)[0]}: {figure} {row[figure]:.4g}, "
                          f"{case_of(row)}")
    sys.exit(1 if missed or wrong else 0)


if __name__ == "__main__":
    main()
