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
from typing import Any, TypeAlias

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

MAGIC, VERSION = b"searchkit-trace\n", 2
HEADER = len(MAGIC) + 4 + 32 + 4
"""The length of what comes before the header: magic, version, SHA-256, length of the header."""
MAX_EVENTS = MAX_CELLS = 1 << 24
MAX_BYTES = 1 << 28
"""Of all columns, before they are deflated."""
MAX_NUMBER = 1 << 30
"""Whole numbers in columns are less than this, and greater than its negative."""
MAX_EXACT = 1 << 53
"""Larger whole numbers are written as text, since the player computes with floats."""
MAX_NODES_WITH_EDGES = 500
MAX_BOARDS = 20_000
"""If no state has a place, as in a puzzle, recordings of more nodes have no map either: the labels say all."""
MAX_ACTION, MAX_LABEL = 200, 2_000
"""Characters of an action and of a label."""
WIDTHS = {"b": 1, "h": 2, "i": 4}
ARRIVALS = (REACH, IMPROVE, REOPEN)
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
STATUSES = ("solved", "unsolvable", "cutoff")

Column: TypeAlias = tuple[str, str, bytes, list[int]]
"""The name, the code and the bytes of a column, and its book: if it is not empty, the bytes are indices in it."""
BOOK = 128
"""The most numbers in a book."""


def pack(recording: Recording[Any, Any]) -> bytes:
    """Return a recording as the bytes of a `.trace` file.

    Raises `InvalidOptionError` if it has more events than a file can have; also what the heuristic of the problem
    raises.
    """
    if len(recording) > MAX_EVENTS:
        raise InvalidOptionError(
            f"the recording has {len(recording):,} events, and a file has at most {MAX_EVENTS:,}; "
            "record fewer expansions (cap=…)"
        )
    map_header, map_columns = _map(recording)
    columns = [*_events(recording), *_nodes(recording, placed=map_header is not None), *map_columns]
    size = sum(len(data) for _, _, data, _ in columns)
    if size > MAX_BYTES:
        raise InvalidOptionError(
            f"the recording takes {size:,} bytes, and a file holds {MAX_BYTES:,}; record fewer expansions (cap=…)"
        )
    header = {
        **{name: getattr(recording, name) for name in MEMBERS},
        "options": dict(recording.options),
        "warnings": list(recording.warnings),
        "cost": None if recording.cost is None else number_text(recording.cost),
        "weight": None if recording.weight is None else number_text(recording.weight),
        "before": list(recording.before),
        "goal": -1 if recording.goal is None else recording.goal,
        "map": map_header,
        "columns": [[name, code, len(data), book] for name, code, data, book in columns],
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    deflate = zlib.compressobj(5, strategy=zlib.Z_FILTERED)
    content = deflate.compress(b"".join(data for _, _, data, _ in columns)) + deflate.flush()
    body = len(text).to_bytes(4, "little") + text + content
    return b"".join((MAGIC, VERSION.to_bytes(4, "little"), sha256(body).digest(), body))


MEMBERS: Mapping[str, type] = {
    "title": str,
    "engine": str,
    "summary": str,
    "status": str,
    "options": dict,
    "warnings": list,
    "nodes": int,
    "unrecorded": int,
    "reached": int,
}
"""Members of the header that are attributes of the recording, and their types."""


def number_text(number: Cost) -> str:
    """Return a number as a text from which `read_number` makes the same number of the same type."""
    return str(int(number)) if isinstance(number, int) else str(number)


def read_number(text: str) -> Cost:
    """Read a number. Raises ValueError for any other text."""
    if "/" in text:
        return Fraction(text)
    return int(text) if text.removeprefix("-").isdecimal() else float(text)


# Columns


def _planes(values: "array[Any]") -> bytes:
    """Return the lowest byte of all values, then the next byte of all values, and so on: it deflates better."""
    if sys.byteorder == "big":
        values.byteswap()
    raw, width = values.tobytes(), values.itemsize
    return b"".join(raw[byte::width] for byte in range(width))


def _whole(name: str, values: Sequence[int]) -> Column:
    """Return a column of whole numbers."""
    try:
        return name, "b", array("b", values).tobytes(), []
    except OverflowError:
        book = sorted(set(values))
    if len(book) <= BOOK:
        index = {value: at for at, value in enumerate(book)}
        return name, "b", bytes(map(index.__getitem__, values)), book
    code = "h" if -0x8000 <= book[0] <= book[-1] < 0x8000 else "i"
    return name, code, _planes(array(code, values)), []


def _rising(name: str, values: Sequence[int]) -> Column:
    """Return a column of whole numbers, each as the difference to the one before it."""
    name, code, data, book = _whole(name, list(map(sub, values, chain((0,), values))))
    return name, code.upper(), data, book


def _texts(name: str, values: Iterable[str]) -> Column:
    """Return a column of texts, with a zero byte after each."""
    found = [text.replace("\0", "\ufffd") for text in values]
    return name, "t", "\0".join([*found, ""]).encode("utf-8", "replace") if found else b"", []


def _sum(base: Any, step: Any) -> Any:
    return step if base is None else base + step


def _numbers(name: str, values: Sequence[Any], bases: Sequence[Any]) -> list[Column]:
    """Return a column of exact numbers; or where they are sums of a base, if there is one, and a step: two columns."""
    if set(map(type, values)) <= {int, float} and all(-MAX_EXACT < value < MAX_EXACT for value in values):
        steps: dict[tuple[type, Any], int] = {}
        tried: dict[Any, list[Any]] = {}
        found = []
        for value, base in zip(values, bases, strict=True):
            near = value if base is None else value - base
            if type(near) is int:
                step = near
            else:  # sums of floats differ in the last places, so try nearly equal steps first
                alike = tried.setdefault(round(near, 6), [])
                step = next((one for one in alike if _sum(base, one) == value), near)
                if step is near:
                    alike.append(near)
            if type(_sum(base, step)) is not type(value) or _sum(base, step) != value:
                break
            found.append(steps.setdefault((type(step), step), len(steps)))
        else:
            return [_whole(name, found), _texts(f"{name}_steps", (number_text(step) for _, step in steps))]
    return [_texts(name, map(number_text, values))]


class Columns:
    """The columns of a file by name. Each has its length and range checked when it is asked for."""

    def __init__(self, descriptions: Sequence[Any], content: bytes):
        self._columns: dict[str, tuple[str, bytes, list[int]]] = {}
        size = 0
        for name, code, length, book in descriptions:
            whole = type(length) is int and all(type(n) is int and abs(n) < MAX_NUMBER for n in book)
            if type(name) is not str or code not in list("tbhiBHI") or not whole or length < 0:
                raise ValueError("a column should have a name, a code, a number of bytes and a book")
            size += length
        if size > MAX_BYTES:
            raise ValueError(f"its columns take {size:,} bytes, and {MAX_BYTES:,} is the most that is read")
        stream = zlib.decompressobj()
        data = stream.decompress(content, size + 1)
        if len(data) != size or not stream.eof:
            raise ValueError("its columns are not as long as its header says")
        at = 0
        for name, code, length, book in descriptions:
            self._columns[name] = code, data[at : at + length], book
            at += length

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def whole(
        self, name: str, n: int | None = None, least: int = -MAX_NUMBER, below: int = MAX_NUMBER
    ) -> "array[int]":
        """Return a column of `n` whole numbers, each from `least` to less than `below`. Raises ValueError."""
        code, data, book = self._columns.get(name, ("", b"", []))
        width = WIDTHS.get(code.lower(), 0)
        if not width or (len(data) != n * width if n is not None else len(data) % width):
            raise ValueError(
                f"it should have a column {name} of {'' if n is None else f'{n:,} '}whole numbers"
            )
        n = len(data) // width
        spread = bytearray(len(data))
        for byte in range(width):
            spread[byte::width] = data[byte * n : (byte + 1) * n]
        raw: array[int] = array(code.lower())
        raw.frombytes(spread)
        if sys.byteorder == "big":
            raw.byteswap()
        listed = map(book.__getitem__, raw) if book else raw
        values = array("q", accumulate(listed) if code.isupper() else listed)
        if values and not least <= min(values) <= max(values) < below:
            raise ValueError(f"column {name} has a number that is out of range")
        return values

    def texts(self, name: str, n: int | None = None) -> list[str]:
        """Return a column of `n` texts. Raises ValueError."""
        code, data, _ = self._columns.get(name, ("", b"", []))
        if code != "t" or (n is not None and data.count(0) != n) or (data and data[-1]):
            raise ValueError(f"it should have a column {name} of {'' if n is None else f'{n:,} '}texts")
        return data.decode("utf-8").split("\0")[:-1]

    def numbers(self, name: str, n: int) -> tuple[Iterator[Cost], bool]:
        """Return `n` exact numbers, and whether each is only the step from a base. Raises ValueError."""
        if f"{name}_steps" not in self:
            return map(read_number, self.texts(name, n)), False
        steps = list(map(read_number, self.texts(f"{name}_steps")))
        return map(steps.__getitem__, self.whole(name, n, 0, len(steps))), True


# Writing


def _events(recording: Recording[Any, Any]) -> list[Column]:
    events, known = recording.events, {"": 0}
    expanded, other, parents, actions, gs = list[int](), list[int](), list[int](), list[int](), list[Any]()
    now: list[Any] = [None] * (recording.nodes + 1)  # the present g of each node; the last one for no parent
    bases, last = list[Any](), -1
    for kind, node, g, parent, action in zip(
        events.kind, events.node, events.g, events.parent, events.action, strict=True
    ):
        if kind == EXPAND:
            expanded.append(node)
            last = node
        elif kind != NOTE:
            if kind != REACH:
                other.append(node - last)
            if kind == LEAVE:
                continue
            parents.append(last - parent)
            gs.append(g)
            bases.append(now[parent])
            now[node] = g
            text = "" if action is None else shortened(str(action), MAX_ACTION)
            actions.append(known.setdefault(text, len(known)))
    before = recording.before.generated
    return [
        _whole("kind", events.kind),
        _rising("expanded", expanded),
        _whole("other", other),
        _whole("parent", parents),
        *_numbers("g", gs, bases),
        _whole("action", actions),
        _texts("actions", known),
        _rising("generated", [generated - before for generated in recording.generated]),
        *_notes(recording),
    ]


def _notes(recording: Recording[Any, Any]) -> list[Column]:
    """Return the column of notes, each a JSON object, and the cells of the regions that they open."""
    nodes: dict[Any, int] = {}
    if any(note.facts for note in recording.notes):
        for node, (state, half) in enumerate(zip(recording.states, recording.halves, strict=True)):
            if half != OWN and state is not None:
                nodes.setdefault(state, node)

    def plain(value: Any, *, state: bool) -> Any:
        if isinstance(value, Mapping):  # a node, in a recording from a file
            return dict(value)
        if state and value.__hash__ is not None and value in nodes:
            return {"node": nodes[value]}
        if (
            value is None
            or isinstance(value, bool | str | int)
            or (isinstance(value, float) and isfinite(value))
        ):
            return value
        return len(value) if isinstance(value, tuple) else shortened(str(value), MAX_LABEL)

    said = [
        {
            "kind": note.kind,
            "text": note.text,
            "facts": {
                name: plain(value, state=name in ("state", "node", "parent"))
                for name, value in note.facts.items()
            },
        }
        for note in recording.notes
    ]
    return [
        _texts("notes", map(json.dumps, said)),
        _whole("note_counts", [len(note.cells) for note in recording.notes]),
        _rising("note_cells", [cell for note in recording.notes for cell in note.cells]),
    ]


def _nodes(recording: Recording[Any, Any], *, placed: bool) -> list[Column]:
    """Return what is known of each node besides its events, and of its cells if the file has a map."""
    appearance, nodes, parents = (
        recording.appearance,
        range(recording.nodes),
        _first_parents(recording.events),
    )
    columns: list[Column] = []
    if any(recording.halves):
        columns.append(_whole("half", recording.halves))
    values = [appearance.h(node) for node in nodes]
    inside = [node for node in nodes if recording.halves[node] == FORWARD]
    if recording.weight is not None and inside and all(values[node] is not None for node in inside):
        bases = [None if parents[node] < 0 else values[parents[node]] for node in inside]
        columns += _numbers("h", [values[node] for node in inside], bases)
    positions = list(map(appearance.position, nodes))
    if any(positions):
        for axis, name in enumerate("xy"):
            columns.append(_texts(name, [str(0.0 if one is None else one[axis]) for one in positions]))
    if recording.nodes <= MAX_NODES_WITH_EDGES:
        tree = set(zip(recording.events.parent, recording.events.node, strict=True))
        edges = [edge for edge in dict.fromkeys(appearance.edges()) if edge not in tree]
        columns.append(_whole("edges", [node for edge in edges for node in edge]))
    labels = [appearance.label(node) for node in nodes]
    if placed and appearance.ground is not None:
        width = appearance.ground.width
        cells = list(map(appearance.cells, nodes))
        columns.append(_whole("cell_counts", list(map(len, cells))))
        steps = list[int]()
        for found, parent in zip(cells, parents, strict=True):
            before = cells[parent] if parent >= 0 else ()
            steps += map(sub, found, chain(before, repeat(0)))
        columns.append(_whole("cells", steps))
        if all(
            len(found) == 1 and label == f"({found[0] % width}, {found[0] // width})"
            for found, label in zip(cells, labels, strict=True)
        ):
            return columns
    return [*columns, _texts("labels", [shortened(label, MAX_LABEL) for label in labels])]


def _map(recording: Recording[Any, Any]) -> tuple[dict[str, Any] | None, list[Column]]:
    """Return the description of the map, if there is one, and the columns of its ground and of what changes on it."""
    appearance, ground = recording.appearance, recording.appearance.ground
    if ground is None or (
        recording.nodes > MAX_BOARDS and not any(map(appearance.cells, range(recording.nodes)))
    ):
        return None, []
    marks = {key: index for index, key in enumerate(ground.marks)}
    columns = [_whole("ground", [marks[key] for row in ground.rows for key in row])]
    if appearance.changes is not no_changes:
        columns += _changes(recording, marks)
    return {
        "width": ground.width,
        "height": ground.height,
        "marks": [
            {"key": key, "glyph": mark.glyph, "colour": mark.colour, "label": mark.label, "rank": mark.rank}
            for key, mark in ground.marks.items()
        ],
        "expanded": dict(appearance.expanded),
        "path": dict(appearance.path),
        "phases": list(map(dict, appearance.phases)),
    }, columns


def _changes(recording: Recording[Any, Any], marks: Mapping[str, int]) -> list[Column]:
    """Return what looks different in each node, as the difference to its first parent; -1 is the ground again."""
    counts, cells, shown = [], [], []
    known: list[dict[int, int]] = []
    for node, parent in enumerate(_first_parents(recording.events)):
        before = known[parent] if parent >= 0 else {}
        now = {cell: marks[key] for cell, key in recording.appearance.changes(node).items()}
        known.append(before if now == before else now)
        differing = [cell for cell, mark in now.items() if before.get(cell) != mark]
        differing += [cell for cell in before if cell not in now]
        counts.append(len(differing))
        cells += differing
        shown += [now.get(cell, -1) for cell in differing]
    return [_whole("change_counts", counts), _whole("change_cells", cells), _whole("change_marks", shown)]


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
        header, content = _parts(data)
        return _recording(header, Columns(_member(header, "columns", list), content))
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, zlib.error) as error:
        reason = f"{error}" if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise InputFormatError(f"not a valid recording: {reason}", source=source) from error


def _parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header and the deflated columns."""
    if not data.startswith(MAGIC):
        raise ValueError("it does not begin with searchkit-trace; searchkit watch … --save FILE writes one")
    version = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4], "little")
    if len(data) > len(MAGIC) + 4 and version != VERSION:
        raise ValueError(
            f"it has format {version}, and this version of searchkit reads format {VERSION}; "
            "open it with the version that wrote it, or record the search again"
        )
    if len(data) < HEADER or sha256(data[HEADER - 4 :]).digest() != data[HEADER - 36 : HEADER - 4]:
        raise ValueError("it is cut short or was changed: its checksum does not match")
    end = HEADER + int.from_bytes(data[HEADER - 4 : HEADER], "little")
    header = json.loads(data[HEADER:end])
    if not isinstance(header, dict):
        raise ValueError("its header should be an object")
    return header, data[end:]


def _member(header: Mapping[str, Any], name: str, kind: type) -> Any:
    value: Any = header.get(name)
    if type(value) is not kind or (isinstance(value, int) and value < -1):
        raise ValueError(f"{name} in its header should be of the type {kind.__name__}")
    return value


def _recording(header: Mapping[str, Any], columns: Columns) -> Recording[Any, Any]:
    members: dict[str, Any] = {name: _member(header, name, kind) for name, kind in MEMBERS.items()}
    nodes: int = members.pop("nodes")
    before, goal = _member(header, "before", list), _member(header, "goal", int)
    cost, weight = (
        None if header.get(name) is None else read_number(_member(header, name, str))
        for name in ("cost", "weight")
    )
    texts = [*members["options"].values(), *members["warnings"]]
    if (
        not all(isinstance(text, str) for text in texts)
        or not (len(before) == 3 and all(type(number) is int for number in before))
        or members["status"] not in STATUSES
        or not goal < nodes <= MAX_EVENTS
    ):
        raise ValueError("its header has a member of a wrong form")
    halves = bytearray(columns.whole("half", nodes, 0, 3).tolist()) if "half" in columns else bytearray(nodes)
    events = _read_events(columns, nodes)
    counted = columns.whole("generated", events.kind.count(EXPAND) + 1)
    notes = _read_notes(columns, events.kind.count(NOTE))
    return Recording(
        events=events,
        halves=halves,
        states=[None] * nodes,
        notes=notes,
        generated=array("q", [before[1] + number for number in counted]),
        cost=cost,
        goal=None if goal < 0 else goal,
        appearance=_read_appearance(header, columns, halves, _first_parents(events), notes),
        before=Counters(*before),
        weight=weight,
        **members,
    )


def _read_events(columns: Columns, nodes: int) -> Events:
    kinds = columns.whole("kind", None, 0, NOTE + 1)
    count = [kinds.count(kind) for kind in range(NOTE + 1)]
    if count[REACH] != nodes or len(kinds) > MAX_EVENTS:
        raise ValueError(f"it has {count[REACH]:,} nodes, and its header says {nodes:,}")
    arrivals = sum(count[kind] for kind in ARRIVALS)
    expanded = iter(columns.whole("expanded", count[EXPAND], 0, nodes))
    other = iter(columns.whole("other", arrivals - nodes + count[LEAVE]))
    parents, (gs, are_steps) = iter(columns.whole("parent", arrivals)), columns.numbers("g", arrivals)
    texts: list[str | None] = [*columns.texts("actions")]
    texts[:1] = [None]
    actions = map(texts.__getitem__, columns.whole("action", arrivals, 0, len(texts)))
    events, last, reached, notes = Events(), -1, 0, 0
    arrived: list[tuple[Any, int, Any]] = [(0, -1, None)] * nodes
    for at, kind in enumerate(kinds):
        if kind == NOTE:
            events.add(NOTE, notes)
            notes += 1
            continue
        node = next(expanded) if kind == EXPAND else reached if kind == REACH else last + next(other)
        if not 0 <= node < reached + (kind == REACH):
            raise ValueError(f"event {at:,} names a node that is not reached yet")
        if kind == EXPAND:
            last = node
        elif kind in ARRIVALS:
            parent = last - next(parents)
            if not -1 <= parent < reached:
                raise ValueError(f"event {at:,} names a parent that is not reached yet")
            g = next(gs)
            arrived[node] = (
                g + arrived[parent][0] if are_steps and parent >= 0 else g,
                parent,
                next(actions),
            )
            reached += kind == REACH
        events.add(kind, node, *arrived[node])
    return events


def _read_notes(columns: Columns, n: int) -> list[Note]:
    counts = columns.whole("note_counts", n, 0)
    cells = columns.whole("note_cells", sum(counts), 0)
    notes, at = [], 0
    for text, count in zip(columns.texts("notes", n), counts, strict=True):
        said = json.loads(text)
        if not isinstance(said, dict):
            raise ValueError("a note should be an object")
        kind, words, facts = (
            _member(said, name, of) for name, of in (("kind", str), ("text", str), ("facts", dict))
        )
        notes.append(Note(kind, words, facts, cells[at : at + count]))
        at += count
    return notes


def _read_appearance(
    header: Mapping[str, Any],
    columns: Columns,
    halves: bytearray,
    parents: Sequence[int],
    notes: Sequence[Note],
) -> Appearance:
    nodes = len(halves)
    values: dict[int, Any] = {}
    if "h" in columns:
        inside = [node for node, half in enumerate(halves) if half == FORWARD]
        numbers, are_steps = columns.numbers("h", len(inside))
        for node, number in zip(inside, numbers, strict=True):
            values[node] = number + values.get(parents[node], 0) if are_steps else number
    ends = columns.whole("edges", None, 0, nodes) if "edges" in columns else ()
    edges = list(zip(ends[::2], ends[1::2], strict=True))
    labels = columns.texts("labels", nodes) if "labels" in columns else []
    found = Appearance(labels.__getitem__, h=values.get, edges=lambda: edges)
    if "x" in columns:
        xs, ys = (list(map(float, columns.texts(name, nodes))) for name in "xy")
        found.position = lambda node: None if halves[node] == OWN else (xs[node], ys[node])
    described = header.get("map")
    size = described["width"] * described["height"] if described else 0
    if any(cell >= size for note in notes for cell in note.cells):
        raise ValueError("a note has a cell outside the map")
    if described is not None:
        ground = found.ground = _ground(described, columns)
        width = ground.width
        found.expanded, found.path, *found.phases = (
            _replacements(one, ground)
            for one in (described["expanded"], described["path"], *described["phases"])
        )
        counts = columns.whole("cell_counts", nodes, 0)
        cells = columns.whole("cells", sum(counts))
        starts = list(accumulate(counts, initial=0))
        for parent, start, end in zip(parents, starts, starts[1:], strict=False):
            if parent >= 0:
                for at in range(start, min(end, start + counts[parent])):
                    cells[at] += cells[starts[parent] + at - start]
        if cells and not 0 <= min(cells) <= max(cells) < size:
            raise ValueError("a node is outside the map")
        found.cells = lambda node: cells[starts[node] : starts[node + 1]].tolist()
        if "change_counts" in columns:
            found.changes = _read_changes(columns, list(ground.marks), size, parents)
        if not labels and counts.count(1) == nodes:
            found.label = lambda node: f"({cells[node] % width}, {cells[node] // width})"
            return found
    if len(labels) != nodes:
        raise ValueError("it should have a column labels")
    return found


def _ground(described: Any, columns: Columns) -> Drawing:
    width, height, marks = (
        _member(described, name, kind) for name, kind in (("width", int), ("height", int), ("marks", list))
    )
    if not (0 <= width <= MAX_CELLS and 0 <= height <= MAX_CELLS):
        raise ValueError("the map has a wrong size")
    known: dict[str, Mark] = {}
    for mark in marks:
        key, glyph, colour, label = (_member(mark, name, str) for name in ("key", "glyph", "colour", "label"))
        if len(key) != 1 or key in known or not 1 <= len(glyph) <= 8 or not COLOUR.fullmatch(colour):
            raise ValueError("a mark should have a key of one character, a glyph, and a colour #rrggbb")
        known[key] = Mark(glyph, colour, label, _member(mark, "rank", int))
    keys = list(known)
    text = "".join(keys[index] for index in columns.whole("ground", width * height, 0, len(keys)))
    return Drawing([text[at : at + width] for at in range(0, len(text), width)], known)


def _replacements(described: Any, ground: Drawing) -> dict[str, str]:
    found = dict(described)
    if not {*found, *found.values()} <= ground.marks.keys():
        raise ValueError("what marks become should be marks")
    return found


def _read_changes(columns: Columns, keys: Sequence[str], size: int, parents: Sequence[int]) -> Any:
    """Return what returns the changed cells of a node: those of its ancestors and its own."""
    counts = columns.whole("change_counts", len(parents), 0)
    cells = columns.whole("change_cells", sum(counts), 0, size)
    marks = columns.whole("change_marks", len(cells), -1, len(keys))
    starts = list(accumulate(counts, initial=0))

    def changes(node: int) -> Mapping[int, str]:
        found: dict[int, int] = {}
        while node >= 0:
            for at in range(starts[node], starts[node + 1]):
                found.setdefault(cells[at], marks[at])
            node = parents[node]  # a smaller number
        return {cell: keys[mark] for cell, mark in found.items() if mark >= 0}

    return changes
