"""Optimal solutions of Korf's hundred 15-puzzles: `python -m benchmarks korf`.

Iterative-deepening A* in machine code with the additive pattern databases 5-5-5 (Korf and Felner 2002), one process,
one run. Every length is compared with the published one (Korf 1985); the exit code is 1 if one differs. Writes
korf.json and korf.md to benchmarks/results. The times do not include building the databases.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from time import perf_counter

from attrs import asdict, frozen

from benchmarks.kit.documents import RESULTS, keep
from benchmarks.kit.machine import Machine, this_machine
from searchkit import solve
from searchkit_tiles import SlidingTiles, korf100

ENGINE, HEURISTIC = "idastar", "pattern-database"


@frozen
class Row:
    """One board."""

    instance: int
    published: int
    length: int
    estimate: int
    """Of the board as it is given."""
    expanded: int
    generated: int
    seconds: float


def measure(numbers: Sequence[int], heuristic: str) -> Iterator[Row]:
    """Solve these of the boards, one after the other."""
    boards = korf100()
    warm = SlidingTiles(4, 4, boards[11].tiles, heuristic=heuristic)
    solve(warm, ENGINE, backend="compiled")  # loads what is compiled
    for number in numbers:
        board = boards[number - 1]
        problem = SlidingTiles(board.width, board.height, board.tiles, heuristic=heuristic)
        result = solve(problem, ENGINE, backend="compiled")
        counters = result.statistics
        yield Row(
            number,
            board.published or 0,
            int(result.cost or 0),
            int(problem.heuristic(board.tiles)),
            counters.expanded,
            counters.generated,
            counters.seconds,
        )


def wrong(rows: Sequence[Row]) -> list[int]:
    """Return the boards whose length is not the published one."""
    return [row.instance for row in rows if row.length != row.published]


def table(rows: Sequence[Row], heuristic: str, building: float, machine: Machine) -> Iterator[str]:
    """Return the lines of a Markdown page."""
    seconds, generated = [row.seconds for row in rows], [row.generated for row in rows]
    yield f"Measured {machine}."
    yield ""
    yield (
        f"{len(rows)} of Korf's hundred 15-puzzles by `{ENGINE}`, compiled, with `{heuristic}`: "
        f"{len(rows) - len(wrong(rows))} as long as published."
    )
    yield ""
    yield "| | median | mean | most | total |"
    yield "|---|--:|--:|--:|--:|"
    yield f"| seconds | {median(seconds):.2f} | {mean(seconds):.2f} | {max(seconds):.2f} | {sum(seconds):.1f} |"
    for name, numbers in (("generated", generated), ("expanded", [row.expanded for row in rows])):
        yield f"| {name} | {median(numbers):,.0f} | {mean(numbers):,.0f} | {max(numbers):,} | {sum(numbers):,} |"
    yield ""
    yield (
        f"{sum(generated) / sum(seconds) / 1e6:.1f} million states generated a second. Before the first search, "
        f"{building:.1f} s to build the tables or to map them into memory, and to load or compile the code."
    )
    yield ""
    yield "| board | published | length | estimate | expanded | generated | seconds |"
    yield "|--:" * 7 + "|"
    for row in rows:
        yield (
            f"| {row.instance} | {row.published} | {row.length} | {row.estimate} | {row.expanded:,} "
            f"| {row.generated:,} | {row.seconds:.3f} |"
        )


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; the exit code is 1 where a length is not the published one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--boards", type=int, nargs="*", metavar="N", help="only these, 1 to 100; writes no files"
    )
    parser.add_argument("--heuristic", default=HEURISTIC, help=f"default {HEURISTIC}")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write to")
    options = parser.parse_args(arguments)
    numbers = options.boards or range(1, 101)
    if not all(1 <= number <= 100 for number in numbers):
        parser.error("--boards: expected numbers from 1 to 100")
    begin = perf_counter()
    SlidingTiles(4, 4, range(16), heuristic=options.heuristic).compiled()
    building = perf_counter() - begin
    rows = []
    for row in measure(numbers, options.heuristic):
        rows.append(row)
        if sys.stderr.isatty():
            print(f"\r{len(rows)} of {len(numbers)}", end="", file=sys.stderr, flush=True)
    machine = this_machine()
    page = "\n".join(table(rows, options.heuristic, building, machine)) + "\n"
    sys.stdout.write(page)
    if not options.boards:
        document = {
            "machine": asdict(machine),
            "engine": ENGINE,
            "heuristic": options.heuristic,
            "building": building,
            "rows": [asdict(row) for row in rows],
        }
        keep("korf", document, options.results, page)
    for number in wrong(rows):
        print(f"board {number}: not the published length", file=sys.stderr)
    return int(bool(wrong(rows)))


if __name__ == "__main__":
    sys.exit(main())
