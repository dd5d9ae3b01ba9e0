"""A recording as the bytes of a `.trace` file. `docs/reference/trace-format.md` describes the format."""

import json
import zlib
from collections.abc import Mapping, Sequence
from itertools import chain, compress, count, islice, repeat
from operator import ne, sub
from typing import Any

from searchkit.errors import InvalidOptionError, shortened
from searchkit.trace.file.columns import (
    BOOK,
    Column,
    exact_text,
    is_whole,
    numbers,
    steps,
    texts,
    whole,
)
from searchkit.trace.log import FORWARD, OWN
from searchkit.trace.recording import IMPROVE, LEAVE, REACH, REOPEN, Note, Recording

MAGIC, VERSION = b"searchkit-trace\n", 1
MOST_EVENTS = 1 << 24
MOST_BYTES = 1 << 28
"""Of all columns, before they are deflated."""
SMALL = 500
"""A recording with at most so many nodes has the edges between them too."""
BOARDS = 20_000
"""If no state has a place, as in a puzzle, recordings of more nodes have no ground either: the labels say all."""
ACTION, LABEL = 200, 2_000
"""The most characters of an action and of a label."""
LEVEL, QUICK = 5, 2
"""Of deflate, with the strategy for small numbers. Level 5 takes half the time of level 6 with the default strategy,
and the file is smaller; level 2 takes a third of the time of level 5, for a file that is a fifth larger …"""
LARGE = 1 << 21
"""… and is used for columns of more bytes than this."""


def pack(recording: Recording[Any, Any]) -> bytes:
    """Return a recording as the bytes of a `.trace` file.

    Raises `InvalidOptionError` if it has more events than a file can have; also what the heuristic of the problem
    raises.
    """
    if len(recording) > MOST_EVENTS or recording.nodes > MOST_EVENTS:
        raise InvalidOptionError(
            f"the recording has {len(recording):,} events, and a file has at most {MOST_EVENTS:,}; "
            "record fewer expansions (cap=…)"
        )
    events, parents = _events(recording)
    only = recording.looks.all_places()
    places, map_header = _places(recording, parents, only)
    labels = _labels(recording, only)
    columns = [*events, *_h(recording, parents), *places, *labels, *_notes(recording)]
    header = {
        "format": "searchkit-trace",
        "version": VERSION,
        "title": recording.title,
        "engine": recording.engine,
        "options": dict(recording.options),
        "status": recording.status,
        "cost": None if recording.cost is None else exact_text(recording.cost),
        "weight": None if recording.weight is None else exact_text(recording.weight),
        "summary": recording.summary,
        "warnings": list(recording.warnings),
        "nodes": recording.nodes,
        "events": len(recording),
        "expansions": recording.expansions,
        "before": list(recording.before),
        "unrecorded": recording.unrecorded,
        "reached": recording.reached,
        "goal": -1 if recording.goal is None else recording.goal,
        "labels": bool(labels),
        "map": map_header,
        "columns": [description for description, _ in columns],
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    size = sum(len(data) for _, data in columns)
    if size > MOST_BYTES:
        raise InvalidOptionError(
            f"the recording takes {size:,} bytes, and a file holds {MOST_BYTES:,}; record fewer expansions (cap=…)"
        )
    begin = VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little")
    deflate = zlib.compressobj(LEVEL if size <= LARGE else QUICK, strategy=zlib.Z_FILTERED)
    content = deflate.compress(b"".join(data for _, data in columns)) + deflate.flush()
    return b"".join((MAGIC, begin, text, content))


def _events(recording: Recording[Any, Any]) -> tuple[list[Column], list[int]]:
    """Return the columns of the events, and for each node the parent from which it was first reached."""
    # By functions of itertools alone: with a line of Python for each event, packing takes longer than many a search.
    events, nodes = recording.events, recording.nodes
    kinds, parents = bytes(events.kind), events.arrivals.parent.tolist()
    first = parents
    expanded: Sequence[int] = range(recording.expansions)
    reached: Sequence[int] = range(nodes)
    other, except_at, except_parent = list[int](), list[int](), list[int]()
    if not events.in_order:
        arrivals, others = kinds.translate(ARRIVALS), kinds.translate(OTHERS)
        at, node = recording.expansions_at, events.node.tolist()
        expanded = list(map(node.__getitem__, at))
        lengths = list(map(sub, [*at, len(kinds)], [0, *at]))
        repeated = map(repeat, compress([-1, *expanded], lengths), filter(None, lengths))
        last = list(chain.from_iterable(repeated))  # before each event
        other = list(map(sub, compress(node, others), compress(last, others)))
        last, reached = list(compress(last, arrivals)), list(compress(node, arrivals))
        first = list(compress(parents, compress(kinds.translate(REACHES), arrivals)))
        if parents != last:
            excepted = list(map(ne, parents, last))
            except_at = list(compress(compress(count(), arrivals), excepted))
            except_parent = list(map(sub, compress(reached, excepted), compress(parents, excepted)))
    columns = [
        whole("kind", kinds),
        whole("expanded", expanded),
        whole("other", other),
        whole("except_at", except_at),
        whole("except_parent", except_parent),
        *_costs(events.arrivals.g, reached, parents, nodes),
        *_actions(events.arrivals.action),
    ]
    if any(recording.halves):
        columns.append(whole("half", bytes(recording.halves)))
    generated = recording.generated.tolist()
    columns.append(whole("generated", [*generated[:1], *map(sub, islice(generated, 1, None), generated)]))
    return columns, first


def _mask(*kinds: int) -> bytes:
    """Return the table for `bytes.translate` that makes 1 of these kinds of events and 0 of all others."""
    return bytes(kind in kinds for kind in range(256))


REACHES, ARRIVALS, OTHERS = _mask(REACH), _mask(REACH, IMPROVE, REOPEN), _mask(IMPROVE, REOPEN, LEAVE)


def _costs(costs: Sequence[Any], reached: Sequence[int], parents: Sequence[int], nodes: int) -> list[Column]:
    """Return the columns of g, as steps from the present g of the parent if that is exact."""
    if len(reached) == nodes:  # each node is reached once, in the order of their numbers
        bases = list(map([*costs, None].__getitem__, parents))  # the last one for -1, no parent
        return _exact(("step", "step_at", "g"), costs, bases)
    now: list[Any] = [0] * nodes + [None]
    bases = []
    for node, parent, cost in zip(reached, parents, costs, strict=True):
        bases.append(now[parent])
        now[node] = cost
    return _exact(("step", "step_at", "g"), costs, bases)


def _exact(names: tuple[str, str, str], values: Sequence[Any], bases: Sequence[Any]) -> list[Column]:
    """Return whole differences to the bases; or steps from them; or else the values themselves."""
    if is_whole(values):
        found = list(map(sub, values, [base or 0 for base in bases]))
        if is_whole(found):
            return [whole(names[0], found)]
    return steps(names[1], values, bases) or numbers(names[2], values)


def _actions(actions: Sequence[Any]) -> list[Column]:
    """Return the column of actions and that of their texts, the first of which stands for none."""
    index: dict[str, int] = {"": 0}
    plain = set(map(type, actions)) <= {str, type(None)}
    # equal actions may have different texts, such as 1 and 1.0
    names: Sequence[Any] = actions if plain else list(map(id, actions))
    known = {
        name: index.setdefault("" if action is None else shortened(str(action), ACTION), len(index))
        for name, action in dict(zip(names, actions, strict=True)).items()
    }
    return [whole("action", list(map(known.__getitem__, names))), texts("action_values", list(index))]


def _h(recording: Recording[Any, Any], parents: Sequence[int]) -> list[Column]:
    """Return the column of heuristic values of states in the tree; if they are whole, minus those of the parents."""
    if recording.weight is None:
        return []
    nodes = [node for node, half in enumerate(recording.halves) if half == FORWARD]
    found = recording.looks.all_h(nodes)
    if not found or any(value is None for value in found):
        return []
    values: list[Any] = [None] * (recording.nodes + 1)
    for node, value in zip(nodes, found, strict=True):
        values[node] = value
    bases = [values[parents[node]] for node in nodes]
    return _exact(("h", "h_step", "h_at"), found, bases)


def _places(
    recording: Recording[Any, Any], parents: Sequence[int], only: Sequence[int] | None
) -> tuple[list[Column], Any]:
    """Return the columns of where nodes are and how they look, and the description of the map in the header."""
    looks, ground = recording.looks, recording.looks.ground
    columns = _positions(recording) + _edges(recording)
    if ground is None or (recording.nodes > BOARDS and only is not None and only.count(-1) == len(only)):
        return columns, None
    cells = [] if only is not None else [looks.cells(node) for node in range(recording.nodes)]
    first = [one[0] if one else -1 for one in cells] if only is None else only
    columns.append(whole("place", list(map(sub, first, map([*first, 0].__getitem__, parents)))))
    if only is None:
        more: list[int] = []
        for node, up in enumerate(parents):
            like = cells[up] if up >= 0 else ()
            more += [
                cell - (like[index] if index < len(like) else 0)
                for index, cell in enumerate(cells[node])
                if index
            ]
        columns.append(whole("more_counts", [max(0, len(one) - 1) for one in cells]))
        columns.append(whole("more_places", more))
    marks = {key: index for index, key in enumerate(ground.marks)}
    columns += _changes(recording, parents, marks)
    drawn = "".join(ground.rows).translate({ord(key): chr(index) for key, index in marks.items()})
    columns.append(whole("ground", drawn.encode("latin-1") if len(marks) <= BOOK else list(map(ord, drawn))))
    return columns, {
        "width": ground.width,
        "height": ground.height,
        "marks": [
            {"key": key, "glyph": mark.glyph, "colour": mark.colour, "label": mark.label, "rank": mark.rank}
            for key, mark in ground.marks.items()
        ],
        "expanded": _between(looks.expanded, marks),
        "path": _between(looks.path, marks),
        "phases": [_between(phase, marks) for phase in looks.phases],
    }


def _between(keys: Mapping[str, str], marks: Mapping[str, int]) -> dict[str, int]:
    return {str(marks[key]): marks[shown] for key, shown in keys.items()}


def _changes(
    recording: Recording[Any, Any], parents: Sequence[int], marks: Mapping[str, int]
) -> list[Column]:
    """Return what looks different in each node, as the difference to its first parent; -1 is the ground again."""
    if not recording.looks.has_changes:
        return []
    counts, cells, shown = [], [], []
    known: list[dict[int, int]] = []
    for node, parent in enumerate(parents):
        before = known[parent] if parent >= 0 else {}
        now = {cell: marks[key] for cell, key in recording.looks.changes(node).items()}
        known.append(before if now == before else now)
        differing = [cell for cell, mark in now.items() if before.get(cell) != mark]
        differing += [cell for cell in before if cell not in now]
        counts.append(len(differing))
        cells += differing
        shown += [now.get(cell, -1) for cell in differing]
    return [whole("change_counts", counts), whole("change_cells", cells), whole("change_marks", shown)]


def _positions(recording: Recording[Any, Any]) -> list[Column]:
    """Return the columns of x and y, as texts, 0 for nodes of the engine; none if a state has no coordinates."""
    looks = recording.looks
    found = [None if half == OWN else looks.position(node) for node, half in enumerate(recording.halves)]
    if found.count(None) != recording.halves.count(OWN) or not any(found):
        return []
    return [
        column
        for name, axis in (("x", 0), ("y", 1))
        for column in numbers(name, [0.0 if one is None else one[axis] for one in found])
    ]


def _edges(recording: Recording[Any, Any]) -> list[Column]:
    """Return the steps between the nodes of a small recording that are not in its tree, as pairs of nodes."""
    if recording.nodes > SMALL:
        return []
    pairs = recording.looks.edges(
        {(parent, node) for parent, node in zip(recording.parents, recording.events.node, strict=True)}
    )
    return [whole("edges", [node for pair in pairs for node in pair])] if pairs else []


def _labels(recording: Recording[Any, Any], only: Sequence[int] | None) -> list[Column]:
    """Return the column of labels; none if each one is `(x, y)`, the place of its node."""
    looks = recording.looks
    width = looks.ground.width if looks.ground else 0
    if width and looks.labels_are_places:
        return []
    labels = looks.all_labels()
    if width and only is not None:
        spelled = [f"({one % width}, {one // width})" if one >= 0 else None for one in only]
        if labels == spelled:
            return []
    if max(map(len, labels), default=0) > LABEL:
        labels = [shortened(label, LABEL) for label in labels]
    return [texts("labels", labels)]


def _notes(recording: Recording[Any, Any]) -> list[Column]:
    """Return the column of notes, each a JSON object, and the cells of the regions that they open."""
    if not recording.notes:
        return []
    nodes: dict[Any, int] = {}
    for node, state in enumerate(recording.states):
        if state is not None and recording.halves[node] != OWN:
            nodes.setdefault(state, node)
    said = [
        json.dumps(
            {"kind": note.kind, "text": note.text, "facts": _facts(note, nodes)}, separators=(",", ":")
        )
        for note in recording.notes
    ]
    columns = [texts("notes", said)]
    if any(note.cells for note in recording.notes):
        columns.append(whole("note_counts", [len(note.cells) for note in recording.notes]))
        columns.append(whole("note_cells", [cell for note in recording.notes for cell in note.cells]))
    return columns


def _facts(note: Note, nodes: Mapping[Any, int]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in note.facts.items():
        if name == "regions":
            found[name] = len(value) if isinstance(value, Sequence) else shortened(str(value), LABEL)
        elif isinstance(value, Mapping):  # a node, in a recording from a file
            found[name] = dict(value)
        elif name in ("state", "node", "parent") and _is_key(value, nodes):
            found[name] = {"node": nodes[value]}
        elif value is None or isinstance(value, bool | str) or (type(value) is int and abs(value) < 2**53):
            found[name] = value
        elif isinstance(value, int | float) or hasattr(value, "numerator"):
            found[name] = exact_text(value)
        else:
            found[name] = shortened(str(value), LABEL)
    return found


def _is_key(value: Any, nodes: Mapping[Any, int]) -> bool:
    try:
        return value in nodes
    except TypeError:
        return False
