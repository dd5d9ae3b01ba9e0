"""The 3×3×3 cube."""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property

from searchkit import SearchProblem
from searchkit.plugin import Example, Places, ProblemSpec, option, picture, with_options
from searchkit_classics.cube import (
    ALLOWED,
    FACES,
    HOME,
    MARKS,
    METRIC,
    METRICS,
    START,
    TURNS,
    inverse,
    scrambled,
    stickers,
    turned,
    turns_of,
    unfolded,
)

Pieces = tuple[int, ...]
"""For each of the eight corners and twelve edges, the place of its first sticker (see `cube`); and the number of the
face that was turned last, 6 at the start."""


@with_options
class Cube3(SearchProblem[Pieces, str]):
    """Solve the 3×3×3 cube in the fewest turns: 43,252,003,274,489,856,000 states, none farther than 20 half turns.

    The actions are the turns of the six faces: `U`, `U2`, `U'`, `R`, …, `B'`. Use `idastar`: an engine that holds its
    states runs out of memory if the start is more than about ten turns from solved.

    With `pruned`, a state knows the face that was turned last. That face is not turned again at once, and of two
    opposite faces the second is not turned before the first: 13.3 of 18 turns are left (Korf 1997).
    """

    scramble: str = option("turns such as R U' F2, or how many random ones", default="6")
    seed: int = option("the seed of the random turns", default=0)
    metric: str = option(METRIC, default="half", choices=METRICS)
    heuristic_name: str = option(
        "small, two pattern databases, of three corners and of three edges; zero",
        default="small",
        choices=("small", "zero"),
        alias="heuristic",
    )
    faces: str = option("the faces that can be turned", default="URFDLB")
    pruned: bool = option("whether turns that can't shorten a path are left out", default=True)

    def __attrs_post_init__(self) -> None:
        scrambled(self.scramble, self.seed, self.faces, self.metric)

    @cached_property
    def start(self) -> Pieces:
        """The scrambled cube."""
        return (*turned(HOME, scrambled(self.scramble, self.seed, self.faces, self.metric)), START)

    @cached_property
    def next(self) -> list[list[tuple[str, int, tuple[int, ...]]]]:
        """For each face turned last, the turns that may come next, their faces, and where they take each place."""
        numbered = [
            (name, list(FACES).index(name[0]) if self.pruned else START, turn)
            for name, turn in turns_of(self.faces, self.metric)
        ]
        return [[each for each in numbered if each[1] in (*allowed, START)] for allowed in ALLOWED]

    @cached_property
    def databases(self) -> tuple[bytes, bytes]:
        """The pattern databases of the first corners and of the first edges."""
        metric = "quarter" if self.metric == "quarter" else "half"
        return database(FIRST_CORNER, metric), database(FIRST_EDGE, metric)

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
        corners, edges = self.databases
        return max(corners[index(state, FIRST_CORNER)], edges[index(state, FIRST_EDGE)])

    def goal_states(self) -> Iterable[Pieces]:
        """Return the solved cube, after a turn of each face and without one."""
        return [(*HOME, last) for last in (range(START + 1) if self.pruned else [START])]

    def predecessors(self, state: Pieces) -> Iterable[tuple[str, Pieces]]:
        """Return the cube before each turn of the face that was turned last, after each face that may come before."""
        *places, face = state
        before = [last for last in range(START + 1) if face in ALLOWED[last]] if self.pruned else [START]
        undo = [(name, TURNS[inverse(name)]) for name, number, _ in self.next[START] if number == face]
        return [(name, (*[turn[place] for place in places], last)) for name, turn in undo for last in before]


FIRST_CORNER, FIRST_EDGE = 0, 8
"""Where the pieces of a pattern database begin in a state: three corners, or three edges."""
PIECES, STICKERS = 3, 24
"""The pieces of a database (all positions of more take minutes to find in Python), and the stickers of all corners."""


@cache
def database(first: int, metric: str) -> bytes:
    """Return for each position of three pieces (see `index`) the fewest turns that bring them home.

    Korf, Finding optimal solutions to Rubik's Cube using pattern databases (AAAI 1997). Turns move the other pieces
    too, so the fewest turns of the whole cube are at least as many. No turn changes an entry by more than 1: the
    heuristic is consistent.
    """
    turns = [turn for _, turn in turns_of("".join(FACES), metric)]
    start = HOME[first : first + PIECES]
    fewest, newest = {start: 0}, [start]
    for places in newest:  # breadth-first search
        for turn in turns:
            after = tuple([turn[place] for place in places])
            if after not in fewest:
                fewest[after] = fewest[places] + 1
                newest.append(after)
    entries = bytearray(STICKERS**PIECES)
    for places, count in fewest.items():
        entries[index(places, 0)] = count
    return bytes(entries)


def index(places: Sequence[int], first: int) -> int:
    """Return the index of the places of three pieces, of which the first has this number."""
    one, two, three = places[first], places[first + 1], places[first + 2]
    return (one % STICKERS * STICKERS + two % STICKERS) * STICKERS + three % STICKERS


def places(problem: Cube3) -> Places[Pieces]:
    """Return the unfolded cube."""
    return picture(lambda state: unfolded(3, stickers(state[:-1], range(20))), problem.start, MARKS)


SPEC = ProblemSpec(
    "cube3",
    "the 3×3×3 cube, by idastar and small pattern databases",
    Cube3,
    group="Cubes",
    examples=(
        Example("checkerboard", None, "a pattern of six half turns", {"scramble": "R2,L2,U2,D2,F2,B2"}),
    ),
    small={
        "scramble": ("U2 R2", "R2 U2 R2", "R2 U2 R2 U2 R2", "U2 R2 U2 R2", "0"),
        "metric": ("square",),
        "faces": ("UR",),
    },
    places=places,
)
