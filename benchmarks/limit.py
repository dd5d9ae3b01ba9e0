"""Machine code compared with hand-tuned C++ (`benchmarks/reference.cpp`, or another file with the same functions).

The C++ is compiled with `g++ -O3 -march=native`. For each row, both do the same work in one process, in turn, several
times, and the answers are compared. Times are CPU time; the ratio is the median of the ratios of neighbouring runs.
searchkit is measured through its public functions, with path or distances, after a first run, with nothing prepared
except the map.
"""

import argparse
import gc
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import CDLL, POINTER, byref, c_int, c_int32, c_int64, c_uint8
from math import sqrt
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks import data
from benchmarks.kit import RESULTS, Spread, document, keep
from searchkit import distance_map, solve
from searchkit.errors import SearchkitError
from searchkit_dungeon import Grid, Terrain
from searchkit_graph import ExplicitGraph, from_scipy
from searchkit_tiles import SlidingTiles

REFERENCE = Path(__file__).parent / "reference.cpp"
FLAGS = ("-O3", "-march=native", "-std=c++17", "-shared", "-fPIC")
RETURN_COUNTS = ("bfs4", "grid_p2p", "puzzle15", "puzzle8_bfs")
"""The functions that return a 64-bit integer."""
LEAST, MOST = 3, 25
"""How often a row is timed, however long it takes, and how often where its time allows."""
HEADINGS = ("work", "C++, ms", "searchkit, ms", "ratio", "range", "to reach", "per expansion", "answers")
FIELD_TARGETS = {"open": 2.2, "maze": 1.5, "25 % random": 1.7}
ENGINES = {8: {"astar": 1.15, "bucket": 1.0, "jps": 0.28}, 4: {"astar": 1.15, "bucket": 1.0}}
"""moves → engine → the ratio to reach; all compared with A* with a heap in C++."""
BOARDS = {"medium": (data.MEDIUM, 1.8), "hard": (data.HARD, 1.5)}
"""name → seeds of 15-puzzles, and the ratio to reach."""


@frozen
class Outcome:
    """What a piece of work has found."""

    value: float
    """What both sides have to agree on."""
    expanded: int = 0
    """States expanded; 0 if they are not counted, or are not those of A*."""


@frozen
class Work:
    """The same work, by the reference and by us."""

    name: str
    reference: Callable[[], Outcome]
    ours: Callable[[], Outcome]
    target: float | None = None
    """The ratio to reach; None if none is set."""
    remark: str = ""


@frozen
class Row:
    """What was measured of one piece of work. Seconds are medians of CPU time, ratios those of neighbouring runs."""

    name: str
    target: float | None
    remark: str
    rounds: int = 0
    reference: float = 0.0
    ours: float = 0.0
    ratio: Spread | None = None
    agree: bool | None = None
    """Whether both found the same; None if one of them could not run."""
    expanded_reference: int = 0
    expanded_ours: int = 0
    problem: str = ""
    """Why nothing was measured."""

    @property
    def per_expansion(self) -> float | None:
        """The ratio of the times for one expansion; None if they were not counted."""
        if not (self.ratio and self.expanded_ours and self.expanded_reference):
            return None
        return self.ratio.median * self.expanded_reference / self.expanded_ours


def measure(work: Work, seconds: float) -> Row:
    """Run both in turn for about so many seconds, at least three times each, after a run of each that warms up."""
    try:
        first, *outcomes = [side() for side in (work.reference, work.ours)]
    except SearchkitError as error:
        return Row(work.name, work.target, work.remark, problem=str(error))
    times: tuple[list[float], list[float]] = ([], [])
    gc.collect()
    gc.freeze()  # objects from before are not examined during a search
    try:
        while len(times[0]) < LEAST or (sum(map(sum, times)) < seconds and len(times[0]) < MOST):
            for side, run in enumerate((work.reference, work.ours)):
                gc.collect()
                begin = process_time()
                found = run()
                times[side].append(process_time() - begin)
                outcomes.append(found)
    finally:
        gc.unfreeze()
    return Row(
        work.name,
        work.target,
        work.remark,
        rounds=len(times[0]),
        reference=Spread.of(times[0]).median,
        ours=Spread.of(times[1]).median,
        ratio=Spread.of([ours / theirs for theirs, ours in zip(*times, strict=True)]),
        agree=all(abs(first.value - other.value) <= 1e-9 * abs(first.value) for other in outcomes),
        expanded_reference=first.expanded,
        expanded_ours=outcomes[0].expanded,
    )


def compiled(source: Path, directory: Path) -> CDLL:
    """Compile the source into a directory, and load it. Raises `OSError` if there is no such file or no g++."""
    if not source.is_file():
        raise OSError(f"{source} is not a file; expected the C++ source to measure against")
    library = directory / "libreference.so"
    try:
        subprocess.run(["g++", *FLAGS, str(source), "-o", str(library)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise OSError(f"{source} can't be compiled with g++: {error}") from None
    loaded = CDLL(str(library))
    for name in RETURN_COUNTS:
        getattr(loaded, name).restype = c_int64
    return loaded


def pointer(array: Any, kind: Any) -> Any:
    """Return a C pointer to the data of an array, whose elements are of the C type `kind`."""
    return array.ctypes.data_as(POINTER(kind))


def works(
    library: CDLL,
    side: int = data.SIDE,
    queries: data.Queries | None = None,
    boards: dict[str, tuple[tuple[int, ...], float]] = BOARDS,
    nodes: int = data.NODES,
) -> Iterator[Work]:
    """Yield all rows; with smaller maps, boards and graphs for tests."""
    for name in data.GROUNDS:
        yield from distance_fields(library, name, side)
    asked = queries or data.queries()
    for moves, engines in ENGINES.items():
        yield from grid_queries(library, moves, asked, engines)
    for name, (seeds, target) in boards.items():
        yield puzzles(library, name, seeds, target)
    yield whole_puzzle(library)
    yield from sparse_graph(library, nodes)


def distance_fields(library: CDLL, name: str, side: int) -> Iterator[Work]:
    """Yield breadth-first search over a map: one distance is looked up, or all are read as an array."""
    field = data.field(name, side)
    (column, row), distances = field.source, np.empty(side * side, np.int32)
    grid = Grid(Terrain([bytes(line) for line in field.ground]), [field.source])

    def search() -> None:
        library.bfs4(
            pointer(field.ground, c_uint8), side, side, row * side + column, pointer(distances, c_int32)
        )

    search()
    last = int(np.flatnonzero(distances >= 0)[-1])
    cell = last % side, last // side

    def one_by_reference() -> Outcome:
        search()
        return Outcome(float(distances[last]))

    def largest_by_reference() -> Outcome:
        search()
        return Outcome(float(distances.max()))

    def largest_by_us() -> Outcome:
        found = distance_map(grid, backend="compiled")
        return Outcome(float(found[found.farthest()[0]]))

    def all_by_reference() -> Outcome:
        search()
        return Outcome(float(distances.sum(where=distances >= 0, dtype=np.int64)))

    def all_by_us() -> Outcome:
        found = distance_map(grid, backend="compiled").array()
        return Outcome(float(found.sum(where=found >= 0, dtype=np.int64)))

    title, target = f"distance field, {side}², 4 moves, {name}", FIELD_TARGETS[name]
    yield Work(
        title,
        one_by_reference,
        lambda: Outcome(float(distance_map(grid, backend="compiled")[cell])),
        target,
        "one distance looked up",
    )
    yield Work(f"{title}, farthest", largest_by_reference, largest_by_us, remark="all distances compared")
    yield Work(f"{title}, all", all_by_reference, all_by_us, target, "as an array")


def grid_queries(
    library: CDLL, moves: int, queries: data.Queries, engines: dict[str, float]
) -> Iterator[Work]:
    """Yield the sum of the lengths between pairs of cells, by each engine; each path is made."""
    pairs, (height, width) = queries.pairs.tolist(), queries.grounds.shape[1:]
    terrains = [Terrain([bytes(line) for line in ground]) for ground in queries.grounds]
    masks = [np.empty(ground.size, np.uint8) for ground in queries.grounds]
    for ground, mask in zip(queries.grounds, masks, strict=True):
        rule = 0 if moves == 8 else 2
        library.build_mask(pointer(ground, c_uint8), height, width, rule, pointer(mask, c_uint8))

    def reference() -> Outcome:
        total, expansions = 0.0, 0
        expanded, (length, straight, diagonal) = c_int64(), (c_int32(), c_int32(), c_int32())
        path = np.empty(height * width, np.int32)
        for number, sx, sy, gx, gy in pairs:
            library.grid_p2p(
                pointer(masks[number], c_uint8), height, width, sy * width + sx, gy * width + gx,
                0, int(moves == 8), pointer(path, c_int32),
                byref(length), byref(expanded), byref(straight), byref(diagonal),
            )  # fmt: skip
            assert length.value > 0, "the reference has found no path"
            total += straight.value + sqrt(2) * diagonal.value
            expansions += expanded.value
        return Outcome(total, expansions)

    def ours(engine: str, lengths: str) -> Outcome:
        """With whole lengths, 408 and 577 as in C++, the length in cells is that of the steps of the path."""
        total, expansions = 0.0, 0
        for number, sx, sy, gx, gy in pairs:
            grid = Grid(terrains[number], [(sx, sy)], [(gx, gy)], moves, lengths=lengths)
            result: Any = solve(grid, engine, backend="compiled")
            if lengths == "real":
                total += float(result.solution.cost)
            else:
                diagonal = sum(len(action) == 2 for action in result.solution.actions)
                total += len(result.solution.actions) - diagonal + sqrt(2) * diagonal
            expansions += result.statistics.expanded
        return Outcome(total, 0 if engine == "jps" else expansions)  # an expansion of jps is something else

    title = f"{len(pairs)} queries, {width}², {moves} moves"
    if moves == 8:
        whole, remark = f"{title}, astar, whole lengths", "costs 408 and 577 on both sides"
        yield Work(whole, reference, lambda: ours("astar", "whole"), engines["astar"], remark)
    for engine, target in engines.items():
        remark = "" if engine == "astar" else "C++: A* with a heap"
        yield Work(
            f"{title}, {engine}", reference, lambda engine=engine: ours(engine, "real"), target, remark  # type: ignore[misc]
        )  # fmt: skip


def puzzles(library: CDLL, name: str, seeds: tuple[int, ...], target: float) -> Work:
    """Return 15-puzzles, which are solved one after the other."""
    boards = data.boards(seeds)
    problems = [SlidingTiles(4, 4, board, heuristic="manhattan") for board in boards]

    def reference() -> Outcome:
        total = expansions = 0
        expanded, ignored = c_int64(), c_int64()
        for board in boards:
            tiles = pointer(np.array(board, np.int32), c_int)
            total += library.puzzle15(tiles, c_int64(10**9), byref(expanded), byref(ignored), byref(ignored))
            expansions += expanded.value
        return Outcome(total, expansions)

    def ours() -> Outcome:
        results = [solve(problem, "astar", backend="compiled") for problem in problems]
        expansions = sum(result.statistics.expanded for result in results)
        return Outcome(sum(float(result.cost or 0) for result in results), expansions)

    title = f"15-puzzle, A*, Manhattan, {name} ({len(boards)})"
    return Work(title, reference, ours, target, "other order of ties; C++ returns no path")


def whole_puzzle(library: CDLL) -> Work:
    """Return the 8-puzzle's 181,440 states, breadth-first from the goal."""
    depth, problem = c_int(), SlidingTiles(3, 3, tuple(range(9)))
    return Work(
        "whole 8-puzzle, breadth-first",
        lambda: Outcome(library.puzzle8_bfs(byref(depth))),
        lambda: Outcome(len(distance_map(problem, backend="compiled"))),
        1.7,
    )


@frozen(eq=False)
class Matrix:
    """The attributes of a sparse matrix that `from_scipy` reads, without scipy."""

    indptr: Any
    indices: Any
    data: Any

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.indptr) - 1, len(self.indptr) - 1

    def tocsr(self) -> "Matrix":
        """Return the matrix itself: it is in compressed sparse rows."""
        return self


def graph_of(sparse: data.Sparse) -> ExplicitGraph:
    """Return the problem of all distances from node 0."""
    return from_scipy(Matrix(sparse.begins, sparse.heads, sparse.weights), 0)


def sparse_graph(library: CDLL, nodes: int) -> Iterator[Work]:
    """Yield Dijkstra's algorithm on a sparse digraph: one distance is looked up, or all are read as an array."""
    sparse, distances = data.sparse(nodes), np.empty(nodes, np.int64)
    graph = graph_of(sparse)

    def search() -> None:
        library.csr_dijkstra_bucket(
            pointer(sparse.begins, c_int32), pointer(sparse.heads, c_int32), pointer(sparse.weights, c_int32),
            nodes, 0, pointer(distances, c_int64),
        )  # fmt: skip

    search()
    reached = distances < np.iinfo(np.int64).max
    last = int(np.flatnonzero(reached)[-1])

    def one_by_reference() -> Outcome:
        search()
        return Outcome(float(distances[last]))

    def all_by_reference() -> Outcome:
        search()
        return Outcome(float(distances.sum(where=reached)))

    def all_by_us() -> Outcome:
        found = distance_map(graph, backend="compiled").array()
        return Outcome(float(found.sum(where=found >= 0, dtype=np.int64)))

    title = f"Dijkstra, sparse digraph, {nodes:,} nodes"
    remark = f"{data.DEGREE} edges from each node; C++: a bucket queue; one distance looked up"
    yield Work(
        title,
        one_by_reference,
        lambda: Outcome(float(distance_map(graph, backend="compiled")[last])),
        1.3,
        remark,
    )
    yield Work(f"{title}, all", all_by_reference, all_by_us, 1.4, "as an array")


def table(rows: Iterable[Row]) -> Table:
    """Return the rows for the terminal."""
    drawn = Table()
    for heading in HEADINGS:
        left = heading in ("work", "answers")
        drawn.add_column(heading, justify="left" if left else "right", no_wrap=heading != "answers")
    for row in rows:
        target = "" if row.target is None else f"{row.target:g}"
        if row.ratio is None:
            drawn.add_row(row.name, "", "", "", "", target, "", row.problem)
            continue
        missed = row.target is not None and row.ratio.median > row.target
        drawn.add_row(
            row.name,
            f"{row.reference * 1e3:.2f}",
            f"{row.ours * 1e3:.2f}",
            f"{row.ratio.median:.2f}",
            f"{row.ratio.low:.2f}–{row.ratio.high:.2f}",
            target,
            "" if row.per_expansion is None else f"{row.per_expansion:.2f}",
            "agree" if row.agree else "DIFFER",
            style="red" if not row.agree else "yellow" if missed else "",
        )
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if an answer disagrees, 2 if the reference can't be compiled."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "reference", type=Path, nargs="?", default=REFERENCE, help="the C++ source (default: the project's)"
    )
    parser.add_argument("--seconds", type=float, default=3, help="CPU time for each row (default 3)")
    parser.add_argument(
        "--only", metavar="TEXT", default="", help="rows with this text in their names; writes no file"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write limit.json to")
    chosen = parser.parse_args(arguments)
    measured = list[Row]()
    with tempfile.TemporaryDirectory() as directory, Console(stderr=True).status("compiling C++") as status:
        try:
            library = compiled(chosen.reference, Path(directory))
        except OSError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        for work in works(library):
            if chosen.only in work.name:
                status.update(work.name)
                measured.append(measure(work, chosen.seconds))
            del work  # with the arrays that it holds
    Console(width=150).print(table(measured))
    if not chosen.only:
        keep("limit", document(measured, seconds=chosen.seconds), chosen.results)
    return int(any(row.agree is False for row in measured))
