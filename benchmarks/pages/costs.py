"""Figures of several measurements and versions of Python."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.kit.documents import kept
from benchmarks.kit.machine import Machine

MISSING = "Not measured yet: `python -m benchmarks all REFERENCE.cpp`."


def costs(folder: Path) -> str:
    """Return the table: what is paid once, for each search, for each state, and in memory."""
    lines = [f"| {what} | {cost} |".replace("*", "\\*") for what, cost in _rows(folder)]
    overhead = kept("overhead", folder)
    if overhead is None or not lines:
        return MISSING
    machine = Machine(**overhead["machine"])
    return "\n".join([f"Measured {machine}.", "", "| what | costs |", "|---|--:|", *lines])


def versions(folder: Path) -> str:
    """Return a column for each Python, and a row for each work: the least time of its rounds, or the most gained."""
    document = kept("versions", folder)
    if document is None:
        return "Not measured yet: `python -m benchmarks versions`."
    figures = {(row["work"], row["python"]): row["figures"] for row in document["rows"]}
    pythons = list(dict.fromkeys(python for _, python in figures))
    lines = [f"| work | {' | '.join(pythons)} |", f"|---|{'--:|' * len(pythons)}"]
    for work, (title, unit) in document["works"].items():
        best = max if unit == "×" else min
        found = (figures.get((work, python)) for python in pythons)
        cells = " | ".join(_figure(best(each)) if each else "–" for each in found)
        lines.append(f"| {title}, {unit} | {cells} |")
    return "\n".join([f"Measured {Machine(**document['machine'])}.", "", *lines])


def _rows(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what costs how much, of those measurements that there are."""
    for row in _measured("overhead", folder):
        if row["group"] == "a new process":
            yield f"once a process: `{row['name']}`", f"{row['seconds']:.2f} s"
        elif row["group"].startswith("warm solve"):
            yield (
                f"{row['group']}: {row['name']}, {row['expanded']} expansions",
                f"{row['seconds'] * 1e6:.0f} µs",
            )
        elif row["name"] == "alone":
            yield f"an expansion: {row['group']}", _time(row["seconds"] / row["expanded"])
        elif row["name"] in ("an observer", "certificate=True") and "Python" in row["group"]:
            yield f"{row['name']}: {row['group']}", f"{row['ratio']['median']:.1f} times the search"
    for row in _measured("growth", folder):
        yield f"a state: {row['series']}, {row['size']}", _time(row["seconds"] / row["states"])
    for row in _measured("memory", folder):
        if row["reached"]:
            yield f"memory of a reached state: {row['name']}", f"{row['held'] / row['reached']:.0f} bytes"
    for row in _measured("scale", folder):
        if row["name"].startswith("DuckDB") or row["name"].endswith("at once"):
            continue  # another program, and two searches
        rate = row["states"] / row["cpu_seconds"]
        disk = f", {row['disk']:.1f} bytes on disk" if row["disk"] else ""
        yield f"a state: {row['name']}, {row['states'] / 1e6:,.0f} million states", f"{_time(1 / rate)}{disk}"


def _measured(name: str, folder: Path) -> list[dict[str, Any]]:
    document = kept(name, folder)
    return [] if document is None else document["rows"]


def _figure(number: float) -> str:
    """Return a number with three digits, or all those before the point."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _time(seconds: float) -> str:
    """Return a short time in its unit."""
    return f"{seconds * 1e9:.0f} ns" if seconds < 1e-6 else f"{seconds * 1e6:.1f} µs"
