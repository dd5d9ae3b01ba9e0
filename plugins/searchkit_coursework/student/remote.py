"""The problem in a student's process: it asks the grader's process about each state.

The map, its exact distances and the number of expansions are in the grader's process. This one has only the answers so
far.
"""

from collections.abc import Callable
from typing import Any

from searchkit_coursework.student.values import decode

Ask = Callable[..., Any]
"""`ask("expand", 3)`: one question to the grader, and its answer."""
OVER = "over"
"""The answer if a search has expanded too many states."""
MEMBERS = "initial_states, successors, is_goal, cost and heuristic"


class Overexpanded(BaseException):
    """More expansions than allowed. Not an `Exception`, so that the student's `except Exception` does not catch it."""


class RemoteProblem:
    """A search problem. `successors` asks the grader one question; the answer contains what the other methods return.

    Args:
        ask: asks the grader.
        opening: the first message of the grader about the map.

    """

    def __init__(self, ask: Ask, opening: dict[str, Any]):
        self._ask, self._most = ask, opening["most"]
        self._withheld = opening["withheld"]
        self._numbers: dict[Any, int] = {}
        self._known: dict[int, tuple[Any, bool, Any]] = {}
        self._costs: dict[tuple[int, int], list[tuple[Any, Any]]] = {}
        self._attributes: dict[str, Any] = {}
        self._starts = [self._take(info) for info in opening["starts"]]
        if opening["reversible"]:
            self.predecessors = self._predecessors
            goals = [self._take(info) for info in opening["goals"]]
            self.goal_states = lambda: list(goals)

    def initial_states(self) -> list[Any]:
        """Return the states to start from."""
        return list(self._starts)

    def successors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return the (action, successor) pairs of a state. This counts as expanding it."""
        number = self._number(state)
        found = []
        for action, cost, info in self._answer("expand", number):
            successor, action = self._take(info), decode(action)
            self._costs.setdefault((number, info[0]), []).append((action, decode(cost)))
            found.append((action, successor))
        return found

    def is_goal(self, state: Any) -> bool:
        """Whether the state is a goal."""
        number = self._find(state)
        return number is not None and self._known[number][1]

    def cost(self, state: Any, action: Any, successor: Any) -> Any:
        """Return the cost of an action, a number ≥ 0."""
        pair = self._number(state), self._number(successor)
        if pair not in self._costs:
            self.successors(state)
        costs = self._costs.get(pair)
        if not costs:
            raise ValueError(f"no action leads from {state!r} to {successor!r}")
        if len(costs) > 1:
            for known, cost in costs:
                if known == action:
                    return cost
        return min(cost for _, cost in costs)

    def heuristic(self, state: Any) -> Any:
        """Return a heuristic value: an estimate of the cost of a path to a goal."""
        if self._withheld:
            raise AttributeError("problem.heuristic is not given here: a heuristic is what is asked for")
        return self._known[self._number(state)][2]

    def _predecessors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return the (action, predecessor) pairs of a state. This counts as expanding it."""
        return [
            (decode(action), self._take(info))
            for action, _, info in self._answer("before", self._number(state))
        ]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._attributes:
            answer = self._ask("get", name)
            if answer is None:
                raise AttributeError(f"the problem has no data {name!r} here; it has the methods {MEMBERS}")
            self._attributes[name] = decode(answer)
        return self._attributes[name]

    def __repr__(self) -> str:
        return f"<a problem with {MEMBERS}>"

    def _answer(self, *question: Any) -> Any:
        answer = self._ask(*question)
        if answer == OVER:
            raise Overexpanded(self._most)
        return answer

    def _take(self, info: Any) -> Any:
        """Store what the grader says about a state, and return the state, always as the same object."""
        number = info[0]
        known = self._known.get(number)
        if known is None:
            _, is_goal, estimate, state = info
            known = self._known[number] = decode(state), is_goal, decode(estimate)
            self._numbers[known[0]] = number
        return known[0]

    def _find(self, state: Any) -> int | None:
        number = self._numbers.get(state)
        if number is None:
            info = self._ask("find", name_of(state)[:2000])
            if info is None:
                return None
            self._take(info)
            number = self._numbers[state] = info[0]
        return number

    def _number(self, state: Any) -> int:
        number = self._find(state)
        if number is None:
            raise ValueError(f"{state!r:.200} is not a state of this map that can be reached")
        return number


def name_of(state: object) -> str:
    """Return a text that is the same for equal states in every process: the `repr`, with sorted sets."""
    if isinstance(state, tuple):
        return f"({', '.join(map(name_of, state))})"
    if isinstance(state, frozenset):
        return f"{{{', '.join(sorted(map(name_of, state)))}}}"
    return repr(state)
