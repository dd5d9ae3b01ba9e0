"""What recording costs: time of `record`, of packing; size of the file.

Searches run in turn; times are CPU time, the least of some rounds.
"""

from collections.abc import Iterator
from time import process_time

from attrs import frozen

from searchkit import load, solve
from searchkit.trace import record
from searchkit.trace.file import pack

CASES = (
    ("random512", "astar"),
    ("random512", "dijkstra"),
    ("random512", "bfs"),
    ("random512", "bidirectional"),
    ("8puzzle", "astar"),
    ("8puzzle", "bfs"),
    ("8puzzle", "idastar"),
)
ROUNDS = 3


@frozen
class Row:
    """The cost of recording one search, in seconds of CPU time."""

    problem: str
    engine: str
    expansions: int
    events: int
    search: float
    """Without a recording."""
    recorded: float
    """With a recording."""
    packing: float
    """Making the bytes of a file, with labels, places and heuristic values."""
    size: int
    """Bytes of the file."""

    @property
    def ratio(self) -> float:
        """The time of `record` to that of the search."""
        return self.recorded / self.search


def measured(cases: tuple[tuple[str, str], ...] = CASES, rounds: int = ROUNDS) -> Iterator[Row]:
    """Yield a row for each case."""
    for name, engine in cases:
        problem, best = load(name), [float("inf")] * 3
        for _ in range(rounds):
            begin = process_time()
            solve(problem, engine, backend="python")
            searched = process_time()
            recording = record(problem, engine)
            recorded = process_time()
            size = len(pack(recording))
            packed = process_time()
            times = (searched - begin, recorded - searched, packed - recorded)
            best = [min(pair) for pair in zip(best, times, strict=True)]
        searching, recording_time, packing = best
        yield Row(
            name,
            engine,
            recording.expansions,
            len(recording),
            searching,
            recording_time,
            packing,
            size,
        )
