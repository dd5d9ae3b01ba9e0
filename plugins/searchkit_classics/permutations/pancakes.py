"""Sorting pancakes."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.options import in_range, numbers, one_of

HEURISTICS = ("gap", "gap-1", "gap-2", "zero")
MOST = 100

State = tuple[int, ...]
"""The sizes of the pancakes, from top to bottom; burnt ones are negative if the burnt side is up."""


class Pancakes(SearchProblem[State, int]):
    """Sort a stack of pancakes by size, the smallest on top, with the fewest flips (Goodman 1975; OEIS A058986).

    An action is the number of pancakes at the top that are flipped together; each costs 1. In the burnt variant, each
    pancake has a burnt side, which has to end below (Gates and Papadimitriou 1979; OEIS A078941).

    Args:
        stack: the sizes from 1 on, such as `3,1,2`, or `-3,1,2` for burnt pancakes; "" for a random stack.
        n: the number of pancakes of a random stack.
        seed: the seed of a random stack.
        burnt: whether the pancakes have a burnt side.
        heuristic: `gap`, the neighbours in the stack, plate included, that don't belong together (Helmert 2010);
            `gap-1` and `gap-2`, the same without gaps beside the one or two smallest pancakes; `zero`.

    Raises:
        InvalidOptionError: the sizes are not 1, 2, …; a size is negative and pancakes have no burnt side; or the number
            or the heuristic is unknown.

    """

    def __init__(
        self,
        stack: str | Sequence[int] = "",
        n: int = 8,
        seed: int = 0,
        burnt: bool = False,
        heuristic: str = HEURISTICS[0],
    ):
        self.burnt, self.heuristic_name = burnt, one_of("heuristic", heuristic, HEURISTICS)
        self.ignored = None if heuristic == "zero" else HEURISTICS.index(heuristic)
        self.stack: State = numbers("stack", stack, -MOST, MOST) if stack else ()
        if not self.stack:
            rng, sizes = Random(seed), range(1, in_range("n", n, 1, MOST) + 1)
            order = sorted(sizes, key=lambda _: rng.random())
            self.stack = tuple([-size if burnt and rng.random() < 0.5 else size for size in order])
        self.goal: State = tuple(range(1, len(self.stack) + 1))
        if sorted([abs(size) if burnt else size for size in self.stack]) != list(self.goal):
            raise InvalidOptionError(
                f"stack={','.join(map(str, self.stack))}: expected each size from 1 to {len(self.stack)} once"
                + ("" if burnt else ", without a sign unless burnt=true")
            )

    def initial_states(self) -> Iterable[State]:
        """Return the stack."""
        return [self.stack]

    def successors(self, state: State) -> Iterable[tuple[int, State]]:
        """Return the stacks after one flip."""
        if self.burnt:
            return [(top, tuple([-size for size in state[top - 1 :: -1]]) + state[top:]) for top in self.goal]
        return [(top, state[top - 1 :: -1] + state[top:]) for top in self.goal[1:]]

    def is_goal(self, state: State) -> bool:
        """Whether the stack is sorted."""
        return state == self.goal

    def heuristic(self, state: State) -> int:
        """Return the number of gaps: a flip changes the neighbours in one place only."""
        if self.ignored is None:
            return 0
        return sum([self.is_gap(*pair, self.ignored) for pair in pairwise((*state, len(state) + 1))])

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

    def __repr__(self) -> str:
        stack = ",".join(map(str, self.stack))
        return f"<Pancakes stack={stack} burnt={self.burnt} heuristic={self.heuristic_name}>"
