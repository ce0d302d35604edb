#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two folders of results and names what became slower.

    python3 perf/compare.py BEFORE AFTER [--tolerance 0.05]

Rows are matched by everything that is no measured figure. Ends with 1 if a figure of ours is worse
by more than the tolerance: throughput relative to the roof of its run, times as they are.
"""
import argparse
import sys

from results import OURS, case_of, is_time, read_folder


def figures_of(folder):
    """{(file, case): figures of ours}, throughput as a share of the roof."""
    found = {}
    for name, results in read_folder(folder).items():
        for row in results.rows:
            found[name, case_of(row)] = {
                figure: row[figure] if is_time(figure) else row[figure] / row["roof_gb_s"]
                for figure in OURS if row.get(figure)}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--tolerance", type=float, default=0.05)
    arguments = parser.parse_args()
    before, after = figures_of(arguments.before), figures_of(arguments.after)
    slower, faster = [], 0
    for case in sorted(before.keys() & after.keys()):
        for name in before[case].keys() & after[case].keys():
            old, new = before[case][name], after[case][name]
            change = (old / new if is_time(name) else new / old) - 1
            if change < -arguments.tolerance:
                slower.append((change, f"{case[0]}: {case[1]} {name}"))
            elif change > arguments.tolerance:
                faster += 1
    for change, text in sorted(slower):
        print(f"slower by {-change:.0%}: {text}")
    missing = before.keys() - after.keys()
    for name in sorted({case[0] for case in missing}):
        print(f"not measured again: {sum(case[0] == name for case in missing)} cases of {name}")
    print(f"{len(before.keys() & after.keys())} cases in both, {len(slower)} figures slower, "
          f"{faster} faster, {len(after.keys() - before.keys())} cases new")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
