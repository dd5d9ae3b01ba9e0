"""What local search needs of a problem."""

from collections.abc import Generator
from random import Random
from typing import Any, Protocol, TypeAlias, runtime_checkable

GROUP = "Local search"
Value: TypeAlias = int | float
Steps: TypeAlias = Generator[tuple[Any, Value], None, str]
"""What a method yields: the state at which it is after each step, and its value. It returns why it ended."""


@runtime_checkable
class Valued(Protocol):
    """A problem whose states have values. Local search looks for a state of the largest value.

    The other members are those of every search problem: `initial_states`, `successors` (the neighbours of a state; the
    actions do not matter) and `is_goal` (a state at which the search may stop; if none is known, always False).

    A problem may have `random_state(rng)`, for restarts and populations; otherwise states are drawn from the initial
    states. `random_successor(state, rng)` saves annealing the making of all neighbours. The genetic algorithm needs
    `crossover(one, other, rng)`, a state that has parts of both parents, and `mutate(state, rng)`, a small random
    change.
    """

    def value(self, state: Any) -> Value:
        """Return how good a state is; larger is better."""
        ...


def random_state(problem: Any, rng: Random) -> Any:
    """Return a random state of a problem; one of its initial states, if it does not draw states itself."""
    if hasattr(problem, "random_state"):
        return problem.random_state(rng)
    return rng.choice(list(problem.initial_states()))
