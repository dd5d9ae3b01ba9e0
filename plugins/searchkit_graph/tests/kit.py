"""A map and a graph whose tables are written to files."""

from pathlib import Path
from typing import Any

from searchkit import load, solve

CAVE = "type octile\nheight 5\nwidth 9\nmap\n.....@...\n..@@.@.@.\n..@....@.\n..@@@@@@.\n.........\n"
CAVE_ENDS: dict[str, Any] = {"start": (0, 0), "goal": (6, 0)}
STREETS = "".join(f"{one} {(7 * one + step) % 40} {step}\n" for one in range(40) for step in (1, 2, 5))
STREETS_ENDS: dict[str, Any] = {"start": 0, "goal": 17}


def answer(path: Path, engine: str, options: dict[str, Any]) -> Any:
    """Return the path that an engine finds in a file."""
    return solve(load(path, **options), engine, backend="python").solution


def cost_of(problem: Any, solution: Any) -> Any:
    """Return the cost of a path, by the definition of the problem."""
    total = 0
    for state, action, successor in zip(solution.states, solution.actions, solution.states[1:], strict=False):
        assert (action, successor) in list(problem.successors(state))
        total += problem.cost(state, action, successor)
    return total
