"""What a certificate holds, and its file: two lines of text, of which nothing is run or unpickled.

    searchkit certificate 2 0a1b…      the version of the format, and the SHA-256 of all that follows
    {"status":"solved",…,"cost":14,"path":[0,2,…],"forward":{"radius":14,"arrivals":[[-1,0,0],…]},…}

The second line is JSON, with the attributes of `Certificate` and `Ball`. Costs are exact: whole numbers and floats are
numbers, a fraction is a text such as "3/4", and infinity is "inf".
"""

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from attrs import field, frozen

from searchkit.basics.files import read_bytes, write_file
from searchkit.errors import InputFormatError, quoted
from searchkit.problem import Cost

VERSION = "2"
KINDS = {"status": str, "heuristic": bool, "engine": str, "problem": str, "options": dict}
"""The attributes that a file holds as they are, and their types."""

Record: TypeAlias = tuple[int, int, Cost]
"""An arrival: the index of the parent's record (−1 for a start), which of the parent's successors it is, and the cost
so far."""


@frozen
class Ball:
    """Every state that is reached below a radius, each with its least cost so far.

    States are not stored: asking the problem for the same successors in the same order gives them again. The records
    are sorted by the parent's record and then by successor; of several arrivals at a state at the same cost, the first
    one is recorded. So there is exactly one ball of each radius, and no change of it goes unnoticed.
    """

    radius: Cost
    """The least cost so far + heuristic of a step out of the recorded states; infinite if there is no such step."""
    arrivals: tuple[Record, ...] = field(repr=lambda records: f"<{len(records)} records>")


@frozen
class Certificate:
    """The proof of what a search found: a path by its ordinals, and the arrivals that prove the lower bound.

    `certify(problem, certificate)` checks it. See `docs/explanation/certificates.md` for what it proves and why.
    """

    status: str
    """solved if there is a path; unsolvable if the lower bound is infinite; cutoff otherwise."""
    cost: Cost | None
    """The cost of the path; None without a path."""
    lower_bound: Cost
    """No path to a goal costs less: the largest bound that the arrivals prove."""
    path: tuple[int, ...] = field(repr=lambda path: f"<{len(path)} ordinals>")
    """Which start, and then which successor at each step; empty without a path."""
    forward: Ball
    """The states reached from the starts."""
    backward: Ball | None = None
    """The states from which the goals are reached, if the proof is made from both ends."""
    heuristic: bool = False
    """Whether the heuristic is used: then the forward ball holds the states whose cost so far + heuristic is below the
    radius."""
    engine: str = ""
    """The engine that found it. Like `problem` and `options`, it is a label, on which no proof rests."""
    problem: str = ""
    """The kind of problem, if the command line knew it …"""
    options: Mapping[str, object] = field(factory=dict)
    """… and the options that it was read with."""
    shortfall: str = field(default="", eq=False)
    """Why `lower_bound` is less than that of the result, for example that the proof is too large. It is not written to
    files."""

    @property
    def size(self) -> int:
        """How many states the proof rests on: the arrivals that are recorded."""
        return len(self.forward.arrivals) + (0 if self.backward is None else len(self.backward.arrivals))

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all. Raises `OSError`."""
        members = {
            **{name: getattr(self, name) for name in KINDS},
            "options": dict(self.options),
            "cost": None if self.cost is None else _written(self.cost),
            "lower_bound": _written(self.lower_bound),
            "path": self.path,
            "forward": _written_ball(self.forward),
            "backward": None if self.backward is None else _written_ball(self.backward),
        }
        text = json.dumps(members, default=_written, separators=(",", ":"))
        digest = sha256(text.encode()).hexdigest()
        write_file(Path(path), f"searchkit certificate {VERSION} {digest}\n{text}")

    @classmethod
    def load(cls, path: str | Path) -> "Certificate":
        """Read it from a file; nothing in the file is run or unpickled.

        Raises `InputFormatError` for a file that can't be read, is not a certificate, was cut short or changed, or has
        another format. Takes time and memory linear in the size of the file.
        """
        first, _, text = read_bytes(Path(path)).partition(b"\n")
        words = first.decode("ascii", "replace").split(" ")
        if words[:2] != ["searchkit", "certificate"]:
            fault = "this is not a certificate; searchkit solve … --certificate FILE writes one"
        elif words[2:3] != [VERSION]:
            fault = (
                f"this certificate is of format {' '.join(words[2:3])}, and this version of searchkit reads format "
                f"{VERSION}; check it with the version that wrote it"
            )
        elif words[3:] != [sha256(text).hexdigest()]:
            fault = "the file was cut short or changed"
        else:
            try:
                return _certificate(json.loads(text))
            except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
                fault = f"this is not what a certificate holds: {type(error).__name__}: {error}"
        raise InputFormatError(fault, source=str(path))


def _written(cost: Cost) -> Cost | str:
    """Return what stands for a cost in a file."""
    if isinstance(cost, Fraction):
        return f"{cost.numerator}/{cost.denominator}"
    return cost if cost < inf else "inf"


def _written_ball(ball: Ball) -> dict[str, object]:
    return {"radius": _written(ball.radius), "arrivals": ball.arrivals}


def _certificate(members: dict[str, Any]) -> Certificate:
    """Return the certificate with these members. If one is missing or wrong, raises the error that this leads to."""
    for name, kind in KINDS.items():
        if not isinstance(members[name], kind):
            raise ValueError(f"{name} can't be {quoted(members[name])}")
    cost, backward = members["cost"], members["backward"]
    return Certificate(
        **{name: members[name] for name in KINDS},
        cost=None if cost is None else _cost(cost),
        lower_bound=_cost(members["lower_bound"]),
        path=tuple(map(_whole, members["path"])),
        forward=_ball(members["forward"]),
        backward=None if backward is None else _ball(backward),
    )


def _ball(members: dict[str, Any]) -> Ball:
    arrivals = [(_whole(before, -1), _whole(ordinal), _cost(g)) for before, ordinal, g in members["arrivals"]]
    return Ball(_cost(members["radius"]), tuple(arrivals))


def _cost(value: object) -> Cost:
    if isinstance(value, str):
        if value != "inf" and not re.fullmatch(r"\d+/\d+", value, re.ASCII):
            raise ValueError(f"{quoted(value)} is not a fraction")
        return inf if value == "inf" else Fraction(value)
    if type(value) not in (int, float) or not 0 <= value < inf:  # type: ignore[operator]  # a number
        raise ValueError(f"{quoted(value)} is not a cost")
    return value  # type: ignore[return-value]  # a number


def _whole(number: object, least: int = 0) -> int:
    if type(number) is not int or number < least:
        raise ValueError(f"{quoted(number)} is not a whole number ≥ {least}")
    return number
