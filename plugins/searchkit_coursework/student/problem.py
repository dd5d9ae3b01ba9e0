"""The problem in a student's process: it asks the grader about each state.

The map, its exact distances and the number of expansions are in the grader's process. This one has only the answers so
far, and the grader answers only for states that it has told.
"""

from collections.abc import Callable, Mapping
from typing import Any

Ask = Callable[..., Any]
"""`ask("expand", 3)`: one question to the grader, and its answer."""
OVER = "over"
"""The answer if a search has expanded too many states."""
MEMBERS = "initial_states, successors, is_goal, cost and heuristic"
Told = tuple[int, bool, Any, Any]
"""What the grader says about a state: its number, whether it is a goal, its heuristic value, and the state."""


class Overexpanded(BaseException):
    """More expansions than allowed. Not an `Exception`, so that the student's `except Exception` does not catch it."""


class RemoteProblem:
    """A search problem. `successors` asks the grader one question; the answer contains what the other methods return.

    Args:
        ask: asks the grader.
        opening: the first message of the grader about the map.

    """

    def __init__(self, ask: Ask, opening: Mapping[str, Any]):
        self._ask, self._most, self._withheld = ask, opening["most"], opening["withheld"]
        self._told: dict[Any, Told] = {}
        self._edges: dict[int, list[tuple[Any, Any, Told]]] = {}
        self._starts = [take(self, told) for told in opening["starts"]]

    def initial_states(self) -> list[Any]:
        """Return the states to start from."""
        return list(self._starts)

    def successors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return the (action, successor) pairs of a state. This counts as expanding it."""
        number = number_in(self, state)
        answer = self._ask("expand", number)
        if answer == OVER:
            raise Overexpanded(self._most)
        self._edges[number] = answer
        return [(action, take(self, told)) for action, _, told in answer]

    def is_goal(self, state: Any) -> bool:
        """Whether the state is a goal."""
        return self._known(state)[1]

    def cost(self, state: Any, action: Any, successor: Any) -> Any:
        """Return the cost of an action, a number ≥ 0."""
        number, to = number_in(self, state), number_in(self, successor)
        if number not in self._edges:
            self.successors(state)
        costs = [(known, cost) for known, cost, told in self._edges[number] if told[0] == to]
        if not costs:
            raise ValueError(f"no action leads from {state!r} to {successor!r}")
        return min((cost for known, cost in costs if known == action), default=min(each for _, each in costs))

    def heuristic(self, state: Any) -> Any:
        """Return a heuristic value: an estimate of the cost of a path to a goal."""
        if self._withheld:
            raise AttributeError("problem.heuristic is not given here: a heuristic is what is asked for")
        return self._known(state)[2]

    def _known(self, state: Any) -> Told:
        try:
            told = self._told.get(state)
        except TypeError:  # a list: it can't be hashed
            told = None
        if told is None:
            raise ValueError(
                f"{state!r:.200} is not a state that the problem has returned so far; states come from "
                "initial_states and successors"
            )
        return told

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        answer = self._ask("get", name)
        if answer is None:
            raise AttributeError(f"the problem has no data {name!r} here; it has the methods {MEMBERS}")
        setattr(self, name, answer[0])
        return answer[0]

    def __repr__(self) -> str:
        return f"<a problem with {MEMBERS}>"


def take(problem: RemoteProblem, told: Told) -> Any:
    """Store what the grader says about a state, and return the state, always as the same object."""
    return problem._told.setdefault(told[3], told)[3]


def number_in(problem: RemoteProblem, state: Any) -> int:
    """Return the grader's number of a state. Raises ValueError for a state that the problem has not returned."""
    return problem._known(state)[0]
