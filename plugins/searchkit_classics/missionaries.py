"""Missionaries and cannibals."""

from collections.abc import Iterable

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options
from searchkit_classics.banks import SIDES, banks, fewest_trips

State = tuple[int, int, int]
"""Missionaries and cannibals on the left bank, and 1 if the boat is there, else 0."""


@with_options
class Missionaries(SearchProblem[State, str]):
    """Missionaries and cannibals cross a river in a small boat (Amarel 1968).

    Wherever missionaries are, on a bank or in the boat, they may not be outnumbered by cannibals. A state is
    (missionaries, cannibals, boat) of the left bank, and an action says who crosses. Each crossing costs 1.
    """

    missionaries: int = option("the number of missionaries", default=3, least=0, most=1_000)
    cannibals: int = option("the number of cannibals", default=3, least=0, most=1_000)
    boat: int = option("the most people in the boat", default=2, least=1, most=1_000)
    heuristic_name: str = option(
        "round-trips, which counts the ways back; boatloads, which does not; zero",
        default="round-trips",
        choices=("round-trips", "boatloads", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        if 0 < self.missionaries < self.cannibals or self.missionaries + self.cannibals == 0:
            raise ValueError(
                f"missionaries={self.missionaries}, cannibals={self.cannibals}: expected at least as "
                "many missionaries as cannibals, or none, and at least one person"
            )

    def initial_states(self) -> Iterable[State]:
        """Return the state with everybody on the left."""
        return [(self.missionaries, self.cannibals, 1)]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return the crossings after which missionaries are outnumbered on no bank."""
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
        """Return a lower bound on the crossings that the people on the left need if no missionary is eaten."""
        people = state[0] + state[1]
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "boatloads":
            return -(-people // self.boat)
        return fewest_trips(people, self.boat, state[2] == 1)


def crossing(m: int, c: int, forward: int) -> str:
    """Return the name of an action, such as `→ 1 missionary, 1 cannibal`."""
    who = [f"{m} missionar{'y' if m == 1 else 'ies'}"] * (m > 0) + [f"{c} cannibal{'s' * (c > 1)}"] * (c > 0)
    return f"{'→' if forward else '←'} {', '.join(who)}"


def places(problem: Missionaries) -> Places[State]:
    """Return the banks with M and C; as a graph, the more are across the farther right."""
    marks = SIDES | {
        "M": Mark("M", "#7fd4ff", "missionary", rank=2),
        "C": Mark("C", "#ff8c66", "cannibal", rank=2),
    }
    total_m, total_c = problem.missionaries, problem.cannibals

    def rows(state: State) -> list[str]:
        m, c, here = state
        people = [("M", int(n >= m)) for n in range(total_m)] + [("C", int(n >= c)) for n in range(total_c)]
        return banks(people, not here)

    def label(state: State) -> str:
        m, c, here = state
        return "M" * m + "C" * c + " ▄" * here or "–"

    def position(state: State) -> tuple[float, float]:
        m, c, here = state
        return 2.0 * (total_m + total_c - m - c) - (0 if here else 3), 0.9 * (m - c)

    return picture(rows, (total_m, total_c, 1), marks, label, position)


SPEC = ProblemSpec(
    "missionaries",
    "missionaries and cannibals cross a river: 11 crossings for 3 and 3",
    Missionaries,
    group="Crossings",
    examples=(
        Example(
            "missionaries5", None, "5 and 5 in a boat for 3", {"missionaries": 5, "cannibals": 5, "boat": 3}
        ),
        Example(
            "missionaries4", None, "4 and 4 in a boat for 2: unsolvable", {"missionaries": 4, "cannibals": 4}
        ),
    ),
    small={"missionaries": (3, 2, 4, 5, 6, 1), "cannibals": (3, 2, 4, 1, 5, 6), "boat": (2, 3, 4)},
    places=places,
)
