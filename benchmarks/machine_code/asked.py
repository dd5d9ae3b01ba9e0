"""What it costs to prepare a map or a graph that is asked often, and what a query costs then, by engine.

The map has 512×512 cells, a quarter of them walls; the graph is a made-up town of about 40,000 crossings, whose edges
have travel times. Tables are made, written, and read twice, the second time as another process on the machine reads
them. Then queries between random places are asked, each by `solve`, as often as the time allows. The least time counts.
A path is read again by itself; how long that takes is part of the time of a query. Times are CPU time.
"""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.kit import data
from benchmarks.kit.documents import RESULTS, document, keep
from searchkit import Search, distance_map, load, solve
from searchkit.plugin.loading import precompute
from searchkit_graph import distances_between

SIDE, CROSSINGS = 512, 200
"""The rows of the map, and the streets of the town in each direction."""
QUERIES, ROUNDS = 50, 5
SMALL = 128, 64
"""The map and the town that are measured first, without being shown: large enough for machine code."""
TABLES = {
    "jps+": "jump_table",
    "hub-labels": "hub_labels",
    "contraction-hierarchies": "contraction_hierarchy",
}
"""Engines, and the method by which a problem has the table that each uses."""
OFTEN = 20
"""How many times the queries' distances are asked at once."""


@frozen
class Row:
    """One way to answer queries. Times are seconds."""

    place: str
    """What is asked, with its size."""
    engine: str
    build: float | None
    """Making the table; None if there is none."""
    size: int
    """The bytes of its file."""
    first_load: float | None
    """Reading the file the first time on a machine, with its check."""
    load: float | None
    """Reading it in another process."""
    distance: float | None
    """One distance, without its path, of many; None if the engine has to search."""
    query: float
    """One query by `solve`, with its path."""
    path: float
    """Reading the path again: a part of `query`."""
    expanded: float
    """States expanded in a query, on average."""


@frozen(eq=False)
class Place:
    """A map or a graph in a file, and the queries."""

    title: str
    file: Path
    problem: Any
    queries: list[tuple[Any, Any]]
    options: dict[str, Any]
    """For `load`, besides starts and goals."""


def places(folder: Path, side: int, crossings: int, queries: int) -> Iterator[Place]:
    """Yield the map and the graph, written to files in a folder."""
    rng, ground = Random(1), data.random_ground(side)
    ground[0, 0] = 1
    file, options = folder / "random.map", {"moves": 8}
    rows = ["".join(".@"[not cell] for cell in row) for row in ground]
    file.write_text("\n".join(["type octile", f"height {side}", f"width {side}", "map", *rows, ""]))
    yield place_of(f"map, {side}×{side} cells", file, (0, 0), rng, queries, options)
    town, file = data.streets(crossings), folder / "town.gr"
    file.write_text(town.graph)
    file.with_suffix(".co").write_text(town.places)
    yield place_of("", file, 1, rng, queries, {"heuristic": "straight-line"})


def place_of(title: str, file: Path, seed: Any, rng: Random, queries: int, options: dict[str, Any]) -> Place:
    """Return a place with queries that have a path, between states that can be reached from one of them."""
    problem: Any = load(file, start=seed, goal=seed, **options)
    reached = list(distance_map(problem))
    title = title or f"graph, {len(problem.names):,} crossings"
    pairs: list[tuple[Any, Any]] = []
    while len(pairs) < queries:
        start, goal = rng.choice(reached), rng.choice(reached)
        if solve(problem.aimed([start], [goal])).solution is not None:
            pairs.append((start, goal))
    return Place(title, file, problem, pairs, options)


def least(task: Callable[[], object], rounds: int) -> float:
    """Return the least CPU seconds of several rounds."""
    times = []
    for _ in range(rounds):
        begin = process_time()
        task()
        times.append(process_time() - begin)
    return min(times)


def measure(place: Place, engine: str, rounds: int) -> Row:
    """Prepare a place for an engine, and ask."""
    build = first_load = loaded = distance = None
    size, problem = 0, place.problem
    if engine != "astar":
        made: list[Any] = []
        rules = {name: value for name, value in place.options.items() if name == "moves"}
        build = least(lambda: made.append(precompute(place.file, options=rules, method=engine)), 1)
        size = made[0][0].stat().st_size
        _, first_load = read(place, engine)
        problem, loaded = read(place, engine)
    asked = [problem.aimed([start], [goal]) for start, goal in place.queries]

    def ask() -> list[Any]:
        return [solve(each, engine, backend="compiled") for each in asked]

    costs = [result.cost for result in ask()]
    assert costs == [solve(each, "astar", backend="compiled").cost for each in asked], f"{engine} differs"
    if engine in ("hub-labels", "contraction-hierarchies"):
        many = place.queries * OFTEN
        distance = least(lambda: distances_between(problem, many, engine), rounds) / len(many)
    searches: list[Search[Any, Any]] = [Search(each, engine, backend="compiled") for each in asked]
    expanded = [search.run().statistics.expanded for search in searches]
    paths = [(search.tree, goal) for search, (_, goal) in zip(searches, place.queries, strict=True)]
    return Row(
        place.title, engine, build, size, first_load, loaded, distance,
        least(ask, rounds) / len(asked),
        least(lambda: [tree.trail(goal) for tree, goal in paths], rounds) / len(paths),
        sum(expanded) / len(expanded),
    )  # fmt: skip


def read(place: Place, engine: str) -> tuple[Any, float]:
    """Return the problem with the table that is read from its file, and the seconds that this takes."""
    start, goal = place.queries[0]
    problem: Any = load(place.file, start=start, goal=goal, **place.options)
    begin = process_time()
    getattr(problem, TABLES[engine])()
    return problem, process_time() - begin


def measure_all(
    folder: Path, side: int, crossings: int, queries: int, rounds: int, say: Callable[[str], None]
) -> list[Row]:
    """Measure all engines on the map and on the graph."""
    made = []
    for place in places(folder, side, crossings, queries):
        for engine in ("astar", *TABLES):
            if engine == "astar" or hasattr(place.problem, TABLES[engine]):
                say(f"{place.title}, {engine}")
                made.append(measure(place, engine, rounds))
    return made


HEADINGS = (
    "asked",
    "engine",
    "build, s",
    "file, MB",
    "first load, s",
    "load, s",
    "distance, µs",
    "query, µs",
    "of it path, µs",
    "expanded",
)


def cells(row: Row) -> tuple[str, ...]:
    """Return a row under `HEADINGS`."""

    def number(value: float | None, factor: float, digits: int) -> str:
        return "–" if value is None else f"{value * factor:,.{digits}f}"

    return (
        row.place,
        row.engine,
        number(row.build, 1, 1),
        number(row.size or None, 1e-6, 0),
        number(row.first_load, 1, 2),
        number(row.load, 1, 3),
        number(row.distance, 1e6, 1),
        number(row.query, 1e6, 0),
        number(row.path, 1e6, 0),
        f"{row.expanded:,.0f}",
    )


def table(rows: Sequence[Row]) -> Table:
    """Return the rows for the terminal."""
    drawn = Table()
    for heading in HEADINGS:
        drawn.add_column(heading, justify="left" if heading in HEADINGS[:2] else "right")
    for row in rows:
        drawn.add_row(*cells(row))
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=SIDE, help="the rows of the map")
    parser.add_argument("--crossings", type=int, default=CROSSINGS, help="the streets in each direction")
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="the least of so many is taken")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write asked.json to")
    chosen = parser.parse_args(arguments)
    with TemporaryDirectory() as name, Console(stderr=True).status("") as status:
        folder, before = Path(name), os.environ.get("XDG_CACHE_HOME")
        measure_all(folder, *SMALL, 2, 1, status.update)  # loads the machine code
        os.environ["XDG_CACHE_HOME"] = name  # where no file has been checked yet
        try:
            rows = measure_all(
                folder, chosen.side, chosen.crossings, chosen.queries, chosen.rounds, status.update
            )
        finally:
            os.environ.pop("XDG_CACHE_HOME")
            os.environ.update({} if before is None else {"XDG_CACHE_HOME": before})
    Console(width=140).print(table(rows))
    keep("asked", document(rows), chosen.results)
    return 0
