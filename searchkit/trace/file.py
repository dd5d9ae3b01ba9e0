"""Recordings in `.trace` files. `docs/reference/formats.md` describes the format.

A file may be damaged, or come from somebody else: it has a checksum, and nothing in it is run. It is written by
functions of itertools where that is possible: a search of a million expansions has several millions of events.
"""

import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate, chain, compress, count, repeat
from operator import sub
from pathlib import Path
from typing import Any

from searchkit.basics.files import read_bytes
from searchkit.errors import InputFormatError, InvalidOptionError, shortened
from searchkit.plugin.drawing import Drawing, Mark
from searchkit.problem import Cost
from searchkit.trace.appearance import FORWARD, OWN, Appearance
from searchkit.trace.recording import EXPAND, IMPROVE, LEAVE, NOTE, REACH, REOPEN, Events, Note, Recording

MAGIC, VERSION = b"searchkit-trace\n", 3
BEGIN = len(MAGIC) + 4 + sha256().digest_size
"""The length of what comes before the deflated contents: magic, version, SHA-256."""
MAX_BYTES = 1 << 28
"""Of the contents, before they are deflated."""
MAX_EXACT = 1 << 53
"""Larger whole numbers are written as text, since the player computes with floats."""
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


def kind_mask(*chosen: int) -> bytes:
    """Return the table for `bytes.translate` that makes 1 of these kinds of events and 0 of all others."""
    return bytes(kind in chosen for kind in range(256))


# Writing


class Writer:
    """A file that is being written: its header, and its columns of numbers and texts."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {"columns": []}
        self._data: list[bytes] = []

    def _column(self, name: str, code: str, data: bytes) -> None:
        self.header["columns"].append([name, code, len(data)])
        self._data.append(data)

    def whole(self, name: str, values: Sequence[int]) -> None:
        """Add a column of whole numbers of one, two or four bytes: first the lowest bytes of all of them."""
        for code in "bhi":
            try:
                numbers = array(code, values)
            except OverflowError:
                continue
            if sys.byteorder == "big":
                numbers.byteswap()
            raw, size = numbers.tobytes(), numbers.itemsize
            self._column(name, code, b"".join(raw[byte::size] for byte in range(size)))
            return
        raise InvalidOptionError(f"the recording has a number in {name} that is too large for a file")

    def rising(self, name: str, values: Sequence[int]) -> None:
        """Add a column of whole numbers, each as the difference to the one before it."""
        self.whole(name, list(map(sub, values, chain((0,), values))))

    def texts(self, name: str, values: Iterable[str]) -> None:
        """Add a column of texts, with a zero byte after each."""
        text = "".join([f"{value.replace(chr(0), chr(0xFFFD))}\0" for value in values])
        self._column(name, "t", text.encode("utf-8", "replace"))

    def numbers(self, name: str, values: Sequence[Any], bases: Sequence[Any]) -> None:
        """Add a column of exact numbers: as the sums of bases and steps from a list, or else as texts."""
        steps: Iterable[Any] | None = None
        kinds = {*map(type, values), *map(type, bases)}
        if values and kinds <= {int, float} and max(map(abs, values)) < MAX_EXACT:
            steps = map(sub, values, bases) if kinds == {int} else _float_steps(values, bases)
        if steps is None:
            self.texts(name, map(str, values))
            return
        steps = list(steps)
        index = {step: number for number, step in enumerate(dict.fromkeys(steps))}
        self.header[f"{name}_steps"] = list(index)
        self.whole(name, list(map(index.__getitem__, steps)))

    def contents(self) -> bytes:
        """Return the length of the header, the header and the columns."""
        header = json.dumps(self.header, separators=(",", ":")).encode()
        return b"".join((len(header).to_bytes(4, "little"), header, *self._data))


def _float_steps(values: Sequence[float], bases: Sequence[float]) -> Iterable[float] | None:
    """Return few different floats which, added to the bases, are exactly the values; None if there are none.

    Values are rounded sums, so that steps which are equal in the problem differ in their last bits.
    """
    known: dict[float, list[float]] = {}
    found = []
    for value, base in zip(values, bases, strict=True):
        step = value - base
        alike = known.setdefault(round(step, 6), [])
        for one in alike:
            if base + one == value:
                found.append(one)
                break
        else:
            if base + step != value:
                return None
            alike.append(float(step))
            found.append(float(step))
    return found


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
    deflate = zlib.compressobj(5, strategy=zlib.Z_FILTERED)
    deflated = deflate.compress(contents) + deflate.flush()
    return b"".join((MAGIC, VERSION.to_bytes(4, "little"), sha256(deflated).digest(), deflated))


def _write_events(recording: Recording[Any, Any], writer: Writer) -> None:
    events, kinds = recording.events, bytes(recording.events.kind)
    expansions, arrivals, others = map(kinds.translate, (EXPANSIONS, ARRIVALS, OTHERS))
    at, expanded = recording.expansions_at, list(compress(events.node, expansions))
    runs = map(repeat, [-1, *expanded], map(sub, [*at, len(kinds)], [0, *at]))
    last = list(chain.from_iterable(runs))  # before each event, the node expanded last
    nodes, parents, gs = (list(compress(one, arrivals)) for one in (events.node, events.parent, events.g))
    bases, now = [], [0] * (recording.nodes + 1)  # the present g of each node, and 0 at -1 for no parent
    for node, parent, g in zip(nodes, parents, gs, strict=True):
        bases.append(now[parent])
        now[node] = g
    actions = ["" if action is None else str(action) for action in compress(events.action, arrivals)]
    index = {text: number for number, text in enumerate(dict.fromkeys(["", *actions]))}
    writer.header["actions"] = [shortened(text, MAX_ACTION) for text in index]
    writer.whole("kind", kinds)
    writer.rising("expanded", expanded)
    writer.whole("other", list(map(sub, compress(events.node, others), compress(last, others))))
    writer.whole("parent", list(map(sub, compress(last, arrivals), parents)))
    writer.numbers("g", gs, bases)
    writer.whole("action", list(map(index.__getitem__, actions)))
    writer.rising("generated", recording.generated)


EXPANSIONS, ARRIVALS, OTHERS, REACHES = (
    kind_mask(*kinds) for kinds in ((EXPAND,), (REACH, IMPROVE, REOPEN), (IMPROVE, REOPEN, LEAVE), (REACH,))
)


def _first_parents(events: Events) -> list[int]:
    """Return for each node the parent from which it was first reached: a smaller number, or -1."""
    return list(compress(events.parent, bytes(events.kind).translate(REACHES)))


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
    parents = _first_parents(recording.events)
    if any(halves):
        writer.whole("half", halves)
    if recording.weight is not None:
        values = [appearance.h(node) if halves[node] == FORWARD else 0 for node in nodes]
        if None not in values:
            writer.numbers("h", values, list(map([*values, 0].__getitem__, parents)))
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
        index = parents if bodies == 1 else [bodies * p + body for p in parents for body in range(bodies)]
        writer.whole("cells", list(map(sub, cells, map([*cells, *[0] * bodies].__getitem__, index))))
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

    def whole(self, name: str, within: Sequence[int] = range(-(1 << 31), 1 << 31)) -> "array[int]":
        """Return a column of whole numbers. Raises ValueError if there is none, or one is out of range."""
        code, data = self.columns.get(name, ("", b""))
        if code not in ("b", "h", "i"):
            raise ValueError(f"it should have a column {name} of whole numbers")
        values = array(code)
        size = values.itemsize
        spread = bytearray(len(data))
        for byte in range(size):
            spread[byte::size] = data[byte * len(data) // size : (byte + 1) * len(data) // size]
        values.frombytes(spread)
        if sys.byteorder == "big":
            values.byteswap()
        if values and not within[0] <= min(values) <= max(values) <= within[-1]:
            raise ValueError(f"column {name} has a number that is out of range")
        return values

    def texts(self, name: str) -> list[str]:
        """Return a column of texts. Raises ValueError if there is none."""
        code, data = self.columns.get(name, ("", b""))
        if code != "t":
            raise ValueError(f"it should have a column {name} of texts")
        return data.decode("utf-8").split("\0")[:-1]

    def numbers(self, name: str) -> tuple[Iterator[Cost], bool]:
        """Return exact numbers, and whether each is only the step from a base."""
        if f"{name}_steps" not in self.header:
            return map(read_number, self.texts(name)), False
        return map(self.header[f"{name}_steps"].__getitem__, self.whole(name)), True


def _recording(reader: Reader) -> Recording[Any, Any]:
    header = reader.header
    for name, kind in (*MEMBERS.items(), ("nodes", int), ("goal", int)):
        if type(header[name]) is not kind:
            raise ValueError(f"{name} in its header should be of the type {kind.__name__}")
    nodes = header["nodes"]
    if nodes > len(reader.whole("kind")):
        raise ValueError("it has more nodes than events")
    halves = bytearray(reader.whole("half", range(3)).tolist() if "half" in reader.columns else nodes)
    events = _read_events(reader, nodes)
    return Recording(
        events=events,
        halves=halves,
        states=range(nodes),
        notes=[Note(note["kind"], note["text"], note["facts"], note["cells"]) for note in header["notes"]],
        generated=array("q", accumulate(reader.whole("generated"))),
        goal=None if header["goal"] < 0 else range(nodes)[header["goal"]],
        appearance=_read_appearance(reader, halves, _first_parents(events)),
        cost=None if header["cost"] is None else read_number(header["cost"]),
        weight=None if header["weight"] is None else read_number(header["weight"]),
        **{name: header[name] for name in MEMBERS},
    )


def _read_events(reader: Reader, nodes: int) -> Events:
    kinds = reader.whole("kind", range(NOTE + 1))
    expanded, other = accumulate(reader.whole("expanded")), iter(reader.whole("other"))
    parents, (gs, are_steps) = iter(reader.whole("parent")), reader.numbers("g")
    texts: list[Any] = list(map(str, reader.header["actions"]))
    texts[:1] = [None]
    actions = map(texts.__getitem__, reader.whole("action"))
    events, last, reached, notes = Events(), -1, 0, count()
    arrived: list[tuple[Any, int, Any]] = [(0, -1, None)] * (nodes + 1)  # the last one for no parent
    for at, kind in enumerate(kinds):
        if kind == NOTE:
            events.add(NOTE, next(notes))
            continue
        node = next(expanded) if kind == EXPAND else reached if kind == REACH else last + next(other)
        reached += kind == REACH
        if kind == EXPAND:
            last = node
        elif kind != LEAVE:
            parent = last - next(parents)
            if not -1 <= parent < reached:
                raise ValueError(f"event {at:,} names a parent that is not reached yet")
            arrived[node] = next(gs) + (arrived[parent][0] if are_steps else 0), parent, next(actions)
        if not 0 <= node < reached <= nodes:
            raise ValueError(f"event {at:,} names a node that is not reached yet")
        events.add(kind, node, *arrived[node])
    return events


def _read_appearance(reader: Reader, halves: bytearray, parents: Sequence[int]) -> Appearance:
    header = reader.header
    values: list[Any] = [*(None for _ in halves), 0]
    if "h" in reader.columns:
        numbers, are_steps = reader.numbers("h")
        for node, (number, parent) in enumerate(zip(numbers, parents, strict=True)):
            values[node] = number + values[parent] if are_steps else number
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
        width, cells = ground.width, reader.whole("cells").tolist()
        bodies = len(cells) // max(1, len(parents))
        cells.extend([0] * bodies)  # for no parent
        for node, parent in enumerate(parents):
            for body in range(bodies):
                cells[bodies * node + body] += cells[bodies * parent + body]
        found.cells = lambda node: tuple(
            cell for cell in cells[bodies * node : bodies * (node + 1)] if cell >= 0
        )
        if not labels:
            found.label = lambda node: f"({cells[node] % width}, {cells[node] // width})"
        if "changes" in header:
            changes = list(map(dict, header["changes"]))
            found.changes = changes.__getitem__
    return found
