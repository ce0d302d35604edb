#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the GPU at hand and prints a row for thrust_hist/system/cuda/tuning.h.

    python3 perf/tune.py [--program build/perf/tune] [--results perf/results]
    python3 perf/tune.py --rows FILE         # from what the program printed on another machine

Builds perf/tune.cu with nvcc if the program is not there. What was measured is saved as
perf/results/<gpu>/<date>/tuning.json; records of any GPU are welcome.

A threshold is the last value up to which the route below it is nowhere slower than the route above,
by more than 2 %, where the slower of uniform and equal keys counts.
"""
import argparse
import json
import pathlib
import subprocess

TOP = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 1.02
# The members of tuning_row in their order, and what they mean.
MEMBERS = {
    "block_threads": "threads of a block",
    "lanes_bytes": "replicate over lanes while a table stays below this",
    "samples_per_block": "a block is worth starting for so many samples",
    "fold_ratio": "and for so many samples for each bin it folds",
    "global_samples": "up to so many samples atomics on the output may be best",
    "global_bins": "or up to one for so many bins",
    "global_pairs": "the same of folds by atomics",
    "global_pair_bins": "or up to one for so many bins",
    "split_parts_log2": "at most so many blocks share the bins out",
    "rule_samples": "from so many samples on a rule may fill shared memory first",
    "more_rule_samples": "from so many on, more of it than it needs",
    "cells_samples": "from so many on, and one for each bin, cells are made",
    "fresh_batch": "samples of a batch whose scratch no allocator keeps, at least",
    "fresh_ratio": "and for each bin, since a batch reads and writes them all",
    "lone_pairs": "up to so many floats one block sums faster than several",
}


def measure(program):
    """What tune.cu prints."""
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["nvcc", "-std=c++17", "-O3", "--extended-lambda", "-arch=native",
                        f"-I{TOP}", str(TOP / "perf" / "tune.cu"), "-o", str(program)], check=True)
    return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout


def threshold_of(rows, none):
    """The last value before the route above is better, or `none` if it always is."""
    last = none
    for value in sorted({row["value"] for row in rows}):
        here = [row for row in rows if row["value"] == value]
        below, above = (max(row[name] for row in here) for name in ("below_us", "above_us"))
        if below > TOLERANCE * above:
            break
        last = value
    return last


def thresholds(rows, default):
    """{member of tuning_row: value}: measured, or the default; and which were measured."""
    found = {name: default[name] for name in MEMBERS}
    measured = set()
    for name in {row["threshold"] for row in rows}:
        mine = [row for row in rows if row["threshold"] == name]
        # Where there are several routes above, the smallest threshold serves all.
        found[name] = min(threshold_of([row for row in mine if row["above"] == above], 0)
                          for above in {row["above"] for row in mine})
        measured.add(name)
    return found, measured


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=pathlib.Path, default=TOP / "build" / "perf" / "tune")
    parser.add_argument("--results", type=pathlib.Path, default=TOP / "perf" / "results")
    parser.add_argument("--rows", type=pathlib.Path)
    arguments = parser.parse_args()
    text = arguments.rows.read_text() if arguments.rows else measure(arguments.program)
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    origin = next(line for line in lines if "benchmark" in line)
    default = next(line for line in lines if "default" in line)
    rows = [line for line in lines if "threshold" in line]
    found, measured = thresholds(rows, default)

    folder = arguments.results / origin["gpu"].lower().replace(" ", "-") / origin["date"]
    folder.mkdir(parents=True, exist_ok=True)
    record = {"origin": origin, "tuning_row": found, "measured": sorted(measured), "rows": rows}
    (folder / "tuning.json").write_text(json.dumps(record, indent=1) + "\n")

    print(f"// {origin['gpu']}, CUDA {origin['toolkit']}, {origin['date']}")
    print("inline constexpr tuning_row measured_tuning = {")
    for name, meaning in MEMBERS.items():
        note = "" if name in measured else " (not measured)"
        print(f"    {found[name]},  // {name}: {meaning}{note}")
    print("};")
    for name in sorted(measured):
        if found[name] != default[name]:
            print(f"// {name}: {default[name]} in tuning.h, measured {found[name]}")
    print(f"// {folder / 'tuning.json'} has the times")


if __name__ == "__main__":
    main()
