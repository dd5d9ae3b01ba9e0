"""A* with a closed set and reopening."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from heapq import heapify, heappop, heappush, heapreplace
from math import inf
from typing import Any

from searchkit.basics.checks import cost_overflow_error, invalid_cost
from searchkit.basics.rounding import share
from searchkit.engines.kit import (
    check_heuristic_value,
    cost_function,
    enter_starts_with_heuristic,
    put_back,
    warn_of_inconsistency,
)
from searchkit.engines.tree_search import best_first_tree
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree


def astar(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    ties: str = "high-g",
    weight: Cost = 1,
    tree_search: bool = False,
) -> Iterator[State]:
    """Expand the state with the least f = g + h: cost so far plus heuristic (Hart, Nilsson and Raphael 1968).

    A closed state that is reached more cheaply is opened again. This never happens with a consistent heuristic: until
    it may happen, the closed states are a list. With a heuristic that is only admissible, reopening keeps the answer
    optimal, and a warning names the step at which the heuristic is inconsistent. (`weight` multiplies h: see
    `weighted_astar`.) With `tree_search` a state is expanded on every path to it; this is optimal, too.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic. Time and memory
    O(number of states with f no larger than the optimal cost) expansions if the heuristic is consistent;
    up to exponentially more time if it is not (Martelli 1977).

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 4,
        ...                     heuristic=lambda x: abs(4 - x))
        >>> result = solve(line, "astar")
        >>> result.cost, result.statistics.expanded
        (4, 4)

    """
    if tree_search:
        yield from best_first_tree(problem, tree, ties, problem.heuristic)
        return None
    successors, is_goal, heuristic = problem.successors, problem.is_goal, problem.heuristic
    cost, reached = cost_function(problem), tree.reached
    high_g, low_h, order = ties == "high-g", ties == "low-h", 1 if ties == "fifo" else -1
    # A float times a fraction is rounded, and so would be the bound that f proves: with fractions, use a fraction.
    exact = Fraction(weight) if isinstance(weight, float) else None
    plain = weight == 1
    largest: Cost = 0  # the largest f of an entry
    highest: Cost = inf  # at least the f of every expanded state
    if tree.frontier is None:
        starts = enter_starts_with_heuristic(problem, tree, heuristic)
        tree.closed, highest = [] if plain else set(), 0
        tree.frontier = [
            (
                (exact if exact is not None and type(h) is Fraction else weight) * h,
                h if low_h else 0,
                order * (index - len(starts)),
                0,
                state,
            )
            for index, (state, h) in enumerate(starts)
        ]
        heapify(tree.frontier)
    frontier, closed, generated = tree.frontier, tree.closed, tree.generated
    close = closed.append if isinstance(closed, list) else closed.add
    while frontier:
        entry = f, _, _, g, state = frontier[0]
        if g > reached[state][0]:
            heappop(frontier)
            continue
        tree.lower_bound = f if plain else share(f, weight)
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        try:
            if f > highest:
                highest = f
            push: Callable[[list[Any], Any], object] = heapreplace  # the first successor replaces this state
            new_g = g + 1 if cost is None else g
            for action, successor in successors(state):
                generated += 1
                if cost is not None:
                    step = cost(state, action, successor)
                    if not 0 <= step < inf:
                        raise invalid_cost(state, action, successor, step)
                    new_g = g + step
                arrival = reached.get(successor)
                if arrival is None or new_g < arrival[0]:
                    h = heuristic(successor)
                    if plain:
                        f = new_g + h
                    elif exact is not None and (type(h) is Fraction or type(new_g) is Fraction):
                        f = new_g + exact * h
                    else:
                        f = new_g + weight * h
                    if not (h >= 0 and f <= largest):  # `f < inf` takes several times as long if f is an int
                        check_heuristic_value(successor, h)
                        if h == inf:
                            continue  # a dead end
                        if not f < inf:
                            raise cost_overflow_error(successor)
                        largest = f
                    # A state with a larger f than all expanded states is not closed, and need not be looked up.
                    if arrival is not None and (not plain or arrival[0] + h <= highest):
                        if isinstance(closed, list):
                            closed = tree.closed = set(closed)
                            close = closed.add
                        if successor in closed:
                            if not tree.reopened and plain:
                                warn_of_inconsistency(problem, tree, state, action, successor)
                            closed.remove(successor)
                            tree.reopened += 1
                    reached[successor] = (new_g, state, action)
                    rank = -new_g if high_g else h if low_h else 0
                    push(frontier, (f, rank, order * generated, new_g, successor))
                    push = heappush
            if push is heapreplace:
                heappop(frontier)
        except BaseException:
            put_back(frontier, entry)
            raise
        close(state)
        tree.generated = generated
    return None
