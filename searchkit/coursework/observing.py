"""What a student's function does on a problem, as data: the path it returns, the states it expands, its estimates."""

import inspect
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import isfinite
from typing import Any, cast

from searchkit.loading import load
from searchkit.problem import Cost, SearchProblem

LONGEST = 100_000
"""States of a path that are reported at most."""


class Overexpanded(BaseException):
    """More expansions than were allowed. No `Exception`: the student's `except Exception` must not catch it."""


class Observed(SearchProblem[Any, Any]):
    """A problem that notes each state whose successors are asked for. Everything else is the problem's own.

    Args:
        problem: the problem.
        most: the expansions after which `Overexpanded` is raised.
        estimates: name of a state → the heuristic to show instead of the problem's own.

    """

    def __init__(self, problem: SearchProblem[Any, Any], most: int, estimates: Mapping[str, Cost]):
        self._problem, self._most, self._estimates = problem, most, estimates
        self._ask = problem.successors
        self.expanded: list[Any] = []

    def initial_states(self) -> Iterable[Any]:
        """Return the problem's starts."""
        return self._problem.initial_states()

    def successors(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Note the expansion, and return the problem's successors."""
        if len(self.expanded) >= self._most:
            raise Overexpanded(self._most)
        self.expanded.append(state)
        return self._ask(state)

    def is_goal(self, state: Any) -> bool:
        """Whether the state is a goal of the problem."""
        return self._problem.is_goal(state)

    def cost(self, state: Any, action: Any, successor: Any) -> Cost:
        """Return the problem's cost; 1 where it has none."""
        return self._problem.cost(state, action, successor) if hasattr(self._problem, "cost") else 1

    def heuristic(self, state: Any) -> Cost:
        """Return the estimate that was given for this state, or the problem's own; 0 where it has none."""
        if self._estimates:
            return self._estimates[name_of(state)]
        return self._problem.heuristic(state) if hasattr(self._problem, "heuristic") else 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._problem, name)


def name_of(state: object) -> str:
    """Return a text that is the same for equal states in every process: its `repr`, sets in order."""
    if isinstance(state, tuple):
        return f"({', '.join(map(name_of, state))})"
    if isinstance(state, frozenset):
        return f"{{{', '.join(sorted(map(name_of, state)))}}}"
    return repr(state)


def load_case(case: Mapping[str, Any]) -> SearchProblem[Any, Any]:
    """Return the problem of one case of a job."""
    return load(case["source"], case["problem"], **case["options"])


def is_engine(function: Callable[..., Any]) -> bool:
    """Whether a function is an engine of searchkit's form, `run(problem, tree)`; otherwise it is `find(problem)`."""
    return inspect.isgeneratorfunction(function)


def observe_search(
    function: Callable[..., Any], problem: SearchProblem[Any, Any], case: Mapping[str, Any]
) -> dict[str, Any]:
    """Run a student's search, and return the path as names of states, or what came instead, and the expansions."""
    estimates = {name: number(value) for name, value in case.get("estimates", {}).items()}
    seen = Observed(problem, case["most"], estimates)
    if is_engine(function):
        from searchkit.search import Search
        from searchkit.specs import EngineSpec

        result = Search(seen, EngineSpec("student", function)).run()
        found: Any = None if result.solution is None else list(result.solution.states)
    else:
        found = function(seen)
    answer: dict[str, Any] = {"expanded": [name_of(state) for state in seen.expanded]}
    if found is None:
        return answer | {"path": None}
    if isinstance(found, list | tuple):
        return answer | {"path": [name_of(state)[:200] for state in found[:LONGEST]]}
    return answer | {"odd": f"{type(found).__name__} {found!r:.100}"}


def observe_estimates(
    function: Callable[..., Any], problem: SearchProblem[Any, Any], case: Mapping[str, Any]
) -> dict[str, Any]:
    """Ask a student's heuristic for every state that can be reached, and return name of the state → estimate."""
    starts = list(dict.fromkeys(problem.initial_states()))
    met, waiting = set(starts), deque(starts)
    values: dict[str, Any] = {}
    while waiting:
        state = waiting.popleft()
        value = function(state, problem)
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
            return {"odd": f"{value!r:.60}", "state": name_of(state)}
        values[name_of(state)] = written(value)
        for _, successor in problem.successors(state):
            if successor not in met:
                met.add(successor)
                waiting.append(successor)
    return {"values": values}


def written(value: Cost) -> Any:
    """Return a number as JSON can hold it: a fraction, infinity and NaN as text."""
    return str(value) if isinstance(value, Fraction) or not isfinite(value) else value


def number(value: Any) -> Cost:
    """Return the number that `written` wrote."""
    if isinstance(value, str):
        return Fraction(value) if "/" in value or value.lstrip("-").isdigit() else float(value)
    return cast(Cost, value)
