"""What a search does, logged while it runs, and numbered afterwards: the events of a recording.

A recorded search is to take little longer than the search, so that two lists are all that is written meanwhile. The
dictionaries of arrivals of the tree are replaced by ones that append each write to them (`Log.recording_dict`), and the
generator of the engine by one that appends each expansion (`Log.recorded`).
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import wraps
from typing import Any

from searchkit.plugin.specs import EngineFunction
from searchkit.trace.appearance import BACKWARD, FORWARD, OWN
from searchkit.trace.recording import Counters, Note
from searchkit.tree import SearchTree

DROPPED, CLEARED, EXPANDED, UNDONE, SAID = (object() for _ in range(5))
"""What is logged of a state in place of an arrival: it was dropped; all states of its half were; it was expanded; its
expansion raised, and is to be repeated. `SAID` is logged of a `Note`."""
NOTHING: Any = object()


class RecordingDict(dict[Any, Any]):
    """Arrivals that log what is written to them."""

    __slots__ = ("add_entry", "add_subject", "half", "log")

    def __init__(self, log: "Log", half: int):
        super().__init__()
        self.log, self.half = log, half
        self.connect()

    def connect(self) -> None:
        """Log from now on, or no more."""
        recording = self.log.recording
        self.add_subject: Callable[[Any], object] = self.log.subjects.append if recording else id
        self.add_entry: Callable[[Any], object] = self.log.entries.append if recording else id

    def __setitem__(self, state: Any, arrival: Any) -> None:
        dict.__setitem__(self, state, arrival)
        if self.half:
            self.log.halves[len(self.log.entries)] = self.half
        self.add_subject(state)
        self.add_entry(arrival)

    def __delitem__(self, state: Any) -> None:
        super().__delitem__(state)
        self.log.add(self.half, state, DROPPED)

    def popitem(self) -> Any:
        """Remove the last state; return it and its arrival."""
        state, arrival = super().popitem()
        self.log.add(self.half, state, DROPPED)
        return state, arrival

    def pop(self, state: Any, *default: Any) -> Any:
        """Remove a state; return its arrival, or the default."""
        if state in self:
            self.log.add(self.half, state, DROPPED)
        return super().pop(state, *default)

    def clear(self) -> None:
        """Remove all states."""
        super().clear()
        self.log.add(self.half, None, CLEARED)

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]  # of `__or__`, which returns a plain dictionary
        self.update(other)
        return self

    setdefault: Any = MutableMapping.setdefault  # which use the methods above
    update: Any = MutableMapping.update


class RecordedTree(SearchTree[Any, Any]):
    """A search tree whose backward half is recorded, too. An engine sets it before it takes its `reached`."""

    __slots__ = ()

    @property
    def backward(self) -> SearchTree[Any, Any] | None:
        """The half that grows from the goals."""
        half: SearchTree[Any, Any] | None = _BACKWARD.__get__(self)
        return half

    @backward.setter
    def backward(self, half: SearchTree[Any, Any] | None) -> None:
        _BACKWARD.__set__(self, half)
        if half is not None:
            log: Log = self.listener.__self__  # type: ignore[union-attr]  # it is `Log.on_note`
            half.reached = log.recording_dict(BACKWARD, half.reached)


_BACKWARD: Any = vars(SearchTree)["backward"]
"""The slot."""


class Log:
    """The writes, expansions and notes of a search, in order.

    Args:
        cap: how many expansions are kept at most. When they are exceeded, the rest is left out; but if another
            iteration of iterative deepening begins after that, the log begins again with it.

    """

    def __init__(self, cap: int):
        self.cap = cap
        self.subjects: list[Any] = []
        """For each entry the state, …"""
        self.entries: list[Any] = []
        """… and the arrival that was written, or one of the constants above."""
        self.halves: dict[int, int] = {}
        """Entry → half, unless it is `FORWARD`."""
        self.reopenings: set[int] = set()
        """The entries that reopen a state."""
        self.generated = array("q")
        """`tree.generated` before each expansion."""
        self.skipped = 0
        """How many expansions came after the log was full."""
        self.before = Counters()
        """The counters before the first entry."""
        self.recording = True
        self._tree: SearchTree[Any, Any]
        self._reopened = 0
        """`tree.reopened` when reopened states were last looked for, …"""
        self._closed: set[tuple[int, Any]] = set()
        """… the states that were expanded and not reopened then, …"""
        self._scanned = 0
        """… and the number of entries then."""
        self._held: dict[int, dict[Any, Any]] = {}
        """Half → arrivals, where the engine has containers of its own."""
        self._dicts: list[RecordingDict] = []

    def recording_dict(self, half: int, arrivals: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return a dictionary with the same arrivals, which logs them and all that is written to it."""
        found = RecordingDict(self, half)
        self._dicts.append(found)
        found.update(arrivals)
        return found

    def add(self, half: int, state: Any, entry: Any) -> None:
        """Add an entry, unless the log is full."""
        if not self.recording:
            return
        if half:
            self.halves[len(self.entries)] = half
        self.subjects.append(state)
        self.entries.append(entry)

    def on_note(self, kind: str, text: str, facts: Mapping[str, Any]) -> None:
        """Log a note: the listener of the tree."""
        if kind == "iteration" and not self.recording:
            self._begin_again()
        if kind == "node" and "node" in facts:
            self.add(OWN, facts["node"], (facts.get("cost", 0), facts.get("parent"), text or None))
            return
        if kind == "group":
            self.add(OWN, None, CLEARED)
        self.add(FORWARD, Note(kind, text, facts), SAID)

    def recorded(self, run: EngineFunction) -> EngineFunction:
        """Return the engine, logging each state when it is expanded: when the generator is resumed after its yield."""

        @wraps(run)
        def engine(problem: Any, tree: SearchTree[Any, Any], **options: Any) -> Iterator[Any]:
            self.attach(tree)
            reached, generated, cap = tree.reached, self.generated, self.cap
            add_subject, add_entry, add_generated = (
                self.subjects.append,
                self.entries.append,
                generated.append,
            )
            state: Any = NOTHING
            try:
                for state in run(problem, tree, **options):
                    yield state
                    if len(generated) >= cap:
                        self._stop(tree)
                        self.skipped += 1
                        continue
                    if tree.reopened != self._reopened or tree.reached is not reached:
                        self.look(tree)
                    if tree.growing is not None and tree.growing is not tree:
                        self.halves[len(self.entries)] = BACKWARD
                    add_generated(tree.generated)
                    add_subject(state)
                    add_entry(EXPANDED)
            except GeneratorExit:
                raise
            except BaseException:
                if state is not NOTHING:
                    self._undo(tree, state)
                raise

        return engine

    def attach(self, tree: SearchTree[Any, Any]) -> None:
        """Let a tree log what is written to it, and what its engine says."""
        if tree.listener == self.on_note:
            return
        tree.listener, self._tree = self.on_note, tree
        tree.__class__ = RecordedTree
        tree.reached = self.recording_dict(FORWARD, tree.reached)

    def _undo(self, tree: SearchTree[Any, Any], state: Any) -> None:
        """Take back the last expansion, which has raised, unless the engine counts it as done."""
        if not self.recording:
            self.skipped -= 1
        elif state not in tree.expanded_states():
            at = len(self.entries) - 1 - self.entries[::-1].index(EXPANDED)
            self.entries[at] = UNDONE
            self.generated.pop()

    def look(self, tree: SearchTree[Any, Any]) -> None:
        """Log what no dictionary has logged when the engine stands at a state."""
        if not self.recording:
            return
        for half, part in _halves(tree):
            if not isinstance(part.reached, RecordingDict):
                self._compare(half, part.reached)
        if tree.reopened != self._reopened:
            self._find_reopened(tree)

    def _compare(self, half: int, reached: Any) -> None:
        """Log what is new in arrivals that log nothing. Takes O(states reached)."""
        known = self._held.setdefault(half, {})
        for state in [state for state in known if state not in reached]:
            del known[state]
            self.add(half, state, DROPPED)
        for state in reached:
            arrival = tuple(reached[state])
            if known.get(state) != arrival:
                known[state] = arrival
                self.add(half, state, arrival)

    def _find_reopened(self, tree: SearchTree[Any, Any]) -> None:
        """Find the states that have left the closed set since reopened states were last looked for."""
        missing, self._reopened = tree.reopened - self._reopened, tree.reopened
        entries, subjects, halves = self.entries, self.subjects, self.halves
        parts = {half: part for half, part in _halves(tree) if part.closed is not None}
        end = len(entries)
        for at in range(self._scanned, end):
            if entries[at] is SAID:
                continue
            key = halves.get(at, FORWARD), subjects[at]
            if entries[at] is EXPANDED:
                self._closed.add(key)
            elif key in self._closed and key[0] in parts and key[1] not in parts[key[0]].closed:
                self.reopenings.add(at)
                self._closed.discard(key)
                missing -= 1
        if missing > 0:  # without a write: jump point search does so
            for half, state in list(self._closed):
                if half in parts and state not in parts[half].closed:
                    self.reopenings.add(len(entries))
                    self.add(half, state, parts[half].reached[state])
                    self._closed.discard((half, state))
        self._scanned = len(entries)

    def _stop(self, tree: SearchTree[Any, Any]) -> None:
        """Stop logging: the log is full."""
        if not self.recording:
            return
        self.look(tree)
        self.generated.append(tree.generated)
        self.recording = False
        for arrivals in self._dicts:
            arrivals.connect()

    def _begin_again(self) -> None:
        """Forget everything, and log from here, where iterative deepening has dropped all that it knew."""
        self.before = Counters(
            self.before.expanded + self.cap + self.skipped, self._tree.generated, self._tree.reopened
        )
        self._reopened = self._tree.reopened
        for kept in (self.subjects, self.entries, self.generated):
            del kept[:]
        self.halves.clear()
        self.reopenings.clear()
        self._closed.clear()
        self._scanned = self.skipped = 0
        self.recording = True
        for arrivals in self._dicts:
            arrivals.connect()


def _halves(tree: SearchTree[Any, Any]) -> list[tuple[int, SearchTree[Any, Any]]]:
    return [(FORWARD, tree)] if tree.backward is None else [(FORWARD, tree), (BACKWARD, tree.backward)]
