"""Missionaries and cannibals."""

from collections.abc import Iterable

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.crossings.trips import fewest_trips
from searchkit_classics.options import in_range, one_of

HEURISTICS = ("round-trips", "boatloads", "zero")

State = tuple[int, int, int]
"""Missionaries and cannibals on the left bank, and 1 if the boat is there, else 0."""


class Missionaries(SearchProblem[State, str]):
    """Missionaries and cannibals cross a river in a small boat (Amarel 1968).

    Wherever missionaries are, on a bank or in the boat, they may not be outnumbered by cannibals. A state is
    (missionaries, cannibals, boat) of the left bank, and an action says who crosses. Each crossing costs 1.

    Args:
        missionaries: how many have to cross.
        cannibals: the number of cannibals.
        boat: the most people in the boat.
        heuristic: `round-trips` counts that someone has to row back, `boatloads` does not, `zero` is none.

    """

    def __init__(
        self, missionaries: int = 3, cannibals: int = 3, boat: int = 2, heuristic: str = HEURISTICS[0]
    ):
        self.missionaries = in_range("missionaries", missionaries, 0, 1_000)
        self.cannibals = in_range("cannibals", cannibals, 0, 1_000)
        self.boat = in_range("boat", boat, 1, 1_000)
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)
        in_range("missionaries + cannibals", missionaries + cannibals, 1, 2_000)
        if 0 < missionaries < cannibals:
            raise InvalidOptionError(
                f"missionaries={missionaries}, cannibals={cannibals}: expected at least as many missionaries, or none"
            )

    def initial_states(self) -> Iterable[State]:
        """Return the state with everybody on the left."""
        return [(self.missionaries, self.cannibals, 1)]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return the crossings after which nobody is eaten."""
        left_m, left_c, here = state
        sign = -1 if here else 1
        for people in range(1, self.boat + 1):
            for m in range(people, -1, -1):
                c = people - m
                after = left_m + sign * m, left_c + sign * c, 1 - here
                if (m == 0 or m >= c) and self.is_safe(*after):
                    yield crossing(m, c, here), after

    def is_safe(self, m: int, c: int, boat: int) -> bool:
        """Whether a state exists, and missionaries are outnumbered on no bank."""
        other_m, other_c = self.missionaries - m, self.cannibals - c
        return (
            min(m, c, other_m, other_c) >= 0 and (m == 0 or m >= c) and (other_m == 0 or other_m >= other_c)
        )

    def is_goal(self, state: State) -> bool:
        """Whether everybody is on the right."""
        return state == (0, 0, 0)

    def heuristic(self, state: State) -> float:
        """Return a lower bound on the crossings that the people on the left need if nobody is eaten."""
        people = state[0] + state[1]
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "boatloads":
            return -(-people // self.boat)
        return fewest_trips(people, self.boat, state[2] == 1)

    def __repr__(self) -> str:
        return (
            f"<Missionaries missionaries={self.missionaries} cannibals={self.cannibals} boat={self.boat} "
            f"heuristic={self.heuristic_name}>"
        )


def crossing(m: int, c: int, forward: int) -> str:
    """Return the name of an action, such as `→ 1 missionary, 1 cannibal`."""
    who = [f"{m} missionar{'y' if m == 1 else 'ies'}"] * (m > 0) + [f"{c} cannibal{'s' * (c > 1)}"] * (c > 0)
    return f"{'→' if forward else '←'} {', '.join(who)}"
