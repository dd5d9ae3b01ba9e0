"""One search of the comparison of engines for robots, also by the code of another checkout.

As a program, it reads an instance from its input and writes what the engine did with it. Then it runs with the checkout
first in the path of modules. So it uses only what all checkouts have.
"""

import json
import sys
from time import process_time
from typing import Any

from searchkit import Limits, Search

TURN = 0.2
"""After so many seconds at most it is looked how much CPU time a search has taken."""


def attempt(problem: Any, engine: str, seconds: float, **options: Any) -> tuple[Any, float]:
    """Search for at most so many CPU seconds; return the result and the CPU seconds that it took."""
    begin = process_time()
    search: Search[Any, Any] = Search(problem, engine, **options)
    result = search.run(Limits(seconds=min(seconds, TURN)))
    while not search.ended and process_time() - begin < seconds:
        result = search.run(Limits(seconds=min(seconds, TURN)))
    return result, process_time() - begin


def main() -> int:
    """Read an instance as JSON, search, and write the result as JSON."""
    from searchkit_robots import robots

    instance = json.load(sys.stdin)
    pairs: list[Any] = [tuple(map(tuple, pair)) for pair in instance["pairs"]]
    problem = robots(instance["rows"], pairs)
    result, took = attempt(problem, instance["engine"], instance["seconds"])
    plan = [] if result.solution is None else [problem.positions(state) for state in result.solution.states]
    found = {
        "module": sys.modules["searchkit"].__file__,
        "expanded": result.statistics.expanded,
        "seconds": took,
        "cost": result.cost,
        "plan": plan,
    }
    json.dump(found, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
