"""searchkit through its public function `solve`."""

from typing import Any

from benchmarks.python.answer import Answer, Searches, searches
from benchmarks.python.problems import Instance
from searchkit import SearchProblem, problem_from, solve

LIBRARIES = ("searchkit",)
EASIER: dict[str, str] = {}
CANNOT = ""


def bfs(arrays: dict[str, Any]) -> Searches:
    """`bfs`."""
    return by(arrays, "bfs")


def dijkstra(arrays: dict[str, Any]) -> Searches:
    """`dijkstra`."""
    return by(arrays, "dijkstra")


def astar(arrays: dict[str, Any]) -> Searches:
    """`astar`."""
    return by(arrays, "astar")


def by(arrays: dict[str, Any], engine: str) -> Searches:
    """Return the searches by the engine, in Python, with its default options."""

    def make(instance: Instance) -> SearchProblem[Any, Any]:
        heuristic = instance.heuristic if engine == "astar" else None
        return problem_from(
            [instance.start],
            instance.successors,
            instance.goal_test(),
            cost=instance.cost,
            heuristic=heuristic,
        )

    def search(problem: SearchProblem[Any, Any]) -> Answer:
        result = solve(problem, engine, backend="python")
        if result.solution is None:
            return Answer(result.statistics.reached)
        return Answer(int(result.solution.cost), result.solution.states, result.solution.actions)

    return searches(arrays, search, make)
