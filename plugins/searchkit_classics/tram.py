"""The magic tram."""

from collections.abc import Iterable
from math import cos, pi, sin

from searchkit import SearchProblem
from searchkit.plugin import Drawing, Example, Mark, Places, ProblemSpec, option, with_options


@with_options
class Tram(SearchProblem[int, str]):
    """Go from block 1 to block n of a street in the least time, on foot and by a magic tram (Stanford CS221, "Search").

    A state is the number of a block. `walk` leads from block s to s + 1, in 1 minute; `tram` from s to 2s, in 2.
    """

    n: int = option("the last block", default=10, least=1, most=100_000)
    walk: int = option("the minutes to walk one block", default=1, least=0, most=1_000)
    tram: int = option("the minutes of a ride", default=2, least=0, most=1_000)

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


STREET = {
    ".": Mark("·", "#3b414d", "block"),
    "x": Mark("░", "#2f74c0", "expanded", rank=1),
    "*": Mark("●", "#ffd23f", "path", rank=2),
    "S": Mark("S", "#3ddc84", "start", rank=3),
    "G": Mark("G", "#ff5c7a", "goal", rank=3),
}


def places(problem: Tram) -> Places[int]:
    """Return the street from left to right; as a graph, an arc on which rides are chords."""
    ends = "S" + "." * (problem.n - 2) + "G"

    def position(block: int) -> tuple[float, float]:
        angle = pi * (block - 1) / max(problem.n - 1, 1)
        return -cos(angle), sin(angle)

    return Places(
        Drawing([ends[: problem.n]], STREET),
        cells=lambda block: ((block - 1, 0),),
        expanded={".": "x"},
        path={".": "*"},
        position=position,
    )


SPEC = ProblemSpec(
    "tram",
    "from block 1 to block n of a street, on foot or by a tram that doubles the number: 6 minutes to 10",
    Tram,
    group="Routes",
    examples=(Example("tram100", None, "to block 100", {"n": 100}),),
    small={"n": range(2, 24), "walk": (1, 0, 2, 3), "tram": (2, 1, 0, 4)},
    places=places,
)
