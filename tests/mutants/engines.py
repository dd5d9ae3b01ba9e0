"""Engines with one planted defect each, and the promise that each one breaks.

The engines of searchkit's form are correct searches with a switch for each defect, so that nothing else is wrong;
`CONTROLS` are the same engines with no switch set. The plain functions are what a beginner might write.
"""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from heapq import heappop, heappush
from math import inf
from typing import Any

from attrs import frozen

from searchkit import EngineSpec, Reversible
from searchkit.plugin import SearchTree
from tests.mutants.best_first import Problem, Tree, cost_of, engine


@frozen
class Mutant:
    """An engine, and the promise that it breaks; "" for a control, which keeps all its promises."""

    name: str
    engine: Any
    promise: str = ""


def iterative(problem: Problem, tree: Tree, defect: str) -> Iterator[Any]:
    """Run iterative-deepening A*, in a form that keeps its whole state in the tree, with a defect."""
    reached = tree.reached
    if tree.frontier is None:
        tree.frontier, tree.next_threshold = [], 0
    frontier = tree.frontier
    while True:
        while frontier:
            depth, state, arrival = frontier[-1]
            while len(reached) > depth:
                reached.popitem()
            reached[state] = arrival
            if problem.is_goal(state):
                return tree.finish(state)
            yield state
            asked = [
                (action, to, cost_of(problem, state, action, to), problem.heuristic(to))
                for action, to in problem.successors(state)
            ]
            frontier.pop()
            for action, successor, cost, h in asked:
                tree.generated += 1
                if successor in reached:
                    continue
                g = arrival[0] + cost
                f = g + h
                if f < tree.threshold or (f == tree.threshold and defect != "cuts at the bound"):
                    frontier.append((depth + 1, successor, (g, state, action)))
                elif f < inf and (tree.next_threshold is None or f < tree.next_threshold):
                    tree.next_threshold = f
        if tree.next_threshold is None:
            return None
        begin(problem, tree, defect)


def fringe(problem: Problem, tree: Tree) -> Iterator[Any]:
    """Run fringe search (Björnsson et al. 2005); it writes arrivals while it asks, and loses them after an error."""
    reached, h, cost = tree.reached, problem.heuristic, problem.cost
    if tree.frontier is None:
        for state in problem.initial_states():
            tree.start(state)
        tree.closed = set()
        tree.frontier = {"now": list(reached), "later": [], "limit": min(map(h, reached), default=0)}
    now, later = tree.frontier["now"], tree.frontier["later"]
    while now or later:
        if not now:
            now.extend(reversed(later))
            later.clear()
            tree.frontier["limit"] = min(reached[state][0] + h(state) for state in now)
        state = now[-1]
        g = reached[state][0]
        if g + h(state) > tree.frontier["limit"]:
            later.append(now.pop())
            continue
        tree.lower_bound = tree.frontier["limit"]
        if problem.is_goal(state):
            return tree.finish(state)
        yield state
        found = []
        for action, successor in problem.successors(state):
            tree.generated += 1
            new = g + cost(state, action, successor)
            if successor not in reached or new < reached[successor][0]:
                reached[successor] = (new, state, action)
                found.append(successor)
        now.pop()
        now.extend(reversed(found))
        tree.closed.add(state)
    return None


def begin(problem: Problem, tree: Tree, defect: str) -> None:
    """Begin the next iteration."""
    starts = {state: problem.heuristic(state) for state in problem.initial_states()}
    bound = max(tree.next_threshold or 0, min(starts.values()))
    tree.lower_bound = bound
    tree.threshold = bound + 1 if defect == "raises the bound by one too many" else bound
    tree.next_threshold = min((h for h in starts.values() if tree.threshold < h < inf), default=None)
    tree.reached.clear()
    tree.frontier.extend((0, state, (0, None, None)) for state, h in starts.items() if h <= tree.threshold)


def from_both_ends(problem: Any, tree: Tree) -> Iterator[Any]:
    """Search from both ends, and take the first meeting as the best."""
    if tree.frontier is None:
        tree.backward = SearchTree()
        for half, states in ((tree, problem.initial_states()), (tree.backward, problem.goal_states())):
            for state in states:
                half.start(state)
            half.frontier = [
                (0, number - len(half.reached), state) for number, state in enumerate(half.reached)
            ]
            half.closed = set()
    backward = tree.backward
    assert backward is not None
    while tree.frontier or backward.frontier:
        half, other = (tree, backward) if tree.frontier else (backward, tree)
        if tree.frontier and backward.frontier and backward.frontier[0][:2] < tree.frontier[0][:2]:
            half, other = backward, tree
        g, _, state = half.frontier[0]
        if state in half.closed:
            heappop(half.frontier)
            continue
        if state in other.reached:
            return join(problem, tree, backward, state)
        yield state
        heappop(half.frontier)
        half.closed.add(state)
        for action, to in problem.successors(state) if half is tree else problem.predecessors(state):
            tree.generated += 1
            before, after = (state, to) if half is tree else (to, state)
            new_g = g + cost_of(problem, before, action, after)
            if to not in half.reached or new_g < half.reached[to][0]:
                half.reached[to] = (new_g, state, action)
                heappush(half.frontier, (new_g, tree.generated, to))
    return None


def join(problem: Problem, tree: Tree, backward: Tree, meeting: Any) -> None:
    """Follow the backward half from the meeting to a goal."""
    states, actions = backward.path_to(meeting)
    path = states[::-1]
    for before, action, after in zip(path, actions[::-1], path[1:], strict=False):
        g = tree.reached[before][0] + cost_of(problem, before, action, after)
        if after not in tree.reached or g < tree.reached[after][0]:
            tree.reached[after] = (g, before, action)
    tree.finish(path[-1])


def forward_buckets(problem: Problem, tree: Tree) -> Iterator[Any]:
    """Run A* on buckets, and never go back to an earlier bucket."""
    reached = tree.reached
    if tree.frontier is None:
        tree.frontier, tree.closed = [{}, 0], set()
        for state in dict.fromkeys(problem.initial_states()):
            tree.start(state)
            tree.frontier[0].setdefault(problem.heuristic(state), []).append((0, state))
    buckets, closed = tree.frontier[0], tree.closed
    assert closed is not None
    while ahead := [f for f, bucket in buckets.items() if bucket and tree.frontier[1] <= f < inf]:
        tree.frontier[1] = f = min(ahead)
        g, state = buckets[f][-1]
        if g > reached[state][0]:
            buckets[f].pop()
            continue
        tree.lower_bound = f
        if problem.is_goal(state):
            return tree.finish(state)
        yield state
        buckets[f].pop()
        for action, successor in problem.successors(state):
            tree.generated += 1
            new_g = g + cost_of(problem, state, action, successor)
            if successor not in reached or new_g < reached[successor][0]:
                reached[successor] = (new_g, state, action)
                if successor in closed:
                    closed.remove(successor)
                    tree.reopened += 1
                buckets.setdefault(new_g + problem.heuristic(successor), []).append((new_g, successor))
        closed.add(state)
    return None


def marks_at_removal(problem: Problem, tree: Tree) -> Iterator[Any]:
    """Run breadth-first search, and mark states when they leave the queue."""
    if tree.frontier is None:
        for state in problem.initial_states():
            tree.start(state)
        tree.frontier, tree.closed = deque(tree.reached), set()
    closed = tree.closed
    assert closed is not None
    while tree.frontier:
        state = tree.frontier[0]
        if problem.is_goal(state):
            return tree.finish(state)
        yield state
        tree.frontier.popleft()
        closed.add(state)
        for action, successor in problem.successors(state):
            tree.generated += 1
            if successor not in closed:
                tree.reached.setdefault(successor, (tree.reached[state][0] + 1, state, action))
                tree.frontier.append(successor)
    return None


def shortest(problem: Problem, expand: Callable[..., Any] | None = None) -> list[Any] | None:
    """Solve by Dijkstra's algorithm: a plain function, and a correct one."""
    order = 0
    queue = [(0, 0, state, [state]) for state in problem.initial_states()]
    done = set()
    while queue:
        g, _, state, path = heappop(queue)
        if problem.is_goal(state):
            return path
        if state not in done:
            done.add(state)
            for action, successor in problem.successors(state):
                order += 1
                new_g = g + cost_of(problem, state, action, successor)
                heappush(queue, (new_g, order, successor, [*path, successor]))
    return None


def without_the_start(problem: Problem) -> list[Any] | None:
    """Leave the start out of the path."""
    path = shortest(problem)
    return path and path[1:]


def from_goal_to_start(problem: Problem) -> list[Any] | None:
    """Return the path in the order in which it was read back."""
    path = shortest(problem)
    return path and path[::-1]


def actions_for_states(problem: Problem) -> list[Any] | None:
    """Return the names of the actions."""
    path = shortest(problem)
    return path and [f"to {state!r}" for state in path]


def a_tuple(problem: Problem) -> Any:
    """Return a tuple of states."""
    path = shortest(problem)
    return path and tuple(path)


def empty_for_none(problem: Problem) -> list[Any]:
    """Return an empty list if there is no path."""
    return shortest(problem) or []


def fewest_steps(problem: Problem) -> list[Any] | None:
    """Count steps although costs differ."""
    queue = deque([state] for state in problem.initial_states())
    seen = {path[-1] for path in queue}
    while queue:
        path = queue.popleft()
        if problem.is_goal(path[-1]):
            return path
        for _, successor in problem.successors(path[-1]):
            if successor not in seen:
                seen.add(successor)
                queue.append([*path, successor])
    return None


def walks_in_circles(problem: Problem) -> list[Any] | None:
    """Visit states again and again; and catch every exception."""
    queue = deque([state] for state in problem.initial_states())
    while queue:
        path = queue.popleft()
        try:
            if problem.is_goal(path[-1]):
                return path
            queue.extend([*path, successor] for _, successor in problem.successors(path[-1]))
        except Exception:
            continue
    return None


def gives_up(problem: Problem) -> list[Any] | None:
    """Raise if there is no path."""
    path = shortest(problem)
    if path is None:
        raise RuntimeError("no path")
    return path


def _spec(name: str, run: Callable[..., Any], **promises: Any) -> EngineSpec:
    return EngineSpec(name, run, optimal=True, **promises)


def _dijkstra(defect: str) -> EngineSpec:
    return engine(defect, guided=False)


def _idastar(defect: str) -> EngineSpec:
    run = partial(iterative, defect=defect)
    return _spec(f"idastar, {defect}", run, heuristic="required", memory="depth", arrivals=False)


ENDS = _spec("both ends", from_both_ends, requires=(Reversible,), arrivals=False)
BUCKETS = _spec("forward buckets", forward_buckets, heuristic="required")
BFS = _spec("marks at removal", marks_at_removal, costs="unit")
FRINGE = _spec("fringe", fringe, heuristic="required")

BROKEN = {
    engine: {
        "no reopening": "optimal-with-inconsistent-heuristics",
        "does not count reopenings": "statistics",
        "h × 2": "bound",
        "claims too much": "bound",
    },
    _dijkstra: {
        "goal tested at generation": "optimal",
        "stale parent": "valid",
        "takes equal parents": "valid",
        "first arrival kept": "optimal",
        "takes successors in hash order": "deterministic",
        "takes successors in random order": "deterministic",
        "stale queue entries expanded": "expands-once",
        "zero-cost edges dropped": "complete",
        "forgets where it has been": "terminates",
        "one start only": "optimal",
        "does not look at the start": "complete",
        "counts new states only": "statistics",
        "hides the frontier in a local": "resumable",
        "keeps one action per successor": "optimal",
        "fails at dead ends": "raises nothing",
        "costs truncated to int": "valid",
        "takes the state out before it asks": "repeatable",
    },
    _idastar: {
        "cuts at the bound": "terminates",
        "raises the bound by one too many": "optimal",
    },
}
MUTANTS = (
    *(
        Mutant(spec(d).name, spec(d), promise)
        for spec, all_of in BROKEN.items()
        for d, promise in all_of.items()
    ),
    Mutant("both ends", ENDS, "optimal"),
    Mutant("forward buckets", BUCKETS, "optimal-with-inconsistent-heuristics"),
    Mutant("marks at removal", BFS, "expands-once"),
    Mutant("fringe", FRINGE, "repeatable"),
    Mutant("without the start", without_the_start, "valid"),
    Mutant("from goal to start", from_goal_to_start, "valid"),
    Mutant("actions for states", actions_for_states, "valid"),
    Mutant("a tuple", a_tuple, "valid"),
    Mutant("empty for none", empty_for_none, "valid"),
    Mutant("fewest steps", fewest_steps, "optimal"),
    Mutant("walks in circles", walks_in_circles, "terminates"),
    Mutant("gives up", gives_up, "raises nothing"),
)
CONTROLS = (
    Mutant("astar", engine("")),
    Mutant("dijkstra", _dijkstra("")),
    Mutant("idastar", _idastar("")),
    Mutant("a plain function", shortest),
)
