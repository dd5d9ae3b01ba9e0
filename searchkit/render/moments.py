"""What a recorded search looked like at any time: as a drawing, as a picture, and as a table of its frontier."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import evolve

from searchkit.basics.text import visible
from searchkit.plugin.drawing import Cell, Drawing, Mark, Route
from searchkit.render.drawings import Canvas
from searchkit.render.graphs import (
    MAX_DRAWN_NODES,
    MAX_TREE_NODES,
    Explored,
    graph_scene,
    number_text,
    selected,
    tree_scene,
)
from searchkit.render.maps import CURRENT, informs, map_scene
from searchkit.render.scene import Scene
from searchkit.render.terminal import one_line
from searchkit.trace import NOTE, Recording, Replay
from searchkit.trace.appearance import FORWARD
from searchkit.trace.replay import EXPANDED, LEFT, OPEN, REOPENED

KEPT_RANK = 3
"""Marks of this rank and above, such as starts, goals, keys and doors, look the same whatever happens there."""
LINES = 8
"""The number of frontier nodes in a table."""

MARKS: Sequence[Mark] = (
    Mark("-", "#4c3a57", "left again", rank=1),
    Mark("░", "#0072b2", "expanded", rank=1),
    Mark("▒", "#8e4a9e", "expanded from the goals", rank=1),
    Mark("○", "#7fd4ff", "open", rank=2),
    Mark("□", "#e3b7f0", "open, from the goals", rank=2),
    Mark("◎", "#e69f00", "reopened", rank=2),
    Mark("●", "#ffd23f", "path to it", rank=3),
    Mark(CURRENT, "#ff4d4d", "current state", rank=5),
)
"""How a cell looks by what the search did there. Of several states in one cell, the last of these is shown."""
ON_PATH, AT_CURRENT = 6, 7
KINDS: Sequence[Mapping[int, int]] = (
    {LEFT: 0, EXPANDED: 1, OPEN: 3, REOPENED: 5},
    {LEFT: 0, EXPANDED: 2, OPEN: 4, REOPENED: 5},
    {},
)
"""For each half: condition of a node → its mark. Nodes of the engine's own have none."""
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
        self.at = 0
        """The moment, from 0 to `len(self)`."""
        self._cells: dict[int, Sequence[Cell]] = {}

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

    @property
    def path(self) -> Sequence[int]:
        """The nodes on the path to the current one; empty if it is not in the tree."""
        node = self.current
        return () if node is None or not self.replay.is_reached(node) else self.replay.path_to(node)

    # Text

    def title(self) -> str:
        """Return which moment it is."""
        return f"{one_line(self.recording.title)}, expansion {self.at:,} of {len(self):,}"

    def lines(self) -> Iterator[str]:
        """Yield three lines: the state expanded with its f = g + h; counters; what the engine said last, or the end."""
        node = self.current
        yield "" if node is None else f"{self._label(node)}  {self.value(node)}".rstrip()
        counters = self.replay.counters
        yield (
            f"expanded {counters.expanded:,}, generated {counters.generated:,}, reopened {counters.reopened:,}, "
            f"open {self.replay.open:,}"
        )
        if self.at < len(self):
            last = bisect_left(self._notes, self.replay.time)
            yield one_line(str(self.recording.notes[last - 1])) if last else ""
        elif self.recording.unrecorded:
            yield f"{self.recording.unrecorded:,} more expansions are not recorded; {one_line(self.recording.summary)}"
        else:
            yield one_line(self.recording.summary)

    def value(self, node: int) -> str:
        """Return f = g + h of a node; only g if there is no heuristic, nothing if it is not reached."""
        g, h, weight = self.replay.g[node], self.recording.h(node), self.recording.weight
        if g is None:
            return ""
        if h is None or weight is None:
            return f"g = {number_text(g)}"
        factor = "" if weight == 1 else f"{number_text(weight)} · "
        return f"f = {number_text(g + weight * h)} = {number_text(g)} + {factor}{number_text(h)}"

    @cached_property
    def _notes(self) -> Sequence[int]:
        """The event of each note."""
        return [at for at, kind in enumerate(self.recording.events.kind) if kind == NOTE]

    def table(self) -> str:
        """Return the path to the current state and the frontier as text, for problems without a map."""
        found, path = [], list(map(self._label, self.path))
        if path:
            shown = path if len(path) <= LINES else [path[0], "…", *path[2 - LINES :]]
            found.append("path: " + " → ".join(shown))
        for number, one in enumerate(self.replay.frontier[:LINES], 1):
            found.append(f"{number:>3}. {self._label(one)}  {self.value(one)}")
        if self.replay.open > LINES:
            found.append(f"     {self.replay.open - LINES:,} more are open")
        return "\n".join(found)

    def _label(self, node: int) -> str:
        return visible(self.recording.label(node)).replace("\n", " / ")

    # Drawings

    def cells(self, node: int) -> Sequence[Cell]:
        """Return the cells of a node on the ground."""
        if node not in self._cells:
            self._cells[node] = [self._cell(cell) for cell in self.recording.appearance.cells(node)]
        return self._cells[node]

    def _cell(self, number: int) -> Cell:
        width = self.ground.width if self.ground else 1
        return number % width, number // width

    def drawing(self) -> Drawing | None:
        """Return the moment on the ground: what is open, expanded, reopened and left; the path to the current state.

        None if the problem has no ground.
        """
        if self.ground is None:
            return None
        canvas = self._canvas(self.ground)
        canvas.walk(self._routes(canvas))
        self._show_current(canvas)
        return canvas.drawing()

    def scene(self) -> Scene:
        """Return the moment as a picture: a map, a graph at its coordinates, or a part of the search tree.

        A problem whose states are nowhere on its ground, such as a board, is shown as a tree.
        """
        captions = [self.title(), *self.lines()]
        positioned = self.recording.nodes > 0 and self.recording.appearance.position(0) is not None
        if self.ground is None or positioned or not (self.recording.nodes and self.cells(0)):
            return self._tree(captions, positioned=positioned)
        canvas = self._canvas(self.ground)
        routes = self._routes(canvas)
        self._show_current(canvas)
        return map_scene(canvas.drawing(), routes, captions, self.title())

    def _tree(self, captions: Sequence[str], *, positioned: bool) -> Scene:
        replay, recording = self.replay, self.recording
        known = list(filter(replay.is_reached, range(recording.nodes)))
        most = MAX_DRAWN_NODES if positioned else MAX_TREE_NODES
        parents = {node: None if replay.parents[node] < 0 else replay.parents[node] for node in known}
        shown = Explored(
            selected(parents, self.path, most),
            expanded=set(replay.expanded_nodes),
            path=self.path,
            goals=set() if recording.goal is None else {recording.goal},
            more=max(0, len(known) - most),
        )
        if not positioned:
            return tree_scene(recording.label, shown, captions)
        shown.edges = [(parent, node) for node, parent in shown.parents.items() if parent is not None]
        shown.edges += [edge for edge in self._edges if shown.parents.keys() >= set(edge)]
        position = recording.appearance.position
        return graph_scene(recording.label, lambda node: position(node) or (0.0, 0.0), shown, captions)

    @cached_property
    def _edges(self) -> Sequence[tuple[int, int]]:
        """The steps between the nodes of a small recording, besides those of the tree at its end."""
        return self.recording.appearance.edges() if self.recording.nodes <= MAX_DRAWN_NODES else ()

    def _routes(self, canvas: Canvas) -> Sequence[Route]:
        """Return the walks along the path, with their own colours if there are several movers."""
        path, places = self.path, self.recording.appearance.places
        cells: Sequence[Cell] = [cells[0] for cells in map(self.cells, path) if cells]
        if path and self.recording.halves[path[0]] == FORWARD and places and places.routes:
            routes = places.routes([self.recording.states[node] for node in path])
            if len(routes) != 1:
                return routes
            cells = routes[0].cells
        return [Route(cells, self._keys(canvas, ON_PATH))] if cells else []

    def _canvas(self, ground: Drawing) -> Canvas:
        """Return the ground with the phases of a mask, what looks different now, and the conditions of the nodes."""
        canvas = Canvas(ground)
        number = 0
        for note in self.recording.notes[: bisect_left(self._notes, self.replay.time)]:
            if note.cells:
                self._shade(canvas, list(map(self._cell, note.cells)), number)
                number += 1
        canvas.change({self._cell(cell): key for cell, key in self._changes().items()})
        highest: dict[Cell, int] = {}
        halves = self.recording.halves
        for node, condition in enumerate(self.replay.conditions):
            kind = KINDS[halves[node]].get(condition, -1)
            cells = self.cells(node) if kind >= 0 else ()
            if len(cells) == 1 and highest.get(cells[0], -1) < kind:  # no colours for several movers
                highest[cells[0]] = kind
        for kind in sorted(set(highest.values())):
            canvas.show([cell for cell, one in highest.items() if one == kind], self._keys(canvas, kind))
        return canvas

    def _changes(self) -> Mapping[int, str]:
        changes = self.recording.appearance.changes
        return changes(self.current) if changes and self.current is not None else {}

    def _show_current(self, canvas: Canvas) -> None:
        """Show where the current state is; several movers are shown by their own marks, if they have any."""
        node = self.current
        if node is not None and not (len(self.cells(node)) > 1 and self._changes()):
            canvas.show(self.cells(node), self._keys(canvas, AT_CURRENT))

    def _keys(self, canvas: Canvas, kind: int) -> Mapping[str, str]:
        """Return key of the ground → key of a new mark: the same ground with this kind of state on it."""
        mark, keys = MARKS[kind], {}
        for key in sorted(set(canvas.base)):
            below = canvas.marks[key]
            if below.rank < KEPT_RANK or kind == AT_CURRENT:
                told = informs(below.glyph) and (kind != AT_CURRENT or below.rank >= KEPT_RANK)
                keys[key] = canvas.add(evolve(mark, glyph=below.glyph if told else mark.glyph))
        return keys

    def _shade(self, canvas: Canvas, cells: Sequence[Cell], number: int) -> None:
        """Change the ground of the cells that a phase has opened, where it is floor: dark, and without letters."""
        under = {(x, y): canvas.base[y * canvas.width + x] for x, y in cells}
        keys = {}
        for key in sorted(set(under.values())):
            below = canvas.marks[key]
            if below.rank < 1 and not informs(below.glyph) and below.glyph != "█":
                mark = Mark(below.glyph, MASKS[number % len(MASKS)], f"mask of phase {number + 1}")
                keys[key] = canvas.add(mark)
        canvas.change({cell: keys[key] for cell, key in under.items() if key in keys})
