# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Renders hills.png and heights.npy, the data of the examples: python3 render_hills.py

Fog lies over the hills, so the picture uses few levels of each channel and equalisation has
something to do. Needs nothing but Python's standard library.
"""
import math
import struct
import zlib

WIDTH, HEIGHT, RIDGES = 480, 320, 7


def ridge(k, x):
    """Height of ridge k at x in [0, 1], as a share of the picture; k = 0 is the farthest."""
    h = 0.0
    for octave in range(1, 8):
        phase = 1.7 * k + 2.9 * octave * octave
        h += math.sin((2.0**octave) * (x * 2.1 + 0.31 * k) + phase) / 2.0**octave
    return 0.62 - 0.075 * k + 0.055 * h


def colour(x, y):
    top = 1 - y  # 1 at the upper edge
    sun = math.exp(-((x - 0.7) ** 2 + (top - 0.74) ** 2) / 0.012)
    sky = (150 + 40 * sun + 25 * (1 - top), 140 + 22 * sun + 12 * (1 - top), 150 + 18 * top)
    front = None
    for k in range(RIDGES):
        if top < ridge(k, x):
            front = k
    if front is None:
        return sky
    depth = (front + 1) / RIDGES
    fog = 0.75 * (1 - depth) + 0.12 * math.exp(-30 * max(0.0, ridge(front, x) - top))
    slope = ridge(front, x + 0.004) - ridge(front, x)
    light = 1 + 12 * slope
    ground = (52 * light, 74 * light, 58 * light)
    return tuple(fog * s + (1 - fog) * g for s, g in zip((172, 158, 160), ground))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def write_png(path):
    rows = bytearray()
    for j in range(HEIGHT):
        line = bytearray()
        for i in range(WIDTH):
            line += bytes(min(255, max(0, int(c))) for c in colour(i / WIDTH, j / HEIGHT))
        filtered = bytes((line[b] - (line[b - 3] if b >= 3 else 0)) & 255 for b in range(len(line)))
        rows += b"\x01" + filtered
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def write_npy(path):
    """The heights of all ridges, as float32 of shape (RIDGES, WIDTH)."""
    heights = [1000 * ridge(k, i / WIDTH) for k in range(RIDGES) for i in range(WIDTH)]
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({RIDGES}, {WIDTH}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(heights)}f", *heights))


if __name__ == "__main__":
    write_png("hills.png")
    write_npy("heights.npy")
