"""Beam search."""

from collections import deque
from typing import Any

from searchkit.engines import kit
from searchkit.plugin.options import Parameter
from searchkit.problem import Cost

WIDTH = Parameter("width", "the states kept of each layer", default=100, least=1)


@kit.engine(
    "beam",
    "beam search: the best few states of each layer (Lowerre 1976)",
    aliases=("beam search",),
    complete=False,
    heuristic="required",
    options=(WIDTH,),
)
def beam(problem: kit.Problem, tree: kit.Tree, width: int = 100) -> kit.States:
    """Expand states layer by layer, and of each layer only the `width` states with the least f = g + h (Lowerre 1976).

    The states of a layer are expanded in order of f, and of equal f in the order in which they were reached. A state
    that is dropped is forgotten, so that it may be reached again by a longer path; no state is expanded twice.

    Not complete: if states were dropped, the end without a path is a cutoff and proves nothing. Not optimal. Time
    O(width·b) for each layer, with branching b; memory O(width·d) for depth d.

    Example:
        >>> from searchkit import load, solve
        >>> [solve(load("romania"), "beam", width=width).cost for width in (1, 2)]
        [418, 450]

    """
    is_goal, heuristic, cost = problem.is_goal, problem.heuristic, kit.cost_function(problem)
    reached = tree.reached
    if tree.frontier is None:
        starts = kit.enter_starts_with_heuristic(problem, tree, heuristic)
        tree.frontier, tree.closed = [deque(), dict(starts)], set()
    while True:
        layer, following = tree.frontier
        if not layer:
            if not following:
                return None
            tree.frontier = [deque(best_of(tree, following, width)), {}]
            continue
        state = layer[0]
        if is_goal(state):
            return tree.finish(state)
        yield state
        generated, children = kit.expand(tree, state, reached[state][0], problem.successors, cost, heuristic)
        for child, arrival, (_, h) in children:
            if child not in reached or (child in following and arrival[0] < reached[child][0]):
                reached[child] = arrival
                following[child] = arrival[0] + h
        layer.popleft()
        tree.closed.add(state)
        tree.generated = generated
        tree.peak_frontier = max(tree.peak_frontier, len(layer) + len(following))


def best_of(tree: kit.Tree, layer: dict[Any, Cost], width: int) -> list[Any]:
    """Return the `width` states of a layer with the least f, sorted; forget the others."""
    states = sorted(layer, key=layer.__getitem__)  # of equal f, in the order in which they were reached
    for state in states[width:]:
        del tree.reached[state]
        tree.cut_by = f"the beam width of {width}"
    return states[:width]
