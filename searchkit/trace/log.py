"""What a search writes while it runs, appended to lists; `searchkit.trace.numbering` makes events of it afterwards.

A recorded search takes at most twice its time, so little is done while it runs. The generator of the engine is wrapped
by one that notes each expansion. A dictionary keeps the order in which its states were entered, so the arrivals of the
tree are their own log at first: only a write to a state that is there already is noted. What a dictionary can't say
afterwards (a state is dropped, there is a second half, nodes of the engine's own) makes a list of all writes of it,
once, and from then on every write is appended to that list: see `Log.list_writes`.
"""

from array import array
from collections.abc import Mapping
from itertools import chain, islice, repeat
from operator import add, sub
from typing import Any

from searchkit.tree import SearchTree

FORWARD, BACKWARD, OWN = 0, 1, 2
"""What a node belongs to: the tree, its backward half, or the engine's own nodes, known from its notes."""
UNSURE = 255
"""The half of an expansion if the engine has two and does not say which one grows."""
CLEARED: Any = object()
"""The arrival of a write that drops all states of a half."""
ONLY_THE_TREE = 3
"""The reference count of a dictionary that only a tree holds: its slot, a variable, and the argument of the call."""


class Log:
    """The writes, expansions and notes of a search, in order. At most `cap` expansions are kept."""

    def __init__(self, cap: int):
        self.cap = cap
        self.room = cap
        """How many expansions are noted without a call of `expand`: none as soon as there are two halves."""
        self.rewritten: list[tuple[int, int, Any, Any, Any]] = []
        """While the arrivals are their own log, each write to a state that was there: the expansions and the states
        before it, the state, its arrival, and the one that it replaced."""
        self.states: list[Any] = []
        """For each write, the state …"""
        self.arrivals: list[Any] = []
        """… and its arrival; None if it was dropped."""
        self.writes: Any = self.states
        """What is longer after each write to a new state: the arrivals of the tree while they are their own log."""
        self.halves: dict[int, int] = {}
        """Write → half, unless it is `FORWARD`."""
        self.reopened: set[int] = set()
        """The writes that reopened a state."""
        self.expanded: list[Any] = []
        """For each expansion, the state, …"""
        self.expanded_halves = bytearray()
        """The half of each; the last ones may be missing if they are `FORWARD`, see `fill_halves`."""
        self.expanded_at = array("q")
        """… and how long `writes` was before it."""
        self.generated = array("q")
        """For each state that was yielded, the value of `tree.generated`: one more than the expansions, or as many."""
        self.notes: list[tuple[int, int, str, str, Mapping[str, Any]]] = []
        """The number of writes and of expansions before, then kind, text and facts."""
        self.recording = True
        self.interrupted: tuple[Any, bool] | None = None
        """The state whose expansion raised, and whether it will be expanded again."""
        self.skipped = 0
        """The number of expansions after the last one that is kept."""
        self.before = 0, 0, 0
        """The counters expanded, generated and reopened before the first event that is kept."""
        self.tree: SearchTree[Any, Any]
        self.noted: Any = None
        """The arrivals of the tree that note their writes."""
        self.two = False
        """Whether there is a backward half."""
        self.reopenings = 0
        """`tree.reopened` when reopened states were last looked for."""
        self.unnoted: set[int] = set()
        """The halves whose arrivals do not."""
        self.kinds: list[tuple[Any, dict[str, Any]]] = []
        """The classes of dictionaries that note their writes, and the methods that do so; see `noting`."""
        self._iterations: list[tuple[int, int, int, int, int]] = []
        self._closed: set[tuple[int, Any]] = set()
        self._scanned = 0
        self._seen: dict[int, dict[Any, Any]] = {}

    def write(self, half: int, state: Any, arrival: Any) -> int:
        """Note a write that no dictionary notes; return its number."""
        self.list_writes()
        if half:
            self.halves[len(self.states)] = half
        self.states.append(state)
        self.arrivals.append(arrival)
        return len(self.states) - 1

    def hear(self, kind: str, text: str, facts: Mapping[str, Any]) -> None:
        """Keep a note: the listener of the tree."""
        self.list_writes()
        if kind == "iteration":
            self._begin_iteration()
        if not self.recording:
            return
        if kind == "node" and "node" in facts:
            self.write(OWN, facts["node"], (facts.get("cost", 0), facts.get("parent"), text or None))
            return
        if kind == "group":
            self.write(OWN, None, CLEARED)
        self.notes.append((len(self.states), len(self.expanded), kind, text, facts))

    def begin(self, tree: SearchTree[Any, Any], state: Any) -> bool:
        """Note the first state of a generator; return whether its expansion has begun before, and raised."""
        again = self.interrupted is not None and self.interrupted[1] and bool(state == self.interrupted[0])
        if not again:
            self.interrupted = None
        if self.recording:
            self.look(tree, state)
            if len(self.generated) > len(
                self.expanded
            ):  # it stood there before, in a generator that was closed
                self.generated[-1] = tree.generated
            elif not again:
                self.generated.append(tree.generated)
        return again

    def look(self, tree: SearchTree[Any, Any], state: Any) -> None:
        """Note what no dictionary has noted when the engine stands at a state."""
        if tree.reopened != self.reopenings:
            self.find_reopened(tree)
        if tree.reached is not self.noted or self.unnoted:
            self.look_at_arrivals(tree, state)

    def expand(self, tree: SearchTree[Any, Any], state: Any) -> None:
        """Note that a state is expanded now."""
        if self.recording and len(self.expanded) >= self.cap:
            self._fill()
        if not self.recording:
            self.skipped += 1
            return
        if tree.growing is None:
            half = UNSURE if self.two else FORWARD
        else:
            half = FORWARD if tree.growing is tree else BACKWARD
        self.fill_halves()
        self.expanded.append(state)
        self.expanded_halves.append(half)
        self.expanded_at.append(len(self.writes))

    def fill_halves(self) -> None:
        """Give each expansion its half."""
        self.expanded_halves.extend(bytes(len(self.expanded) - len(self.expanded_halves)))

    def list_writes(self) -> None:
        """Make the list of all writes, unless it is made: `states` and `arrivals`."""
        arrivals = self.writes
        if arrivals is self.states:
            return
        kind, methods = self.kinds[0]
        kind.__setitem__ = methods["__setitem__"]  # from now on, each write is appended
        self.writes = self.states
        rewritten, self.rewritten = self.rewritten, []
        if not rewritten:
            self.states += arrivals
            self.arrivals += arrivals.values()
            return
        firsts: dict[Any, Any] = {}
        for _, _, state, _, first in rewritten:
            firsts.setdefault(state, first)
        entered = dict(arrivals)
        entered.update(firsts)
        states, values = list(entered), list(entered.values())
        begin = 0
        for _, end, state, arrival, _ in rewritten:
            self.states += states[begin:end]
            self.arrivals += values[begin:end]
            self.states.append(state)
            self.arrivals.append(arrival)
            begin = end
        self.states += states[begin:]
        self.arrivals += values[begin:]
        ends = [expanded for expanded, *_ in rewritten]
        lengths = map(sub, [*ends, len(self.expanded_at)], [0, *ends])
        more = chain.from_iterable(map(repeat, range(len(ends) + 1), lengths))
        self.expanded_at = array("q", map(add, self.expanded_at, more))

    def each_state_once(self) -> bool:
        """Return whether it is certain that no state was written twice; only if none was dropped either."""
        noted = self.noted
        return noted is not None and self.tree.reached is noted and len(noted) == len(self.states)

    def find_reopened(self, tree: SearchTree[Any, Any]) -> None:
        """Find the states that have left the closed set since the last expansion."""
        self.list_writes()
        self.fill_halves()
        missing = tree.reopened - self.reopenings
        self.reopenings = tree.reopened
        closed = {half: _closed(part) for half, part in _halves(tree)}
        for index in range(self._scanned, len(self.expanded)):
            half = self.expanded_halves[index]
            self._closed.add((half if half in closed else FORWARD, self.expanded[index]))
        self._scanned = len(self.expanded)
        begin = self.expanded_at[-1] if self.expanded_at else 0
        for write in range(begin, len(self.states)):
            key = self.halves.get(write, FORWARD), self.states[write]
            if key in self._closed and key[1] not in closed[key[0]]:
                self.reopened.add(write)
                self._closed.discard(key)
                missing -= 1
        if missing > 0:  # without a write: jump point search does so
            for half, state in [key for key in self._closed if key[1] not in closed[key[0]]]:
                self.reopened.add(self.write(half, state, dict(_halves(tree))[half].reached[state]))
                self._closed.discard((half, state))

    def look_at_arrivals(self, tree: SearchTree[Any, Any], state: Any) -> None:
        """Note the arrivals on the path to a state, in halves whose arrivals do not note their writes."""
        for half, part in _halves(tree):
            if half in self.unnoted or (half == FORWARD and tree.reached is not self.noted):
                self._look(half, part.reached, state)

    def _look(self, half: int, reached: Any, state: Any) -> None:
        seen, new = self._seen.setdefault(half, {}), []
        if type(reached) is dict:  # its newest states come last
            new = list(islice(reversed(reached), max(0, len(reached) - len(seen))))
        for one in [*reversed(new), state]:
            path = []
            while one is not None:
                try:
                    cost, parent, action = arrival = reached[one]
                except (LookupError, TypeError, ValueError):
                    break
                if seen.get(one) == arrival:
                    break
                seen[one] = arrival
                path.append((one, (cost, parent, action)))
                one = parent
            for reached_state, arrival in reversed(path):
                self.write(half, reached_state, arrival)

    def _fill(self) -> None:
        """Forget the first iterations of iterative deepening, or stop recording: no more expansions may be kept."""
        self.list_writes()
        later = [begin for begin in self._iterations if begin[1] > 0]
        while len(later) > 1 and len(self.expanded) - later[0][1] >= self.cap:
            later.pop(0)
        if later and len(self.expanded) - later[0][1] < self.cap:
            self._forget(later[0])
            return
        self.recording = False
        for kind, methods in self.kinds:
            for name in methods:
                delattr(kind, name)

    def _begin_iteration(self) -> None:
        """Note that iterative deepening has dropped everything that it knew, so that a recording could begin here."""
        total = self.before[0] + len(self.expanded) + self.skipped
        here = len(self.states), len(self.expanded), len(self.notes), total, self.tree.generated
        if self.recording:
            self._iterations.append(here)
        elif self.cap:
            self._forget(here)
            del self.generated[:]
            self.recording, self.skipped = True, 0
            for kind, methods in self.kinds:
                for name, method in methods.items():
                    setattr(kind, name, method)

    def _forget(self, begin: tuple[int, int, int, int, int]) -> None:
        writes, expansions, notes, *counted = begin
        self.fill_halves()
        del self.states[:writes], self.arrivals[:writes], self.notes[:notes]
        del self.expanded[:expansions], self.expanded_halves[:expansions], self.generated[:expansions]
        self.expanded_at = array("q", [at - writes for at in self.expanded_at[expansions:]])
        self.notes = [(at - writes, count - expansions, *note) for at, count, *note in self.notes]  # type: ignore[misc]
        self._iterations = [
            (here[0] - writes, here[1] - expansions, here[2] - notes, *here[3:])
            for here in self._iterations
            if here[1] >= expansions
        ]
        self.halves = {write - writes: half for write, half in self.halves.items() if write >= writes}
        self.reopened = {write - writes for write in self.reopened if write >= writes}
        self._scanned = max(0, self._scanned - expansions)
        self.before = counted[0], counted[1], self.reopenings


def _halves(tree: SearchTree[Any, Any]) -> list[tuple[int, SearchTree[Any, Any]]]:
    return [(FORWARD, tree)] if tree.backward is None else [(FORWARD, tree), (BACKWARD, tree.backward)]


def _closed(tree: SearchTree[Any, Any]) -> Any:
    """Return what says whether a state is closed; for a list, whose states are never reopened, everything."""
    return _Everything() if tree.closed is None or isinstance(tree.closed, list) else tree.closed


class _Everything:
    def __contains__(self, state: object) -> bool:
        return True
