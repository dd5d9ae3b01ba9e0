"""Recordings in `.trace` files. `docs/reference/formats.md` describes the format.

A file may be damaged, or come from somebody else: it has a checksum, and nothing in it is run.
"""

import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate, chain, compress
from operator import sub
from pathlib import Path
from typing import Any

from searchkit.basics.files import read_bytes
from searchkit.errors import InputFormatError, InvalidOptionError, shortened
from searchkit.plugin.drawing import Drawing, Mark
from searchkit.problem import Cost
from searchkit.trace.appearance import FORWARD, OWN, Appearance
from searchkit.trace.recording import IMPROVE, NOTE, REACH, REOPEN, Events, Note, Recording

MAGIC, VERSION = b"searchkit-trace\n", 4
BEGIN = len(MAGIC) + 4 + sha256().digest_size
"""The length of what comes before the deflated contents: magic, version, SHA-256."""
MAX_BYTES = 1 << 28
"""Of the contents, before they are deflated."""
SMALL = range(-(1 << 30), 1 << 30)
"""Whole numbers that fit into a column of them; exact numbers beyond are written as texts."""
MAX_NODES_WITH_EDGES = 500
MAX_BOARDS = 20_000
"""If no state has a place, as in a puzzle, recordings of more nodes have no map either: the labels say all."""
MAX_ACTION, MAX_LABEL = 200, 2_000
"""Characters of an action and of a label."""
MEMBERS: Mapping[str, type] = {
    "title": str,
    "engine": str,
    "summary": str,
    "status": str,
    "options": dict,
    "warnings": list,
    "unrecorded": int,
    "reached": int,
}
"""Members of the header that are attributes of the recording, and their types."""


def read_number(text: str) -> Cost:
    """Read what `str` wrote of an int, a float or a `Fraction`. Raises ValueError for any other text."""
    if "/" in text:
        return Fraction(text)
    return int(text) if text.removeprefix("-").isdecimal() else float(text)


ARRIVALS = bytes(kind in (REACH, IMPROVE, REOPEN) for kind in range(256))
"""The table for `bytes.translate` that makes 1 of the kinds of arrivals, and 0 of all others."""


# Writing


class Writer:
    """A file that is being written: its header, and its columns of numbers and texts."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {"columns": []}
        self._data: list[bytes] = []

    def _column(self, name: str, code: str, data: bytes) -> None:
        self.header["columns"].append([name, code, len(data)])
        self._data.append(data)

    def _array(self, name: str, numbers: "array[Any]") -> None:
        """Add a column of numbers: first the lowest bytes of all of them, so that equal bytes stand together."""
        if sys.byteorder == "big":
            numbers.byteswap()
        raw, size = numbers.tobytes(), numbers.itemsize
        self._column(name, numbers.typecode, b"".join(raw[byte::size] for byte in range(size)))

    def whole(self, name: str, values: Sequence[int]) -> None:
        """Add a column of whole numbers, each as the difference to the one before it, in one, two or four bytes."""
        steps = list(map(sub, values, chain((0,), values)))
        for code in "bhi":
            with suppress(OverflowError):
                return self._array(name, array(code, steps))
        raise InvalidOptionError(f"the recording has a number in {name} that is too large for a file")

    def texts(self, name: str, values: Iterable[str]) -> None:
        """Add a column of texts, with a zero byte after each."""
        text = "".join([f"{value.replace(chr(0), chr(0xFFFD))}\0" for value in values])
        self._column(name, "t", text.encode("utf-8", "replace"))

    def numbers(self, name: str, values: Sequence[Any]) -> None:
        """Add a column of exact numbers: small whole ones, floats, or any as texts."""
        kinds = set(map(type, values))
        if kinds <= {int} and all(value in SMALL for value in values):
            self.whole(name, values)
        elif kinds == {float}:
            self._array(name, array("d", values))
        else:
            self.texts(name, map(str, values))

    def contents(self) -> bytes:
        """Return the length of the header, the header and the columns."""
        header = json.dumps(self.header, separators=(",", ":")).encode()
        return b"".join((len(header).to_bytes(4, "little"), header, *self._data))


def pack(recording: Recording[Any, Any]) -> bytes:
    """Return a recording as the bytes of a `.trace` file.

    Raises `InvalidOptionError` if it is too large for a file; also what the heuristic of the problem raises.
    """
    writer = Writer()
    writer.header |= {
        **{name: getattr(recording, name) for name in MEMBERS},
        "cost": None if recording.cost is None else str(recording.cost),
        "weight": None if recording.weight is None else str(recording.weight),
        "nodes": recording.nodes,
        "goal": -1 if recording.goal is None else recording.goal,
        "notes": _notes(recording),
    }
    _write_events(recording, writer)
    _write_nodes(recording, writer)
    contents = writer.contents()
    if len(contents) > MAX_BYTES:
        raise InvalidOptionError(
            f"the recording has {len(recording):,} events, which take more than the {MAX_BYTES:,} bytes of a file; "
            "record fewer expansions (cap=…)"
        )
    deflated = zlib.compress(contents)
    return b"".join((MAGIC, VERSION.to_bytes(4, "little"), sha256(deflated).digest(), deflated))


def _write_events(recording: Recording[Any, Any], writer: Writer) -> None:
    events, kinds = recording.events, bytes(recording.events.kind)
    arrivals = kinds.translate(ARRIVALS)
    actions = ["" if action is None else str(action) for action in compress(events.action, arrivals)]
    index = {text: number for number, text in enumerate(dict.fromkeys(["", *actions]))}
    writer.header["actions"] = [shortened(text, MAX_ACTION) for text in index]
    writer.whole("kind", kinds)
    writer.whole("node", events.node)
    writer.whole("parent", list(compress(events.parent, arrivals)))
    writer.numbers("g", list(compress(events.g, arrivals)))
    writer.whole("action", list(map(index.__getitem__, actions)))
    writer.whole("generated", recording.generated)


def _notes(recording: Recording[Any, Any]) -> list[dict[str, Any]]:
    """Return the notes as JSON can hold them."""
    nodes: dict[Any, int] = {}
    if recording.notes:
        for node, (state, half) in enumerate(zip(recording.states, recording.halves, strict=True)):
            if half != OWN:
                nodes.setdefault(state, node)

    def plain(name: str, value: Any) -> Any:
        if name in ("state", "node", "parent") and value.__hash__ is not None and value in nodes:
            return {"node": nodes[value]}
        if isinstance(value, Mapping | str | int | None):  # a mapping is a node, in a recording from a file
            return value
        return len(value) if isinstance(value, tuple) else shortened(str(value), MAX_LABEL)

    return [
        {
            "kind": note.kind,
            "text": note.text,
            "facts": {name: plain(name, value) for name, value in note.facts.items()},
            "cells": list(note.cells),
        }
        for note in recording.notes
    ]


def _write_nodes(recording: Recording[Any, Any], writer: Writer) -> None:
    """Write how the nodes look."""
    appearance, nodes, halves = recording.appearance, range(recording.nodes), recording.halves
    if any(halves):
        writer.whole("half", halves)
    if recording.weight is not None:
        values = [appearance.h(node) if halves[node] == FORWARD else 0 for node in nodes]
        if None not in values:
            writer.numbers("h", values)
    if nodes and appearance.position(0) is not None:
        writer.header["positions"] = [appearance.position(node) or (0.0, 0.0) for node in nodes]
    if recording.nodes <= MAX_NODES_WITH_EDGES:
        tree = set(zip(recording.events.parent, recording.events.node, strict=True))
        writer.header["edges"] = [edge for edge in dict.fromkeys(appearance.edges()) if edge not in tree]
    rows = list(map(appearance.cells, nodes))
    writer.header["bodies"] = bodies = max(map(len, rows), default=0)
    writer.header["map"] = None
    ground = appearance.ground
    labels = list(map(appearance.label, nodes))
    if ground is not None and (bodies or recording.nodes <= MAX_BOARDS):
        _write_map(recording, writer, ground)
        cells = list(chain.from_iterable([*row, *[-1] * (bodies - len(row))] for row in rows))
        writer.whole("cells", cells)
        if bodies == 1 and labels == [f"({cell % ground.width}, {cell // ground.width})" for cell in cells]:
            return
    writer.texts("labels", [shortened(label, MAX_LABEL) for label in labels])


def _write_map(recording: Recording[Any, Any], writer: Writer, ground: Drawing) -> None:
    """Write the map, and what changes on it."""
    appearance = recording.appearance
    writer.header["map"] = {
        "rows": ground.rows,
        "marks": {key: [m.glyph, m.colour, m.label, m.rank] for key, m in ground.marks.items()},
        "hexagonal": ground.hexagonal,
    }
    if appearance.changes:
        writer.header["changes"] = [list(appearance.changes(node).items()) for node in range(recording.nodes)]


# Reading


def load_recording(path: str | Path) -> Recording[Any, Any]:
    """Read a recording from a `.trace` file; nothing in the file is run or unpickled.

    Nodes have their labels, places and heuristic values, but no states; `result` and `problem` are None. Raises
    `InputFormatError` if the file can't be read, is not a recording, was cut short or changed, or has another format.
    """
    file = Path(path)
    return unpack(read_bytes(file), str(file))


def unpack(data: bytes, source: str = "") -> Recording[Any, Any]:
    """Return the recording that the bytes of a `.trace` file hold. Raises `InputFormatError`, which names `source`."""
    try:
        return _recording(Reader(_contents(data)))
    except Exception as error:  # whatever its parts are instead
        reason = f"{error}" if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise InputFormatError(f"not a valid recording: {reason}", source=source) from error


def _contents(data: bytes) -> bytes:
    """Return the inflated contents of a file."""
    if not data.startswith(MAGIC):
        raise ValueError("it does not begin with searchkit-trace; searchkit watch … -o FILE.trace writes one")
    version = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4], "little")
    if len(data) >= BEGIN and version != VERSION:
        raise ValueError(
            f"it has format {version}, and this version of searchkit reads format {VERSION}; open it with the version "
            "that wrote it, or record the search again"
        )
    if sha256(data[BEGIN:]).digest() != data[len(MAGIC) + 4 : BEGIN]:
        raise ValueError("it is cut short or was changed: its checksum does not match")
    stream = zlib.decompressobj()
    contents = stream.decompress(data[BEGIN:], MAX_BYTES + 1)
    if len(contents) > MAX_BYTES or not stream.eof:
        raise ValueError(f"its contents take more than the {MAX_BYTES:,} bytes that are read, or have no end")
    return contents


class Reader:
    """A file that is being read."""

    def __init__(self, contents: bytes):
        end = 4 + int.from_bytes(contents[:4], "little")
        self.header: dict[str, Any] = json.loads(contents[4:end])
        self.columns: dict[str, tuple[str, bytes]] = {}
        for name, code, length in self.header["columns"]:
            self.columns[name] = code, contents[end : end + length]
            end += length

    def _array(self, name: str, codes: str) -> "array[Any]":
        code, data = self.columns.get(name, ("", b""))
        if code not in codes.split():
            raise ValueError(f"it should have a column {name} of numbers")
        values = array(code)
        size = values.itemsize
        spread = bytearray(len(data))
        for byte in range(size):
            spread[byte::size] = data[byte * len(data) // size : (byte + 1) * len(data) // size]
        values.frombytes(spread)
        if sys.byteorder == "big":
            values.byteswap()
        return values

    def whole(self, name: str, within: Sequence[int] = range(1 << 62)) -> list[int]:
        """Return a column of whole numbers. Raises ValueError if there is none, or one is out of range."""
        values = list(accumulate(self._array(name, "b h i")))
        if values and not within[0] <= min(values) <= max(values) <= within[-1]:
            raise ValueError(f"column {name} has a number that is out of range")
        return values

    def texts(self, name: str) -> list[str]:
        """Return a column of texts. Raises ValueError if there is none."""
        code, data = self.columns.get(name, ("", b""))
        if code != "t":
            raise ValueError(f"it should have a column {name} of texts")
        return data.decode("utf-8").split("\0")[:-1]

    def numbers(self, name: str) -> Sequence[Cost]:
        """Return a column of exact numbers. Raises ValueError if there is none."""
        code = self.columns.get(name, ("", b""))[0]
        if code == "t":
            return list(map(read_number, self.texts(name)))
        return self._array(name, "d") if code == "d" else self.whole(name, SMALL)


def _recording(reader: Reader) -> Recording[Any, Any]:
    header = reader.header
    for name, kind in (*MEMBERS.items(), ("nodes", int), ("goal", int)):
        if type(header[name]) is not kind:
            raise ValueError(f"{name} in its header should be of the type {kind.__name__}")
    nodes = header["nodes"]
    if nodes > len(reader.whole("kind")):
        raise ValueError("it has more nodes than events")
    halves = bytearray(reader.whole("half", range(3)) if "half" in reader.columns else nodes)
    events = _read_events(reader, nodes)
    return Recording(
        events=events,
        halves=halves,
        states=range(nodes),
        notes=[Note(note["kind"], note["text"], note["facts"], note["cells"]) for note in header["notes"]],
        generated=array("q", reader.whole("generated")),
        goal=None if header["goal"] < 0 else range(nodes)[header["goal"]],
        appearance=_read_appearance(reader, halves),
        cost=None if header["cost"] is None else read_number(header["cost"]),
        weight=None if header["weight"] is None else read_number(header["weight"]),
        **{name: header[name] for name in MEMBERS},
    )


def _read_events(reader: Reader, nodes: int) -> Events:
    texts: list[Any] = list(map(str, reader.header["actions"]))
    texts[:1] = [None]
    actions = map(texts.__getitem__, reader.whole("action"))
    arrivals = zip(reader.numbers("g"), reader.whole("parent", range(-1, nodes)), actions, strict=True)
    events, reached, arrived = Events(), 0, list[tuple[Any, int, Any]]()  # for each node its last arrival
    kinds, numbers = reader.whole("kind", range(NOTE + 1)), reader.whole("node")
    for at, (kind, node) in enumerate(zip(kinds, numbers, strict=True)):
        if kind == NOTE:
            events.add(NOTE, node)
            continue
        if kind == REACH and node == reached < nodes:
            arrived.append(next(arrivals))
            reached += 1
        elif kind in (IMPROVE, REOPEN) and node < reached:
            arrived[node] = next(arrivals)
        if node >= reached or arrived[node][1] >= reached:
            raise ValueError(f"event {at:,} names a node that is not reached yet")
        events.add(kind, node, *arrived[node])
    return events


def _read_appearance(reader: Reader, halves: bytearray) -> Appearance:
    header = reader.header
    values = reader.numbers("h") if "h" in reader.columns else [None] * len(halves)
    edges = [(one, other) for one, other in header.get("edges", ())]
    labels = reader.texts("labels") if "labels" in reader.columns else []
    found = Appearance(
        labels.__getitem__,
        h=lambda node: values[node] if halves[node] == FORWARD else None,
        edges=lambda: edges,
    )
    if "positions" in header:
        positions = [(float(x), float(y)) for x, y in header["positions"]]
        found.position = lambda node: None if halves[node] == OWN else positions[node]
    if header["map"] is not None:
        described = header["map"]
        marks = {key: Mark(*mark) for key, mark in described["marks"].items()}
        ground = found.ground = Drawing(described["rows"], marks, described.get("hexagonal", False))
        width, cells = ground.width, reader.whole("cells", SMALL)
        bodies = len(cells) // max(1, len(halves))
        found.cells = lambda node: tuple(
            cell for cell in cells[bodies * node : bodies * (node + 1)] if cell >= 0
        )
        if not labels:
            found.label = lambda node: f"({cells[node] % width}, {cells[node] // width})"
        if "changes" in header:
            changes = list(map(dict, header["changes"]))
            found.changes = changes.__getitem__
    return found
