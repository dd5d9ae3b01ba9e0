"""Comparison of the engines for robots that move at the same time.

Maps of 32×32 cells: random ones, a fifth of them walls, empty ones, rooms, or mazes with corridors two cells wide; with
robots at random in the largest connected region, the same on every machine. `--engines lacam --robots 100 200 400`
shows how fast many robots have a plan, `--engines cbs --seconds 60 --robots 10 20 30 40 50 60 --map random empty room`
how many instances are solved within a minute; with `--keep`, that is written to the results, a map at a time. Each
engine gets each instance for limited CPU seconds. After a number of robots for which an engine has solved no instance,
it gets no larger numbers.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from attrs import frozen

from benchmarks.kit import RESULTS, document, keep, kept
from benchmarks.pages import robots_lines
from searchkit import Limits, Search
from searchkit_robots import MultiAgentGrid, check_plan
from searchkit_robots.tests.instances import maze_instance, random_instance, room_instance

ENGINES = ("cbs", "odid", "lacam")
SIZE = 32
MAPS: dict[str, Callable[[int, int, int], MultiAgentGrid]] = {
    "random": lambda size, count, seed: random_instance(size, count, 0.2, seed),
    "empty": lambda size, count, seed: random_instance(size, count, 0.0, seed),
    "room": room_instance,
    "maze": maze_instance,
}
"""Kind of map → a function that returns an instance for the size of the map, the number of robots and the seed."""
COUNTS, SEEDS, SECONDS = (10, 20, 30, 40), (0, 1, 2), 4.0
SLICE = 0.2
"""Seconds by the clock after which the CPU time of a search is looked at."""


@frozen
class Row:
    """What one engine did with the instances of one number of robots on one kind of map."""

    map: str
    engine: str
    robots: int
    solved: int
    instances: int
    slowest: float
    """The CPU seconds of the longest search that found a plan."""
    cost: float = 0.0
    """The sum of the costs of the plans; 0 in results from before it was kept."""


def attempt(problem: MultiAgentGrid, engine: str, seconds: float) -> tuple[Any, float]:
    """Search for so many CPU seconds; return the result, whose plan is checked by the rules, and the time taken."""
    begin = process_time()
    search: Search[Any, Any] = Search(problem, engine)
    result = search.run(Limits(seconds=min(seconds, SLICE)))
    while not search.ended and process_time() - begin < seconds:
        result = search.run(Limits(seconds=min(seconds, SLICE)))
    taken = process_time() - begin
    if result.solution is not None:
        assert check_plan(problem, result.solution.states) == []
    return result, taken


def compare(
    counts: Iterable[int],
    seeds: Sequence[int],
    seconds: float,
    size: int = SIZE,
    engines: Sequence[str] = ENGINES,
    map: str = "random",
) -> list[Row]:
    """Return a row for each number of robots and engine, up to a number of which no engine has solved an instance."""
    for engine in engines:  # machine code that is not there yet is compiled now
        Search(random_instance(8, 10, 0.2, 3), engine).run()
    rows, left = list[Row](), list(engines)
    for count in counts:
        for engine in list(left):
            found = [attempt(MAPS[map](size, count, seed), engine, seconds) for seed in seeds]
            solved = [(result, taken) for result, taken in found if result.solution is not None]
            rows.append(
                Row(
                    *(map, engine, count, len(solved), len(found)),
                    slowest=round(max((taken for _, taken in solved), default=0), 2),
                    cost=float(sum(result.cost for result, _ in solved)),
                )
            )
            if not solved:
                left.remove(engine)
    return rows


def keep_solved(rows: Sequence[Row], seconds: float, folder: Path = RESULTS) -> None:
    """Write the rows to the results; those of other maps and engines are kept."""
    new = {(row.map, row.engine) for row in rows}
    old = [Row(**row) for row in kept("robots", folder)["rows"]]
    left = [row for row in old if (row.map, row.engine) not in new]
    keep("robots", document([*left, *rows], seconds=seconds), folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--robots", type=int, nargs="+", default=list(COUNTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the CPU seconds of each search")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--engines", choices=ENGINES, nargs="+", default=list(ENGINES))
    parser.add_argument("--map", choices=list(MAPS), nargs="+", default=["random"])
    parser.add_argument("--keep", action="store_true", help="write how many were solved to the results")
    chosen = parser.parse_args(arguments)
    for kind in chosen.map:
        rows = compare(chosen.robots, chosen.seeds, chosen.seconds, chosen.size, chosen.engines, kind)
        if chosen.keep:
            keep_solved(rows, chosen.seconds)
        print("\n".join(robots_lines(document(rows, seconds=chosen.seconds))))
    return 0
