"""Problems of other libraries: simpleai, aima-python, and the search projects of CS188, known by their method names.

None of these libraries is imported. A problem keeps its own methods, which are called as its library calls them.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

from searchkit.errors import InvalidProblemError, shortened
from searchkit.problem import Cost, Identifiable, SearchProblem

LIBRARIES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "simpleai": (("initial_state",), ("actions",), ("result",), ("is_goal",)),
    "aima-python": (("initial",), ("actions",), ("result",), ("goal_test", "is_goal")),
    "CS188": (("getStartState",), ("getSuccessors", "expand"), ("isGoalState",)),
}
"""Library → the members that its problems have; of several names, one."""
BASE_CLASSES = ("Problem", "SearchProblem")
"""The names of the libraries' base classes: a cost or heuristic that one of them defines is 1 or 0 for every state."""


def adapt(problem: Any, *, heuristic: Callable[..., Cost] | None = None) -> SearchProblem[Any, Any]:
    """Return a problem of simpleai, aima-python or CS188 as a problem that every engine solves.

    The library is recognised by the names of the members, and is not needed:

    - simpleai: `initial_state`, `actions`, `result` and `is_goal`; `cost` and `heuristic` are optional.
    - aima-python: `initial`, `actions`, `result`, and `goal_test` or `is_goal`; `path_cost` or `action_cost`, and `h`
      are optional.
    - CS188: `getStartState`, `isGoalState`, and `getSuccessors` or `expand`.

    If a problem has the members of two libraries, the first of these is meant. A cost or heuristic that the library's
    base class (`Problem`, `SearchProblem`) defines counts as not defined. The problem itself is called, so what it
    counts, such as `_expanded` of CS188, continues to count.

    Args:
        problem: the problem, an instance.
        heuristic: the heuristic, in place of the problem's own, as its library takes it: h(state) for simpleai, h(node)
            for aima-python, where `node.state` is the state, and h(state, problem) for CS188.

    Raises:
        InvalidProblemError: the problem is of none of these libraries.

    Example:
        >>> from searchkit import adapt, solve
        >>> class Count:  # as for simpleai
        ...     initial_state = 1
        ...     def actions(self, state):
        ...         return ["+1", "*2"]
        ...     def result(self, state, action):
        ...         return state + 1 if action == "+1" else state * 2
        ...     def is_goal(self, state):
        ...         return state == 10
        >>> solve(adapt(Count())).actions
        ('+1', '*2', '+1', '*2')

    """
    if isinstance(problem, type):
        raise InvalidProblemError(f"{problem!r} is a class: make an instance, adapt({problem.__name__}(…))")
    lacks = []
    for library, members in LIBRARIES.items():
        missing = [names for names in members if all(getattr(problem, n, None) is None for n in names)]
        if not missing:
            return Adapted(problem, heuristic, library)
        lacks.append(f"for {library} it lacks {' and '.join(map(' or '.join, missing))}")
    raise InvalidProblemError(
        f"{shortened(repr(problem), 80)} is not a problem of simpleai, aima-python or CS188: {'; '.join(lacks)}"
    )


class Adapted(SearchProblem[Any, Any]):
    """A problem of another library, and the heuristic that replaces its own, if there is one."""

    def __init__(self, problem: Any, heuristic: Callable[..., Cost] | None, library: str):
        self.problem, self._given, self.library = problem, heuristic, library
        members = ((getattr(problem, name, None) for name in names) for names in LIBRARIES[library])
        own: list[Any] = [next(filter(callable, found), None) for found in members]
        self._actions, self._is_goal = own[1], own[-1]
        cost, guide = _own(problem, "cost"), heuristic or _own(problem, "heuristic")
        if library == "aima-python":
            h, path_cost = heuristic or _own(problem, "h"), _own(problem, "path_cost")
            cost = partial(path_cost, 0) if path_cost else _own(problem, "action_cost")
            guide = h and (lambda state: h(SimpleNamespace(state=state)))
        elif library == "CS188":
            self._costs: dict[tuple[Any, Any, Any], Cost] = {}
            cost = _own(problem, "getActionCost") or self._cost_of_triple
            guide = heuristic and (lambda state: heuristic(state, problem))
        if cost:
            self.cost = cost  # type: ignore[method-assign]  # so that it is called directly
        if guide:
            self.heuristic = guide  # type: ignore[method-assign]

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle what it was made of: its members are bound to this very problem."""
        return type(self), (self.problem, self._given, self.library)

    def __repr__(self) -> str:
        return f"adapt({self.problem!r})"

    def file_identity(self) -> object:
        """Return what the problem consists of, without what it counts and keeps in private attributes."""
        problem = self.problem
        if isinstance(problem, Identifiable):
            return problem.file_identity(), self._given
        public = sorted((name, value) for name, value in vars(problem).items() if not name.startswith("_"))
        return type(problem), public, self._given

    def initial_states(self) -> Iterable[Any]:
        """Return the start."""
        start = getattr(self.problem, LIBRARIES[self.library][0][0])
        return [start() if self.library == "CS188" else start]

    def successors(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Return an (action, successor) pair for each action."""
        if self.library == "CS188":
            triples = list(self._actions(state))
            for successor, action, cost in triples:
                edge = state, action, successor
                self._costs[edge] = min(cost, self._costs[edge]) if edge in self._costs else cost
            return [(action, successor) for successor, action, _ in triples]
        return [(action, self.problem.result(state, action)) for action in self._actions(state)]

    def is_goal(self, state: Any) -> bool:
        """Return what the problem says."""
        return bool(self._is_goal(state))

    def _cost_of_triple(self, state: Any, action: Any, successor: Any) -> Cost:
        """Return the cost of the triple. It is kept, so that asking for it counts no expansion."""
        if (state, action, successor) not in self._costs:
            self.successors(state)
        return self._costs[state, action, successor]


def _own(problem: Any, name: str) -> Callable[..., Any] | None:
    """Return a method of a problem; None if there is none, or only that of the library's base class."""
    member: Callable[..., Any] | None = getattr(problem, name, None)
    kinds = [kind for kind in type(problem).__mro__ if name in vars(kind)]
    inherited = kinds and kinds[0] is not type(problem) and kinds[0].__name__ in BASE_CLASSES
    return member if callable(member) and not inherited else None
