"""TopSpin."""

from collections.abc import Iterable
from functools import cached_property
from math import cos, sin, tau
from random import Random

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options

State = tuple[int, ...]
"""The tokens, from the first one in the turnstile on; if turning is free, from token 1 on."""


@with_options
class TopSpin(SearchProblem[State, str]):
    """Bring the tokens of a ring into order (TopSpin, Binary Arts 1988; (n, k) as in Chen and Skiena 1996).

    The first `k` places of the ring are in a turnstile. The actions are `flip`, which reverses the tokens in it, and
    `left` and `right`, which turn the whole ring by one place. If turning is free, only flips are actions: `flip 3`
    reverses the tokens from the third one after token 1 on. Each action costs 1.
    """

    ring: State = option(
        "the tokens, such as 1,3,2,4,5; empty: mixed at random", default=(), convert=tuple[int, ...]
    )
    n: int = option("the number of tokens of a mixed ring", default=8, least=3, most=100)
    k: int = option("the size of the turnstile", default=4, least=2)
    moves: int = option("by how many random actions a ring is mixed", default=20, least=0, most=10_000)
    seed: int = option("the seed of these", default=0)
    turning: str = option(
        "whether turning the ring counts as an action or is free",
        default="counted",
        choices=("counted", "free"),
    )
    heuristic_name: str = option(
        "gap, half of the neighbours that do not belong together; zero",
        default="gap",
        choices=("gap", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        if sorted(self.ring or self.goal) != list(self.goal):
            raise ValueError(
                f"ring={','.join(map(str, self.ring))}: expected each number from 1 to {len(self.ring)} once"
            )
        if self.k > len(self.goal):
            raise ValueError(f"k={self.k}: expected a number from 2 to {len(self.goal)}")

    @cached_property
    def goal(self) -> State:
        """The tokens in order."""
        return tuple(range(1, (len(self.ring) or self.n) + 1))

    @cached_property
    def start(self) -> State:
        """The ring."""
        ring, rng = self.ring or self.goal, Random(self.seed)
        for _ in range(0 if self.ring else self.moves):
            after = list(self.successors(ring))
            ring = after[int(rng.random() * len(after))][1]
        return ring if self.turning == "counted" else from_one(ring)

    def initial_states(self) -> Iterable[State]:
        """Return the ring."""
        return [self.start]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return the rings after one action."""
        if self.turning == "counted":
            left, right = state[1:] + state[:1], state[-1:] + state[:-1]
            return [("left", left), ("right", right), ("flip", self.flipped(state))]
        turned = [state[place:] + state[:place] for place in range(len(state))]
        return [(f"flip {place}", from_one(self.flipped(ring))) for place, ring in enumerate(turned, 1)]

    def flipped(self, state: State) -> State:
        """Return the ring after the turnstile was flipped."""
        return state[self.k - 1 :: -1] + state[self.k :]

    def is_goal(self, state: State) -> bool:
        """Whether the tokens are in order, with token 1 in the first place."""
        return state == self.goal

    def heuristic(self, state: State) -> int:
        """Return half of the neighbours in the ring that don't belong together, rounded up: a flip parts two pairs."""
        if self.heuristic_name == "zero":
            return 0
        apart = [abs(one - other) for one, other in zip(state, state[1:] + state[:1], strict=True)]
        return -(-sum([distance not in (1, len(state) - 1) for distance in apart]) // 2)


def from_one(ring: State) -> State:
    """Return the ring turned until token 1 is in the first place."""
    first = ring.index(1)
    return ring[first:] + ring[:first]


EMPTY, DIGITS = " ", "1234567890"
IN_TURNSTILE = dict(zip(DIGITS, "abcdefghij", strict=True))
"""The keys of the digits of tokens in the turnstile."""
MARKS = {
    EMPTY: Mark(" ", "#14171c"),
    **{digit: Mark(digit, "#7fd4ff", "token" * (digit == "1"), rank=1) for digit in DIGITS},
    **{
        key: Mark(digit, "#ffb000", "in the turnstile" * (digit == "1"), rank=2)
        for digit, key in IN_TURNSTILE.items()
    },
}


def places(problem: TopSpin) -> Places[State]:
    """Return the ring from above, the turnstile at the top; the tokens follow each other clockwise."""
    count = len(problem.goal)
    digits = len(str(count))
    radius = count * (2 * digits) / tau  # so that the first digits of neighbours are that far apart
    side = 2 * round(radius) + 1

    def rows(state: State) -> list[str]:
        cells = [[EMPTY] * (side + digits - 1) for _ in range(side)]
        for place, token in enumerate(state):
            angle = tau * (place - (problem.k - 1) / 2) / count
            x, y = round(side // 2 + radius * sin(angle)), round(side // 2 - radius * cos(angle))
            held = problem.turning == "counted" and place < problem.k
            for column, digit in enumerate(str(token).rjust(digits, EMPTY), x):
                cells[y][column] = IN_TURNSTILE.get(digit, digit) if held else digit
        return ["".join(row) for row in cells]

    return picture(rows, problem.start, MARKS, lambda state: " ".join(map(str, state)))


SPEC = ProblemSpec(
    "topspin",
    "bring the tokens of a ring into order with a turnstile that reverses some",
    TopSpin,
    group="Permutations",
    examples=(
        Example(
            "ring7",
            None,
            "one of the four rings of 7 that take 17 actions, the most",
            {"ring": "1,5,2,6,3,7,4"},
        ),
    ),
    small={
        "ring": ((1, 3, 2, 4, 5), (2, 1, 4, 3, 6, 5), (2, 1, 3, 4, 5), (1, 2, 3, 4, 5), (5, 2, 4, 1, 6, 3)),
        "k": (4, 3),
    },
    places=places,
)
