"""Draws benchmarks/results into docs/images, and updates the tables of the documentation and the README.

Needs matplotlib: pip install 'statespace-searchkit[bench]'.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.kit.documents import RESULTS, kept
from benchmarks.pages.page import PAGES, ROOT, filled
from benchmarks.peers import OURS

IMAGES = ROOT / "docs" / "images"
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "searchkit",  # the same figure is the same file
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
TEAL, ORANGE, GREY = "#00796b", "#e65100", "#777777"
COLOURS = ("#e65100", "#1565c0", "#8e24aa", "#6d4c41", "#c62828", "#2e7d32", "#f9a825", "#37474f", "#ad1457")
MARKERS = "osD^vP*Xh"


def limit(document: dict[str, Any], plot: Any) -> Any:
    """Draw the ratio to C++ of each row, and what is to be reached."""
    rows = [row for row in document["rows"] if row["ratio"]][::-1]
    figure, axes = plot.subplots(figsize=(9, 0.36 * len(rows) + 1.2), layout="constrained")
    for place, row in enumerate(rows):
        ratio = row["ratio"]
        axes.barh(
            place,
            ratio["median"] - 0.01,
            left=0.01,
            height=0.62,
            color=TEAL,
            alpha=1 if row["target"] else 0.45,
        )
        axes.plot([ratio["low"], ratio["high"]], [place, place], color="black", linewidth=1)
        text = f"{ratio['median']:.2f}"  # in a column beside the bars, where no line crosses it
        axes.annotate(text, (1, place), xycoords=axes.get_yaxis_transform(), ha="right", va="center")
        if row["target"]:
            axes.plot([row["target"]] * 2, [place - 0.42, place + 0.42], color=ORANGE, linewidth=2.5)
    axes.axvline(1, color=GREY, linewidth=1, linestyle="--")
    axes.set_xscale("log")
    ratios = [row["ratio"] for row in rows]
    axes.set_xlim(
        min(0.3, *(ratio["low"] / 1.5 for ratio in ratios)),
        3 * max(2, *(ratio["high"] for ratio in ratios), *(row["target"] or 0 for row in rows)),
    )
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlabel("CPU time, C++ = 1; orange: to reach")
    return figure


def peers(document: dict[str, Any], plot: Any) -> Any:
    """Draw the ratio of each contender's search to ours, task by task."""
    titles = list(document["titles"].items())[::-1]
    measured = [row for row in document["rows"] if row["ratio"] and row["contender"] != OURS]
    names = sorted({row["contender"] for row in measured}, key=lambda name: (name.startswith(OURS), name))
    figure, axes = plot.subplots(figsize=(9, 0.42 * len(titles) + 1.8), layout="constrained")
    for number, name in enumerate(names):
        own = name.startswith(OURS)
        points = [
            (row["ratio"]["median"], [task for task, _ in titles].index(row["task"]))
            for row in measured
            if row["contender"] == name
        ]
        colour, marker = (
            (TEAL, "d" if name.endswith("jps") else "X")
            if own
            else (COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)])
        )
        axes.scatter(*zip(*points, strict=True), label=name, color=colour, marker=marker, s=42, zorder=3)
    axes.axvline(1, color=TEAL, linewidth=2)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(axis="y", color="#dddddd")
    axes.set_yticks(range(len(titles)), [title for _, title in titles])
    axes.set_ylim(-0.6, len(titles) - 0.4)
    axes.set_xlabel("CPU time of the search, searchkit = 1")
    if names:
        figure.legend(loc="outside upper center", ncols=min(5, len(names)), frameon=False)
    return figure


def growth(document: dict[str, Any], plot: Any) -> Any:
    """Draw time against states on logarithmic axes, with a line of slope 1 beside each series."""
    figure, axes = plot.subplots(figsize=(7.5, 5), layout="constrained")
    for number, (name, slope) in enumerate(document["slopes"].items()):
        rows = [row for row in document["rows"] if row["series"] == name]
        states, seconds = [row["states"] for row in rows], [row["seconds"] for row in rows]
        colour = (TEAL, *COLOURS)[number]
        axes.plot(states, seconds, marker=MARKERS[number], color=colour, label=f"{name}: slope {slope:.2f}")
        each = median(row["seconds"] / row["states"] for row in rows[len(rows) // 2 :])
        axes.plot(states, [each * count for count in states], color=colour, linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("states reached")
    axes.set_ylabel("seconds of CPU time")
    axes.grid(color="#eeeeee")
    axes.legend(frameon=False, title="dotted: slope 1")
    return figure


def scale(document: dict[str, Any], plot: Any) -> Any:
    """Draw the rate of each search beyond memory, with its memory beside it."""
    rows = document["rows"][::-1]
    figure, axes = plot.subplots(figsize=(9, 0.42 * len(rows) + 1.0), layout="constrained")
    for place, row in enumerate(rows):
        rate = row["states"] / row["cpu_seconds"] / 1e6
        axes.barh(place, rate, height=0.62, color=TEAL, alpha=0.45 if row["name"].startswith("DuckDB") else 1)
        text = f"{rate:.1f} ({row['memory']:,.0f} MB, {row['states'] / 1e6:,.0f} million states)"
        axes.annotate(text, (rate, place), (4, 0), textcoords="offset points", va="center")
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows])
    axes.set_xlim(0, 1.6 * max(row["states"] / row["cpu_seconds"] / 1e6 for row in rows))
    axes.set_xlabel("million states a CPU-second")
    return figure


def robots(document: dict[str, Any], plot: Any) -> Any:
    """Draw the share of solved instances against the number of robots, one picture for each kind of map."""
    maps = list(dict.fromkeys(row["map"] for row in document["rows"]))
    engines = list(dict.fromkeys(row["engine"] for row in document["rows"]))
    figure, axes = plot.subplots(
        1, len(maps), figsize=(9, 3), sharey=True, layout="constrained", squeeze=False
    )
    for panel, name in zip(axes[0], maps, strict=True):
        for number, engine in enumerate(engines):
            rows = [row for row in document["rows"] if (row["map"], row["engine"]) == (name, engine)]
            panel.plot(
                [row["robots"] for row in rows],
                [row["solved"] / row["instances"] for row in rows],
                marker=MARKERS[number],
                color=(TEAL, *COLOURS)[number],
                label=engine,
            )
        panel.set_title(name)
        panel.set_xlabel("robots")
        panel.set_ylim(-0.05, 1.05)
    axes[0][0].set_ylabel(f"solved in {document['seconds']:g} CPU seconds")
    axes[0][-1].legend(*axes[0][0].get_legend_handles_labels(), frameon=False, loc="center")
    return figure


FIGURES: dict[str, Callable[[dict[str, Any], Any], Any]] = {
    "limit": limit,
    "peers": peers,
    "growth": growth,
    "scale": scale,
    "robots": robots,
}
"""What was measured → how it is drawn."""


def draw(folder: Path = RESULTS, images: Path = IMAGES) -> list[Path]:
    """Draw what there is, as `benchmarks-NAME.svg`; return the files. Raises `ImportError` without matplotlib."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    images.mkdir(parents=True, exist_ok=True)
    written = []
    for name, make in FIGURES.items():
        document = kept(name, folder)
        if document is None:
            continue
        with pyplot.rc_context(STYLE):
            figure = make(document, pyplot)
            written.append(images / f"benchmarks-{name}.svg")
            figure.savefig(written[-1], metadata={"Date": None})
            pyplot.close(figure)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, and write the pages; the exit code is 2 without matplotlib."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args(arguments)
    try:
        files = draw()
    except ImportError as error:
        print(f"error: {error}; install matplotlib: pip install 'statespace-searchkit[bench]'")
        return 2
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
        files.append(page)
    for file in files:
        print(file.relative_to(ROOT))
    return 0
