#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the section on host systems of docs/performance.md from what perf/host.cpp printed.

    python3 perf/host_table.py perf/results/x86-64-two-cores/2026-11-23/host.jsonl docs

replaces what is between its two marks.
"""
import json
import pathlib
import sys

from tables import figure, ratio, table, whole

MARKS = ("<!-- host: begin -->", "<!-- host: end -->")
LOOPS = ("private_tables", "atomics", "interleaved")
ORDER = ("uniform", "constant", "sorted", "zipf")


def line_of(row):
    best = max(row[name] for name in LOOPS)
    return ((f"{row['type']}, {whole(row['bins'])}", row["distribution"])
            + tuple(figure(row[name]) for name in ("plain", "seq", "omp") + LOOPS)
            + (ratio(row["seq"] / row["plain"]), ratio(row["omp"] / best)))


def section(lines):
    first, *rows = [json.loads(line) for line in lines]
    wrong = [row for row in rows if not row["equal"]]
    if wrong:
        sys.exit(f"{len(wrong)} results are wrong, the first: {wrong[0]}")
    rows.sort(key=lambda row: (row["type"] != "u8", row["bins"],
                               ORDER.index(row["distribution"])))
    sizes = {row["type"]: row["n"].bit_length() - 1 for row in rows}
    keys = " and ".join(f"2^{log2} of {kind}" for kind, log2 in sizes.items())
    head = (f"Library of commit {first['commit']}, {first['date']}; {keys}, G samples per second, "
            f"medians.\nLoops written by hand run on {first['threads']} threads, as omp does, and "
            "have their tables before the clock starts.")
    return head + "\n\n" + table(
        ("samples, bins", "keys", "plain loop", "seq", "omp", "private tables", "atomics",
         "four interleaved", "seq / plain loop", "omp / best loop by hand"), map(line_of, rows))


def main():
    results, docs = map(pathlib.Path, sys.argv[1:3])
    page = docs / "performance.md"
    before, rest = page.read_text().split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    text = section(results.read_text().splitlines())
    page.write_text(before + MARKS[0] + "\n\n" + text + "\n\n" + MARKS[1] + after)


if __name__ == "__main__":
    main()
