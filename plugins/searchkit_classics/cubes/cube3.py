"""The 3×3×3 cube."""

from collections.abc import Iterable
from typing import TypeAlias

from searchkit import SearchProblem
from searchkit_classics.cubes.geometry import (
    ALLOWED,
    HOME,
    START,
    TURNS,
    inverse,
    scrambled,
    turned,
    turns_of,
)
from searchkit_classics.cubes.patterns import FIRST_CORNER, FIRST_EDGE, database, index
from searchkit_classics.options import one_of

Pieces: TypeAlias = tuple[int, ...]
"""For each of the eight corners and twelve edges, the place of its first sticker (see `geometry`); and the number of
the face that was turned last, 6 at the start."""
FACES = "URFDLB"
HEURISTICS = ("small", "zero")


class Cube3(SearchProblem[Pieces, str]):
    """Solve the 3×3×3 cube in the fewest turns: 43,252,003,274,489,856,000 states, none farther than 20 half turns.

    The actions are the turns of the six faces: `U`, `U2`, `U'`, `R`, …, `B'`. Use `idastar`: an engine that holds its
    states runs out of memory if the start is more than about ten turns from solved.

    Args:
        scramble: turns such as `R U' F2` or `R,U',F2`, or a number of random turns.
        seed: the seed of the random turns.
        metric: `half`, any turn of a face costs 1; `quarter`, there are only quarter turns; `square`, only half turns.
        heuristic: `small`, the larger entry of two pattern databases, of three corners and of three edges; or `zero`.
        faces: the faces that can be turned.
        pruned: whether a state knows the face that was turned last. That face is not turned again at once, and of two
            opposite faces the second is not turned before the first: 13.3 of 18 turns are left (Korf 1997).

    Raises:
        InvalidOptionError: a turn of the scramble, a face, the metric or the heuristic is unknown.

    """

    def __init__(
        self,
        scramble: str | int = 6,
        seed: int = 0,
        metric: str = "half",
        heuristic: str = "small",
        faces: str = "URFDLB",
        pruned: bool = True,
    ):
        self.metric, self.heuristic_name = metric, one_of("heuristic", heuristic, HEURISTICS)
        turns, self.faces, self.pruned = turns_of(faces, metric), faces, pruned
        self.scramble = scrambled(scramble, seed, faces, metric)
        self.table_metric = "quarter" if metric == "quarter" else "half"
        self.corners, self.edges = (
            database(first, self.table_metric) for first in (FIRST_CORNER, FIRST_EDGE)
        )
        self.start: Pieces = (*turned(HOME, self.scramble), START)
        numbered = [(name, FACES.index(name[0]) if pruned else START, turn) for name, turn in turns]
        self.next = [[each for each in numbered if each[1] in (*allowed, START)] for allowed in ALLOWED]

    def initial_states(self) -> Iterable[Pieces]:
        """Return the scrambled cube."""
        return [self.start]

    def successors(self, state: Pieces) -> Iterable[tuple[str, Pieces]]:
        """Return the cube after each turn that may come next."""
        *places, last = state
        return [(name, (*[turn[place] for place in places], face)) for name, face, turn in self.next[last]]

    def is_goal(self, state: Pieces) -> bool:
        """Whether the cube is solved."""
        return state[:-1] == HOME

    def heuristic(self, state: Pieces) -> int:
        """Return the larger entry of the pattern databases."""
        if self.heuristic_name == "zero":
            return 0
        return max(self.corners[index(state, FIRST_CORNER)], self.edges[index(state, FIRST_EDGE)])

    def goal_states(self) -> Iterable[Pieces]:
        """Return the solved cube, after a turn of each face and without one."""
        return [(*HOME, last) for last in (range(START + 1) if self.pruned else [START])]

    def predecessors(self, state: Pieces) -> Iterable[tuple[str, Pieces]]:
        """Return the cube before each turn of the face that was turned last, after each face that may come before."""
        *places, face = state
        before = [last for last in range(START + 1) if face in ALLOWED[last]] if self.pruned else [START]
        undo = [(name, TURNS[inverse(name)]) for name, number, _ in self.next[START] if number == face]
        return [(name, (*[turn[place] for place in places], last)) for name, turn in undo for last in before]

    def __repr__(self) -> str:
        scramble, faces, pruned = ",".join(self.scramble), f" faces={self.faces}", f" pruned={self.pruned}"
        return (
            f"<Cube3 scramble={scramble} metric={self.metric} heuristic={self.heuristic_name}{faces}{pruned}>"
        )
