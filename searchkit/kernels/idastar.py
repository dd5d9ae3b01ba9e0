"""Iterative deepening A*, as `searchkit.engines.informed.idastar`: depth-first search up to a threshold on f."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, overload

import numpy as np

from searchkit.compiled.functions import call_goal, compiled_function, kernel
from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import (
    FunctionPointers,
    SearchSpace,
    are_same,
    as_number,
    as_words,
    evaluate,
    expand,
    hash_of,
    put_state,
)
from searchkit.compiled.kit.run import KernelRun, inexact, no_heuristic, raise_invalid
from searchkit.compiled.variants import variants
from searchkit.compiled.view import CompiledProblem
from searchkit.engines.informed.idastar import raise_threshold
from searchkit.engines.kit import cost_function, distinct_starts
from searchkit.problem import Cost, SearchProblem
from searchkit.tree import Arrival, SearchTree

SIZE, LENGTH, GENERATED, PEAK, EXPANDED, MOVE = range(6)
"""Places in the array of counters: the entries on the stack and on the path; the counters of the search tree, but
EXPANDED counts those of the slice; and the successor of the last state of the path at which the slice ended."""
COUNTERS = 6
MAX_SUM = np.finfo(np.float64).max
"""Replaces larger sums, because infinity means that nothing was cut."""
PATH_STEPS = 4
"""The power of two of the number of states of the path that are compared, or left, in one step."""
THRESHOLD, CUT = range(2)
"""Places in the array of bounds: the threshold of the iteration, and the least f that was cut, infinity if none was."""
FIRST_DEPTH = 256
MARKS = 4
"""The number of marks per place of the path. So three of four states that are not on a full path meet no mark."""


def entry_type(words: int) -> Any:
    """Return the type of the records on the stack and on the path.

    A state, the cost so far, how many actions lead to it from a start, and which of its parent's successors it is. Its
    parent is the state on the path that is one less deep.
    """
    state: Any = np.uint64 if words == 1 else (np.uint64, words)
    return np.dtype([("state", state), ("g", np.float64), ("depth", np.uint32), ("move", np.int32)])


@kernel
def mark(path: Any, length: Any, marks: Any) -> None:
    """Count the states on the path by their hashes."""
    for depth in range(length):
        marks[hash_of(path[depth].state) & np.uint64(marks.size - 1)] += np.uint32(1)


@compiled_function
def is_on(path: Any, length: Any, marks: Any, state: Any) -> Any:
    """Whether a state is on the path, and the number of states of the path that it was compared with, mostly none.

    Comparing begins at the end of the path: a successor that is on the path is mostly the parent.
    """
    if marks[hash_of(state) & np.uint64(marks.size - 1)] == 0:
        return False, 0
    for back in range(1, length + 1):
        if are_same(path[length - back].state, state):
            return True, back
    return False, length


@variants("graph")
def is_goal_state(graph: Any, goals: Any, table: Any, state: Any) -> Any:
    """Whether a state is a goal; `goals` holds the sorted goals of a graph that is data. In compiled code only."""


@is_goal_state.when(FunctionPointers)
def _(graph: Any, goals: Any, table: Any, state: Any) -> Any:
    return graph.is_goal != 0 and call_goal(graph.is_goal, table, state)


@is_goal_state.when(object)
def _(graph: Any, goals: Any, table: Any, state: Any) -> Any:
    low, high = 0, goals.size
    while low < high:
        middle = (low + high) // 2
        if goals[middle] < state:
            low = middle + 1
        else:
            high = middle
    return low < goals.size and goals[low] == state


@kernel
def depth_first(
    graph: Any, goals: Any, table: Any, heuristic: Any, stack: Any, path: Any, marks: Any, out_states: Any,
    out_costs: Any, counters: Any, bounds: Any, expansions: Any, steps: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` states and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses up `steps`. The next state is the top of the stack and the end of
    the path. `marks` counts the states on the path by their hashes.
    """
    size, length = counters[SIZE], counters[LENGTH]
    generated, peak, expanded = counters[GENERATED], counters[PEAK], 0
    threshold, cut = bounds[THRESHOLD], bounds[CUT]
    branching, last = out_costs.size, np.uint64(marks.size - 1)
    why, left = control.EXHAUSTED, np.int64(steps)
    while size > 0:
        if left <= 0:
            why = control.PAUSED
            break
        top = stack[size - 1]
        depth = np.int64(top.depth)
        if size + branching > stack.size or depth >= path.size:
            why = control.FULL
            break
        while length > depth and left > 0:  # back up to the state that this one was reached from
            length -= 1
            left -= 1
            marks[hash_of(path[length].state) & last] -= np.uint32(1)
        if length > depth:
            continue
        state, g = top.state, top.g
        here = path[depth]
        put_state(here, state)
        here.g, here.depth, here.move = g, top.depth, top.move
        marks[hash_of(state) & last] += np.uint32(1)
        length += 1
        if is_goal_state(graph, goals, table, state):
            why = control.FOUND
            break
        if size > peak:
            peak = size
        if expanded == expansions:
            why = control.WORKED
            break
        count, least = np.int64(expand(graph, table, state, out_states, out_costs)), cut
        for move in range(count):
            step = out_costs[move]
            out_costs[move] = inf  # unless it goes on the stack
            known, looked = is_on(path, length, marks, out_states[move])
            left -= 1 + (looked >> PATH_STEPS)
            if known:
                continue
            if not 0.0 <= step < inf:
                counters[MOVE] = move
                why = control.BAD_COST
                break
            h = evaluate(heuristic, table, out_states[move])
            if not 0.0 <= h < inf:
                if h == inf:
                    continue
                counters[MOVE] = move
                why = control.BAD_HEURISTIC
                break
            f = min(g + step + h, MAX_SUM)
            if f <= threshold:
                out_costs[move] = g + step
            elif f < least:
                least = f
        if why != control.EXHAUSTED:
            break
        size -= 1
        for index in range(count):
            number = count - 1 - index  # the first successor comes to the top
            if out_costs[number] < inf:
                child = stack[size]
                put_state(child, out_states[number])
                child.g, child.depth, child.move = out_costs[number], np.uint32(depth + 1), np.int32(number)
                size += 1
        generated += count
        cut = least
        expanded += 1
        left -= 1
    counters[SIZE], counters[LENGTH], counters[GENERATED] = size, length, generated
    counters[PEAK], counters[EXPANDED], bounds[CUT] = peak, expanded, cut
    return why


class Path(Mapping[Any, Arrival[Any, Any]]):
    """A mapping of the states on the path of a run to their arrivals, as in the tree of the engine in Python.

    Args:
        run: the run, which reads entries.
        entries: those of the path, as they are when the mapping is made.

    """

    def __init__(self, run: Any, entries: Any):
        self.run = run
        self.entries = entries
        self.arrivals: dict[Any, Arrival[Any, Any]] | None = None

    def _read(self) -> dict[Any, Arrival[Any, Any]]:
        if self.arrivals is None:
            self.arrivals, parent = {}, None
            for entry in self.entries:
                state = self.run.unpacked(entry)
                self.arrivals[state] = self.run.arrival(entry, parent)
                parent = state
        return self.arrivals

    def __getitem__(self, state: Any) -> Arrival[Any, Any]:
        return self._read()[state]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self.entries)


class Stack(Sequence[tuple[int, Any, Arrival[Any, Any]]]):
    """The frontier of a run, as in the tree of the engine in Python: depth, state and arrival, the next one last."""

    def __init__(self, run: Any, entries: Any):
        self.run = run
        self.entries = entries

    @overload
    def __getitem__(self, index: int) -> tuple[int, Any, Arrival[Any, Any]]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[int, Any, Arrival[Any, Any]]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        entry = self.entries[index]
        depth = int(entry["depth"])
        parent = self.run.unpacked(self.run.path[depth - 1]) if depth else None
        return depth, self.run.unpacked(entry), self.run.arrival(entry, parent)

    def __len__(self) -> int:
        return len(self.entries)


class IterativeDeepeningAStar(KernelRun):
    """A search by the kernel, from the starts of the problem, with an empty tree.

    After each slice the tree shows what it shows after a yield of the engine in Python.
    """

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]):
        self.problem, self.tree = problem, tree
        self.view: CompiledProblem = problem.compiled()  # type: ignore[attr-defined]  # it is Compilable
        if self.view.heuristic is None:
            raise no_heuristic(problem)
        self.space = SearchSpace(self.view)
        self.out = self.space.out
        self.goals = np.array([] if self.space.is_hashed else sorted(set(self.view.goals)), np.uint64)
        self.counters, self.bounds = np.zeros(COUNTERS, np.int64), np.zeros(2, np.float64)
        entry = entry_type(self.view.words)
        self.stack, self.path = np.empty(FIRST_DEPTH, entry), np.empty(0, entry)
        tree.next_threshold = 0
        self._begin([])

    @property
    def state(self) -> Any:
        """The state to be expanded next; None before the first start is on the stack."""
        size, length = self.counters[[SIZE, LENGTH]]
        if not length:  # the search stands between two starts
            return self.unpacked(self.stack[size - 1]) if size else None
        return self.unpacked(self.path[length - 1])

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        space = self.space
        why: int = depth_first(
            space.graph, self.goals, space.table, space.heuristic, self.stack, self.path, self.marks, *self.out,
            self.counters, self.bounds, expansions, self.steps,
        )  # fmt: skip
        return why, int(self.counters[EXPANDED])

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        if why == control.FULL:
            self._grow()
        elif why == control.FOUND:
            self.ended = True
            self.tree.finish(self.state)
        elif why != control.EXHAUSTED:
            parent, move = self.state, int(self.counters[MOVE])
            edge = parent, *list(self.problem.successors(parent))[move]
            raise_invalid(self.problem, why, edge, self.view.pack(edge[2]))
        elif self.tree.next_threshold is None:
            self.ended = True
        else:
            self._deepen()
        return None

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, cut = self.tree, float(self.bounds[CUT])
        tree.generated, tree.peak_frontier = int(self.counters[GENERATED]), int(self.counters[PEAK])
        tree.next_threshold = None if cut == inf else self.cost(cut)
        self._look()

    def _look(self) -> None:
        """Let the tree show the present path and stack."""
        size, length = self.counters[[SIZE, LENGTH]]
        self.tree.reached = Path(self, self.path[:length])  # type: ignore[assignment]  # read, not written
        self.tree.frontier = Stack(self, self.stack[:size])

    def _deepen(self) -> None:
        """Begin the next iteration."""
        tree = self.tree
        tree.reached, tree.frontier = {}, []
        try:
            raise_threshold(self.problem, tree, self.problem.heuristic)
            starts = tree.frontier
        finally:
            self._look()
        if max(tree.threshold, tree.next_threshold or 0) >= control.EXACT:
            raise inexact()
        self._begin([state for _, state, _ in starts])

    def _begin(self, starts: Sequence[Any]) -> None:
        """Fill the stack with starts, the next one last, and empty the path."""
        numbers = (
            {state: number for number, state in enumerate(distinct_starts(self.problem))} if starts else {}
        )
        self.stack = self._entries([(state, 0.0, 0, numbers[state]) for state in starts], len(self.out[0]))
        self.counters[SIZE], self.counters[LENGTH] = len(starts), 0
        cut = self.tree.next_threshold
        self.bounds[THRESHOLD], self.bounds[CUT] = self.tree.threshold, inf if cut is None else cut
        self._mark(np.empty(max(FIRST_DEPTH, len(self.path)), self.path.dtype), 0)
        self._look()

    def saved(self) -> Iterator[Mapping[str, Any]]:
        """Yield the moves that make the path and the stack, the counters and the thresholds."""
        size, length = self.counters[[SIZE, LENGTH]]
        yield {
            **self.saved_state(),
            "counters": self.counters.tolist(),
            "cut": float(self.bounds[CUT]),
            "threshold": float(self.bounds[THRESHOLD]),
            "path": self.path[:length]["move"].tolist(),
            "depths": self.stack[:size]["depth"].tolist(),
            "moves": self.stack[:size]["move"].tolist(),
        }

    def restore(self, parts: Iterator[Mapping[str, Any]]) -> None:
        """Make the moves again."""
        (state,) = parts
        if min([*state["path"], *state["depths"], *state["moves"]], default=0) < 0:
            raise ValueError("a depth or a move is negative")
        path, children = [], [[(start, 0.0) for start in distinct_starts(self.problem)]]
        for depth, move in enumerate(state["path"]):
            parent, g = children[depth][move]
            path.append((parent, g, depth, move))
            children.append([(child, g + cost) for child, cost in self._successors(parent)])
        stack = [
            (*children[depth][move], depth, move)
            for depth, move in zip(state["depths"], state["moves"], strict=True)
        ]
        self.counters[:] = [*map(int, state["counters"])]
        self.counters[[SIZE, LENGTH]] = len(stack), len(path)
        threshold = float(state["threshold"])
        self.tree.threshold = self.tree.lower_bound = self.cost(threshold)
        self.bounds[:] = threshold, float(state["cut"])
        self.stack = self._entries(stack, len(self.out[0]))
        self._mark(self._entries(path, len(path)), len(path))
        self.restore_state(state)

    def _successors(self, state: Any) -> list[tuple[Any, float]]:
        """Return the successors of a state, and what the actions cost."""
        cost = cost_function(self.problem)
        return [
            (child, 1.0 if cost is None else float(cost(state, action, child)))
            for action, child in self.problem.successors(state)
        ]

    def _entries(self, made: Sequence[tuple[Any, float, int, int]], spare: int) -> Any:
        """Return an array that begins with entries, and has room for more."""
        entries = np.zeros(len(made) + max(FIRST_DEPTH, spare), self.path.dtype)
        for index, (state, *numbers) in enumerate(made):
            entries[index] = as_words(self.view.pack(state), self.view.words), *numbers
        return entries

    def _grow(self) -> None:
        """Make room for one more expansion. Raises `MemoryError`; nothing is lost then."""
        size, length = int(self.counters[SIZE]), int(self.counters[LENGTH])
        if size + len(self.out[0]) > len(self.stack):
            self.stack = self.grown(self.stack, size, 2 * (size + len(self.out[0])))
        if self.stack[size - 1]["depth"] >= len(self.path):
            self._mark(self.grown(self.path, length, 2 * len(self.path)), length)

    def _mark(self, path: Any, length: int) -> None:
        """Use another array for the path: count its states by their hashes, in a new array of marks."""
        marks = np.zeros(1 << (MARKS * len(path) - 1).bit_length(), np.uint32)
        mark(path, length, marks)
        self.path, self.marks = path, marks

    def unpacked(self, entry: Any) -> Any:
        """Return the state of an entry."""
        return self.view.unpack(as_number(entry["state"]))

    def cost(self, number: float) -> Cost:
        """Return a cost as the problem gives it: a whole number as an integer."""
        return int(number) if self.view.whole and number == number // 1 else float(number)

    def arrival(self, entry: Any, parent: Any) -> Arrival[Any, Any]:
        """Return how the state of an entry was reached."""
        if not entry["depth"]:
            return 0, None, None
        action, _ = list(self.problem.successors(parent))[int(entry["move"])]
        return self.cost(float(entry["g"])), parent, action
