"""Recordings: what a search did, event by event."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, NamedTuple

from attrs import define, field

from searchkit.basics.files import write_file
from searchkit.basics.notebooks import Shown
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.result import Result
from searchkit.trace.appearance import Appearance

EXPAND, REACH, IMPROVE, REOPEN, LEAVE, NOTE = range(6)
KINDS = ("expand", "reach", "improve", "reopen", "leave", "note")


class Event(NamedTuple):
    """One event of a recording."""

    kind: int
    """`EXPAND`; `REACH`, for the first time; `IMPROVE`, reached more cheaply or after it was left; `REOPEN`, to be
    expanded again; `LEAVE`, dropped from the tree; or `NOTE`."""
    node: int
    """The node; of a `NOTE`, the index in `Recording.notes`."""
    g: Any
    """The cost so far of the node, exactly as the engine has it; of a `LEAVE`, the last one."""
    parent: int
    """The node that it was reached from; -1 at a start."""
    action: Any
    """The action between them; a text if the recording was read from a file."""


@define
class Events(Sequence[Event]):
    """The events of a recording in columns of equal length. `events[t]` happens between the times t and t + 1."""

    kind: "array[int]" = field(factory=lambda: array("B"))
    node: "array[int]" = field(factory=lambda: array("i"))
    g: list[Any] = field(factory=list)
    parent: "array[int]" = field(factory=lambda: array("i"))
    action: list[Any] = field(factory=list)

    def add(self, kind: int, node: int, g: Any = 0, parent: int = -1, action: Any = None) -> None:
        """Add the next event."""
        for column, value in zip(self.columns(), (kind, node, g, parent, action), strict=True):
            column.append(value)

    def columns(self) -> tuple[Any, ...]:
        """Return the columns."""
        return self.kind, self.node, self.g, self.parent, self.action

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, index: Any) -> Any:
        columns = (column[index] for column in self.columns())
        return list(map(Event, *columns)) if isinstance(index, slice) else Event(*columns)

    def __iter__(self) -> Iterator[Event]:
        return map(Event, *self.columns())


@define
class Note:
    """What an engine said: that a phase begins, that both halves have met, or something else."""

    kind: str
    """`iteration`, `phase`, `mask widened`, `meeting`, `group` or any other."""
    text: str = ""
    facts: Mapping[str, Any] = field(factory=dict)
    """Values by name. From a file: numbers and texts; a state is `{"node": number}`."""
    cells: Sequence[int] = ()
    """The cells of the regions that a phase opened, y · width + x on the ground."""

    def __str__(self) -> str:
        facts = ", ".join(
            f"{name} {value}" for name, value in self.facts.items() if isinstance(value, str | int | float)
        )
        return ": ".join(part for part in (self.kind, self.text or facts) if part)


class Counters(NamedTuple):
    """Counters of a search, as in `Statistics`."""

    expanded: int = 0
    generated: int = 0
    reopened: int = 0


@define(eq=False, repr=False, slots=False)
class Recording(Shown, Generic[State, Action]):
    """What a search did, event by event: made by `record` and `watch`, or read from a file by `load_recording`.

    A node is a state in one half of the search, or something else that the engine expands, such as a node of a
    constraint tree. Nodes are numbered in the order in which they were first reached.
    """

    events: Events
    halves: bytearray
    """For each node: 0 in the tree, 1 in the backward half of a bidirectional search, 2 a node of the engine's own."""
    states: Sequence[Any]
    """For each node its state, or what else the engine expands; its number if the recording was read from a file."""
    notes: Sequence[Note]
    generated: "array[int]"
    """`tree.generated` at the yield before each expansion, and at the end."""
    engine: str
    options: Mapping[str, str]
    """The options of the engine that were given, as texts."""
    title: str
    status: str
    """`solved`, `unsolvable` or `cutoff`."""
    cost: Cost | None
    """The cost of the solution; None if there is none."""
    summary: str
    """The result in one line."""
    warnings: Sequence[str]
    goal: int | None
    """The node of the goal that was found; None if none was, or if it is not recorded."""
    appearance: Appearance
    """How nodes look: labels, places, heuristic values."""
    unrecorded: int = 0
    """How many expansions came after the last event, because the recording was full."""
    reached: int = 0
    """How many states were reached in the whole search, as in `Statistics`."""
    weight: Cost | None = 1
    """f = g + weight · h; None if the engine uses no heuristic, so that f = g."""
    result: "Result[State, Action] | None" = None
    """What the search found; None if the recording was read from a file."""
    problem: SearchProblem[State, Action] | None = None
    """What was searched; None if the recording was read from a file."""

    def __len__(self) -> int:
        """Return the number of events."""
        return len(self.events)

    def __repr__(self) -> str:
        return f"<Recording of {self.title}: {self.expansions:,} expansions, {len(self):,} events>"

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.halves)

    @cached_property
    def expansions_at(self) -> "array[int]":
        """The event of each expansion."""
        return array("q", [at for at, kind in enumerate(self.events.kind) if kind == EXPAND])

    @property
    def expansions(self) -> int:
        """The number of expansions that are recorded."""
        return len(self.expansions_at)

    @property
    def complete(self) -> bool:
        """Whether every event of the search so far is recorded."""
        return not self.unrecorded

    def save(self, path: str | Path) -> None:
        """Write it to a `.trace` file, whole or not at all; `load_recording` reads it.

        Raises `OSError`; `InvalidOptionError` if it has too many events for a file; also what the heuristic raises.
        """
        pack = import_module("searchkit.trace.file").pack  # late: it needs this class
        write_file(Path(path), pack(self))

    def save_html(self, path: str | Path, title: str = "") -> None:
        """Write one HTML file that plays it in a browser, without network.

        Args:
            path: the file; it is written whole or not at all.
            title: what stands above; "" for the title of the recording.

        Raises `InvalidOptionError` if the file can't be written or the recording has too many events for a file.

        """
        import_module("searchkit.render.player").save_html(self, path, title)  # late: it is of an outer layer

    def label(self, node: int) -> str:
        """Return a short text for a node; several lines for a board."""
        return self.appearance.label(node)

    def h(self, node: int) -> Cost | None:
        """Return the heuristic value of a node; None if the engine does not use it there."""
        return self.appearance.h(node)

    def f(self, node: int, g: Cost) -> Cost:
        """Return f = g + weight · h for a node at a cost so far; g if the engine uses no heuristic there."""
        h = None if self.weight is None else self.h(node)
        return g if h is None or self.weight is None else g + self.weight * h

    @cached_property
    def expanded_at(self) -> Mapping[int, Sequence[int]]:
        """Node → the events at which it is expanded."""
        found: dict[int, list[int]] = {}
        for at in self.expansions_at:
            found.setdefault(self.events.node[at], []).append(at)
        return found
