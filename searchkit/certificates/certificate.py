"""What a certificate holds, and how it is written to a file: one record per line, nothing that is run or unpickled.

    searchkit certificate 1
    {"status": "solved", "cost": "14", …, "path": 15, "forward": {"radius": "14", "arrivals": 27}, "backward": null}
    0                  the path: which start, then which successor at each step, one per line
    …
    -1 0 0             the arrivals: the parent's record (−1: a start), which of its successors, the cost so far
    0 0 1
    …
    end 44 0a1b…       the number of lines before this one, and their SHA-256

A certificate of layers has format 2: its header has "layers": 53 instead of "forward" and "backward", and instead of
the arrivals there is a line for each layer: the number of its states, and its digest in 32 hexadecimal digits. In
format 3, the cost so far of its states stands before them.

Costs are exact: an integer, a fraction `3/4`, or the shortest decimal that is the same float again; `inf` is infinity.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from attrs import field, frozen

from searchkit.basics.files import read_bytes, replacing
from searchkit.errors import InputFormatError
from searchkit.problem import Cost

MAGIC = "searchkit certificate"
ARRIVALS, LAYERS, COSTS = 1, 2, 3
"""The formats: a certificate of arrivals, one of layers, and one of layers of certain costs. Each is written in the
lowest format that can hold it."""
COST = re.compile(r"(-?\d+)(/\d+)?|(\d+(\.\d+)?(e[+-]?\d+)?|inf)", re.ASCII)
LABELS = {"engine": str, "problem": str, "options": dict}
HEADER = {"status": str, "cost": (str, type(None)), "lower_bound": str, "heuristic": bool} | LABELS
END = "the end line"
LAYER = re.compile(r"((\d{1,29}) )?([1-9]\d{0,29}) ([0-9a-f]{32})", re.ASCII)
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
class Layer:
    """All states with the same least cost so far."""

    states: int
    """How many there are."""
    digest: int
    """128 bits that do not depend on their order: see `searchkit.certificates.layers.digest_of`."""


NOTHING = Ball(0, ())
"""The ball of a certificate of layers."""


@frozen
class Certificate:
    """The proof of what a search found: a path by its ordinals, and the arrivals that prove the lower bound.

    Instead of arrivals, of which there may be too many for a file, it can have `layers`, which the checker makes again.

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
    radius, and layers hold those for which it is below the bound."""
    engine: str = ""
    """The engine that found it. Like `problem` and `options`, it is a label, on which no proof rests."""
    problem: str = ""
    """The kind of problem, if the command line knew it …"""
    options: Mapping[str, object] = field(factory=dict)
    """… and the options that it was read with."""
    layers: tuple[Layer, ...] = field(default=(), repr=lambda layers: f"<{len(layers)} layers>")
    """The layers from the starts on, in which there is no goal; empty if the proof is made of arrivals."""
    costs: tuple[int, ...] = field(default=(), repr=lambda costs: f"<{len(costs)} costs>")
    """The cost so far of each layer, whole numbers ≥ 0; empty if every action costs 1, no heuristic is used, and the
    costs are therefore 0, 1, 2 …"""

    @property
    def size(self) -> int:
        """How many states the proof rests on: the arrivals that are recorded, or the states of the layers."""
        if self.layers:
            return sum(layer.states for layer in self.layers)
        return len(self.forward.arrivals) + (0 if self.backward is None else len(self.backward.arrivals))

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all. Raises `OSError`."""
        digest, count = sha256(), 0
        with replacing(Path(path)) as file:
            for line in _lines(self):
                written = f"{line}\n".encode("ascii")
                file.write(written)
                digest.update(written)
                count += 1
            file.write(f"end {count} {digest.hexdigest()}\n".encode("ascii"))

    @classmethod
    def load(cls, path: str | Path) -> "Certificate":
        """Read it from a file; nothing in the file is run or unpickled.

        Raises `InputFormatError` for a file that can't be read, is not a certificate, was cut short or changed, or has
        a newer format. Takes time and memory linear in the size of the file.
        """
        reader = _Reader(Path(path))
        version = _read_magic(reader)
        header = reader.parsed("the header, one JSON object", partial(_header, version))
        steps = tuple(reader.parsed("a number of the path", _ordinal) for _ in range(header.pop("path")))
        if version != ARRIVALS:
            lines = [reader.parsed("a layer", partial(_layer, version)) for _ in range(header.pop("layers"))]
            _check_end(reader)
            layers = tuple(layer for layer, _ in lines)
            costs = tuple(cost for _, cost in lines if cost is not None)
            return cls(path=steps, forward=NOTHING, layers=layers, costs=costs, **header)
        balls = {}
        for name in ("forward", "backward"):
            ball = header.pop(name)
            if ball is not None:
                records = tuple(reader.parsed("an arrival", _record) for _ in range(ball["arrivals"]))
                balls[name] = Ball(ball["radius"], records)
        _check_end(reader)
        return cls(path=steps, forward=balls["forward"], backward=balls.get("backward"), **header)


def _lines(certificate: Certificate) -> Iterator[str]:
    yield f"{MAGIC} {COSTS if certificate.costs else LAYERS if certificate.layers else ARRIVALS}"
    header: dict[str, object] = {
        "status": certificate.status,
        "cost": None if certificate.cost is None else cost_text(certificate.cost),
        "lower_bound": cost_text(certificate.lower_bound),
        "heuristic": certificate.heuristic,
        "engine": certificate.engine,
        "problem": certificate.problem,
        "options": dict(certificate.options),
        "path": len(certificate.path),
    }
    if certificate.layers:
        yield json.dumps({**header, "layers": len(certificate.layers)})
        yield from map(str, certificate.path)
        costs = [f"{number} " for number in certificate.costs] or [""] * len(certificate.layers)
        for text, layer in zip(costs, certificate.layers, strict=True):
            yield f"{text}{layer.states} {layer.digest:032x}"
        return
    header["forward"] = _ball_header(certificate.forward)
    header["backward"] = None if certificate.backward is None else _ball_header(certificate.backward)
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
    """The lines of a file, read one at a time, counted and hashed."""

    def __init__(self, path: Path):
        self.source, self.number, self.digest = str(path), 0, sha256()
        self._file = BytesIO(read_bytes(path))

    def fail(self, message: str) -> InputFormatError:
        """Return the error about the line read last."""
        return InputFormatError(message, source=self.source, line=self.number)

    def line(self, expected: str) -> str:
        """Return the next line. Raises `InputFormatError` at the end of the file; `expected` is for the message."""
        raw = self._file.readline()
        self.number += 1
        if not raw.endswith(b"\n"):
            raise self.fail(f"the file ends here, where {expected} was expected: it was cut short")
        self.before_line = self.digest.copy() if expected == END else self.digest
        self.digest.update(raw)
        try:
            return raw[:-1].decode("ascii")
        except UnicodeDecodeError:
            raise self.fail(f"these characters do not belong in a certificate; expected {expected}") from None

    def parsed(self, expected: str, parse: Callable[[str], Part]) -> Part:
        """Return the next line as `parse` reads it; its ValueError becomes an error about the line."""
        text = self.line(expected)
        try:
            return parse(text)
        except (ValueError, RecursionError) as error:
            raise self.fail(f"expected {expected}: {error}") from None

    def at_end(self) -> bool:
        """Whether nothing follows."""
        return not self._file.read(1)


def _check_end(reader: _Reader) -> None:
    """Read the end line. Raises `InputFormatError` unless it fits the lines before it, and nothing follows."""
    lines = reader.number
    end = reader.line(END)
    if end != f"end {lines} {reader.before_line.hexdigest()}":
        if not end.startswith("end "):
            raise reader.fail(f"expected {END}: the header speaks of no more lines than were before this one")
        raise reader.fail(
            "the file was changed: the lines before this one are not those that it was written with"
        )
    if not reader.at_end():
        raise reader.fail("the file goes on after its end line")


def _read_magic(reader: _Reader) -> int:
    versions = (ARRIVALS, LAYERS, COSTS)
    expected = " or ".join(f"“{MAGIC} {version}”" for version in versions)
    try:
        first = reader.line(expected)
    except InputFormatError:
        first = ""
    magic, _, version = first.rpartition(" ")
    if magic != MAGIC or not version.isdecimal():
        raise reader.fail("this is not a certificate; searchkit solve … --certificate FILE writes one")
    if version not in map(str, versions):
        raise reader.fail(
            f"this certificate is of format {version}, and this version of searchkit reads formats {ARRIVALS} to "
            f"{COSTS}; check it with the version that wrote it"
        )
    return int(version)


def _header(version: int, text: str) -> dict[str, Any]:
    header = json.loads(text)
    names = {*HEADER, "path", *(("forward", "backward") if version == ARRIVALS else ("layers",))}
    if not isinstance(header, dict) or header.keys() != names:
        raise ValueError(f"it should be an object with the members {', '.join(sorted(names))}")
    for name, kind in HEADER.items():
        if not isinstance(header[name], kind):  # type: ignore[arg-type]  # a type, or a tuple of them
            raise ValueError(f"{name} can't be {header[name]!r}")
    header["cost"] = None if header["cost"] is None else read_cost(header["cost"])
    header["lower_bound"] = read_cost(header["lower_bound"])
    _count("path", header["path"])
    if version != ARRIVALS:
        _count("layers", header["layers"])
        if not header["layers"]:
            raise ValueError("layers should be at least 1: the starts are the first one")
        return header
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
        _count(f"{name} arrivals", ball["arrivals"])
    return header


def _count(name: str, number: object) -> None:
    if type(number) is not int or number < 0:
        raise ValueError(f"{name} should be a number of lines, not {number!r}")


def _ordinal(text: str) -> int:
    if not (text.isdecimal() and text.isascii()):
        raise ValueError(f"{text[:40]!r} is not a whole number ≥ 0")
    return int(text)


def _layer(version: int, text: str) -> tuple[Layer, int | None]:
    """Return a layer, and its cost if the format has it."""
    match = LAYER.fullmatch(text)
    if match is None or (match[2] is None) != (version == LAYERS):
        cost = "" if version == LAYERS else "a cost, "
        raise ValueError(
            f"{text[:40]!r} is not {cost}a number of states ≥ 1 and a digest of 32 hexadecimal digits"
        )
    return Layer(int(match[3]), int(match[4], 16)), None if match[2] is None else int(match[2])


def _record(text: str) -> Record:
    parts = text.split(" ")
    if len(parts) != 3:
        raise ValueError(f"{text[:40]!r} is not three numbers")
    before = -1 if parts[0] == "-1" else _ordinal(parts[0])
    return before, _ordinal(parts[1]), read_cost(parts[2])
