"""Problems of other libraries: simpleai, aima-python, and the search projects of CS188, known by their method names.

None of these libraries is imported. A problem keeps its own methods, which are called as its library calls them.
"""

from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any

from searchkit.errors import InvalidProblemError, shortened
from searchkit.problem import Cost, Identifiable, SearchProblem

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
    shown = shortened(repr(problem), 80)
    if isinstance(problem, type):
        raise InvalidProblemError(f"{problem!r} is a class: make an instance, adapt({problem.__name__}(…))")
    for form in FORMS:
        if not form.missing(problem):
            return form(problem, heuristic)
    lacks = "; ".join(f"for {form.library} it lacks {' and '.join(form.missing(problem))}" for form in FORMS)
    raise InvalidProblemError(f"{shown} is not a problem of simpleai, aima-python or CS188: {lacks}")


class Adapted(SearchProblem[Any, Any]):
    """A problem of another library, and the heuristic that replaces its own, if there is one."""

    library: str
    start: str
    """The member of the problem that gives the start."""
    others: tuple[tuple[str, ...], ...]
    """The methods that it needs besides the start; of several names, one."""

    def __init__(self, problem: Any, heuristic: Callable[..., Cost] | None):
        self.problem, self._given = problem, heuristic
        # As attributes, the problem's own methods are called directly.
        members = {"is_goal": getattr(problem, "goal_test", None), **self._members(problem, heuristic)}
        vars(self).update((name, member) for name, member in members.items() if member is not None)

    def _members(self, problem: Any, heuristic: Any) -> dict[str, Any]:
        """Return the members for cost and heuristic, and others; None leaves the default of `SearchProblem`."""
        return {"cost": _own(problem, "cost"), "heuristic": heuristic or _own(problem, "heuristic")}

    @classmethod
    def missing(cls, problem: object) -> list[str]:
        """Return the members that a problem lacks, as a message names them."""
        members = {n for names in cls.others for n in names if callable(getattr(problem, n, None))}
        lacking = [" or ".join(names) for names in cls.others if members.isdisjoint(names)]
        return [cls.start] * (not hasattr(problem, cls.start)) + lacking

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle what it was made of: its members are bound to this very problem."""
        return type(self), (self.problem, self._given)

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
        start = getattr(self.problem, self.start)
        return [start() if self.start == "getStartState" else start]

    def successors(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Return an (action, successor) pair for each action."""
        result = self.problem.result
        return [(action, result(state, action)) for action in self.problem.actions(state)]

    def is_goal(self, state: Any) -> bool:
        """Return what the problem says."""
        return bool(self.problem.is_goal(state))


class AdaptedSimpleai(Adapted):
    """A problem of simpleai."""

    library, start = "simpleai", "initial_state"
    others = (("actions",), ("result",), ("is_goal",))


class AdaptedAima(Adapted):
    """A problem of aima-python, of either form."""

    library, start = "aima-python", "initial"
    others = (("actions",), ("result",), ("goal_test", "is_goal"))

    def _members(self, problem: Any, heuristic: Any) -> dict[str, Any]:
        h, path_cost = heuristic or _own(problem, "h"), _own(problem, "path_cost")
        return {
            "cost": partial(path_cost, 0) if path_cost else _own(problem, "action_cost"),
            "heuristic": h and (lambda state: h(SimpleNamespace(state=state))),
        }


class AdaptedCS188(Adapted):
    """A problem of CS188.

    Costs come with the successors. They are kept for each expanded state, so that asking for one counts no expansion.
    """

    library, start = "CS188", "getStartState"
    others = (("getSuccessors", "expand"), ("isGoalState",))

    def _members(self, problem: Any, heuristic: Any) -> dict[str, Any]:
        self._triples = getattr(problem, "getSuccessors", None) or problem.expand
        self._kept: dict[Any, list[tuple[Any, Any, Cost]]] = {}
        h = None if heuristic is None else lambda state: heuristic(state, problem)
        return {"is_goal": problem.isGoalState, "cost": _own(problem, "getActionCost"), "heuristic": h}

    def successors(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Return an (action, successor) pair for each triple."""
        triples = list(self._triples(state))
        edges = [(action, successor) for successor, action, _ in triples]
        self._kept[state] = triples
        return edges

    def cost(self, state: Any, action: Any, successor: Any) -> Cost:
        """Return the cost of the triple; the least one if there are several of this action and successor."""
        if state not in self._kept:
            self.successors(state)
        costs = [cost for other, by, cost in self._kept[state] if (by, other) == (action, successor)]
        if not costs:
            raise InvalidProblemError(f"{action!r} does not lead from {state!r} to {successor!r}")
        return min(costs)


FORMS: tuple[type[Adapted], ...] = (AdaptedSimpleai, AdaptedAima, AdaptedCS188)


def _own(problem: Any, name: str) -> Callable[..., Any] | None:
    """Return a method of a problem; None if there is none, or only that of the library's base class."""
    member: Callable[..., Any] | None = getattr(problem, name, None)
    kinds = [kind for kind in type(problem).__mro__ if name in vars(kind)]
    inherited = kinds and kinds[0] is not type(problem) and kinds[0].__name__ in BASE_CLASSES
    return member if callable(member) and not inherited else None
