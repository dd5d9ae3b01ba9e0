"""What a certificate holds."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from attrs import field, frozen

from searchkit.problem import Cost

Record: TypeAlias = tuple[int, int, Cost]
"""An arrival: the record of the state before it (by its index; −1 for a start), which of that state's
successors it is, and the cost so far."""


@frozen
class Ball:
    """Every state that is reached below a radius, each with its least cost so far.

    States are not written down: whoever asks the problem for the same successors in the same order gets them
    again. The records are sorted by the record before them and then by successor, and of several ways to a
    state at the same cost the first stands there. So there is exactly one ball of each radius, and nothing in
    it can be changed unnoticed.
    """

    radius: Cost
    """The least estimate of a step that leads out of the recorded states; infinite where no step does."""
    arrivals: tuple[Record, ...] = field(repr=lambda records: f"<{len(records)} records>")


@frozen
class Certificate:
    """The proof of what a search found: a path by its ordinals, and the arrivals that prove the lower bound.

    `certify(problem, certificate)` checks it. See `docs/explanation/certificates.md` for what it proves and
    why.
    """

    status: str
    """solved, where there is a path; unsolvable, where the lower bound is infinite; cutoff otherwise."""
    cost: Cost | None
    """What the path costs; None where there is none."""
    lower_bound: Cost
    """No path to a goal costs less: the largest bound that the arrivals prove."""
    path: tuple[int, ...] = field(repr=lambda path: f"<{len(path)} ordinals>")
    """Which start, and then which successor at each step; empty where there is no path."""
    forward: Ball
    """The states reached from the starts."""
    backward: Ball | None = None
    """The states from which the goals are reached, where the proof is made from both ends."""
    heuristic: bool = False
    """Whether the heuristic is counted in: the forward ball then holds the states where cost so far +
    heuristic is below the radius."""
    engine: str = ""
    """Who found it. As `problem` and `options` a label, which no proof rests on."""
    problem: str = ""
    """The kind of problem, where the command line knew it …"""
    options: Mapping[str, object] = field(factory=dict)
    """… and the options that it was read with."""

    @property
    def size(self) -> int:
        """How many arrivals are recorded."""
        return len(self.forward.arrivals) + (0 if self.backward is None else len(self.backward.arrivals))

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all. Raises `OSError` where that is not possible."""
        from searchkit.certificates.file import write

        write(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "Certificate":
        """Read it from a file; nothing in the file is run or unpickled.

        Raises `InputFormatError` for a file that can't be read, is no certificate, was cut short or changed, or is of a
        newer format. Takes time and memory linear in the file.
        """
        from searchkit.certificates.file import read

        return read(Path(path))
