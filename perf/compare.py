#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two folders of results and names what became slower.

    python3 perf/compare.py BEFORE AFTER [--tolerance 0.05]

Rows are matched by everything that is no measured figure. Ends with 1 if a figure of ours is worse by
more than the tolerance, relative to the roof of its run.
"""
import argparse
import json
import pathlib
import sys

HIGHER = ("ours", "even", "keys")
LOWER = ("ours_us",)
KEY = ("call", "type", "n", "bins", "distribution")


def read(folder):
    """{file and case: row with figures}, figures of throughput as shares of the roof."""
    found = {}
    for path in sorted(folder.glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
        roof = lines[0]["roof_gb_s"]
        for row in lines[1:]:
            case = (path.name,) + tuple(str(row[name]) for name in KEY if name in row)
            found[case] = {name: row[name] / roof for name in HIGHER if row.get(name)}
            found[case].update({name: row[name] for name in LOWER if name in row})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--tolerance", type=float, default=0.05)
    arguments = parser.parse_args()
    before, after = read(arguments.before), read(arguments.after)
    slower = faster = 0
    for case in sorted(before.keys() & after.keys()):
        for name, old in before[case].items():
            new = after[case].get(name)
            if not new:
                continue
            change = old / new - 1 if name in LOWER else new / old - 1
            if change < -arguments.tolerance:
                slower += 1
                print(f"slower by {-change:.0%}: {' '.join(case)} {name}")
            elif change > arguments.tolerance:
                faster += 1
    for case in sorted(before.keys() - after.keys()):
        print(f"not measured again: {' '.join(case)}")
    print(f"{len(before.keys() & after.keys())} cases in both, {slower} figures slower, {faster} faster")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
