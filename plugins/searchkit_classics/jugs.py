"""Jugs of water."""

from collections.abc import Iterable
from functools import cached_property
from math import cos, pi, sin
from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options

State = tuple[int, ...]
"""The litres in each jug."""
ANY = "?"


def target_of(value: Any) -> str:
    """Return the litres of a text such as `4,4,0`, or of a sequence, as such a text. Raises ValueError."""
    words = [
        word.strip() for word in (value if isinstance(value, str) else ",".join(map(str, value))).split(",")
    ]
    if not all(word.isdecimal() or word == ANY for word in words):
        raise ValueError("expected litres, such as 4, or those of each jug, with ? for any")
    return ",".join(words)


@with_options
class Jugs(SearchProblem[State, str]):
    """Measure an amount of water with jugs that have no marks (Tartaglia 1556).

    A state is the litres in each jug. An action fills a jug, empties it, or pours from one into another until this is
    full or that is empty. Each costs 1. Without a tap there is only pouring, and the first jug is full at first.
    """

    sizes: tuple[int, ...] = option("the litres that each jug holds", default=(3, 5), least=1, most=1_000)
    target: str = option(
        "the litres in any jug; or those of each jug, such as 2,?", default="4", convert=target_of
    )
    tap: bool = option("whether jugs can be filled and emptied", default=True)

    def __attrs_post_init__(self) -> None:
        if len(self.litres) not in (1, len(self.sizes)):
            raise ValueError(
                f"target={self.target}: expected litres, such as 4, or those of each of the {len(self.sizes)} jugs, "
                "with ? for any"
            )

    @cached_property
    def litres(self) -> list[int | None]:
        """The litres to measure in any jug, or in each jug; None for any."""
        return [None if word == ANY else int(word) for word in self.target.split(",")]

    def initial_states(self) -> Iterable[State]:
        """Return empty jugs, or without a tap the first one full."""
        first = 0 if self.tap else self.sizes[0]
        return [(first,) + (0,) * (len(self.sizes) - 1)]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return what filling, emptying and pouring do; actions that change nothing are left out."""
        for one, size in enumerate(self.sizes):
            if self.tap and state[one] < size:
                yield f"fill {one + 1}", self.changed(state, {one: size})
            if self.tap and state[one] > 0:
                yield f"empty {one + 1}", self.changed(state, {one: 0})
            for other, room in enumerate(self.sizes):
                poured = min(state[one], room - state[other])
                if one != other and poured:
                    after = {one: state[one] - poured, other: state[other] + poured}
                    yield f"pour {one + 1} into {other + 1}", self.changed(state, after)

    def changed(self, state: State, litres: dict[int, int]) -> State:
        """Return a state with other amounts in some jugs."""
        return tuple(litres.get(jug, old) for jug, old in enumerate(state))

    def is_goal(self, state: State) -> bool:
        """Whether the target is measured."""
        if len(self.litres) == 1:
            return self.litres[0] in (None, *state)
        return all(wanted in (None, litres) for wanted, litres in zip(self.litres, state, strict=True))


GLASS, EMPTY, WATER, OUTSIDE = "|_~ "
MARKS = {
    GLASS: Mark("█", "#9aa3b2", "jug"),
    EMPTY: Mark(" ", "#2a2f3a"),
    WATER: Mark("▒", "#2f9ee0", "water", rank=1),
    OUTSIDE: Mark(" ", "#14171c"),
}
WIDE, MAX_ROWS = 3, 24
"""The width of a jug inside, and the most rows of a drawing; larger jugs are scaled down."""


def places(problem: Jugs) -> Places[State]:
    """Return the jugs as bars; as a graph, the litres as coordinates: at right angles, or at 60° (Tweedie 1939)."""
    most = max(problem.sizes)
    height = min(most, MAX_ROWS)

    def jug(litres: int, size: int, level: int) -> str:
        if level == 0:
            return GLASS * (WIDE + 2)
        if level > -(-size * height // most):
            return OUTSIDE * (WIDE + 2)
        return GLASS + (WATER if level <= -(-litres * height // most) else EMPTY) * WIDE + GLASS

    def rows(state: State) -> list[str]:
        pairs = list(zip(state, problem.sizes, strict=True))
        return [
            OUTSIDE + "".join(jug(*pair, level) + OUTSIDE for pair in pairs)
            for level in range(height, -1, -1)
        ]

    def position(state: State) -> tuple[float, float]:
        if len(state) == 2:
            return state
        turned = [(litres, pi / 3 * number) for number, litres in enumerate(state[1:])]
        return (
            sum(litres * cos(angle) for litres, angle in turned),
            sum(litres * sin(angle) for litres, angle in turned),
        )

    flat = len(problem.sizes) == 2 or (len(problem.sizes) == 3 and not problem.tap)
    start = next(iter(problem.initial_states()))
    return picture(rows, start, MARKS, lambda state: " ".join(map(str, state)), position if flat else None)


SPEC = ProblemSpec(
    "jugs",
    "measure an amount of water with jugs: 4 litres with jugs of 3 and 5 in 6 moves",
    Jugs,
    group="Tasks",
    examples=(
        Example("jugs43", None, "2 litres in the jug of 4", {"sizes": "4,3", "target": "2,?"}),
        Example(
            "decanting",
            None,
            "share 8 litres with jugs of 8, 5 and 3, without a tap",
            {"sizes": "8,5,3", "target": "4,4,0", "tap": False},
        ),
    ),
    small={"sizes": ((3, 5), (4, 3), (6, 4), (8, 5), (8, 5, 3)), "target": ("4", "3", "2", "7")},
    places=places,
)
