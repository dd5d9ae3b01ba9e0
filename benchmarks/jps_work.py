"""Jump point search against A* in C++: rows for the table of `benchmarks.limit`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from searchkit import solve
from searchkit_dungeon import Cell, Terrain, make_grid

Query: TypeAlias = tuple[Terrain, Cell, Cell]
"""A map, a start and a goal."""
Row: TypeAlias = tuple[str, Callable[[], float], Callable[[], float]]
"""What is done, by the reference and by us: the fields of `benchmarks.limit.Work`."""


def rows(reference: Callable[[], float], queries: Sequence[Query]) -> Iterator[Row]:
    """Yield a row for each jump point search: the queries with 8 moves and no corner cutting, each path whole.

    `reference` answers the same queries by A* and returns how many steps all paths have. The tables of `jps+` are made
    at the first call, which is not to be timed.
    """
    for engine, what in (("jps", "jump point search"), ("jps+", "jump point search, preprocessed")):

        def ours(engine: str = engine) -> float:
            return float(sum(steps(query, engine) for query in queries))

        yield f"{what}, {len(queries)} queries, 8 moves (C++: A*)", reference, ours


def steps(query: Query, engine: str) -> int:
    """Return how many steps the path has that an engine finds; 0 where there is none."""
    terrain, start, goal = query
    problem: Any = make_grid(terrain, [start], [goal], 8)
    solution = solve(problem, engine, backend="compiled").solution
    return 0 if solution is None else len(solution.actions)
