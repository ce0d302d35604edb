#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads folders of results, and knows which figures are ours and which a peer's.

    python3 perf/results.py perf/results/nvidia-h200/2026-11-20

says how complete a folder is, and ends with 1 if a result in it was wrong.
"""
import json
import pathlib
import sys

# Figures are G samples per second; those that end in _us are microseconds.
OURS = {"ours": "", "ours_us": "", "even": "histogram_even", "keys": "histogram",
        "keys_us": "histogram", "ours_with_cuda_malloc": "without an allocator",
        "ours_with_cuda_malloc_us": "without an allocator",
        "ours_cached_us": "caching allocator", "exact": "exact()",
        "exact_us": "exact(), caching allocator"}
PEERS = {"cub_even": "CUB HistogramEven", "cub_even_us": "CUB HistogramEven",
         "sort_and_encode": "radix sort of the bits in use + encode",
         "thrust_sort_and_reduce": "thrust sort + reduce_by_key",
         "thrust_sort_and_reduce_us": "thrust sort + reduce_by_key",
         "cub_range": "CUB HistogramRange", "search_and_even": "thrust upper_bound + HistogramEven",
         "sort_and_search": "radix sort + search of edges",
         "cub_even_rows": "CUB HistogramEven, rows", "cub_multi_even": "CUB MultiHistogramEven",
         "sort_and_reduce": "radix sort of the bits in use + ReduceByKey",
         "sort_and_reduce_us": "radix sort of the bits in use + ReduceByKey",
         "thrust_sort_by_key": "thrust sort_by_key + reduce_by_key",
         "thrust_sort_by_key_us": "thrust sort_by_key + reduce_by_key",
         "global_atomics": "simple kernel, global atomics",
         "global_atomics_us": "simple kernel, global atomics",
         "largest_and_even_us": "thrust::reduce for the largest, CUB HistogramEven",
         "thrust_us": "thrust::reduce", "cub_and_copy_us": "CUB Sum and copy",
         "simple_global": "simple kernel, global atomics",
         "simple_shared": "simple kernel, shared memory",
         "shared_atomics": "simple kernel, atomics in shared memory",
         "places_and_even": "simple kernel of places + HistogramEven",
         "run_length": "simple kernel, runs added up",
         "simple_bytes": "simple kernel, byte counters"}
# Another route of ours, by force: no peer, but what the plan could have chosen.
OTHER_ROUTES = {"by_global": "route global, by force", "atomics": "route global, by force"}
# What names a case, in the order in which it is told.
CASE = ("cap", "image", "call", "fold", "type", "values", "layout", "width", "height", "pitch",
        "frames", "pixels", "channels", "n", "bins", "distinct", "edges", "distribution")


class Results:
    """The rows of a file, which may have been measured in pieces, each with its origin."""

    def __init__(self, path):
        self.origins, self.rows = [], []
        self.stopped = False
        text = path.read_text() if path.exists() else ""
        for line in filter(str.strip, text.splitlines()):
            row = json.loads(line)
            if "benchmark" in row:
                self.origins.append(row)
                self.stopped = False
            elif "stopped" in row:
                self.stopped = True
            else:
                self.origins[-1]["has rows"] = True
                row["roof_gb_s"] = self.origins[-1]["roof_gb_s"]
                self.rows.append(row)
        # A piece that found nothing left to measure says nothing.
        self.origins = [origin for origin in self.origins if origin.pop("has rows", False)]

    @property
    def roof(self):
        return max(origin["roof_gb_s"] for origin in self.origins)


def read_folder(folder):
    """{name of the file: its results}; a file that is missing has no rows. Call times used to be in
    counting.jsonl."""
    found = {path.stem: Results(path) for path in sorted(pathlib.Path(folder).glob("*.jsonl"))}
    machines = {(o["gpu"], o["toolkit"]) for results in found.values() for o in results.origins}
    if len(machines) > 1:
        sys.exit(f"{folder} has results of different machines: {sorted(machines)}")
    counting = found.get("counting")
    if counting and "calls" not in found:
        calls = found["calls"] = Results(pathlib.Path(folder) / "calls.jsonl")
        calls.origins = counting.origins
        calls.rows = [row for row in counting.rows if "call" in row]
    if counting:
        counting.rows = [row for row in counting.rows if "call" not in row]
    return found


def case_of(row):
    """What names a row, as text."""
    return " ".join(f"{name}={row[name]}" for name in CASE if name in row)


def is_time(name):
    return name.endswith("_us")


def peers_of(row):
    """{name: figure} of the peers in a row."""
    return {name: row[name] for name in PEERS if row.get(name)}


def best_peer(row):
    """(text, figure) of the fastest peer of a row, or (None, 0)."""
    peers = peers_of(row)
    if not peers:
        return None, 0
    times = all(map(is_time, peers))
    name = (min if times else max)(peers, key=peers.get)
    return PEERS[name], peers[name]


def times_as_fast(row, name):
    """How many times as fast a figure of ours is as the best peer, or None."""
    figure = best_peer(row)[1]
    if not figure or not row.get(name):
        return None
    return figure / row[name] if is_time(name) else row[name] / figure


def wrong_rows(found):
    """The rows in which results differed, or which have none because a call threw."""
    return [row for results in found.values() for row in results.rows
            if not row.get("equal", True) or "failed" in row]


def main():
    found = read_folder(sys.argv[1])
    for name, results in found.items():
        bad = wrong_rows({name: results})
        print(f"{name}: {len(results.rows)} rows in {len(results.origins)} pieces"
              f"{', stopped before the end' if results.stopped else ''}"
              f"{f', {len(bad)} WRONG, the first: {case_of(bad[0])}' if bad else ''}")
    sys.exit(1 if wrong_rows(found) else 0)


if __name__ == "__main__":
    main()
