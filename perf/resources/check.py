# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Compares what ptxas says of each kernel with bounds.txt.

    nvcc -std=c++17 -O3 -arch=sm_90 -Xptxas=-v -I. -cubin perf/resources/kernels.cu -o kernels.cubin 2>&1 |
      c++filt | python3 perf/resources/check.py [--write]

Fails for a kernel above its bounds or without a line, and for a line without a kernel. --write makes
the table anew from what it reads.
"""

import pathlib
import re
import sys

BOUNDS = pathlib.Path(__file__).with_name("bounds.txt")
HEAD = """# The most that ptxas 13.0 may use for a kernel of perf/resources/kernels.cu on sm_90, over all tables
# that it counts into: registers of a thread (in steps of 8, as they are given out), bytes that are
# spilled from registers (in steps of 16), static shared memory of a block. Checked by check.py, which
# also writes this table: --write.
#
"""
UNITS = ("registers", "bytes spilled", "bytes of shared memory")
KERNEL = re.compile(
    r"Compiling entry function '(?P<name>.*)' for '\w+'\n"
    r".*\n"
    r"\s*\d+ bytes stack frame, (?P<spilled>\d+) bytes spill stores, .*\n"
    r".*Used (?P<registers>\d+) registers(?P<rest>.*)")
# What a kernel of a fold is given: its values, or what they are kept in.
VALUES = re.compile(
    r"(?:visited_pairs|adjacent_pairs|carried_values|carry_save|plain_fold|window_parts|"
    r"bucket_\w+|global_\w+)<"
    r"(?:[\w:]*::)?(?:\w+<)?(float|double|unsigned int|unsigned long|int|long)\b")
SAMPLES = {"int": "i32", "long": "i64", "unsigned char": "u8", "unsigned short": "u16", "unsigned int": "u32",
           "unsigned long": "u64", "float": "f32", "double": "f64"}


def short_name(name):
    """The kernel, its samples or values, and its rule: "partition f32 even"."""
    kernel = re.match(r"(?:void )?(?:\w+::)*(\w+)[<(]", name).group(1)
    samples = re.search(r"(?:contiguous_samples<|iterator_samples<[^,]*, )([^>]*)>", name) or VALUES.search(name)
    rule = re.search(r"(even|range|identity)_\w+<", name)
    values = "_by_value" if "sample_value" in name else "_few" if "::partition<true" in name else ""
    return (kernel + values, SAMPLES[samples.group(1)] if samples else "-",
            rule.group(1) if rule else "codes" if "bin_of_code<" in name else "-")


def read_kernels(text):
    found = {}
    for match in KERNEL.finditer(text):
        if "thrust_hist::" not in match["name"]:
            continue  # CUB's
        shared = re.search(r"(\d+) bytes smem", match["rest"])
        used = (int(match["registers"]), int(match["spilled"]), int(shared[1]) if shared else 0)
        name = short_name(match["name"])
        found[name] = tuple(map(max, used, found.get(name, used)))
    return found


def row(name, numbers):
    return "%-22s %7s %8s  %9s %7s %6s\n" % (*name, *numbers)


def main():
    kernels = read_kernels(sys.stdin.read())
    if not kernels:
        sys.exit("nothing about kernels was read: is -Xptxas=-v among the flags?")
    if "--write" in sys.argv[1:]:
        lines = [row(name, (-(-used[0] // 8) * 8, -(-used[1] // 16) * 16, used[2]))
                 for name, used in sorted(kernels.items())]
        head = row(("# kernel", "samples", "rule"), ("registers", "spilled", "shared"))
        BOUNDS.write_text(HEAD + head + "".join(lines))
        return
    findings = []
    bounds = {}
    for line in BOUNDS.read_text().splitlines():
        if line and not line.startswith("#"):
            *name, registers, spilled, shared = line.split()
            bounds[tuple(name)] = (int(registers), int(spilled), int(shared))
    for name, used in sorted(kernels.items()):
        if name not in bounds:
            findings.append("%s %s %s: bounds.txt has no line for it" % name)
            continue
        for what, now, most in zip(UNITS, used, bounds[name]):
            if now > most:
                findings.append("%s %s %s: " % name + "%d %s, %d at most" % (now, what, most))
    for name in bounds.keys() - kernels.keys():
        findings.append("%s %s %s: in bounds.txt, but there is no such kernel" % name)
    if findings:
        sys.exit("\n".join(findings) + "\nIf that is meant: check.py --write, and say why in the commit")
    print("%d kernels stay within bounds.txt" % len(kernels))


main()
