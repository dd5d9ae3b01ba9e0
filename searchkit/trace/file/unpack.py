"""Reading `.trace` files. Everything is checked: a file of any bytes gives a recording or one `InputFormatError`."""

import json
import zlib
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from searchkit.basics.files import read_bytes
from searchkit.errors import InputFormatError
from searchkit.trace.file.appearance import looks_of
from searchkit.trace.file.columns import check, read_exact
from searchkit.trace.file.pack import MAGIC, MOST_BYTES, MOST_EVENTS, VERSION
from searchkit.trace.file.reading import LENGTHS, Columns, check_lengths, count, member, no_constant
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

MOST_HEADER = 1 << 26
MOST_COLUMNS = 64
PART = 1 << 20
"""How many bytes are inflated at a time."""
STATUSES = ("solved", "unsolvable", "cutoff")
MOST_STEPS = 1 << 24
"""How many steps along parents are made to find out that they do not go in a circle."""


def load_recording(path: str | Path) -> Recording[Any, Any]:
    """Read a recording from a `.trace` file; nothing in the file is run or unpickled.

    Its `states`, `result` and `problem` are None: nodes have their labels, places and heuristic values. Raises
    `InputFormatError` if the file can't be read, is not a recording, was cut short or changed, or has a newer format.
    """
    file = Path(path)
    return unpack(read_bytes(file), str(file))


def unpack(data: bytes, source: str = "") -> Recording[Any, Any]:
    """Return the recording that the bytes of a `.trace` file hold. Raises `InputFormatError`, which names `source`."""
    try:
        header, columns = _read(data)
        return _recording(header, Columns(columns))
    except InputFormatError:
        raise
    except (ValueError, TypeError, KeyError, ArithmeticError, RecursionError, zlib.error) as error:
        reason = f"{error}" if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise InputFormatError(f"not a valid recording: {reason}", source=source) from error


def _read(data: bytes) -> tuple[dict[str, Any], dict[str, tuple[dict[str, Any], bytes]]]:
    """Return the header, and the description and the bytes of each column."""
    begin = len(MAGIC) + 8
    if not data.startswith(MAGIC):
        raise ValueError("it does not begin with searchkit-trace; searchkit watch … --save FILE writes one")
    version = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4], "little")
    length = int.from_bytes(data[len(MAGIC) + 4 : begin], "little")
    if len(data) < begin:
        raise ValueError("it is cut short")
    if version != VERSION:
        raise ValueError(
            f"it has format {version}, and this version of searchkit reads format {VERSION}; "
            "open it with the version that wrote it"
        )
    if length > min(len(data) - begin, MOST_HEADER):
        raise ValueError("its header is cut short or too long")
    header = json.loads(data[begin : begin + length].decode("utf-8"), parse_constant=no_constant)
    if not isinstance(header, dict) or header.get("format") != "searchkit-trace":
        raise ValueError("its header should be an object of the format searchkit-trace")
    descriptions = member(list, header, "columns")
    if len(descriptions) > MOST_COLUMNS or not all(isinstance(one, dict) for one in descriptions):
        raise ValueError(f"it should have at most {MOST_COLUMNS} columns")
    for description in descriptions:
        check(description)
    names = [description["name"] for description in descriptions]
    if len(set(names)) < len(names):
        raise ValueError("two of its columns have one name")
    size = sum(description["bytes"] for description in descriptions)
    if size > MOST_BYTES:
        raise ValueError(f"its columns take {size:,} bytes, and {MOST_BYTES:,} is the most that is read")
    check_lengths(header, descriptions)
    stream = zlib.decompressobj()
    content, columns = data[begin + length :], {}
    for description in descriptions:  # one after the other: what no reader knows is not kept
        name, left = description["name"], description["bytes"]
        parts = []
        while left:
            part = stream.decompress(content, min(left, PART))
            if not part:
                raise ValueError("its columns are cut short, or longer than its header says")
            content = stream.unconsumed_tail
            left -= len(part)
            if name in LENGTHS:
                parts.append(part)
        if name in LENGTHS:
            columns[name] = description, b"".join(parts)
    if stream.decompress(content, 1) or not stream.eof or stream.unused_data:
        raise ValueError("its columns are cut short, or longer than its header says")
    return header, columns


def _recording(header: Mapping[str, Any], columns: Columns) -> Recording[Any, Any]:
    nodes = count(header, "nodes", MOST_EVENTS)
    total = count(header, "events", MOST_EVENTS)
    expansions = count(header, "expansions", total)
    kinds = columns.whole("kind", total, 0, NOTE + 1)
    if kinds.count(EXPAND) != expansions or kinds.count(REACH) != nodes:
        raise ValueError("its events are not as many expansions and nodes as its header says")
    halves = bytearray(iter(columns.whole("half", nodes, 0, 3))) if "half" in columns else bytearray(nodes)
    events, parents = _events(columns, kinds, nodes)
    before = member(list, header, "before")
    if len(before) != 3 or not all(type(count) is int and count >= 0 for count in before):
        raise ValueError("before in its header should be three counters")
    options = member(dict, header, "options")
    warnings = member(list, header, "warnings")
    if not all(isinstance(text, str) for text in [*options.values(), *warnings]):
        raise ValueError("options and warnings in its header should be texts")
    if header.get("status") not in STATUSES:
        raise ValueError(f"status in its header should be one of {', '.join(STATUSES)}")
    goal = header.get("goal")
    if type(goal) is not int or not -1 <= goal < nodes:
        raise ValueError("goal in its header should be a node, or -1")
    generated = array("q")
    counted = 0
    for step in columns.whole("generated", expansions + 1 if "generated" in columns else 0):
        counted += step
        generated.append(counted)
    notes = _notes(columns, kinds.count(NOTE))
    return Recording(
        events=events,
        halves=halves,
        states=[None] * nodes,
        notes=notes,
        generated=generated,
        engine=member(str, header, "engine"),
        options=options,
        title=member(str, header, "title"),
        status=header["status"],
        cost=_number(header, "cost"),
        summary=member(str, header, "summary"),
        warnings=warnings,
        goal=None if goal < 0 else goal,
        looks=looks_of(header, columns, nodes, halves, parents, notes),
        before=Counters(*before),
        unrecorded=count(header, "unrecorded"),
        reached=count(header, "reached"),
        weight=_number(header, "weight"),
    )


def _number(header: Mapping[str, Any], name: str) -> Any:
    return None if header.get(name) is None else read_exact(member(str, header, name))


def _events(columns: Columns, kinds: "array[int]", nodes: int) -> tuple[Events, list[int]]:
    """Return the events, and for each node the parent from which it was first reached."""
    arrivals = len(kinds) - kinds.count(EXPAND) - kinds.count(LEAVE) - kinds.count(NOTE)
    expanded = iter(columns.whole("expanded", kinds.count(EXPAND), 0, nodes))
    other = iter(columns.whole("other", arrivals + kinds.count(LEAVE) - nodes))
    at_exception = columns.whole("except_at", None, 0, len(kinds))
    exceptions = dict(zip(at_exception, columns.whole("except_parent", len(at_exception)), strict=True))
    labels = columns.texts("action_values")
    actions = iter(columns.whole("action", arrivals, 0, len(labels)))
    costs = columns.exact(("step", "step_at", "g"), arrivals)
    tree = _Tree(nodes)
    events = Events(kind=array("B", kinds))
    first: list[int] = []
    last, reached, notes = -1, 0, 0
    for at, kind in enumerate(kinds):
        if kind == NOTE:
            node = notes
            notes += 1
        elif kind in (REACH, IMPROVE, REOPEN):
            if kind == REACH:
                node = reached
                reached += 1
            else:
                node = last + next(other)
            parent = node - exceptions[at] if at in exceptions else last
            if not (-1 <= parent < reached and 0 <= node < reached):
                raise ValueError(f"event {at:,} names a node that is not reached yet")
            if kind == REACH:
                first.append(parent)
            label = labels[next(actions)]
            action = label if label or parent >= 0 else None
            g = costs.next(tree.g[parent] if parent >= 0 else None)
            tree.reach(node, parent, g)
            events.arrivals.add(g, parent, action)
        else:
            node = next(expanded) if kind == EXPAND else last + next(other)
            if not 0 <= node < reached:
                raise ValueError(f"event {at:,} names a node that is not reached yet")
            if kind == EXPAND:
                last = node
            else:
                tree.leave(node)
        events.node.append(node)
    return events, first


class _Tree:
    """The present parent of each node, without circles."""

    def __init__(self, nodes: int):
        self.g: list[Any] = [0] * nodes
        self.parents = [-1] * nodes
        self._children = [0] * nodes
        self._rising = True
        """Whether no node has a parent that costs more: then no cheaper arrival can make a circle."""
        self._steps = 0

    def reach(self, node: int, parent: int, g: Any) -> None:
        """Give a node a parent. Raises ValueError if that makes a circle."""
        if node == parent:
            raise ValueError("its parents go in a circle")
        if self._children[node] and not (self._rising and g < self.g[node] and g >= self.g[parent]):
            above = parent
            while above >= 0:
                self._steps += 1
                above = self.parents[above]
                if above == node or self._steps > MOST_STEPS:
                    raise ValueError("its parents go in a circle, or change too often to find that out")
        self._rising = (
            self._rising
            and (parent < 0 or g >= self.g[parent])
            and not (self._children[node] and g > self.g[node])
        )
        if self.parents[node] >= 0:
            self._children[self.parents[node]] -= 1
        if parent >= 0:
            self._children[parent] += 1
        self.parents[node], self.g[node] = parent, g

    def leave(self, node: int) -> None:
        """Take a node out of the tree."""
        if self.parents[node] >= 0:
            self._children[self.parents[node]] -= 1
            self.parents[node] = -1


def _notes(columns: Columns, n: int) -> list[Note]:
    if not n:
        return []
    counts = columns.whole("note_counts", n, 0) if "note_counts" in columns else array("q", [0] * n)
    cells = columns.whole("note_cells", sum(counts), 0) if "note_cells" in columns else array("q")
    notes, at = [], 0
    for text, most in zip(columns.texts("notes", n), counts, strict=True):
        said = json.loads(text, parse_constant=no_constant)
        if not isinstance(said, dict):
            raise ValueError("a note should be an object")
        notes.append(
            Note(
                member(str, said, "kind"),
                member(str, said, "text"),
                member(dict, said, "facts"),
                cells[at : at + most],
            )
        )
        at += most
    return notes
