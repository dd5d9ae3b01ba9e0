"""Which shares of the problems of a strategy are not trivial: on most trivial problems, a wrong engine is right."""

from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import Any

from attrs import frozen
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy

from searchkit.errors import InvalidOptionError
from searchkit.problem import SearchProblem
from searchkit.testing.spaces.space import StateSpace, explore

EXPECTED: Mapping[str, tuple[float, str, str]] = {
    "apart": (0.90, "no start is a goal", "draw the goal apart from the start"),
    "solvable": (0.75, "a path exists", "draw fewer walls, or draw a path first and the rest around it"),
    "unsolvable": (
        0.08,
        "no path exists",
        "cut the start off from the goal now and then; if every problem of this kind has a solution, say so: "
        "ProblemSpec(…, always_solvable=True)",
    ),
    "long": (
        0.60,
        "the best path has three or more actions",
        "draw larger problems, with the goal farther off",
    ),
}
"""Name of a share → its least expected value, its meaning, and advice if it is smaller."""


@frozen
class Shares:
    """For each key of `EXPECTED`, the share of the drawn problems that have the property, from 0 to 1."""

    draws: int
    """The number of drawn problems."""
    shares: Mapping[str, float]

    def __getitem__(self, name: str) -> float:
        """Return the share of this name."""
        return self.shares[name]

    def missed(self, besides: Iterable[str] = ()) -> tuple[str, ...]:
        """Return the names of the shares that are smaller than expected, other than those in `besides`."""
        left_out = set(besides)
        return tuple(n for n, share in self.shares.items() if share < EXPECTED[n][0] and n not in left_out)

    def told(self, name: str) -> str:
        """Return a share in words, with what is expected."""
        least, meaning, _ = EXPECTED[name]
        return f"{meaning}: {self.shares[name]:.0%} (expected: at least {least:.0%})"

    def __str__(self) -> str:
        missed = self.missed()
        lines = [f"  {'✗' if name in missed else '✓'} {self.told(name)}" for name in self.shares]
        return "\n".join([f"{self.draws} problems", *lines])


def measure_draws(
    strategy: SearchStrategy[Any], *, draws: int = 100, seed: int = 0, max_states: int = 1_000
) -> Shares:
    """Draw problems as a property test does, and measure which shares of them are not trivial.

    The shares are those of the problems in which no start is a goal (`apart`), a path exists (`solvable`), none exists
    (`unsolvable`), and a path of least cost has three or more actions (`long`). A problem without a goal among its
    first `max_states` states counts as neither solvable nor unsolvable.

    Args:
        strategy: the strategy to draw problems from.
        draws: the number of problems to draw; a strategy with few different problems draws fewer.
        seed: the same seed draws the same problems.
        max_states: the largest number of expanded states of a problem, those nearest to the starts.

    Raises:
        InvalidOptionError: the subject is not a strategy, or a number is less than 1.
        Exception: whatever the strategy or a problem raises.

    Example:
        >>> from searchkit.testing import measure_draws
        >>> from searchkit.testing.strategies import mazes
        >>> shares = measure_draws(mazes(size=7), draws=20)
        >>> shares.draws, shares["apart"] > 0.5
        (20, True)

    """
    if not isinstance(strategy, SearchStrategy):
        raise InvalidOptionError(
            f"{strategy!r} is not a Hypothesis strategy of problems; expected one such as "
            "searchkit.testing.strategies.mazes()"
        )
    if draws < 1 or max_states < 1:
        raise InvalidOptionError(
            f"draws={draws}, max_states={max_states}: expected whole numbers of at least 1"
        )
    seen = [_traits(explore(problem, max_states)) for problem in drawn(strategy, draws, seed)]
    return Shares(len(seen), {name: sum(name in traits for traits in seen) / len(seen) for name in EXPECTED})


def _traits(space: StateSpace) -> set[str]:
    path = space.best_path()
    traits = {"apart"} if not any(start in space.goals for start in space.starts) else set()
    if path is not None and space.least_cost() < inf:
        traits |= {"solvable", "long"} if len(path) > 3 else {"solvable"}
    elif space.whole:
        traits.add("unsolvable")
    return traits


def drawn(strategy: SearchStrategy[Any], draws: int, seed: int) -> Iterator[SearchProblem[Any, Any]]:
    """Yield the problems that a property test of so many examples would draw from this seed."""
    problems: list[SearchProblem[Any, Any]] = []

    @seeded(seed)
    @settings(
        max_examples=draws,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def keep(problem: SearchProblem[Any, Any]) -> None:
        problems.append(problem)

    keep()
    yield from problems
