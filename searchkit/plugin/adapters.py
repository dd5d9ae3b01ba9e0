"""Problems of other libraries: simpleai, aima-python, and the search projects of CS188, known by their method names.

None of these libraries is imported. A problem keeps its own methods, which are called as its library calls them.
"""

from collections.abc import Callable, Iterable
from inspect import signature
from math import isclose
from typing import Any, NoReturn, overload

from attrs import frozen

from searchkit.basics.checks import NO_STATE
from searchkit.basics.instances import attributes
from searchkit.errors import InvalidProblemError, shortened
from searchkit.plugin.libraries import (
    Aima4Problem,
    AimaProblem,
    CS188ExpandProblem,
    CS188Problem,
    Node,
    SimpleaiProblem,
    StateNode,
    no_heuristic,
    own_member,
    unit_cost,
    unit_path_cost,
)
from searchkit.problem import REQUIRED, Action, Cost, Identifiable, SearchProblem, State

WIDEST = 80
"""Characters of a state that a message shows."""


@overload
def adapt(
    problem: SimpleaiProblem[State, Action], *, heuristic: Callable[[State], Cost] | None = None
) -> SearchProblem[State, Action]: ...


@overload
def adapt(
    problem: AimaProblem[State, Action], *, heuristic: Callable[[Node[State]], Cost] | None = None
) -> SearchProblem[State, Action]: ...


@overload
def adapt(
    problem: Aima4Problem[State, Action], *, heuristic: Callable[[Node[State]], Cost] | None = None
) -> SearchProblem[State, Action]: ...


@overload
def adapt(
    problem: CS188Problem[State, Action], *, heuristic: Callable[[State, Any], Cost] | None = None
) -> SearchProblem[State, Action]: ...


@overload
def adapt(
    problem: CS188ExpandProblem[State, Action], *, heuristic: Callable[[State, Any], Cost] | None = None
) -> SearchProblem[State, Action]: ...


def adapt(problem: Any, *, heuristic: Callable[..., Cost] | None = None) -> SearchProblem[Any, Any]:
    """Return a problem of simpleai, aima-python or CS188 as a problem that every engine solves.

    The library is recognised by the names of the members, and is not needed:

    - simpleai: `initial_state`, `actions`, `result` and `is_goal`; `cost` and `heuristic` are optional.
    - aima-python: `initial`, `actions`, `result`, and `goal_test` or `is_goal`; `path_cost` or `action_cost`, and `h`
      are optional.
    - CS188: `getStartState`, `isGoalState`, and `getSuccessors` or `expand`.

    A `cost` or `heuristic` that the library's base class defines, 1 and 0 for every state, counts as not defined: then
    every action costs 1, and engines that need a heuristic raise `MissingCapabilityError`. The problem itself is
    called,
    so what it counts, such as `_expanded` of CS188, goes on counting.

    Args:
        problem: the problem, an instance.
        heuristic: the heuristic, in place of the problem's own, as its library takes it: h(state) for simpleai, h(node)
            for aima-python, where `node.state` is the state, and h(state, problem) for CS188.

    Raises:
        InvalidProblemError: the problem is of none of these libraries, or of several; its start is not hashable; or the
            heuristic can't be called in this way.

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
    if all(callable(getattr(problem, name, None)) for name in REQUIRED):
        raise InvalidProblemError(
            f"{_shown(problem)} is a problem of searchkit already (it has {', '.join(REQUIRED)}); use it as it is"
        )
    found = [form for form in FORMS if not form.missing(problem)]
    if len(found) > 1:
        raise InvalidProblemError(
            f"{_shown(problem)} may be of {' or of '.join(form.library for form in found)}: it has "
            f"{' and '.join(form.start for form in found)}; leave the start of one of them out"
        )
    if not found:
        _refuse(problem)
    [form] = found
    if heuristic is not None:
        _check_heuristic(heuristic, form)
    adapted = form.make(problem, heuristic)
    (start,) = adapted.initial_states()
    name = f"{type(problem).__name__}.{form.start}"
    if start is None:
        raise InvalidProblemError(f"{name} is None; {NO_STATE}")
    try:
        hash(start)
    except TypeError as error:
        raise InvalidProblemError(
            f"{name} is {shortened(repr(start), WIDEST)}, which is not hashable ({error}); states are looked up in "
            "dictionaries, so the problem has to use others, also inside of its states: tuples for lists, frozensets "
            "for sets"
        ) from error
    return adapted


class Adapted(SearchProblem[Any, Any]):
    """A problem of another library.

    Args:
        problem: the problem.
        heuristic: the heuristic that replaces the problem's own; None to leave it.

    """

    def __init__(self, problem: Any, heuristic: Callable[..., Cost] | None):
        self.problem, self._given = problem, heuristic

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
        public = sorted((name, value) for name, value in attributes(problem) if not name.startswith("_"))
        return type(problem), public, self._given

    def _use(self, **members: Callable[..., Any] | None) -> None:
        """Use these functions as members, so that a call costs no more than theirs; None leaves the default."""
        self.__dict__.update((name, member) for name, member in members.items() if member is not None)

    def successors(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Return an (action, successor) pair for each action."""
        result = self.problem.result
        return [(action, result(state, action)) for action in self.problem.actions(state)]

    def is_goal(self, state: Any) -> bool:
        """Never called: the method of the problem hides it."""
        raise NotImplementedError


class AdaptedSimpleai(Adapted):
    """A problem of simpleai."""

    def __init__(self, problem: Any, heuristic: Callable[..., Cost] | None):
        super().__init__(problem, heuristic)
        self._use(
            is_goal=problem.is_goal,
            cost=own_member(problem, "cost", unit_cost),
            heuristic=own_member(problem, "heuristic", no_heuristic) if heuristic is None else heuristic,
        )

    def initial_states(self) -> Iterable[Any]:
        """Return the start."""
        return [self.problem.initial_state]


class AdaptedAima(Adapted):
    """A problem of aima-python, of either form."""

    def __init__(self, problem: Any, heuristic: Callable[..., Cost] | None):
        super().__init__(problem, heuristic)
        h = own_member(problem, "h", no_heuristic) if heuristic is None else heuristic
        along = own_member(problem, "path_cost", unit_path_cost)
        self._use(
            is_goal=getattr(problem, "goal_test", None) or problem.is_goal,
            cost=own_member(problem, "action_cost", unit_cost) if along is None else _step_cost(along),
            heuristic=None if h is None else lambda state: h(StateNode(state)),
        )

    def initial_states(self) -> Iterable[Any]:
        """Return the start."""
        return [self.problem.initial]


class AdaptedCS188(Adapted):
    """A problem of CS188.

    Costs come with the successors. They are kept for each expanded state, so that asking for one counts no expansion.
    """

    def __init__(self, problem: Any, heuristic: Callable[..., Cost] | None):
        super().__init__(problem, heuristic)
        self._triples = getattr(problem, "getSuccessors", None) or problem.expand
        self._kept: dict[Any, list[tuple[Any, Any, Cost]] | None] = {}
        """Expanded state → its (successor, action, cost) triples; None if all of them cost 1."""
        self._use(
            is_goal=problem.isGoalState,
            cost=getattr(problem, "getActionCost", None),
            heuristic=None if heuristic is None else lambda state: heuristic(state, problem),
        )

    def initial_states(self) -> Iterable[Any]:
        """Return the start."""
        return [self.problem.getStartState()]

    def successors(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Return an (action, successor) pair for each triple."""
        triples = list(self._triples(state))
        try:
            edges = [(action, successor) for successor, action, _ in triples]
            unit = all(cost == 1 for _, _, cost in triples)
        except (TypeError, ValueError) as error:
            raise InvalidProblemError(
                f"{type(self.problem).__name__}.{self._triples.__name__}({shortened(repr(state), WIDEST)}) gave "
                f"{shortened(repr(triples), WIDEST)}; expected (successor, action, cost) triples"
            ) from error
        self._kept[state] = None if unit else triples
        return edges

    def cost(self, state: Any, action: Any, successor: Any) -> Cost:
        """Return the cost of the triple; the least one if there are several of this action and successor."""
        if state not in self._kept:
            self.successors(state)
        triples = self._kept[state]
        if triples is None:
            return 1
        costs = [cost for other, by, cost in triples if (by, other) == (action, successor)]
        if not costs:
            raise InvalidProblemError(f"{action!r} does not lead from {state!r} to {successor!r}")
        return min(costs)


@frozen
class Form:
    """The members by which the problems of a library are known."""

    library: str
    start: str
    """The member that gives the start."""
    others: tuple[tuple[str, ...], ...]
    """The methods that it needs besides; of several names, one."""
    arguments: tuple[str, ...]
    """What a heuristic that is given to `adapt` is called with."""
    make: Callable[[Any, Callable[..., Cost] | None], Adapted]

    def missing(self, problem: object) -> list[str]:
        """Return the members that a problem lacks, as a message names them."""
        start = [] if hasattr(problem, self.start) else [self.start]
        return start + [
            " or ".join(names)
            for names in self.others
            if not any(callable(getattr(problem, name, None)) for name in names)
        ]

    def found(self, problem: object) -> list[str]:
        """Return the members that a problem has."""
        return [name for name in (self.start, *sum(self.others, ())) if hasattr(problem, name)]


FORMS = (
    Form("simpleai", "initial_state", (("actions",), ("result",), ("is_goal",)), ("state",), AdaptedSimpleai),
    Form(
        "aima-python",
        "initial",
        (("actions",), ("result",), ("goal_test", "is_goal")),
        ("node",),
        AdaptedAima,
    ),
    Form(
        "CS188",
        "getStartState",
        (("getSuccessors", "expand"), ("isGoalState",)),
        ("state", "problem"),
        AdaptedCS188,
    ),
)


def _refuse(problem: object) -> NoReturn:
    found = list(dict.fromkeys(name for form in FORMS for name in form.found(problem)))
    has = f"it has {', '.join(found)}" if found else "it has none of their members"
    lacks = "; ".join(f"for {form.library} it lacks {' and '.join(form.missing(problem))}" for form in FORMS)
    raise InvalidProblemError(
        f"{_shown(problem)} is not a problem of simpleai, aima-python or CS188: {has}; {lacks}"
    )


def _check_heuristic(heuristic: Callable[..., Cost], form: Form) -> None:
    expected = f"for a problem of {form.library}, expected a function h({', '.join(form.arguments)})"
    if not callable(heuristic):
        raise InvalidProblemError(f"heuristic={heuristic!r}: {expected}")
    try:
        taken = signature(heuristic)
    except ValueError:  # some functions that are written in C do not say
        return
    try:
        taken.bind(*form.arguments)
    except TypeError as error:
        raise InvalidProblemError(f"heuristic={heuristic!r}: {error}; {expected}") from error


def _shown(problem: object) -> str:
    return shortened(repr(problem), WIDEST)


def _step_cost(path_cost: Callable[..., Cost]) -> Callable[[Any, Any, Any], Cost]:
    """Return the cost of one action, given the cost of a path that ends with it."""

    def cost(state: Any, action: Any, successor: Any) -> Cost:
        step = path_cost(0, state, action, successor)
        after_one = path_cost(1, state, action, successor)
        if after_one != step + 1 and not isclose(after_one, step + 1):
            raise InvalidProblemError(
                f"path_cost(c, {state!r}, {action!r}, {successor!r}) is {step} for c = 0 and {after_one} for c = 1; "
                "expected c + the cost of the action: what an action costs may not depend on the path before it"
            )
        return step

    return cost
