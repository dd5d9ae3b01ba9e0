"""The magic tram."""

from collections.abc import Iterable

from searchkit import SearchProblem
from searchkit_classics.options import in_range


class Tram(SearchProblem[int, str]):
    """Go from block 1 to block n of a street in the least time, on foot and by a magic tram (Stanford CS221, "Search").

    A state is the number of a block. `walk` leads from block s to s + 1, in 1 minute; `tram` from s to 2s, in 2.

    Args:
        n: the last block.
        walk: minutes to walk one block.
        tram: minutes of a ride.

    """

    def __init__(self, n: int = 10, walk: int = 1, tram: int = 2):
        self.n = in_range("n", n, 1, 100_000)
        self.walk, self.tram = in_range("walk", walk, 0, 1_000), in_range("tram", tram, 0, 1_000)

    def initial_states(self) -> Iterable[int]:
        """Return block 1."""
        return [1]

    def successors(self, state: int) -> Iterable[tuple[str, int]]:
        """Walk, or take the tram, but not beyond block n."""
        if state + 1 <= self.n:
            yield "walk", state + 1
        if 2 * state <= self.n:
            yield "tram", 2 * state

    def is_goal(self, state: int) -> bool:
        """Whether this is block n."""
        return state == self.n

    def cost(self, state: int, action: str, successor: int) -> int:
        """Return the minutes."""
        return self.walk if action == "walk" else self.tram

    def __repr__(self) -> str:
        return f"<Tram n={self.n} walk={self.walk} tram={self.tram}>"
