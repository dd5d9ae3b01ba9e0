"""How far compiled engines are from hand-tuned C++: `python -m benchmarks.limit REFERENCE.cpp`.

The reference is a C++ file with functions of the names and arguments below; it is compiled here, outside the project.
Each row runs the same work by both, one after the other, in one process, several times; reported is the ratio of the
medians. Ours is the public API: the answer with its path or distances, warm, without anything prepared but the map.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from ctypes import CDLL, POINTER, byref, c_int32, c_int64, c_uint8
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.machine import this_machine
from searchkit import Search, load, solve
from searchkit_dungeon import Terrain, make_grid
from searchkit_graph import ExplicitGraph, explicit_graph

SIDE = 1024
QUERIES = 48
MAPS = ("random512", "maze512", "rooms512")
NODES, DEGREE = 200_000, 5


@frozen
class Work:
    """One row: the same work, by the reference and by us; each returns a number that has to agree."""

    name: str
    reference: Callable[[], float]
    ours: Callable[[], float]


def compiled(source: Path, directory: Path) -> CDLL:
    """Compile the reference and load it. Raises `CalledProcessError` where it can't be compiled."""
    library = directory / "libreference.so"
    flags = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC"]
    subprocess.run(["g++", *flags, str(source), "-o", str(library)], check=True)
    loaded = CDLL(str(library))
    loaded.bfs4.restype = loaded.grid_p2p.restype = c_int64
    return loaded


def pointer(array: Any, kind: Any) -> Any:
    """Return a C pointer to an array."""
    return array.ctypes.data_as(POINTER(kind))


def distance_fields(library: CDLL) -> Iterator[Work]:
    """Yield breadth-first search over whole maps of 1024×1024 cells, 4 moves."""
    rng = np.random.default_rng(1)
    maze = np.zeros((SIDE, SIDE), np.uint8)
    maze[::2, ::2] = 1
    eastward = (
        rng.random((SIDE // 2, SIDE // 2)) < 0.5
    )  # a binary tree maze: each cell is open to the north or the east
    eastward[0], eastward[:, -1] = True, False
    maze[::2, 1::2], maze[1:-1:2, ::2] = eastward, ~eastward[1:]
    grounds = {
        "open": np.ones((SIDE, SIDE), np.uint8),
        "maze": maze,
        "25 % random": (rng.random((SIDE, SIDE)) >= 0.25).astype(np.uint8),
    }
    for name, ground in grounds.items():
        middle = SIDE // 2
        ground[middle, middle : middle + 2] = 1
        source, distances = middle * SIDE + middle, np.empty(SIDE * SIDE, np.int32)
        grid = make_grid(Terrain([bytes(row) for row in ground]), [(middle, middle)])

        def reference(ground: Any = ground, source: int = source, distances: Any = distances) -> float:
            return float(
                library.bfs4(pointer(ground, c_uint8), SIDE, SIDE, source, pointer(distances, c_int32))
            )

        def ours(grid: Any = grid) -> float:
            search: Search[Any, Any] = Search(grid, "bfs", backend="compiled")
            search.run()
            return len(search.tree.reached)

        yield Work(f"breadth-first, {SIDE}², 4 moves, {name}", reference, ours)


def queries(library: CDLL) -> Iterator[Work]:
    """Yield A* between pairs of cells on the maps of 512×512 cells that ship, octile and 4 moves."""
    for moves in (8, 4):
        tasks = []
        for name in MAPS:
            terrain = load(name, "dungeon").terrain  # type: ignore[attr-defined]  # a grid
            ground = np.array(
                [[terrain.weight((x, y)) > 0 for x in range(terrain.width)] for y in range(terrain.height)],
                np.uint8,
            )
            mask = np.empty(ground.size, np.uint8)
            library.build_mask(
                pointer(ground, c_uint8), *ground.shape, 0 if moves == 8 else 2, pointer(mask, c_uint8)
            )
            free = np.argwhere(ground)
            rng = np.random.default_rng(7)
            for _ in range(QUERIES // len(MAPS)):
                (sy, sx), (gy, gx) = free[rng.integers(len(free), size=2)]
                tasks.append((terrain, mask, ground.shape, (int(sx), int(sy)), (int(gx), int(gy))))

        def reference(tasks: Any = tasks, moves: int = moves) -> float:
            total = 0.0
            expanded, (length, straight, diagonal) = c_int64(), (c_int32(), c_int32(), c_int32())
            for _, mask, (height, width), (sx, sy), (gx, gy) in tasks:
                path = np.empty(height * width, np.int32)
                cost = library.grid_p2p(
                    pointer(mask, c_uint8), height, width, sy * width + sx, gy * width + gx, 0, int(moves == 8),
                    pointer(path, c_int32), byref(length), byref(expanded), byref(straight), byref(diagonal),
                )  # fmt: skip
                total += 0 if cost < 0 else straight.value + diagonal.value
            return total

        def ours(tasks: Any = tasks, moves: int = moves) -> float:
            total = 0.0
            for terrain, _, _, start, goal in tasks:
                solution = solve(
                    make_grid(terrain, [start], [goal], moves), "astar", backend="compiled"
                ).solution
                total += 0 if solution is None else len(solution.actions)
            return total

        yield Work(f"A*, {QUERIES} queries, 512², {moves} moves", reference, ours)


def sparse(library: CDLL) -> Iterator[Work]:
    """Yield Dijkstra's algorithm over a sparse digraph."""
    rng = np.random.default_rng(3)
    heads = rng.integers(NODES, size=NODES * DEGREE).astype(np.int32)
    weights = rng.integers(1, 100, size=NODES * DEGREE).astype(np.int32)
    begins = np.arange(0, NODES * DEGREE + 1, DEGREE, dtype=np.int32)
    distances = np.empty(NODES, np.int64)
    tails = np.repeat(np.arange(NODES), DEGREE)
    graph: ExplicitGraph = explicit_graph(
        zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True), 0
    )

    def reference() -> float:
        library.csr_dijkstra_bucket(
            pointer(begins, c_int32), pointer(heads, c_int32), pointer(weights, c_int32), NODES, 0,
            pointer(distances, c_int64),
        )  # fmt: skip
        return float((distances < np.iinfo(np.int64).max).sum())

    def ours() -> float:
        search: Search[Any, Any] = Search(graph, "dijkstra", backend="compiled")
        search.run()
        return len(search.tree.reached)

    yield Work(f"Dijkstra, {NODES:,} nodes, {NODES * DEGREE:,} edges (CSR)", reference, ours)


def timed(work: Callable[[], float]) -> tuple[float, float]:
    """Return what a piece of work returns, and the seconds it takes."""
    begin = perf_counter()
    value = work()
    return value, perf_counter() - begin


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if an answer disagrees, 2 if the reference can't be compiled."""
    parser = argparse.ArgumentParser(prog="benchmarks.limit", description=__doc__)
    parser.add_argument("reference", type=Path, help="the C++ source to measure against")
    parser.add_argument("--rounds", type=int, default=7)
    chosen = parser.parse_args(arguments)
    if not chosen.reference.is_file():
        print(
            f"benchmarks.limit: {chosen.reference} is not a file; expected the C++ source to measure against"
        )
        return 2
    table = Table(title=str(this_machine()))
    for heading in ("work", "reference, s", "searchkit, s", "ratio", "answers"):
        table.add_column(heading, justify="left" if heading == "work" else "right")
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        try:
            library = compiled(chosen.reference, Path(directory))
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"benchmarks.limit: {chosen.reference} can't be compiled with g++: {error}")
            return 2
        for work in (*distance_fields(library), *queries(library), *sparse(library)):
            work.ours()  # warm: compiled, and the map's own tables made
            pairs = [(timed(work.reference), timed(work.ours)) for _ in range(chosen.rounds)]
            agree = all(theirs[0] == own[0] for theirs, own in pairs)
            wrong += not agree
            theirs, own = (median(pair[side][1] for pair in pairs) for side in (0, 1))
            table.add_row(
                work.name,
                f"{theirs:.4f}",
                f"{own:.4f}",
                f"{own / theirs:.1f}",
                "agree" if agree else "DIFFER",
            )
    Console(width=120).print(table)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
