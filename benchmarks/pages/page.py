"""The tables of pages of the documentation and of README.md (`PAGES`), made from benchmarks/results.

A table is between `<!-- measured: NAME -->` and `<!-- end -->`; `NAME` is a key of `SECTIONS`.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.kit.documents import RESULTS, kept
from benchmarks.kit.machine import Machine
from benchmarks.pages.checks import player_lines, power_lines
from benchmarks.pages.comparisons import limit_lines, peers_lines, python_lines, readme
from benchmarks.pages.costs import costs, versions
from benchmarks.pages.markdown import Document
from benchmarks.pages.searches import (
    auto_lines,
    growth_lines,
    memory_lines,
    overhead_lines,
    robots_lines,
    scale_lines,
    translate_lines,
    translated,
)

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "docs" / "reference" / "benchmarks.md",
    ROOT / "README.md",
    ROOT / "docs" / "reference" / "testing.md",
    ROOT / "docs" / "reference" / "plugins" / "robots.md",
)
MARKED = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text: str, folder: Path = RESULTS) -> str:
    """Return a page with its marked parts replaced. Raises `KeyError` for a name that is not in `SECTIONS`."""

    def section(match: re.Match[str]) -> str:
        return f"{match[1]}\n{SECTIONS[match[2]](folder)}\n\n{match[3]}"

    return MARKED.sub(section, text)


def page_of(name: str, lines: Callable[[Document], Iterator[str]]) -> Callable[[Path], str]:
    """Return the function that writes a part of a page: when and where it was measured, and its lines."""

    def write(folder: Path) -> str:
        document = kept(name, folder)
        if document is None:
            return f"Not measured yet: `python -m benchmarks {name}`."
        return "\n".join([f"Measured {Machine(**document['machine'])}.", "", *lines(document)])

    return write


def in_plain_python(folder: Path) -> str:
    """Return what the README says about translated problems."""
    document = kept("translate", folder)
    return "" if document is None else f"{translated(document)} [All of them](docs/reference/benchmarks.md)."


SECTIONS: dict[str, Callable[[Path], str]] = {
    "limit": page_of("limit", limit_lines),
    "peers": page_of("peers", peers_lines),
    "growth": page_of("growth", growth_lines),
    "memory": page_of("memory", memory_lines),
    "scale": page_of("scale", scale_lines),
    "overhead": page_of("overhead", overhead_lines),
    "power": page_of("power", power_lines),
    "auto": page_of("auto", auto_lines),
    "translate": page_of("translate", translate_lines),
    "translated": in_plain_python,
    "robots": page_of("robots", robots_lines),
    "player": page_of("player", player_lines),
    "python": page_of("python", python_lines),
    "versions": versions,
    "costs": costs,
    "readme": readme,
}
