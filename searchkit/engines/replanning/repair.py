"""What both replanning engines do: expand inconsistent states in order of their keys, and take up changes.

Both see the problem from where the search begins, `way`: LPA* the problem itself, and D* Lite its reverse.
"""

from collections.abc import Collection, Iterable, Iterator
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any, TypeAlias

from searchkit.engines import kit
from searchkit.problem import Cost
from searchkit.tree import Arrival

Tree: TypeAlias = kit.Tree
Value: TypeAlias = tuple[Cost, int]
"""A cost so far, and the number of actions: so every action adds to a value, and no circle of free actions can support
itself. Values are compared as tuples."""
NONE: Value = (inf, 0)
"""The value of a state that nothing is known of."""
START: Arrival[Any, Any] = (0, None, None)
ANEW = (
    "the heuristic is inconsistent or overestimates: what was known could not be repaired after the change, "
    "and the search began anew"
)


class Queue:
    """The values of all states, and the inconsistent ones in order of their keys: the frontier of both engines."""

    def __init__(self, roots: Collection[Any]):
        self.roots = roots
        """The states in which the search begins."""
        self.g: dict[Any, Value] = {}
        """The values with which states were expanded; infinite for others."""
        self.rhs: dict[Any, Value] = {}
        """The least values by way of their neighbours; infinite for others. `reached` has their arrivals."""
        self.heap: list[tuple[tuple[Cost, Cost, int], int, Any]] = []
        """Key, a number that breaks ties (last in first), state: the inconsistent states, dead ends too. Entries may be
        outdated."""
        self.number = self.phase = 0
        """How many entries there were, and how often the problem was changed since the search began."""
        self.settled: set[Any] = set()
        """After a change, the states made consistent since then: with a consistent heuristic, they stay so."""
        self.anew = False
        """Whether one of them did not, so that the search has to begin anew."""

    def __len__(self) -> int:
        return len(self.heap)

    def __iter__(self) -> Iterator[Any]:
        """Yield the inconsistent states."""
        return (state for _, _, state in filter(self.is_valid, self.heap))

    def value(self, state: Any) -> Value:
        """Return the lesser of g and rhs of a state."""
        return min(self.g.get(state, NONE), self.rhs.get(state, NONE))

    def is_overconsistent(self, state: Any) -> bool:
        """Whether rhs is less than g."""
        return self.rhs.get(state, NONE) < self.g.get(state, NONE)

    def is_valid(self, entry: tuple[tuple[Cost, Cost, int], int, Any]) -> bool:
        """Whether an entry is not outdated: its state is inconsistent, and has this value."""
        (_, *value), _, state = entry
        return self.g.get(state) != self.rhs.get(state) and tuple(value) == self.value(state)

    def reopens(self, half: Tree, state: Any) -> bool:
        """Whether a state that is reached more cheaply was consistent, as a consistent heuristic excludes."""
        return state in half.closed and (not self.phase or state in self.settled)

    def put(self, half: Tree, state: Any, arrival: Arrival[Any, Any] | None, actions: int, h: Cost) -> None:
        """Set rhs and the arrival of a state; None if nothing leads to it."""
        if arrival is not None:
            self.rhs[state] = arrival[0], actions
            half.reached[state] = arrival
        elif state in self.rhs:
            del self.rhs[state], half.reached[state]
        if self.g.get(state) != self.rhs.get(state):
            half.closed.discard(state)
            self.anew |= state in self.settled
            self.number += 1
            cost, actions = self.value(state)
            heappush(self.heap, ((cost + h, cost, actions), -self.number, state))
        elif state in self.g:
            half.closed.add(state)

    def first(self) -> tuple[tuple[Cost, Cost, int], int, Any] | None:
        """Return the entry with the least key; None if there is none, or only dead ends."""
        while self.heap and not self.is_valid(self.heap[0]):
            heappop(self.heap)
        return self.heap[0] if self.heap and self.heap[0][0][0] < inf else None


def begin(half: Tree, way: Any) -> None:
    """Begin a search: enter the roots into a half, and nothing else."""
    roots = dict(kit.values_of(way.initial_states(), kit.heuristic_function(way)))
    half.reached.clear()
    queue, half.closed = Queue(roots), set()
    for state, h in reversed(roots.items()):  # so that the first of equals is the first
        queue.put(half, state, START, 0, h)
    half.frontier = queue


def repair(tree: Tree, half: Tree, way: Any) -> Iterator[Any]:
    """Yield and expand inconsistent states until a goal of `way` has its least cost: it becomes `tree.goal`.

    An overconsistent state (g > rhs) becomes consistent, and its neighbours may be reached more cheaply. An
    underconsistent one (g < rhs) loses its g, and the neighbours that it led to are reached from elsewhere, or not. The
    half that is searched is `tree` itself, or its backward half.
    """
    queue: Queue = half.frontier
    known = [state for state in way.goal_states() if state in queue.g] if queue.phase else []

    def f(goal: Any) -> tuple[Cost, Cost, int]:
        cost, actions = queue.value(goal)
        return cost + kit.values_of([goal], kit.heuristic_function(way))[0][1], cost, actions

    while True:
        if queue.anew:
            begin(half, way)
            tree.warnings.append(ANEW)
            tree.note("phase", "begins anew")
            tree.frontier = queue = half.frontier
            known = []
        entry = queue.first()
        if entry is not None:
            tree.lower_bound = entry[0][0]
        found = min((goal for goal in known if goal in half.closed), key=f, default=None)
        if entry is not None and (found is None or f(found) > entry[0]):
            state = entry[2]
            found = state if queue.is_overconsistent(state) and way.is_goal(state) else None
        if found is not None and _is_sound(half, found):
            tree.goal, tree.lower_bound = found, f(found)[0]
            return
        if found is not None:
            queue.anew = True
            continue
        if entry is None:
            return
        tree.peak_frontier = max(tree.peak_frontier, len(queue))
        yield state
        (_lower if queue.is_overconsistent(state) else _raise)(tree, half, way, state)


def _lower(tree: Tree, half: Tree, way: Any, state: Any) -> None:
    """Expand an overconsistent state: it becomes consistent."""
    queue: Queue = half.frontier
    g, actions = queue.rhs[state]
    actions += 1
    generated, found = kit.expand(
        tree, state, g, way.successors, kit.cost_function(way), equals=True, half=half
    )
    children = [one for one in found if (one[1][0], actions) < queue.rhs.get(one[0], NONE)]
    values = _values(way, {child: arrival for child, arrival, _ in children})
    reopening = [one for one in children if queue.reopens(half, one[0])]
    kit.warn_of_reopening(way, tree, half.closed, reopening)
    queue.g[state] = queue.rhs[state]
    half.closed.add(state)
    if queue.phase:
        queue.settled.add(state)
    for child, arrival, _ in children:
        if (arrival[0], actions) < queue.rhs.get(child, NONE):  # of parallel actions, the cheapest
            tree.reopened += queue.reopens(half, child)
            queue.put(half, child, arrival, actions, values[child])
    tree.generated = generated


def _raise(tree: Tree, half: Tree, way: Any, state: Any) -> None:
    """Expand an underconsistent state: its g becomes infinite."""
    queue: Queue = half.frontier
    led_to, generated = {state: None}, tree.generated
    for _, neighbour in way.successors(state):
        generated += 1
        if not generated % kit.POLL_EVERY:
            tree.poll()
        if neighbour in half.reached and half.reached[neighbour][1] == state:
            led_to[neighbour] = None
    looked, found = best(tree, queue, way, led_to, queue.roots, without=state)
    values = _values(way, {neighbour: arrival or START for neighbour, arrival, _ in found})
    del queue.g[state]
    for neighbour, arrival, actions in found:
        queue.put(half, neighbour, arrival, actions, values[neighbour])
    tree.generated = generated + looked


def _values(way: Any, arrivals: dict[Any, Arrival[Any, Any]]) -> dict[Any, Cost]:
    """Return the heuristic values of states. Raises `InvalidProblemError` if an f is too large for a float."""
    values = dict(kit.values_of(arrivals, kit.heuristic_function(way)))
    for state, h in values.items():
        if not arrivals[state][0] + h < inf:
            kit.is_dead_end(state, h)
    return values


def best(
    tree: Tree, queue: Queue, way: Any, states: Iterable[Any], roots: Collection[Any], without: Any = None
) -> tuple[int, list[tuple[Any, Arrival[Any, Any] | None, int]]]:
    """Return how many neighbours were looked at, and (state, its best arrival, the actions of it) for each state.

    The search begins in the `roots`. The g of the neighbour `without` counts as infinite.
    """
    cost, looked, found = kit.cost_function(way), 0, []
    for state in states:
        least, arrival = ((0, 0), START) if state in roots else (NONE, None)
        for action, neighbour in () if state in roots else way.predecessors(state):
            looked += 1
            if not looked % kit.POLL_EVERY:
                tree.poll()
            if neighbour in queue.g and neighbour not in (without, state):
                g, actions = queue.g[neighbour]
                edge = neighbour, action, state
                value = g + (1 if cost is None else kit.checked_cost(*edge, cost(*edge))), actions + 1
                if value < least:
                    least, arrival = value, (value[0], neighbour, action)
        found.append((state, arrival, least[1]))
    return looked, found


def _is_sound(half: Tree, state: Any) -> bool:
    """Whether all states on the path to a state, but perhaps the last, are consistent.

    They are if the heuristic does not overestimate: otherwise one of them has a key below that of the last.
    """
    for _ in half.reached:
        state = half.reached[state][1]
        if state is None or state not in half.closed:
            return state is None
    return bool(half.trail(state))  # more steps than states: a cycle, for which this raises


def amend(tree: Tree, half: Tree, old: Any, new: Any, changed: Iterable[Any]) -> None:
    """Take up that the problem has changed, and forget the answer of the last search, and its counters.

    For each action that was added or removed or costs something else, `changed` has a state at one of its ends. If the
    problem raises, nothing is changed.
    """
    queue: Queue = half.frontier
    touched = dict.fromkeys(changed)
    for state in list(touched):
        if state in queue.g:
            touched.update((after, None) for way in (old, new) for _, after in way.successors(state))
    roots = dict.fromkeys(new.initial_states())
    touched |= dict.fromkeys([*(root for root in queue.roots if root not in roots), *roots])
    _, found = best(tree, queue, new, touched, roots)
    values = dict(kit.values_of((*queue, *touched), kit.heuristic_function(new)))
    queue.roots = roots
    queue.settled.clear()
    for state, arrival, actions in found:
        queue.put(half, state, arrival, actions, values[state])
    queue.heap = [
        ((key[1] + values[state], *key[1:]), number, state)
        for key, number, state in filter(queue.is_valid, queue.heap)
    ]
    heapify(queue.heap)
    queue.phase += 1
    tree.found, tree.goal, tree.incumbent, tree.lower_bound, tree.repairing = False, None, None, 0, True
    tree.expanded = tree.generated = tree.reopened = tree.peak_frontier = 0
    tree.warnings, tree.details = [], {}
