"""What a certificate holds, and how it is written to a file: one record per line, nothing that is run or unpickled.

    searchkit certificate 1
    {"status": "solved", "cost": "14", …, "path": 15, "forward": {"radius": "14", "arrivals": 27}, "backward": null}
    0                  the path: which start, then which successor at each step, one per line
    …
    -1 0 0             the arrivals: the parent's record (−1: a start), which of its successors, the cost so far
    0 0 1
    …
    end 44 0a1b…       the number of lines before this one, and their SHA-256

Costs are exact: an integer, a fraction `3/4`, or the shortest decimal that is the same float again; `inf` is infinity.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from attrs import field, frozen

from searchkit.basics.files import read_bytes, replacing
from searchkit.errors import InputFormatError, quoted
from searchkit.problem import Cost

MAGIC, VERSION = "searchkit certificate", "1"
COST = re.compile(r"(-?\d+)(/\d+)?|(\d+(\.\d+)?(e[+-]?\d+)?|inf)", re.ASCII)
LABELS = {"engine": str, "problem": str, "options": dict}
HEADER = {"status": str, "cost": (str, type(None)), "lower_bound": str, "heuristic": bool} | LABELS
Part = TypeVar("Part")

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
        lines = list(_lines(self))
        text = "".join(f"{line}\n" for line in lines).encode("ascii")
        with replacing(Path(path)) as file:
            file.write(text)
            file.write(f"end {len(lines)} {sha256(text).hexdigest()}\n".encode("ascii"))

    @classmethod
    def load(cls, path: str | Path) -> "Certificate":
        """Read it from a file; nothing in the file is run or unpickled.

        Raises `InputFormatError` for a file that can't be read, is not a certificate, was cut short or changed, or has
        a newer format. Takes time and memory linear in the size of the file.
        """
        reader = _Reader(str(path), read_bytes(Path(path)))
        header = reader.parsed("the header, one JSON object", _header)
        reader.check_number_of_lines(header)
        steps = tuple(reader.parsed("a number of the path", _ordinal) for _ in range(header.pop("path")))
        balls = {}
        for name in ("forward", "backward"):
            ball = header.pop(name)
            if ball is not None:
                records = tuple(reader.parsed("an arrival", _record) for _ in range(ball["arrivals"]))
                balls[name] = Ball(ball["radius"], records)
        return cls(path=steps, forward=balls["forward"], backward=balls.get("backward"), **header)


def _lines(certificate: Certificate) -> Iterator[str]:
    yield f"{MAGIC} {VERSION}"
    header = {
        "status": certificate.status,
        "cost": None if certificate.cost is None else cost_text(certificate.cost),
        "lower_bound": cost_text(certificate.lower_bound),
        "heuristic": certificate.heuristic,
        "engine": certificate.engine,
        "problem": certificate.problem,
        "options": dict(certificate.options),
        "path": len(certificate.path),
        "forward": _ball_header(certificate.forward),
        "backward": None if certificate.backward is None else _ball_header(certificate.backward),
    }
    yield json.dumps(header)
    yield from map(str, certificate.path)
    for ball in filter(None, (certificate.forward, certificate.backward)):
        for before, ordinal, cost in ball.arrivals:
            yield f"{before} {ordinal} {cost_text(cost)}"


def _ball_header(ball: Ball) -> dict[str, object]:
    return {"radius": cost_text(ball.radius), "arrivals": len(ball.arrivals)}


def cost_text(cost: Cost) -> str:
    """Return a cost as text, from which `read_cost` makes the same number."""
    if isinstance(cost, Fraction):
        return f"{cost.numerator}/{cost.denominator}"
    return float.__repr__(cost) if isinstance(cost, float) else str(cost)


def read_cost(text: str) -> Cost:
    """Read a cost. Raises ValueError for any other text."""
    match = COST.fullmatch(text)
    if match is None or text.endswith("/0"):
        raise ValueError(
            f"{text[:40]!r} is not a cost; expected an integer, a fraction such as 3/4, a decimal or inf"
        )
    if match[1] is None or "." in text:
        return float(text)
    return Fraction(text) if match[2] else int(text)


class _Reader:
    """The lines of a file whose beginning and end are those of a certificate. Raises `InputFormatError` otherwise."""

    def __init__(self, source: str, contents: bytes):
        self.source, self.number = source, 1
        first = contents.partition(b"\n")[0].decode("ascii", "replace")
        magic, _, version = first.rpartition(" ")
        if magic != MAGIC or not version.isdecimal():
            raise self.fail("this is not a certificate; searchkit solve … --certificate FILE writes one")
        if version != VERSION:
            raise self.fail(
                f"this certificate is of format {version}, and this version of searchkit reads format {VERSION}; check "
                "it with the version that wrote it"
            )
        before, _, end = contents[:-1].rpartition(b"\n")
        if not contents.endswith(b"\n") or not end.startswith(b"end "):
            self.number = contents.count(b"\n") + 1
            raise self.fail("the file ends here without its end line: it was cut short, or lines were added")
        digest, count = sha256(before + b"\n").hexdigest(), before.count(b"\n") + 1
        if end != f"end {count} {digest}".encode("ascii"):
            self.number = count + 1
            raise self.fail(
                "the file was changed: the lines before this one are not those that it was written with"
            )
        try:
            self.lines = before.decode("ascii").split("\n")
        except UnicodeDecodeError as error:
            self.number = before[: error.start].count(b"\n") + 1
            raise self.fail("only ASCII characters belong in a certificate") from None
        self.number = 1

    def fail(self, message: str) -> InputFormatError:
        """Return the error about the line read last."""
        return InputFormatError(message, source=self.source, line=self.number)

    def parsed(self, expected: str, parse: Callable[[str], Part]) -> Part:
        """Return the next line as `parse` reads it; its ValueError becomes an error about the line."""
        self.number += 1
        text = self.lines[self.number - 1] if self.number <= len(self.lines) else ""
        try:
            return parse(text)
        except (ValueError, RecursionError) as error:
            raise self.fail(f"expected {expected}: {error}") from None

    def check_number_of_lines(self, header: dict[str, Any]) -> None:
        """Raise `InputFormatError` unless there are as many lines as the header says."""
        balls = [ball["arrivals"] for ball in (header["forward"], header["backward"]) if ball is not None]
        expected = 2 + header["path"] + sum(balls)
        if expected != len(self.lines):
            raise self.fail(
                f"the header speaks of {expected} lines before the end line, and there are {len(self.lines)}"
            )


def _header(text: str) -> dict[str, Any]:
    header = json.loads(text)
    names = {*HEADER, "path", "forward", "backward"}
    if not isinstance(header, dict) or header.keys() != names:
        raise ValueError(f"it should be an object with the members {', '.join(sorted(names))}")
    for name, kind in HEADER.items():
        if not isinstance(header[name], kind):  # type: ignore[arg-type]  # a type, or a tuple of them
            raise ValueError(f"{name} can't be {header[name]!r}")
    header["cost"] = None if header["cost"] is None else read_cost(header["cost"])
    header["lower_bound"] = read_cost(header["lower_bound"])
    _check_count("path", header["path"])
    for name in ("forward", "backward"):
        ball = header[name]
        if ball is None and name == "backward":
            continue
        if (
            not isinstance(ball, dict)
            or ball.keys() != {"radius", "arrivals"}
            or not isinstance(ball["radius"], str)
        ):
            raise ValueError(f"{name} should be an object of a radius and a number of arrivals")
        ball["radius"] = read_cost(ball["radius"])
        _check_count(f"{name} arrivals", ball["arrivals"])
    return header


def _check_count(name: str, number: object) -> None:
    if type(number) is not int or number < 0:
        raise ValueError(f"{name} should be a number of lines, not {quoted(number)}")


def _ordinal(text: str) -> int:
    if not (text.isdecimal() and text.isascii()):
        raise ValueError(f"{text[:40]!r} is not a whole number ≥ 0")
    return int(text)


def _record(text: str) -> Record:
    parts = text.split(" ")
    if len(parts) != 3:
        raise ValueError(f"{text[:40]!r} is not three numbers")
    before = -1 if parts[0] == "-1" else _ordinal(parts[0])
    return before, _ordinal(parts[1]), read_cost(parts[2])
