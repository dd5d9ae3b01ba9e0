"""The events of a search, written down while it runs.

The dictionaries of arrivals of the tree are replaced by ones that add an event for each write (`RecordingDict`), and
the generator of the engine by one that adds an event for each expansion (`Log.recorded`).
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import wraps
from typing import Any

from searchkit.errors import MissingCapabilityError
from searchkit.plugin.specs import EngineFunction
from searchkit.trace.appearance import BACKWARD, FORWARD, OWN
from searchkit.trace.recording import EXPAND, IMPROVE, LEAVE, NOTE, REACH, REOPEN, Events, Note
from searchkit.tree import SearchTree


class RecordingDict(dict[Any, Any]):
    """Arrivals of one half of a search that add an event to a log for each write."""

    __slots__ = ("arrive", "leave")

    def __init__(self, log: "Log", half: int):
        super().__init__()
        self.arrive, self.leave = log.arrive[half], log.leave[half]

    def __setitem__(self, state: Any, arrival: Any) -> None:
        dict.__setitem__(self, state, arrival)
        self.arrive(state, arrival)

    def __delitem__(self, state: Any) -> None:
        super().__delitem__(state)
        self.leave(state)

    def popitem(self) -> Any:
        """Remove the last state; return it and its arrival."""
        state, arrival = super().popitem()
        self.leave(state)
        return state, arrival

    def pop(self, state: Any, *default: Any) -> Any:
        """Remove a state; return its arrival, or the default."""
        if state in self:
            self.leave(state)
        return super().pop(state, *default)

    def setdefault(self, state: Any, arrival: Any = None) -> Any:
        """Enter an arrival at a state that is not reached; return the arrival that the state has now."""
        known = super().setdefault(state, arrival)
        if known is arrival:
            self.arrive(state, arrival)
        return known

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]  # of `__or__`, which returns a plain dictionary
        self.update(other)
        return self

    clear: Any = MutableMapping.clear  # which use the methods above
    update: Any = MutableMapping.update


class RecordedTree(SearchTree[Any, Any]):
    """A search tree whose backward half is recorded, too. An engine sets it before it takes its `reached`."""

    @property
    def backward(self) -> SearchTree[Any, Any] | None:
        """The half that grows from the goals."""
        half: SearchTree[Any, Any] | None = vars(self)["backward"]
        return half

    @backward.setter
    def backward(self, half: SearchTree[Any, Any] | None) -> None:
        vars(self)["backward"] = half
        if half is not None:
            log: Log = self.listener.__self__  # type: ignore[union-attr]  # it is `Log.on_note`
            half.reached = log.recording_dict(BACKWARD, half.reached)


class Log:
    """The events of a search so far, and its nodes, numbered in the order in which they were first reached.

    Args:
        cap: how many expansions are kept at most; nothing is added after that.

    """

    def __init__(self, cap: int):
        self.cap = cap
        self.events = Events()
        self.states: list[Any] = []
        """For each node its state, …"""
        self.halves = bytearray()
        """… and its half."""
        self.numbers: tuple[dict[Any, int], ...] = ({}, {}, {})
        """For each half, state → node."""
        self.notes: list[Note] = []
        self.generated = array("q")
        """`tree.generated` before each expansion."""
        self.skipped = 0
        """How many expansions came after the log was full."""
        self.full = False
        self._arrived: list[int] = []
        """For each node the event of its present arrival, -1 if it was dropped."""
        self._closed: set[int] = set()
        """The nodes that were expanded, and not reopened since."""
        self._reopened = 0
        """`tree.reopened` when reopened states were last looked for."""
        self.arrive, self.leave, self.expand = zip(*map(self._writers, (FORWARD, BACKWARD, OWN)), strict=True)
        """For each half: add an arrival, drop a state, expand a state if it was reached."""

    def _writers(self, half: int) -> tuple[Callable[..., None], Callable[..., None], Callable[..., bool]]:
        """Return the functions that add events of this half."""
        events, numbers, states, arrived = self.events, self.numbers[half], self.states, self._arrived
        kinds, gs, parents, actions = events.kind, events.g, events.parent, events.action
        number, number_of, closed = numbers.setdefault, numbers.get, self._closed
        add_state, add_half, add_arrived = states.append, self.halves.append, arrived.append
        add_kind, add_node, add_g = kinds.append, events.node.append, gs.append
        add_parent, add_action = parents.append, actions.append
        last: Any = self  # the state that was expanded last, …
        last_node = -1  # … and its node

        # Written out, since they are called for each event: a search of a million expansions has several millions.
        def arrive(state: Any, arrival: Any) -> None:
            if self.full:
                return
            cost, parent, action = arrival
            new = len(states)
            node = number(state, new)
            if node == new:
                add_state(state)
                add_half(half)
                add_arrived(len(kinds))
                add_kind(REACH)
            else:
                arrived[node] = len(kinds)
                add_kind(IMPROVE)
            add_node(node)
            add_g(cost)
            add_parent(last_node if parent is last else -1 if parent is None else number_of(parent, -1))
            add_action(action)

        def leave(state: Any) -> None:
            node = number_of(state, -1)
            if not self.full and node >= 0 and arrived[node] >= 0:
                self._add_again(LEAVE, node)
                arrived[node] = -1
                closed.discard(node)

        def expand(state: Any) -> bool:
            nonlocal last, last_node
            node = number_of(state)
            if node is None:
                return False
            event = arrived[node]
            if event < 0:
                self._add_again(EXPAND, node)
            else:
                add_kind(EXPAND)
                add_node(node)
                add_g(gs[event])
                add_parent(parents[event])
                add_action(actions[event])
            closed.add(node)
            last, last_node = state, node
            return True

        return arrive, leave, expand

    def _add_again(self, kind: int, node: int) -> None:
        """Add an event of a node with its present arrival."""
        event, events = self._arrived[node], self.events
        if event < 0:
            events.add(kind, node)
            return
        events.kind.append(kind)
        events.node.append(node)
        for column in (events.g, events.parent, events.action):
            column.append(column[event])

    def recording_dict(self, half: int, arrivals: Mapping[Any, Any]) -> RecordingDict:
        """Return a dictionary with the same arrivals, which adds events of them and of all that is written to it."""
        found = RecordingDict(self, half)
        found.update(arrivals)
        return found

    def on_note(self, kind: str, text: str, facts: Mapping[str, Any]) -> None:
        """Add a note: the listener of the tree."""
        if self.full:
            return
        if kind == "node" and "node" in facts:
            self.arrive[OWN](facts["node"], (facts.get("cost", 0), facts.get("parent"), text or None))
            return
        if kind == "group":
            for state in reversed(self.numbers[OWN]):
                self.leave[OWN](state)
        self.events.add(NOTE, len(self.notes))
        self.notes.append(Note(kind, text, facts))

    def attach(self, tree: SearchTree[Any, Any]) -> None:
        """Add events of what is written to a tree from now on, and notes of what its engine says."""
        if tree.listener != self.on_note:
            tree.listener, tree.__class__ = self.on_note, RecordedTree
            tree.reached = self.recording_dict(FORWARD, tree.reached)

    def recorded(self, run: EngineFunction) -> EngineFunction:
        """Return the engine with an event for each expansion: when the generator is resumed after its yield."""
        generated, cap, expand = self.generated, self.cap, self.expand

        @wraps(run)
        def engine(problem: Any, tree: SearchTree[Any, Any], **options: Any) -> Iterator[Any]:
            self.attach(tree)
            state: Any = None
            try:
                for state in run(problem, tree, **options):
                    yield state
                    if len(generated) >= cap:
                        self._stop(tree)
                        continue
                    if tree.reopened != self._reopened:
                        self.find_reopened(tree)
                    if type(tree.reached) is not RecordingDict:
                        raise MissingCapabilityError(
                            f"{run.__name__} can't be recorded, since it keeps its arrivals in a container of its own: "
                            "let it write into tree.reached, the dictionary that the tree has"
                        )
                    generated.append(tree.generated)
                    half = FORWARD if tree.growing is None or tree.growing is tree else BACKWARD
                    if not expand[half](state):  # not in the tree: a node of the engine's own
                        if state not in self.numbers[OWN]:
                            self.arrive[OWN](state, (0, None, None))
                        self.expand[OWN](state)
            except GeneratorExit:
                raise
            except BaseException:
                if state is not None:
                    self._undo(tree, state)
                raise

        return engine

    def _stop(self, tree: SearchTree[Any, Any]) -> None:
        """Count an expansion that is left out, since the log is full."""
        if not self.full:
            self.find_reopened(tree)
            self.generated.append(tree.generated)
            self.full = True
        self.skipped += 1

    def _undo(self, tree: SearchTree[Any, Any], state: Any) -> None:
        """Take back the last expansion, which has raised before anything was written, unless it was complete."""
        if self.full:
            self.skipped -= 1
        elif self.generated and self.events.kind[-1] == EXPAND and state not in tree.expanded_states():
            self._closed.discard(self.events.node[-1])
            self.generated.pop()
            for column in self.events.columns():
                del column[-1]

    def find_reopened(self, tree: SearchTree[Any, Any]) -> None:
        """Find the states that have left the closed set since the last expansion: mostly, they were improved."""
        missing, self._reopened = tree.reopened - self._reopened, tree.reopened
        if self.full or not missing:
            return
        halves = {FORWARD: tree.closed, BACKWARD: tree.backward and tree.backward.closed, OWN: None}

        def is_reopened(node: int) -> bool:
            closed = halves[self.halves[node]]
            return node in self._closed and closed is not None and self.states[node] not in closed

        events, at = self.events, len(self.events) - 1
        while at >= 0 and events.kind[at] != EXPAND:
            if events.kind[at] == IMPROVE and is_reopened(node := events.node[at]):
                events.kind[at] = REOPEN
                self._closed.discard(node)
                missing -= 1
            at -= 1
        if missing > 0:  # without a write: jump point search does so
            for node in sorted(filter(is_reopened, self._closed)):
                self._add_again(REOPEN, node)
                self._closed.discard(node)
