"""Problems that wrap another problem: one counts calls, the other has states that hash differently."""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from searchkit.problem import BackwardHeuristic, Reversible, SearchProblem, has_cost, has_heuristic

GOAL_TESTS = 20
"""The number of goal tests per expansion that is not a sign of an endless loop: more than one per successor."""


class BudgetExceededError(BaseException):
    """More calls than any search of this space requires. Not an `Exception`, so that the code does not catch it."""


class Counted:
    """A problem that counts the calls of another problem: the same members, with the same answers.

    `expanded` lists the states whose successors (or predecessors) were asked for, in order; `generated` counts the
    pairs that were consumed, or all pairs of a list. With a budget, more such calls, or `GOAL_TESTS` times as many
    goal tests, raise `BudgetExceededError`.

    Its class has the name of the problem's class, for error messages. If `lists` is false, every answer is an iterator,
    as the protocol allows, and pairs are counted when they are consumed.
    """

    def __new__(cls, problem: SearchProblem[Any, Any], *_: object, **__: object) -> "Counted":
        """Make an instance of a class with the name of the problem's class."""
        return object.__new__(type(type(problem).__name__, (Counted,), {}))

    def __init__(self, problem: SearchProblem[Any, Any], budget: int | None = None, *, lists: bool = True):
        members = {}
        for name in dir(problem):
            if not name.startswith("_"):
                try:
                    members[name] = getattr(problem, name)
                except Exception:  # a property that raises for this instance
                    continue
        self.__dict__.update(members)
        self._problem, self._lists = problem, lists
        self._left = inf if budget is None else budget * GOAL_TESTS
        self._asked = 0
        self.expanded: list[Any] = []
        self.generated = 0
        for name in ("successors", "predecessors"):
            if name in members:
                setattr(self, name, self._counting(members[name]))
        is_goal = members["is_goal"]

        def counted_goal_test(state: Any) -> Any:
            self._spend(1)
            return is_goal(state)

        self.is_goal = counted_goal_test

    def _counting(self, member: Any) -> Any:
        def neighbours(state: Any) -> Any:
            self._spend(GOAL_TESTS)
            self.expanded.append(state)
            pairs = member(state)
            if self._lists and isinstance(pairs, list | tuple):
                self.generated += len(pairs)
                return pairs
            return self._taken(pairs)

        return neighbours

    def _taken(self, pairs: Any) -> Iterator[Any]:
        for pair in pairs:
            self.generated += 1
            yield pair

    def _spend(self, number: int) -> None:
        self._left -= number
        self._asked += number
        if self._left < 0:
            raise BudgetExceededError

    @property
    def questions(self) -> tuple[int, int]:
        """A value that changes with every call and every successor that is consumed."""
        return self._asked, self.generated

    def __repr__(self) -> str:
        return repr(self._problem)


class Salted:
    """A state with another hash. It is equal to wrappers of equal states, and ordered in the same way."""

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
    """The same problem over salted states. It has costs, a heuristic and predecessors if the problem has them."""

    def __init__(self, problem: SearchProblem[Any, Any], salt: int):
        self.problem, self.salt = problem, salt
        if has_cost(problem):
            self.__dict__["cost"] = lambda state, action, to: problem.cost(state.state, action, to.state)
        if has_heuristic(problem):
            self.__dict__["heuristic"] = lambda state: problem.heuristic(state.state)
        if isinstance(problem, Reversible):
            self.__dict__["goal_states"] = lambda: self._states(problem.goal_states())
            self.__dict__["predecessors"] = lambda state: self._pairs(problem.predecessors(state.state))
        if isinstance(problem, BackwardHeuristic):
            self.__dict__["backward_heuristic"] = lambda state: problem.backward_heuristic(state.state)

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
