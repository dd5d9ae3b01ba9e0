"""Recordings in `.trace` files. `docs/reference/trace-format.md` describes the format.

A file may come from somebody else: nothing in it is run, and every number is checked before it is used as an index.
"""

import json
import re
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate, chain, repeat
from math import isfinite
from operator import sub
from pathlib import Path
from typing import Any

from searchkit.basics.files import read_bytes
from searchkit.errors import InputFormatError, InvalidOptionError, shortened
from searchkit.plugin.drawing import Drawing, Mark
from searchkit.problem import Cost
from searchkit.trace.appearance import FORWARD, OWN, Appearance, no_changes
from searchkit.trace.recording import (
    EXPAND,
    IMPROVE,
    LEAVE,
    NOTE,
    REACH,
    REOPEN,
    Counters,
    Events,
    Note,
    Recording,
)

MAGIC, VERSION = b"searchkit-trace\n", (2).to_bytes(4, "little")
BEGIN = len(MAGIC) + len(VERSION) + sha256().digest_size
"""The length of what comes before the deflated contents: magic, version, SHA-256."""
MAX_EVENTS = 1 << 24
MAX_BYTES = 1 << 28
"""Of the contents, before they are deflated."""
MAX_NUMBER = 1 << 30
"""Whole numbers in columns are less than this, and greater than its negative."""
MAX_EXACT = 1 << 53
"""Larger whole numbers are written as text, since the player computes with floats."""
MAX_NODES_WITH_EDGES = 500
MAX_BOARDS = 20_000
"""If no state has a place, as in a puzzle, recordings of more nodes have no map either: the labels say all."""
MAX_ACTION, MAX_LABEL = 200, 2_000
"""Characters of an action and of a label."""
ARRIVALS = (REACH, IMPROVE, REOPEN)
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
MEMBERS: Mapping[str, type] = {"title": str, "engine": str, "summary": str, "status": str, "options": dict}
MEMBERS = {**MEMBERS, "warnings": list, "unrecorded": int, "reached": int}
"""Members of the header that are attributes of the recording, and their types."""


def number_text(number: Cost) -> str:
    """Return a number as a text from which `read_number` makes the same number of the same type."""
    return str(int(number)) if isinstance(number, int) else str(number)


def read_number(text: str) -> Cost:
    """Read a number. Raises ValueError for any other text."""
    if "/" in text:
        return Fraction(text)
    return int(text) if str(text).removeprefix("-").isdecimal() else float(text)


# Writing


class Writer:
    """A file that is being written: its header, and its columns of numbers and texts."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {}
        self._columns: list[tuple[str, str, bytes]] = []

    def whole(self, name: str, values: Iterable[int], code: str = "w") -> None:
        """Add a column of whole numbers: 0, -1, 1, -2, … as 0, 1, 2, 3, …; first the lowest bytes of all of them."""
        folded = array("I", [(value << 1) ^ (value >> 31) for value in values])
        if sys.byteorder == "big":
            folded.byteswap()
        raw = folded.tobytes()
        self._columns.append((name, code, b"".join(raw[byte::4] for byte in range(4))))

    def rising(self, name: str, values: Sequence[int]) -> None:
        """Add a column of whole numbers, each as the difference to the one before it."""
        self.whole(name, map(sub, values, chain((0,), values)), "d")

    def lists(self, name: str, values: Sequence[Sequence[int]]) -> None:
        """Add two columns: the lengths of lists of whole numbers, and the numbers."""
        self.whole(f"{name}_counts", map(len, values))
        self.whole(name, chain.from_iterable(values))

    def texts(self, name: str, values: Iterable[str]) -> None:
        """Add a column of texts, with a zero byte after each."""
        text = "".join([f"{value.replace(chr(0), chr(0xFFFD))}\0" for value in values])
        self._columns.append((name, "t", text.encode("utf-8", "replace")))

    def numbers(self, name: str, values: Sequence[Any], bases: Sequence[Any]) -> None:
        """Add a column of exact numbers: as sums of a base, if there is one, and a step; or else as texts."""
        steps: dict[tuple[type, Any], int] = {}
        known: dict[Any, list[Any]] = {}
        found = []
        for value, base in zip(values, bases, strict=True):
            step = value if base is None else value - base
            if type(value) is float and isfinite(step):  # rounded sums: try the steps that are nearly equal
                alike = known.setdefault(round(step, 6), [step])
                step = next((one for one in alike if (one if base is None else base + one) == value), step)
                if step not in alike:
                    alike.append(step)
            total = step if base is None else base + step
            plain = type(value) in (int, float) and -MAX_EXACT < value < MAX_EXACT
            if not plain or type(total) is not type(value) or total != value:
                self.texts(name, map(number_text, values))
                return
            found.append(steps.setdefault((type(step), step), len(steps)))
        self.header[f"{name}_steps"] = [number_text(step) for _, step in steps]
        self.whole(name, found)

    def contents(self) -> bytes:
        """Return the length of the header, the header and the columns."""
        described = [[name, code, len(data)] for name, code, data in self._columns]
        header = json.dumps({**self.header, "columns": described}, separators=(",", ":")).encode()
        return b"".join([len(header).to_bytes(4, "little"), header, *(data for _, _, data in self._columns)])


def pack(recording: Recording[Any, Any]) -> bytes:
    """Return a recording as the bytes of a `.trace` file.

    Raises `InvalidOptionError` if it has more events than a file can have; also what the heuristic of the problem
    raises.
    """
    writer = Writer()
    if len(recording) <= MAX_EVENTS:
        writer.header |= {
            **{name: getattr(recording, name) for name in MEMBERS},
            "cost": None if recording.cost is None else number_text(recording.cost),
            "weight": None if recording.weight is None else number_text(recording.weight),
            "before": list(recording.before),
            "nodes": recording.nodes,
            "goal": -1 if recording.goal is None else recording.goal,
            "notes": _notes(recording),
        }
        _write_events(recording, writer)
        _write_nodes(recording, writer, placed=_write_map(recording, writer))
    contents = writer.contents()
    if len(recording) > MAX_EVENTS or len(contents) > MAX_BYTES:
        raise InvalidOptionError(
            f"the recording has {len(recording):,} events, and a file has at most {MAX_EVENTS:,}, in {MAX_BYTES:,} "
            "bytes; record fewer expansions (cap=…)"
        )
    deflate = zlib.compressobj(5, strategy=zlib.Z_FILTERED)
    deflated = deflate.compress(contents) + deflate.flush()
    return b"".join((MAGIC, VERSION, sha256(deflated).digest(), deflated))


def _write_events(recording: Recording[Any, Any], writer: Writer) -> None:
    events, actions = recording.events, {"": 0}
    expanded, other, parents, chosen, gs, bases = ([] for _ in range(6))
    now: list[Any] = [None] * (recording.nodes + 1)  # the present g of each node; the last one for no parent
    last = -1
    columns = events.kind, events.node, events.g, events.parent, events.action
    for kind, node, g, parent, action in zip(*columns, strict=True):
        if kind == EXPAND:
            expanded.append(node)
            last = node
        elif kind in (IMPROVE, REOPEN, LEAVE):
            other.append(node - last)
        if kind in ARRIVALS:
            parents.append(last - parent)
            gs.append(g)
            bases.append(now[parent])
            now[node] = g
            text = "" if action is None else shortened(str(action), MAX_ACTION)
            chosen.append(actions.setdefault(text, len(actions)))
    writer.header["actions"] = list(actions)
    writer.whole("kind", events.kind)
    writer.rising("expanded", expanded)
    writer.whole("other", other)
    writer.whole("parent", parents)
    writer.numbers("g", gs, bases)
    writer.whole("action", chosen)
    before = recording.before.generated
    writer.rising("generated", [generated - before for generated in recording.generated])


def _notes(recording: Recording[Any, Any]) -> list[dict[str, Any]]:
    """Return the notes as JSON can hold them."""
    nodes: dict[Any, int] = {}
    if recording.notes:
        for node, (state, half) in enumerate(zip(recording.states, recording.halves, strict=True)):
            if half != OWN and state is not None:
                nodes.setdefault(state, node)

    def plain(name: str, value: Any) -> Any:
        if isinstance(value, Mapping):  # a node, in a recording from a file
            return dict(value)
        if name in ("state", "node", "parent") and value.__hash__ is not None and value in nodes:
            return {"node": nodes[value]}
        if isinstance(value, str | int | None) or (isinstance(value, float) and isfinite(value)):
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


def _write_nodes(recording: Recording[Any, Any], writer: Writer, *, placed: bool) -> None:
    """Write what is known of each node besides its events, and its cells if the file has a map."""
    appearance, nodes, halves = recording.appearance, range(recording.nodes), recording.halves
    parents = _first_parents(recording.events)
    if any(halves):
        writer.whole("half", halves)
    values = [appearance.h(node) for node in nodes]
    inside = [node for node in nodes if halves[node] == FORWARD]
    if recording.weight is not None and all(values[node] is not None for node in inside):
        bases = [values[parents[node]] if parents[node] >= 0 else None for node in inside]
        writer.numbers("h", [values[node] for node in inside], bases)
    positions = list(map(appearance.position, nodes))
    if any(positions):
        for axis, name in enumerate("xy"):
            writer.texts(name, [str(0.0 if one is None else one[axis]) for one in positions])
    if recording.nodes <= MAX_NODES_WITH_EDGES:
        tree = set(zip(recording.events.parent, recording.events.node, strict=True))
        writer.header["edges"] = [edge for edge in dict.fromkeys(appearance.edges()) if edge not in tree]
    labels = [appearance.label(node) for node in nodes]
    if placed:
        cells = list(map(appearance.cells, nodes))
        before = (cells[parent] if parent >= 0 else () for parent in parents)
        steps = [list(map(sub, now, chain(then, repeat(0)))) for now, then in zip(cells, before, strict=True)]
        writer.lists("cells", steps)
        width = appearance.ground.width if appearance.ground else 1
        if labels == [f"({one[0] % width}, {one[0] // width})" if len(one) == 1 else None for one in cells]:
            return
    writer.texts("labels", [shortened(label, MAX_LABEL) for label in labels])


def _write_map(recording: Recording[Any, Any], writer: Writer) -> bool:
    """Write the map, if there is one, and what changes on it; return whether there is one."""
    appearance, ground = recording.appearance, recording.appearance.ground
    many = recording.nodes > MAX_BOARDS
    if ground is None or (many and not any(map(appearance.cells, range(recording.nodes)))):
        writer.header["map"] = None
        return False
    writer.header["map"] = {
        "rows": ground.rows,
        "marks": {
            key: [mark.glyph, mark.colour, mark.label, mark.rank] for key, mark in ground.marks.items()
        },
        "expanded": dict(appearance.expanded),
        "path": dict(appearance.path),
        "phases": list(map(dict, appearance.phases)),
    }
    if appearance.changes is not no_changes:
        marks = {key: index for index, key in enumerate(ground.marks)}
        changes = map(appearance.changes, range(recording.nodes))
        writer.lists(
            "changes", [[n for cell, key in found.items() for n in (cell, marks[key])] for found in changes]
        )
    return True


def _first_parents(events: Events) -> list[int]:
    """Return for each node the parent from which it was first reached: a smaller number, or -1."""
    return [parent for kind, parent in zip(events.kind, events.parent, strict=True) if kind == REACH]


# Reading


def load_recording(path: str | Path) -> Recording[Any, Any]:
    """Read a recording from a `.trace` file; nothing in the file is run or unpickled.

    Its `states`, `result` and `problem` are None: nodes have their labels, places and heuristic values. Raises
    `InputFormatError` if the file can't be read, is not a recording, was cut short or changed, or has another format.
    """
    file = Path(path)
    return unpack(read_bytes(file), str(file))


def unpack(data: bytes, source: str = "") -> Recording[Any, Any]:
    """Return the recording that the bytes of a `.trace` file hold. Raises `InputFormatError`, which names `source`."""
    try:
        return _recording(Reader(_contents(data)))
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, zlib.error) as error:
        reason = f"{error}" if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise InputFormatError(f"not a valid recording: {reason}", source=source) from error


def _contents(data: bytes) -> bytes:
    """Return the inflated contents of a file."""
    if not data.startswith(MAGIC):
        raise ValueError("it does not begin with searchkit-trace; searchkit watch … --save FILE writes one")
    version = data[len(MAGIC) : len(MAGIC) + len(VERSION)]
    if len(version) == len(VERSION) and version != VERSION:
        raise ValueError(
            f"it has format {int.from_bytes(version, 'little')}, and this version of searchkit reads format "
            f"{VERSION[0]}; open it with the version that wrote it, or record the search again"
        )
    if sha256(data[BEGIN:]).digest() != data[len(MAGIC) + len(VERSION) : BEGIN]:
        raise ValueError("it is cut short or was changed: its checksum does not match")
    stream = zlib.decompressobj()
    contents = stream.decompress(data[BEGIN:], MAX_BYTES + 1)
    if len(contents) > MAX_BYTES or not stream.eof:
        raise ValueError(f"its contents take more than the {MAX_BYTES:,} bytes that are read, or have no end")
    return contents


class Reader:
    """A file that is being read. Each part has its type, length and range checked when it is asked for."""

    def __init__(self, contents: bytes):
        end = 4 + int.from_bytes(contents[:4], "little")
        self.header: dict[str, Any] = json.loads(contents[4:end])
        self._columns: dict[str, tuple[str, bytes]] = {}
        for name, code, length in self.member("columns", list):
            if length < 0 or end + length > len(contents):
                raise ValueError(f"column {name} is longer than the file")
            self._columns[name] = code, contents[end : end + length]
            end += length

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def member(self, name: str, kind: type, within: Any = None) -> Any:
        """Return a member of the header, or of an object in it, which has to be of a type. Raises ValueError."""
        value: Any = (self.header if within is None else within)[name]
        if type(value) is not kind or (isinstance(value, int) and value < -1):
            raise ValueError(f"{name} in its header should be of the type {kind.__name__}")
        return value

    def whole(
        self, name: str, n: int | None = None, least: int = -MAX_NUMBER, below: int = MAX_NUMBER
    ) -> "array[int]":
        """Return a column of `n` whole numbers, each from `least` to less than `below`. Raises ValueError."""
        code, data = self._columns.get(name, ("", b""))
        count = len(data) // 4
        if code not in ("w", "d") or len(data) % 4 or count != (count if n is None else n):
            raise ValueError(
                f"it should have a column {name} of {'' if n is None else f'{n:,} '}whole numbers"
            )
        spread = bytearray(len(data))
        for byte in range(4):
            spread[byte::4] = data[byte * count : (byte + 1) * count]
        folded = array("I", bytes(spread))
        if sys.byteorder == "big":
            folded.byteswap()
        found = ((value >> 1) ^ -(value & 1) for value in folded)
        values = array("q", accumulate(found) if code == "d" else found)
        if values and not least <= min(values) <= max(values) < below:
            raise ValueError(f"column {name} has a number that is out of range")
        return values

    def lists(self, name: str, n: int) -> tuple["array[int]", list[int]]:
        """Return the numbers of `n` lists, and where each begins and the last one ends. Raises ValueError."""
        starts = list(accumulate(self.whole(f"{name}_counts", n, 0), initial=0))
        return self.whole(name, starts[-1]), starts

    def texts(self, name: str, n: int) -> list[str]:
        """Return a column of `n` texts. Raises ValueError."""
        code, data = self._columns.get(name, ("", b""))
        if code != "t" or data.count(0) != n or (data and data[-1]):
            raise ValueError(f"it should have a column {name} of {n:,} texts")
        return data.decode("utf-8").split("\0")[:-1]

    def numbers(self, name: str, n: int) -> tuple[Iterator[Cost], bool]:
        """Return `n` exact numbers, and whether each is only the step from a base. Raises ValueError."""
        if f"{name}_steps" not in self.header:
            return map(read_number, self.texts(name, n)), False
        steps = list(map(read_number, self.member(f"{name}_steps", list)))
        return map(steps.__getitem__, self.whole(name, n, 0, len(steps))), True


def _recording(reader: Reader) -> Recording[Any, Any]:
    members: dict[str, Any] = {name: reader.member(name, kind) for name, kind in MEMBERS.items()}
    for name in ("cost", "weight"):
        text = reader.header[name]
        members[name] = None if text is None else read_number(text)
    nodes, goal = reader.member("nodes", int), reader.member("goal", int)
    before = Counters(*map(int, reader.member("before", list)))
    texts = [*members["options"].values(), *members["warnings"]]
    valid = members["status"] in ("solved", "unsolvable", "cutoff") and goal < nodes <= MAX_EVENTS
    if not valid or not all(isinstance(text, str) for text in texts):
        raise ValueError("its header has a member of a wrong form")
    halves = bytearray(reader.whole("half", nodes, 0, 3).tolist()) if "half" in reader else bytearray(nodes)
    events = _read_events(reader, nodes)
    counted = reader.whole("generated", events.kind.count(EXPAND) + 1)
    appearance = _read_appearance(reader, halves, _first_parents(events))
    size = appearance.ground.width * appearance.ground.height if appearance.ground else 0
    notes = []
    for said in reader.member("notes", list):
        kind, text = (reader.member(name, str, said) for name in ("kind", "text"))
        facts, cells = reader.member("facts", dict, said), reader.member("cells", list, said)
        if not all(type(cell) is int and 0 <= cell < size for cell in cells):
            raise ValueError("a note has a cell outside the map")
        notes.append(Note(kind, text, facts, cells))
    if len(notes) != events.kind.count(NOTE):
        raise ValueError("it has not as many notes as its events say")
    return Recording(
        events=events,
        halves=halves,
        states=[None] * nodes,
        notes=notes,
        generated=array("q", [before.generated + number for number in counted]),
        goal=None if goal < 0 else goal,
        appearance=appearance,
        before=before,
        **members,
    )


def _read_events(reader: Reader, nodes: int) -> Events:
    kinds = reader.whole("kind", None, 0, NOTE + 1)
    count = [kinds.count(kind) for kind in range(NOTE + 1)]
    if count[REACH] != nodes or len(kinds) > MAX_EVENTS:
        raise ValueError(f"it has {count[REACH]:,} nodes, and its header says {nodes:,}")
    arrivals = sum(count[kind] for kind in ARRIVALS)
    expanded = iter(reader.whole("expanded", count[EXPAND], 0, nodes))
    other = iter(reader.whole("other", arrivals - nodes + count[LEAVE]))
    parents, (gs, are_steps) = iter(reader.whole("parent", arrivals)), reader.numbers("g", arrivals)
    texts: list[Any] = list(map(str, reader.member("actions", list)))
    texts[:1] = [None]
    actions = map(texts.__getitem__, reader.whole("action", arrivals, 0, len(texts)))
    events, last, reached, notes = Events(), -1, 0, 0
    arrived: list[tuple[Any, int, Any]] = [(0, -1, None)] * nodes
    for at, kind in enumerate(kinds):
        if kind == NOTE:
            events.add(NOTE, notes)
            notes += 1
            continue
        node = next(expanded) if kind == EXPAND else reached if kind == REACH else last + next(other)
        parent = last - next(parents) if kind in ARRIVALS else -1
        if not 0 <= node < reached + (kind == REACH) or not -1 <= parent < reached:
            raise ValueError(f"event {at:,} names a node that is not reached yet")
        if kind == EXPAND:
            last = node
        elif kind in ARRIVALS:
            g = next(gs) + (arrived[parent][0] if are_steps and parent >= 0 else 0)
            arrived[node] = g, parent, next(actions)
            reached += kind == REACH
        events.add(kind, node, *arrived[node])
    return events


def _read_appearance(reader: Reader, halves: bytearray, parents: Sequence[int]) -> Appearance:
    nodes = len(halves)
    values: dict[int, Any] = {}
    if "h" in reader:
        inside = [node for node, half in enumerate(halves) if half == FORWARD]
        numbers, are_steps = reader.numbers("h", len(inside))
        for node, number in zip(inside, numbers, strict=True):
            values[node] = number + values.get(parents[node], 0) if are_steps else number
    edges = [(one, other) for one, other in reader.header.get("edges", ())]
    if not all(type(node) is int and 0 <= node < nodes for edge in edges for node in edge):
        raise ValueError("an edge names a node that does not exist")
    labels = reader.texts("labels", nodes) if "labels" in reader else []
    found = Appearance(labels.__getitem__, h=values.get, edges=lambda: edges)
    if "x" in reader:
        xs, ys = (list(map(float, reader.texts(name, nodes))) for name in "xy")
        found.position = lambda node: None if halves[node] == OWN else (xs[node], ys[node])
    if reader.header["map"] is not None:
        cells, starts = reader.lists("cells", nodes)
        for node, parent in enumerate(parents):
            begin, base = starts[node], starts[parent]
            for at in range(min(starts[node + 1] - begin, starts[parent + 1] - base) if parent >= 0 else 0):
                cells[begin + at] += cells[base + at]
        ground = _read_map(reader, found, nodes)
        width = ground.width
        if cells and not 0 <= min(cells) <= max(cells) < width * ground.height:
            raise ValueError("a node is outside the map")
        found.cells = lambda node: cells[starts[node] : starts[node + 1]].tolist()
        if not labels and starts == list(range(nodes + 1)):
            found.label = lambda node: f"({cells[node] % width}, {cells[node] // width})"
            return found
    if len(labels) != nodes:
        raise ValueError("it should have a column labels")
    return found


def _read_map(reader: Reader, found: Appearance, nodes: int) -> Drawing:
    """Enter the map, and what changes on it."""
    described, known = reader.member("map", dict), dict[str, Mark]()
    for key, (glyph, colour, label, rank) in reader.member("marks", dict, described).items():
        known[key] = Mark(str(glyph), colour, str(label), int(rank))
        if len(key) != 1 or not 1 <= len(known[key].glyph) <= 8 or not COLOUR.fullmatch(colour):
            raise ValueError("a mark should have a key of one character, a glyph, and a colour #rrggbb")
    ground = found.ground = Drawing(map(str, reader.member("rows", list, described)), known)
    found.expanded, found.path, *found.phases = map(
        dict, (described["expanded"], described["path"], *described["phases"])
    )
    for replaced in (found.expanded, found.path, *found.phases):
        if not {*replaced, *replaced.values()} <= known.keys():
            raise ValueError("what marks become should be marks")
    if "changes" in reader:
        keys, (changes, starts) = list(known), reader.lists("changes", nodes)
        cells, marks = changes[::2], changes[1::2]
        size = ground.width * ground.height
        if len(cells) != len(marks) or any(start % 2 for start in starts):
            raise ValueError("changes should be pairs")
        if cells and not (0 <= min(cells) <= max(cells) < size and 0 <= min(marks) <= max(marks) < len(keys)):
            raise ValueError("a change has a cell outside the map, or no mark")
        found.changes = lambda node: {
            cells[at]: keys[marks[at]] for at in range(starts[node] // 2, starts[node + 1] // 2)
        }
    return ground
