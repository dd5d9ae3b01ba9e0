"""An adapted problem can be solved and compared; what its states and actions are is not known to type checkers."""

from typing import Any, assert_type

from searchkit import Result, SearchProblem, adapt, compare, solve
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


adapted = adapt(Simpleai())
assert_type(adapted, SearchProblem[Any, Any])
result = solve(adapted, "bfs")
assert_type(result, Result[Any, Any])
assert_type(result.to_dict(), dict[str, Any])
table = compare(adapted, ["bfs", ("dijkstra", {"ties": "fifo"})], limits=None)
assert_type(table, Comparison)
assert_type(table["bfs"], Row)
