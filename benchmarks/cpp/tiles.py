"""Rows on sliding tiles: 15-puzzles by A* with the Manhattan distance, and breadth-first search of the 8-puzzle."""

from collections.abc import Iterator, Sequence
from ctypes import CDLL, byref, c_int, c_int64

import numpy as np

from benchmarks.cpp.reference import pointer
from benchmarks.cpp.work import Outcome, Work
from benchmarks.kit import data
from searchkit import distance_map, solve
from searchkit_tiles import SlidingTiles
from searchkit_tiles.board import Board

NO_LIMIT = 10**9
SEEDS = {"medium": (data.MEDIUM, 1.8), "hard": (data.HARD, 1.5)}
"""name → seeds of boards, and the ratio to reach."""


def rows(library: CDLL, seeds: dict[str, tuple[tuple[int, ...], float]] = SEEDS) -> Iterator[Work]:
    """Yield the rows; with easier boards for tests."""
    for name, (chosen, target) in seeds.items():
        yield puzzles(library, name, data.boards(chosen), target)
    yield whole_puzzle(library)


def puzzles(library: CDLL, name: str, boards: Sequence[Board], target: float) -> Work:
    """Return boards to be solved, one after the other."""
    problems = [SlidingTiles(4, 4, board, heuristic="manhattan") for board in boards]

    def reference() -> Outcome:
        total = expansions = 0
        for board in boards:
            cost, expanded, _ = reference_puzzle(library, board)
            total += cost
            expansions += expanded
        return Outcome(total, expansions)

    def ours() -> Outcome:
        results = [solve(problem, "astar", backend="compiled") for problem in problems]
        return Outcome(
            sum(int(result.cost or 0) for result in results),
            sum(result.statistics.expanded for result in results),
        )

    remark = "other order of ties; C++ returns no path"
    return Work(f"15-puzzle, A*, Manhattan, {name} ({len(boards)})", reference, ours, target, remark)


def reference_puzzle(library: CDLL, board: Board) -> tuple[int, int, int]:
    """Return the slides that C++ needs for a board, the states that it expands, and the bytes of its table."""
    expanded, generated, table = c_int64(), c_int64(), c_int64()
    cost = library.puzzle15(
        pointer(np.array(board, np.int32), c_int), c_int64(NO_LIMIT), byref(expanded), byref(generated), byref(table)
    )  # fmt: skip
    return cost, expanded.value, table.value


def whole_puzzle(library: CDLL) -> Work:
    """Return the 8-puzzle's 181,440 states, breadth-first from the goal."""
    board = tuple(range(9))

    def reference() -> float:
        depth = c_int()
        return float(library.puzzle8_bfs(byref(depth)))

    return Work(
        "whole 8-puzzle, breadth-first",
        reference,
        lambda: float(len(distance_map(SlidingTiles(3, 3, board), backend="compiled"))),
        1.7,
    )
