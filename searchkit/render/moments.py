"""What a recorded search looked like at any time: as a drawing, as a picture, and as a table of its frontier."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from searchkit.basics.text import visible
from searchkit.plugin.drawing import Cell, Drawing, Mark, Places, Route
from searchkit.render.drawings import Canvas
from searchkit.render.graphs import (
    MOST_IN_TREE,
    MOST_NODES,
    Explored,
    graph_scene,
    selected,
    tree_scene,
)
from searchkit.render.maps import CURRENT, informs, map_scene
from searchkit.render.scene import Scene
from searchkit.trace import EXPAND, NOTE, REACH, Recording, Replay

FORWARD, BACKWARD, OWN = range(3)
"""The halves of a recording: the tree, the half that grows from the goals, and nodes of the engine's own."""
ABSENT, OPEN, EXPANDED = range(3)
"""The conditions of a node in a `Replay`."""
FIRST_KEY = 0xF0000
"""The first of the keys that are made here; plugins hardly use this range, which is for private use."""
KEPT_RANK = 3
"""Marks of this rank and above, such as starts, goals, keys and doors, look the same whatever happens there."""
LINES, SOON = 8, 1_000
"""The number of frontier nodes in a table, and the number of expansions after which they are looked for."""

STATES: Mapping[str, Mark] = {
    "left": Mark("-", "#4c3a57", "left again", rank=1),
    "expanded": Mark("░", "#0072b2", "expanded", rank=1),
    "backward expanded": Mark("▒", "#8e4a9e", "expanded from the goals", rank=1),
    "open": Mark("○", "#7fd4ff", "open", rank=2),
    "backward open": Mark("□", "#e3b7f0", "open, from the goals", rank=2),
    "reopened": Mark("◎", "#e69f00", "reopened", rank=2),
    "path": Mark("●", "#ffd23f", "path to it", rank=3),
    "current": Mark(CURRENT, "#ff4d4d", "current state", rank=5),
}
"""How a cell looks by what the search did there. Of several states in one cell, the last of these is shown."""
ORDER = tuple(STATES)
MASKS = ("#4a5340", "#5f6a52")
"""The shades of cells that a phase of a mask opened, one phase after the other."""


class Moments:
    """The moments of a recording: after each of its expansions.

    Moment n is after n expansions and all that they reached; the last one is the end of the recording. Going from one
    moment to another takes time in proportion to the events between them.

    Args:
        recording: what was recorded, or read from a file.

    """

    def __init__(self, recording: Recording[Any, Any]):
        self.recording = recording
        self.replay = Replay(recording)
        self.ground = recording.appearance.ground
        places = recording.appearance.places
        self.places: Places[Any] | None = places
        """Of a recording that was not read from a file."""
        self.at = 0
        """The moment, from 0 to `len(self)`."""
        self._placed: list[Sequence[Cell] | None] = [None] * recording.nodes

    def __len__(self) -> int:
        """Return the number of expansions."""
        return self.recording.expansions

    def go(self, moment: int) -> "Moments":
        """Go to a moment, or to the nearest there is, and return this object."""
        self.at = max(0, min(moment, len(self)))
        ends = self.recording.expansions_at
        self.replay.seek(ends[self.at] if self.at < len(self) else len(self.recording))
        return self

    @property
    def current(self) -> int | None:
        """The node that was expanded last; at the end of a search that found a goal, the goal. None before that."""
        if self.at == len(self) and self.recording.goal is not None:
            return self.recording.goal
        return self.recording.events.node[self.recording.expansions_at[self.at - 1]] if self.at else None

    # Text

    def title(self) -> str:
        """Return which moment it is."""
        before = self.recording.before.expanded
        return f"{_line(self.recording.title)}, expansion {before + self.at:,} of {before + len(self):,}"

    def lines(self) -> Iterator[str]:
        """Yield three lines: the state expanded with its f = g + h; counters; what the engine said last, or the end."""
        node = self.current
        yield "" if node is None else f"{self._label(node)}  {self.value(node)}".rstrip()
        counters = self.replay.counters
        yield (
            f"expanded {counters.expanded:,}, generated {counters.generated:,}, reopened {counters.reopened:,}, "
            f"open {self.replay.conditions.count(OPEN):,}"
        )
        if self.at < len(self):
            yield self.said()
        elif self.recording.unrecorded:
            yield f"{self.recording.unrecorded:,} more expansions are not recorded; {_line(self.recording.summary)}"
        else:
            yield _line(self.recording.summary)

    def value(self, node: int) -> str:
        """Return f = g + h of a node; only g if there is no heuristic, nothing if it is not reached."""
        g = self.replay.g[node]
        if g is None:
            return ""
        h = self.recording.h(node)
        if h is None or self.recording.weight is None:
            return f"g = {_number(g)}"
        weight = "" if self.recording.weight == 1 else f"{_number(self.recording.weight)} · "
        return f"f = {_number(self.recording.f(node, g))} = {_number(g)} + {weight}{_number(h)}"

    def said(self) -> str:
        """Return what the engine said last; "" if it said nothing yet."""
        last = bisect_left(self._notes, self.replay.time) - 1
        if last < 0:
            return ""
        return visible(str(self.recording.notes[self.recording.events.node[self._notes[last]]])).replace(
            "\n", " "
        )

    @cached_property
    def _notes(self) -> Sequence[int]:
        return [at for at, kind in enumerate(self.recording.events.kind) if kind == NOTE]

    def table(self) -> str:
        """Return the path to the current state and the frontier as text, for problems without a map."""
        found = []
        node = self.current
        if node is not None and self.replay.conditions[node] != ABSENT:
            path = self.replay.path_to(node)
            shown = path if len(path) <= LINES else [*path[:1], None, *path[2 - LINES :]]
            found.append("path: " + " → ".join("…" if one is None else self._label(one) for one in shown))
        for number, one in enumerate(self._next(), 1):
            found.append(f"{number:>3}. {self._label(one)}  {self.value(one)}")
        size = self.replay.conditions.count(OPEN)
        if size > LINES:
            found.append(f"     {size - LINES:,} more are open")
        return "\n".join(found)

    def _next(self) -> Sequence[int]:
        """Return the first open nodes, in the order of `Replay.frontier`, which sorts all of them."""
        found: dict[int, None] = {}
        for at in self.recording.expansions_at[self.at : self.at + SOON]:
            node = self.recording.events.node[at]
            if self.replay.conditions[node] == OPEN:
                found[node] = None
                if len(found) == LINES:
                    return list(found)
        return self.replay.frontier[:LINES]

    def _label(self, node: int) -> str:
        return visible(self.recording.label(node)).replace("\n", " / ")

    @property
    def has_cells(self) -> bool:
        """Whether the current state has a place on the ground."""
        return self.current is None or bool(self._cells(self.current))

    # Drawings

    def drawing(self) -> Drawing | None:
        """Return the moment on the ground: what is open, expanded, reopened and left; the path to the current state.

        None if the problem has no ground.
        """
        if self.ground is None:
            return None
        canvas = self._canvas(self.ground)
        for route in self._routes(canvas):
            canvas.show(route.cells, route.keys)
        if self.current is not None:
            self._mark(canvas, self.current)
        return canvas.drawing()

    def scene(self) -> Scene:
        """Return the moment as a picture: a map, a graph at its coordinates, or a part of the search tree.

        A problem whose states are nowhere on its ground, such as a board, is shown as a tree.
        """
        captions = [self.title(), *self.lines()]
        nowhere = not any(map(self._cells, range(min(self.recording.nodes, 1))))
        if self.ground is None or self._positioned or nowhere:
            return self._tree(captions)
        canvas = self._canvas(self.ground)
        routes = self._routes(canvas)
        if self.current is not None:
            self._mark(canvas, self.current)
        return map_scene(canvas.drawing(), routes, captions, self.title(), cut=True)

    @property
    def path(self) -> Sequence[int]:
        """The nodes on the path to the current one; empty if it is not in the tree."""
        node = self.current
        if node is None or self.replay.conditions[node] == ABSENT or self.recording.halves[node] == OWN:
            return ()
        return self.replay.path_to(node)

    def _routes(self, canvas: Canvas) -> Sequence[Route]:
        """Return the walks along the path, with their own colours if there are several movers."""
        path = self.path
        if not path or self.recording.halves[path[0]] != FORWARD:
            return self._plain(canvas, path)
        if self.places is not None and self.places.routes is not None:
            routes = self.places.routes([self.recording.states[node] for node in path])
            if len(routes) != 1:
                return routes
            return [Route(routes[0].cells, self._looks(canvas, "path"))]
        return self._plain(canvas, path)

    def _plain(self, canvas: Canvas, path: Sequence[int]) -> Sequence[Route]:
        cells = [cells[0] for cells in map(self._cells, path) if cells]
        return [Route(cells, self._looks(canvas, "path"))] if cells else []

    @property
    def _positioned(self) -> bool:
        return self.recording.nodes > 0 and self.recording.appearance.position(0) is not None

    def _tree(self, captions: Sequence[str]) -> Scene:
        replay, recording = self.replay, self.recording
        known = [node for node, condition in enumerate(replay.conditions) if condition != ABSENT]
        path = self.path
        most = MOST_NODES if self._positioned else MOST_IN_TREE
        parents = {node: None if replay.parents[node] < 0 else replay.parents[node] for node in known}
        shown = Explored(
            selected(parents, path, most),
            expanded={node for node in known if replay.conditions[node] == EXPANDED},
            path=path,
            goals=set() if recording.goal is None else {recording.goal},
            more=max(0, len(known) - most),
        )
        shown.edges = [(parent, node) for node, parent in shown.parents.items() if parent is not None]
        if self._positioned:
            shown.edges += [edge for edge in self._edges if shown.parents.keys() >= set(edge)]
            return graph_scene(recording.label, self._position, shown, captions, cut=True)
        return tree_scene(recording.label, shown, captions, cut=True)

    @cached_property
    def _edges(self) -> Sequence[tuple[int, int]]:
        """The steps between the nodes of a small recording, besides those of the tree at its end."""
        return self.recording.appearance.edges() if self.recording.nodes <= MOST_NODES else ()

    def _position(self, node: int) -> tuple[float, float]:
        return self.recording.appearance.position(node) or (0.0, 0.0)

    def _canvas(self, ground: Drawing) -> Canvas:
        canvas = Canvas(ground)
        for number, cells in enumerate(self._masks()):
            self._tint(canvas, cells, MASKS[number % len(MASKS)], f"mask of phase {number + 1}")
        if self.current is not None:
            width = ground.width
            changes = self.recording.appearance.changes(self.current)
            canvas.change({(cell % width, cell // width): key for cell, key in changes.items()})
        kinds = self._kinds()
        highest: dict[Cell, int] = {}
        for node, kind in enumerate(kinds):
            cells = self._cells(node) if kind >= 0 else ()
            if len(cells) == 1 and highest.get(cells[0], -1) < kind:  # no colours for several movers
                highest[cells[0]] = kind
        of_kind: list[list[Cell]] = [[] for _ in ORDER]
        for cell, kind in highest.items():
            of_kind[kind].append(cell)
        for name, shown in zip(ORDER, of_kind, strict=True):
            if shown:
                canvas.show(shown, self._looks(canvas, name))
        return canvas

    def _kinds(self) -> list[int]:
        """Return for each node the index of what it is in `ORDER`; -1 if it was not reached yet."""
        replay, recording = self.replay, self.recording
        halves, expanded_at = recording.halves, recording.expanded_at
        known = bisect_left(self._first_reached, replay.time)
        kinds = [-1] * len(halves)
        names = {name: number for number, name in enumerate(ORDER)}
        shown = (
            {OPEN: names["open"], EXPANDED: names["expanded"], ABSENT: names["left"]},
            {OPEN: names["backward open"], EXPANDED: names["backward expanded"], ABSENT: names["left"]},
        )
        reopened = names["reopened"]
        for node in range(known):
            half = halves[node]
            if half != OWN:
                condition = replay.conditions[node]
                kinds[node] = shown[half][condition]
                if condition == OPEN and node in expanded_at and expanded_at[node][0] < replay.time:
                    kinds[node] = reopened
        return kinds

    @cached_property
    def _first_reached(self) -> Sequence[int]:
        """For each node the event at which it appears first. Nodes are numbered in this order."""
        found: list[int] = []
        events = self.recording.events
        for at, (kind, node) in enumerate(zip(events.kind, events.node, strict=True)):
            if kind in (REACH, EXPAND) and node == len(found):
                found.append(at)
        return found

    def _cells(self, node: int) -> Sequence[Cell]:
        cells = self._placed[node]
        if cells is None:
            width = self.ground.width if self.ground else 1
            cells = [(cell % width, cell // width) for cell in self.recording.appearance.cells(node)]
            self._placed[node] = cells
        return cells

    def _masks(self) -> Iterator[Sequence[Cell]]:
        """Yield the cells that each phase of a mask opened so far."""
        if self.ground is None:
            return
        width = self.ground.width
        for at in self._notes[: bisect_left(self._notes, self.replay.time)]:
            cells = self.recording.notes[self.recording.events.node[at]].cells
            if cells:
                yield [(cell % width, cell // width) for cell in cells]

    def _mark(self, canvas: Canvas, node: int) -> None:
        """Show where the current state is; several movers are shown by their own marks, if they have any."""
        if len(self._cells(node)) > 1 and self.recording.appearance.changes(node):
            return
        canvas.show(self._cells(node), self._looks(canvas, "current"))

    def _looks(self, canvas: Canvas, kind: str) -> Mapping[str, str]:
        """Return key of the ground → key of the same ground with this kind of state on it."""
        mark, looks = STATES[kind], {}
        keep = KEPT_RANK if kind != "current" else 1_000
        for number, (key, below) in enumerate(list(canvas.marks.items())):
            if ord(key) >= FIRST_KEY + 0x8000 or below.rank >= keep:
                continue
            made = chr(FIRST_KEY + 0x8000 + ORDER.index(kind) * 0x800 + number % 0x800)
            told = informs(below.glyph) and (kind != "current" or below.rank >= KEPT_RANK)
            glyph = below.glyph if told else mark.glyph
            canvas.marks[made] = Mark(glyph, mark.colour, mark.label, mark.rank)
            looks[key] = made
        return looks

    def _tint(self, canvas: Canvas, cells: Sequence[Cell], colour: str, label: str) -> None:
        """Change the ground of cells to a shade, where it is floor: dark, and without letters."""
        looks = {}
        made_so_far = sum(FIRST_KEY < ord(key) < FIRST_KEY + 0x8000 for key in canvas.marks)
        for key in {canvas.base[y * canvas.width + x] for x, y in cells}:
            below = canvas.marks[key]
            if below.rank < 1 and not informs(below.glyph) and below.glyph != "█":
                made_so_far += 1
                looks[key] = chr(FIRST_KEY + made_so_far)
                canvas.marks[looks[key]] = Mark(below.glyph, colour, label)
        under = {(x, y): canvas.base[y * canvas.width + x] for x, y in cells}
        canvas.change({cell: looks[key] for cell, key in under.items() if key in looks})


def _line(text: str) -> str:
    return visible(text).replace("\n", " ")


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def frame(source: Recording[Any, Any] | Replay, time: int | None = None) -> Drawing | None:
    """Return the drawing of a recording after the first `time` events; None if the problem has no ground.

    Without a time: of a recording after all events, of a replay at its time. Raises ValueError if the recording does
    not have so many events.
    """
    recording = source.recording if isinstance(source, Replay) else source
    moments = Moments(recording)
    if time is None:
        time = source.time if isinstance(source, Replay) else len(recording)
    moments.at = recording.expansions_before(time)
    moments.replay.seek(time)
    return moments.drawing()
