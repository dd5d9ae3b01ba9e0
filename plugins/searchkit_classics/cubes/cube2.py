"""The 2×2×2 cube."""

from collections.abc import Iterable
from typing import TypeAlias

from searchkit import SearchProblem
from searchkit_classics.cubes.geometry import HOME, TURNS, inverse, scrambled, turned, turns_of
from searchkit_classics.options import one_of

Corners: TypeAlias = tuple[int, ...]
"""For each corner but the one that stays, the place of its first sticker: see `geometry`."""
FACES = "URF"
HEURISTICS = ("misplaced", "zero")


class Cube2(SearchProblem[Corners, str]):
    """Solve the 2×2×2 cube in the fewest turns: 3,674,160 states, none farther than 11 half or 14 quarter turns.

    The corner at the bottom left behind stays where it is: turning the face opposite to another is the same as turning
    the other one and then the whole cube. So the actions are the turns of three faces: `U`, `U2`, `U'`, `R`, …, `F'`.

    Args:
        scramble: turns such as `R U' F2` or `R,U',F2`, or a number of random turns.
        seed: the seed of the random turns.
        metric: `half`, any turn of a face costs 1; `quarter`, there are only quarter turns; `square`, only half turns.
        heuristic: `misplaced`, a quarter of the corners that are not home; or `zero`.

    Raises:
        InvalidOptionError: a turn of the scramble, the metric or the heuristic is unknown.

    """

    def __init__(
        self, scramble: str | int = 8, seed: int = 0, metric: str = "half", heuristic: str = "misplaced"
    ):
        self.metric, self.heuristic_name = metric, one_of("heuristic", heuristic, HEURISTICS)
        self.turns, self.scramble = turns_of(FACES, metric), scrambled(scramble, seed, FACES, metric)
        self.solved: Corners = HOME[:7]
        self.start: Corners = turned(self.solved, self.scramble)

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

    def __repr__(self) -> str:
        scramble = ",".join(self.scramble)
        return f"<Cube2 scramble={scramble} metric={self.metric} heuristic={self.heuristic_name}>"
