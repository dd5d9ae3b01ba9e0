"""What local search needs of a problem: the value of a state, and for some methods random states and children."""

from collections.abc import Generator, Iterable
from random import Random
from typing import Any, Protocol, TypeAlias, runtime_checkable

from searchkit.plugin import MissingCapabilityError

GROUP = "Local search"
Value: TypeAlias = int | float
Steps: TypeAlias = Generator[tuple[Any, Value], None, str]
"""What a method yields: the state at which it is after each step, and its value. It returns why it ended."""


@runtime_checkable
class Valued(Protocol):
    """A problem whose states have values. Local search looks for a state of the largest value.

    The other members are those of every search problem: `initial_states`, `successors` (the neighbours of a state; the
    actions do not matter) and `is_goal` (a state at which the search may stop; if none is known, always False).
    """

    def value(self, state: Any) -> Value:
        """Return how good a state is; larger is better."""
        ...

    def initial_states(self) -> Iterable[Any]:
        """Return where the search may begin."""
        ...

    def successors(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Return (action, neighbour) for each neighbour of a state."""
        ...

    def is_goal(self, state: Any) -> bool:
        """Whether a state is good enough to stop at."""
        ...


@runtime_checkable
class RandomStates(Protocol):
    """A problem that draws random states, for restarts and for populations.

    Without it, they are drawn from the initial states.
    """

    def random_state(self, rng: Random) -> Any:
        """Return a random state, each draw independent of the others."""
        ...


@runtime_checkable
class Breeding(Protocol):
    """A problem whose states can be combined: what the genetic algorithm needs."""

    def crossover(self, one: Any, other: Any, rng: Random) -> Any:
        """Return a state that has parts of both parents."""
        ...

    def mutate(self, state: Any, rng: Random) -> Any:
        """Return a state with a small random change."""
        ...


def random_state(problem: Valued, rng: Random) -> Any:
    """Return a random state of a problem; one of its initial states, if it does not draw states itself."""
    if isinstance(problem, RandomStates):
        return problem.random_state(rng)
    return rng.choice(list(problem.initial_states()))


def breeding(problem: object) -> Breeding:
    """Return the problem, which has to breed. Raises `MissingCapabilityError` if it does not."""
    if not isinstance(problem, Breeding):
        raise MissingCapabilityError(
            f"{type(problem).__name__} has no crossover and mutate, which the genetic algorithm needs; add both "
            "methods, or use hill_climbing, annealing or local_beam"
        )
    return problem


def numbers(value: Any) -> tuple[int, ...]:
    """Read an option of whole numbers, such as 0,2,1."""
    try:
        return tuple(map(int, value.split(",") if isinstance(value, str) else value))
    except (TypeError, ValueError) as error:
        raise ValueError("expected whole numbers such as 0,2,1") from error
