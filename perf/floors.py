# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts, folds and sparse histograms should reach on an H200: TARGETS. A target is a text,
the file of its rows, which rows, which figure, a floor, a goal: numbers, or functions of a row."""
from results import best_peer

ROOF = 4527  # GB/s of reading, where the targets were set
SPREAD = ("uniform", "zipf")
SIXTEEN_THOUSAND, MEGA, MILLION = 16384, 1 << 20, 10**6


def floats(low, high, are_spread=None, values=("unit",)):
    """Sums of floats in so many bins."""
    def chosen(row):
        return (low <= row["bins"] <= high and row["values"] in values
                and (are_spread is None or (row["distribution"] in SPREAD) == are_spread))
    return chosen


def fold(kinds, high):
    return lambda row: row["bins"] <= high and (row["fold"], row["type"]) in kinds


def sparse(kind, low, high):
    """Keys of a type of which so many are distinct."""
    return lambda row: row["type"] == kind and low <= row["distinct"] <= high


def best_sort(row):
    sorts = [row[name] for name in ("sort_and_reduce", "thrust_sort_by_key") if name in row]
    return max(sorts) if sorts else None


def of_roof(part):
    """So much of the speed at which samples can be read, in G a second."""
    return lambda row: part * row["roof_gb_s"] / BYTES[row["type"]]


BYTES = {"u8": 1, "u16": 2, "u32": 4, "f32": 4, "u64": 8, "f64": 8}


def counted(kinds, low, high, distributions=None):
    """Samples of such types in so many bins."""
    def chosen(row):
        return (row["type"] in kinds and low <= row["bins"] <= high
                and (row["distribution"] in distributions if distributions
                     else row["distribution"] != "on_edges"))
    return chosen


def counts(text, figures, kinds, low, high, floor, goal, distributions=None):
    """A target for each figure of a file."""
    return tuple((f"{text}, {figure}", file, counted(kinds, low, high, distributions),
                  figure, floor, goal) for file, figure in figures)


EVEN_BINS, KEYS = (("counting", "even"),), (("counting", "keys"),)
MANY, EVEN_MANY = (("many_bins", "ours"),), (("many_bins_f32", "ours"),)
UNIFORM, EDGES = ("uniform",), ("on_edges",)
UNEVEN = {16: (600, 1000), 256: (350, 700), 4096: (150, 450)}
COUNT_TARGETS = (
    counts("u8, up to 16 bins", EVEN_BINS + KEYS, ("u8",), 1, 16, of_roof(.88), of_roof(.97))
    + counts("u8, 256 bins", EVEN_BINS + KEYS, ("u8",), 256, 256, of_roof(.88), of_roof(.97))
    + counts("u16, 65 536 bins", EVEN_BINS + KEYS, ("u16",), 65536, 65536,
             of_roof(.57), of_roof(.9), UNIFORM)
    + counts("u32, up to 2 048 bins", KEYS + MANY, ("u32",), 1, 2048,
             of_roof(.93), of_roof(.98), UNIFORM)
    + counts("u32, up to 16 384 bins", KEYS + MANY, ("u32",), 2049, 16384,
             of_roof(.91), of_roof(.98), UNIFORM)
    + counts("u32, 57 344 to 65 536 bins", KEYS + MANY, ("u32",),
             57344, 65536, of_roof(.8), of_roof(.93))
    + counts("u32, 112 001 bins", MANY, ("u32",), 65537, 112001,
             of_roof(.72), of_roof(.93))
    + counts("u32, 200 000 bins", MANY, ("u32",), 112002, 200000,
             of_roof(.35), of_roof(.6))
    + counts("f32, up to 2 048 even bins", EVEN_BINS, ("f32",), 1, 2048,
             of_roof(.85), of_roof(.98), UNIFORM)
    + counts("f32, up to 16 384 even bins", EVEN_BINS, ("f32",), 2049, 16384,
             of_roof(.75), of_roof(.98), UNIFORM)
    + counts("f32, up to 112 000 even bins", EVEN_MANY, ("f32",), 16385, 112001,
             of_roof(.62), of_roof(.93), UNIFORM)
    + counts("f32 on edges, up to 2 048", EVEN_BINS + EVEN_MANY, ("f32",), 1, 2048,
             of_roof(.6 * .85), of_roof(.98), EDGES)
    + counts("f32 on edges, up to 16 384", EVEN_BINS + EVEN_MANY, ("f32",),
             2049, 16384, of_roof(.6 * .75), of_roof(.98), EDGES)
    + counts("f32 on edges, up to 112 000", EVEN_MANY, ("f32",),
             16385, 112001, of_roof(.6 * .62), of_roof(.93), EDGES)
    + tuple(target for log2, floor, goal in ((18, 280, 500), (20, 300, 500), (22, 270, 450),
                                             (24, 210, 350), (26, 100, 200), (28, 60, 120))
            for target in counts(f"u32, 2^{log2} bins", MANY, ("u32",), 1 << log2,
                                 1 << log2, floor, goal))
    + counts("u64, up to 16 384 bins", KEYS, ("u64",), 1, 16384,
             of_roof(.88), of_roof(.97), UNIFORM)
    + counts("f64, up to 16 384 even bins", EVEN_BINS, ("f64",), 1, 16384,
             of_roof(.88), of_roof(.97), UNIFORM)
    + tuple((f"f32, {bins} uneven bins", "ranges",
             lambda row, bins=bins: row["type"] == "f32" and row["bins"] == bins, "ours", *limits)
            for bins, limits in UNEVEN.items())
    + (("padded rows, part of contiguous", "images", lambda row: "to_contiguous" in row,
        "to_contiguous", lambda row: .8, lambda row: .95),))

SPARSE_SWEEPS = ("sparse_sweep", "sparse_sums_sweep")
COUNT_FILES = ("discover", "inputs", "counting", "many_bins", "many_bins_f32", "ranges", "images", "sizes", "cap",
               "sweep")
FILES = COUNT_FILES + ("folds", "fold_types", "fold_wide", "fold_structs", "fold_images",
                       "fold_emitted", "fold_rules", "joint", "fold_calls", "sparse", "sparse_types", "sparse_sums",
                       "sparse_calls", "sparse_types_calls", "sparse_sums_calls") + SPARSE_SWEEPS
EXACT = ("unit", "normal")
NUMBERS = (("sum", "i32"), ("min", "u32"), ("max", "u32"))
WIDE = (("sum", "f64"), ("sum", "i64"))
TARGETS = COUNT_TARGETS + (
    ("f32 sums, up to 16 bins", "folds", floats(1, 16), "ours", 520, 555),
    ("f32 sums, 256 to 16 384 bins, uniform and zipf", "folds",
     floats(256, SIXTEEN_THOUSAND, True), "ours", 470, 550),
    ("the same, other keys", "folds",
     floats(256, SIXTEEN_THOUSAND, False), "ours", 400, 550),
    ("exact(), up to 16 bins", "folds", floats(1, 16, values=EXACT), "exact", 416, 555),
    ("exact(), 256 to 16 384 bins, uniform and zipf", "folds",
     floats(256, SIXTEEN_THOUSAND, True, EXACT), "exact", 376, 550),
    ("the same, other keys", "folds",
     floats(256, SIXTEEN_THOUSAND, False, EXACT), "exact", 320, 550),
    ("exact(), exponents over the whole range", "folds",
     floats(1, 1 << 24, values=("whole_range",)), "exact",
     lambda row: row.get("thrust_sort_by_key"), 200),
    ("f32 sums, 65 536 to 4 Mi bins", "folds", floats(65536, 4 * MEGA), "ours", 110, 180),
    ("f32 sums, 16 Mi bins", "folds", floats(16 * MEGA, 16 * MEGA), "ours", 60, 120),
    ("i32 sums, u32 minima and maxima, up to 32 768 bins", "fold_types",
     fold(NUMBERS, 32768), "ours", 440, 550),
    ("f64 and i64 sums, up to 8 192 bins", "fold_wide", fold(WIDE, 8192), "ours", 200, 340),
    ("argmax of 16 bytes, up to 4 096 bins", "fold_structs",
     fold((("argmax", "16 bytes"),), 4096), "ours", 90, 200),
    ("sums of 40 bytes, up to 1 Mi bins", "fold_structs",
     fold((("sum", "5 x f64"),), MEGA), "ours",
     lambda row: 3 * best_sort(row) if best_sort(row) else None,
     lambda row: 6 * best_sort(row) if best_sort(row) else None),
    ("RGBA8 image, 4 x 256 bins, G pixels/s", "fold_images",
     fold((("count", "rgba8"),), 1024), "ours", 700, 1000),
    ("a call of 2^16 pairs in 256 bins, µs", "fold_calls",
     lambda row: row["n"] == 1 << 16 and row["bins"] == 256, "ours_cached_us", 25, 25),
    ("sparse u32 counts, up to 1 M distinct", "sparse",
     sparse("u32", 1, MILLION), "ours", 120, 250),
    ("sparse u32 counts, 20 M distinct", "sparse",
     sparse("u32", 20 * MILLION, 20 * MILLION), "ours", 60, 120),
    ("sparse u64 counts, up to 1 M distinct", "sparse", sparse("u64", 1, MILLION), "ours", 80, 160),
    ("sparse u64 counts, 20 M distinct", "sparse",
     sparse("u64", 20 * MILLION, 20 * MILLION), "ours", 45, 80),
    ("sparse u64 counts, all distinct", "sparse",
     lambda row: row["type"] == "u64" and row["distinct"] == row["n"], "ours", 16, 25),
    ("sparse u64 -> f32 sums, up to 1 M distinct", "sparse_sums",
     sparse("u64 -> f32", 1, MILLION), "ours", 60, 110),
    # Never slower than sort + reduce_by_key; the goal: nor than a radix sort of the bits in use.
) + tuple((f"{file}: as fast as a sort", file, lambda row: True, "ours",
           lambda row, name=name: row.get(name), lambda row: best_peer(row)[1])
          for file, name in (("sparse", "thrust_sort_and_reduce"),
                             ("sparse_types", "thrust_sort_and_reduce"),
                             ("sparse_sums", "thrust_sort_by_key"))) + tuple(
    (f"{file}: as fast as a sort", file, lambda row: True, "ours_cached_us",
     lambda row, name=name: row.get(name), lambda row, name=name: row.get(name))
    for file, name in (("sparse_calls", "thrust_sort_and_reduce_us"),
                       ("sparse_types_calls", "thrust_sort_and_reduce_us"),
                       ("sparse_sums_calls", "thrust_sort_by_key_us"))
) + tuple(
    (f"{file}: as fast as a sort, without an allocator", file, lambda row: True,
     "ours_default_us", lambda row: row.get("thrust_default_us"),
     lambda row: row.get("thrust_default_us"))
    for file in ("sparse_calls", "sparse_types_calls", "sparse_sums_calls")
)


