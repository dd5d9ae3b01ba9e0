"""What problems of simpleai, aima-python and CS188 have, as types, and what these libraries' base classes define."""

from collections.abc import Callable, Hashable, Iterable
from dis import get_instructions, hasconst
from types import CodeType
from typing import Any, NoReturn, Protocol, TypeVar

from searchkit.problem import Action, Action_co, Cost, State

State_co = TypeVar("State_co", bound=Hashable, covariant=True)


class SimpleaiProblem(Protocol[State, Action]):
    """What `simpleai.search.SearchProblem` has; `cost(state, action, state2)` and `heuristic(state)` are optional."""

    @property
    def initial_state(self) -> State:
        """The start."""
        ...

    def actions(self, state: State, /) -> Iterable[Action]:
        """Return the possible actions."""
        ...

    def result(self, state: State, action: Action, /) -> State:
        """Return the state that an action leads to."""
        ...

    def is_goal(self, state: State, /) -> bool:
        """Whether a state is a goal."""
        ...


class AimaProblem(Protocol[State, Action]):
    """What `Problem` of aima-python has; `path_cost(c, state1, action, state2)` and `h(node)` are optional."""

    @property
    def initial(self) -> State:
        """The start."""
        ...

    def actions(self, state: State, /) -> Iterable[Action]:
        """Return the possible actions."""
        ...

    def result(self, state: State, action: Action, /) -> State:
        """Return the state that an action leads to."""
        ...

    def goal_test(self, state: State, /) -> bool:
        """Whether a state is a goal."""
        ...


class Aima4Problem(Protocol[State, Action]):
    """What `Problem` of the notebooks of the book's fourth edition has: `is_goal`, and optional `action_cost`, `h`."""

    @property
    def initial(self) -> State:
        """The start."""
        ...

    def actions(self, state: State, /) -> Iterable[Action]:
        """Return the possible actions."""
        ...

    def result(self, state: State, action: Action, /) -> State:
        """Return the state that an action leads to."""
        ...

    def is_goal(self, state: State, /) -> bool:
        """Whether a state is a goal."""
        ...


class CS188Problem(Protocol[State, Action_co]):
    """What the `SearchProblem` of the CS188 search project has."""

    def getStartState(self) -> State:  # noqa: N802  # their name
        """Return the start."""
        ...

    def isGoalState(self, state: State, /) -> bool:  # noqa: N802
        """Whether a state is a goal."""
        ...

    def getSuccessors(self, state: State, /) -> Iterable[tuple[State, Action_co, Cost]]:  # noqa: N802
        """Return a triple (successor, action, cost) for each possible action."""
        ...


class CS188ExpandProblem(Protocol[State, Action]):
    """What the `SearchProblem` of the CS188 search project had in some years: `expand` in place of `getSuccessors`."""

    def getStartState(self) -> State:  # noqa: N802
        """Return the start."""
        ...

    def isGoalState(self, state: State, /) -> bool:  # noqa: N802
        """Whether a state is a goal."""
        ...

    def expand(self, state: State, /) -> Iterable[tuple[State, Action, Cost]]:
        """Return a triple (child, action, cost) for each possible action."""
        ...

    def getActionCost(self, state: State, action: Action, next_state: State, /) -> Cost:  # noqa: N802
        """Return the cost of an action."""
        ...


class Node(Protocol[State_co]):
    """What the heuristic of an AIMA problem is called with: a node of which only the state is known."""

    @property
    def state(self) -> State_co:
        """The state."""
        ...


class StateNode:
    """A node of which only the state is known, for the heuristics of aima-python."""

    __slots__ = ("state",)

    def __init__(self, state: Any):
        self.state = state

    def __repr__(self) -> str:
        return f"<Node {self.state}>"

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"the heuristic reads node.{name}; a heuristic estimates from the state alone, so only node.state is known"
        )


# What their base classes define


def unit_cost(self: Any, state: Any, action: Any, successor: Any) -> Cost:
    """Return what the base classes of the libraries return as the cost of an action."""
    return 1


def unit_path_cost(self: Any, cost: Any, state: Any, action: Any, successor: Any) -> Any:
    """Return what the base class of aima-python returns as the cost of a path."""
    return cost + 1


def no_heuristic(self: Any, state: Any) -> Cost:
    """Return what the base classes of the libraries return as the heuristic value of a state."""
    return 0


def own_member(problem: Any, name: str, default: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return a method of a problem; None if there is none, or if a base class defines it like `default`."""
    member: Callable[..., Any] | None = getattr(problem, name, None)
    if not callable(member):
        return None
    inherited = name not in vars(type(problem)) and name not in getattr(problem, "__dict__", ())
    code = getattr(getattr(member, "__func__", None), "__code__", None)
    return None if inherited and code is not None and _same(code, default.__code__) else member


def _same(one: CodeType, other: CodeType) -> bool:
    """Whether two functions do the same, whatever their names, the names of their arguments, and their docstrings."""
    return one.co_argcount == other.co_argcount and _instructions(one) == _instructions(other)


def _instructions(code: CodeType) -> list[tuple[str, object]]:
    return [
        (each.opname, each.argval if each.opcode in hasconst else each.arg) for each in get_instructions(code)
    ]
