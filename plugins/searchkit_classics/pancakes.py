"""Sorting pancakes."""

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from random import Random

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options

IGNORED = {"gap": 0, "gap-1": 1, "gap-2": 2, "zero": 0}
"""Heuristic → how many of the smallest pancakes it ignores."""

State = tuple[int, ...]
"""The sizes of the pancakes, from top to bottom; burnt ones are negative if the burnt side is up."""


@with_options
class Pancakes(SearchProblem[State, int]):
    """Sort a stack of pancakes by size, the smallest on top, with the fewest flips (Goodman 1975; OEIS A058986).

    An action is the number of pancakes at the top that are flipped together; each costs 1. In the burnt variant, each
    pancake has a burnt side, which has to end below (Gates and Papadimitriou 1979; OEIS A078941). The heuristic `gap`
    is by Helmert (2010).
    """

    stack: State = option(
        "the sizes from top to bottom, such as 3,1,2, negative where the burnt side is up; empty: at random",
        default=(),
        convert=tuple[int, ...],
    )
    n: int = option("the number of pancakes of a random stack", default=8, least=1, most=100)
    seed: int = option("the seed of a random stack", default=0)
    burnt: bool = option("whether the pancakes have a burnt side, which has to end below", default=False)
    heuristic_name: str = option(
        "gap, the neighbours that do not belong together; gap-1 and gap-2, without those beside the smallest; zero",
        default="gap",
        choices=IGNORED,
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        if sorted([abs(size) if self.burnt else size for size in self.start]) != list(self.goal):
            raise ValueError(
                f"stack={','.join(map(str, self.stack))}: expected each size from 1 to {len(self.stack)} once"
                + ("" if self.burnt else ", without a sign unless burnt=true")
            )

    @cached_property
    def start(self) -> State:
        """The stack."""
        if self.stack:
            return self.stack
        rng = Random(self.seed)
        order = sorted(range(1, self.n + 1), key=lambda _: rng.random())
        return tuple([-size if self.burnt and rng.random() < 0.5 else size for size in order])

    @cached_property
    def goal(self) -> State:
        """The sorted stack."""
        return tuple(range(1, len(self.start) + 1))

    def initial_states(self) -> Iterable[State]:
        """Return the stack."""
        return [self.start]

    def successors(self, state: State) -> Iterable[tuple[int, State]]:
        """Return the stacks after one flip."""
        if self.burnt:
            return [(top, tuple([-size for size in state[top - 1 :: -1]]) + state[top:]) for top in self.goal]
        return [(top, state[top - 1 :: -1] + state[top:]) for top in self.goal[1:]]

    def is_goal(self, state: State) -> bool:
        """Whether the stack is sorted."""
        return state == self.goal

    def heuristic(self, state: State) -> int:
        """Return the number of gaps, the plate included: a flip changes the neighbours in one place only."""
        if self.heuristic_name == "zero":
            return 0
        ignored = IGNORED[self.heuristic_name]
        return sum([self.is_gap(*pair, ignored) for pair in pairwise((*state, len(state) + 1))])

    def is_gap(self, upper: int, lower: int, ignored: int) -> bool:
        """Whether two neighbours don't belong together, and neither is one of the `ignored` smallest."""
        together = lower - upper == 1 or (not self.burnt and upper - lower == 1)
        return not together and min(abs(upper), abs(lower)) > ignored

    def goal_states(self) -> Iterable[State]:
        """Return the sorted stack."""
        return [self.goal]

    def predecessors(self, state: State) -> Iterable[tuple[int, State]]:
        """Return the stacks before one flip: a second flip undoes the first."""
        return self.successors(state)


CAKE, SORTED, BURNT, PLATE = "#=x-"
MARKS = {
    " ": Mark(" ", "#14171c"),
    CAKE: Mark("█", "#d9a441", "pancake", rank=1),
    SORTED: Mark("█", "#f4d58d", "pancake that lies right on the one below", rank=1),
    BURNT: Mark("▒", "#5b3a1e", "burnt side", rank=2),
    PLATE: Mark("─", "#9aa3b2", "plate"),
}


def places(problem: Pancakes) -> Places[State]:
    """Return the stack from the side, on a plate; a pancake with a burnt side is two rows high."""
    wide = 2 * len(problem.start) + 1

    def rows(state: State) -> list[str]:
        found = []
        for size, below in zip(state, (*state[1:], len(state) + 1), strict=True):
            key = CAKE if problem.is_gap(size, below, 0) else SORTED
            halves = [BURNT, key] if size < 0 else [key, BURNT]
            found += [
                (half * (2 * abs(size) - 1)).center(wide) for half in (halves if problem.burnt else [key])
            ]
        return [*found, PLATE * wide]

    return picture(rows, problem.start, MARKS, lambda state: " ".join(map(str, state)))


SPEC = ProblemSpec(
    "pancakes",
    "sort a stack of pancakes by flips of its top, plain or burnt",
    Pancakes,
    group="Permutations",
    examples=(
        Example(
            "pancakes8",
            None,
            "one of the 455 stacks of 8 that take 9 flips",
            {"stack": "5,3,8,6,1,4,2,7"},
        ),
    ),
    small={"stack": ((2, 3, 1), (3, 1, 4, 2), (2, 4, 1, 3), (-1, 3, -2), (1,), (4, 2, 5, 1, 3))},
    places=places,
)
