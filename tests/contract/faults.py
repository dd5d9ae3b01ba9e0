"""A problem that raises at one call of its members, once: what a user corrects before the search is resumed."""

from collections.abc import Iterable, Iterator
from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import has_cost, has_heuristic
from tests.contract.cases import Problem

MEMBERS = (
    *("initial_states", "successors", "is_goal", "cost", "heuristic"),
    *("goal_states", "predecessors", "backward_heuristic", "region", "neighbours", "goal_regions"),
)
LISTS = ("initial_states", "successors", "predecessors")


class Injected(Exception):  # noqa: N818  # it is not an error of searchkit
    """The exception of a member."""


def faulty(problem: Problem, failing: int | None = None) -> Any:
    """Return the problem with a counter of the calls of its members; the call with the number `failing` raises.

    Each start, successor and predecessor that is read counts as a call, too. The class has the name of the
    problem's class.
    """
    made: Any = object.__new__(type(type(problem).__name__, (Faulty,), {}))
    made.calls, made.failing = 0, failing
    undefined = [name for name, has in (("cost", has_cost), ("heuristic", has_heuristic)) if not has(problem)]
    for name in dir(problem):
        if not name.startswith("_") and name not in undefined:
            try:
                member = getattr(problem, name)
            except Exception:  # a property that raises for this instance
                continue
            made.__dict__[name] = made._guarded(name, member) if name in MEMBERS else member
    return made


class Faulty:
    """See `faulty`."""

    cost, heuristic = SearchProblem.cost, SearchProblem.heuristic  # what a problem has that defines none
    calls: int
    failing: int | None

    def _spend(self) -> None:
        self.calls += 1
        if self.calls - 1 == self.failing:
            raise Injected("the disk is gone")

    def _guarded(self, name: str, member: Any) -> Any:
        def call(*arguments: Any) -> Any:
            self._spend()
            answer = member(*arguments)
            return self._each(answer) if name in LISTS else answer

        return call

    def _each(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self._spend()
            yield item
