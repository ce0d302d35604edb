#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""NumPy as a second, independent reference: numpy_reference.py PROGRAM [SEED [CASES]]

Sends random cases to PROGRAM (count_cases) and compares its counts with np.bincount and, given the
edges that the library computes, with np.histogram. Exits with 77 where NumPy is missing.
"""

import struct
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is missing")
    sys.exit(77)

# The kinds of count_cases.cpp: keys for np.bincount, then reals in even bins and between edges.
KEYS = [np.uint8, np.int32, np.uint16, np.int64]
REALS = [np.float32, np.float64]
FIRST_EVEN, FIRST_RANGE = 4, 6
TYPES = KEYS + REALS + REALS
LEVELS = [(-1, 1), (-3, 3), (0, 7), (0, 1), (0.1, 0.7), (1e30, 2e30), (-273.15, 1000), (5, 5)]


def make_case(rng, large):
    """Returns (kind, bins, lower, upper, edges, samples)."""
    kind = int(rng.integers(len(TYPES)))
    dtype = TYPES[kind]
    # Large ones are shared among threads and fill many tiles, some with a table of many bins.
    n = int(rng.integers(150000, 250000) if large else rng.integers(0, 400))
    bins = int(rng.choice([3, 50, 6007, 100003]) if large else rng.integers(1, 60))
    if kind < FIRST_EVEN:
        keys = rng.integers(-5, bins + 9, n)
        return kind, bins, 0, 0, np.empty(0, dtype), keys.astype(dtype)
    lower, upper = LEVELS[int(rng.integers(len(LEVELS)))]
    edges = np.linspace(lower, upper, bins + 1).astype(dtype)
    if kind >= FIRST_RANGE:  # uneven edges, some of them equal
        edges = np.sort(rng.choice(edges, bins + 1))
    samples = rng.uniform(lower - (upper - lower) / 4, upper + (upper - lower) / 4, n).astype(dtype)
    near = rng.choice(edges, n)  # on edges and beside them
    near = np.where(rng.random(n) < 0.3, np.nextafter(near, dtype(np.inf)), near)
    near = np.where(rng.random(n) < 0.3, np.nextafter(near, dtype(-np.inf)), near)
    samples = np.where(rng.random(n) < 0.5, near, samples).astype(dtype)
    samples[rng.random(n) < 0.02] = np.nan
    if kind < FIRST_RANGE:
        edges = np.empty(0, dtype)
    return kind, bins, lower, upper, edges, samples


def encode(case):
    kind, bins, lower, upper, edges, samples = case
    header = struct.pack("<qqqqdd", kind, len(samples), bins, len(edges), lower, upper)
    return header + edges.tobytes() + samples.tobytes()


def expected_counts(case, edges):
    kind, bins, _, _, _, samples = case
    if kind < FIRST_EVEN:
        return np.bincount(samples[samples >= 0], minlength=bins)[:bins]
    return np.histogram(samples, bins=edges)[0]


def check(cases, answer):
    """Compares the answers, one after the other in a string of bytes."""
    at = 0
    for number, case in enumerate(cases):
        kind, bins, lower, upper, edges, samples = case
        if FIRST_EVEN <= kind < FIRST_RANGE:
            edges = np.frombuffer(answer, TYPES[kind], bins + 1, at)
            at += edges.nbytes
        counts = np.frombuffer(answer, np.int64, bins, at)
        at += counts.nbytes
        expected = expected_counts(case, edges)
        if not np.array_equal(counts, expected):
            wrong = int(np.argmax(counts != expected))
            sys.exit(
                f"case {number}: kind {kind}, {len(samples)} samples, {bins} bins over "
                f"[{lower}, {upper}]: bin {wrong} holds {counts[wrong]} instead of {expected[wrong]}"
            )
    if at != len(answer):
        sys.exit(f"{len(answer) - at} bytes too many were answered")


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 4000
    print(f"NumPy {np.__version__}, seed {seed}, {count} cases", flush=True)
    rng = np.random.default_rng(seed)
    cases = [make_case(rng, number % 50 == 49) for number in range(count)]
    message = b"".join(encode(case) for case in cases)
    answer = subprocess.run([program], input=message, stdout=subprocess.PIPE, check=True).stdout
    check(cases, answer)
    print("passed")


main()
