"""Rows on grids: distance fields, and the way between two cells."""

from collections.abc import Callable, Iterator
from ctypes import CDLL, byref, c_int32, c_int64, c_uint8
from math import sqrt
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.reference import pointer
from benchmarks.work import Outcome, Work
from searchkit import distance_map, solve
from searchkit_dungeon import Terrain, make_grid

FIELD_TARGETS = {"open": 2.5, "maze": 2.0, "25 % random": 1.8}
ENGINES = {8: {"astar": 1.1, "bucket": None, "jps": 0.4}, 4: {"astar": 1.1, "bucket": None}}
"""moves → engine → the ratio to reach; all next to A* with a heap in C++."""
ALL_READ = "ours as a Mapping: a Python number for each cell"


def rows(library: CDLL, side: int = data.SIDE, count: int = data.QUERIES) -> Iterator[Work]:
    """Yield the rows; with smaller maps and fewer queries for tests."""
    for name in data.GROUNDS:
        yield from distance_fields(library, name, side)
    for moves, engines in ENGINES.items():
        queries = Queries(library, moves, count)
        for engine, target in engines.items():
            yield Work(
                f"{count} queries, 512², {moves} moves, {engine}",
                queries.reference,
                queries.by(engine),
                target,
                remark="" if engine == "astar" else "C++: A* with a heap",
            )


def distance_fields(library: CDLL, name: str, side: int) -> Iterator[Work]:
    """Yield breadth-first search over a whole map: with one distance looked up, and with all of them read."""
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

    def all_by_reference() -> float:
        search()
        return float(distances.sum(where=distances >= 0, dtype=np.int64))

    title = f"distance field, {side}², 4 moves, {name}"
    yield Work(
        title,
        one_by_reference,
        lambda: float(distance_map(grid, backend="compiled")[cell]),
        FIELD_TARGETS[name],
        remark="one distance looked up",
    )
    yield Work(
        f"{title}, all summed",
        all_by_reference,
        lambda: float(sum(distance_map(grid, backend="compiled").values())),
        remark=ALL_READ,
    )


class Queries:
    """The queries for one set of moves."""

    def __init__(self, library: CDLL, moves: int, count: int):
        self.library, self.moves = library, moves
        made = data.queries(count)
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
            total += straight.value + sqrt(2) * diagonal.value
            expansions += expanded.value
        return Outcome(total, expansions)

    def by(self, engine: str) -> Callable[[], Outcome]:
        """Return the same by one of our engines: a problem made and solved for each query."""

        def ours() -> Outcome:
            total, expansions = 0.0, 0
            for number, sx, sy, gx, gy in self.pairs:
                grid = make_grid(self.terrains[number], [(sx, sy)], [(gx, gy)], self.moves)
                result: Any = solve(grid, engine, backend="compiled")
                total += float(result.solution.cost)
                expansions += result.statistics.expanded
            return Outcome(total, expansions)

        return ours
