"""What both replanning engines do: expand inconsistent states in order of their keys, and take up changes."""

from collections.abc import Callable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any, TypeAlias

from attrs import define, field

from searchkit.engines.kit import (
    POLL_EVERY,
    checked_cost,
    cost_function,
    cost_overflow_error,
    expand,
    values_of,
)
from searchkit.problem import Cost
from searchkit.tree import Arrival, SearchTree

Tree: TypeAlias = SearchTree[Any, Any]
Value: TypeAlias = tuple[Cost, int]
"""A cost so far, and the number of actions: so every action adds to a value, and no circle of free actions can support
itself. Values are compared as tuples."""
NONE: Value = (inf, 0)
"""The value of a state that nothing is known of."""
ANEW = (
    "the heuristic is inconsistent or overestimates: what was known could not be repaired after the change, "
    "and the search began anew"
)


def _distinct(states: Iterable[Any]) -> dict[Any, None]:
    return dict.fromkeys(states)


@define(eq=False)
class Direction:
    """A problem as one of the two engines sees it: from the starts, or from the goals backwards."""

    problem: Any
    forward: bool
    heuristic: Callable[[Any], Cost] | None
    """The heuristic for this direction; None for 0 at each state."""
    roots: dict[Any, None] = field(converter=_distinct)
    """Where the search begins: the starts, or the goals."""
    cost: Callable[[Any, Any, Any], Cost] | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.cost = cost_function(self.problem)

    def after(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Return (action, neighbour) for each step that leads on from a state, away from the roots."""
        problem = self.problem
        return problem.successors(state) if self.forward else problem.predecessors(state)  # type: ignore[no-any-return]

    def before(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """Return the same for the steps that lead to a state."""
        problem = self.problem
        return problem.predecessors(state) if self.forward else problem.successors(state)  # type: ignore[no-any-return]

    def step(self, state: Any, action: Any, neighbour: Any) -> Cost:
        """Return the checked cost of a step on from a state."""
        if self.cost is None:
            return 1
        edge = (state, action, neighbour) if self.forward else (neighbour, action, state)
        return checked_cost(*edge, self.cost(*edge))

    def values(self, states: Iterable[Any]) -> dict[Any, Cost]:
        """Return state → checked heuristic value; infinity at a dead end."""
        return dict(values_of(states, self.heuristic, "heuristic" if self.forward else "backward_heuristic"))

    def h(self, state: Any) -> Cost:
        """Return the checked heuristic value of a state."""
        return self.values([state])[state]


@define(eq=False)
class Queue:
    """The inconsistent states, and the values of all states: the frontier of both engines."""

    g: dict[Any, Value] = field(factory=dict)
    """The values with which states were expanded; infinite for others."""
    rhs: dict[Any, Value] = field(factory=dict)
    """The least values by way of their neighbours; infinite for others. `reached` has their arrivals."""
    waiting: dict[Any, int] = field(factory=dict)
    """The inconsistent states, dead ends too, each with the number of its last entry."""
    heap: list[tuple[Any, int, int, Any]] = field(factory=list)
    """Key, a number that breaks ties (last in first), number of the entry, state. Entries may be outdated."""
    number: int = 0
    phase: int = 0
    """How often the problem was changed since the search began."""
    settled: set[Any] = field(factory=set)
    """After a change, the states made consistent since then: with a consistent heuristic, they stay so."""
    anew: bool = False
    """Whether one of them did not, so that the search has to begin anew."""

    def __len__(self) -> int:
        return len(self.waiting)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.waiting)

    def key(self, state: Any, h: Cost) -> tuple[Cost, Cost, int]:
        """Return the priority of a state: f, then the lesser of g and rhs."""
        cost, actions = min(values[state] for values in (self.g, self.rhs) if state in values)
        return cost + h, cost, actions

    def put(self, half: Tree, state: Any, arrival: Arrival[Any, Any] | None, actions: int, h: Cost) -> None:
        """Set rhs and the arrival of a state; None if nothing leads to it."""
        if arrival is not None:
            self.rhs[state] = arrival[0], actions
            half.reached[state] = arrival
        elif state in self.rhs:
            del self.rhs[state], half.reached[state]
        self.place(half, state, h)

    def reopens(self, half: Tree, state: Any) -> bool:
        """Whether a state that is reached more cheaply was consistent, as a consistent heuristic excludes."""
        return state in half.closed and (not self.phase or state in self.settled)

    def place(self, half: Tree, state: Any, h: Cost) -> None:
        """Enter a state into the queue if it is inconsistent, and into the closed states if it is not."""
        if self.g.get(state) == self.rhs.get(state):
            self.waiting.pop(state, None)
            if state in self.g:
                half.closed.add(state)
            return
        if state in half.closed:
            half.closed.remove(state)
        if state in self.settled:
            self.anew = True
        self.number += 1
        self.waiting[state] = self.number
        if h < inf:
            heappush(self.heap, (self.key(state, h), -self.number, self.number, state))

    def first(self) -> tuple[Any, int, int, Any] | None:
        """Return the entry with the least key; None if there is none."""
        heap, waiting = self.heap, self.waiting
        while heap and waiting.get(heap[0][3]) != heap[0][2]:
            heappop(heap)
        return heap[0] if heap else None

    def reorder(self, values: dict[Any, Cost]) -> None:
        """Make the heap again, with these heuristic values of the states that wait."""
        self.heap[:] = [
            (self.key(state, values[state]), -number, number, state)
            for state, number in self.waiting.items()
            if values[state] < inf
        ]
        heapify(self.heap)


def begin(half: Tree, way: Direction) -> None:
    """Enter the roots into an empty half."""
    values = way.values(way.roots)
    half.frontier, half.closed = Queue(), set()
    for state, h in reversed(values.items()):  # so that the first of equals is the first
        half.frontier.put(half, state, (0, None, None), 0, h)


def repair(
    tree: Tree,
    half: Tree,
    way: Direction,
    is_target: Callable[[Any], object],
    targets: Callable[[], Iterable[Any]],
    warn: Callable[[Any, Any, Any], object],
) -> Iterator[Any]:
    """Yield and expand inconsistent states until a target has its least cost: it becomes `tree.goal`.

    An overconsistent state (g > rhs) becomes consistent, and its neighbours may be reached more cheaply. An
    underconsistent one (g < rhs) loses its g, and the neighbours that it led to are reached from elsewhere, or not.

    Args:
        tree: whose counters are written.
        half: the half that is searched: `tree` itself, or its backward half.
        way: the problem, and the direction.
        is_target: whether a state ends the search.
        targets: returns the states that do.
        warn: called with state, action and neighbour if the heuristic is inconsistent there.

    """
    queue: Queue = half.frontier
    known = [state for state in targets() if state in queue.g] if queue.phase else []

    def value_of(target: Any) -> tuple[Cost, Cost, int]:
        return queue.key(target, way.h(target))

    while True:
        if queue.anew:
            start_anew(tree, half, way)
            queue, known = half.frontier, []
        entry = queue.first()
        if entry is not None:
            tree.lower_bound = entry[0][0]
        found = min((target for target in known if target in half.closed), key=value_of, default=None)
        if entry is not None and (found is None or value_of(found) > entry[0]):
            over = queue.rhs.get(entry[3], NONE) < queue.g.get(entry[3], NONE)
            found = entry[3] if over and is_target(entry[3]) else None
        if found is not None:
            if _is_sound(half, found):
                tree.goal, tree.lower_bound = found, queue.rhs[found][0] + way.h(found)
                return
            queue.anew = True
            continue
        if entry is None:
            return
        state = entry[3]
        tree.peak_frontier = max(tree.peak_frontier, len(queue))
        yield state
        if queue.rhs.get(state, NONE) < queue.g.get(state, NONE):
            _lower(tree, half, way, state, warn)
        else:
            _raise(tree, half, way, state)


def start_anew(tree: Tree, half: Tree, way: Direction) -> None:
    """Forget what is known, and begin again: the heuristic does not allow to repair it."""
    tree.warnings.append(ANEW)
    tree.note("phase", "begins anew")
    half.reached.clear()
    begin(half, way)
    tree.frontier = half.frontier


def _lower(tree: Tree, half: Tree, way: Direction, state: Any, warn: Callable[..., object]) -> None:
    """Expand an overconsistent state: it becomes consistent."""
    queue: Queue = half.frontier
    g, actions = queue.rhs[state]
    generated, found = expand(tree, state, g, way.after, way.cost, half=half, equals=True)
    arrivals = [
        (child, (new_g, state, action))
        for _, action, child, new_g, _ in found
        if (new_g, actions + 1) < queue.rhs.get(child, NONE)
    ]
    values = way.values(child for child, _ in arrivals)
    for child, (new_g, _, action) in arrivals:
        _check_f(child, new_g, values[child])
        if queue.reopens(half, child) and not tree.warnings:
            warn(state, action, child)
    queue.g[state] = queue.rhs[state]
    queue.place(half, state, inf)
    if queue.phase:
        queue.settled.add(state)
    for child, arrival in arrivals:
        if (arrival[0], actions + 1) < queue.rhs.get(child, NONE):  # of parallel actions, the cheapest
            tree.reopened += queue.reopens(half, child)
            queue.put(half, child, arrival, actions + 1, values[child])
    tree.generated = generated


def _raise(tree: Tree, half: Tree, way: Direction, state: Any) -> None:
    """Expand an underconsistent state: its g becomes infinite."""
    queue: Queue = half.frontier
    led_to, generated = dict.fromkeys([state]), tree.generated
    for _, neighbour in way.after(state):
        generated += 1
        if not generated % POLL_EVERY:
            tree.poll()
        if neighbour in half.reached and half.reached[neighbour][1] == state:
            led_to[neighbour] = None
    values, found = way.values(led_to), []
    for neighbour in led_to:
        arrival, actions, looked = best(tree, queue, way, neighbour, without=state)
        generated += looked
        if arrival is not None:
            _check_f(neighbour, arrival[0], values[neighbour])
        found.append((neighbour, arrival, actions))
    del queue.g[state]
    for neighbour, arrival, actions in found:
        queue.put(half, neighbour, arrival, actions, values[neighbour])
    tree.generated = generated


def _check_f(state: Any, g: Cost, h: Cost) -> None:
    """Raise `InvalidProblemError` if g + h is too large for a float."""
    if not g + h < inf and h < inf:
        raise cost_overflow_error(state)


def best(
    tree: Tree, queue: Queue, way: Direction, state: Any, without: Any = None
) -> tuple[Arrival[Any, Any] | None, int, int]:
    """Return the best arrival at a state, how many actions it has, and how many neighbours were looked at.

    Args:
        tree: whose `poll` is called.
        queue: with the values of the neighbours.
        way: the problem, and the direction.
        state: for which rhs is computed.
        without: a neighbour whose g counts as infinite.

    """
    if state in way.roots:
        return (0, None, None), 0, 0
    least: Value = NONE
    arrival: Arrival[Any, Any] | None = None
    looked = 0
    for action, neighbour in way.before(state):
        looked += 1
        if not looked % POLL_EVERY:
            tree.poll()
        if neighbour in queue.g and neighbour not in (without, state):
            g, actions = queue.g[neighbour]
            value = g + way.step(neighbour, action, state), actions + 1
            if value < least:
                least, arrival = value, (value[0], neighbour, action)
    return arrival, least[1], looked


def _is_sound(half: Tree, state: Any) -> bool:
    """Whether all states on the path to a state, but perhaps the last, are consistent.

    They are if the heuristic does not overestimate: otherwise one of them has a key below that of the last.
    """
    parent = half.reached[state][1]
    while parent is not None:
        if parent not in half.closed:
            return False
        parent = half.reached[parent][1]
    return True


def amend(tree: Tree, half: Tree, old: Direction, new: Direction, changed: Iterable[Any]) -> None:
    """Take up that the problem has changed, and forget the answer of the last search. Counters go on.

    If the problem raises, nothing is changed.

    Args:
        tree: what the search has learned.
        half: the half that is searched.
        old: the problem before.
        new: the problem now.
        changed: for each action that was added or removed or costs something else, a state at one of its ends.

    """
    queue: Queue = half.frontier
    touched = dict.fromkeys(changed)
    for state in list(touched):
        if state in queue.g:
            touched.update((after, None) for way in (old, new) for _, after in way.after(state))
    touched |= dict.fromkeys([*(root for root in old.roots if root not in new.roots), *new.roots])
    found = [(state, *best(tree, queue, new, state)[:2]) for state in touched]
    values = new.values((*queue.waiting, *touched))
    queue.settled.clear()
    for state, arrival, actions in found:
        queue.put(half, state, arrival, actions, values[state])
    queue.reorder(values)
    queue.phase += 1
    tree.found, tree.goal, tree.incumbent, tree.lower_bound, tree.repairing = False, None, None, 0, True
    tree.peak_frontier, tree.warnings, tree.details = 0, [], {}
