"""A problem whose states hash differently: what depends on the order of a set or on a hash comes out differently."""

from collections.abc import Iterable
from typing import Any

from searchkit.problem import Reversible, SearchProblem, has_cost, has_heuristic


class Salted:
    """A state of another hash, equal to those that stand for an equal state, and in the same order."""

    __slots__ = ("_hash", "state")

    def __init__(self, state: Any, salt: int):
        self.state = state
        self._hash = hash((salt, state))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Salted) and bool(self.state == other.state)

    def __hash__(self) -> int:
        return self._hash

    def __lt__(self, other: "Salted") -> bool:
        return bool(self.state < other.state)

    def __repr__(self) -> str:
        return repr(self.state)


class SaltedProblem(SearchProblem[Salted, Any]):
    """The same problem over salted states. It has costs, a heuristic and goals to list if the problem has."""

    def __init__(self, problem: SearchProblem[Any, Any], salt: int):
        self.problem, self.salt = problem, salt
        if has_cost(problem):
            self.__dict__["cost"] = lambda state, action, to: problem.cost(state.state, action, to.state)
        if has_heuristic(problem):
            self.__dict__["heuristic"] = lambda state: problem.heuristic(state.state)
        if isinstance(problem, Reversible):
            self.__dict__["goal_states"] = lambda: self._states(problem.goal_states())
            self.__dict__["predecessors"] = lambda state: self._pairs(problem.predecessors(state.state))

    def initial_states(self) -> list[Salted]:
        """Return the starts, in the same order."""
        return self._states(self.problem.initial_states())

    def successors(self, state: Salted) -> list[tuple[Any, Salted]]:
        """Return the same pairs, in the same order."""
        return self._pairs(self.problem.successors(state.state))

    def is_goal(self, state: Salted) -> bool:
        """Whether the state is a goal."""
        return self.problem.is_goal(state.state)

    def _states(self, states: Iterable[Any]) -> list[Salted]:
        return [Salted(state, self.salt) for state in states]

    def _pairs(self, pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Salted]]:
        return [(action, Salted(state, self.salt)) for action, state in pairs]
