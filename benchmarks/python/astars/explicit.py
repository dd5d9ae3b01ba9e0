"""The state space of a problem as a numbered graph, for libraries that need the whole graph."""

from typing import Any

from attrs import frozen

from searchkit import Cost, SearchProblem
from searchkit.testing import explore


@frozen
class Numbered:
    """The states by number, an edge for the cheapest action between two, and one node more that all goals lead to."""

    states: tuple[Any, ...]
    start: int
    target: int
    """The number of the node that all goals lead to; it is not a state."""
    edges: tuple[tuple[int, int], ...]
    weights: tuple[float, ...]
    estimates: tuple[float, ...]
    """The heuristic of each node."""

    def path(self, nodes: list[int]) -> list[Any] | None:
        """Return the states of a path that ends in the target; None without a path."""
        return [self.states[node] for node in nodes if node != self.target] or None


def numbered(problem: SearchProblem[Any, Any]) -> Numbered:
    """Return the states that can be reached from the problem's only start, with numbers."""
    space = explore(problem)
    (start,) = space.starts
    states = tuple(space.edges)
    number = {state: index for index, state in enumerate(states)}
    target = len(states)
    weights: dict[tuple[int, int], Cost] = {}
    for tail, edges in space.edges.items():
        for _, head, cost in edges:
            pair = (number[tail], number[head])
            weights[pair] = min(cost, weights.get(pair, cost))
    weights |= {(number[goal], target): 0 for goal in space.goals}
    estimates = tuple(float(problem.heuristic(state)) for state in states)
    return Numbered(
        states, number[start], target, tuple(weights), tuple(map(float, weights.values())), (*estimates, 0.0)
    )
