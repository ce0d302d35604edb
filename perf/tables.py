# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of docs/performance.md, as Markdown."""
from results import OTHER_ROUTES, OURS, PEERS, best_peer, is_time, peers_of, times_as_fast


def table(header, lines):
    out = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    out += ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(out)


def whole(x):
    return f"{x:,.0f}".replace(",", " ") if x else ""


def figure(x):
    """Three digits are enough: 4 321, 43.2, 0.43."""
    if not x:
        return ""
    return whole(x) if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def ratio(x):
    return f"{x:.2f}" if x else ""


def ratio_of(row, name):
    return ratio(times_as_fast(row, name))


def counting(rows):
    """Each type and number of bins: ours and the peers."""
    return table(("type", "bins", "keys", "histogram_even", "histogram", "CUB HistogramEven",
                  "thrust sort + reduce_by_key", "even / best peer"),
                 [(row["type"], whole(row["bins"]), row["distribution"], whole(row["even"]),
                   whole(row.get("keys")), whole(row["cub_even"]),
                   whole(row.get("thrust_sort_and_reduce")), ratio_of(row, "even"))
                  for row in rows])


def many_bins(rows):
    return table(("bins", "keys", "route", "ours", "ours, without an allocator", "best peer",
                  "its figure", "ratio"),
                 [(whole(row["bins"]), row["distribution"], row["route"], figure(row["ours"]),
                   figure(row["ours_with_cuda_malloc"]), best_peer(row)[0] or "",
                   figure(best_peer(row)[1]), ratio_of(row, "ours")) for row in rows])


def cap(rows, uncapped):
    """Each number of bins: uniform and slowest keys, with and without a cap."""
    free = {(row["bins"], row["distribution"]): row["ours"] for row in uncapped}
    lines = []
    for bins in sorted({row["bins"] for row in rows}):
        here = {row["distribution"]: row for row in rows if row["bins"] == bins}
        slowest = min(here.values(), key=lambda row: row["ours"])
        for row in filter(None, (here.get("uniform"), slowest)):
            keys = row["distribution"] + (" (slowest)" if row is slowest else "")
            lines.append((whole(bins), keys, row["route"], whole(row["scratch_bytes"]),
                          figure(row["ours"]),
                          figure(free.get((bins, row["distribution"])))))
    return table(("bins", "keys", "route", "scratch bytes", "ours", "ours without the cap"),
                 list(dict.fromkeys(lines)))


def ranges(rows):
    return table(("type", "bins", "edges", "samples", "ours", "CUB HistogramRange",
                  PEERS["search_and_even"], PEERS["sort_and_search"], "ratio to the best"),
                 [(row["type"], whole(row["bins"]), row["edges"], row["distribution"],
                   figure(row["ours"]), figure(row["cub_range"]), figure(row["search_and_even"]),
                   figure(row["sort_and_search"]), ratio_of(row, "ours")) for row in rows])


def image_rows(rows):
    return table(("width x height", "pitch", "frames", "ours", "ours, contiguous",
                  "part of contiguous", PEERS["cub_even_rows"], "ratio"),
                 [(f"{row['width']} x {row['height']}", whole(row["pitch"]), whole(row["frames"]),
                   figure(row["ours"]), figure(row["contiguous"]), ratio(row["to_contiguous"]),
                   figure(row["cub_even_rows"]), ratio_of(row, "ours"))
                  for row in rows if row["image"] == "rows"])


def image_channels(rows):
    return table(("pixels", "channels of 4", "ours", "ours, a call each", PEERS["cub_multi_even"],
                  "ratio"),
                 [(whole(row["pixels"]), str(row["channels"]), figure(row["ours"]),
                   figure(row.get("call_each")), figure(row["cub_multi_even"]),
                   ratio_of(row, "ours"))
                  for row in rows if row["image"] == "channels"])


def discovered(rows):
    """Each type, number of keys and of bins: ours and the peers."""
    peers = ("largest_and_even_us", "thrust_sort_and_reduce_us")
    return table(("type", "keys", "bins", "distribution", "ours, µs", "thrust::reduce first")
                 + tuple(PEERS[name] for name in peers) + ("ratio", "of the roof"),
                 [(row["type"], f"2^{row['n'].bit_length() - 1}", whole(row["bins"]),
                   row["distribution"], figure(row["ours_us"]), figure(row["largest_first_us"]))
                  + tuple(figure(row.get(name)) for name in peers)
                  + (ratio_of(row, "ours_us"),
                     ratio(row["n"] * row["bytes"] / row["ours_us"] / 1e3 / row["roof_gb_s"]))
                  for row in rows])


def folds(rows):
    """Each fold of numbers: ours and the peers, and what part of the roof ours is."""
    peers = ("sort_and_reduce", "thrust_sort_by_key", "global_atomics")
    return table(("fold", "bins", "keys", "route", "ours", "exact()")
                 + tuple(PEERS[name] for name in peers) + ("ratio", "of the roof"),
                 [(f"{row['fold']} {row['type']} {row.get('values', '')}".strip(),
                   whole(row["bins"]), row["distribution"], row["route"], figure(row["ours"]),
                   figure(row.get("exact"))) + tuple(figure(row.get(name)) for name in peers)
                  + (ratio_of(row, "ours"), ratio(row["ours"] * row["bytes"] / row["roof_gb_s"]))
                  for row in rows])


def by_rules(rows):
    """Counts and sums of samples by rules: ours and the peers that were measured."""
    peers = [name for name in ("global_atomics", "shared_atomics", "places_and_even",
                               "sort_and_reduce") if any(name in row for row in rows)]
    return table(("what", "bins", "samples", "route", "ours", "exact()")
                 + tuple(PEERS[name] for name in peers) + ("ratio", "of the roof"),
                 [(" ".join((row["fold"], row["type"], row.get("edges", ""))).strip(),
                   whole(row["bins"]), row["distribution"], row["route"], figure(row["ours"]),
                   figure(row.get("exact"))) + tuple(figure(row.get(name)) for name in peers)
                  + (ratio_of(row, "ours"), ratio(row["ours"] * row["bytes"] / row["roof_gb_s"]))
                  for row in rows])


def fold_errors(rows):
    """The largest errors of sums relative to the sum of the absolute values, worst peer first."""
    names = ("error", "sort_error", "atomics_error")
    rows = [row for row in rows if "atomics_error" in row]
    rows = sorted(rows, key=lambda row: -max(row[name] for name in names))[:10]
    return table(("type", "values", "bins", "keys", "ours", "radix sort + ReduceByKey",
                  "global atomics"),
                 [(row["type"], row["values"], whole(row["bins"]), row["distribution"])
                  + tuple(f"{row[name]:.1e}" for name in names) for row in rows])


def fold_images(rows):
    return table(("pictures", "pixels", "bins", "ours", PEERS["cub_multi_even"], "ratio"),
                 [(row["distribution"], whole(row["pixels"]), whole(row["bins"]),
                   figure(row["ours"]), figure(row["cub_multi_even"]), ratio_of(row, "ours"))
                  for row in rows])


SPARSE_PEERS = ("thrust_sort_and_reduce", "sort_and_encode", "thrust_sort_by_key",
                "sort_and_reduce")


def sparse(rows):
    """Each type and number of distinct keys: ours and the sorts that were measured."""
    peers = [name for name in SPARSE_PEERS if any(name in row for row in rows)]
    return table(("type", "values of keys", "distinct", "order", "route", "ours")
                 + tuple(PEERS[name] for name in peers) + ("ratio",),
                 [(row["type"], row["layout"], whole(row["distinct"]), row["distribution"],
                   row["route"], figure(row["ours"]))
                  + tuple(figure(row.get(name)) or "-" for name in peers)
                  + (ratio_of(row, "ours"),) for row in rows])


def sparse_calls(rows):
    peer = next((name for name in ("thrust_sort_and_reduce_us", "thrust_sort_by_key_us")
                 if any(name in row for row in rows)), "thrust_sort_and_reduce_us")
    def default_ratio(row):
        ours, sorts = row.get("ours_default_us"), row.get("thrust_default_us")
        return ratio(sorts / ours) if ours and sorts else "-"

    def types(row):
        return row["type"] if row["fold"] in ("count", "sum") else f"{row['fold']} {row['type']}"

    return table(("type", "values of keys", "n", "distinct", "ours, µs", PEERS[peer], "ratio",
                  "by default, µs", "ratio"),
                 [(types(row), row["layout"], f"2^{row['n'].bit_length() - 1}",
                   whole(row["distinct"]),
                   figure(row["ours_cached_us"]), figure(row.get(peer)) or "-",
                   ratio_of(row, "ours_cached_us"), figure(row.get("ours_default_us")) or "-",
                   default_ratio(row)) for row in rows])


def over_sizes(rows, names):
    """A line for each type and number of bins, a column for each number of samples."""
    sizes = sorted({row["n"] for row in rows})
    sizes = [n for n in sizes if n in (sizes[0], sizes[-1]) or n.bit_length() % 4 == 1]
    lines = []
    for kind, bins in dict.fromkeys((row["type"], row["bins"]) for row in rows):
        here = {row["n"]: row for row in rows if (row["type"], row["bins"]) == (kind, bins)}
        lines.append((kind, whole(bins)) + tuple(
            " / ".join(figure(here.get(n, {}).get(name)) or "-" for name in names)
            for n in sizes))
    return table(("type", "bins") + tuple(f"2^{n.bit_length() - 1}" for n in sizes), lines)


def reduce(rows):
    return table(("type", "n", "ours, µs", "thrust::reduce", "CUB Sum and copy", "ratio"),
                 [(row["type"], f"2^{row['n'].bit_length() - 1}", figure(row["ours_us"]),
                   figure(row["thrust_us"]), figure(row["cub_and_copy_us"]),
                   ratio_of(row, "ours_us")) for row in rows])


def textbook(rows):
    simple = ("simple_global", "simple_shared", "run_length", "simple_bytes")
    return table(("type", "bins", "keys", "ours") + tuple(PEERS[name] for name in simple),
                 [(row["type"], whole(row["bins"]), row["distribution"], figure(row["even"]))
                  + tuple(figure(row.get(name)) for name in simple) for row in rows])


def case_text(row):
    """A row in words, without what all rows of its file share."""
    words = [" ".join(row[name] for name in ("fold", "type", "values") if name in row)]
    if "width" in row:
        words.append(f"{row['frames']} x {row['width']} x {row['height']}, pitch {row['pitch']}")
    elif "pixels" in row and "channels" not in row:
        words.append(f"{whole(row['pixels'])} pixels")
    elif "pixels" in row:
        words.append(f"{row['channels']} channels of {whole(row['pixels'])} pixels")
    else:
        words.append(f"2^{row['n'].bit_length() - 1} samples")
    if "bins" in row:
        words.append(f"{whole(row['bins'])} bins")
    if "distinct" in row:
        words.append(f"{whole(row['distinct'])} distinct, {row['layout']}")
    return ", ".join(words + [row[name] for name in ("edges", "distribution") if name in row])


def better_routes(rows):
    """Where another route of ours, by force, was 5 % faster or more, worst first; or nothing."""
    lines = []
    for row in (row for row in rows if row.get("ours") and row["route"] != "global"):
        for name, text in OTHER_ROUTES.items():
            if row.get(name, 0) > 1.05 * row["ours"]:
                lines.append((row["ours"] / row[name],
                              (case_text(row), figure(row["ours"]), text, figure(row[name]),
                               f"{row['ours'] / row[name]:.3f}")))
    return table(("case", "ours", "faster", "its figure", "ratio"),
                 [line for _, line in sorted(lines)]) if lines else "Nowhere."


def not_first(found):
    """Every figure of ours below which a peer is faster, by file, worst first."""
    parts = []
    for name, results in found.items():
        lines = []
        for row in results.rows:
            for mine, how in OURS.items():
                times = times_as_fast(row, mine)
                if times and times < 1:
                    unit = " µs" if is_time(mine) else ""
                    lines.append((times, (case_text(row), how, figure(row[mine]) + unit,
                                          best_peer(row)[0], figure(best_peer(row)[1]) + unit,
                                          f"{times:.3f}")))
        compared = sum(1 for row in results.rows if peers_of(row))
        cases = len({line[1][0] for line in lines})
        if lines:
            parts.append(f"{name}: a peer is faster in {cases} of {compared} cases.\n\n" + table(
                ("case", "which of our figures", "ours", "faster", "its figure", "ratio"),
                [line for _, line in sorted(lines)]))
        elif compared:
            parts.append(f"{name}: in none of {compared} cases.")
    return "\n\n".join(parts) if parts else "In no row that was measured."
