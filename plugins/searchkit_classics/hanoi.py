"""The Tower of Hanoi."""

from collections.abc import Iterable
from functools import cached_property

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options

PEGS, MAX_DISCS = "ABCDEFGH", 64

State = tuple[int, ...]
"""The peg of each disc, the smallest first."""


@with_options
class Hanoi(SearchProblem[State, str]):
    """Move a tower of discs to the last peg, one at a time and none onto a smaller one (Lucas 1883).

    With three pegs it takes 2ⁿ − 1 moves; with four, for which Dudeney (1907) asked, the fewest are known as well
    (Stewart 1941, Frame 1941; Bousch 2014). The action `AC` moves the top disc of peg A to peg C; each costs 1.
    """

    discs: int = option("the number of discs", default=5, least=1, most=MAX_DISCS)
    pegs: int = option("the number of pegs", default=3, least=3, most=len(PEGS))
    start: str = option("the peg of each disc, the smallest first, such as AAB; empty: all on A", default="")
    heuristic_name: str = option(
        "discs, how many are not on the last peg; zero",
        default="discs",
        choices=("discs", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        if not set(self.start) <= set(PEGS[: self.pegs]) or len(self.start) > MAX_DISCS:
            raise ValueError(
                f"start={self.start}: expected the peg of each disc, of {', '.join(PEGS[: self.pegs])}"
            )

    @cached_property
    def goal(self) -> State:
        """All discs on the last peg."""
        return (self.pegs - 1,) * (len(self.start) or self.discs)

    def initial_states(self) -> Iterable[State]:
        """Return the tower."""
        return [tuple([PEGS.index(peg) for peg in self.start or PEGS[0] * self.discs])]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return the discs after each move."""
        tops = {peg: disc for disc, peg in reversed(list(enumerate(state)))}
        return [
            (PEGS[peg] + PEGS[other], (*state[:disc], other, *state[disc + 1 :]))
            for peg, disc in sorted(tops.items())
            for other in range(self.pegs)
            if disc < tops.get(other, len(state))
        ]

    def is_goal(self, state: State) -> bool:
        """Whether all discs are on the last peg."""
        return state == self.goal

    def heuristic(self, state: State) -> int:
        """Return the number of discs that are not on the last peg: each has to move."""
        return 0 if self.heuristic_name == "zero" else len(state) - state.count(self.pegs - 1)

    def goal_states(self) -> Iterable[State]:
        """Return the tower on the last peg."""
        return [self.goal]

    def predecessors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return the discs before each move: the same as after the opposite one."""
        return [(move[::-1], before) for move, before in self.successors(state)]


COLOURS = ("#ff6b6b", "#ffb000", "#ffe66d", "#3ddc84", "#7fd4ff", "#b28dff", "#ff8fd8")
EMPTY, PEG, BASE = " |_"
MARKS = {
    EMPTY: Mark(" ", "#14171c"),
    PEG: Mark("│", "#9aa3b2"),
    BASE: Mark("─", "#9aa3b2", "peg"),
    **{
        str(number): Mark("█", colour, "disc" * (number == 0), rank=1)
        for number, colour in enumerate(COLOURS)
    },
}


def places(problem: Hanoi) -> Places[State]:
    """Return the pegs from the side; and for three pegs where a state is in the triangle of all states."""
    high = len(problem.goal)
    wide = 2 * high + 1

    def rows(state: State) -> list[str]:
        towers = [[disc for disc, on in enumerate(state) if on == peg] for peg in range(problem.pegs)]
        found = []
        for level in range(high, -1, -1):
            row = []
            for tower in towers:
                disc = tower[len(tower) - 1 - level] if level < len(tower) else None
                key = PEG if disc is None else str(disc % len(COLOURS)) * (2 * disc + 3)
                row.append(key.center(wide))
            found.append(EMPTY.join(row))
        return [*found, BASE * len(found[0])]

    def position(state: State) -> tuple[float, float]:
        """Return where the graph of all states, which looks like Sierpinski's triangle, is drawn without crossings."""
        x, y, corners = 0.0, 0.0, [(-1.0, 0.0), (0.0, 3**0.5), (1.0, 0.0)]
        for disc in range(high - 1, -1, -1):
            peg = state[disc]
            x, y = x + 2**disc * corners[peg][0], y + 2**disc * corners[peg][1]
            one, other = (number for number in range(3) if number != peg)
            corners[one], corners[other] = corners[other], corners[one]
        return x, y

    def label(state: State) -> str:
        return "".join(PEGS[peg] for peg in state)

    [start] = problem.initial_states()
    return picture(rows, start, MARKS, label, position if problem.pegs == 3 else None)


SPEC = ProblemSpec(
    "hanoi",
    "the Tower of Hanoi, with three pegs or more",
    Hanoi,
    group="Permutations",
    examples=(
        Example("reve", None, "Dudeney's Reve's puzzle: 8 discs, 4 pegs, 33 moves", {"discs": 8, "pegs": 4}),
    ),
    small={"start": ("AAA", "AB", "CAB", "BAC", "AACB", "CC"), "pegs": (3, 4)},
    places=places,
)
