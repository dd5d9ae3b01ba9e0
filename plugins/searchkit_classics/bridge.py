"""The bridge and the torch."""

from collections.abc import Iterable
from itertools import combinations

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options
from searchkit_classics.banks import DECK, LAND, TORCH, WIDE, fewest_trips, spread

State = tuple[int, ...]
"""The side of the torch and of each person: 0 for the left one, 1 for the right one."""


@with_options
class Bridge(SearchProblem[State, tuple[int, ...]]):
    """People cross a bridge at night with one torch, at most two at a time, in the least time (Rote 2002).

    A crossing needs the torch, and a group is as fast as the slowest in it. A state has the side of the torch and
    of each person, 0 or 1. An action is the times of those who cross, and costs the largest of them.

    The heuristics are the time of the slowest who has not crossed; the sum of the slowest, the third slowest and so on,
    who can't all walk together; and this and the fastest for each way back.
    """

    times: tuple[int, ...] = option(
        "the minutes that each person needs", default=(1, 2, 5, 10), least=1, most=1_000
    )
    room: int = option("the most people on the bridge", default=2, least=2, most=1_000)
    heuristic_name: str = option(
        "returns, with the ways back; pairs, without; slowest, the slowest person; zero",
        default="returns",
        choices=("returns", "pairs", "slowest", "zero"),
        alias="heuristic",
    )

    def initial_states(self) -> Iterable[State]:
        """Return the state with all on the left."""
        return [(0,) * (1 + len(self.times))]

    def successors(self, state: State) -> Iterable[tuple[tuple[int, ...], State]]:
        """Return the crossings of every group that is where the torch is."""
        torch, *sides = state
        there = [person for person, side in enumerate(sides) if side == torch]
        for size in range(1, self.room + 1):
            for group in combinations(there, size):
                after = (1 - side if person in group else side for person, side in enumerate(sides))
                yield tuple(self.times[person] for person in group), (1 - torch, *after)

    def is_goal(self, state: State) -> bool:
        """Whether all are on the right."""
        return all(state)

    def cost(self, state: State, action: tuple[int, ...], successor: State) -> int:
        """Return the time of the slowest."""
        return max(action)

    def heuristic(self, state: State) -> float:
        """Return a lower bound on the time that is left."""
        waiting = sorted(
            (time for time, side in zip(self.times, state[1:], strict=True) if side == 0), reverse=True
        )
        if self.heuristic_name == "zero" or all(state):
            return 0
        if self.heuristic_name == "slowest":
            return max(waiting, default=0)
        groups = sum(waiting[:: self.room])
        if self.heuristic_name == "pairs":
            return groups
        return groups + fewest_trips(len(waiting), self.room, state[0] == 0) // 2 * min(self.times)


MARKS = {
    LAND: Mark(" ", "#24452f", "ground"),
    " ": Mark(" ", "#14171c"),
    DECK: Mark("═", "#7a5230", "bridge"),
    TORCH: Mark("†", "#ffb000", "torch", rank=2),
    **{
        digit: Mark(digit, "#7fd4ff", "minutes of a person" * (digit == "1"), rank=2)
        for digit in "1234567890"
    },
}


def places(problem: Bridge) -> Places[State]:
    """Return the two sides with the times of all people and the torch; as a graph, as `river`."""
    times = [str(time) for time in problem.times]
    wide = max(map(len, times))

    def row(text: str, side: int, middle: str) -> str:
        left, right = (LAND * wide, text.ljust(wide, LAND)) if side else (text.rjust(wide, LAND), LAND * wide)
        return left + middle + right

    def rows(state: State) -> list[str]:
        torch, *sides = state
        decks = [(DECK if number == len(times) // 2 else " ") * WIDE for number in range(len(times))]
        return [row(TORCH, torch, " " * WIDE), *map(row, times, sides, decks)]

    def label(state: State) -> str:
        left, right = (
            " ".join(
                ["†"] * (state[0] == side) + [t for t, s in zip(times, state[1:], strict=True) if s == side]
            )
            for side in (0, 1)
        )
        return f"{left or '–'} ═ {right or '–'}"

    return picture(rows, (0,) * (1 + len(times)), MARKS, label, spread)


SPEC = ProblemSpec(
    "bridge",
    "people cross a bridge at night with one torch: 17 minutes for 1, 2, 5 and 10",
    Bridge,
    group="Crossings",
    examples=(Example("bridge5", None, "five people, 29 minutes", {"times": "1,3,6,8,12"}),),
    small={"times": ((1, 2, 5), (1, 2), (4, 1, 2, 8), (3, 3, 1), (2, 7, 5, 5)), "room": (2, 3)},
    places=places,
)
