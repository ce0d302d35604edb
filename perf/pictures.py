# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures of docs/performance.md, as SVG. Needs matplotlib."""
import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "thrust_hist"  # the same picture, the same file
import matplotlib.pyplot as plt  # noqa: E402

from results import PEERS, best_peer, peers_of, times_as_fast  # noqa: E402


def new_figure(title, xlabel, ylabel):
    figure, axes = plt.subplots(figsize=(8, 4.5))
    axes.set_title(title, fontsize=11)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(True, which="major", alpha=0.3)
    axes.set_xscale("log", base=2)
    return figure, axes


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def finish(figure, axes, roof, path, sample_bytes=4):
    """The roof of samples of so many bytes, the legend, the file."""
    axes.axhline(roof / sample_bytes, color="grey", linestyle=":", label="memory")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=7, ncol=2)
    save(figure, path)


def draw_distributions(results, title, path):
    """Throughput over the number of bins, a line for each distribution, the roof above."""
    figure, axes = new_figure(title, "bins", "G samples/s")
    rows = results.rows
    for name in dict.fromkeys(row["distribution"] for row in rows):
        mine = sorted((row["bins"], row["ours"]) for row in rows if row["distribution"] == name)
        axes.plot(*zip(*mine), marker="o", markersize=3, linewidth=1, label=name)
    peers = [(row["bins"], best_peer(row)[1]) for row in rows if row["distribution"] == "uniform"]
    peers = sorted((bins, figure) for bins, figure in peers if figure)
    if peers:
        axes.plot(*zip(*peers), color="black", linestyle="--", label="best peer, uniform")
    finish(figure, axes, results.roof, path)


def draw_folds(results, path):
    """Sums of floats over the number of bins, a line for each distribution; exact ones dashed."""
    figure, axes = new_figure("f32 sums by u32 key", "bins", "G pairs/s")
    rows = [row for row in results.rows if row["values"] == "unit"]
    for index, name in enumerate(dict.fromkeys(row["distribution"] for row in rows)):
        here = sorted((row for row in rows if row["distribution"] == name),
                      key=lambda row: row["bins"])
        for mine, style, text in (("ours", "-", name), ("exact", ":", None)):
            axes.plot([row["bins"] for row in here], [row[mine] for row in here], style,
                      color=f"C{index}" if index < 10 else "gold", marker="o", markersize=3,
                      linewidth=1, label=text)
    peers = sorted((row["bins"], best_peer(row)[1]) for row in rows
                   if row["distribution"] == "uniform" and peers_of(row))
    if peers:
        axes.plot(*zip(*peers), color="black", linestyle="--", label="best peer, uniform")
    axes.plot([], [], ":", color="grey", label="with exact()")
    finish(figure, axes, results.roof, path, rows[0]["bytes"])


def draw_sparse(results, kind, path):
    """Keys of one type over how many are distinct, a line for each order; the best sort dashed."""
    rows = [row for row in results.rows if row["type"] == kind and row["layout"] == "spread"]
    figure, axes = new_figure(f"{kind} keys over their whole range", "distinct keys", "G/s")
    for name in dict.fromkeys(row["distribution"] for row in rows):
        mine = sorted((row["distinct"], row["ours"]) for row in rows
                      if row["distribution"] == name)
        axes.plot(*zip(*mine), marker="o", markersize=3, linewidth=1, label=name)
    peers = sorted((row["distinct"], best_peer(row)[1]) for row in rows
                   if row["distribution"] == "uniform" and peers_of(row))
    if peers:
        axes.plot(*zip(*peers), color="black", linestyle="--", label="best sort, uniform")
    finish(figure, axes, results.roof, path, rows[0]["bytes"])


def draw_sparse_sweep(results, path):
    """Uniform keys over how many are distinct, where tables of any size may end."""
    n = results.rows[0]["n"]
    figure, axes = new_figure(f"uniform keys, 2^{n.bit_length() - 1}", "distinct keys", "G/s")
    for kind in dict.fromkeys(row["type"] for row in results.rows):
        mine = sorted((row["distinct"], row["ours"]) for row in results.rows
                      if row["type"] == kind)
        axes.plot(*zip(*mine), marker=".", linewidth=1, label=kind)
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=7)
    save(figure, path)


def draw_sweep(results, path):
    """Throughput over the number of bins, where cliffs would show."""
    n = results.rows[0]["n"]
    figure, axes = new_figure(f"u32 keys, uniform, 2^{n.bit_length() - 1}", "bins", "Gkeys/s")
    for route in dict.fromkeys(row["route"] for row in results.rows):
        mine = sorted((row["bins"], row["ours"]) for row in results.rows if row["route"] == route)
        axes.plot(*zip(*mine), marker=".", linewidth=1, label=route)
    for peer in ("cub_even", "sort_and_encode", "simple_global"):
        points = sorted((row["bins"], peers_of(row)[peer])
                        for row in results.rows if peer in peers_of(row))
        if points:
            axes.plot(*zip(*points), linestyle="--", linewidth=1,
                      marker="x", label=PEERS[peer])
    finish(figure, axes, results.roof, path)


def draw_sizes(results, path):
    """Throughput over the number of keys, from memory: ours solid, CUB's dashed."""
    figure, axes = new_figure("u32 keys, uniform, caches flushed", "keys", "Gkeys/s")
    for index, bins in enumerate(sorted({row["bins"] for row in results.rows})):
        rows = sorted((row for row in results.rows if row["bins"] == bins), key=lambda r: r["n"])
        for name, style in (("ours_us", "-"), ("cub_even_us", "--")):
            axes.plot([row["n"] for row in rows], [row["n"] / row[name] * 1e-3 for row in rows],
                      style, color=f"C{index}", linewidth=1, marker=".",
                      label=f"{bins} bins, {'ours' if name == 'ours_us' else 'CUB'}")
    axes.axhline(results.roof / 4, color="grey", linestyle=":", label="memory")
    axes.set_yscale("log")
    axes.legend(fontsize=7, ncol=2)
    save(figure, path)


def draw_ratios(results, title, path):
    """A map of how many times as fast as the best peer, bins across and distributions down."""
    bins = sorted({row["bins"] for row in results.rows})
    names = list(dict.fromkeys(row["distribution"] for row in results.rows))
    ratio = {(row["distribution"], row["bins"]): times_as_fast(row, "ours") for row in results.rows}
    table = [[ratio.get((name, b)) or float("nan") for b in bins] for name in names]
    figure, axes = plt.subplots(figsize=(9, 4.5))
    image = axes.imshow(table, aspect="auto", cmap="viridis",
                        norm=matplotlib.colors.LogNorm(vmin=0.5, vmax=20))
    axes.set_xticks(range(len(bins)), bins, rotation=40, fontsize=7, ha="right")
    axes.set_yticks(range(len(names)), names, fontsize=8)
    for y, line in enumerate(table):
        for x, value in enumerate(line):
            if value == value:
                axes.text(x, y, f"{value:.1f}", ha="center", va="center", fontsize=7,
                          color="white" if value < 6 else "black")
    axes.set_title(title, fontsize=11)
    figure.colorbar(image)
    save(figure, path)
