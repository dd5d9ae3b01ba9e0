"""How `auto` chooses an engine."""

from itertools import islice

from searchkit.capabilities import has_cost, has_heuristic
from searchkit.problem import Action, SearchProblem, State


def choose_engine(problem: SearchProblem[State, Action]) -> tuple[str, str]:
    """Return the name of the engine that suits the problem, and why.

    A heuristic: A*. No costs: breadth-first. Integer costs on the actions of the first start states: a
    bucket queue, which stays right, only slower, if other costs turn up later. Any other: Dijkstra.
    """
    if has_heuristic(problem):
        return "astar", "the problem has a heuristic"
    if not has_cost(problem):
        return "bfs", "every action costs 1 and there is no heuristic"
    costs = [
        problem.cost(state, action, successor)
        for state in islice(problem.initial_states(), 8)
        for action, successor in problem.successors(state)
    ]
    if costs and all(isinstance(cost, int) for cost in costs):
        return "bucket", "costs are integers and there is no heuristic"
    return "dijkstra", "costs are not integers and there is no heuristic"
