"""The Tower of Hanoi."""

from collections.abc import Iterable

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.options import in_range, one_of

HEURISTICS, PEGS = ("discs", "zero"), "ABCDEFGH"

State = tuple[int, ...]
"""The peg of each disc, the smallest first."""


class Hanoi(SearchProblem[State, str]):
    """Move a tower of discs to the last peg, one at a time and none onto a smaller one (Lucas 1883).

    With three pegs it takes 2ⁿ − 1 moves; with four, for which Dudeney (1907) asked, the fewest are known as well
    (Stewart 1941, Frame 1941; Bousch 2014). The action `AC` moves the top disc of peg A to peg C; each costs 1.

    Args:
        discs: the number of discs.
        pegs: the number of pegs.
        start: the peg of each disc, the smallest first, such as `AAB`; "" for all on A.
        heuristic: `discs`, the number of discs that are not on the last peg; or `zero`.

    Raises:
        InvalidOptionError: an option has another value, or `start` does not have a peg for each disc.

    """

    def __init__(self, discs: int = 5, pegs: int = 3, start: str = "", heuristic: str = HEURISTICS[0]):
        self.pegs = in_range("pegs", pegs, 3, len(PEGS))
        discs = in_range("discs", len(start) or discs, 1, 64)
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)
        if not set(start) <= set(PEGS[:pegs]):
            raise InvalidOptionError(
                f"start={start}: expected the peg of each disc, of {', '.join(PEGS[:pegs])}"
            )
        self.start: State = tuple([PEGS.index(peg) for peg in start or PEGS[0] * discs])
        self.goal: State = (pegs - 1,) * discs

    def initial_states(self) -> Iterable[State]:
        """Return the tower."""
        return [self.start]

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

    def __repr__(self) -> str:
        start = "".join(PEGS[peg] for peg in self.start)
        return f"<Hanoi start={start} pegs={self.pegs} heuristic={self.heuristic_name}>"
