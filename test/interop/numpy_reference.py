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

BINCOUNT_U8, BINCOUNT_I32, EVEN_F32, EVEN_F64, RANGE_F32, RANGE_F64 = range(6)
TYPES = {
    BINCOUNT_U8: np.uint8,
    BINCOUNT_I32: np.int32,
    EVEN_F32: np.float32,
    EVEN_F64: np.float64,
    RANGE_F32: np.float32,
    RANGE_F64: np.float64,
}
LEVELS = [(-1, 1), (-3, 3), (0, 7), (0, 1), (0.1, 0.7), (1e30, 2e30), (-273.15, 1000), (5, 5)]


def make_case(rng):
    """Returns (kind, bins, lower, upper, edges, samples)."""
    kind = int(rng.integers(6))
    dtype = TYPES[kind]
    n = int(rng.integers(0, 400))
    bins = int(rng.integers(1, 60))
    if kind in (BINCOUNT_U8, BINCOUNT_I32):
        return kind, bins, 0, 0, np.empty(0, dtype), rng.integers(0, bins + 9, n).astype(dtype)
    lower, upper = LEVELS[int(rng.integers(len(LEVELS)))]
    edges = np.linspace(lower, upper, bins + 1).astype(dtype)
    if kind in (RANGE_F32, RANGE_F64):  # uneven edges, some of them equal
        edges = np.sort(rng.choice(edges, bins + 1))
    samples = rng.uniform(lower - (upper - lower) / 4, upper + (upper - lower) / 4, n).astype(dtype)
    near = rng.choice(edges, n)  # on edges and beside them
    near = np.where(rng.random(n) < 0.3, np.nextafter(near, dtype(np.inf)), near)
    near = np.where(rng.random(n) < 0.3, np.nextafter(near, dtype(-np.inf)), near)
    samples = np.where(rng.random(n) < 0.5, near, samples).astype(dtype)
    samples[rng.random(n) < 0.02] = np.nan
    if kind in (EVEN_F32, EVEN_F64):
        edges = np.empty(0, dtype)
    return kind, bins, lower, upper, edges, samples


def encode(case):
    kind, bins, lower, upper, edges, samples = case
    header = struct.pack("<qqqqdd", kind, len(samples), bins, len(edges), lower, upper)
    return header + edges.tobytes() + samples.tobytes()


def expected_counts(case, edges):
    kind, bins, _, _, _, samples = case
    if kind in (BINCOUNT_U8, BINCOUNT_I32):
        return np.bincount(samples, minlength=bins)[:bins]
    return np.histogram(samples, bins=edges)[0]


def check(cases, answer):
    """Compares the answers, one after the other in a string of bytes."""
    at = 0
    for number, case in enumerate(cases):
        kind, bins, lower, upper, edges, _ = case
        if kind in (EVEN_F32, EVEN_F64):
            edges = np.frombuffer(answer, TYPES[kind], bins + 1, at)
            at += edges.nbytes
        counts = np.frombuffer(answer, np.int64, bins, at)
        at += counts.nbytes
        expected = expected_counts(case, edges)
        if not np.array_equal(counts, expected):
            wrong = int(np.argmax(counts != expected))
            sys.exit(
                f"case {number}: kind {kind}, {bins} bins over [{lower}, {upper}]: bin {wrong} holds "
                f"{counts[wrong]} instead of {expected[wrong]}"
            )
    if at != len(answer):
        sys.exit(f"{len(answer) - at} bytes too many were answered")


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 4000
    print(f"NumPy {np.__version__}, seed {seed}, {count} cases", flush=True)
    rng = np.random.default_rng(seed)
    cases = [make_case(rng) for _ in range(count)]
    message = b"".join(encode(case) for case in cases)
    answer = subprocess.run([program], input=message, stdout=subprocess.PIPE, check=True).stdout
    check(cases, answer)
    print("passed")


main()
