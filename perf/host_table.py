#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the sections on host systems of docs/performance.md from what perf/host.cpp printed, of counts or, with --folds, of
folds, with --rules, of even and uneven bins.

    python3 perf/host_table.py perf/results/x86-64-two-cores/2026-11-30/host.jsonl docs
    python3 perf/host_table.py perf/results/x86-64-two-cores/2026-11-25/folds.jsonl docs
    python3 perf/host_table.py perf/results/x86-64-two-cores/2026-11-30/rules.jsonl docs

Each replaces what is between its two marks.
"""
import json
import pathlib
import sys

from tables import figure, ratio, table, whole

LOOPS = ("private_tables", "atomics", "interleaved")
ORDER = ("uniform", "constant", "sorted", "zipf")


def line_of(row):
    best = max(row[name] for name in LOOPS)
    return ((f"{row['type']}, {whole(row['bins'])}", row["distribution"])
            + tuple(figure(row[name]) for name in ("plain", "seq", "omp") + LOOPS)
            + tuple(figure(row[name]) if name in row else ""
                    for name in ("seq_discovered", "omp_discovered"))
            + (ratio(row["seq"] / row["plain"]), ratio(row["omp"] / best)))


def rows_of(lines):
    first, *rows = [json.loads(line) for line in lines]
    wrong = [row for row in rows if not row["equal"]]
    if wrong:
        sys.exit(f"{len(wrong)} results are wrong, the first: {wrong[0]}")
    return first, rows


def counts(first, rows):
    rows.sort(key=lambda row: (row["type"] != "u8", row["bins"],
                               ORDER.index(row["distribution"])))
    sizes = {row["type"]: row["n"].bit_length() - 1 for row in rows}
    keys = " and ".join(f"2^{log2} of {kind}" for kind, log2 in sizes.items())
    head = (f"Library of commit {first['commit']}, {first['date']}; {keys}, G samples per second, "
            f"medians.\nLoops written by hand run on {first['threads']} threads, as omp does, and "
            "have their tables before the clock starts.")
    return head + "\n\n" + table(
        ("samples, bins", "keys", "plain loop", "seq", "omp", "private tables", "atomics",
         "four interleaved", "seq, bins discovered", "omp, bins discovered", "seq / plain loop",
         "omp / best loop by hand"), map(line_of, rows))


FOLDS = {"f32": "sums of f32", "f64": "sums of f64", "u32": "sums of u32",
         "best": "the largest of 16 bytes, by an operator of a user",
         "best, noexcept": "the same, by an operator that is noexcept"}


def line_of_fold(row):
    optional = [figure(row[name]) if name in row else "" for name in ("seq_exact", "omp_exact")]
    return ((f"{row['fold']}, {whole(row['bins'])}", row["distribution"])
            + tuple(figure(row[name]) for name in ("plain", "seq", "private_tables", "omp"))
            + tuple(optional)
            + (ratio(row["seq"] / row["plain"]), ratio(row["omp"] / row["private_tables"])))


def folds(first, rows):
    rows.sort(key=lambda row: (list(FOLDS).index(row["fold"]), row["bins"],
                               ORDER.index(row["distribution"])))
    sizes = {row["fold"]: row["n"].bit_length() - 1 for row in rows}
    kinds = "; ".join(f"{kind}: {FOLDS[kind]}, 2^{log2} pairs" for kind, log2 in sizes.items())
    head = (f"Library of commit {first['commit']}, {first['date']}; keys of u32; {kinds}. G pairs per second, "
            "medians.\nThe loops are `table[key] = op(table[key], value)`, on one thread and in private tables on "
            f"{first['threads']} threads, as omp runs, which are there before the clock starts.")
    sorts = [row for row in rows if "seq_sort" in row]
    peers = max(max(row["seq_sort"] / row["seq"], row["omp_sort"] / row["omp"]) for row in sorts)
    tail = ("Thrust's sort_by_key and reduce_by_key, of uniform keys: at most "
            f"{ratio(peers)} of what seq and omp do without exact().")
    return head + "\n\n" + table(
        ("values, bins", "keys", "plain loop", "seq", "private tables", "omp", "seq, exact()",
         "omp, exact()", "seq / plain loop", "omp / private tables"),
        map(line_of_fold, rows)) + "\n\n" + tail


EDGES = ("even", "squares", "logarithmic")


def line_of_rule(row):
    return ((f"{row['rule']}, {row['type']}, {whole(row['bins'])}", row["distribution"])
            + tuple(figure(row[name]) for name in ("plain", "seq", "omp"))
            + (ratio(row["seq"] / row["plain"]), ratio(row["omp"] / row["seq"])))


def rules(first, rows):
    rows.sort(key=lambda row: (EDGES.index(row["rule"]), row["type"], row["bins"], row["distribution"]))
    log2 = rows[0]["n"].bit_length() - 1
    head = (f"Library of commit {first['commit']}, {first['date']}; 2^{log2} samples, G samples per second, medians; "
            f"omp with {first['threads']} threads.\nThe plain loop searches uneven edges by std::upper_bound; among even "
            "bins it multiplies, and is not exact.")
    return head + "\n\n" + table(
        ("edges, samples, bins", "samples", "plain loop", "seq", "omp", "seq / plain loop", "omp / seq"),
        map(line_of_rule, rows))


def main():
    results, docs = map(pathlib.Path, sys.argv[1:3])
    first, rows = rows_of(results.read_text().splitlines())
    name, section = (("host folds", folds) if "fold" in rows[0] else
                     ("host rules", rules) if "rule" in rows[0] else ("host", counts))
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    page = docs / "performance.md"
    before, rest = page.read_text().split(begin)
    after = rest.split(end)[1]
    page.write_text(before + begin + "\n\n" + section(first, rows) + "\n\n" + end + after)


if __name__ == "__main__":
    main()
