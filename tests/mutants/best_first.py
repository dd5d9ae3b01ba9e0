"""A* and Dijkstra's algorithm with one planted defect each.

A correct search has a switch for each defect, so that nothing else is wrong. There is one as an engine of searchkit,
and one as a plain function that returns a list of states.
"""

from collections.abc import Callable, Iterator
from functools import partial
from heapq import heapify, heappop, heappush
from math import inf
from random import shuffle
from typing import Any, Literal

from searchkit import EngineSpec, Reversible, SearchProblem
from searchkit.plugin import SearchTree, has_cost, has_heuristic

Problem = SearchProblem[Any, Any]
Tree = SearchTree[Any, Any]
Guide = Callable[[Any, Any], Any]
"""(state, its parent or None) → heuristic value."""
DEPTH = 12
LARGEST = 2**31


def cost_of(problem: Problem, state: Any, action: Any, successor: Any) -> Any:
    """Return the cost of an action; 1 without costs."""
    return problem.cost(state, action, successor) if has_cost(problem) else 1


def best_first(problem: Problem, tree: Tree, guided: bool, defect: str = "") -> Iterator[Any]:
    """Run A*, or Dijkstra's algorithm if not `guided` or the problem has no heuristic, with a defect."""
    h = guide(problem, guided, defect)
    is_goal = goal_test(problem, tree, defect)
    reached = tree.reached
    if tree.frontier is None:
        begin(problem, tree, h, defect)
        if tree.found:
            return
    while True:
        frontier, closed = tree.frontier, tree.closed
        if defect == "hides the frontier in a local":
            frontier = list(frontier)
        while frontier:
            f, _, state, g, depth = frontier[0]
            if defect == "closed at generation":
                g = reached[state][0]
            stale = g > reached[state][0] or (defect == "first arrival kept" and state in closed)
            if stale and defect != "stale queue entries expanded":
                heappop(frontier)
                continue
            if not isinstance(f, str):
                tree.lower_bound = f + 1 if defect == "claims too much" else f
            if is_goal(state) and defect != "goal tested at generation":
                tree.finish(state)
                return
            tree.peak_frontier = max(tree.peak_frontier, len(frontier))
            yield state
            if defect == "depth limit of 12" and depth >= DEPTH:
                heappop(frontier)
                closed.add(state)
                continue
            if defect == "takes the state out before it asks":
                heappop(frontier)
            asked = [
                (action, to, step_cost(problem, state, action, to, defect), h(to, state))
                for action, to in ordered(list(problem.successors(state)), defect)
            ]
            if defect != "takes the state out before it asks":
                heappop(frontier)
            for action, successor, step, estimate in asked:
                if defect != "counts new states only" or successor not in reached:
                    tree.generated += 1
                if step is None:
                    continue
                new_g = g + step
                if defect == "32-bit cost overflow":
                    new_g = (new_g + LARGEST) % (2 * LARGEST) - LARGEST
                arrival = None if defect == "forgets where it has been" else reached.get(successor)
                if arrival is not None and defect == "takes equal parents" and new_g == arrival[0]:
                    reached[successor] = (new_g, state, action)
                if arrival is not None and (
                    new_g >= arrival[0]
                    or defect == "first arrival kept"
                    or (defect == "no reopening" and successor in closed)
                ):
                    continue
                if estimate == inf:
                    continue
                parent = (state, action)
                if arrival is not None and defect == "stale parent" and arrival[1] is not None:
                    parent = arrival[1:]
                reached[successor] = (new_g, *parent)
                if arrival is not None and defect == "closed at generation":
                    continue
                if successor in closed:
                    closed.remove(successor)
                    tree.reopened += defect != "does not count reopenings"
                if defect == "goal tested at generation" and is_goal(successor):
                    tree.finish(successor)
                    return
                tree.threshold += defect != "states compared in the heap"  # a counter, kept in the tree
                entry = (key(new_g, estimate, defect), tree.threshold, successor, new_g, depth + 1)
                heappush(frontier, entry)
            closed.add(state)
        if defect != "loops for ever without a goal":
            return
        reached.clear()
        begin(problem, tree, h, defect)


def begin(problem: Problem, tree: Tree, h: Guide, defect: str) -> None:
    """Enter the starts."""
    starts = list(dict.fromkeys(problem.initial_states()))
    if defect == "one start only":
        del starts[1:]
    for state in starts:
        tree.start(state)
        if defect == "goal tested at generation" and problem.is_goal(state):
            tree.finish(state)
    tree.closed = set()
    same = defect == "states compared in the heap"
    tree.frontier = [
        (key(0, h(state, None), defect), 0 if same else number, state, 0, 0)
        for number, state in enumerate(starts)
        if h(state, None) < inf or defect == "loops for ever without a goal"
    ]
    heapify(tree.frontier)
    tree.threshold = len(tree.frontier) if not same else 0


def guide(problem: Problem, guided: bool, defect: str) -> Guide:
    """Return the heuristic, with its defect."""
    informed = guided and has_heuristic(problem)
    told = problem.heuristic if informed else lambda state: 0
    if defect.startswith("h × "):
        return lambda state, parent: told(state) * float(defect[len("h × ") :])
    if defect.startswith("h + "):  # not at the goals
        return lambda state, parent: told(state) + (0 if problem.is_goal(state) else int(defect.split()[2]))
    if defect == "the parent's h":
        return lambda state, parent: told(state if parent is None else parent)
    if defect == "h of the goal forgotten":  # the value of the previous state stays
        return lambda state, parent: told(parent if parent is not None and problem.is_goal(state) else state)
    return lambda state, parent: told(state)


def goal_test(problem: Problem, tree: Tree, defect: str) -> Callable[[Any], bool]:
    """Return the goal test, with its defect."""
    if defect == "first goal only" and isinstance(problem, Reversible):
        first = list(problem.goal_states())[:1]
        return lambda state: state in first
    if defect == "does not look at the start":
        return lambda state: problem.is_goal(state) and tree.reached[state][1] is not None
    return problem.is_goal


def ordered(pairs: list[Any], defect: str) -> list[Any]:
    """Return the successors, in a wrong order or number."""
    if defect == "takes successors in hash order":
        pairs.sort(key=lambda pair: hash(pair[1]))
    if defect == "takes successors in random order":
        shuffle(pairs)
    if defect == "keeps one action per successor":
        return [(action, to) for to, action in {to: action for action, to in pairs}.items()]
    if defect == "fails at dead ends":
        min(pairs)
    return pairs


def step_cost(problem: Problem, state: Any, action: Any, successor: Any, defect: str) -> Any:
    """Return what an action costs, with a defect; None for one that is dropped."""
    step = 1 if defect == "unit costs assumed" else cost_of(problem, state, action, successor)
    if defect == "zero-cost edges dropped" and step == 0:
        return None
    return int(step) if defect == "costs truncated to int" else step


def key(g: Any, h: Any, defect: str) -> Any:
    """Return the priority of an entry, with a defect."""
    if defect == "greedy":
        return h
    return str(g + h) if defect == "costs compared as text" else g + h


def emptied_while_walked_over(problem: Problem, tree: Tree) -> Iterator[Any]:
    """Run Dijkstra's algorithm on lists of states, and take states out of a list while it is iterated over.

    Every other state is skipped, and lost with its list.
    """
    reached = tree.reached
    if tree.frontier is None:
        for state in problem.initial_states():
            tree.start(state)
        tree.frontier, tree.closed, tree.threshold = {0: list(reached)}, set(), 0
    waiting = tree.frontier
    while waiting:
        tree.lower_bound = g = min(waiting)
        while tree.threshold < len(waiting[g]):  # for state in waiting[g]
            state = waiting[g][tree.threshold]
            if reached[state][0] == g and state not in tree.closed:
                if problem.is_goal(state):
                    tree.finish(state)
                    return
                yield state
                tree.closed.add(state)
                for action, successor in problem.successors(state):
                    tree.generated += 1
                    new_g = g + cost_of(problem, state, action, successor)
                    if successor not in reached or new_g < reached[successor][0]:
                        reached[successor] = (new_g, state, action)
                        waiting.setdefault(new_g, []).append(successor)
            waiting[g].remove(state)
            tree.threshold += 1
        del waiting[g]
        tree.threshold = 0


def plain(search: Callable[[Problem, Tree], Iterator[Any]]) -> Callable[[Problem], list[Any] | None]:
    """Return the search as a plain function."""

    def astar(problem: Problem) -> list[Any] | None:
        """Return the states of a path."""
        tree: Tree = SearchTree()
        for _ in search(problem, tree):
            pass
        if not tree.found:
            return None
        path = [tree.goal]
        while (parent := tree.reached[path[-1]][1]) is not None and len(path) <= len(tree.reached):
            path.append(parent)
        return path[::-1]

    return astar


def engine(defect: str, guided: bool = True) -> EngineSpec:
    """Return the search as an engine that says that it is optimal."""
    name = "astar" if guided else "dijkstra"
    heuristic: Literal["required", "unused"] = "required" if guided else "unused"
    return EngineSpec(f"{name}, {defect}", searching(defect, guided), optimal=True, heuristic=heuristic)


def searching(defect: str, guided: bool = True) -> Callable[[Problem, Tree], Iterator[Any]]:
    """Return the search in searchkit's own form."""
    if defect == "mutates the frontier while iterating":
        return emptied_while_walked_over
    return partial(best_first, guided=guided, defect=defect)
