"""Bidirectional Dijkstra search."""

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf

from searchkit.basics.checks import cost_overflow_error, invalid_cost
from searchkit.engines.kit import cost_function, enter_starts, join, meet
from searchkit.problem import Action, Reversible, SearchProblem, State
from searchkit.tree import SearchTree


def bidirectional(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Run Dijkstra's algorithm from the starts and, backwards, from the goals, until the best meeting is proved.

    The first state that both halves reach need not lie on a cheapest path. The search ends when the least
    costs waiting in the two halves add up to no less than the best path found (Nicholson 1966; Pohl 1971).

    For `Reversible` problems. Complete where costs are bounded away from 0; optimal. Time and memory O(b^(d/2)) on
    trees of branching b and depth d, where one direction takes O(b^d).

    Example:
        >>> from searchkit import SearchProblem, solve
        >>> class Line(SearchProblem[int, int]):
        ...     def initial_states(self): return [0]
        ...     def goal_states(self): return [9]
        ...     def is_goal(self, x): return x == 9
        ...     def successors(self, x): return [(step, x + step) for step in (1, 3)]
        ...     def predecessors(self, x): return [(step, x - step) for step in (1, 3)]
        >>> solve(Line(), "bidirectional").solution.states
        (0, 3, 6, 9)

    """
    assert isinstance(problem, Reversible)
    successors, predecessors, cost = problem.successors, problem.predecessors, cost_function(problem)
    if tree.frontier is None:
        enter_both_ends(problem, tree)
    backward = tree.backward
    assert tree.closed is not None
    assert backward is not None
    assert backward.closed is not None
    closed = {tree: tree.closed, backward: backward.closed}
    while True:
        for half in (tree, backward):
            while half.frontier and half.frontier[0][2] in closed[half]:
                heappop(half.frontier)
        if not (tree.frontier and backward.frontier):
            break
        cheapest, cheapest_back = tree.frontier[0][0], backward.frontier[0][0]
        tree.lower_bound = cheapest + cheapest_back
        if tree.incumbent is not None and tree.incumbent <= tree.lower_bound:
            break
        tree.peak_frontier = max(tree.peak_frontier, len(tree.frontier) + len(backward.frontier))
        forward = bool(cheapest <= cheapest_back)
        half, other = (tree, backward) if forward else (backward, tree)
        g, _, state = half.frontier[0]
        tree.growing = half
        yield state
        generated = tree.generated
        for action, successor in successors(state) if forward else predecessors(state):
            generated += 1
            before, after = (state, successor) if forward else (successor, state)
            step = 1 if cost is None else cost(before, action, after)
            if not 0 <= step < inf:
                raise invalid_cost(before, action, after, step)
            arrival = half.reached.get(successor)
            if arrival is None or g + step < arrival[0]:
                if g + step == inf:
                    raise cost_overflow_error(successor)
                half.reached[successor] = (g + step, state, action)
                heappush(half.frontier, (g + step, generated, successor))
                if successor in other.reached:
                    meet(tree, successor, g + step + other.reached[successor][0])
        closed[half].add(state)
        tree.generated = generated
    if tree.incumbent is not None:
        goal = join(problem, tree, backward)
        tree.lower_bound = tree.reached[goal][0]
        tree.finish(goal)


def enter_both_ends(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> None:
    """Begin the two halves. A start that is a goal is a meeting."""
    assert isinstance(problem, Reversible)
    tree.backward = SearchTree()
    enter_starts(problem, tree)
    for state in problem.goal_states():
        tree.backward.start(state)
        if state in tree.reached:
            meet(tree, state, 0)
    for half in (tree, tree.backward):
        half.frontier = [(0, index - len(half.reached), state) for index, state in enumerate(half.reached)]
        half.closed = set()
