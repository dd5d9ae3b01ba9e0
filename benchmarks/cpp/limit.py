"""Compiled engines compared with hand-tuned C++.

The reference is a C++ file with functions of the names and arguments used here. It is compiled at run time and is not
part of the project. For each row, both do the same work in one process, in turn, several times, and the answers are
compared. Times are CPU time; the ratio is the median of the ratios of neighbouring runs. searchkit is measured
through its public functions, with path or distances, after a first run, with nothing prepared except the map. The
rows come from the modules `benchmarks.*_work`.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from ctypes import CDLL
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.cpp.reference import NoReferenceError, compiled, pointer
from benchmarks.cpp.work import Outcome, Row, Work, measure
from benchmarks.kit.documents import RESULTS, document, keep

__all__ = ["Outcome", "Work", "main", "pointer"]

MODULES = ("grids", "tiles", "graphs")
HEADINGS = ("work", "C++, ms", "searchkit, ms", "ratio", "range", "to reach", "per expansion", "answers")


def works(library: CDLL, modules: Iterable[str] = MODULES) -> Iterator[Work]:
    """Yield the rows of some modules of this folder."""
    for name in modules:
        yield from import_module(f"benchmarks.cpp.{name}").rows(library)


def cells(row: Row) -> tuple[str, ...]:
    """Return a row under `HEADINGS`."""
    target = "" if row.target is None else f"{row.target:g}"
    if row.ratio is None:
        return (row.name, "", "", "", "", target, "", row.problem)
    each = row.per_expansion
    return (
        row.name,
        f"{row.reference * 1e3:.2f}",
        f"{row.ours * 1e3:.2f}",
        f"{row.ratio.median:.2f}",
        f"{row.ratio.low:.2f}–{row.ratio.high:.2f}",
        target,
        "" if each is None else f"{each:.2f}",
        "agree" if row.agree else "DIFFER",
    )


def table(rows: Iterable[Row]) -> Table:
    """Return the rows for the terminal."""
    drawn = Table()
    for heading in HEADINGS:
        left = heading in ("work", "answers")
        drawn.add_column(heading, justify="left" if left else "right", no_wrap=heading != "answers")
    for row in rows:
        missed = row.ratio and row.target is not None and row.ratio.median > row.target
        drawn.add_row(*cells(row), style="red" if row.agree is False else "yellow" if missed else "")
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if an answer disagrees, 2 if the reference can't be compiled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reference", type=Path, help="the C++ source to measure against")
    parser.add_argument("--seconds", type=float, default=3, help="CPU time for each row (default 3)")
    parser.add_argument(
        "--only", nargs="+", choices=MODULES, default=MODULES, help="rows of these modules; writes no file"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write limit.json to")
    chosen = parser.parse_args(arguments)
    console, measured = Console(width=150), list[Row]()
    with tempfile.TemporaryDirectory() as directory, Console(stderr=True).status("compiling C++") as status:
        try:
            library = compiled(chosen.reference, Path(directory))
        except NoReferenceError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        for work in works(library, chosen.only):
            status.update(work.name)
            measured.append(measure(work, chosen.seconds))
            del work  # with what it holds
    data = document(measured, seconds=chosen.seconds)
    console.print(table(measured))
    if chosen.only == MODULES:
        keep("limit", data, chosen.results)
    return int(any(row.agree is False for row in measured))


if __name__ == "__main__":
    sys.exit(main())
