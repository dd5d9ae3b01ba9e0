"""Functions that the engines share: the initial lower bound, and entering a plan into the tree, also in pieces."""

from collections.abc import Generator, Iterable, Sequence
from math import inf
from typing import Any, TypeVar

from searchkit import Cost
from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent

Result = TypeVar("Result")
MOST_ENTERED = 1 << 10
"""The steps of robots in a piece of work that is done in Python, at most: some milliseconds."""


def distance_bound(problem: MultiAgent) -> Cost:
    """Return the cost if robots could not conflict; infinity if a robot can't reach its goal."""
    distances = [problem.distances_to(goal).get(start, inf) for start, goal in problem.endpoints()]
    return combined(problem, distances)


def combined(problem: MultiAgent, costs: Sequence[Cost]) -> Cost:
    """Return the joint cost of robots, or of groups of robots, by the objective of the problem."""
    return max(costs) if problem.objective == "makespan" else sum(costs)


def set_incumbent(problem: Any, tree: SearchTree[Any, Any], paths: Sequence[Sequence[Location]]) -> None:
    """Enter the plan in which each robot follows its path into the tree as the incumbent."""
    whole(enter_plan(problem, tree, paths))


def enter_plan(
    problem: Any, tree: SearchTree[Any, Any], paths: Sequence[Sequence[Location]], only_better: bool = False
) -> Generator[None, None, Cost]:
    """Do the same in pieces: the tree changes at the end of the last one. Returns the cost.

    With `only_better`, the tree does not change if its incumbent costs no more.
    """
    arrivals: dict[Any, tuple[Cost, Any, Any]] = {}
    cost: Cost = 0
    before, work = None, 0
    for action, state in _steps(problem, paths):
        if before is None:
            arrivals[state] = 0, None, None
        else:
            cost += problem.cost(before, action, state)
            arrivals[state] = cost, before, action
        before, work = state, work + len(paths)
        if work >= MOST_ENTERED:
            yield
            work = 0
    if not only_better or tree.incumbent is None or cost < tree.incumbent:
        tree.reached.clear()
        tree.reached.update(arrivals)
        tree.incumbent, tree.goal = cost, before
    return cost


def _steps(problem: Any, paths: Sequence[Sequence[Location]]) -> Iterable[tuple[Any, Any]]:
    if hasattr(problem, "joint_steps"):
        steps: Iterable[tuple[Any, Any]] = problem.joint_steps(paths)
        return steps
    states, actions = problem.joint_path(paths)
    return zip([None, *actions], states, strict=True)


def whole(pieces: Generator[None, None, Result]) -> Result:
    """Do all pieces of some work; return its result."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: Result = end.value
            return result


def finish(problem: Any, tree: SearchTree[Any, Any], paths: Sequence[Sequence[Location]]) -> None:
    """Enter the plan in which each robot follows its path into the tree as the solution."""
    set_incumbent(problem, tree, paths)
    tree.finish(tree.goal)
