"""The 2×2×2 cube."""

from collections.abc import Iterable
from functools import cached_property

from searchkit import SearchProblem
from searchkit.plugin import Example, Places, ProblemSpec, option, picture, with_options
from searchkit_classics.cube import (
    HOME,
    MARKS,
    METRIC,
    METRICS,
    TURNS,
    inverse,
    scrambled,
    stickers,
    turned,
    turns_of,
    unfolded,
)

Corners = tuple[int, ...]
"""For each corner but the one that stays, the place of its first sticker: see `cube`."""
FACES = "URF"


@with_options
class Cube2(SearchProblem[Corners, str]):
    """Solve the 2×2×2 cube in the fewest turns: 3,674,160 states, none farther than 11 half or 14 quarter turns.

    The corner at the bottom left behind stays where it is: turning the face opposite to another is the same as turning
    the other one and then the whole cube. So the actions are the turns of three faces: `U`, `U2`, `U'`, `R`, …, `F'`.
    """

    scramble: str = option(
        "turns of the faces U, R and F, such as R U' F2, or how many random ones", default="8"
    )
    seed: int = option("the seed of the random turns", default=0)
    metric: str = option(METRIC, default="half", choices=METRICS)
    heuristic_name: str = option(
        "misplaced, a quarter of the corners that are not home; zero",
        default="misplaced",
        choices=("misplaced", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        scrambled(self.scramble, self.seed, FACES, self.metric)

    @cached_property
    def start(self) -> Corners:
        """The scrambled cube."""
        return turned(self.solved, scrambled(self.scramble, self.seed, FACES, self.metric))

    @cached_property
    def solved(self) -> Corners:
        """The solved cube."""
        return HOME[:7]

    @cached_property
    def turns(self) -> list[tuple[str, tuple[int, ...]]]:
        """The turns of the faces: for each place, the place to which a sticker is taken."""
        return turns_of(FACES, self.metric)

    def initial_states(self) -> Iterable[Corners]:
        """Return the scrambled cube."""
        return [self.start]

    def successors(self, state: Corners) -> Iterable[tuple[str, Corners]]:
        """Return the cube after each turn."""
        return [(name, tuple([turn[place] for place in state])) for name, turn in self.turns]

    def is_goal(self, state: Corners) -> bool:
        """Whether the cube is solved."""
        return state == self.solved

    def heuristic(self, state: Corners) -> int:
        """Return the least number of turns that move each corner that is not home: four of them in each turn."""
        if self.heuristic_name == "zero":
            return 0
        return -(-sum([place != home for place, home in zip(state, self.solved, strict=True)]) // 4)

    def goal_states(self) -> Iterable[Corners]:
        """Return the solved cube."""
        return [self.solved]

    def predecessors(self, state: Corners) -> Iterable[tuple[str, Corners]]:
        """Return the cube before each turn."""
        undo = [(name, TURNS[inverse(name)]) for name, _ in self.turns]
        return [(name, tuple([turn[place] for place in state])) for name, turn in undo]


def places(problem: Cube2) -> Places[Corners]:
    """Return the unfolded cube; the corner that stays is drawn too."""
    return picture(lambda state: unfolded(2, stickers((*state, HOME[7]), range(8))), problem.start, MARKS)


SPEC = ProblemSpec(
    "cube2",
    "the 2×2×2 cube: 3,674,160 states, none farther than 11 half turns",
    Cube2,
    group="Cubes",
    examples=(
        Example(
            "squares",
            None,
            "one of the five of 24 cubes that half turns make which are 4 of them away from solved",
            {"scramble": "U2,R2,F2,R2", "metric": "square"},
        ),
    ),
    small={"scramble": ("R2 U2 F2", "U2", "F2 R2 U2 R2", "R2 F2 R2", "0"), "metric": ("square",)},
    places=places,
)
