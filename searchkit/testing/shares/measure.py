"""Measuring which shares of the problems of a strategy are not trivial.

A wrong engine is right on most trivial problems: if the start is a goal, if no path exists, if a path has one step, and
if all paths have the same cost. A property test over such problems passes whatever the engine does.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from searchkit.errors import InvalidOptionError
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import SearchProblem
from searchkit.testing.shares.traits import Traits, traits

DRAWS = 100
"""The default number of problems that are drawn from each seed."""
MAX_STATES = 1_000
"""The default for the largest number of expanded states of a problem."""

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
    "rivals": (
        0.50,
        "of the solvable, two simple paths differ in cost",
        "draw loops, detours, or costs that differ; if all paths to goals of one problem cost the same, say so: "
        "ProblemSpec(…, equal_costs=True)",
    ),
}
"""Name of a share → its least expected value, its meaning, and advice if it is smaller."""


@frozen
class Share:
    """One share of the problems that were drawn."""

    name: str
    """A key of `EXPECTED`."""
    count: int
    """The number of problems with the property."""
    out_of: int
    """The number of problems that could have it."""

    @property
    def measured(self) -> float:
        """The share, from 0 to 1; 0 if no problem could have the property."""
        return self.count / self.out_of if self.out_of else 0.0

    @property
    def expected(self) -> float:
        """The least expected share."""
        return EXPECTED[self.name][0]

    @property
    def met(self) -> bool:
        """Whether it is as large as expected."""
        return self.measured >= self.expected

    def __str__(self) -> str:
        _, meaning, _ = EXPECTED[self.name]
        return f"{meaning}: {self.measured:.0%} (expected: at least {self.expected:.0%})"

    @property
    def advice(self) -> str:
        """Advice for a share that is too small."""
        return EXPECTED[self.name][2]


@frozen
class Shares:
    """For each property that lets a problem reveal a fault, the share of the drawn problems that have it."""

    draws: int
    """The number of drawn problems."""
    undecided: int
    """The number of problems that are neither solved nor proved unsolvable within the expanded states."""
    shares: tuple[Share, ...] = field(repr=lambda shares: ", ".join(map(str, shares)))
    """One for each key of `EXPECTED`, in the same order."""

    def __getitem__(self, name: str) -> float:
        """Return the share of this name, from 0 to 1."""
        return next(share.measured for share in self.shares if share.name == name)

    def missed(self, besides: Iterable[str] = ()) -> tuple[Share, ...]:
        """Return the shares that are smaller than expected, other than those named in `besides`."""
        left_out = set(besides)
        return tuple(share for share in self.shares if not share.met and share.name not in left_out)

    def __str__(self) -> str:
        lines = [f"{self.draws} problems" + (f", {self.undecided} undecided" if self.undecided else "")]
        return "\n".join([*lines, *(f"  {'✓' if share.met else '✗'} {share}" for share in self.shares)])


def measure_draws(
    strategy: SearchStrategy[Any],
    *,
    draws: int = DRAWS,
    seeds: Sequence[int] = (0,),
    max_states: int = MAX_STATES,
) -> Shares:
    """Draw problems as a property test does, and measure which shares of them are not trivial.

    The shares are those of the problems in which no start is a goal (`apart`), a path exists (`solvable`), none exists
    (`unsolvable`), and a path of least cost, of the fewest actions among these, has three or more actions (`long`);
    and, of the solvable, those with two simple paths of different cost (`rivals`). A simple path leads from a start
    to a goal, and contains no state twice and no goal before its end. The search for rivals is bounded: the share is
    never too large, but it may be too small if detours cross the best path.

    Args:
        strategy: the strategy to draw problems from.
        draws: the number of problems to draw from each seed; a strategy with few different problems draws fewer.
        seeds: the seeds.
        max_states: the largest number of expanded states of a problem, those nearest to the starts. A problem without a
            goal among them is undecided.

    Raises:
        InvalidOptionError: the subject is not a strategy, or a number is less than 1, or there are no seeds.
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
    if draws < 1 or max_states < 1 or not seeds:
        raise InvalidOptionError(
            f"draws={draws}, seeds={seeds!r}, max_states={max_states}: expected whole numbers of at least 1, and a seed"
        )
    return summed(
        traits(problem, max_states) for number in seeds for problem in drawn(strategy, draws, number)
    )


def strategies_of(spec: ProblemSpec) -> dict[str, Callable[[], SearchStrategy[Any]]]:
    """Return the functions that make the strategies of a kind of problem, by name; its `strategy` only once."""
    found = dict(spec.strategies)
    if spec.strategy is not None and spec.strategy not in found.values():
        found["strategy"] = spec.strategy
    return found


def excused(spec: ProblemSpec) -> tuple[str, ...]:
    """Return the shares that are not expected of a kind of problem."""
    promised = {"unsolvable": spec.always_solvable, "rivals": spec.equal_costs}
    return tuple(name for name, is_promised in promised.items() if is_promised)


def drawn(strategy: SearchStrategy[Any], draws: int, number: int) -> Iterator[SearchProblem[Any, Any]]:
    """Yield the problems that a property test of so many examples would draw from this seed."""
    problems: list[SearchProblem[Any, Any]] = []

    @seed(number)
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


def summed(of_problems: Iterable[Traits]) -> Shares:
    """Return the shares of problems with these traits."""
    seen = list(of_problems)
    solvable = sum(one.solvable is True for one in seen)
    counts = {
        "apart": (sum(one.apart for one in seen), len(seen)),
        "solvable": (solvable, len(seen)),
        "unsolvable": (sum(one.solvable is False for one in seen), len(seen)),
        "long": (sum(one.steps >= 3 for one in seen), len(seen)),
        "rivals": (sum(one.rivals for one in seen), solvable),
    }
    undecided = sum(one.solvable is None for one in seen)
    return Shares(len(seen), undecided, tuple(Share(name, *counts[name]) for name in EXPECTED))
