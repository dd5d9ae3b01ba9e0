"""Rows on grids: distance fields, and paths between two cells."""

from collections.abc import Callable, Iterator
from ctypes import CDLL, byref, c_int32, c_int64, c_uint8
from math import sqrt
from typing import Any

import numpy as np

from benchmarks.cpp.reference import pointer
from benchmarks.cpp.work import Outcome, Work
from benchmarks.kit import data
from searchkit import distance_map, solve
from searchkit_dungeon import Terrain, make_grid

FIELD_TARGETS = {"open": 2.2, "maze": 1.5, "25 % random": 1.7}
ENGINES = {8: {"astar": 1.15, "bucket": 1.0, "jps": 0.28}, 4: {"astar": 1.15, "bucket": 1.0}}
"""moves → engine → the ratio to reach; all next to A* with a heap in C++."""
OTHER_STEPS = ("jps",)
"""Engines whose expansions are something else than those of A*."""
ALL_READ = "ours: distances.array(), an array of numpy"


def rows(library: CDLL, side: int = data.SIDE, asked: data.Queries | None = None) -> Iterator[Work]:
    """Yield the rows; with smaller maps and other queries for tests."""
    asked = asked or data.queries()
    for name in data.GROUNDS:
        yield from distance_fields(library, name, side)
    for moves, engines in ENGINES.items():
        queries = Queries(library, moves, asked)
        if moves == 8:
            yield Work(
                f"{len(asked.pairs)} queries, {asked.grounds.shape[1]}², 8 moves, astar, whole lengths",
                queries.reference,
                queries.by("astar", "whole"),
                engines["astar"],
                remark="costs 408 and 577 on both sides",
            )
        for engine, target in engines.items():
            yield Work(
                f"{len(asked.pairs)} queries, {asked.grounds.shape[1]}², {moves} moves, {engine}",
                queries.reference,
                queries.by(engine),
                target,
                remark="" if engine == "astar" else "C++: A* with a heap",
            )


def distance_fields(library: CDLL, name: str, side: int) -> Iterator[Work]:
    """Yield breadth-first search over a map: one distance is looked up, or the largest, or all are read as an array."""
    field = data.field(name, side)
    (column, row), distances = field.source, np.empty(side * side, np.int32)
    grid = make_grid(Terrain([bytes(line) for line in field.ground]), [field.source])

    def search() -> None:
        library.bfs4(
            pointer(field.ground, c_uint8), side, side, row * side + column, pointer(distances, c_int32)
        )

    search()
    last = int(np.flatnonzero(distances >= 0)[-1])
    cell = last % side, last // side

    def one_by_reference() -> float:
        search()
        return float(distances[last])

    def largest_by_reference() -> float:
        search()
        return float(distances.max())

    def largest() -> float:
        found = distance_map(grid, backend="compiled")
        return float(found[found.farthest()[0]])

    def all_by_reference() -> float:
        search()
        return float(distances.sum(where=distances >= 0, dtype=np.int64))

    def all_of_them() -> float:
        found = distance_map(grid, backend="compiled").array()
        return float(found.sum(where=found >= 0, dtype=np.int64))

    title = f"distance field, {side}², 4 moves, {name}"
    yield Work(
        title,
        one_by_reference,
        lambda: float(distance_map(grid, backend="compiled")[cell]),
        FIELD_TARGETS[name],
        remark="one distance looked up",
    )
    yield Work(f"{title}, farthest", largest_by_reference, largest, remark="all distances compared")
    yield Work(f"{title}, all", all_by_reference, all_of_them, FIELD_TARGETS[name], remark=ALL_READ)


class Queries:
    """The queries for one set of moves."""

    def __init__(self, library: CDLL, moves: int, made: data.Queries):
        self.library, self.moves = library, moves
        self.pairs = made.pairs.tolist()
        self.terrains = [Terrain([bytes(line) for line in ground]) for ground in made.grounds]
        self.masks = []
        self.height, self.width = made.grounds.shape[1:]
        for ground in made.grounds:
            mask = np.empty(ground.size, np.uint8)
            rule = 0 if moves == 8 else 2
            library.build_mask(
                pointer(ground, c_uint8), self.height, self.width, rule, pointer(mask, c_uint8)
            )
            self.masks.append(mask)

    def reference(self) -> Outcome:
        """Return the sum of the lengths that C++ finds, each with its path."""
        total, expansions, width = 0.0, 0, self.width
        expanded, (length, straight, diagonal) = c_int64(), (c_int32(), c_int32(), c_int32())
        path = np.empty(self.height * width, np.int32)
        for number, sx, sy, gx, gy in self.pairs:
            self.library.grid_p2p(
                pointer(self.masks[number], c_uint8), self.height, width, sy * width + sx, gy * width + gx,
                0, int(self.moves == 8), pointer(path, c_int32),
                byref(length), byref(expanded), byref(straight), byref(diagonal),
            )  # fmt: skip
            assert length.value > 0, "the reference has found no path"
            total += straight.value + sqrt(2) * diagonal.value
            expansions += expanded.value
        return Outcome(total, expansions)

    def by(self, engine: str, lengths: str = "real") -> Callable[[], Outcome]:
        """Return the same by one of our engines: a problem made and solved for each query.

        With whole lengths, 408 and 577 as in C++, the length in cells is that of the steps of the path.
        """

        def ours() -> Outcome:
            total, expansions = 0.0, 0
            for number, sx, sy, gx, gy in self.pairs:
                terrain = self.terrains[number]
                grid = make_grid(terrain, [(sx, sy)], [(gx, gy)], self.moves, lengths=lengths)
                result: Any = solve(grid, engine, backend="compiled")
                if lengths == "real":
                    total += float(result.solution.cost)
                else:
                    diagonal = sum(len(action) == 2 for action in result.solution.actions)
                    total += len(result.solution.actions) - diagonal + sqrt(2) * diagonal
                expansions += result.statistics.expanded
            return Outcome(total, 0 if engine in OTHER_STEPS else expansions)

        return ours
