"""The bridge and the torch."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from searchkit import SearchProblem
from searchkit_classics.crossings.trips import fewest_trips
from searchkit_classics.options import in_range, numbers, one_of

HEURISTICS = ("returns", "pairs", "slowest", "zero")

State = tuple[int, ...]
"""The side of the torch and of each person: 0 for the left one, 1 for the right one."""


class Bridge(SearchProblem[State, tuple[int, ...]]):
    """People cross a bridge at night with one torch, at most two at a time, in the least time (Rote 2002).

    Whoever crosses needs the torch, and a group is as fast as the slowest in it. A state has the side of the torch and
    of each person, 0 or 1. An action is the times of those who cross, and costs the largest of them.

    Args:
        times: the minutes that each person needs, such as `1,2,5,10`.
        room: the most people on the bridge.
        heuristic: `slowest`, the time of the slowest who has not crossed; `pairs`, the sum of the slowest, the third
            slowest and so on, who can't all walk together; `returns`, this and the fastest for each way back; `zero`.

    """

    def __init__(
        self, times: str | Sequence[int] = (1, 2, 5, 10), room: int = 2, heuristic: str = HEURISTICS[0]
    ):
        self.times = numbers("times", times, least=1)
        self.room = in_range("room", room, 2, 1_000)
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)

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

    def __repr__(self) -> str:
        times = ",".join(map(str, self.times))
        return f"<Bridge times={times} room={self.room} heuristic={self.heuristic_name}>"
