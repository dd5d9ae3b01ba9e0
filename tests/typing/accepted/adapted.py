"""An adapted problem has the types of the problem, and its heuristic is called as its library calls it."""

from typing import Any, assert_type

from searchkit import Result, SearchProblem, adapt, compare, solve
from searchkit.plugin.libraries import Node
from searchkit.search.comparison import Comparison, Row


class Simpleai:
    """A problem as for simpleai."""

    def __init__(self) -> None:
        self.initial_state = 0

    def actions(self, state: int) -> list[str]:
        return ["+1"]

    def result(self, state: int, action: str) -> int:
        return state + 1

    def is_goal(self, state: int) -> bool:
        return state == 3


class Aima:
    """A problem as for aima-python."""

    initial = 0

    def actions(self, state: int) -> list[str]:
        return ["+1"]

    def result(self, state: int, action: str) -> int:
        return state + 1

    def goal_test(self, state: int) -> bool:
        return state == 3

    def h(self, node: Node[int]) -> int:
        return 3 - node.state


class CS188:
    """A problem as for CS188."""

    def getStartState(self) -> int:  # noqa: N802  # their names
        return 0

    def isGoalState(self, state: int) -> bool:  # noqa: N802
        return state == 3

    def getSuccessors(self, state: int) -> list[tuple[int, str, int]]:  # noqa: N802
        return [(state + 1, "+1", 1)]


def rest(state: int, problem: CS188) -> int:
    """Return how far the goal is."""
    return 3 - state


def rest_of(node: Node[int]) -> int:
    """Return the same."""
    return 3 - node.state


assert_type(adapt(Simpleai()), SearchProblem[int, str])
assert_type(adapt(Simpleai(), heuristic=lambda state: 3 - state), SearchProblem[int, str])
assert_type(adapt(Aima()), SearchProblem[int, str])
assert_type(adapt(Aima(), heuristic=rest_of), SearchProblem[int, str])
assert_type(adapt(CS188()), SearchProblem[int, str])
result = solve(adapt(CS188(), heuristic=rest), "astar")
assert_type(result, Result[int, str])
assert_type(result.actions, tuple[str, ...])
assert_type(result.states, tuple[int, ...])
assert_type(result.to_dict(), dict[str, Any])
table = compare(adapt(CS188()), ["bfs", ("astar", {"ties": "fifo"})], limits=None)
assert_type(table, Comparison)
assert_type(table["bfs"], Row)
