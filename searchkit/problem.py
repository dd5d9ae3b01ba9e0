"""What a search problem is: the one file that the author of a problem needs to read.

A problem is any object with the first three members of `SearchProblem`; it may have the other two. Inheriting from
it is optional: it brings the defaults of `cost` and `heuristic`, and makes a forgotten member an error at construction.

    class Countdown(SearchProblem[int, str]):
        def initial_states(self):
            return [10]
        def successors(self, state):
            return [("minus one", state - 1), ("halve", state // 2)]
        def is_goal(self, state):
            return state == 0

States are hashable and never change; equal states hash alike. All five members are pure: asked the same
question twice, they give the same answer in the same order.
"""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action")
State_contra = TypeVar("State_contra", bound=Hashable, contravariant=True)
Action_co = TypeVar("Action_co", covariant=True)
Cost: TypeAlias = int | float | Fraction
"""A non-negative number. Integers and fractions are exact; floats round, and so do sums of them."""


class SupportsSearch(Protocol[State, Action_co]):
    """The three members that every problem has: what `solve` and the other functions take.

    A class with these three needs to inherit nothing. Type checkers compare `cost` and `heuristic` with the protocol
    where a class inherits from `SearchProblem`, or where a name is annotated with it.
    """

    def initial_states(self) -> Iterable[State]:
        """Return the start states."""
        ...

    def successors(self, state: State) -> Iterable[tuple[Action_co, State]]:
        """Return an (action, successor) pair for each action that is possible in `state`."""
        ...

    def is_goal(self, state: State) -> bool:
        """Whether the search may end in `state`."""
        ...


class SearchProblem(Protocol[State, Action]):
    """States, the actions between them, what they cost, and which states are goals (Russell & Norvig, ch. 3)."""

    @abstractmethod
    def initial_states(self) -> Iterable[State]:
        """Return the start states: one, or several (the search then starts from all of them at once)."""
        raise NotImplementedError

    @abstractmethod
    def successors(self, state: State) -> Iterable[tuple[Action, State]]:
        """Return an (action, successor) pair for each action that is possible in `state`."""
        raise NotImplementedError

    @abstractmethod
    def is_goal(self, state: State) -> bool:
        """Whether the search may end in `state`."""
        raise NotImplementedError

    def cost(self, state: State, action: Action, successor: State) -> Cost:
        """Return the cost of one action, a number ≥ 0. By default every action costs 1."""
        return 1

    def heuristic(self, state: State) -> Cost:
        """Estimate the least cost from `state` to a goal, a number ≥ 0; 0 at a goal.

        Best-first engines find the least cost if it never overestimates (it is *admissible*).
        By default there is no heuristic, and engines that need one say so.
        """
        return 0


@runtime_checkable
class Reversible(Protocol[State, Action_co]):
    """A problem whose goals can be listed and whose actions can be followed backwards."""

    def goal_states(self) -> Iterable[State]:
        """Return every goal state."""
        ...

    def predecessors(self, state: State) -> Iterable[tuple[Action_co, State]]:
        """Return an (action, predecessor) pair for each action that leads *into* `state`.

        The inverse of `successors`: (action, p) is a predecessor of s if and only if (action, s) is a
        successor of p.
        """
        ...


@runtime_checkable
class Aimable(Protocol[State, Action]):
    """A problem of which other starts and goals can be asked: `solve_many` answers many queries over one map."""

    def aimed(self, starts: Iterable[State], goals: Iterable[State]) -> SearchProblem[State, Action]:
        """Return this problem from other starts to other goals; both share what is large, such as a map."""
        ...


@runtime_checkable
class Compilable(Protocol):
    """A problem that also describes itself to compiled engines."""

    def compiled(self) -> Any:
        """Return the compiled view of this problem: the same problem over packed states."""
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
        """Return the regions that hold goals; one too many does no harm."""
        ...


@runtime_checkable
class Reportable(Protocol[State_contra]):
    """A problem that says in its own terms what a path does, for reports to show."""

    def path_details(self, states: Sequence[State_contra]) -> Mapping[str, object]:
        """Return what a report should say of a path, by name: a text, a number, or a tuple of lines."""
        ...
