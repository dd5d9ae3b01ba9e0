"""What a search problem is: the one file that the author of a problem needs to read.

A problem is any object with the first three members of `SearchProblem`; the other two are optional. Inheriting from
it is optional too: it has the defaults of `cost` and `heuristic`, and makes a missing member an error at
construction. What a problem can do beyond this is said by capabilities: the protocols from `Reversible` on.
`problem_from` makes a problem of plain functions.

    class Countdown(SearchProblem[int, str]):
        def initial_states(self):
            return [10]
        def successors(self, state):
            return [("minus one", state - 1), ("halve", state // 2)]
        def is_goal(self, state):
            return state == 0

States are hashable and immutable; equal states have equal hashes. All five members are pure: called again with the same
arguments, they return the same values in the same order. Two more are for people: `label(state)`, a short text, and
`draw(state)`, the rows of a picture. Pictures, tables, recordings and the player show them.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from searchkit.basics.notebooks import mimebundle
from searchkit.errors import InvalidProblemError, shortened

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action")
State_contra = TypeVar("State_contra", bound=Hashable, contravariant=True)
Action_co = TypeVar("Action_co", covariant=True)
Cost: TypeAlias = int | float | Fraction
"""A non-negative number. Integers and fractions are exact; floats round, and so do sums of them."""


class SupportsSearch(Protocol[State, Action_co]):
    """The three members that every problem has: the type that `solve` and the other functions take."""

    @abstractmethod
    def initial_states(self) -> Iterable[State]:
        """Return the start states: one, or several (the search then starts from all of them at once)."""
        raise NotImplementedError

    @abstractmethod
    def successors(self, state: State) -> Iterable[tuple[Action_co, State]]:
        """Return an (action, successor) pair for each action that is possible in `state`."""
        raise NotImplementedError

    @abstractmethod
    def is_goal(self, state: State) -> bool:
        """Whether the search may end in `state`."""
        raise NotImplementedError


class SearchProblem(SupportsSearch[State, Action], Protocol[State, Action]):
    """States, the actions between them, what they cost, and which states are goals (Russell & Norvig, ch. 3)."""

    def cost(self, state: State, action: Action, successor: State) -> Cost:
        """Return the cost of one action, a number ≥ 0. By default every action costs 1."""
        return 1

    def heuristic(self, state: State) -> Cost:
        """Return an estimate of the least cost from `state` to a goal: a number ≥ 0, and 0 at a goal.

        Best-first engines find a path of least cost if the heuristic never overestimates (it is *admissible*).
        By default there is no heuristic, and engines that need one raise `MissingCapabilityError`.
        """
        return 0

    if not TYPE_CHECKING:  # nothing that other problems need
        _repr_mimebundle_ = mimebundle


@runtime_checkable
class Reversible(Protocol[State, Action_co]):
    """A problem whose goals can be listed and whose actions can be followed backwards."""

    def goal_states(self) -> Iterable[State]:
        """Return every goal state."""
        ...

    def predecessors(self, state: State) -> Iterable[tuple[Action_co, State]]:
        """Return an (action, predecessor) pair for each action that leads *into* `state`.

        (action, p) is a predecessor of s if and only if (action, s) is a successor of p.
        """
        ...


@runtime_checkable
class BackwardHeuristic(Protocol[State_contra]):
    """A `Reversible` problem that guides the half of a bidirectional search that grows from the goals."""

    def backward_heuristic(self, state: State_contra) -> Cost:
        """Return an estimate of the least cost from a start to `state`: ≥ 0, 0 at a start, inf if none leads there."""
        ...


@runtime_checkable
class Aimable(Protocol[State, Action]):
    """A problem that can be posed with other starts and goals: `solve_many` answers many queries over one map."""

    def aimed(self, starts: Iterable[State], goals: Iterable[State]) -> SearchProblem[State, Action]:
        """Return this problem with other starts and goals; both share large data such as the map."""
        ...


@runtime_checkable
class Compilable(Protocol):
    """A problem with a compiled view of its own. For others, it is made from their Python, where that is possible."""

    def compiled(self) -> Any:
        """Return the compiled view (`searchkit.compiled.view`): the same problem over packed states."""
        ...


@runtime_checkable
class Relaxable(Protocol[State_contra]):
    """A problem that can be searched inside a mask of regions that widens."""

    def region(self, state: State_contra) -> Hashable:
        """Return the region that `state` lies in."""
        ...

    def neighbours(self, region: Hashable) -> Iterable[Hashable]:
        """Return the regions that some state of `region` has a successor in."""
        ...

    def goal_regions(self) -> Iterable[Hashable]:
        """Return the regions that contain goals; it may return others too."""
        ...


@runtime_checkable
class Reportable(Protocol[State_contra]):
    """A problem that describes a path in its own terms, for reports."""

    def path_details(self, states: Sequence[State_contra]) -> Mapping[str, object]:
        """Return what a report should say about a path: name → a text, a number, or a tuple of lines."""
        ...


@runtime_checkable
class Identifiable(Protocol):
    """A problem that says what tells it apart from others of its class, in files that belong to it.

    Only a problem needs this that no plugin writes as text, and whose attributes change during a search (a cache), or
    can't be compared between processes (an open file, an object of a library).
    """

    def file_identity(self) -> object:
        """Return numbers, texts, tuples and other plain values: equal for equal problems, in every process."""
        ...


def problem_from(
    initial: Iterable[State],
    successors: Callable[[State], Iterable[tuple[Action, State]]],
    is_goal: Callable[[State], bool],
    cost: Callable[[State, Action, State], Cost] | None = None,
    heuristic: Callable[[State], Cost] | None = None,
    *,
    predecessors: Callable[[State], Iterable[tuple[Action, State]]] | None = None,
    goals: Iterable[State] | None = None,
    label: Callable[[State], str] | None = None,
    draw: Callable[[State], str | Sequence[str]] | None = None,
) -> SearchProblem[State, Action]:
    """Return the problem that these functions describe.

    Args:
        initial: the start states, one or many.
        successors: state → (action, successor) pairs.
        is_goal: state → whether it is a goal.
        cost: (state, action, successor) → cost ≥ 0; None if every action costs 1.
        heuristic: state → estimated cost to a goal; None for no heuristic.
        predecessors: state → (action, predecessor) pairs. With `goals`, engines can search backwards, too.
        goals: every goal state.
        label: state → a short text for it, in pictures and tables.
        draw: state → the rows of its picture, or a text with these lines.

    Raises:
        InvalidProblemError: an argument is none of these, or only one of `predecessors` and `goals` is given.

    Example:
        >>> from searchkit import problem_from, solve
        >>> result = solve(problem_from([1], lambda n: [("+1", n + 1), ("*2", n * 2)], lambda n: n == 10))
        >>> result.actions
        ('+1', '*2', '+1', '*2')

    """
    given: dict[str, Any] = {"successors": successors, "is_goal": is_goal, "cost": cost}
    given |= {"heuristic": heuristic, "predecessors": predecessors, "label": label, "draw": draw}
    for name, function in given.items():
        if not callable(function) and (function is not None or name in REQUIRED):
            raise InvalidProblemError(f"{name} is {function!r}, expected a function")
    for name, states in (("initial", initial), ("goals", () if goals is None else goals)):
        if isinstance(states, str) or not isinstance(states, Iterable):
            raise InvalidProblemError(f"{name} is {states!r}, expected a collection of states: [{states!r}]")
    if (goals is None) is not (predecessors is None):
        raise InvalidProblemError("goals and predecessors are given together, or not at all")
    if goals is not None:
        listed = tuple(goals)
        given["goal_states"] = lambda: listed
    return cast(SearchProblem[State, Action], FunctionProblem(initial, **given))


class FunctionProblem:
    """A problem that holds its functions as attributes, so that a call costs no more than the function."""

    _repr_mimebundle_ = mimebundle
    successors: Callable[[Any], Iterable[tuple[Any, Any]]]
    is_goal: Callable[[Any], bool]

    def __init__(self, initial: Iterable[Any], **members: Callable[..., Any] | None):
        self.initial = tuple(initial)
        vars(self).update({name: member for name, member in members.items() if member is not None})

    def initial_states(self) -> Iterable[Any]:
        """Return the start states."""
        return self.initial

    def __repr__(self) -> str:
        return f"problem_from({list(self.initial)!r}, …)"


REQUIRED = ("initial_states", "successors", "is_goal")
COMMON = frozenset(dir(SearchProblem))
"""The names that the class of a problem has of its own accord, or may have."""


def has_cost(problem: SearchProblem[State, Action]) -> bool:
    """Whether the problem defines costs of its own; otherwise every action costs 1."""
    member = getattr(problem, "cost", None)
    return member is not None and getattr(member, "__func__", None) is not SearchProblem.cost


def has_heuristic(problem: SearchProblem[State, Action]) -> bool:
    """Whether the problem defines a heuristic of its own."""
    member = getattr(problem, "heuristic", None)
    return member is not None and getattr(member, "__func__", None) is not SearchProblem.heuristic


def check_members(problem: SupportsSearch[State, Action]) -> SearchProblem[State, Action]:
    """Return the problem, typed as one that may have `cost` and `heuristic`: see `has_cost` and `has_heuristic`.

    Raises `InvalidProblemError` if a member that every problem needs is missing or can't be called.
    """
    if isinstance(problem, type):
        hint = of_another_library(problem) or f"write {problem.__name__}(…)"
        raise InvalidProblemError(f"{problem!r} is a class, and a problem is an instance of one: {hint}")
    if missing := [name for name in REQUIRED if not callable(getattr(problem, name, None))]:
        plain = type(problem).__repr__ is object.__repr__
        given = f"an object of the class {type(problem).__name__}" if plain else shortened(repr(problem), 120)
        raise InvalidProblemError(f"{given} {what_is_missing(problem, missing)}")
    return cast(SearchProblem[State, Action], problem)


def missing_members(found: object) -> list[str]:
    """Return the methods of every problem that an object, or the instances of a class, lack."""
    abstract = getattr(found, "__abstractmethods__", ()) if isinstance(found, type) else ()
    return [name for name in REQUIRED if name in abstract or not callable(getattr(found, name, None))]


def what_is_missing(found: object, missing: Sequence[str], advice: str = "") -> str:
    """Return the rest of a message that begins with an object, or a class, that is not a problem."""
    hint = of_another_library(found) or misspelt(found if isinstance(found, type) else type(found), *missing)
    if isinstance(found, str | PathLike):
        hint = f"to read one from a file, write searchkit.load({found!r})"
    needs = advice or "a problem has initial_states(), successors(state) and is_goal(state)"
    return f"is not a search problem: it has no method {' and no method '.join(missing)}; {hint or needs}"


@lru_cache(64)
def misspelt(kind: type, *names: str) -> str:
    """Return a hint at the first of the missing members that has a similar name in a class; "" if none has."""
    for name in names:
        if name not in vars(kind):  # else it has none on purpose
            close = get_close_matches(name, vars(kind).keys() - COMMON, 1, 0.85)
            if close:
                return f"it has a method {close[0]}: did you mean {name}?"
    return ""


def of_another_library(problem: object) -> str:
    """Return what to do with a problem, or a class of problems, of another library; "" if it does not look like one."""
    if not any(callable(getattr(problem, name, None)) for name in ("getSuccessors", "expand", "result")):
        return ""
    made = f"{problem.__name__}(…)" if isinstance(problem, type) else "problem"
    return f"for a problem of simpleai, aima-python or CS188, use searchkit.adapt({made})"
